"""Report a run, as text and as JSON."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from lutra.asm import Image
from lutra.iss.engine import Engine, Simulator, Stop
from lutra.iss.job import Job, total
from lutra.iss.registers import Registers
from lutra.iss.retire import source_line, source_text
from lutra.iss.trace import Line

# States of a machine that has ended as the program intends.
GOOD = ("halted", "waiting")


@dataclass(frozen=True)
class Outcome:
    """A run that has ended.

    entries: names of all entries. stops: results of those that ran. trap: explanation of the trap, or empty. history:
    last instructions of a failed run, or one line that says why they are unknown.
    """

    job: Job
    engine: Engine
    entries: Sequence[str]
    stops: Sequence[Stop]
    registers: Registers
    trap: str
    history: Sequence[Line] | str

    @property
    def last(self) -> Stop:
        """Result of the entry that ran last."""
        return self.stops[-1]

    # ------------------------------------------------------------------ text

    def summary(self) -> str:
        """Return one line per entry, and a total if there are several."""
        if len(self.stops) == 1:
            return self._ended(self.last)
        lines = [f"{entry}: {self._ended(stop)}" for entry, stop in zip(self.entries, self.stops, strict=False)]
        return "\n".join([*lines, f"total: {_counts(total(self.stops))}"])

    def _ended(self, stop: Stop) -> str:
        return f"{stop.state} at {whereabouts(self.job.image, stop.pc)}: {_counts(stop)}"

    @property
    def error(self) -> str:
        """Return what went wrong in one line; empty after a normal end."""
        where, state = whereabouts(self.job.image, self.last.pc), self.last.state
        entry = f"{self.entries[len(self.stops) - 1]}: " if len(self.entries) > 1 else ""
        if state in GOOD:
            if len(self.stops) == len(self.entries):
                return ""
            return f"{entry}{state} at {where}, so the other entries were not started; --resume continues after a wait"
        if self.trap:
            return f"{entry}trap at {where}: {self.trap}"
        allowed = f"{self.job.max_cycles} cycles (--max-cycles)"
        return f"{entry}no halt within {allowed}, stopped at {where}"

    def report(self, every_register: bool) -> str:
        """Return what led to an error: the last instructions, and all registers or those changed since reset."""
        lines: list[str] = []
        if isinstance(self.history, str):
            lines.append(f"the last instructions are unknown: {self.history}")
        elif self.history:
            lines += ["last instructions:", *(f"  {line}" for line in self.history)]
        if every_register:
            lines += ["registers:", *(f"  {line}" for line in self.registers.lines())]
        elif changed := written(self.registers):
            lines += ["registers that differ from reset:", *(f"  {line}" for line in changed.lines())]
        return "\n".join(lines)

    # ------------------------------------------------------------------ JSON

    def document(self) -> dict[str, Any]:
        """Return the report; counts are sums over all entries, the rest is from the last one."""
        history = self.history
        return {
            **self._status(total(self.stops), {"engine": self.engine.name, "rounds": self.engine.rounds}),
            "trap_text": self.trap or None,
            "runs": [{"entry": e, **self._status(s, {})} for e, s in zip(self.entries, self.stops, strict=False)],
            "registers": {r.name: _plain(r.value) for r in self.registers.values() if r.used},
            "history": [] if isinstance(history, str) else [line.document() for line in history],
        }

    def _status(self, stop: Stop, of: dict[str, Any]) -> dict[str, Any]:
        return {
            "state": stop.state,
            "pc": stop.pc,
            "source": source_line(self.job.image, stop.pc),
            "trap": stop.trap or None,
            **of,
            "cycles": stop.cycles,
            "instructions": stop.instructions,
            "stalls": stop.stalls,
            "notified": stop.notified,
        }


def written(registers: Registers) -> Registers:
    """Return the registers whose values differ from reset."""
    reset = Simulator(rounds=2).registers()
    return Registers(r for name, r in registers.items() if r.used and r.value != reset[name].value)


def whereabouts(image: Image, pc: int) -> str:
    """Return the program address and its line; after the last instruction, the line of that instruction."""
    line = source_text(image, pc)
    if not line and (before := source_text(image, pc - 1)):
        line = f"after the last instruction, {before}"
    return f"pc {pc:#06x}" + (f", {line}" if line else "")


def _counts(stop: Stop) -> str:
    stalls = ", ".join(f"{name} {count}" for name, count in stop.stalls.items() if count)
    lost = f"; stalls: {stalls}" if stalls else ""
    told = f"; notified {stop.notified}" if stop.notified else ""
    return f"{stop.cycles} cycles, {stop.instructions} instructions{told}{lost}"


def _plain(value: int | bytes) -> int | str:
    return value.hex() if isinstance(value, bytes) else value
