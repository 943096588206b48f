"""The datapath in C++: rows of `lutra_exec.inc.j2`, where each vector instruction is two functions."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from isagen import outside
from isagen.description import Insn, Step
from isagen.model import Isa
from isagen.text import render

# Side operands that are made of values on the path.
RESULTS = ("Q", "S", "K0G")


class Call(NamedTuple):
    """The call of a function: its value goes on along the path, two values go on, or it has a name of its own."""

    call: str
    pair: bool = False
    name: str = ""


class Path(NamedTuple):
    """A vector instruction: its place among the encodings, what is done up to L0, and what after it.

    partner: the partner of the result is the second source where nothing after L0 makes one.
    """

    insn: Insn
    number: int
    front: list[Call]
    back: list[Call]
    partner: bool


def files(isa: Isa) -> dict[str, str]:
    """Name -> text of the paths."""
    return {"lutra_exec.inc": executor(isa)}


def executor(isa: Isa) -> str:
    """Return two functions per vector instruction: the value after L0, and the rest of the path."""
    paths = [_path(isa, insn, number) for number, insn in enumerate(isa.insns) if isa.is_vector(insn)]
    return render("lutra_exec.inc", extensions=outside.HEADER, paths=paths)


def _path(isa: Isa, insn: Insn, number: int) -> Path:
    before = [s for s in insn.path if s.block in isa.blocks and isa.blocks[s.block].half == 0]
    return Path(
        insn=insn,
        number=number,
        front=[_step(isa, step) for step in before],
        back=list(_back(isa, insn)),
        partner=any(isa.blocks[s.block].partner for s in before),
    )


def _back(isa: Isa, insn: Insn) -> Iterator[Call]:
    """Yield the two halves, with the side operands that are made of values on the path."""
    if insn.takes("K0G"):
        yield Call(_going(isa, insn), name="k0g")
    for half in (1, 2):
        for step in insn.path:
            if step.block in isa.blocks and isa.blocks[step.block].half == half:
                yield _step(isa, step)
        if half == 1 and insn.takes("Q"):
            yield Call(f"x ^ {_side(isa, 'K1H')}", name="q")
        if half == 1 and insn.takes("S"):
            yield Call("x", name="s")


def _step(isa: Isa, step: Step) -> Call:
    return Call(_call(isa, step.block, step.function, step.sides), pair=bool(isa.blocks[step.block].partner))


def _going(isa: Isa, insn: Insn) -> str:
    """Lanes of K0, by the value that enters the first half and the direction in which it moves."""
    args = (_side(isa, "K0"), "x", f"o.{isa.sides['N'].symbol}", str(insn.moves_right).lower())
    return f"fn::going({', '.join(args)})"


def _side(isa: Isa, record: str) -> str:
    """The value of a side operand."""
    side = isa.sides[record]
    if record == "C":
        return f"fn::turned(o.{side.symbol}, o.{isa.sides['N'].symbol})"
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
