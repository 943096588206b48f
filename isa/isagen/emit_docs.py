"""The ISA reference: rows of `isa-reference.md.j2`, for every table and every instruction."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from isagen import emit_hazards, emit_retire, emit_state
from isagen.description import Insn
from isagen.formula import general, line
from isagen.model import Isa
from isagen.records import Named
from isagen.text import render

Row = list[str]


class Entry(NamedTuple):
    """An instruction. runs: the bits of each run of the word; contents: its constant or its field."""

    anchor: str
    usage: str
    record: str
    summary: str
    details: str
    loc: str
    extension: str
    runs: Row
    contents: Row
    operands: list[Row]
    path: list[Row]


class Group(NamedTuple):
    """A group of instructions: its list, and its entries."""

    title: str
    rows: list[Row]
    insns: list[Entry]


def files(isa: Isa) -> dict[str, str]:
    """Name -> text."""
    return {"isa-reference.md": reference(isa)}


def reference(isa: Isa) -> str:
    """The whole page."""
    register = isa.register_files["AddressRegister"].prefix
    first, last = isa.opcodes_outside
    taken = {*isa.reserved, *(i.opcode for i in isa.described)}
    return render(
        "isa-reference.md",
        version=isa.version,
        extensions=_extensions(isa),
        configuration=isa.configuration,
        absent=_mnemonics(i for i in isa.described if i.record not in {k.record for k in isa.insns}),
        sizes=[[k, f"{v:#x}" if k == "ElfMachine" else str(v)] for k, v in isa.machine.items()],
        free=_ranges([code for code in range(first) if code not in taken]),
        outside=[f"{first:#04x}", f"{last:#04x}"],
        vectors=_vectors(isa),
        spaces=[[str(s.code), _code(s.name), s.text] for s in isa.spaces],
        stream_rows=[[str(r.code), _code(r.name), r.text] for r in isa.stream_rows],
        beside=_beside(isa),
        words_parts=[[f"{p.code:#04x}", _code(p.name), p.text] for p in isa.words_parts],
        traps=[[str(t.code), t.name, t.text, _code(t.shown), ", ".join(t.yields_to)] for t in isa.traps],
        states=[[str(s.code), s.name, s.text] for s in isa.states],
        slot=isa.slot,
        patterns=[[str(p.code), _code(f"{register}{p.suffix}"), p.text] for p in isa.patterns],
        blocks=_blocks(isa),
        ways=[[w.name, ", ".join(w.beside), ", ".join(w.functions), w.text] for w in isa.ways],
        functions=_functions(isa),
        sides=[[s.record, s.text] for s in isa.sides.values()],
        early=_mnemonics(i for i in isa.insns if isa.facts[i.record].early),
        hazards=emit_hazards.reference(isa),
        transfer=isa.transfer,
        bubbles=isa.bubbles,
        retirement=emit_retire.rows(isa),
        state=emit_state.rows(isa),
        groups=[_group(isa, group) for group in isa.groups if isa.members(group)],
    )


def _ranges(codes: list[int]) -> str:
    """Codes in ascending order, neighbours joined."""
    ends = [c for c in codes if c + 1 not in codes]
    starts = [c for c in codes if c - 1 not in codes]
    pairs = zip(starts, ends, strict=True)
    return ", ".join(f"{a:#04x}" if a == b else f"{a:#04x} to {b:#04x}" for a, b in pairs)


def _code(text: str) -> str:
    return f"`{text}`" if text else ""


def _mnemonics(insns: Iterable[Insn]) -> Row:
    return list(dict.fromkeys(_code(i.mnemonic) for i in insns))


def _extensions(isa: Isa) -> list[Row]:
    """Return the extensions with all their instructions, also those that a partial configuration leaves out."""
    rows = []
    for e in isa.extensions:
        own = _mnemonics(i for i in isa.described if i.extension == e.record)
        having = ", ".join(c.name for c in isa.ready if e.name in c.extensions)
        rows.append([e.name, "; needs ".join([e.text, *e.needs]), " ".join(own), having])
    return rows


def _vectors(isa: Isa) -> list[Row]:
    return [
        [
            str(v.code),
            _code(v.name),
            *("yes" if used else "" for used in (v.source, v.second_source, v.destination)),
            v.text,
        ]
        for v in isa.vectors
    ]


def _beside(isa: Isa) -> list[Row]:
    """Return the effects of the hash unit, those of the field with the most of them first."""
    rows = sorted(isa.hash_beside, key=lambda b: (-len(isa.besides(b.field)), b.code))
    return [[b.field, str(b.code), _code(b.name), _code(b.text)] for b in rows]


def _blocks(isa: Isa) -> list[Row]:
    return [
        [
            b.record,
            next(k.text for k in isa.kinds if k.record == b.kind),
            str(b.half) if b.half else "before the tables",
            ", ".join(b.functions),
            ", ".join(b.port_y),
            ", ".join(b.port_z),
        ]
        for b in isa.blocks.values()
    ]


def _functions(isa: Isa) -> list[Row]:
    functions = isa.functions | isa.endpoint_functions | isa.control_functions
    return [[f.record, f.kind, _code(general(f)), f.remark, _users(isa, f.record)] for f in functions.values()]


def _users(isa: Isa, function: str) -> str:
    """The extensions of a function: those of the instructions that name it; none of what is done by default."""
    using = [i for i in isa.described if any(s.function == function for s in i.path)]
    records = {e for i in using for e in (i.extension, *i.also)}
    return ", ".join(e.name for e in isa.extensions if e.record in records)


def _group(isa: Isa, group: Named) -> Group:
    insns = isa.members(group)
    rows = [[f"[`{i.mnemonic}`](#{_anchor(i)})", _operands(i), i.summary] for i in insns]
    return Group(group.text, rows, [_entry(isa, i) for i in insns])


def _anchor(insn: Insn) -> str:
    return insn.record.lower()


def _operands(insn: Insn) -> str:
    return ", ".join(f"[{o.name}]" if o.optional else o.name for o in insn.operands)


def _entry(isa: Isa, insn: Insn) -> Entry:
    names = {e.record: e.name for e in isa.extensions}
    runs, contents = zip(*_diagram(isa, insn), strict=True)
    steps = [line(isa, insn, step) for step in insn.path]
    return Entry(
        anchor=_anchor(insn),
        usage=f"{insn.mnemonic} {_operands(insn)}".rstrip(),
        record=insn.record,
        summary=insn.summary,
        details=insn.details,
        loc=insn.loc,
        extension=" and ".join(names[record] for record in (insn.extension, *insn.also)),
        runs=list(runs),
        contents=list(contents),
        operands=[
            [
                f"`{o.name}`" + (" (optional)" if o.optional else ""),
                o.text + (f" ({o.low}..{o.high})" if o.high else ""),
                ", ".join(o.fields),
            ]
            for o in insn.operands
        ],
        path=[[s.block, s.function, _code(s.formula), s.remark] for s in steps],
    )


def _diagram(isa: Isa, insn: Insn) -> list[tuple[str, str]]:
    """Runs of the word from the most significant bit: constants in hexadecimal, fields by name."""
    fields = {f.msb: f for f in insn.fields}
    bit = isa.machine["InsnBits"] - 1
    rows = []
    while bit >= 0:
        field = fields.get(bit)
        low = field.lsb if field else bit
        # A constant ends where the opcode does.
        while field is None and low > 0 and (insn.mask >> (low - 1)) & 1 and low != isa.opcode.lsb:
            low -= 1
        value = (insn.match >> low) & ((1 << (bit - low + 1)) - 1)
        rows.append((f"{bit}:{low}" if bit != low else f"{bit}", f"`{field.name}`" if field else f"{value:#x}"))
        bit = low - 1
    return rows
