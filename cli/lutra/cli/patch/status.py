"""`lutra patch status`: show the state of an update and the next step."""

from __future__ import annotations

from lutra.cli.device.document import document, line
from lutra.cli.device.options import DeviceOption
from lutra.cli.options import JsonOption
from lutra.cli.output import print_json
from lutra.firmware._loader import SlotState, Status
from lutra.firmware.device import opened


def command(device: DeviceOption, json: JsonOption = False) -> None:
    """Show what is running, what is waiting and what to do next, without booting or changing the device.

    \b
    Example:
      lutra patch status --device dev
    """
    with opened(device) as shown:
        status = shown.status()
    if json:
        print_json(document(status) | {"next": _following(status)})
        return
    print("runs nothing" if status.running is None else f"runs {line(status, status.running)}")
    for slot in range(len(status.state)):
        if slot != status.running:
            print(line(status, slot))
    print(f"next: {_following(status)}")


def _following(status: Status) -> str:
    """Return the command to run next."""
    if SlotState.TEST in status.state:
        return "lutra device boot"
    if SlotState.TRIAL in status.state:
        on_trial = status.state.index(SlotState.TRIAL)
        return "lutra patch confirm, or lutra patch revert" if on_trial == status.running else "lutra device boot"
    if status.primary is None:
        return "lutra patch apply"
    return "lutra device boot" if status.running is None else "lutra patch apply"
