"""C++ from the model: constants, the decode table, and the datapath's composition of block functions."""

from __future__ import annotations

from isagen.model import Function, Insn, Isa, Step
from isagen.text import banner, camel, imm_fields, places, source_fields, uses_a

# The fields that every vector instruction has at one place, and those that differ by instruction.
FIXED_FIELDS = ("rd", "ra", "rb", "w", "ks", "db", "ds", "sb", "ss")
LOOSE_FIELDS = ("ad", "as", "n", "e", "c", "o")
MOVE_FIELDS = ("mv", "rc")


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
    out += f"inline constexpr int kTakenBubbles = {isa.bubbles};\n\n"
    out += "using Vec = std::array<std::uint8_t, kVectorBytes>;  // byte 0 is the first byte in memory\n\n"
    out += _enum("Op", [("Illegal", 0)] + [(i.record, n) for n, i in enumerate(isa.insns, 1)])
    out += _enum("Trap", [("None", 0)] + [(_strip(t.record, "Trap"), t.code) for t in isa.traps])
    out += _enum("CoreState", [(_strip(s.record, "State"), s.code) for s in isa.states])
    out += _enum("Space", [(s.record, s.code) for s in isa.spaces])
    out += _enum("VecCode", [(v.record, v.code) for v in isa.vectors])
    out += _enum("SideMove", [(_strip(m.record, "Move"), m.code) for m in isa.moves])
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
    out += "// Least distance between two issues by cause, [0] with one round an instruction, [1] with two.\n"
    rows = ", ".join(f"{{{', '.join(str(h.distance(r)) for h in isa.hazards)}}}" for r in (1, 2))
    out += f"inline constexpr int kDistance[2][{len(isa.hazards)}] = {{{rows}}};\n\n"
    wb = next(s for s in isa.stages if s.record == "StageWB")
    out += "// Cycles from issue to retirement.\n"
    out += f"inline constexpr int kRetireStage[2] = {{{wb.one_round}, {wb.two_rounds}}};\n\n"
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


def _mask(codes: list[int]) -> int:
    return sum(1 << c for c in codes)


def _table(isa: Isa) -> str:
    v = places(isa, True)
    out = "// Places of the vector format's fields.\n"
    for name in (*FIXED_FIELDS, *MOVE_FIELDS):
        out += f"inline constexpr Bits kField_{name}{{{v[name].lsb}, {v[name].width}}};\n"
    out += "\n// Vector codes that may stand in ra, rb, rd, as masks.\n"
    for label, attr in (("Source", "source"), ("SecondSource", "second_source"), ("Destination", "destination")):
        codes = _mask([x.code for x in isa.vectors if getattr(x, attr)])
        out += f"inline constexpr std::uint32_t k{label}Codes = {codes:#x};\n"
    out += """
// A field that one instruction has, or the constant that stands in its place.
struct Loose {
  Bits bits;
  std::uint32_t value;  // where bits.width is 0
  std::uint32_t high;   // highest legal value
};

// What the decoder needs to know of an instruction.
struct Encoding {
  Op op;
  const char* mnemonic;
  std::uint64_t match, mask;
  bool vector;
  bool a_field, a_row, b_field, b_row;  // ra/rb filled by an operand; it may be a row
  bool use_a, use_b;                    // enters the path
  bool w_field, rd_field, k_field, d_field, s_field, s_needed;
  bool takes_d;              // the data slot's row enters as a side operand
  bool move;                 // fields mv and rc say what data and store slot do beside the path
  bool pair;                 // two results, to rd and the register behind
  std::uint8_t key_blocks;   // memory blocks that the key slot reads
  bool lookup0, lookup1;     // looks up in t0, t1
  bool clocks;               // clocks stream contexts, each with its bank
  bool stateful;             // goes through the stream unit
  bool half1, half2;
  Src src;
  Res res;
  Au au;
  Cc cc;
  Sq sq;
  bool ad_written, as_read;
  Loose ad, as, n, e, c, o;
};

"""
    rows = "".join(f"    {_encoding(isa, i)},\n" for i in isa.insns)
    out += f"inline constexpr std::array<Encoding, {len(isa.insns)}> kEncodings{{{{\n{rows}}}}};\n\n"
    return out


