"""Disassemble instruction words to text that assembles to the same word.

Every candidate is encoded again and compared, so this module needs no rules of validity: a word
that no text yields is written as `.insn`.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from lutra.asm.errors import LineError
from lutra.asm.passes.encode import Encoder
from lutra.asm.passes.kinds import KINDS
from lutra.asm.passes.nodes import Group, Instruction, Num, OperandNode, Reg, Row, Sum, Sym, show
from lutra.asm.passes.scope import Scope
from lutra.asm.passes.unpacking import NoSyntaxError, Unpacker
from lutra.isa import Insn, Isa, load


class Disassembler:
    """Disassembles words of one instruction set."""

    def __init__(self, isa: Isa) -> None:
        self._isa = isa
        self._encoder = Encoder(isa)
        self._unpacker = Unpacker(isa)
        self._row_code = isa.vector("ROW").code

    def text(
        self,
        word: int,
        pc: int = 0,
        symbols: Mapping[int, str] | None = None,
        rows: Mapping[str, Mapping[int, str]] | None = None,
    ) -> str:
        """Return the word as a line of assembly."""
        remark = ""
        for insn in self._isa.instructions:
            if word & insn.mask != insn.match:
                continue
            try:
                node = self._decode(insn, word)
                again = self._encoder.encode_as(insn, node, Scope(), pc)
            except (LineError, NoSyntaxError):
                continue
            written = self._write(insn, node, symbols or {}, rows or {})
            if again == word:
                return written
            remark = f" // another encoding of: {written}"
        return f".insn 0x{word:016x}{remark}"

    def _decode(self, insn: Insn, word: int) -> Instruction:
        operands: list[OperandNode] = []
        if self._idle_slot(insn, word):
            raise NoSyntaxError
        for operand in insn.operands:
            if operand.optional and not any(insn.get(word, name) for name in operand.fields):
                continue
            operands.append(KINDS[operand.kind].unpack(self._unpacker, insn, word, operand))
        return Instruction(insn.mnemonic, tuple(operands), 0, 0)

    def _idle_slot(self, insn: Insn, word: int) -> bool:
        """Whether bits of the data slot are set although no source reads it."""
        if insn.facts.data != "source":
            return False
        slot = insn.get(word, "ds") or insn.get(word, "db")
        return bool(slot) and not any(insn.get(word, s.field) == self._row_code for s in insn.facts.sources)

    def _write(
        self, insn: Insn, node: Instruction, symbols: Mapping[int, str], rows: Mapping[str, Mapping[int, str]]
    ) -> str:
        texts = []
        for operand, value in zip(insn.operands, node.operands, strict=False):
            if operand.written == "label" and isinstance(value, Num):
                texts.append(show(_named(value, symbols)))
            elif isinstance(value, Num) and (operand.choices or operand.high < 256):
                texts.append(str(value.value))
            else:
                texts.append(show(_with_names(value, rows)))
        return f"{node.mnemonic} {', '.join(texts)}".rstrip()


def _named(address: Num, names: Mapping[int, str]) -> Num | Sym:
    name = names.get(address.value)
    return address if name is None else Sym(name, 0, 0)


def _with_names(node: OperandNode, rows: Mapping[str, Mapping[int, str]]) -> OperandNode:
    """Replace the addresses of rows in an operand by names."""
    if isinstance(node, Group):
        return node._replace(items=tuple(_sum_with_names(item, rows) for item in node.items))
    return _sum_with_names(node, rows) if isinstance(node, Sum) else node


def _sum_with_names(node: Sum, rows: Mapping[str, Mapping[int, str]]) -> Sum:
    return node._replace(terms=tuple(_row_with_name(term, rows) for term in node.terms))


def _row_with_name(term: Reg | Row, rows: Mapping[str, Mapping[int, str]]) -> Reg | Row:
    if not isinstance(term, Row) or not isinstance(term.address, Num):
        return term
    return term._replace(address=_named(term.address, rows.get(term.space, {})))


@lru_cache(maxsize=1)
def _disassembler() -> Disassembler:
    return Disassembler(load())


@lru_cache(maxsize=1 << 12)
def _plain(word: int, pc: int) -> str:
    return _disassembler().text(word, pc)


def disassemble(
    word: int,
    pc: int | None = None,
    symbols: Mapping[int, str] | None = None,
    rows: Mapping[str, Mapping[int, str]] | None = None,
) -> str:
    """Return the word as a line of assembly, `.insn 0x...` if the assembler has no text for it.

    `pc` is the address of the word (default 0), which only the check of a loop's end needs.
    `symbols` maps program addresses to labels (`Image.labels("pm")`), shown as targets; `rows` does so with the byte
    addresses of each space, shown in rows.
    """
    if symbols or rows:
        return _disassembler().text(word, pc or 0, symbols, rows)
    return _plain(word, pc or 0)
