"""SystemVerilog of the datapath's blocks, and of the first half: its chain and the ways next to it (`Way` records)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from isagen import outside
from isagen.description import Block, Function, Way
from isagen.model import Isa
from isagen.text import camel, render

PORTS = ("y", "z")
# Inputs of the first half that every configuration has.
ENTERING = ("x_i", "looked_up_i", "streamed_i")
IMMEDIATE = "n_i"


def files(isa: Isa) -> dict[str, str]:
    """Name -> text."""
    return {"lutra_blocks.sv": blocks(isa), "lutra_first_half.sv": first_half(isa)}


def kind_type(isa: Isa, kind: str) -> str:
    """The type of a kind's function codes."""
    return next(k.name for k in isa.kinds if k.record == kind) + "_fn_e"


def kind_name(isa: Isa, kind: str) -> str:
    """The prefix of the labels of a kind's function codes."""
    return camel(next(k.name for k in isa.kinds if k.record == kind))


def stateless(isa: Isa) -> list[Block]:
    """Blocks whose functions are combinational logic. A table bank is a memory, the stream unit has state."""
    return [b for b in isa.blocks.values() if b.kind not in ("Lookup", "Stream")]


def functions_of(isa: Isa, block: Block, way: Way | None) -> list[Function]:
    """The functions of a block on a way, or in the chain."""
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


def _sides(functions: Sequence[Function]) -> tuple[str, ...]:
    return PORTS[: max((f.sides for f in functions), default=0)]


# ------------------------------------------------------------------------------------------ blocks


class Module(NamedTuple):
    """The module of a block on a way: its ports, and what it selects by the code of the function."""

    name: str
    type: str
    packages: list[str]
    pair: bool
    sides: tuple[str, ...]
    immediate: bool
    result: str
    cases: list[tuple[list[str], str]]
    otherwise: str
    unused: list[str]


def blocks(isa: Isa) -> str:
    """One module per block and way, with just the functions that it can do there."""
    return render("lutra_blocks.sv", blocks=[_module(isa, b, way) for b, way in modules(isa)])


def _module(isa: Isa, b: Block, way: Way | None) -> Module:
    functions = functions_of(isa, b, way)
    # The other halves are wired by hand: their ports are those of all functions that are described.
    shape = functions if b.half == 1 else [isa.functions[f] for f in b.described]
    immediate = any(f.immediate for f in shape)
    default = next((f for f in functions if f.code == 0), None if passes(isa, b, way) else functions[-1])
    calls = {f.record: _call(isa, b, f, functions, shape) for f in functions}
    otherwise = calls[default.record] if default else "{x_i, p_i}" if b.partner else "x_i"
    unused = [f"{p}_i" for p in _sides(shape) if p not in _sides(functions)]
    if immediate and not any(f.immediate for f in functions):
        unused.append(IMMEDIATE)
    return Module(
        name=module_name(b, way),
        type=kind_type(isa, b.kind),
        packages=_packages(isa, functions),
        pair=bool(b.partner),
        sides=_sides(shape),
        immediate=immediate,
        result="{x_o, p_o}" if b.partner else "x_o",
        cases=[
            ([f"{kind_name(isa, b.kind)}{f.record}" for f in functions if calls[f.record] == call], call)
            for call in dict.fromkeys(c for c in calls.values() if c != otherwise)
        ],
        otherwise=otherwise,
        unused=unused,
    )


def _packages(isa: Isa, functions: list[Function]) -> list[str]:
    """The packages of extensions from outside that have the functions."""
    files = {f.loc.rsplit(":", 1)[0] for f in functions}
    return [outside.package(e.name) for e in isa.extensions if isa.outside.get(e.record) in files]


def _call(isa: Isa, b: Block, f: Function, functions: list[Function], shape: list[Function]) -> str:
    """A function of what enters by a module's ports, which are those of `shape`.

    A circuit takes what any of its functions takes, and the code where the module has several of them.
    """
    alike = [g for g in isa.functions.values() if g.circuit == f.circuit] if f.circuit else [f]
    several = sum(g in alike for g in functions) > 1
    args = [("fn_i" if several else f"{kind_name(isa, b.kind)}{f.record}")] if f.circuit else []
    args.append("'{x: x_i, p: p_i}" if b.partner else "x_i")
    args += [f"{p}_i" if p in _sides(shape) else "'0" for p in _sides(alike)]
    if any(g.immediate for g in alike):
        args.append(IMMEDIATE if any(g.immediate for g in shape) else "'0")
    return f"{f.circuit or f.symbol}({', '.join(args)})"


# ------------------------------------------------------------------------------------------ the first half


@dataclass(frozen=True)
class Instance:
    """A block's module; what leaves it is called as the instance."""

    name: str
    module: str
    ports: dict[str, str]
    begins: Way | None = None  # the way whose first part it is

    @property
    def read(self) -> Iterator[str]:
        yield from self.ports.values()


@dataclass(frozen=True)
class Signal:
    """A value made of terms."""

    name: str
    type: str
    operator: str
    terms: list[str]
    begins: Way | None = None
    module: str = field(default="", init=False)

    @property
    def read(self) -> Iterator[str]:
        yield from self.terms


Part = Instance | Signal


