"""`lutra patch revert`: return to the previous firmware."""

from __future__ import annotations

from lutra.cli.device.document import document, line
from lutra.cli.device.options import DeviceOption, OtherEngineOption
from lutra.cli.options import JsonOption
from lutra.cli.output import print_json
from lutra.firmware.device import opened


def command(device: DeviceOption, engine: OtherEngineOption = None, json: JsonOption = False) -> None:
    """Drop the pack that is waiting or on trial, or else return to the other slot. Then boot.

    After a confirmation, the other slot boots only if the fuses still allow its security counter and root.

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
