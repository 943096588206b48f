"""C++ from the model: constants, the decode table, and the datapath's composition of block functions."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NamedTuple

from isagen import outside
from isagen.model import Function, Insn, Isa, Step
from isagen.records import Contents, InsnFacts
from isagen.text import banner, camel

# The fields that every vector instruction has at one place, those of a move, and numbers, which lie by instruction.
FIXED_FIELDS = ("rd", "ra", "rb", "w", "ks", "db", "ds", "sb", "ss")
MOVE_FIELDS = ("mv", "rc")
# Side operands that are made of values on the path.
RESULTS = ("Q", "S", "K0G")
NUMBER_FIELDS = ("ad", "as", "n", "e", "c", "o", "h", "g")


def files(isa: Isa) -> dict[str, str]:
    """Name -> text of every generated C++ file."""
    return {"lutra_isa.hpp": header(isa), "lutra_exec.inc": executor(isa)}


def _enum(name: str, rows: list[tuple[str, int]]) -> str:
    body = "".join(f"  {label} = {code},\n" for label, code in rows)
    return f"enum class {name} : std::uint8_t {{\n{body}}};\n\n"


def _functions(table: dict[str, Function], block: str) -> list[tuple[str, int]]:
    return [(camel(f.symbol), f.code) for f in table.values() if f.kind == block]


def _strip(record: str, prefix: str) -> str:
    return record.removeprefix(prefix)


def header(isa: Isa) -> str:
    """Constants, enumerations, decode table."""
    out = (
        banner("//")
        + "// Constants and decode table of the instruction set.\n#pragma once\n\n"
        + "#include <array>\n#include <cstdint>\n\nnamespace lutra {\n\n"
    )
    for key, value in isa.machine.items():
        out += f"inline constexpr int k{key} = {value};\n"
    out += f"inline constexpr int kTakenBubbles = {isa.bubbles};\n"
    out += f"inline constexpr int kEntryBubbles = {isa.entry};\n\n"
    out += "// The configuration: the greatest ROUNDS_PER_INSTR that is built, and STREAM_CONTEXTS.\n"
    out += f"inline constexpr int kCoreRounds = {max(isa.configuration.rounds)};\n"
    out += f"inline constexpr int kCoreContexts = {isa.configuration.contexts};\n\n"
    out += "inline constexpr int kInsnBytes = kInsnBits / 8;\n"
    out += f"inline constexpr int kVectorCodes = {max(v.code for v in isa.vectors) + 1};\n\n"
    out += "using Vec = std::array<std::uint8_t, kVectorBytes>;  // byte 0 is the first byte in memory\n\n"
    out += _enum("Op", [("Illegal", 0)] + [(i.record, n) for n, i in enumerate(isa.insns, 1)])
    out += _enum("Trap", [("None", 0)] + [(_strip(t.record, "Trap"), t.code) for t in isa.traps])
    out += _enum("CoreState", [(_strip(s.record, "State"), s.code) for s in isa.states])
    out += _enum("Space", [(s.record, s.code) for s in isa.spaces])
    out += _enum("VecCode", [(v.record, v.code) for v in isa.vectors])
    out += _enum("SideMove", [(_strip(m.record, "Move"), m.code) for m in isa.moves])
    out += _enum("HashBeside", [(_strip(r.record, "Beside"), r.code) for r in isa.besides("h")])
    out += _enum("StreamRow", [(_strip(r.record, "Row"), r.code) for r in isa.stream_rows])
    out += _enum("Delta", [(_strip(d.record, "Delta"), d.code) for d in isa.deltas])
    out += _enum("Wrap", [(_strip(w.record, "Wrap"), w.code) for w in isa.wraps])
    for block in ("SRC", "RES"):
        out += _enum(camel(block.lower()), _functions(isa.endpoint_functions, block))
    for cb in isa.control_blocks:
        out += _enum(camel(cb.name), _functions(isa.control_functions, cb.record))
    out += _enum("Stall", [(camel(s.name), s.code) for s in isa.stalls])
    out += f"inline constexpr int kStallCauses = {len(isa.stalls)};\n\n"
    out += "// Widths of ctr++ in bytes, by code.\n"
    counter = ", ".join(str(bits // 8) for bits, _ in isa.widths)
    out += f"inline constexpr std::array<int, {len(isa.widths)}> kCounterBytes{{{counter}}};\n\n"
    out += "// Least distance between two issues by cause, [0] with one round per instruction, [1] with two.\n"
    rows = ", ".join(f"{{{', '.join(str(h.distance(r)) for h in isa.hazards)}}}" for r in (1, 2))
    out += f"inline constexpr int kDistance[2][{len(isa.hazards)}] = {{{rows}}};\n\n"
    wb = next(s for s in isa.stages if s.record == "StageWB")
    out += "// Cycles from issue to retirement.\n"
    out += f"inline constexpr int kRetireStage[2] = {{{wb.one_round}, {wb.two_rounds}}};\n\n"
    out += "// Stages by the cycles from issue, [0] with one round per instruction, [1] with two.\n"
    out += "".join(f"inline constexpr int k{s.record}[2] = {{{s.one_round}, {s.two_rounds}}};\n" for s in isa.stages)
    out += "\n"
    out += _spaces(isa) + _patterns(isa) + _table(isa)
    return out + "}  // namespace lutra\n"


def _spaces(isa: Isa) -> str:
    top = max(s.code for s in isa.spaces) + 1

    def masks(attr: str) -> str:
        by_code = {s.code: sum(1 << n for n in getattr(s, attr)) for s in isa.spaces}
        return ", ".join(str(by_code.get(c, 0)) for c in range(top))

    return (
        "// Memory blocks and table banks that a space occupies, as masks, by code.\n"
        f"inline constexpr std::array<std::uint8_t, {top}> kSpaceBlocks{{{masks('blocks')}}};\n"
        f"inline constexpr std::array<std::uint8_t, {top}> kSpaceBanks{{{masks('banks')}}};\n\n"
    )


def _patterns(isa: Isa) -> str:
    s = isa.slot
    deltas = {d.name: _strip(d.record, "Delta") for d in isa.deltas}
    wraps = {w.name: _strip(w.record, "Wrap") for w in isa.wraps}
    top = 1 << (s.pattern[0] - s.pattern[1] + 1)
    known = {p.code: p for p in isa.patterns}
    rows = ""
    for code in range(top):
        p = known.get(code)
        if p is None:
            rows += "    {false, Delta::None, Wrap::None},\n"
        else:
            rows += f"    {{true, Delta::{deltas[p.delta]}, Wrap::{wraps[p.wrap]}}},  // {p.suffix or 'ar'}\n"

    def bits(name: str, pair: tuple[int, int]) -> str:
        return f"inline constexpr Bits kSlot{name}{{{pair[1]}, {pair[0] - pair[1] + 1}}};\n"

    return (
        "struct Bits {\n  std::uint8_t lsb;\n  std::uint8_t width;\n\n"
        "  constexpr std::uint32_t of(std::uint64_t word) const {\n"
        "    return static_cast<std::uint32_t>((word >> lsb) & ((std::uint64_t{1} << width) - 1));\n  }\n};\n\n"
        f"inline constexpr int kSlotRowFlag = {s.row_flag};\n"
        + bits("Row", s.row)
        + bits("Pattern", s.pattern)
        + bits("Register", s.register)
        + bits("Zero", s.zero)
        + "\nstruct PatternInfo {\n  bool legal;\n  Delta delta;\n  Wrap wrap;\n};\n"
        + f"inline constexpr std::array<PatternInfo, {top}> kPatterns{{{{\n{rows}}}}};\n\n"
    )


def _mask(codes: Iterable[int]) -> int:
    return sum(1 << c for c in codes)


class Member(NamedTuple):
    """A member of the C++ struct `Encoding` that is a fact of the instruction."""

    type: str
    name: str
    text: str
    value: Callable[[InsnFacts], object]


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
    Member("bool", "move", "fields mv and rc say what data and store slot do beside the path", lambda f: f.move),
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


def _table(isa: Isa) -> str:
    v = isa.places(vector=True)
    out = "// Places of the vector format's fields.\n"
    for name in (*FIXED_FIELDS, *MOVE_FIELDS):
        out += f"inline constexpr Bits kField_{name}{{{v[name].lsb}, {v[name].width}}};\n"
    out += """
