"""Who wrote a value, and what it was before."""

from __future__ import annotations

from dataclasses import dataclass

from lutra.asm import Place


@dataclass(frozen=True)
class Write:
    """One instruction that wrote a register, or a part of a row.

    time: before which it is the next instruction, so that `seek(time)` opens it; it has retired at time + 1. cycle: in
    which it retired, of its entry. target: what it wrote, as the user named it. before, after: the values, as text.
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
