"""The fields of a word to the operands that fill them: one method a kind, which `kinds.py` lists."""

from __future__ import annotations

from lutra.asm.syntax import Group, Num, OperandNode, Reg, Row, Sum
from lutra.isa import Insn, Isa, Operand


class NoSyntaxError(Exception):
    """No operand is written with these field values."""


class Unpacker:
    """Unpacks operands of one instruction set. Raises NoSyntaxError."""

    def __init__(self, isa: Isa) -> None:
        self._isa = isa
        self._whitening = isa.vector("WK").name
        self._hold = isa.vector("HOLD").name
        self._count = isa.vector("CTRINC").name
        self._moves = {m.code: m.record for m in isa.moves}
        self._row_code = isa.vector("ROW").code
        self._zero_code = isa.vector("ZERO").code

    def dst(self, insn: Insn, word: int, operand: Operand) -> OperandNode:
        rd, sb, ss = (insn.get(word, name) for name in operand.fields)
        items: list[Sum] = []
        vector = self._isa.vector_by_code.get(rd)
        if vector is None:
            raise NoSyntaxError
        if vector.name:
            items.append(_sum(Reg(vector.name, 0, 0)))
        if ss or sb:
            items.append(_sum(self._space_row(sb, ss)))
        if not items:
            raise NoSyntaxError
        return items[0] if len(items) == 1 else Group(tuple(items), 0, 0)

    def dst_pair(self, insn: Insn, word: int, operand: Operand) -> OperandNode:
        rd, *store = (insn.get(word, name) for name in operand.fields)
        items = [_sum(self._term(code, [])) for code in (rd, rd + 1)]
        if any(store):
            items.append(_sum(self._space_row(*store)))
        return Group(tuple(items), 0, 0)

    def move(self, insn: Insn, word: int, operand: Operand) -> OperandNode:
        mv, rc, db, ds, sb, ss = (insn.get(word, name) for name in operand.fields)
        hold = _sum(Reg(self._hold, 0, 0))
        match self._moves.get(mv):
            case "MoveHoldRow":
                items = (hold, _sum(self._memory_row(db, ds)))
            case "MoveHoldCtr":
                items = (hold, _sum(Reg(self._count, 0, 0)))
            case "MoveStore":
                rows = [self._memory_row(db, ds)] if db or ds else []
                items = (_sum(self._space_row(sb, ss)), _sum(self._term(rc, []), *rows))
            case _:
                raise NoSyntaxError
        return Group(items, 0, 0)

    def store(self, insn: Insn, word: int, operand: Operand) -> OperandNode:
        sb, ss = (insn.get(word, name) for name in operand.fields)
        return _sum(self._space_row(sb, ss))

    def sum(self, insn: Insn, word: int, operand: Operand) -> OperandNode:
        ra, rb, w, *slot = (insn.get(word, name) for name in operand.fields)
        terms = [self._term(ra, slot)]
        if rb != self._zero_code:
            terms.append(self._term(rb, slot))
        if w:
            terms.append(Reg(self._whitening, 0, 0))
        return _sum(*terms)

    def source(self, insn: Insn, word: int, operand: Operand) -> OperandNode:
        code, *slot = (insn.get(word, name) for name in operand.fields)
        return _sum(self._term(code, slot))

    def _term(self, code: int, slot: list[int]) -> Reg | Row:
        if code == self._row_code and slot:
            return self._memory_row(*slot)
        vector = self._isa.vector_by_code.get(code)
        if vector is None or not vector.name:
            raise NoSyntaxError
        return Reg(vector.name, 0, 0)

    def row(self, insn: Insn, word: int, operand: Operand) -> OperandNode:
        db, ds = (insn.get(word, name) for name in operand.fields)
        return _sum(self._memory_row(db, ds))

    def key(self, insn: Insn, word: int, operand: Operand) -> OperandNode:
        name = ":".join(self._isa.memory_by_block[b].name for b in insn.facts.key_blocks)
        return _sum(self._slot(name, insn.get(word, operand.fields[0])))

    def address(self, insn: Insn, word: int, operand: Operand) -> OperandNode:
        codes = {insn.get(word, name) for name in operand.fields}
        if len(codes) != 1:
            raise NoSyntaxError
        return _sum(Reg(self._isa.address_registers[codes.pop()], 0, 0))

    def number(self, insn: Insn, word: int, operand: Operand) -> OperandNode:
        return Num(insn.get(word, operand.fields[0]), 0, 0)

    def loop_end(self, insn: Insn, word: int, operand: Operand) -> OperandNode:
        return Num(insn.get(word, operand.fields[0]) + 1, 0, 0)

    def choice(self, insn: Insn, word: int, operand: Operand) -> OperandNode:
        index = insn.get(word, operand.fields[0])
        if index >= len(operand.choices):
            raise NoSyntaxError
        return Num(operand.choices[index], 0, 0)

    def contexts(self, insn: Insn, word: int, operand: Operand) -> OperandNode:
        mask = insn.get(word, operand.fields[0])
        names = [name for i, name in enumerate(self._isa.stream_contexts) if mask >> i & 1]
        if not names:
            raise NoSyntaxError
        return _sum(Reg(":".join(names), 0, 0))

    def context(self, insn: Insn, word: int, operand: Operand) -> OperandNode:
        return _sum(Reg(self._isa.stream_contexts[insn.get(word, operand.fields[0])], 0, 0))

    # ------------------------------------------------------------------------------ rows

    def _memory_row(self, block: int, slot: int) -> Row:
        space = self._isa.memory_by_block.get(block)
        if space is None:
            raise NoSyntaxError
        return self._slot(space.name, slot)

    def _space_row(self, code: int, slot: int) -> Row:
        space = next((s for s in self._isa.spaces if s.code == code and not s.is_program), None)
        if space is None:
            raise NoSyntaxError
        return self._slot(space.name, slot)

    def _slot(self, space: str, slot: int) -> Row:
        layout = self._isa.slot
        if slot >> layout.row_flag & 1:
            row = layout.row.of(slot)
            return Row(space, "", "", Num(row * self._isa.machine["VectorBytes"], 0, 0), 0, 0)
        pattern = self._isa.pattern_by_code.get(layout.pattern.of(slot))
        if pattern is None or layout.zero.of(slot):
            raise NoSyntaxError
        register = self._isa.address_registers[layout.register.of(slot)]
        return Row(space, register, pattern.suffix, None, 0, 0)


def _sum(*terms: Reg | Row) -> Sum:
    return Sum(terms, 0, 0)