// A number: the field that holds it, or the constant that an instruction without the field has in its place.
// It may hold low to high in steps, less the codes of a mask.
struct Number {
  Bits bits{0, 0};
  std::uint32_t value = 0;  // where bits.width is 0
  std::uint32_t low = 0, high = 0xffff, step = 1;
  std::uint64_t forbidden = 0;

  constexpr bool holds(std::uint32_t n) const {
    return n >= low && n <= high && (n - low) % step == 0 && (n >= 64 || !((forbidden >> n) & 1));
  }
};

// Codes of vector operands, as a mask.
using Codes = std::uint32_t;

// What the decoder needs to know of an instruction.
struct Encoding {
  Op op;
  const char* mnemonic;
  std::uint64_t match, mask;
"""
    for m in MEMBERS:
        text = f"  // {m.text}" if m.text else ""
        initial = {"bool": " = false", "Codes": " = 0xffff"}.get(m.type, "{}")
        out += f"  {m.type} {m.name}{initial};{text}\n"
    out += f"  Number {', '.join(f'{name}{{}}' for name in NUMBER_FIELDS)};\n}};\n\n"
    rows = "".join(f"    {_encoding(isa, i)},\n" for i in isa.insns)
    out += f"inline constexpr std::array<Encoding, {len(isa.insns)}> kEncodings{{{{\n{rows}}}}};\n\n"
    return out


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


def _encoding(isa: Isa, insn: Insn) -> str:
    """The initialiser of an instruction's encoding: only what is not the default."""
    functions = isa.control_functions | isa.endpoint_functions
    parts = [f".op = Op::{insn.record}", f'.mnemonic = "{insn.mnemonic}"']
    parts += [f".match = {insn.match:#018x}", f".mask = {insn.mask:#018x}"]
    for m in MEMBERS:
        value = m.value(isa.facts[insn.record])
        if isinstance(value, str) and value in functions:
            value = f"{m.type}::{camel(functions[value].symbol)}" if functions[value].code else 0
        if value:
            parts.append(f".{m.name} = {'true' if value is True else value}")
    parts += [f".{name} = {text}" for name in NUMBER_FIELDS if (text := _number(isa, insn, name))]
    return "{" + ", ".join(parts) + "}"


def executor(isa: Isa) -> str:
    """Return two functions per vector instruction: the value after L0, and the rest of the path."""
    out = banner("//") + "// Paths through the datapath, composed of the functions of functions.hpp.\n\n"
    out += f'#include "{outside.HEADER}"\n\nnamespace lutra::path {{\n\n'
    vector = [i for i in isa.insns if isa.facts[i.record].vector]
    for insn in vector:
        out += f"// {insn.mnemonic}: {insn.summary}\nstruct {insn.record} {{\n"
        out += f"  static constexpr Encoding encoding = kEncodings[{isa.insns.index(insn)}];\n"
        out += "  static Value front([[maybe_unused]] Operands& o) {\n    Value x = o.a;\n"
        steps = [s for s in insn.path if s.block in isa.blocks]
        for step in steps:
            if isa.blocks[step.block].half == 0:
                out += _front_step(isa, step)
        out += "    return x;\n  }\n"
        out += (
            "  static Value back(Value x, [[maybe_unused]] const Operands& o, [[maybe_unused]] const Tables& tables,\n"
        )
        out += "                    [[maybe_unused]] Value& partner) {\n"
        if any(isa.blocks[s.block].partner and isa.blocks[s.block].half == 0 for s in steps):
            out += "    partner = o.b;\n"
        if insn.takes("K0G"):
            out += f"    const Value k0g = {_lanes_carried_out(isa, insn)};\n"
        for half in (1, 2):
            out += "".join(_back_step(isa, s) for s in steps if isa.blocks[s.block].half == half)
            if half == 1 and insn.takes("Q"):
                out += f"    const Value q = x ^ {_side(isa, 'K1H')};\n"
            if half == 1 and insn.takes("S"):
                out += "    const Value s = x;\n"
        out += "    return x;\n  }\n};\n\n"
    out += "}  // namespace lutra::path\n\n"
    names = ", ".join(i.record for i in vector)
    out += "// X(record) for every vector instruction.\n#define LUTRA_VECTOR_INSNS(X) \\\n"
    out += " \\\n".join(f"  X({n})" for n in names.split(", ")) + "\n"
    return out


def _front_step(isa: Isa, step: Step) -> str:
    if isa.blocks[step.block].partner:
        return (
            f"    const Pair pair = {_call(isa, step.block, step.function, step.sides)};\n"
            "    x = o.a = pair.x;\n    o.b = pair.p;\n"
        )
    return f"    x = {_call(isa, step.block, step.function, step.sides)};\n"


def _back_step(isa: Isa, step: Step) -> str:
    if isa.blocks[step.block].partner:
        return (
            f"    const Pair pair = {_call(isa, step.block, step.function, step.sides)};\n"
            "    x = pair.x;\n    partner = pair.p;\n"
        )
    return f"    x = {_call(isa, step.block, step.function, step.sides)};\n"


def _lanes_carried_out(isa: Isa, insn: Insn) -> str:
    """Lanes of K0, by the value that enters the first half and the direction in which it moves."""
    args = (_side(isa, "K0"), "x", f"o.{isa.sides['N'].symbol}", str(insn.moves_right).lower())
    return f"fn::lanes_carried_out({', '.join(args)})"


def _side(isa: Isa, record: str) -> str:
    """The value of a side operand."""
    side = isa.sides[record]
    if record == "C":
        return f"fn::rotate_third(o.{side.symbol}, o.{isa.sides['N'].symbol})"
    rows = ", ".join(f"o.{isa.key_rows()[b].symbol}" for b in side.blocks)
    if record in RESULTS:
        return side.symbol
    if side.part:
        return f"fn::{side.part}_{'twice' if len(side.blocks) == 1 else 'halves'}({rows})"
    return f"o.{side.symbol}"


def _call(isa: Isa, block: str, function: str, sides: tuple[str, ...]) -> str:
    b, f = isa.blocks[block], isa.functions[function]
    if f.kind == "Lookup":
        return f"fn::{f.symbol}(x, tables[{isa.banks().index(block)}])"
    if f.kind == "Stream":
        return f"fn::{f.symbol}(x, tables, o.stream)"
    args = ["x"]
    if b.partner:
        args = [f"Pair{{x, {_side(isa, b.partner[0])}}}"]
    for port in (b.port_y, b.port_z)[: f.sides]:
        side = next((s for s in sides if s in port), None)
        args.append(_side(isa, side) if side else "Value{}")
    if f.immediate:
        args.append(f"o.{isa.sides['N'].symbol}")
    return f"fn::{f.symbol}({', '.join(args)})"
