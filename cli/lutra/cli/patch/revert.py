"""`lutra patch revert`: back to the firmware before."""

from __future__ import annotations

from lutra.cli.device.document import document, line
from lutra.cli.device.options import DeviceOption, OtherEngineOption
from lutra.cli.options import JsonOption
from lutra.cli.output import print_json
from lutra.firmware.device import opened


def command(device: DeviceOption, engine: OtherEngineOption = None, json: JsonOption = False) -> None:
    """Drop the pack that waits or is on trial; without one, go back to the other slot. Then boot.

    What is confirmed goes back only to firmware whose security counter and root the fuses still allow.

    \b
    Example:
      lutra patch revert --device dev
    """
    with opened(device, engine) as changed:
        status = changed.revert()
    if json:
        print_json(document(status))
    else:
        print("runs nothing: no firmware is left" if status.running is None else f"runs {line(status, status.running)}")
