"""A debugging session: one job on a machine whose past is kept. All front ends use it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from lutra.asm import Image
from lutra.debug.errors import DebugError
from lutra.debug.expressions import Expression
from lutra.debug.history import History
from lutra.debug.inspection import Inspection
from lutra.debug.moves import Moves
from lutra.debug.pipeline import Pipeline
from lutra.debug.plan import Plan, Run
from lutra.debug.runner import Runner
from lutra.debug.target import Target
from lutra.debug.values import Location
from lutra.isa import load
from lutra.iss.engine import EngineName
from lutra.iss.fault import Fault
from lutra.iss.job import Job


class Session:
    """One job, or a plan of several runs, under the debugger. Used by one thread at a time.

    inspect: the present state. moves: steps and runs, forward and back. history: writers of values. pipeline: stages.
    breakpoints, watchpoints: where runs stop.

    Every move takes a watcher, which keeps a front end alive during a long one and can end it. Errors raise
    EngineError (mostly DebugError), one line, and leave the machine where it was.

    plan: runs of the program and what the host does between them. folders: where source files are searched, after the
    present folder. Raises EngineError.
    """

    def __init__(self, plan: Plan, engine: EngineName = "iss", rounds: int = 2, folders: Sequence[Path] = ()) -> None:
        self._target = Target(plan, engine, rounds)
        self.inspect = Inspection(self._target, folders)
        self.history = History(self._target, self.inspect)
        self.pipeline = Pipeline(self._target, self.inspect)
        runner = Runner(self._target, self.inspect, self.history)
        self.breakpoints, self.watchpoints = runner.breakpoints, runner.watchpoints
        self.moves = Moves(self._target, self.inspect, runner)

    @classmethod
    def open(cls, job: Job, engine: EngineName = "iss", rounds: int = 2, folders: Sequence[Path] = ()) -> Session:
        """At the start of a job's first entry, nothing executed. Raises EngineError."""
        return cls(Plan.of(job), engine, rounds, folders)

    @property
    def image(self) -> Image:
        """The program and its data."""
        return self._target.plan.image

    @property
    def engine(self) -> str:
        """`iss`, `rtl` or `cosim`."""
        return self._target.engine.name

    @property
    def rounds(self) -> int:
        """ROUNDS_PER_INSTR, 1 or 2."""
        return self._target.engine.rounds

    @property
    def runs(self) -> Sequence[Run]:
        """The programs that the host starts, one after another."""
        return self._target.plan.runs

    # ------------------------------------------------------------------ changing

    def set(self, text: str, value: str) -> None:
        """Set a register, row, slice or lane to the value of an expression. The future is new from here on."""
        location = self.inspect.locate(text)
        new = Expression.of(value).value(self.inspect).value
        if location.space:
            self._write(location, new, text)
        else:
            self._poke(location, new, text)

    def inject(self, fault: Fault) -> None:
        """Flip bits of a stream context at a cycle of this run, or of the next one; the future is new from here on."""
        self._target.inject(fault)

    def _write(self, location: Location, value: int | bytes, text: str) -> None:
        """Set bytes of a memory. A word of program memory is a number, lowest byte first; several words are bytes."""
        several = isinstance(self.inspect.what_is_at(text).value, bytes)
        data = _bytes(value, location.length, text)
        if load().space_by_name[location.space].is_program:
            if several and isinstance(value, int):
                raise DebugError(f"{text.strip()} takes {location.length} bytes in the order of the memory, no number")
            data = data if several else data[::-1]
        self._target.write(location.space, location.offset, data)

    def _poke(self, location: Location, value: int | bytes, text: str) -> None:
        old = self.inspect.registers()[location.name].value
        if isinstance(old, int):
            if isinstance(value, bytes):
                raise DebugError(f"{text.strip()} holds a number, not {len(value)} bytes")
            self._target.poke(location.name, value)
            return
        part = _bytes(value, location.length, text)
        self._target.poke(location.name, old[: location.offset] + part + old[location.offset + location.length :])


def _bytes(value: int | bytes, length: int, text: str) -> bytes:
    """A value as so many bytes. Raises DebugError."""
    if isinstance(value, bytes):
        if len(value) != length:
            raise DebugError(f"{text.strip()} takes {length} bytes, not {len(value)}")
        return value
    try:
        return value.to_bytes(length, "big")
    except OverflowError:
        raise DebugError(f"{text.strip()} takes {length} bytes, which cannot hold {value:#x}") from None
