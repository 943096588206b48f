"""Tools that the kinds of operands use for unpacking."""

from __future__ import annotations

from lutra.asm.passes.nodes import Num, Reg, Row, Sum
from lutra.isa import Isa


class NoSyntaxError(Exception):
    """No operand is written with these field values."""


class Unpacker:
    """Unpacks operands of one instruction set. Raises NoSyntaxError."""

    def __init__(self, isa: Isa) -> None:
        self.isa = isa
        self.whitening = isa.vector("WK").name
        self.hold = isa.vector("HOLD").name
        self.count = isa.vector("CTRINC").name
        self.moves = {m.code: m.record for m in isa.moves}
        self.row_code = isa.vector("ROW").code
        self.zero_code = isa.vector("ZERO").code

    def term(self, code: int, slot: list[int]) -> Reg | Row:
        """Return a source or destination by its code, a row by its slot."""
        if code == self.row_code and slot:
            return self.memory_row(*slot)
        vector = self.isa.vector_by_code.get(code)
        if vector is None or not vector.name:
            raise NoSyntaxError
        return Reg(vector.name, 0, 0)

    def memory_row(self, block: int, slot: int) -> Row:
        """A row of a memory block."""
        space = self.isa.memory_by_block.get(block)
        if space is None:
            raise NoSyntaxError
        return self.slot(space.name, slot)

    def space_row(self, code: int, slot: int) -> Row:
        """A row of a memory or table."""
        space = next((s for s in self.isa.spaces if s.code == code and not s.is_program), None)
        if space is None:
            raise NoSyntaxError
        return self.slot(space.name, slot)

    def slot(self, space: str, slot: int) -> Row:
        """A row by the bits of its slot."""
        layout = self.isa.slot
        if slot >> layout.row_flag & 1:
            row = layout.row.of(slot)
            return Row(space, "", "", Num(row * self.isa.machine["VectorBytes"], 0, 0), 0, 0)
        pattern = self.isa.pattern_by_code.get(layout.pattern.of(slot))
        if pattern is None or layout.zero.of(slot):
            raise NoSyntaxError
        register = self.isa.address_registers[layout.register.of(slot)]
        return Row(space, register, pattern.suffix, None, 0, 0)


def sum_of(*terms: Reg | Row) -> Sum:
    """Return the operand for a sum of terms."""
    return Sum(terms, 0, 0)
