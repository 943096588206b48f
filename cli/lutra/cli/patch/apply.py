"""`lutra patch apply`: a pack into a device."""

from __future__ import annotations

from typing import Annotated

import typer

from lutra.cli.device.document import document
from lutra.cli.device.options import DeviceOption, OtherEngineOption
from lutra.cli.options import JsonOption
from lutra.cli.output import print_json
from lutra.cli.pack.files import PackArgument, read_pack
from lutra.firmware.device import opened


def command(
    pack: PackArgument,
    device: DeviceOption,
    engine: OtherEngineOption = None,
    no_confirm: Annotated[
        bool, typer.Option("--no-confirm", help="End on trial: the next boot goes back, unless confirmed before.")
    ] = False,
    json: JsonOption = False,
) -> None:
    """Authenticate a pack, write it to the standby slot, run its known answers, boot it on trial, and confirm it.

    A pack that is refused leaves what runs as it was.

    \b
    Example:
      lutra patch apply otter.pack --device dev
    """
    data = read_pack(pack)
    steps: list[str] = []

    def tell(step: str) -> None:
        steps.append(step)
        if not json:
            print(step, flush=True)

    with opened(device, engine) as changed:
        status = changed.update(data, str(pack), not no_confirm, tell)
    if json:
        print_json(document(status) | {"steps": steps})
    elif no_confirm:
        print("next: lutra patch confirm, or lutra patch revert; the next boot goes back")
