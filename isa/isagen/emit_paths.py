"""The paths as code: in C++ for the simulator (`lutra_exec.inc.j2`), in Python for values of any kind
(`paths.py.j2`)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from isagen import outside
from isagen.description import Insn, SideOperand, Step
from isagen.model import Isa
from isagen.text import render


class Language(NamedTuple):
    """How a call is written. pair: of the value on the path and its partner, {}."""

    call: str
    zero: str
    pair: str
    truth: tuple[str, str]


CPP = Language("fn::", "Value{}", "Pair{{x, {}}}", ("false", "true"))
PYTHON = Language("fn.", "zero", "(x, {})", ("False", "True"))


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
    """Name -> text of the paths in C++."""
    return {"lutra_exec.inc": executor(isa)}


def files_python(isa: Isa) -> dict[str, str]:
    """Name -> text of the paths in Python: a function per vector instruction."""
    return {"paths.py": render("paths.py", paths=_paths(isa, PYTHON))}


def executor(isa: Isa) -> str:
    """Return two functions per vector instruction: the value after L0, and the rest of the path."""
    paths = _paths(isa, CPP)
    lookups = [path for path in paths if isa.facts[path.insn.record].lookups]
    return render("lutra_exec.inc", extensions=outside.HEADER, paths=paths, lookups=lookups)


def _paths(isa: Isa, language: Language) -> list[Path]:
    return [_path(isa, language, insn, number) for number, insn in enumerate(isa.insns) if isa.is_vector(insn)]


def _path(isa: Isa, language: Language, insn: Insn, number: int) -> Path:
    before = [s for s in insn.path if s.block in isa.blocks and isa.blocks[s.block].half == 0]
    return Path(
        insn=insn,
        number=number,
        front=[_step(isa, language, insn, step) for step in before],
        back=list(_back(isa, language, insn)),
        partner=any(isa.blocks[s.block].partner for s in before),
    )


def _back(isa: Isa, language: Language, insn: Insn) -> Iterator[Call]:
    """Yield the two halves, each after the side operands that are made of the value that enters it."""
    for half in (1, 2):
        for side in isa.sides.values():
            if side.half == half and insn.takes(side.record):
                yield Call(_made(isa, language, insn, side), name=side.symbol)
        for step in insn.path:
            if step.block in isa.blocks and isa.blocks[step.block].half == half:
                yield _step(isa, language, insn, step)


def _step(isa: Isa, language: Language, insn: Insn, step: Step) -> Call:
    return Call(_call(isa, language, insn, step), pair=bool(isa.blocks[step.block].partner))


def _made(isa: Isa, language: Language, insn: Insn, side: SideOperand) -> str:
    """A side operand, where its parts are."""
    own = "x" if side.half else "" if side.blocks and side.made else f"o.{side.symbol}"
    if not side.made:
        return own
    args = [own] if own else []
    args += [_side(isa, language, insn, record) for record in side.of]
    if side.directed:
        args.append(language.truth[insn.moves_right])
    return f"{language.call}{side.made}({', '.join(args)})"


def _side(isa: Isa, language: Language, insn: Insn, record: str) -> str:
    """The value of a side operand: by its name where it is made on the way."""
    side = isa.sides[record]
    return side.symbol if side.half else _made(isa, language, insn, side)


def _call(isa: Isa, language: Language, insn: Insn, step: Step) -> str:
    b, f = isa.blocks[step.block], isa.functions[step.function]
    if f.kind == "Lookup":
        return f"{language.call}{f.symbol}(x, tables[{isa.banks().index(step.block)}])"
    if f.kind == "Stream":
        return f"{language.call}{f.symbol}(x, tables, o.stream)"
    args = ["x"]
    if b.partner:
        args = [language.pair.format(_side(isa, language, insn, b.partner[0]))]
    for port in (b.port_y, b.port_z)[: f.sides]:
        side = next((s for s in step.sides if s in port), None)
        args.append(_side(isa, language, insn, side) if side else language.zero)
    if f.immediate:
        args += [_side(isa, language, insn, side.record) for side in isa.sides.values() if side.field == "n"]
    return f"{language.call}{f.symbol}({', '.join(args)})"
