"""What is open at an instruction: macro expansions, loops and calls, innermost first."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from lutra.asm import Place


@dataclass(frozen=True)
class Frame:
    """One level.

    kind: `macro`, `loop`, `call` or `entry`, the last of which is the outermost. name: of the macro, of the routine
    (its label), or `repeat 256`. place: the line that is current in this level, None without source lines. pc: address
    of the next instruction in this level; of a call, where it returns to. done, left: passes of a loop that are over,
    and those that remain after the present one; 0 for all others, and done is -1 where it is not known.
    """

    kind: Literal["macro", "loop", "call", "entry"]
    name: str
    place: Place | None
    pc: int
    done: int = 0
    left: int = 0
