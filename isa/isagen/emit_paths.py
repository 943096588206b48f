"""The datapath in C++: rows of `lutra_exec.inc.j2`, where each vector instruction is two functions."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from isagen import outside
from isagen.description import Insn, SideOperand, Step
from isagen.model import Isa
from isagen.text import render


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
    lookups = [path for path in paths if isa.facts[path.insn.record].lookups]
    return render("lutra_exec.inc", extensions=outside.HEADER, paths=paths, lookups=lookups)


def _path(isa: Isa, insn: Insn, number: int) -> Path:
    before = [s for s in insn.path if s.block in isa.blocks and isa.blocks[s.block].half == 0]
    return Path(
        insn=insn,
        number=number,
        front=[_step(isa, insn, step) for step in before],
        back=list(_back(isa, insn)),
        partner=any(isa.blocks[s.block].partner for s in before),
    )


def _back(isa: Isa, insn: Insn) -> Iterator[Call]:
    """Yield the two halves, each after the side operands that are made of the value that enters it."""
    for half in (1, 2):
        for side in isa.sides.values():
            if side.half == half and insn.takes(side.record):
                yield Call(_made(isa, insn, side), name=side.symbol)
        for step in insn.path:
            if step.block in isa.blocks and isa.blocks[step.block].half == half:
                yield _step(isa, insn, step)


def _step(isa: Isa, insn: Insn, step: Step) -> Call:
    return Call(_call(isa, insn, step), pair=bool(isa.blocks[step.block].partner))


def _made(isa: Isa, insn: Insn, side: SideOperand) -> str:
    """A side operand, where its parts are."""
    own = "x" if side.half else "" if side.blocks and side.made else f"o.{side.symbol}"
    if not side.made:
        return own
    args = [own] if own else []
    args += [_side(isa, insn, record) for record in side.of]
    if side.directed:
        args.append(str(insn.moves_right).lower())
    return f"fn::{side.made}({', '.join(args)})"


def _side(isa: Isa, insn: Insn, record: str) -> str:
    """The value of a side operand: by its name where it is made on the way."""
    side = isa.sides[record]
    return side.symbol if side.half else _made(isa, insn, side)


def _call(isa: Isa, insn: Insn, step: Step) -> str:
    b, f = isa.blocks[step.block], isa.functions[step.function]
    if f.kind == "Lookup":
        return f"fn::{f.symbol}(x, tables[{isa.banks().index(step.block)}])"
    if f.kind == "Stream":
        return f"fn::{f.symbol}(x, tables, o.stream)"
    args = ["x"]
    if b.partner:
        args = [f"Pair{{x, {_side(isa, insn, b.partner[0])}}}"]
    for port in (b.port_y, b.port_z)[: f.sides]:
        side = next((s for s in step.sides if s in port), None)
        args.append(_side(isa, insn, side) if side else "Value{}")
    if f.immediate:
        args += [_side(isa, insn, side.record) for side in isa.sides.values() if side.field == "n"]
    return f"fn::{f.symbol}({', '.join(args)})"
