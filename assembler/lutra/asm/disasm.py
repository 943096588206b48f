"""Instruction words to text that assembles to the same word.

Every candidate is encoded back and compared, so that this module knows no rule of validity: a word
that no text yields is written as `.insn`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache

from lutra.asm.encode import Encoder
from lutra.asm.errors import LineError
from lutra.asm.scope import Scope
from lutra.asm.syntax import Group, Instruction, Num, OperandNode, Reg, Row, Sum, Sym, show
from lutra.isa import Insn, Isa, Operand, load


class _NoSyntaxError(Exception):
    """No operand is written with these field values."""


class Disassembler:
    """Disassembles words of one instruction set."""

    def __init__(self, isa: Isa) -> None:
        self._isa = isa
        self._encoder = Encoder(isa)
        self._whitening = isa.vector("WK").name
        self._hold = isa.vector("HOLD").name
        self._count = isa.vector("CTRINC").name
        self._moves = {m.code: m.record for m in isa.moves}
        self._row_code = isa.vector("ROW").code
        self._zero_code = isa.vector("ZERO").code
        kinds: dict[str, Callable[[Insn, int, Operand], OperandNode]] = {
            "dst": self._dst,
            "dst_pair": self._dst_pair,
            "move": self._move,
            "store": self._store,
            "sum": self._sum,
            "sum_reg": self._sum,
            "src_a": self._source,
            "src_b": self._source,
            "key_pair": self._key,
            "key_0": self._key,
            "key_1": self._key,
            "row": self._row,
            "ar": self._address_register,
            "imm": self._imm,
            "target": self._imm,
            "loop_end": self._loop_end,
            "choice": self._choice,
            "contexts": self._contexts,
            "context": self._context,
        }
        self._kinds = kinds

    def text(self, word: int, pc: int = 0, symbols: Mapping[int, str] | None = None) -> str:
        """The word as a line of assembly."""
        remark = ""
        for insn in self._isa.instructions:
            if word & insn.mask != insn.match:
                continue
            try:
                node = self._decode(insn, word)
                again = self._encoder.encode_as(insn, node, Scope(), pc)
            except (LineError, _NoSyntaxError):
                continue
            written = self._write(insn, node, symbols)
            if again == word:
                return written
            remark = f" // another encoding of: {written}"
        return f".insn 0x{word:016x}{remark}"

    def _decode(self, insn: Insn, word: int) -> Instruction:
        operands: list[OperandNode] = []
        if self._idle_slot(insn, word):
            raise _NoSyntaxError
        for operand in insn.operands:
            if operand.optional and not any(insn.get(word, name) for name in operand.fields):
                continue
            operands.append(self._kinds[operand.kind](insn, word, operand))
        return Instruction(insn.mnemonic, tuple(operands), 0, 0)

    def _idle_slot(self, insn: Insn, word: int) -> bool:
        """Whether bits of the data slot are set though no source reads it."""
        reads = False
        slot = 0
        for operand in insn.operands:
            if operand.kind in ("sum", "src_a", "src_b"):
                codes = 2 if operand.kind == "sum" else 1
                reads |= any(insn.get(word, name) == self._row_code for name in operand.fields[:codes])
                rest = operand.fields[codes + (operand.kind == "sum") :]
                slot |= sum(insn.get(word, name) for name in rest)
        return slot != 0 and not reads

    def _write(self, insn: Insn, node: Instruction, symbols: Mapping[int, str] | None) -> str:
        texts = []
        for operand, value in zip(insn.operands, node.operands, strict=False):
            if symbols and operand.kind in ("target", "loop_end") and isinstance(value, Num):
                name = symbols.get(value.value)
                texts.append(show(Sym(name, 0, 0) if name is not None else value))
            elif isinstance(value, Num) and (operand.choices or operand.high < 256):
                texts.append(str(value.value))
            else:
                texts.append(show(value))
        return f"{node.mnemonic} {', '.join(texts)}".rstrip()

    # ----------------------------------------------------------------------------- kinds

    def _dst(self, insn: Insn, word: int, operand: Operand) -> OperandNode:
        rd, sb, ss = (insn.get(word, name) for name in operand.fields)
        items: list[Sum] = []
        vector = self._isa.vector_by_code.get(rd)
        if vector is None:
            raise _NoSyntaxError
        if vector.name:
            items.append(_sum(Reg(vector.name, 0, 0)))
        if ss or sb:
            items.append(_sum(self._space_row(sb, ss)))
        if not items:
            raise _NoSyntaxError
        return items[0] if len(items) == 1 else Group(tuple(items), 0, 0)

    def _dst_pair(self, insn: Insn, word: int, operand: Operand) -> OperandNode:
        rd, *store = (insn.get(word, name) for name in operand.fields)
        items = [_sum(self._term(code, [])) for code in (rd, rd + 1)]
        if any(store):
            items.append(_sum(self._space_row(*store)))
        return Group(tuple(items), 0, 0)

    def _move(self, insn: Insn, word: int, operand: Operand) -> OperandNode:
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
                raise _NoSyntaxError
        return Group(items, 0, 0)

    def _store(self, insn: Insn, word: int, operand: Operand) -> OperandNode:
        sb, ss = (insn.get(word, name) for name in operand.fields)
        return _sum(self._space_row(sb, ss))

    def _sum(self, insn: Insn, word: int, operand: Operand) -> OperandNode:
        ra, rb, w, *slot = (insn.get(word, name) for name in operand.fields)
        terms = [self._term(ra, slot)]
        if rb != self._zero_code:
            terms.append(self._term(rb, slot))
        if w:
            terms.append(Reg(self._whitening, 0, 0))
        return _sum(*terms)

    def _source(self, insn: Insn, word: int, operand: Operand) -> OperandNode:
        code, *slot = (insn.get(word, name) for name in operand.fields)
        return _sum(self._term(code, slot))

    def _term(self, code: int, slot: list[int]) -> Reg | Row:
        if code == self._row_code and slot:
            return self._memory_row(*slot)
        vector = self._isa.vector_by_code.get(code)
        if vector is None or not vector.name:
            raise _NoSyntaxError
        return Reg(vector.name, 0, 0)

    def _row(self, insn: Insn, word: int, operand: Operand) -> OperandNode:
        db, ds = (insn.get(word, name) for name in operand.fields)
        return _sum(self._memory_row(db, ds))

    def _key(self, insn: Insn, word: int, operand: Operand) -> OperandNode:
        name = ":".join(self._isa.memory_by_block[b].name for b in insn.facts.key_blocks)
        return _sum(self._slot(name, insn.get(word, operand.fields[0])))

    def _address_register(self, insn: Insn, word: int, operand: Operand) -> OperandNode:
        codes = {insn.get(word, name) for name in operand.fields}
        if len(codes) != 1:
            raise _NoSyntaxError
        return _sum(Reg(self._isa.address_registers[codes.pop()], 0, 0))

    def _imm(self, insn: Insn, word: int, operand: Operand) -> OperandNode:
        return Num(insn.get(word, operand.fields[0]), 0, 0)

    def _loop_end(self, insn: Insn, word: int, operand: Operand) -> OperandNode:
        return Num(insn.get(word, operand.fields[0]) + 1, 0, 0)

    def _choice(self, insn: Insn, word: int, operand: Operand) -> OperandNode:
        index = insn.get(word, operand.fields[0])
        if index >= len(operand.choices):
            raise _NoSyntaxError
        return Num(operand.choices[index], 0, 0)

    def _contexts(self, insn: Insn, word: int, operand: Operand) -> OperandNode:
        mask = insn.get(word, operand.fields[0])
        names = [name for i, name in enumerate(self._isa.stream_contexts) if mask >> i & 1]
        if not names:
            raise _NoSyntaxError
        return _sum(Reg(":".join(names), 0, 0))

    def _context(self, insn: Insn, word: int, operand: Operand) -> OperandNode:
        return _sum(Reg(self._isa.stream_contexts[insn.get(word, operand.fields[0])], 0, 0))

    # ------------------------------------------------------------------------------ rows

    def _memory_row(self, block: int, slot: int) -> Row:
        space = self._isa.memory_by_block.get(block)
        if space is None:
            raise _NoSyntaxError
        return self._slot(space.name, slot)

    def _space_row(self, code: int, slot: int) -> Row:
        space = next((s for s in self._isa.spaces if s.code == code and not s.is_program), None)
        if space is None:
            raise _NoSyntaxError
        return self._slot(space.name, slot)

    def _slot(self, space: str, slot: int) -> Row:
        layout = self._isa.slot
        if slot >> layout.row_flag & 1:
            row = layout.row.of(slot)
            return Row(space, "", "", Num(row * self._isa.machine["VectorBytes"], 0, 0), 0, 0)
        pattern = self._isa.pattern_by_code.get(layout.pattern.of(slot))
        if pattern is None or layout.zero.of(slot):
            raise _NoSyntaxError
        register = self._isa.address_registers[layout.register.of(slot)]
        return Row(space, register, pattern.suffix, None, 0, 0)


def _sum(*terms: Reg | Row) -> Sum:
    return Sum(terms, 0, 0)


@lru_cache(maxsize=1)
def _disassembler() -> Disassembler:
    return Disassembler(load())


@lru_cache(maxsize=1 << 12)
def _plain(word: int, pc: int) -> str:
    return _disassembler().text(word, pc)


def disassemble(word: int, pc: int | None = None, symbols: Mapping[int, str] | None = None) -> str:
    """The word as a line of assembly, `.insn 0x...` if it is not an instruction as the assembler writes it.

    `pc` is the word's address (0 if not given), which only the check of a loop's end needs.
    `symbols` maps program addresses to labels (`Image.labels("pm")`), shown as targets.
    """
    if symbols:
        return _disassembler().text(word, pc or 0, symbols)
    return _plain(word, pc or 0)
