"""Kinds of operands of `isa/operands.td`: pack each into its fields, and unpack it.

Packing raises LineError, unpacking NoSyntaxError. Everything but the kinds comes from the tables: which fields an
operand fills, their ranges and places, codes, spaces, the layout of the slot.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

from lutra.asm.errors import LineError
from lutra.asm.passes.nodes import Group, Num, OperandNode, Reg, Row, Sum
from lutra.asm.passes.operators import shown
from lutra.asm.passes.packing import Packer, Packing, single
from lutra.asm.passes.unpacking import NoSyntaxError, Unpacker, sum_of
from lutra.isa import Insn, Operand


def pack_dst(p: Packer, packing: Packing, operand: Operand, node: OperandNode) -> None:
    items = node.items if isinstance(node, Group) else (node,)
    parts = [single(i) for i in items]
    registers = [part for part in parts if isinstance(part, Reg)]
    rows = [part for part in parts if isinstance(part, Row)]
    if len(registers) + len(rows) != len(parts) or len(registers) > 1 or len(rows) > 1:
        p.cannot(operand, node)
    rd, sb, ss = operand.fields
    packing.fields[rd] = p.vector(registers[0], "destination").code if registers else p.none_code
    if rows:
        p.store_slot(packing, sb, ss, rows[0])


def unpack_dst(u: Unpacker, insn: Insn, word: int, operand: Operand) -> OperandNode:
    rd, sb, ss = (insn.get(word, name) for name in operand.fields)
    items: list[Sum] = []
    vector = u.isa.vector_by_code.get(rd)
    if vector is None:
        raise NoSyntaxError
    if vector.name:
        items.append(sum_of(Reg(vector.name, 0, 0)))
    if ss or sb:
        items.append(sum_of(u.space_row(sb, ss)))
    if not items:
        raise NoSyntaxError
    return items[0] if len(items) == 1 else Group(tuple(items), 0, 0)


def pack_register(p: Packer, packing: Packing, operand: Operand, node: OperandNode) -> None:
    register = single(node)
    if not isinstance(register, Reg):
        p.cannot(operand, node)
    packing.fields[operand.fields[0]] = p.vector(register, "destination").code


def unpack_register(u: Unpacker, insn: Insn, word: int, operand: Operand) -> OperandNode:
    return sum_of(u.term(insn.get(word, operand.fields[0]), []))


def pack_third(p: Packer, packing: Packing, operand: Operand, node: OperandNode) -> None:
    register = single(node)
    if not isinstance(register, Reg):
        p.cannot(operand, node)
    packing.fields[operand.fields[0]] = p.general(packing, operand, register)


def pack_dst_pair(p: Packer, packing: Packing, operand: Operand, node: OperandNode) -> None:
    parts = [single(i) for i in node.items] if isinstance(node, Group) else []
    first, second, *rows = parts if len(parts) > 1 else [None, None]
    rd, *store = operand.fields
    if not isinstance(first, Reg) or not isinstance(second, Reg) or len(rows) > (1 if store else 0):
        p.cannot(operand, node)
    codes = [p.general(packing, operand, r) for r in (first, second)]
    if codes[0] not in packing.insn.facts.holds(rd).codes or codes[1] != codes[0] + 1:
        text = f"{first.name} and {second.name} are not a pair"
        raise LineError(text, first.col, second.end, f"needed: {operand.text}")
    packing.fields[rd] = codes[0]
    if rows:
        row = rows[0]
        if not isinstance(row, Row):
            p.cannot(operand, node)
        p.store_slot(packing, store[0], store[1], row)


def unpack_dst_pair(u: Unpacker, insn: Insn, word: int, operand: Operand) -> OperandNode:
    rd, *store = (insn.get(word, name) for name in operand.fields)
    items = [sum_of(u.term(code, [])) for code in (rd, rd + 1)]
    if any(store):
        items.append(sum_of(u.space_row(*store)))
    return Group(tuple(items), 0, 0)


def pack_move(p: Packer, packing: Packing, operand: Operand, node: OperandNode) -> None:
    if not isinstance(node, Group) or len(node.items) != 2:
        p.cannot(operand, node)
    mv, rc, db, ds, sb, ss = operand.fields
    to, terms = single(node.items[0]), node.items[1].terms
    if isinstance(to, Reg) and to.name == p.hold and len(terms) == 1:
        if isinstance(terms[0], Row):
            packing.fields[mv] = p.moves["MoveHoldRow"]
            p.data_slot(packing, [db, ds], terms[0])
            return
        if terms[0].name == p.count.name:
            if packing.fields.get("ra") == p.count.code:
                text = f"{p.count.name} is used twice in one instruction"
                raise LineError(text, terms[0].col, terms[0].end, "an instruction can read it once")
            packing.fields[mv] = p.moves["MoveHoldCtr"]
            return
    registers = [t for t in terms if isinstance(t, Reg)]
    rows = [t for t in terms if isinstance(t, Row)]
    if not isinstance(to, Row) or len(registers) != 1 or len(rows) > 1:
        p.cannot(operand, node)
    packing.fields[mv] = p.moves["MoveStore"]
    packing.fields[rc] = p.general(packing, operand, registers[0])
    p.store_slot(packing, sb, ss, to)
    if rows:
        p.data_slot(packing, [db, ds], rows[0])


def unpack_move(u: Unpacker, insn: Insn, word: int, operand: Operand) -> OperandNode:
    mv, rc, db, ds, sb, ss = (insn.get(word, name) for name in operand.fields)
    hold = sum_of(Reg(u.hold, 0, 0))
    match u.moves.get(mv):
        case "MoveHoldRow":
            items = (hold, sum_of(u.memory_row(db, ds)))
        case "MoveHoldCtr":
            items = (hold, sum_of(Reg(u.count, 0, 0)))
        case "MoveStore":
            rows = [u.memory_row(db, ds)] if db or ds else []
            items = (sum_of(u.space_row(sb, ss)), sum_of(u.term(rc, []), *rows))
        case _:
            raise NoSyntaxError
    return Group(items, 0, 0)


def pack_store(p: Packer, packing: Packing, operand: Operand, node: OperandNode) -> None:
    row = single(node)
    if not isinstance(row, Row):
        p.cannot(operand, node)
    sb, ss = operand.fields
    p.store_slot(packing, sb, ss, row)


def unpack_store(u: Unpacker, insn: Insn, word: int, operand: Operand) -> OperandNode:
    sb, ss = (insn.get(word, name) for name in operand.fields)
    return sum_of(u.space_row(sb, ss))


def pack_sum(p: Packer, packing: Packing, operand: Operand, node: OperandNode) -> None:
    if not isinstance(node, Sum):
        p.cannot(operand, node)
    ra, rb, w, *slot = operand.fields
    rows = [t for t in node.terms if isinstance(t, Row)]
    registers = [t for t in node.terms if isinstance(t, Reg)]
    if rows and not slot:
        p.cannot(operand, rows[0])
    if len(rows) > 1:
        raise LineError("the sum has two memory rows", rows[1].col, rows[1].end, "an instruction has one data slot")
    whitening = [t for t in registers if t.name == p.whitening]
    if len(whitening) > 1:
        text = f"{p.whitening} is used twice in one sum"
        raise LineError(text, whitening[1].col, whitening[1].end, "it can be added once")
    if whitening and len(node.terms) > 1:
        packing.fields[w] = 1
        registers = [t for t in registers if t.name != p.whitening]
    sources: list[Reg | Row] = [*registers, *rows]
    if len(sources) > 2:
        third = max(sources, key=lambda t: t.col)
        hint = f"a sum has two sources, and {p.whitening}"
        raise LineError("too many terms in the sum", third.col, third.end, hint)
    # A code that only the first source has (increment of a counter) goes there.
    if len(sources) == 2 and isinstance(sources[1], Reg):
        second = p.vector(sources[1], "source")
        if not second.second_source and isinstance(sources[0], Reg):
            if not p.vector(sources[0], "source").second_source:
                text = f"{second.name} is used twice in one sum"
                raise LineError(text, sources[1].col, sources[1].end, "an instruction can read it once")
            sources.reverse()
    packing.fields[ra] = p.term(packing, slot, sources[0], "source")
    packing.fields[rb] = p.term(packing, slot, sources[1], "second source") if len(sources) == 2 else p.zero_code


def unpack_sum(u: Unpacker, insn: Insn, word: int, operand: Operand) -> OperandNode:
    ra, rb, w, *slot = (insn.get(word, name) for name in operand.fields)
    terms = [u.term(ra, slot)]
    if rb != u.zero_code:
        terms.append(u.term(rb, slot))
    if w:
        terms.append(Reg(u.whitening, 0, 0))
    return sum_of(*terms)


def pack_source(p: Packer, packing: Packing, operand: Operand, node: OperandNode) -> None:
    term = single(node)
    if isinstance(node, Sum) and len(node.terms) > 1:
        raise LineError("a sum cannot be used here", node.col, node.end, f"needed: {operand.text}")
    if term is None:
        p.cannot(operand, node)
    register, *slot = operand.fields
    role = "source" if register == "ra" else "second source"
    if isinstance(term, Row) and not slot:
        p.cannot(operand, term)
    packing.fields[register] = p.term(packing, slot, term, role)


def unpack_source(u: Unpacker, insn: Insn, word: int, operand: Operand) -> OperandNode:
    code, *slot = (insn.get(word, name) for name in operand.fields)
    return sum_of(u.term(code, slot))


def pack_key(p: Packer, packing: Packing, operand: Operand, node: OperandNode) -> None:
    row = single(node)
    if not isinstance(row, Row):
        p.cannot(operand, node)
    spaces = [p.isa.memory_by_block[b] for b in packing.insn.facts.key_blocks]
    name = ":".join(s.name for s in spaces)
    if row.space != name:
        raise LineError(
            f"the key is read from {name}, not {row.space}", row.col, row.col + len(row.space), operand.text
        )
    packing.fields[operand.fields[0]] = p.slot(packing, row, *spaces)
    p.access(packing, row, packing.insn.facts.key_blocks)


def unpack_key(u: Unpacker, insn: Insn, word: int, operand: Operand) -> OperandNode:
    name = ":".join(u.isa.memory_by_block[b].name for b in insn.facts.key_blocks)
    return sum_of(u.slot(name, insn.get(word, operand.fields[0])))


def pack_row(p: Packer, packing: Packing, operand: Operand, node: OperandNode) -> None:
    row = single(node)
    if not isinstance(row, Row):
        p.cannot(operand, node)
    p.data_slot(packing, list(operand.fields), row)


def unpack_row(u: Unpacker, insn: Insn, word: int, operand: Operand) -> OperandNode:
    db, ds = (insn.get(word, name) for name in operand.fields)
    return sum_of(u.memory_row(db, ds))


def pack_contexts(p: Packer, packing: Packing, operand: Operand, node: OperandNode) -> None:
    """One bit per context."""
    register = single(node)
    names = register.name.split(":") if isinstance(register, Reg) else []
    known = p.isa.stream_contexts
    if not names or names != [n for n in known if n in names]:
        p.cannot(operand, node)
    p.contexts(names, node)
    packing.fields[operand.fields[0]] = sum(1 << known.index(n) for n in names)


def unpack_contexts(u: Unpacker, insn: Insn, word: int, operand: Operand) -> OperandNode:
    mask = insn.get(word, operand.fields[0])
    names = [name for i, name in enumerate(u.isa.stream_contexts) if mask >> i & 1]
    if not names:
        raise NoSyntaxError
    return sum_of(Reg(":".join(names), 0, 0))


def pack_context(p: Packer, packing: Packing, operand: Operand, node: OperandNode) -> None:
    register = single(node)
    if not isinstance(register, Reg) or register.name not in p.isa.stream_contexts:
        p.cannot(operand, node)
    p.contexts([register.name], node)
    packing.fields[operand.fields[0]] = p.isa.stream_contexts.index(register.name)


def unpack_context(u: Unpacker, insn: Insn, word: int, operand: Operand) -> OperandNode:
    return sum_of(Reg(u.isa.stream_contexts[insn.get(word, operand.fields[0])], 0, 0))


# ------------------------------------------------------------------------------ rows


def pack_address(p: Packer, packing: Packing, operand: Operand, node: OperandNode) -> None:
    register = single(node)
    code = p.isa.address_register_index.get(register.name) if isinstance(register, Reg) else None
    if code is None:
        p.cannot(operand, node)
    for name in operand.fields:
        packing.fields[name] = code


def unpack_address(u: Unpacker, insn: Insn, word: int, operand: Operand) -> OperandNode:
    codes = {insn.get(word, name) for name in operand.fields}
    if len(codes) != 1:
        raise NoSyntaxError
    return sum_of(Reg(u.isa.address_registers[codes.pop()], 0, 0))


def pack_number(p: Packer, packing: Packing, operand: Operand, node: OperandNode) -> None:
    name = operand.fields[0]
    value = p.value(packing, operand, node)
    packing.fields[name] = operand.base + value & packing.insn.fields[name].top


def unpack_number(u: Unpacker, insn: Insn, word: int, operand: Operand) -> OperandNode:
    return Num(insn.get(word, operand.fields[0]) - operand.base, 0, 0)


def pack_choice(p: Packer, packing: Packing, operand: Operand, node: OperandNode) -> None:
    if isinstance(node, Sum | Group):
        p.cannot(operand, node)
    value = packing.scope.value(node, packing.pc)
    if value not in operand.choices:
        legal = ", ".join(str(c) for c in operand.choices)
        raise LineError(f"{shown(value)} is not possible", node.col, node.end, f"legal: {legal}")
    packing.fields[operand.fields[0]] = operand.choices.index(value)


def unpack_choice(u: Unpacker, insn: Insn, word: int, operand: Operand) -> OperandNode:
    index = insn.get(word, operand.fields[0])
    if index >= len(operand.choices):
        raise NoSyntaxError
    return Num(operand.choices[index], 0, 0)


def pack_target(p: Packer, packing: Packing, operand: Operand, node: OperandNode) -> None:
    packing.fields[operand.fields[0]] = p.program_address(packing, operand, node)


def pack_loop_end(p: Packer, packing: Packing, operand: Operand, node: OperandNode) -> None:
    """Written: the label after the body. Encoded: the address of the last instruction of the body."""
    after = p.program_address(packing, operand, node)
    if after - 1 <= packing.pc:
        raise LineError(
            "the loop's body is empty or ends before it begins",
            node.col,
            node.end,
            f"needed: {operand.text}; here at least {packing.pc + 2}",
        )
    packing.fields[operand.fields[0]] = after - 1


def unpack_loop_end(u: Unpacker, insn: Insn, word: int, operand: Operand) -> OperandNode:
    return Num(insn.get(word, operand.fields[0]) + 1, 0, 0)


class Kind(NamedTuple):
    """Packing and unpacking of one kind.

    alone: the packing depends on nothing but the operand's text and names, so not on the operands before it and not on
    the instruction's address, unless `.` is in the text.
    """

    pack: Callable[[Packer, Packing, Operand, OperandNode], None]
    unpack: Callable[[Unpacker, Insn, int, Operand], OperandNode]
    alone: bool = True


KINDS: Mapping[str, Kind] = {
    "dst": Kind(pack_dst, unpack_dst),
    "register": Kind(pack_register, unpack_register),
    "third": Kind(pack_third, unpack_register),
    "dst_pair": Kind(pack_dst_pair, unpack_dst_pair),
    "move": Kind(pack_move, unpack_move, alone=False),
    "store": Kind(pack_store, unpack_store),
    "sum": Kind(pack_sum, unpack_sum),
    "source": Kind(pack_source, unpack_source),
    "key": Kind(pack_key, unpack_key),
    "row": Kind(pack_row, unpack_row),
    "contexts": Kind(pack_contexts, unpack_contexts),
    "context": Kind(pack_context, unpack_context),
    "address": Kind(pack_address, unpack_address),
    "number": Kind(pack_number, unpack_number),
    "choice": Kind(pack_choice, unpack_choice),
    "target": Kind(pack_target, unpack_number),
    "loop_end": Kind(pack_loop_end, unpack_loop_end, alone=False),
}
