"""`lutra patch confirm`: keep the firmware that is on trial."""

from __future__ import annotations

from lutra.cli.device.document import document, line
from lutra.cli.device.options import DeviceOption
from lutra.cli.options import JsonOption
from lutra.cli.output import print_json
from lutra.firmware.device import opened


def command(device: DeviceOption, json: JsonOption = False) -> None:
    """Confirm the firmware that has been running on trial since the last boot.

    This burns its security counter and its root into the fuses: older firmware does not boot any more.

    \b
    Example:
      lutra patch apply otter.pack --device dev --no-confirm
      lutra patch confirm --device dev
    """
    with opened(device) as changed:
        status = changed.confirm()
    assert status.running is not None
    if json:
        print_json(document(status))
    else:
        print(line(status, status.running))
