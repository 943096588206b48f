"""Show the state of a device, as text and as JSON."""

from __future__ import annotations

from lutra.firmware._loader import Result, SlotState, Status, text
from lutra.firmware.device import titled

STATES = {
    SlotState.EMPTY: "empty",
    SlotState.TEST: "waits for its trial",
    SlotState.TRIAL: "on trial",
    SlotState.CONFIRMED: "confirmed",
}


def line(status: Status, slot: int) -> str:
    """Describe a slot and its contents in one line."""
    state, size = STATES[status.state[slot]], status.size[slot]
    if status.state[slot] is SlotState.EMPTY:
        return f"slot {slot}: {state}"
    if status.check[slot] is not Result.OK:
        return f"slot {slot}: {state}, {size} bytes that cannot boot: {text(status.check[slot])}"
    return f"slot {slot}: {titled(status.info[slot])}, {state}, {size} bytes"


def document(status: Status) -> dict[str, object]:
    """Return the whole state, for --json."""
    return {
        "running": status.running,
        "primary": status.primary,
        "sequence": status.sequence,
        "counter": status.counter,
        "roots": status.roots,
        "slots": [_slot(status, n) for n in range(len(status.state))],
    }


def _slot(status: Status, n: int) -> dict[str, object]:
    slot: dict[str, object] = {"state": status.state[n].name.lower()}
    if status.state[n] is SlotState.EMPTY:
        return slot
    slot |= {"bytes": status.size[n], "check": status.check[n].name.lower()}
    if status.check[n] is Result.OK:
        info = status.info[n]
        slot |= {
            "name": info.name,
            "version": ".".join(map(str, info.version)),
            "counter": info.counter,
            "root": info.root_version,
            "manifest": info.digest.hex(),
        }
    return slot