def _flag(value: bool) -> str:
    return "true" if value else "false"


def _loose(isa: Isa, insn: Insn, name: str) -> str:
    f = insn.field(name)
    if f is not None:
        high = next((h for n, _m, _l, h in imm_fields(insn) if n == name), (1 << f.width) - 1)
        return f"{{{{{f.lsb}, {f.width}}}, 0, {high:#x}}}"
    place = places(isa, False).get(name)
    value = 0
    if place is not None and not isa.is_vector(insn):
        value = (insn.match >> place.lsb) & ((1 << place.width) - 1)
    return f"{{{{0, 0}}, {value:#x}, 0xffff}}"


def _encoding(isa: Isa, insn: Insn) -> str:
    sources = source_fields(insn)
    functions = isa.control_functions | isa.endpoint_functions

    def chosen(block: str, default: str) -> str:
        step = insn.step(block)
        return camel(functions[step.function].symbol) if step else default

    key = sum(1 << block for block in isa.key_blocks(insn))
    vector = isa.is_vector(insn)
    flags = [
        vector,
        "ra" in sources,
        sources.get("ra", False),
        "rb" in sources,
        sources.get("rb", False),
        vector and uses_a(insn) and "ra" in sources,
        insn.takes("B") and "rb" in sources,
        insn.takes("W"),
        insn.field("rd") is not None,
        insn.field("ks") is not None,
        insn.field("ds") is not None,
        insn.field("ss") is not None,
        any(op.kind == "store" for op in insn.operands),
        insn.takes("D"),
        any(op.kind == "move" for op in insn.operands),
        isa.writes_pair(insn),
    ]
    defaults = {b: next(n for n, c in _functions(functions, b) if c == 0) for b in ("SRC", "RES", "AU", "CC", "SQ")}
    parts = [f"Op::{insn.record}", f'"{insn.mnemonic}"', f"{insn.match:#018x}", f"{insn.mask:#018x}"]
    parts += [_flag(x) for x in flags]
    parts += [str(key), _flag(insn.step("T0") is not None), _flag(insn.step("T1") is not None)]
    parts += [_flag(insn.field("c") is not None), _flag(isa.stateful(insn))]
    parts += [_flag(isa.half(insn, 1)), _flag(isa.half(insn, 2))]
    parts += [f"{camel(b.lower())}::{chosen(b, defaults[b])}" for b in ("SRC", "RES", "AU", "CC", "SQ")]
    parts += [_flag(isa.writes_address(insn)), _flag(insn.field("as") is not None)]
    parts += [_loose(isa, insn, name) for name in LOOSE_FIELDS]
    return "{" + ", ".join(parts) + "}"


def executor(isa: Isa) -> str:
    """For every vector instruction two functions: the value behind L0, and the rest of the path."""
    out = banner("//") + "// Paths through the datapath, composed of the functions of functions.hpp.\n\n"
    out += "namespace lutra::path {\n\n"
    vector = [i for i in isa.insns if isa.is_vector(i)]
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
        for half in (1, 2):
            out += "".join(_back_step(isa, s) for s in steps if isa.blocks[s.block].half == half)
            if half == 1 and insn.takes("Q"):
                out += f"    const Value q = x ^ {_side(isa, 'K1H')};\n"
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


def _side(isa: Isa, record: str) -> str:
    """The value of a side operand."""
    side = isa.sides[record]
    rows = ", ".join(f"o.{isa.key_rows()[b].symbol}" for b in side.blocks)
    if side.part:
        return f"fn::{side.part}_{'twice' if len(side.blocks) == 1 else 'halves'}({rows})"
    return side.symbol if record == "Q" else f"o.{side.symbol}"


def _call(isa: Isa, block: str, function: str, sides: tuple[str, ...]) -> str:
    b, f = isa.blocks[block], isa.functions[function]
    if f.kind == "Lookup":
        bank = sorted(n for n, x in isa.blocks.items() if x.kind == "Lookup").index(block)
        return f"fn::{f.symbol}(x, tables[{bank}])"
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
