"""A debugging session: one job on a machine whose past is kept. All front ends use it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from lutra.debug.commands import complete, execute
from lutra.debug.errors import DebugError
from lutra.debug.expressions import Expression
from lutra.debug.moving import Moving
from lutra.debug.pipeline import Pipelines
from lutra.debug.plan import Plan, Run
from lutra.debug.stops import Stop, Watcher
from lutra.debug.target import Target
from lutra.debug.values import Location
from lutra.debug.views import parse as parse_view
from lutra.debug.writers import Write
from lutra.isa import load
from lutra.iss.engine import EngineName
from lutra.iss.job import Job


class Session(Moving, Pipelines):
    """One job, or what else a host does, under the debugger. Made by `open`; used by one thread at a time.

    Every move takes a watcher, which keeps a front end alive during a long one and can end it. What is wrong raises
    EngineError (mostly DebugError), one line; the machine stays where it was then. `stop` is why the last move ended.

    plan: what the host does. folders: where source files are looked for, besides the present folder. Raises
    EngineError.
    """

    def __init__(self, plan: Plan, engine: EngineName = "iss", rounds: int = 2, folders: Sequence[Path] = ()) -> None:
        self._plan = plan
        self._engine = engine
        super().__init__(Target(plan, engine, rounds), folders)
        # The user has asked to leave (command `quit`).
        self.over = False
        # Expressions to show after every move, with their forms, by number.
        self.displays: dict[int, tuple[str, str]] = {}
        # Files of commands that are being read.
        self.nested = 0
        # The newest of the writes that a command has shown last.
        self.shown_write: Write | None = None

    @classmethod
    def open(cls, job: Job, engine: EngineName = "iss", rounds: int = 2, folders: Sequence[Path] = ()) -> Session:
        """At the start of a job's first entry, nothing executed. Raises EngineError."""
        return cls(Plan.of(job), engine, rounds, folders)

    @property
    def runs(self) -> Sequence[Run]:
        """The programs that the host starts, one after another."""
        return self._plan.runs

    def add_view(self, text: str) -> None:
        """One more view: `TARGET NAME SHAPE`, as in a source comment. Raises DebugError."""
        self.known_views.add(parse_view(text))

    def restart(self) -> Stop:
        """Back to the start of the first run; what has been set by hand since then is forgotten."""
        self._moves()
        self._target = Target(self._plan, self._engine, self.rounds)
        self._registers = None
        return self._stopped(Stop("start", "at the start"))

    # ------------------------------------------------------------------ changing

    def set(self, text: str, value: str) -> None:
        """Set a register, row, slice or lane to the value of an expression. The future is new from here on."""
        location = self.locate(text)
        new = Expression.of(value).value(self).value
        if location.space:
            self._write(location, new, text)
        else:
            self._poke(location, new, text)
        self._target.changed_by_hand()
        self._registers = None

    def _write(self, location: Location, value: int | bytes, text: str) -> None:
        """A word of program memory is a number, stored lowest byte first; several are their bytes."""
        several = isinstance(self.what_is_at(text).value, bytes)
        data = _bytes(value, location.length, text)
        if load().space_by_name[location.space].is_program:
            if several and isinstance(value, int):
                raise DebugError(f"{text.strip()} takes {location.length} bytes in the order of the memory, no number")
            data = data if several else data[::-1]
        self._target.timeline.write(location.space, location.offset, data)

    def _poke(self, location: Location, value: int | bytes, text: str) -> None:
        old = self.registers()[location.name].value
        if isinstance(old, int):
            if isinstance(value, bytes):
                raise DebugError(f"{text.strip()} holds a number, not {len(value)} bytes")
            self._target.timeline.poke(location.name, value)
            return
        part = _bytes(value, location.length, text)
        self._target.timeline.poke(
            location.name, old[: location.offset] + part + old[location.offset + location.length :]
        )

    # ------------------------------------------------------------------ the command language

    def execute(self, line: str, watcher: Watcher | None = None) -> str:
        """Do one command; what it says, without the end of its last line. Raises EngineError. `quit` sets `over`."""
        return execute(self, line, watcher)

    def complete(self, line: str) -> list[str]:
        """Return the completions of the last word of a line: commands, registers, symbols, files."""
        return complete(self, line)


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
