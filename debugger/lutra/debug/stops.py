"""Why a move of the debugger ended, and where the machine is then."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from lutra.asm import Place

Kind = Literal[
    "start",  # nothing has retired yet, or going back found nothing before the start
    "step",  # a step, or a jump in time, has come to its end
    "breakpoint",
    "watchpoint",
    "trap",
    "notify",
    "halt",  # of the last run
    "wait",  # the program waits for the host, which resumes only where the job says so
    "limit",  # the cycle limit of a run
    "divergence",  # simulator and core differ in the instruction that comes
    "failed",  # a known answer: the job is over, and its result is wrong
    "interrupt",  # the watcher of the move has asked for it
]
# Told of time and cycle some ten times a second during a long move; False ends the move, with a stop `interrupt`.
Watcher = Callable[[int, int], bool]


@dataclass(frozen=True)
class Stop:
    """Why a move ended.

    text: one line for the user. detail: more lines, such as the report of a divergence, or "". id: number of the
    breakpoint or watchpoint, or None. old, new: what a watched value was and is, as text, else "".
    """

    kind: Kind
    text: str
    id: int | None = None
    old: str = ""
    new: str = ""
    detail: str = ""


@dataclass(frozen=True)
class Where:
    """The position of the machine, between two retirements.

    time: instructions retired since the session began, over all runs. cycle: cycles used since the start of the present
    run, as `lutra run` counts them; 0 before the first instruction. pc: of the instruction that comes next (of the one
    that ended the program, if it is over). state: as the engine names it (`running`, `halted`, `waiting`, `trapped`,
    `idle`). chain: where the next instruction was written, innermost macro first; empty without source lines. label:
    `main+2`, or "". run: number of the present run (entry of a job), from 0. instruction: as assembly.
    """

    time: int
    cycle: int
    pc: int
    state: str
    chain: tuple[Place, ...]
    label: str
    run: int
    instruction: str

    @property
    def place(self) -> Place | None:
        """The innermost file and line, or None."""
        return self.chain[0] if self.chain else None
