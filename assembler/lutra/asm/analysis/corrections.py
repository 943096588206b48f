"""Correct headers: the right text of a field, and the corrected lines of the source."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby, takewhile
from pathlib import Path
from string import digits

from lutra.asm.analysis.headers import Header
from lutra.isa import load

WIDTH = 120
INDENT = 10  # of a line that continues a field (headers.py)
# Text of a field that holds for all routines of its header, or an empty one.
_FORMULA = r"[0-9n ()+*/-]+(, (even n|n a multiple of \d+|n)?( ?from \d+)?( ?to \d+)?)?"
_REGISTER = r"[a-z]+\d*(-[a-z]+\d+)?"
PLAIN = {"Clobbers": re.compile(rf"({_REGISTER}(, {_REGISTER})*)?"), "Cycles": re.compile(rf"({_FORMULA})?")}


@dataclass(frozen=True)
class Correction:
    """The correct text of a header field; line: where the field begins."""

    file: Path
    line: int
    field: str
    text: str


def can_be_written(header: Header, field: str) -> bool:
    """Whether a field can be rewritten: it makes no difference between routines and contains no prose."""
    return field in header.places and PLAIN[field].fullmatch(header.fields[field]) is not None


def spans(registers: Iterable[str]) -> str:
    """Format registers as headers do: ranges as `v0-v2`, address registers last; `none` without any."""
    isa = load()
    order = [*isa.vector_by_name, *isa.stream_contexts, *isa.address_registers]
    parts = sorted((order.index(name), name) for name in registers)
    found: list[str] = []
    # Registers of one kind form a range if place minus index is the same for all.
    for (_, kind), group in groupby(
        enumerate(parts), key=lambda item: (item[1][0] - item[0], item[1][1].rstrip(digits))
    ):
        row = [name for _, (_, name) in group]
        found += [f"{row[0]}-{row[-1]}"] if len(row) > 2 and kind != row[0] else row
    return ", ".join(found) or "none"


def lines(source: Sequence[str], correction: Correction) -> tuple[int, list[str]]:
    """Return the number of source lines of the field, and the lines to replace them, without line ends.

    Raises ValueError if the source does not have the field in this line.
    """
    rest = list(source[correction.line - 1 :]) if correction.line > 0 else []
    begin = re.match(rf"// {re.escape(correction.field)}:[ \t]*", rest[0]) if rest else None
    if begin is None:
        raise ValueError(f"line {correction.line} does not have the field {correction.field}")
    more = takewhile(lambda line: line.startswith("//" + " " * INDENT), rest[1:])
    # An empty field has no blanks to align with.
    lead = f"{begin[0].rstrip():<{2 + INDENT}} " if begin[0] == rest[0] else begin[0]
    indent = "//" + " " * (len(lead) - 2)
    return 1 + len(list(more)), textwrap.wrap(correction.text, WIDTH, initial_indent=lead, subsequent_indent=indent)


def corrected(text: str, corrections: Iterable[Correction]) -> str:
    """Return a source with corrected fields; line ends of the other lines do not change."""
    whole = text.splitlines(keepends=True)
    bare = text.splitlines()
    for correction in sorted(corrections, key=lambda c: -c.line):
        count, new = lines(bare, correction)
        at = correction.line - 1
        end = whole[at][len(bare[at]) :]
        whole[at : at + count] = [line + end for line in new]
    return "".join(whole)
