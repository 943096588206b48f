"""A machine whose past is kept: every instruction that it has done can be gone back to.

    timeline = Timeline(engine)
    timeline.start(engine.image.entry)
    timeline.run()
    written = timeline.last("v3")
    timeline.seek(written - 1)

**Time** counts the instructions that have retired since the timeline was made, over all runs; one that traps counts
too. At time t instruction t is the last one done. What the host does (write, start, resume, reset, poke) lies between
two retirements: it is recorded, and repeated when its time is passed again, so that the state at time t is that after
all that the host has done there. What it does in the past discards the future.

A **cell** is what instructions touch: a register by its base name (`"v0"`, `"ar3"`, `"ctr"`, `"c0"`, `"flag"`,
`"loops"`, `"calls"`), which is touched where it or a part of it (`ar3.step`) is written; `"notify"`; `(space, offset)`,
the row of 16 bytes of a data memory or table bank that a byte lies in, touched by a store; `("pm", address)`, touched
where the instruction at a program address is executed.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from typing import Any, Literal, TypedDict, cast

from lutra.asm.errors import nearest
from lutra.iss import _iss
from lutra.iss.engine import UNLIMITED, Engine, EngineError
from lutra.iss.fault import Fault, FaultError
from lutra.iss.registers import Register, Registers
from lutra.iss.retire import Record

Cell = str | tuple[str, int]

# Why a run came to an end. `start`: it went back to the beginning. `idle`: nothing was started.
Why = Literal[
    "break", "touch", "depth", "notify", "trap", "halt", "wait", "limit", "divergence", "interrupted", "start", "idle"
]


class Until(TypedDict, total=False):
    """The conditions of `Timeline.run`, for those who pass them on."""

    limit: int | None
    breaks: Collection[int]
    touches: Collection[Cell]
    depth: int | None
    notify: bool


# Told of the present time between two slices of a long run; False ends the run there.
Progress = Callable[[int], bool]

# Records that are made again at a time.
BATCH = 4096
# Depths of calls.
ANY_DEPTH, MOST_DEPTH = -1, 255


class Timeline:
    """A machine whose past is kept. While it is in use the host acts on the machine by it alone.

    engine: any engine whose machine is not running. Raises EngineError where it is, or where its build keeps no past.
    During its lifetime observers of the machine, such as coverage, are detached, since it executes instructions twice.
    It may be used by any thread, by one at a time.
    """

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self._timeline = self._done(engine.backend.timeline)

    # ------------------------------------------------------------------ where

    @property
    def now(self) -> int:
        """The present time."""
        return int(self._timeline.now)

    @property
    def latest(self) -> int:
        """The last time that was reached since the host acted last."""
        return int(self._timeline.latest)

    @property
    def cycle(self) -> int:
        """Cycles of the present run up to now, as `Stop.cycles`."""
        return int(self.engine.backend.cycles)

    @property
    def began(self) -> int:
        """The time at which the present run was started."""
        return int(self._timeline.began)

    @property
    def acted(self) -> int:
        """How often the host has acted up to the present state."""
        return int(self._timeline.acted)

    @property
    def checkpoints(self) -> int:
        """How many states are kept: at most 1024 however long the run, each of 50 to 150 kB."""
        return int(self._timeline.checkpoints)

    @property
    def next_pc(self) -> int | None:
        """Program address of the instruction that retires next, also of one that traps; None unless running."""
        return cast(int | None, self._done(self._timeline.next))

    @property
    def state(self) -> str:
        """`idle`, `running`, `waiting`, `halted` or `trapped`, as `Stop.state`; `engine.stop()` says more."""
        return self.engine.stop().state

    def registers(self) -> Registers:
        """The architectural registers as of the last retirement, also of a core with instructions on their way."""
        return Registers(Register(*value) for value in self._timeline.registers())

    def read(self, space: str, offset: int, length: int) -> bytes:
        """Bytes of a memory as the last retirement left them, with no effect on the run. EngineError beyond it."""
        self._check_fits(space, offset, length)
        return bytes(self._timeline.read(self.engine.space_code(space), offset, length))

    # ------------------------------------------------------------------ moves

    def seek(self, time: int, progress: Progress | None = None, host: bool = True) -> Why | None:
        """Go to a time; beyond `latest` by running on. None if it was reached, else why the machine stopped before.

        host: False for the state that instruction `time` has left, before what the host did there, of a time up to
        `latest`; the next move or action of the host goes on from what the host did. EngineError where the time is
        below zero.
        """
        if time < 0:
            raise EngineError(f"no time before the beginning: {time}")
        self._done(self._timeline.seek, min(time, self.latest), host)
        if self.now == time:
            return None
        why = self.run(limit=time - self.now, progress=progress)
        return None if self.now == time and why == "limit" else why

    def seek_cycle(self, cycle: int, progress: Progress | None = None) -> Why | None:
        """Go to the first time in the present run at which it has used at least so many cycles.

        None if it was reached, else why the run stopped before.
        """
        while (why := self._done(self._timeline.seek_cycle, _clamped(cycle), self._timeline.slice)) == "limit":
            if progress is not None and not progress(self.now):
                return "interrupted"
        return cast(Why | None, why or None)

    def run(
        self,
        limit: int | None = None,
        breaks: Collection[int] = (),
        touches: Collection[Cell] = (),
        depth: int | None = None,
        notify: bool = False,
        progress: Progress | None = None,
    ) -> Why:
        """Run at least one instruction, until one of the given conditions is true.

        limit: so many instructions are done. breaks: an instruction at one of these program addresses is next. touches:
        the instruction just done has touched one of these cells. depth: the call stack has at most so many entries
        after an instruction. notify: the host was notified. A halt, wait or trap ends the run also where the host went
        on from there, as it will have done again. After `divergence`, `engine.check()` raises the report.
        """
        since, left = self.now, _clamped(limit)
        sought = self._sought(breaks, touches, depth, notify)
        while left > 0:
            done = min(left, self._timeline.slice)
            why = cast(Why, self._done(self._timeline.run, done, since, *sought))
            if why != "limit":
                return why
            left -= done
            if left and progress is not None and not progress(self.now):
                return "interrupted"
        return "limit"

    def run_back(
        self,
        limit: int | None = None,
        breaks: Collection[int] = (),
        touches: Collection[Cell] = (),
        depth: int | None = None,
        notify: bool = False,
    ) -> Why:
        """Go back to the last time before now at which `run` would have stopped for these conditions, or to time 0.

        Halts, waits and traps in the past are passed over.
        """
        sought = self._sought(breaks, touches, depth, notify)
        return cast(Why, self._done(self._timeline.run_back, _clamped(limit), *sought))

    def _sought(
        self, breaks: Collection[int], touches: Collection[Cell], depth: int | None, notify: bool
    ) -> tuple[list[int], list[int], int, bool]:
        size = self.engine.isa.size(self.engine.isa.program)
        within = [pc for pc in breaks if 0 <= pc < size]
        most = ANY_DEPTH if depth is None else max(ANY_DEPTH, min(depth, MOST_DEPTH))
        return within, self._numbers(list(touches)), most, notify

    # ------------------------------------------------------------------ what has happened

    def last(self, cells: Cell | Sequence[Cell]) -> int | None:
        """The time of the last instruction up to now that touched one of the cells; None if none did.

        EngineError where a cell does not exist.
        """
        return self._timeline.last(self._numbers(cells)) or None

    def history(self, cells: Cell | Sequence[Cell], count: int) -> list[int]:
        """The times of the last instructions up to now that touched one of the cells, at most `count`, newest first."""
        return list(self._done(self._timeline.history, self._numbers(cells), _clamped(count)))

    def record(self, time: int) -> Record:
        """Record of instruction `time`, from 1 on. One after now is found by looking ahead. EngineError if none is."""
        found = list(self.records(time, time))
        if not found:
            raise EngineError(f"the machine stops before instruction {time}")
        return found[0]

    def records(self, first: int, last: int) -> Iterator[Record]:
        """Records of instructions `first` to `last`, fewer where the machine stops before."""
        if first < 1:
            raise EngineError(f"instructions are counted from 1 on, not {first}")
        last = _clamped(last)
        while first <= last:
            raws = self._done(self._timeline.records, first, min(last, first + BATCH - 1))
            yield from (Record(*raw) for raw in raws)
            first += BATCH
            if len(raws) < BATCH:
                return

    def _numbers(self, cells: Cell | Sequence[Cell]) -> list[int]:
        """The cells as the binding knows them; both banks are two."""
        if isinstance(cells, str):
            return [self._register(cells)]
        if len(cells) == 2 and isinstance(cells[0], str) and isinstance(cells[1], int):
            return self._place(cells[0], cells[1])
        return [number for cell in cast(Sequence[Cell], cells) for number in self._numbers(cell)]

    def _register(self, name: str) -> int:
        found = type(self._timeline).register_cell(name)
        if found is None:
            hint = nearest(name, list(dict.fromkeys(register.base for register in self.registers().values())))
            raise EngineError(f"no register {name}" + (f"; {hint}" if hint else ""))
        return int(found)

    def _place(self, space: str, offset: int) -> list[int]:
        code, isa = self.engine.space_code(space), self.engine.isa
        program = isa.space_by_name[space].is_program
        size = isa.size(isa.program) if program else self.engine.size(space)
        if not 0 <= offset < size:
            raise EngineError(f"{space}@{offset:#x} is beyond {space}, which ends at {size:#x}")
        if program:
            return [type(self._timeline).executed_cell(offset)]
        return list(type(self._timeline).row_cells(code, offset))

    # ------------------------------------------------------------------ the host

    def start(self, entry: int) -> None:
        """Start at a program address. EngineError when the machine is running."""
        if self.state == "running":
            raise EngineError("the machine is running; reset it, or let it come to its end")
        if not 0 <= entry < 2 ** self.engine.isa.machine["AddressBits"]:
            raise EngineError(f"no program address: {entry}")
        self._done(self._timeline.start, entry)

    def resume(self) -> None:
        """Go on after a wait. EngineError when the machine is not waiting."""
        self._done(self._timeline.resume)

    def reset(self) -> None:
        """Clear registers and state; memories keep their contents."""
        self._done(self._timeline.reset)

    def write(self, space: str, offset: int, data: bytes) -> None:
        """Write bytes. EngineError where they do not fit, or where a running machine cannot take them."""
        self.engine.check_open(space)
        self._check_fits(space, offset, len(data))
        self._done(self._timeline.write, self.engine.space_code(space), offset, data)

    def poke(self, register: str, value: int | bytes) -> None:
        """Set a register, by its name in `registers()`. EngineError where the value does not fit, or beyond the iss."""
        if isinstance(value, bytes):
            if len(value) != self.engine.isa.machine["VectorBytes"]:
                raise EngineError(f"a vector has {self.engine.isa.machine['VectorBytes']} bytes, not {len(value)}")
            self._done(self._timeline.poke_vector, register, list(value))
        elif not 0 <= value < 2**64:
            raise EngineError(f"{register} cannot hold {value}")
        else:
            self._done(self._timeline.poke_number, register, value)

    def inject(self, fault: Fault) -> None:
        """Flip bits of a stream context at a cycle that is still to come. EngineError where that cannot be."""
        try:
            codes = fault.codes(self.engine.isa)
        except FaultError as error:
            raise EngineError(str(error)) from None
        self._done(self._timeline.inject, *codes)

    def _check_fits(self, space: str, offset: int, length: int) -> None:
        if length < 0 or not 0 <= offset <= self.engine.size(space) - length:
            raise self.engine.misfit(space, offset, length)

    def _done(self, action: Callable[..., Any], *arguments: Any) -> Any:
        """Return the answer of the binding. Raises an error of the machine as EngineError."""
        try:
            return action(*arguments)
        except _iss.HostError as error:
            raise EngineError(f"engine {self.engine.name}: {error}") from error


def _clamped(number: int | None, most: int = UNLIMITED) -> int:
    """A number as the binding takes it; None is the most."""
    return most if number is None else max(0, min(number, most))
