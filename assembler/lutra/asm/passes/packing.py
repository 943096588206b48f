"""Tools that the kinds of operands use for packing.

Everything but the kinds comes from the tables: the fields that an operand fills, their ranges and places, codes,
spaces, the layout of the slot.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import NoReturn

from lutra.asm.errors import LineError
from lutra.asm.passes import suggest
from lutra.asm.passes.nodes import Expr, Group, Index, Num, OperandNode, Reg, Row, Sum, Sym, show
from lutra.asm.passes.operators import shown
from lutra.asm.passes.scope import Scope
from lutra.isa import Insn, Isa, Operand, Space, VectorName, missing_context, missing_register


def check_range(value: int, low: int, high: int, node: Expr) -> None:
    """Raise LineError unless low <= value <= high."""
    if not low <= value <= high:
        hint = f"legal: {low} to {high}" + (f" (0x{low:x} to 0x{high:x})" if low >= 0 and high > 255 else "")
        raise LineError(f"{shown(value)} is out of range", node.col, node.end, hint)


@dataclass(frozen=True)
class Access:
    """The memory and register that one slot uses."""

    blocks: tuple[int, ...]
    modified: str  # name of the address register that it modifies, or empty
    node: Row


@dataclass
class Packing:
    """An instruction being encoded."""

    insn: Insn
    scope: Scope
    pc: int
    fields: dict[str, int] = field(default_factory=dict)
    accesses: list[Access] = field(default_factory=list)


class Packer:
    """Packs operands of one instruction set. Raises LineError."""

    def __init__(self, isa: Isa) -> None:
        self.isa = isa
        self.row_code = isa.vector("ROW").code
        self.none_code = isa.vector("NONE").code
        self.zero_code = isa.vector("ZERO").code
        self.whitening = isa.vector("WK").name
        self.hold = isa.vector("HOLD").name
        self.count = isa.vector("CTRINC")
        self.moves = {m.record: m.code for m in isa.moves}
        self.row_bytes = isa.machine["VectorBytes"]

    def general(self, packing: Packing, operand: Operand, register: Reg) -> int:
        """Return the code of a numbered vector register."""
        code = self.vector(register, "destination").code
        if code >= self.isa.machine["VectorRegs"]:
            hint = f"needed: {operand.text}"
            raise LineError(f"{register.name} cannot be used here", register.col, register.end, hint)
        return code

    def store_slot(self, packing: Packing, sb: str, ss: str, row: Row) -> None:
        """Pack a row to store to."""
        space = self.space(row, "memory or table", banks=True)
        packing.fields[sb] = space.code
        packing.fields[ss] = self.slot(packing, row, space)
        self.access(packing, row, space.blocks)

    def term(self, packing: Packing, slot: list[str], term: Reg | Row, role: str) -> int:
        """Return the code of a register or of a row, whose access goes to the data slot."""
        if isinstance(term, Reg):
            return self.vector(term, role).code
        self.data_slot(packing, slot, term)
        return self.row_code

    def data_slot(self, packing: Packing, slot: list[str], row: Row) -> None:
        """Pack a row to read; the same row may be read twice."""
        db, ds = slot
        space = self.space(row, "data memory", banks=False)
        value = self.slot(packing, row, space)
        if ds in packing.fields:
            if (packing.fields[db], packing.fields[ds]) == (space.blocks[0], value):
                return  # the same row as both sources is one access
            raise LineError(
                "one slot cannot access two rows",
                row.col,
                row.end,
                "an instruction has one data slot; the same row may be both sources",
            )
        packing.fields[db] = space.blocks[0]
        packing.fields[ds] = value
        self.access(packing, row, space.blocks)

    def program_address(self, packing: Packing, operand: Operand, node: OperandNode) -> int:
        """Return a number that is a program address."""
        value = self.value(packing, operand, node)
        if not isinstance(node, Num | Sum | Group):
            space = packing.scope.space(node)
            if space and space != self.isa.program.name:
                text = f"'{show(node)}' is an address in {space}"
                raise LineError(text, node.col, node.end, f"needed: {operand.text}")
        return value

    def value(self, packing: Packing, operand: Operand, node: OperandNode) -> int:
        """Return a number within the range of its operand."""
        if isinstance(node, Sum | Group):
            self.cannot(operand, node)
        value = packing.scope.value(node, packing.pc)
        check_range(value, operand.low, operand.high, node)
        return value

    # --------------------------------------------------------------------- parts of operands

    def cannot(self, operand: Operand, node: OperandNode | Row) -> NoReturn:
        """Refuse a node that is not an operand of this kind."""
        hint = f"needed: {operand.text}"
        if isinstance(node, Sym) and operand.written not in ("number", "label"):
            known = self.isa.address_registers if operand.written == "address register" else self.isa.vector_by_name
            hint = suggest.register(node.name, known, hint)
            raise LineError(f"'{node.name}' is not a register", node.col, node.end, hint)
        if isinstance(node, Index):
            hint = "memories and tables: " + " ".join(s.name for s in self.isa.spaces if not s.is_program)
            raise LineError(f"'{node.name}' is not a memory or table", node.col, node.col + len(node.name), hint)
        if operand.kind in ("sum", "source") and not isinstance(node, Reg | Row | Sum | Group):
            space = self.isa.memory_by_block[0].name
            text = f"a number cannot be the operand '{operand.name}'"
            hint = f"put a row with it into a memory and use that: {space}[LABEL]"
            raise LineError(text, node.col, node.end, hint)
        raise LineError(f"'{show(node)}' cannot be the operand '{operand.name}'", node.col, node.end, hint)

    def vector(self, register: Reg, role: str) -> VectorName:
        """Return a register that has a role."""
        found = self.isa.vector_by_name.get(register.name)
        if found is None:
            what = "address register " if register.name in self.isa.address_register_index else ""
            text = f"{what}{register.name} cannot be a {role}"
            raise LineError(text, register.col, register.end, "needed: a vector register")
        if absent := missing_register(self.isa, register.name):
            raise LineError(absent[0], register.col, register.end, absent[1], absent=True)
        if not getattr(found, role.replace(" ", "_")):
            legal = [v.name for v in self.isa.vectors if v.name and getattr(v, role.replace(" ", "_"))]
            hint = "legal: " + " ".join(legal)
            raise LineError(f"{register.name} cannot be a {role}", register.col, register.end, hint)
        return found

    def contexts(self, names: Iterable[str], node: OperandNode) -> None:
        """Refuse stream contexts that the configuration does not have."""
        if absent := missing_context(self.isa, names):
            raise LineError(absent[0], node.col, node.end, absent[1], absent=True)

    def space(self, row: Row, what: str, *, banks: bool) -> Space:
        """Return the space of a row, which must be a data memory, or a table if `banks`."""
        found = self.isa.space_by_name.get(row.space)
        if found is None or not (found.blocks or (banks and found.banks)):
            legal = [s.name for s in self.isa.spaces if s.blocks or (banks and s.banks)]
            text = f"{row.space} cannot be accessed here"
            raise LineError(text, row.col, row.col + len(row.space), f"{what}: " + " ".join(legal))
        return found

    def slot(self, packing: Packing, row: Row, *spaces: Space) -> int:
        """Return the bits of a slot."""
        layout = self.isa.slot
        if row.address is None:
            register = self.isa.address_register_index[row.register]
            pattern = self.isa.pattern_by_suffix[row.suffix]
            return layout.register.insert(layout.pattern.insert(0, pattern.code), register)
        node = row.address
        if (
            isinstance(node, Sym)
            and not packing.scope.find(node.name)
            and suggest.resembles_register(node.name, self.isa)
        ):
            hint = "address registers: " + " ".join(self.isa.address_registers)
            raise LineError(f"'{node.name}' is not an address register", node.col, node.end, hint)
        value = packing.scope.value(node, packing.pc)
        rows = min(layout.row.top + 1, *(self.isa.size(s) // self.row_bytes for s in spaces))
        last = (rows - 1) * self.row_bytes
        if not 0 <= value <= last:
            check_range(value, 0, last, node)
        if value % self.row_bytes:
            near = value - value % self.row_bytes
            hint = f"legal: multiples of {self.row_bytes} from 0 to {last}, such as 0x{near:x}"
            raise LineError(f"0x{value:x} is not the address of a row", node.col, node.end, hint)
        if not isinstance(node, Num):
            self.check_space(packing, row, node, spaces)
        return layout.row.insert(1 << layout.row_flag, value // self.row_bytes)

    def check_space(self, packing: Packing, row: Row, node: Expr, spaces: tuple[Space, ...]) -> None:
        """Check that a label is in one of the memories that the row names."""
        of = self.isa.space_by_name.get(packing.scope.space(node))
        if of is None:
            return
        named = {b for s in spaces for b in s.blocks} | {~b for s in spaces for b in s.banks}
        if not named & ({*of.blocks} | {~b for b in of.banks}):
            what = f"'{node.name}'" if isinstance(node, Sym) else f"'{show(node)}'"
            raise LineError(f"{what} is an address in {of.name}, not in {row.space}", node.col, node.end)

    def access(self, packing: Packing, row: Row, blocks: tuple[int, ...]) -> None:
        """Record what a slot uses, for the check that slots do not conflict."""
        modified = ""
        if row.address is None and self.isa.pattern_by_suffix[row.suffix].modifies:
            modified = row.register
        packing.accesses.append(Access(blocks, modified, row))


def single(node: OperandNode) -> Reg | Row | None:
    """Return the register or row of an operand that is a single one."""
    return node.terms[0] if isinstance(node, Sum) and len(node.terms) == 1 else None
