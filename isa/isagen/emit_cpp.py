"""The C++ header of the instruction set: rows of `lutra_isa.hpp.j2`, constants, enumerations and decode table."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from isagen.description import Function, Insn
from isagen.model import Isa
from isagen.records import Contents, InsnFacts, Space
from isagen.text import camel, render

# The fields that every vector instruction has at one place, those of a move, and numbers, which lie by instruction.
FIXED_FIELDS = ("rd", "ra", "rb", "w", "ks", "db", "ds", "sb", "ss")
MOVE_FIELDS = ("mv", "rc")
NUMBER_FIELDS = ("ad", "as", "n", "e", "c", "o", "h", "g")
# Initial values of members by their type; of all others zero.
INITIAL = {"bool": " = false", "Codes": " = 0xffff"}

Codes = list[tuple[str, int]]  # labels with their codes


class Member(NamedTuple):
    """A member of the C++ struct `Encoding` that is a fact of the instruction."""

    type: str
    name: str
    text: str
    value: Callable[[InsnFacts], object]

    @property
    def initial(self) -> str:
        """Its initialiser in the struct."""
        return INITIAL.get(self.type, "{}")


class PatternInfo(NamedTuple):
    """An addressing pattern: what it adds, where it wraps, its suffix."""

    delta: str
    wrap: str
    suffix: str


def files(isa: Isa) -> dict[str, str]:
    """Name -> text of the header."""
    return {"lutra_isa.hpp": header(isa)}


def header(isa: Isa) -> str:
    """Constants, enumerations, decode table."""
    fields = isa.places(vector=True)
    return render(
        "lutra_isa.hpp",
        machine=isa.machine,
        bubbles=isa.bubbles,
        entry=isa.entry,
        configuration=isa.configuration,
        vector_codes=max(v.code for v in isa.vectors) + 1,
        enums=dict(_enums(isa)),
        stall_causes=len(isa.stalls),
        counter_bytes=[bits // 8 for bits, _ in isa.widths],
        distances=[[h.distance(rounds) for h in isa.hazards] for rounds in (1, 2)],
        retire=next(s for s in isa.stages if s.record == "StageWB"),
        stages=isa.stages,
        space_blocks=_by_code(isa, lambda s: s.blocks),
        space_banks=_by_code(isa, lambda s: s.banks),
        slot=isa.slot,
        patterns=_patterns(isa),
        conditions=_conditions(isa),
        fields=[fields[name] for name in (*FIXED_FIELDS, *MOVE_FIELDS)],
        members=MEMBERS,
        numbers=NUMBER_FIELDS,
        encodings=[list(_encoding(isa, insn)) for insn in isa.insns],
    )


def _enums(isa: Isa) -> Iterator[tuple[str, Codes]]:
    yield "Op", [("Illegal", 0), *((i.record, n) for n, i in enumerate(isa.insns, 1))]
    yield "Trap", [("None", 0), *((t.record.removeprefix("Trap"), t.code) for t in isa.traps)]
    yield "CoreState", [(s.record.removeprefix("State"), s.code) for s in isa.states]
    yield "Space", [(s.record, s.code) for s in isa.spaces]
    yield "VecCode", [(v.record, v.code) for v in isa.vectors]
    yield "SideMove", [(m.record.removeprefix("Move"), m.code) for m in isa.moves]
    yield "HashBeside", [(r.record.removeprefix("Beside"), r.code) for r in isa.besides("h")]
    yield "StreamRow", [(r.record.removeprefix("Row"), r.code) for r in isa.stream_rows]
    yield "Delta", [(d.record.removeprefix("Delta"), d.code) for d in isa.deltas]
    yield "Wrap", [(w.record.removeprefix("Wrap"), w.code) for w in isa.wraps]
    for end in ("SRC", "RES"):
        yield camel(end.lower()), _functions(isa.endpoint_functions, end)
    for block in isa.control_blocks:
        yield camel(block.name), _functions(isa.control_functions, block.record)
    yield "Stall", [(camel(s.name), s.code) for s in isa.stalls]


def _functions(table: dict[str, Function], block: str) -> Codes:
    return [(camel(f.symbol), f.code) for f in table.values() if f.kind == block]


def _mask(codes: Iterable[int]) -> int:
    return sum(1 << c for c in codes)


def _by_code(isa: Isa, occupied: Callable[[Space], tuple[int, ...]]) -> list[int]:
    """Return what spaces occupy as masks, by code."""
    masks = {s.code: _mask(occupied(s)) for s in isa.spaces}
    return [masks.get(code, 0) for code in range(max(masks) + 1)]


def _patterns(isa: Isa) -> list[PatternInfo | None]:
    """Return the patterns by code."""
    deltas = {d.name: d.record.removeprefix("Delta") for d in isa.deltas}
    wraps = {w.name: w.record.removeprefix("Wrap") for w in isa.wraps}
    known = {p.code: PatternInfo(deltas[p.delta], wraps[p.wrap], p.suffix or "ar") for p in isa.patterns}
    return [known.get(code) for code in range(1 << isa.slot.pattern.width)]


def _conditions(isa: Isa) -> list[tuple[str, str]]:
    """Return the conditions of transfers with the C++ expression that says whether each holds."""
    conditions = (f for f in isa.control_functions.values() if f.kind == "CC")
    return [(camel(f.symbol), f.formula.removeprefix("taken = ") or "true") for f in conditions]


def _takes(field: str) -> Callable[[InsnFacts], bool]:
    return lambda f: f.source(field) is not None


def _codes(field: str) -> Callable[[InsnFacts], str]:
    """Return the legal values of a field as a mask; empty if the instruction does not have it."""
    return lambda f: next((f"{_mask(c.codes):#x}" for c in f.contents if c.field == field), "")


MEMBERS = (
    Member("bool", "vector", "goes through the vector datapath", lambda f: f.vector),
    Member("bool", "a_field", "ra is filled by an operand", _takes("ra")),
    Member("bool", "b_field", "rb likewise", _takes("rb")),
    Member("Codes", "ra_codes", "codes that the field may hold, as a mask", _codes("ra")),
    Member("Codes", "rb_codes", "", _codes("rb")),
    Member("Codes", "rd_codes", "", _codes("rd")),
    Member("bool", "use_a", "the value of ra enters the path", lambda f: f.reads("ra")),
    Member("bool", "use_b", "that of rb", lambda f: f.reads("rb")),
    Member("bool", "w_field", "field w adds wk", lambda f: True in f.whitening),
    Member("bool", "rd_field", "", lambda f: bool(f.destination)),
    Member("bool", "k_field", "", lambda f: bool(f.key_blocks)),
    Member("bool", "d_field", "", lambda f: bool(f.data)),
    Member("bool", "s_field", "", lambda f: bool(f.store)),
    Member("bool", "s_needed", "without a store it is not an instruction", lambda f: f.store == "must"),
    Member("bool", "takes_d", "the data slot's row enters as a side operand", lambda f: f.data == "path"),
    Member("bool", "move", "fields mv and rc say what data and store slot do next to the path", lambda f: f.move),
    Member("bool", "third", "field rc names a register that enters the path", lambda f: f.third),
    Member("bool", "pair", "two results, to rd and the register after it", lambda f: f.destination == "pair"),
    Member("std::uint8_t", "key_blocks", "memory blocks that the key slot reads", lambda f: _mask(f.key_blocks)),
    Member("bool", "lookup0", "looks up in t0", lambda f: 0 in f.lookups),
    Member("bool", "lookup1", "looks up in t1", lambda f: 1 in f.lookups),
    Member("bool", "clocks", "clocks stream contexts, each with its bank", lambda f: f.clocks),
    Member("bool", "stateful", "goes through the stream unit", lambda f: bool(f.stream)),
    Member("bool", "hashes", "its end writes registers of the hash unit", lambda f: f.hashes),
    Member("bool", "reads_sum", "the hash unit's sum enters", lambda f: f.reads_sum),
    Member("bool", "half1", "", lambda f: 1 in f.halves),
    Member("bool", "half2", "", lambda f: 2 in f.halves),
    Member("bool", "x2_ready", "the result is ready at the end of X2, where there is one", lambda f: f.x2_ready),
    Member("bool", "early", "sources are needed at the end of MEM", lambda f: f.early),
    Member("Src", "src", "", lambda f: f.src),
    Member("Res", "res", "", lambda f: f.res),
    Member("Au", "au", "", lambda f: f.au),
    Member("Cc", "cc", "", lambda f: f.cc),
    Member("Sq", "sq", "", lambda f: f.sq),
    Member("bool", "ad_written", "", lambda f: f.writes_address),
    Member("bool", "as_read", "", lambda f: f.reads_address),
)


def _limits(contents: Contents) -> list[tuple[str, int, int]]:
    """Members of a C++ `Number` with their values and defaults."""
    low, high, step = contents.low, contents.high, contents.step
    return [("low", low, 0), ("high", high, 0xFFFF), ("step", step, 1), ("forbidden", _mask(contents.forbidden), 0)]


def _number(isa: Isa, insn: Insn, name: str) -> str:
    """The initialiser of a number; empty for one that is always zero."""
    f = insn.field(name)
    if f is not None:
        c = isa.facts[insn.record].holds(name)
        parts = [f".bits = {{{f.lsb}, {f.width}}}"]
        parts += [f".{label} = {value:#x}" for label, value, default in _limits(c) if value != default]
        return "{" + ", ".join(parts) + "}"
    if name == "n" and insn.number:
        return f"{{.value = {insn.number:#x}}}"
    place = isa.places(vector=False).get(name)
    if place is None or isa.is_vector(insn) or not place.of(insn.match):
        return ""
    return f"{{.value = {place.of(insn.match):#x}}}"


def _encoding(isa: Isa, insn: Insn) -> Iterator[str]:
    """Yield the initialisers of an instruction's encoding: only those that are not the default."""
    functions = isa.control_functions | isa.endpoint_functions
    yield f".op = Op::{insn.record}"
    yield f'.mnemonic = "{insn.mnemonic}"'
    yield f".match = {insn.match:#018x}"
    yield f".mask = {insn.mask:#018x}"
    for m in MEMBERS:
        value = m.value(isa.facts[insn.record])
        if isinstance(value, str) and value in functions:
            value = f"{m.type}::{camel(functions[value].symbol)}" if functions[value].code else 0
        if value:
            yield f".{m.name} = {'true' if value is True else value}"
    for name in NUMBER_FIELDS:
        if text := _number(isa, insn, name):
            yield f".{name} = {text}"
