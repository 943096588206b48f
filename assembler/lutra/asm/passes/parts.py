"""Encode instructions from packed operands: operands of equal text share a tree (`plain`), so each is packed once per
source file and form of instruction."""

from __future__ import annotations

from typing import NamedTuple

from lutra.asm.errors import LineError
from lutra.asm.passes.encode import Encoder
from lutra.asm.passes.kinds import KINDS
from lutra.asm.passes.nodes import Instruction, OperandNode, has_here
from lutra.asm.passes.packing import Packing
from lutra.asm.passes.scope import Scope
from lutra.isa import Insn, Isa, Operand


class _Part(NamedTuple):
    """The addition of an operand to a word: its fields, and the mask of all their bits.

    blocks, modified: a bit for each memory block that it accesses, and for each address register that it modifies.
    """

    bits: int
    mask: int
    blocks: int
    modified: int


class _Form(NamedTuple):
    """An instruction with operands as they are written; parts: those packed so far, by the identity of their trees."""

    insn: Insn
    operands: tuple[tuple[Operand, dict[int, _Part]], ...]


# The forms of a source file, by mnemonic and what each operand is written as; None for one with an error.
_Forms = dict[tuple[str, ...], _Form | None]


class _Known(NamedTuple):
    """The forms of a source file, and words by the identity of instructions, which lines of equal text share."""

    scope: Scope  # kept alive, so that no other has its identity
    forms: _Forms
    words: dict[int, int]


class PartsEncoder:
    """Encodes as `Encoder` does. The trees must live as long as this."""

    def __init__(self, isa: Isa) -> None:
        self._isa = isa
        self._encoder = Encoder(isa)
        self._known: dict[int, _Known] = {}  # by the identity of the scope
        self._written: dict[int, str] = {}  # by the identity of an operand's tree

    def encode(self, node: Instruction, scope: Scope, pc: int) -> int:
        """Return the word of an instruction at program address pc. Raises LineError."""
        known = self._known.get(id(scope))
        if known is None:
            known = self._known[id(scope)] = _Known(scope, {}, {})
        word = known.words.get(id(node))
        if word is None:
            word = self._from_parts(node, scope, known.forms)
            if word is None:
                return self._encoder.encode(node, scope, pc)
            known.words[id(node)] = word
        return word

    def _from_parts(self, node: Instruction, scope: Scope, forms: _Forms) -> int | None:
        """Return the word if all operands can be packed alone and agree; None otherwise, also if there is an error."""
        written = self._written
        shape = [node.mnemonic]
        for operand in node.operands:
            kind = written.get(id(operand))
            if kind is None:
                kind = written[id(operand)] = self._encoder.written(operand)
            shape.append(kind)
        key = tuple(shape)
        if key not in forms:
            forms[key] = self._form(node)
        form = forms[key]
        if form is None:
            return None
        word, mask, blocks, modified = form.insn.match, 0, 0, 0
        for operand, (record, parts) in zip(node.operands, form.operands, strict=True):
            part = parts.get(id(operand))
            if part is None:
                part = self._pack(form.insn, record, operand, scope)
                if part is None:
                    return None
                parts[id(operand)] = part
            # Operands that share a field or a memory are the encoder's, which knows whether they may.
            if part.mask & mask or part.blocks & blocks or part.modified & modified:
                return None
            word |= part.bits
            mask |= part.mask
            blocks |= part.blocks
            modified |= part.modified
        return word

    def _form(self, node: Instruction) -> _Form | None:
        try:
            insn = self._encoder.choose(node)
            self._encoder.check_count(insn, node)
        except LineError:
            return None
        pairs = [operand for operand, _ in self._encoder.matched(insn, node.operands)]
        if len(pairs) != len(node.operands) or not all(KINDS[operand.kind].alone for operand in pairs):
            return None
        return _Form(insn, tuple((operand, {}) for operand in pairs))

    def _pack(self, insn: Insn, operand: Operand, node: OperandNode, scope: Scope) -> _Part | None:
        """Pack an operand alone; None if it depends on the instruction's address or has an error."""
        packing = Packing(insn, scope, 0)
        try:
            if has_here(node):
                return None
            self._encoder.pack(packing, operand, node)
        except (LineError, RecursionError):
            return None
        if len(packing.accesses) > 1:
            return None
        bits = mask = blocks = modified = 0
        for name, number in packing.fields.items():
            field = insn.fields[name]
            bits |= number << field.lsb
            mask |= field.top << field.lsb
        for access in packing.accesses:
            blocks = sum(1 << block for block in set(access.blocks))
            modified = 1 << self._isa.address_register_index[access.modified] if access.modified else 0
        return _Part(bits, mask, blocks, modified)
