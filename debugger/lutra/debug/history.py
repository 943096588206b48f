"""Find the writer of a value, and the value before."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

from lutra.asm import Place
from lutra.debug.inspection import Inspection
from lutra.debug.target import Target
from lutra.debug.values import Location, shown
from lutra.debug.watchpoints import cells
from lutra.isa import load
from lutra.iss.retire import Record

# Touches that are looked at in one go where not all of them are writes of the place; more, the longer it takes.
_FIRST = 16
# The field of a record that only those instructions have that set a part of a register: a step, a window, a width.
_CONFIGURED = "config_n"


@dataclass(frozen=True)
class Write:
    """One instruction that wrote a register, or a part of a row.

    time: before which it is the next instruction, so that `seek(time)` opens it; it has retired at time + 1. cycle: in
    which it retired, of its run. target: what it wrote, as the user named it. before, after: the values, as text.
    """

    time: int
    cycle: int
    pc: int
    chain: tuple[Place, ...]
    label: str
    instruction: str
    target: str
    before: str
    after: str

    @property
    def place(self) -> Place | None:
        """The innermost file and line, or None."""
        return self.chain[0] if self.chain else None


class History:
    """Finds the writers of values in the past of a target."""

    def __init__(self, target: Target, inspect: Inspection) -> None:
        self._target = target
        self._inspect = inspect

    def last_writer(self, text: str) -> Write | None:
        """The last instruction before now that wrote a register, row, range or table entry; None where none did."""
        found = self.writers(text, 1)
        return found[0] if found else None

    def writers(self, text: str, count: int = 10) -> list[Write]:
        """Return the last writers of a place, newest first. Raises DebugError if the text is not a place."""
        location = self._inspect.locate(text)
        with self._target.excursion() as now:
            times = list(islice(self.times(location, now), min(count, max(1, now))))
            return [self._written(text.strip(), location, time) for time in times]

    def times(self, location: Location, now: int) -> Iterator[int]:
        """The times of all instructions up to a time that wrote a place, newest first; it moves.

        What shares a cell with others is asked for: of a row, whether the store has bytes of the place; of a part of a
        register with a name of its own, such as `ar3.step`, whether it has changed; of `ar3` itself, whether only such
        a part was set.
        """
        touched, looked, wanted = cells(location), 0, _FIRST
        while True:
            self._target.timeline.seek(now)
            times = self._target.timeline.history(touched, wanted)
            for time in times[looked:]:
                if self._wrote(location, time):
                    yield time
            if len(times) < wanted:
                return
            looked, wanted = wanted, 4 * wanted

    def _wrote(self, location: Location, time: int) -> bool:
        if location.space:
            return stored(self._target.timeline.record(time), location)
        part = "." in location.name
        if part or (self._has_parts(location) and _CONFIGURED in self._target.timeline.record(time).fields):
            return self.left(time, location) != self.found(time, location)
        return True

    def _has_parts(self, location: Location) -> bool:
        return any(name.startswith(f"{location.name}.") for name in self._target.registers())

    def found(self, time: int, location: Location) -> int | bytes:
        """Return the value of a place before instruction `time`; it moves."""
        self._target.timeline.seek(time - 1)
        return self._inspect.at(location)

    def left(self, time: int, location: Location) -> int | bytes:
        """Return the value that the instruction left, whatever the host did then; it moves."""
        self._target.timeline.seek(time, host=False)
        return self._inspect.at(location)

    def _written(self, target: str, location: Location, time: int) -> Write:
        timeline = self._target.timeline
        record = timeline.record(time)
        before, after = shown(self.found(time, location)), shown(self.left(time, location))
        pc, names = record.pc, self._inspect.names
        chain, label, text = self._inspect.lines.chain(pc), names.label(pc), names.instruction(record.insn, pc)
        return Write(time - 1, record.cycle, pc, chain, label, text, target, before, after)


def stored(record: Record, location: Location) -> bool:
    """Whether a retired instruction has stored a byte of a place in a memory."""
    isa = load()
    wanted = isa.space_by_name[location.space]
    spaces = {s.code: s for s in isa.spaces}
    for store in isa.stored(record.fields):
        space = spaces[store.space]
        lanes = range(location.offset - store.address, location.offset - store.address + location.length)
        shared = set(space.blocks) & set(wanted.blocks) or set(space.banks) & set(wanted.banks)
        if shared and any(store.lanes >> lane & 1 for lane in lanes if lane >= 0):
            return True
    return False
