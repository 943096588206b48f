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
from typing import Literal

from lutra.iss.engine import Engine
from lutra.iss.registers import Registers
from lutra.iss.retire import Record

Cell = str | tuple[str, int]

# Why a run came to an end. `start`: it went back to the beginning. `idle`: nothing was started.
Why = Literal[
    "break", "touch", "depth", "notify", "trap", "halt", "wait", "limit", "divergence", "interrupted", "start", "idle"
]

# Told of the present time between two slices of a long run; False ends the run there.
Progress = Callable[[int], bool]


class Timeline:
    """A machine whose past is kept. While it is in use the host acts on the machine by it alone.

    engine: any engine whose machine is not running. Raises EngineError where it is, or where its build keeps no past.
    """

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        raise NotImplementedError

    # ------------------------------------------------------------------ where

    @property
    def now(self) -> int:
        """The present time."""
        raise NotImplementedError

    @property
    def latest(self) -> int:
        """The last time that was reached since the host acted last."""
        raise NotImplementedError

    @property
    def cycle(self) -> int:
        """Cycles of the present run up to now, as `Stop.cycles`."""
        raise NotImplementedError

    @property
    def began(self) -> int:
        """The time at which the present run was started."""
        raise NotImplementedError

    @property
    def next_pc(self) -> int | None:
        """Program address of the instruction that retires next, also of one that traps; None unless running."""
        raise NotImplementedError

    @property
    def state(self) -> str:
        """`idle`, `running`, `waiting`, `halted` or `trapped`, as `Stop.state`; `engine.stop()` says more."""
        raise NotImplementedError

    def registers(self) -> Registers:
        """The architectural registers as of the last retirement, also of a core with instructions on their way."""
        raise NotImplementedError

    def read(self, space: str, offset: int, length: int) -> bytes:
        """Bytes of a memory as the last retirement left them, with no effect on the run. EngineError beyond it."""
        raise NotImplementedError

    # ------------------------------------------------------------------ moves

    def seek(self, time: int, progress: Progress | None = None) -> Why | None:
        """Go to a time; beyond `latest` by running on. None if it was reached, else why the machine stopped before.

        EngineError where the time is below zero.
        """
        raise NotImplementedError

    def seek_cycle(self, cycle: int, progress: Progress | None = None) -> Why | None:
        """Go to the first time in the present run at which it has used at least so many cycles."""
        raise NotImplementedError

    def run(
        self,
        limit: int | None = None,
        breaks: Collection[int] = (),
        touches: Collection[Cell] = (),
        depth: int | None = None,
        notify: bool = False,
        progress: Progress | None = None,
    ) -> Why:
        """Run on, by at least one instruction, until something of what is given happens.

        limit: so many instructions are done. breaks: an instruction at one of these program addresses is next. touches:
        the instruction just done has touched one of these cells. depth: the call stack has at most so many entries
        after an instruction. notify: the host was notified. A halt, wait or trap ends the run also where the host went
        on from there, as it will have done again.
        """
        raise NotImplementedError

    def run_back(
        self,
        limit: int | None = None,
        breaks: Collection[int] = (),
        touches: Collection[Cell] = (),
        depth: int | None = None,
        notify: bool = False,
    ) -> Why:
        """Go back to the last time before now at which `run` would have stopped, or to time 0."""
        raise NotImplementedError

    # ------------------------------------------------------------------ what has happened

    def last(self, cells: Cell | Sequence[Cell]) -> int | None:
        """The time of the last instruction up to now that touched one of the cells; None if none did."""
        raise NotImplementedError

    def history(self, cells: Cell | Sequence[Cell], count: int) -> list[int]:
        """The times of the last instructions up to now that touched one of the cells, at most `count`, newest first."""
        raise NotImplementedError

    def record(self, time: int) -> Record:
        """What instruction `time` did, from 1 on. One after now is found by looking ahead. EngineError if none is."""
        raise NotImplementedError

    def records(self, first: int, last: int) -> Iterator[Record]:
        """What instructions `first` to `last` did, fewer where the machine stops before."""
        raise NotImplementedError

    # ------------------------------------------------------------------ the host

    def start(self, entry: int) -> None:
        """Start at a program address. EngineError when the machine is running."""
        raise NotImplementedError

    def resume(self) -> None:
        """Go on after a wait. EngineError when the machine is not waiting."""
        raise NotImplementedError

    def reset(self) -> None:
        """Clear registers and state; memories keep their contents."""
        raise NotImplementedError

    def write(self, space: str, offset: int, data: bytes) -> None:
        """Write bytes. EngineError where they do not fit, or where a running machine cannot take them."""
        raise NotImplementedError

    def poke(self, register: str, value: int | bytes) -> None:
        """Set a register, by its name in `registers()`. EngineError where the value does not fit, or beyond the iss."""
        raise NotImplementedError
