"""SystemVerilog of the datapath's blocks, and of the first half: its chain and the ways beside it (`Way` records)."""

from __future__ import annotations

import re

from isagen import outside
from isagen.model import Block, Function, Isa, Way
from isagen.text import banner, camel

PORTS = ("y", "z")


def kind_type(isa: Isa, kind: str) -> str:
    """The type of a kind's function codes."""
    return next(k.name for k in isa.kinds if k.record == kind) + "_fn_e"


def stateless(isa: Isa) -> list[Block]:
    """Blocks whose functions are combinational logic. A table bank is a memory, the stream unit has state."""
    return [b for b in isa.blocks.values() if b.kind not in ("Lookup", "Stream")]


def functions_of(isa: Isa, block: Block, way: Way | None) -> list[Function]:
    """Return the expression of a block on a way, or in the chain."""
    return [isa.functions[f] for f in block.functions if isa.way(block.record, f) == way]


def modules(isa: Isa) -> list[tuple[Block, Way | None]]:
    """Return a block's module of the chain, then those of the ways next to it."""
    return [(b, way) for b in stateless(isa) for way in (None, *isa.ways) if not way or functions_of(isa, b, way)]


def module_name(block: Block, way: Way | None) -> str:
    """The module of a block's functions on a way, or of those in the chain."""
    return f"lutra_{block.record.lower()}" + (f"_{way.name}" if way else "")


def passes(isa: Isa, block: Block, way: Way | None) -> bool:
    """Whether a block's module passes its input: not where every instruction of the way does something in it.

    Nor where its value counts only then; without functions, in a configuration that lacks them, it does.
    """
    if not block.passes:
        return not block.functions
    there = [i for i in isa.described if any(isa.way(s.block, s.function) == way for s in i.path)]
    paths = [{s.block for s in i.path} for i in there]
    return way is None or any(block.record not in path for path in paths)


def blocks(isa: Isa) -> str:
    """One module per block and way, with just the functions that it can do there."""
    out = banner("//") + "// The datapath's blocks: selection among the functions of lutra_functions_pkg.\n"
    return out + "".join(_block(isa, b, way) for b, way in modules(isa))


def _kind(isa: Isa, block: Block) -> str:
    return camel(next(k.name for k in isa.kinds if k.record == block.kind))


def _sides(functions: list[Function]) -> tuple[str, ...]:
    return PORTS[: max((f.sides for f in functions), default=0)]


def _block(isa: Isa, b: Block, way: Way | None) -> str:
    functions = functions_of(isa, b, way)
    # The other halves are wired by hand: their ports are those of all functions that are described.
    shape = functions if b.half == 1 else [isa.functions[f] for f in b.described]
    result = "{x_o, p_o}" if b.partner else "x_o"
    ports = [f"  input  {kind_type(isa, b.kind)} fn_i", "  input  vec_t x_i"]
    ports += ["  input  vec_t p_i"] if b.partner else []
    ports += [f"  input  vec_t {p}_i" for p in _sides(shape)]
    ports += ["  input  imm_t n_i"] if any(f.immediate for f in shape) else []
    ports += ["  output vec_t x_o"] + (["  output vec_t p_o"] if b.partner else [])
    out = f"\nmodule {module_name(b, way)}\n  import lutra_isa_pkg::*;\n  import lutra_functions_pkg::*;\n"
    out += "".join(f"  import {package}::*;\n" for package in _packages(isa, functions)) + "(\n"
    out += ",\n".join(ports) + "\n);\n\n  always_comb begin\n    case (fn_i)\n"
    default = next((f for f in functions if f.code == 0), None if passes(isa, b, way) else functions[-1])
    calls = {f.record: _call(isa, b, f, functions, shape) for f in functions}
    value = calls[default.record] if default else "{x_i, p_i}" if b.partner else "x_i"
    for call in dict.fromkeys(c for c in calls.values() if c != value):
        codes = [f"{_kind(isa, b)}{f.record}" for f in functions if calls[f.record] == call]
        out += f"      {', '.join(codes)}: {result} = {call};\n"
    out += f"      default: {result} = {value};\n    endcase\n  end\n\n"
    idle_ports = [p for p in _sides(shape) if p not in _sides(functions)]
    if any(f.immediate for f in shape) and not any(f.immediate for f in functions):
        idle_ports.append("n")
    return out + unused([f"{p}_i" for p in idle_ports]) + "endmodule\n"


