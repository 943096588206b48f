"""`lutra patch apply`: install a pack on a device."""

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
        bool, typer.Option("--no-confirm", help="Stay on trial: the next boot reverts unless you confirm before.")
    ] = False,
    json: JsonOption = False,
) -> None:
    """Install a pack: verify it, write it to the standby slot, run its known answers, boot it on trial, confirm it.

    If the pack is refused, the running firmware stays.

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
        print("next: lutra patch confirm or lutra patch revert; the next boot reverts by itself")
