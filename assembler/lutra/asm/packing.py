"""Operands to the fields that they fill: one method a kind, which `kinds.py` lists.

Everything but the kinds comes from the tables: which fields an operand fills and what they may hold, where they lie,
codes, spaces, the slot's layout.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NoReturn

from lutra.asm.errors import LineError, nearest
from lutra.asm.scope import Scope
from lutra.asm.syntax import Expr, Group, Num, OperandNode, Reg, Row, Sum, Sym, show
from lutra.isa import Insn, Isa, Operand, Space, VectorName


def check_range(value: int, low: int, high: int, node: Expr) -> None:
    """Raise LineError unless low <= value <= high."""
    if not low <= value <= high:
        text = f"{value}" if abs(value) < 1 << 64 else "the value"
        hint = f"legal: {low} to {high}" + (f" (0x{low:x} to 0x{high:x})" if low >= 0 and high > 255 else "")
        raise LineError(f"{text} is out of range", node.col, node.end, hint)


@dataclass(frozen=True)
class Access:
    """What one slot touches."""

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
        self._isa = isa
        self._row_code = isa.vector("ROW").code
        self._none_code = isa.vector("NONE").code
        self._zero_code = isa.vector("ZERO").code
        self._whitening = isa.vector("WK").name
        self._hold = isa.vector("HOLD").name
        self._count = isa.vector("CTRINC")
        self._moves = {m.record: m.code for m in isa.moves}
        self._row_bytes = isa.machine["VectorBytes"]

    def dst(self, packing: Packing, operand: Operand, node: OperandNode) -> None:
        items = node.items if isinstance(node, Group) else (node,)
        parts = [single(i) for i in items]
        registers = [p for p in parts if isinstance(p, Reg)]
        rows = [p for p in parts if isinstance(p, Row)]
        if len(registers) + len(rows) != len(parts) or len(registers) > 1 or len(rows) > 1:
            self._cannot(operand, node)
        rd, sb, ss = operand.fields
        packing.fields[rd] = self._vector(registers[0], "destination").code if registers else self._none_code
        if rows:
            self._store_slot(packing, sb, ss, rows[0])

    def dst_pair(self, packing: Packing, operand: Operand, node: OperandNode) -> None:
        parts = [single(i) for i in node.items] if isinstance(node, Group) else []
        first, second, *rows = parts if len(parts) > 1 else [None, None]
        rd, *store = operand.fields
        if not isinstance(first, Reg) or not isinstance(second, Reg) or len(rows) > (1 if store else 0):
            self._cannot(operand, node)
        codes = [self._general(packing, operand, r) for r in (first, second)]
        if codes[0] not in packing.insn.facts.holds(rd).codes or codes[1] != codes[0] + 1:
            text = f"{first.name} and {second.name} are no pair"
            raise LineError(text, first.col, second.end, f"needed: {operand.text}")
        packing.fields[rd] = codes[0]
        if rows:
            row = rows[0]
            if not isinstance(row, Row):
                self._cannot(operand, node)
            self._store_slot(packing, store[0], store[1], row)

    def _general(self, packing: Packing, operand: Operand, register: Reg) -> int:
        """Code of one of the vector registers with a number."""
        code = self._vector(register, "destination").code
        if code >= self._isa.machine["VectorRegs"]:
            raise LineError(f"{register.name} cannot stand here", register.col, register.end, f"needed: {operand.text}")
        return code

    def move(self, packing: Packing, operand: Operand, node: OperandNode) -> None:
        if not isinstance(node, Group) or len(node.items) != 2:
            self._cannot(operand, node)
        mv, rc, db, ds, sb, ss = operand.fields
        to, terms = single(node.items[0]), node.items[1].terms
        if isinstance(to, Reg) and to.name == self._hold and len(terms) == 1:
            if isinstance(terms[0], Row):
                packing.fields[mv] = self._moves["MoveHoldRow"]
                self._data_slot(packing, [db, ds], terms[0])
                return
            if terms[0].name == self._count.name:
                if packing.fields.get("ra") == self._count.code:
                    text = f"{self._count.name} twice in one instruction"
                    raise LineError(text, terms[0].col, terms[0].end, "it can be read once")
                packing.fields[mv] = self._moves["MoveHoldCtr"]
                return
        registers = [t for t in terms if isinstance(t, Reg)]
        rows = [t for t in terms if isinstance(t, Row)]
        if not isinstance(to, Row) or len(registers) != 1 or len(rows) > 1:
            self._cannot(operand, node)
        packing.fields[mv] = self._moves["MoveStore"]
        packing.fields[rc] = self._general(packing, operand, registers[0])
        self._store_slot(packing, sb, ss, to)
        if rows:
            self._data_slot(packing, [db, ds], rows[0])

    def store(self, packing: Packing, operand: Operand, node: OperandNode) -> None:
        row = single(node)
        if not isinstance(row, Row):
            self._cannot(operand, node)
        sb, ss = operand.fields
        self._store_slot(packing, sb, ss, row)

    def _store_slot(self, packing: Packing, sb: str, ss: str, row: Row) -> None:
        space = self._space(row, "memory or table", banks=True)
        packing.fields[sb] = space.code
        packing.fields[ss] = self._slot(packing, row, space)
        self._access(packing, row, space.blocks)

    def sum(self, packing: Packing, operand: Operand, node: OperandNode) -> None:
        if not isinstance(node, Sum):
            self._cannot(operand, node)
        ra, rb, w, *slot = operand.fields
        rows = [t for t in node.terms if isinstance(t, Row)]
        registers = [t for t in node.terms if isinstance(t, Reg)]
        if rows and not slot:
            self._cannot(operand, rows[0])
        if len(rows) > 1:
            raise LineError("two memory rows in one sum", rows[1].col, rows[1].end, "an instruction has one data slot")
        whitening = [t for t in registers if t.name == self._whitening]
        if len(whitening) > 1:
            text = f"{self._whitening} twice in one sum"
            raise LineError(text, whitening[1].col, whitening[1].end, "it can be added once")
        if whitening and len(node.terms) > 1:
            packing.fields[w] = 1
            registers = [t for t in registers if t.name != self._whitening]
        sources: list[Reg | Row] = [*registers, *rows]
        if len(sources) > 2:
            third = max(sources, key=lambda t: t.col)
            hint = f"a sum has two sources, and {self._whitening}"
            raise LineError("too many terms in the sum", third.col, third.end, hint)
        # A code that only the first source has (a counter's increment) goes there.
        if len(sources) == 2 and isinstance(sources[1], Reg):
            second = self._vector(sources[1], "source")
            if not second.second_source and isinstance(sources[0], Reg):
                if not self._vector(sources[0], "source").second_source:
                    text = f"{second.name} twice in one sum"
                    raise LineError(text, sources[1].col, sources[1].end, "it can be read once an instruction")
                sources.reverse()
        packing.fields[ra] = self._term(packing, slot, sources[0], "source")
        packing.fields[rb] = (
            self._term(packing, slot, sources[1], "second source") if len(sources) == 2 else self._zero_code
        )

    def source(self, packing: Packing, operand: Operand, node: OperandNode) -> None:
        term = single(node)
        if isinstance(node, Sum) and len(node.terms) > 1:
            raise LineError("a sum cannot stand here", node.col, node.end, f"needed: {operand.text}")
        if term is None:
            self._cannot(operand, node)
        register, *slot = operand.fields
        role = "source" if register == "ra" else "second source"
        if isinstance(term, Row) and not slot:
            self._cannot(operand, term)
        packing.fields[register] = self._term(packing, slot, term, role)

    def _term(self, packing: Packing, slot: list[str], term: Reg | Row, role: str) -> int:
        """Code of a register or of the row, whose access goes to the data slot."""
        if isinstance(term, Reg):
            return self._vector(term, role).code
        self._data_slot(packing, slot, term)
        return self._row_code

    def _data_slot(self, packing: Packing, slot: list[str], row: Row) -> None:
        db, ds = slot
        space = self._space(row, "data memory", banks=False)
        value = self._slot(packing, row, space)
        if ds in packing.fields:
            if (packing.fields[db], packing.fields[ds]) == (space.blocks[0], value):
                return  # the same row as both sources is one access
            raise LineError(
                "two accesses by one slot: the two rows differ",
                row.col,
                row.end,
                "an instruction has one data slot; the same row may be both sources",
            )
        packing.fields[db] = space.blocks[0]
        packing.fields[ds] = value
        self._access(packing, row, space.blocks)

    def row(self, packing: Packing, operand: Operand, node: OperandNode) -> None:
        row = single(node)
        if not isinstance(row, Row):
            self._cannot(operand, node)
        self._data_slot(packing, list(operand.fields), row)

    def key(self, packing: Packing, operand: Operand, node: OperandNode) -> None:
        row = single(node)
        if not isinstance(row, Row):
            self._cannot(operand, node)
        spaces = [self._isa.memory_by_block[b] for b in packing.insn.facts.key_blocks]
        name = ":".join(s.name for s in spaces)
        if row.space != name:
            raise LineError(
                f"the key is read from {name}, not {row.space}", row.col, row.col + len(row.space), operand.text
            )
        packing.fields[operand.fields[0]] = self._slot(packing, row, *spaces)
        self._access(packing, row, packing.insn.facts.key_blocks)

    def address(self, packing: Packing, operand: Operand, node: OperandNode) -> None:
        register = single(node)
        code = self._isa.address_register_index.get(register.name) if isinstance(register, Reg) else None
        if code is None:
            self._cannot(operand, node)
        for name in operand.fields:
            packing.fields[name] = code

    def number(self, packing: Packing, operand: Operand, node: OperandNode) -> None:
        name = operand.fields[0]
        value = self._value(packing, operand, node)
        packing.fields[name] = value & packing.insn.fields[name].top

    def contexts(self, packing: Packing, operand: Operand, node: OperandNode) -> None:
        """One bit a context."""
        register = single(node)
        names = register.name.split(":") if isinstance(register, Reg) else []
        known = self._isa.stream_contexts
        if not names or names != [n for n in known if n in names]:
            self._cannot(operand, node)
        packing.fields[operand.fields[0]] = sum(1 << known.index(n) for n in names)

    def context(self, packing: Packing, operand: Operand, node: OperandNode) -> None:
        register = single(node)
        if not isinstance(register, Reg) or register.name not in self._isa.stream_contexts:
            self._cannot(operand, node)
        packing.fields[operand.fields[0]] = self._isa.stream_contexts.index(register.name)

    def target(self, packing: Packing, operand: Operand, node: OperandNode) -> None:
        packing.fields[operand.fields[0]] = self._program_address(packing, operand, node)

    def loop_end(self, packing: Packing, operand: Operand, node: OperandNode) -> None:
        """Written: the label behind the body. Encoded: the address of the body's last instruction."""
        behind = self._program_address(packing, operand, node)
        if behind - 1 <= packing.pc:
            raise LineError(
                "the loop's body is empty, or ends before it begins",
                node.col,
                node.end,
                f"needed: {operand.text}; here at least {packing.pc + 2}",
            )
        packing.fields[operand.fields[0]] = behind - 1

    def _program_address(self, packing: Packing, operand: Operand, node: OperandNode) -> int:
        value = self._value(packing, operand, node)
        if not isinstance(node, Num | Sum | Group):
            space = packing.scope.space(node)
            if space and space != self._isa.program.name:
                text = f"'{show(node)}' is an address in {space}"
                raise LineError(text, node.col, node.end, f"needed: {operand.text}")
        return value

    def choice(self, packing: Packing, operand: Operand, node: OperandNode) -> None:
        if isinstance(node, Sum | Group):
            self._cannot(operand, node)
        value = packing.scope.value(node, packing.pc)
        if value not in operand.choices:
            legal = ", ".join(str(c) for c in operand.choices)
            raise LineError(f"{value} is not possible", node.col, node.end, f"legal: {legal}")
        packing.fields[operand.fields[0]] = operand.choices.index(value)

    def _value(self, packing: Packing, operand: Operand, node: OperandNode) -> int:
        if isinstance(node, Sum | Group):
            self._cannot(operand, node)
        value = packing.scope.value(node, packing.pc)
        check_range(value, operand.low, operand.high, node)
        return value

    # --------------------------------------------------------------------- parts of operands

    def _cannot(self, operand: Operand, node: OperandNode | Row) -> NoReturn:
        hint = f"needed: {operand.text}"
        if isinstance(node, Sym) and operand.written not in ("number", "label"):
            known = self._isa.address_registers if operand.written == "address register" else self._isa.vector_by_name
            raise LineError(f"'{node.name}' is no register", node.col, node.end, nearest(node.name, known, hint))
        raise LineError(f"'{show(node)}' cannot be {operand.name}", node.col, node.end, hint)

    def _vector(self, register: Reg, role: str) -> VectorName:
        found = self._isa.vector_by_name.get(register.name)
        if found is None:
            what = "address register " if register.name in self._isa.address_register_index else ""
            text = f"{what}{register.name} cannot be a {role}"
            raise LineError(text, register.col, register.end, "needed: a vector register")
        if not getattr(found, role.replace(" ", "_")):
            legal = [v.name for v in self._isa.vectors if v.name and getattr(v, role.replace(" ", "_"))]
            hint = "legal: " + " ".join(legal)
            raise LineError(f"{register.name} cannot be a {role}", register.col, register.end, hint)
        return found

    def _space(self, row: Row, what: str, *, banks: bool) -> Space:
        found = self._isa.space_by_name.get(row.space)
        if found is None or not (found.blocks or (banks and found.banks)):
            legal = [s.name for s in self._isa.spaces if s.blocks or (banks and s.banks)]
            text = f"{row.space} cannot be accessed here"
            raise LineError(text, row.col, row.col + len(row.space), f"{what}: " + " ".join(legal))
        return found

    def _slot(self, packing: Packing, row: Row, *spaces: Space) -> int:
        layout = self._isa.slot
        if row.address is None:
            register = self._isa.address_register_index[row.register]
            pattern = self._isa.pattern_by_suffix[row.suffix]
            return layout.register.put(layout.pattern.put(0, pattern.code), register)
        node = row.address
        value = packing.scope.value(node, packing.pc)
        rows = min(layout.row.top + 1, *(self._isa.size(s) // self._row_bytes for s in spaces))
        last = (rows - 1) * self._row_bytes
        if not 0 <= value <= last:
            check_range(value, 0, last, node)
        if value % self._row_bytes:
            near = value - value % self._row_bytes
            hint = f"legal: multiples of {self._row_bytes} from 0 to {last}, such as 0x{near:x}"
            raise LineError(f"0x{value:x} is not the address of a row", node.col, node.end, hint)
        if not isinstance(node, Num):
            self._check_space(packing, row, node, spaces)
        return layout.row.put(1 << layout.row_flag, value // self._row_bytes)

    def _check_space(self, packing: Packing, row: Row, node: Expr, spaces: tuple[Space, ...]) -> None:
        """A label must lie in one of the memories that the row names."""
        of = self._isa.space_by_name.get(packing.scope.space(node))
        if of is None:
            return
        named = {b for s in spaces for b in s.blocks} | {~b for s in spaces for b in s.banks}
        if not named & ({*of.blocks} | {~b for b in of.banks}):
            what = f"'{node.name}'" if isinstance(node, Sym) else f"'{show(node)}'"
            raise LineError(f"{what} is an address in {of.name}, not in {row.space}", node.col, node.end)

    def _access(self, packing: Packing, row: Row, blocks: tuple[int, ...]) -> None:
        modified = ""
        if row.address is None and self._isa.pattern_by_suffix[row.suffix].modifies:
            modified = row.register
        packing.accesses.append(Access(blocks, modified, row))


def single(node: OperandNode) -> Reg | Row | None:
    """The register or row that an operand is, if it is one."""
    return node.terms[0] if isinstance(node, Sum) and len(node.terms) == 1 else None
