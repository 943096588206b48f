"""`lutra device show`: show the whole state of a device."""

from __future__ import annotations

from lutra.cli.device.document import document, line
from lutra.cli.device.options import DeviceOption
from lutra.cli.options import JsonOption
from lutra.cli.output import print_json
from lutra.firmware import pack
from lutra.firmware._loader import Result, Status
from lutra.firmware.device import Device, opened


def command(device: DeviceOption, json: JsonOption = False) -> None:
    """Show a device: core, fuses, boot record, slots, and what the next boot would start.

    The next boot is tried on a copy; the device does not change.

    \b
    Example:
      lutra device show --device dev
    """
    with opened(device) as shown:
        status, following = shown.status(), shown.next_boot()
        roots = [digest.hex() for digest in shown.roots()]
        algorithms = [_algorithms(shown, status, slot) for slot in range(len(status.state))]
    description = shown.folder.description
    if json:
        more = {"next_boot": following, "root_digests": roots, "algorithms": algorithms}
        print_json(description.document() | document(status) | more)
        return
    print(f"core: {description.engine}, rounds {description.rounds}")
    for n, digest in enumerate(roots):
        print(f"root: {digest}{'' if n == len(roots) - 1 else ', replaced'}")
    print(f"counter: {status.counter}")
    print(f"boot record: number {status.sequence}")
    for slot, names in enumerate(algorithms):
        print("\n  ".join([line(status, slot), *names]))
    print(f"runs: {_slot(status.running)}")
    print(f"next boot: {_slot(following)}")


def _algorithms(device: Device, status: Status, slot: int) -> list[str]:
    """Return the names of the algorithms of a bootable slot."""
    if status.check[slot] is not Result.OK:
        return []
    return [a.name for a in pack.manifest_of(pack.decode(device.pack(slot))).algorithms]


def _slot(number: int | None) -> str:
    return "nothing" if number is None else f"slot {number}"
