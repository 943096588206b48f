"""The SystemVerilog package of constants and types: rows of `lutra_isa_pkg.sv.j2`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from isagen.description import Block, Function, Insn
from isagen.emit_blocks import PORTS, kind_name, kind_type
from isagen.emit_struct import bits, sv_rows
from isagen.model import Isa
from isagen.records import Space
from isagen.text import camel, render


class Enum(NamedTuple):
    """An enumeration: its type, its labels with their codes, and the bits of a code."""

    name: str
    rows: list[tuple[str, int]]
    width: int


class Member(NamedTuple):
    """A member of the struct of a vector instruction's fields, and what it is in an instruction word."""

    name: str
    type: str
    value: str


# Members of the fields' struct: name, type, field, conversion.
FIELDS = (
    *((name, "vector_e", name, "vector_e'") for name in ("ra", "rb", "rd")),
    *((name, "slot_t", f"{name}s", "decode_slot") for name in ("k", "d", "s")),
    ("d_block", "block_t", "db", ""),
    ("s_space", "space_e", "sb", "space_e'"),
    ("mv", "move_e", "mv", "move_e'"),
    ("rc", "vreg_t", "rc", ""),
)


def files(isa: Isa) -> dict[str, str]:
    """Name -> text of the package."""
    return {"lutra_isa_pkg.sv": package(isa)}


def package(isa: Isa) -> str:
    """Constants, enumerations and the control word."""
    beside = isa.besides("h")
    return render(
        "lutra_isa_pkg.sv",
        machine=isa.machine,
        configuration=isa.configuration,
        extensions=isa.extensions,
        bubbles=isa.bubbles,
        entry=isa.entry,
        immediate_bits=_immediate_bits(isa),
        stages=isa.stages,
        stalls=_enum("stall_e", [(f"Stall{camel(s.name)}", s.code) for s in isa.stalls]),
        enums=list(_enums(isa)),
        beside=beside,
        beside_bits=max(row.code for row in beside).bit_length(),
        blocks_of=list(_occupied((s, s.blocks) for s in isa.spaces)),
        banks_of=list(_occupied((s, s.banks) for s in isa.spaces)),
        slot=isa.slot,
        no_delta=next(d.record for d in isa.deltas if d.code == 0),
        no_wrap=next(w.record for w in isa.wraps if w.code == 0),
        patterns=_patterns(isa),
        members=list(_members(isa)),
        blocks=[(kind_type(isa, b.kind), b.record.lower()) for b in isa.blocks.values()],
        ports=[port_name(block, port) for block, port in _ports(isa)],
        control_blocks=isa.control_blocks,
        key_blocks=[f"(ctl.k{block}_en ? blocks_t'({1 << block}) : '0)" for block in sorted(isa.key_rows())],
        hashing=[f"Res{camel(f.symbol)}" for f in isa.endpoint_functions.values() if f.hashes],
        retire_bits=bits(isa.record.fields),
        retire=sv_rows(isa.record.fields),
    )


def port_sides(block: Block, port: str) -> tuple[str, ...]:
    """The side operands that a port of a block can take."""
    return block.port_y if port == "y" else block.port_z


def port_name(block: Block, port: str) -> str:
    """The member of the control word that chooses what enters a port; its type likewise."""
    return f"{block.record.lower()}_{port}"


def _immediate_bits(isa: Isa) -> int:
    """Width of the widest immediate that a vector instruction's path takes."""

    def width(insn: Insn) -> int:
        field = insn.field("n")
        return field.width if field and isa.is_vector(insn) and isa.named(insn, "n") else 0

    return max(map(width, isa.described))


def _enum(name: str, rows: list[tuple[str, int]], width: int | None = None) -> Enum:
    """Bits: as many as the codes need, unless a field of the word has more."""
    return Enum(name, rows, width or max(1, max(code for _, code in rows).bit_length()))


def _enums(isa: Isa) -> Iterator[Enum]:
    fields = isa.places(vector=True)
    yield _enum("space_e", [(f"Space{s.record}", s.code) for s in isa.spaces], fields["sb"].width)
    yield _enum("trap_e", [("TrapNone", 0), *((t.record, t.code) for t in isa.traps)])
    yield _enum("state_e", [(s.record, s.code) for s in isa.states])
    yield _enum("width_e", [(f"Width{bits}", code) for bits, code in isa.widths])
    yield _enum("vector_e", [(f"Vec{v.record}", v.code) for v in isa.vectors], fields["rd"].width)
    yield _enum("move_e", [(m.record, m.code) for m in isa.moves])
    yield _enum("delta_e", [(d.record, d.code) for d in isa.deltas])
    yield _enum("wrap_e", [(w.record, w.code) for w in isa.wraps])
    for k in isa.kinds:
        yield _enum(kind_type(isa, k.record), _kind_rows(isa, k.record))
    for end in ("SRC", "RES"):
        yield _enum(f"{end.lower()}_fn_e", _functions(isa.endpoint_functions, end))
    for control in isa.control_blocks:
        yield _enum(f"{control.name}_fn_e", _functions(isa.control_functions, control.record))
    for block, port in _ports(isa):
        name = port_name(block, port)
        labels = ("None", *port_sides(block, port))
        yield _enum(f"{name}_e", [(f"{camel(name)}{label}", code) for code, label in enumerate(labels)])
    yield _enum("stream_row_e", [(f"Stream{r.record}", r.code) for r in isa.stream_rows])


def _kind_rows(isa: Isa, kind: str) -> list[tuple[str, int]]:
    """The functions of a kind; code 0 passes where no function has it."""
    name = kind_name(isa, kind)
    rows = [(f"{name}{f.record}", f.code) for f in isa.functions.values() if f.kind == kind]
    return rows if any(code == 0 for _, code in rows) else [(f"{name}Pass", 0), *rows]


def _functions(table: dict[str, Function], block: str) -> list[tuple[str, int]]:
    return [(camel(block.lower()) + camel(f.symbol), f.code) for f in table.values() if f.kind == block]


def _ports(isa: Isa) -> list[tuple[Block, str]]:
    """Return the ports that anything can enter."""
    return [(b, port) for b in isa.blocks.values() for port in PORTS if port_sides(b, port)]


def _occupied(spaces: Iterable[tuple[Space, tuple[int, ...]]]) -> Iterator[tuple[str, int]]:
    """Return the spaces that occupy anything, with what they occupy as a mask."""
    for space, places in spaces:
        if places:
            yield f"Space{space.record}", sum(1 << n for n in places)


def _patterns(isa: Isa) -> list[tuple[int, str, str]]:
    """Code, delta and wrap of each addressing pattern."""
    delta = {d.name: d.record for d in isa.deltas}
    wrap = {w.name: w.record for w in isa.wraps}
    return [(p.code, delta[p.delta], wrap[p.wrap]) for p in isa.patterns]


def _members(isa: Isa) -> Iterator[Member]:
    """Yield the fields of the vector formats, each at its place in every one of them."""
    places = isa.places(vector=True)
    for name, kind, field, convert in FIELDS:
        value = f"insn[{places[field].msb}:{places[field].lsb}]"
        yield Member(name, kind, f"{convert}({value})" if convert else value)
