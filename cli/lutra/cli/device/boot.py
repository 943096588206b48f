"""`lutra device boot`: reset a device."""

from __future__ import annotations

from lutra.cli.device.document import document, line
from lutra.cli.device.options import DeviceOption, OtherEngineOption
from lutra.cli.errors import CliError
from lutra.cli.options import JsonOption
from lutra.cli.output import print_json
from lutra.firmware.device import opened


def command(device: DeviceOption, engine: OtherEngineOption = None, json: JsonOption = False) -> None:
    """Reset a device: boot a new pack on trial, or drop a trial that was not confirmed.

    \b
    Example:
      lutra device boot --device dev
    """
    with opened(device, engine) as opened_device:
        status = opened_device.boot()
    if json:
        print_json(document(status))
    if status.running is None:
        raise CliError(f"{device}: no slot has firmware that may run; install some with `lutra patch apply`")
    if not json:
        print(f"runs {line(status, status.running)}")