def unused(names: list[str]) -> str:
    """A reader for the ports of which a configuration has no use."""
    return f"  logic unused;\n  assign unused = &{{1'b0, {', '.join(names)}}};\n\n" if names else ""


def _packages(isa: Isa, functions: list[Function]) -> list[str]:
    """Return the modules of extensions from outside."""
    files = {f.loc.rsplit(":", 1)[0] for f in functions}
    return [outside.package(e.name) for e in isa.extensions if isa.outside.get(e.record) in files]


def _call(isa: Isa, b: Block, f: Function, functions: list[Function], shape: list[Function]) -> str:
    """A function of what enters by a module's ports, which are those of `shape`.

    A circuit takes what any of its functions takes, and the code where the module has several of them.
    """
    alike = [g for g in isa.functions.values() if g.circuit == f.circuit] if f.circuit else [f]
    several = sum(g in alike for g in functions) > 1
    args = [("fn_i" if several else f"{_kind(isa, b)}{f.record}")] if f.circuit else []
    args.append("'{x: x_i, p: p_i}" if b.partner else "x_i")
    args += [f"{p}_i" if p in _sides(shape) else "'0" for p in _sides(alike)]
    if any(g.immediate for g in alike):
        args.append("n_i" if any(g.immediate for g in shape) else "'0")
    return f"{f.circuit or f.symbol}({', '.join(args)})"


# ------------------------------------------------------------------------------------------ the first half


def first_half(isa: Isa) -> str:
    """The blocks of the first half: the chain, the ways, and the choice among them where ways end."""
    half = [b for b in isa.blocks.values() if b.half == 1]
    logic = [b for b in half if b in stateless(isa)]
    ways = [w for w in isa.ways if any(functions_of(isa, isa.blocks[b], w) for b in w.beside)]
    out = banner("//") + FIRST_HALF_HEAD
    out += "".join(f"  input  {kind_type(isa, b.kind)} {b.record.lower()}_fn_i,\n" for b in half if b.kind != "Lookup")
    out += "  input  vec_t x_i,          // on the path\n"
    out += "  input  vec_t looked_up_i,  // after the look-up, if there is one\n"
    out += "  input  vec_t streamed_i,   // from the stream unit\n"
    for b in logic:
        used = _sides([isa.functions[f] for f in b.described])
        out += "".join(f"  input  vec_t {b.record.lower()}_{p}_i,\n" for p in used)
    out += "  input  imm_t n_i,\n  output vec_t x_o,\n"
    out += "  output vec_t fast_o  // without the chain of crossbar and mixing layer\n);\n"
    head = len(out)
    entering: dict[str, str] = {}  # block -> the value that enters it
    deep = [b for b in isa.deep if functions_of(isa, isa.blocks[b], None)]
    value = chain = "x_i"
    for b in half:
        entering[b.record] = chain if b.record in isa.deep else value
        if b.kind == "Lookup":
            value = chain = "looked_up_i"
        elif b.record in deep:
            text, chain = _instance(isa, b, None, chain)
            out += text
        elif b in logic and b.record not in isa.deep:
            text, value = _instance(isa, b, None, value)
            out += text
        ending = [w for w in ways if w.beside[-1] == b.record]
        layers = deep if b.record == isa.deep[-1] else []
        if ending or layers:
            text, value = _join(isa, b, ending, value, entering, layers)
            out += text
    out += "\n  // What comes after the chain is linear, so its value is XORed on at the end.\n"
    out += f"  assign fast_o = {value};\n"
    out += f"  assign x_o = fast_o{f' ^ ({{VectorBits{{on_chain}}}} & {chain})' if deep else ''};\n\n"
    ports = re.findall(r"^  input +\w+ (\w+),", out[:head], re.M)
    # Read by its name, or by a port that is called so and wired without parentheses.
    idle = [p for p in ports if not re.search(rf"(?<!\.)\b{p}\b|\.{p}\b(?!\()", out[head:])]
    return out + unused(idle) + "endmodule\n"


