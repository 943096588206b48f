"""Encode the syntax tree of an instruction as a word."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from lutra.asm.errors import LineError
from lutra.asm.passes import suggest
from lutra.asm.passes.kinds import KINDS
from lutra.asm.passes.nodes import Group, Instruction, OperandNode, Reg, Sum, show
from lutra.asm.passes.packing import Packer, Packing, single
from lutra.asm.passes.scope import Scope
from lutra.isa import Insn, Isa, Operand, missing


class Encoder:
    """Encodes instructions of one instruction set."""

    def __init__(self, isa: Isa) -> None:
        self._isa = isa
        self._packer = Packer(isa)
        unknown = {o.kind for i in isa.instructions for o in i.operands} - KINDS.keys()
        if unknown:
            raise ValueError(f"operand kinds unknown to the assembler: {', '.join(sorted(unknown))}")

    def encode(self, node: Instruction, scope: Scope, pc: int) -> int:
        """Return the word of an instruction at program address pc. Raises LineError."""
        return self.encode_as(self.choose(node), node, scope, pc)

    def choose(self, node: Instruction) -> Insn:
        """Return the instruction that a text means, by its mnemonic and what its operands are. Raises LineError."""
        found = self._isa.lookup(node.mnemonic)
        if not found:
            if absent := missing(self._isa, node.mnemonic):
                raise LineError(absent[0], node.col, node.end, absent[1], absent=True)
            hint = suggest.instruction(node.mnemonic, self._isa, ())
            raise LineError(f"unknown instruction '{node.mnemonic}'", node.col, node.end, hint)
        return found[0] if len(found) == 1 else self._choose(found, node)

    def encode_as(self, insn: Insn, node: Instruction, scope: Scope, pc: int) -> int:
        """Return the word of an instruction after one of those with this mnemonic is chosen."""
        self.check_count(insn, node)
        packing = Packing(insn, scope, pc)
        for operand, value in self.matched(insn, node.operands):
            self.pack(packing, operand, value)
        if len(packing.accesses) + len(insn.facts.key_blocks) > 1:
            self.check_accesses(packing)
        word = insn.match
        for name, number in packing.fields.items():
            word |= number << insn.fields[name].lsb
        return word

    def pack(self, packing: Packing, operand: Operand, node: OperandNode) -> None:
        """Pack one operand. Raises LineError."""
        KINDS[operand.kind].pack(self._packer, packing, operand, node)

    def check_count(self, insn: Insn, node: Instruction) -> None:
        """Check the number of operands. Raises LineError."""
        given, operands = node.operands, insn.operands
        if not insn.required <= len(given) <= len(operands):
            wants = f"{len(operands)}" if insn.required == len(operands) else f"{insn.required} or {len(operands)}"
            col, end = (node.col, node.end) if len(given) < insn.required else (given[len(operands)].col, given[-1].end)
            raise LineError(
                f"{insn.mnemonic} takes {wants} operand{'s' if wants != '1' else ''}, {len(given)} given",
                col,
                end,
                f"usage: {insn.syntax}",
            )

    def _choose(self, found: tuple[Insn, ...], node: Instruction) -> Insn:
        """Return the instruction whose operand kinds fit, or the first with the right number of operands."""
        same = [i for i in found if i.required <= len(node.operands) <= len(i.operands)]
        for insn in same:
            if all(self._fits(o, n) for o, n in self.matched(insn, node.operands)):
                return insn
        if same and len(same) > 1:
            first = next(n for i, n in enumerate(node.operands) if not any(self._fits(s.operands[i], n) for s in same))
            at = node.operands.index(first)
            wanted = " or ".join(s.operands[at].text for s in same)
            raise LineError(f"'{show(first)}' cannot be used here", first.col, first.end, f"needed: {wanted}")
        return same[0] if same else found[0]

    def matched(self, insn: Insn, given: Sequence[OperandNode]) -> Iterator[tuple[Operand, OperandNode]]:
        """Pair operands with their texts; an optional operand is left out if the text only fits a later one."""
        operands = list(insn.operands)
        for node in given:
            fits = next((i for i, o in enumerate(operands) if self._fits(o, node)), 0)
            if all(o.optional for o in operands[:fits]):
                del operands[:fits]
            if operands:
                yield operands.pop(0), node

    def _fits(self, operand: Operand, node: OperandNode) -> bool:
        written = "number" if operand.written == "label" else operand.written
        return written == self.written(node)

    def written(self, node: OperandNode) -> str:
        """Return as what an operand is written: an address register, a number (also by name) or a value.

        Which instruction a text means depends on nothing else.
        """
        register = single(node)
        if isinstance(register, Reg) and register.name in self._isa.address_register_index:
            return "address register"
        return "value" if isinstance(node, Sum | Group) else "number"

    def check_accesses(self, packing: Packing) -> None:
        """Check that an instruction accesses each memory block and modifies each address register at most once."""
        accesses = packing.accesses
        for i, second in enumerate(accesses):
            for first in accesses[:i]:
                both = set(first.blocks) & set(second.blocks)
                node = second.node if second.node.col > first.node.col else first.node
                texts = f"{show(first.node)} and {show(second.node)}"
                if both:
                    block = self._isa.memory_by_block[min(both)].name
                    hint = "an instruction can access a memory block once, for reading or for writing"
                    raise LineError(f"two accesses to {block}: {texts}", node.col, node.end, hint)
                if first.modified and first.modified == second.modified:
                    hint = "an instruction can modify an address register once"
                    raise LineError(f"{first.modified} is modified twice: {texts}", node.col, node.end, hint)
