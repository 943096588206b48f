"""Compute the results of control and address instructions from the formulas of their blocks in the tables."""

from __future__ import annotations

import re
from functools import lru_cache
from types import CodeType

from lutra.isa import Bits, Insn, load

_ASSIGNS = re.compile(r"(ad|taken) = (.+)")
_WORDS = re.compile(r"[a-z]+")


@lru_cache
def _instruction(name: str) -> Insn:
    return next(i for i in load().instructions if i.name == name)


@lru_cache
def _compiled(name: str) -> dict[str, tuple[CodeType, frozenset[str]]]:
    """Target of a formula on the path of an instruction -> the expression, and the names in it."""
    insn = _instruction(name)
    found = {}
    for step in insn.path:
        for part in step.formula.split("; "):
            if (parsed := _ASSIGNS.fullmatch(part)) is not None and not insn.vector:
                text = parsed[2].replace(" mod ", " % ")
                found[parsed[1]] = compile(text, name, "eval"), frozenset(_WORDS.findall(text))
    return found


@lru_cache
def _bits(name: str, field: str) -> Bits:
    """Return the place of a field in an instruction, even of one that its encoding fixes."""
    insn = _instruction(name)
    others = (i for i in load().instructions if i.format == insn.format)
    return next(i.fields[field] for i in (insn, *others) if field in i.fields)


def field(insn: Insn, word: int, name: str) -> int:
    """Return the value of a field of a word, even of one that the encoding fixes. Raises StopIteration without it."""
    return _bits(insn.name, name).of(word)


def computed(insn: Insn, word: int, source: int | None, flag: int | None) -> tuple[int | None, bool | None]:
    """Return (value written to the address register, whether the transfer is taken); None for unknown ones.

    source: value of the register in field `as`; flag: the flag; None if unknown.
    """
    compiled = _compiled(insn.name)
    known = {"s": source, "flag": flag, "n": field(insn, word, "n") if "n" in _names(insn) else None}
    written = source
    if "ad" in compiled:
        written = _value(compiled["ad"], known)
        written = None if written is None else written & (1 << load().machine["AddressBits"]) - 1
    taken = _value(compiled["taken"], known | {"v": written}) if "taken" in compiled else True
    return written, None if taken is None else bool(taken)


def _names(insn: Insn) -> frozenset[str]:
    return frozenset().union(*(names for _, names in _compiled(insn.name).values()))


def _value(formula: tuple[CodeType, frozenset[str]], known: dict[str, int | None]) -> int | None:
    code, names = formula
    values = {name: known.get(name) for name in names}
    if None in values.values():
        return None
    return int(eval(code, {"__builtins__": {}}, values))