def _instance(isa: Isa, b: Block, way: Way | None, value: str) -> tuple[str, str]:
    """A block's module, and the name of what leaves it."""
    functions, name = functions_of(isa, b, way), b.record.lower()
    label = name + (f"_{way.name}" if way else "")
    ports = [("fn_i", f"{name}_fn_i"), ("x_i", value)]
    ports += [(f"{p}_i", f"{name}_{p}_i" if _enters(isa, b, way, p) else "'0") for p in _sides(functions)]
    ports += [("n_i", "n_i")] if any(f.immediate for f in functions) else []
    ports += [("x_o", label)]
    wired = ",\n".join(f"    .{p}({v})" if p != v else f"    .{p}" for p, v in ports)
    return f"\n  vec_t {label};\n  {module_name(b, way)} u_{label} (\n{wired}\n  );\n", label


def _enters(isa: Isa, b: Block, way: Way | None, port: str) -> bool:
    """Whether anything enters a side port of a block where it does a function of a way."""
    sides = set(b.port_y if port == "y" else b.port_z)
    steps = [s for i in isa.insns for s in i.path if s.block == b.record]
    return way is None or any(isa.way(s.block, s.function) == way and sides & set(s.sides) for s in steps)


def _join(
    isa: Isa, last: Block, ways: list[Way], value: str, entering: dict[str, str], layers: list[str]
) -> tuple[str, str]:
    """The ways that end beside a block, and the choice: one of them, or what passes the chain by.

    An instruction goes one of the ways, or none; on a chain of layers that ends here the choice is zero.
    """
    out, ends = "", {}
    for way in ways:
        chosen, end = [], entering[way.beside[0]]
        out += f"\n  // Beside {', '.join(way.beside)}: {way.text}."
        for b in (isa.blocks[n] for n in way.beside if functions_of(isa, isa.blocks[n], way)):
            chosen.append(_chosen(isa, b, way))
            if b.kind == "Stream":
                end = "streamed_i"
            else:
                text, end = _instance(isa, b, way, end)
                out += text
        out += _condition(f"on_{way.name}", chosen)
        ends[f"on_{way.name}"] = end
    elsewhere = list(ends)
    if layers:
        out += _condition("on_chain", [_chosen(isa, isa.blocks[b], None) for b in layers])
        elsewhere.append("on_chain")
    name = f"{last.record.lower()}_joined"
    terms = [f"({{VectorBits{{{on}}}}} & {end})" for on, end in ends.items()]
    terms.insert(0, f"({{VectorBits{{!({' || '.join(elsewhere)})}}}} & {value})")
    return out + f"\n  vec_t {name};\n  assign {name} = " + " |\n      ".join(terms) + ";\n", name


def _condition(name: str, terms: list[str]) -> str:
    return f"\n  logic {name};\n  assign {name} = " + " ||\n      ".join(terms) + ";\n"


def _chosen(isa: Isa, b: Block, way: Way | None) -> str:
    """The condition that a block does a function of a way, or of the chain."""
    functions, fn = functions_of(isa, b, way), f"{b.record.lower()}_fn_i"
    if b.kind == "Stream" and len(functions) == len(b.functions):
        return f"{fn} != {_kind(isa, b)}Pass"
    return f"{fn} inside {{{', '.join(f'{_kind(isa, b)}{f.record}' for f in functions)}}}"


FIRST_HALF_HEAD = """\
// The first half of the datapath. What an instruction can put one after another is a chain; what no instruction does
// is not a path of the logic: deep or rare functions are beside blocks of the chain and enter where these end. For
// every legal instruction the value is that of the blocks in their order (make formal FORMAL_ARGS=half).

module lutra_first_half
  import lutra_isa_pkg::*;
(
"""