def first_half(isa: Isa) -> str:
    """The blocks of the first half: the chain, the ways, and the choice among them where ways end."""
    half = [b for b in isa.blocks.values() if b.half == 1]
    logic = [b for b in half if b in stateless(isa)]
    deep = [b for b in isa.deep if functions_of(isa, isa.blocks[b], None)]
    parts, value, chain = _wired(isa, half, logic, deep)
    codes = {f"{b.record.lower()}_fn_i": kind_type(isa, b.kind) for b in half if b.kind != "Lookup"}
    sides = [f"{b.record.lower()}_{p}_i" for b in logic for p in _sides([isa.functions[f] for f in b.described])]
    read = {name for text in (value, *(t for p in parts for t in p.read)) for name in re.findall(r"\w+", text)}
    return render(
        "lutra_first_half.sv",
        codes=codes,
        sides=sides,
        parts=parts,
        value=value,
        chain=chain if deep else "",
        unused=[name for name in (*codes, *ENTERING, *sides, IMMEDIATE) if name not in read],
    )


def _wired(isa: Isa, half: list[Block], logic: list[Block], deep: list[str]) -> tuple[list[Part], str, str]:
    """Return the blocks of the half, one after the other, and the names of the last value and of the chain's."""
    ways = [w for w in isa.ways if any(functions_of(isa, isa.blocks[b], w) for b in w.beside)]
    parts: list[Part] = []
    entering: dict[str, str] = {}  # block -> the value that enters it
    value = chain = "x_i"
    for b in half:
        entering[b.record] = chain if b.record in isa.deep else value
        if b.kind == "Lookup":
            value = chain = "looked_up_i"
        elif b.record in deep:
            parts.append(_instance(isa, b, None, chain))
            chain = parts[-1].name
        elif b in logic and b.record not in isa.deep:
            parts.append(_instance(isa, b, None, value))
            value = parts[-1].name
        ending = [w for w in ways if w.beside[-1] == b.record]
        layers = deep if b.record == isa.deep[-1] else []
        if ending or layers:
            parts += _join(isa, b, ending, value, entering, layers)
            value = parts[-1].name
    return parts, value, chain


def _instance(isa: Isa, b: Block, way: Way | None, value: str) -> Instance:
    functions, block = functions_of(isa, b, way), b.record.lower()
    name = block + (f"_{way.name}" if way else "")
    ports = {"fn_i": f"{block}_fn_i", "x_i": value}
    ports |= {f"{p}_i": f"{block}_{p}_i" if _enters(isa, b, way, p) else "'0" for p in _sides(functions)}
    if any(f.immediate for f in functions):
        ports[IMMEDIATE] = IMMEDIATE
    return Instance(name, module_name(b, way), {**ports, "x_o": name})


def _enters(isa: Isa, b: Block, way: Way | None, port: str) -> bool:
    """Whether anything enters a side port of a block where it does a function of a way."""
    sides = set(b.port_y if port == "y" else b.port_z)
    steps = [s for i in isa.insns for s in i.path if s.block == b.record]
    return way is None or any(isa.way(s.block, s.function) == way and sides & set(s.sides) for s in steps)


def _join(
    isa: Isa, last: Block, ways: list[Way], value: str, entering: dict[str, str], layers: list[str]
) -> Iterator[Part]:
    """Yield the ways that end next to a block, and the choice: one of them, or what passes the chain by.

    An instruction goes one of the ways, or none; on a chain of layers that ends here the choice is zero.
    """
    ends = {}
    for way in ways:
        parts, ends[f"on_{way.name}"] = _way(isa, way, entering[way.beside[0]])
        yield replace(parts[0], begins=way)
        yield from parts[1:]
    elsewhere = list(ends)
    if layers:
        yield _condition("on_chain", [_chosen(isa, isa.blocks[b], None) for b in layers])
        elsewhere.append("on_chain")
    terms = [f"({{VectorBits{{{on}}}}} & {end})" for on, end in ends.items()]
    terms.insert(0, f"({{VectorBits{{!({' || '.join(elsewhere)})}}}} & {value})")
    yield Signal(f"{last.record.lower()}_joined", "vec_t", "|", terms)


def _way(isa: Isa, way: Way, value: str) -> tuple[list[Part], str]:
    """Return the blocks of a way with the condition that it is gone, and the value at its end."""
    parts: list[Part] = []
    chosen = []
    for b in (isa.blocks[n] for n in way.beside if functions_of(isa, isa.blocks[n], way)):
        chosen.append(_chosen(isa, b, way))
        if b.kind == "Stream":
            value = "streamed_i"
        else:
            parts.append(_instance(isa, b, way, value))
            value = parts[-1].name
    return [*parts, _condition(f"on_{way.name}", chosen)], value


def _condition(name: str, terms: list[str]) -> Signal:
    return Signal(name, "logic", "||", terms)


def _chosen(isa: Isa, b: Block, way: Way | None) -> str:
    """The condition that a block does a function of a way, or of the chain."""
    functions, fn = functions_of(isa, b, way), f"{b.record.lower()}_fn_i"
    if b.kind == "Stream" and len(functions) == len(b.functions):
        return f"{fn} != {kind_name(isa, b.kind)}Pass"
    return f"{fn} inside {{{', '.join(f'{kind_name(isa, b.kind)}{f.record}' for f in functions)}}}"
