"""Headers put right: what a field has to say, and the lines of the source that say it then."""

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
INDENT = 10  # of a line that goes on with a field (headers.py)
# The text of a field that says the same of all routines of its header, or nothing yet.
_FORMULA = r"[0-9n ()+*/-]+(, (even n|n a multiple of \d+|n)?( ?from \d+)?( ?to \d+)?)?"
_REGISTER = r"[a-z]+\d*(-[a-z]+\d+)?"
PLAIN = {"Clobbers": re.compile(rf"({_REGISTER}(, {_REGISTER})*)?"), "Cycles": re.compile(rf"({_FORMULA})?")}


@dataclass(frozen=True)
class Correction:
    """The text that a field of a header has to have; line: where the field begins."""

    file: Path
    line: int
    field: str
    text: str


def can_be_written(header: Header, field: str) -> bool:
    """Whether one text can replace that of a field: it tells no routines apart, and has no words of its own."""
    return field in header.places and PLAIN[field].fullmatch(header.fields[field]) is not None


def spans(registers: Iterable[str]) -> str:
    """Registers as headers have them: three in a row as `v0-v2`, address registers last; `none` without any."""
    isa = load()
    order = [*isa.vector_by_name, *isa.stream_contexts, *isa.address_registers]
    parts = sorted((order.index(name), name) for name in registers)
    found: list[str] = []
    # In a row are those of one kind whose place is as far from their index as that of the others.
    for (_, kind), group in groupby(
        enumerate(parts), key=lambda item: (item[1][0] - item[0], item[1][1].rstrip(digits))
    ):
        row = [name for _, (_, name) in group]
        found += [f"{row[0]}-{row[-1]}"] if len(row) > 2 and kind != row[0] else row
    return ", ".join(found) or "none"


def lines(source: Sequence[str], correction: Correction) -> tuple[int, list[str]]:
    """The number of source lines that the field takes, and the lines in their place; none of them with its end.

    ValueError where the source does not have the field in this line.
    """
    rest = list(source[correction.line - 1 :]) if correction.line > 0 else []
    begin = re.match(rf"// {re.escape(correction.field)}:[ \t]*", rest[0]) if rest else None
    if begin is None:
        raise ValueError(f"line {correction.line} is not the field {correction.field}")
    more = takewhile(lambda line: line.startswith("//" + " " * INDENT), rest[1:])
    # An empty field has no blanks to go by.
    lead = f"{begin[0].rstrip():<{2 + INDENT}} " if begin[0] == rest[0] else begin[0]
    indent = "//" + " " * (len(lead) - 2)
    return 1 + len(list(more)), textwrap.wrap(correction.text, WIDTH, initial_indent=lead, subsequent_indent=indent)


def corrected(text: str, corrections: Iterable[Correction]) -> str:
    """A source with its fields put right; the ends of its other lines stay as they are."""
    whole = text.splitlines(keepends=True)
    bare = text.splitlines()
    for correction in sorted(corrections, key=lambda c: -c.line):
        count, new = lines(bare, correction)
        at = correction.line - 1
        end = whole[at][len(bare[at]) :]
        whole[at : at + count] = [line + end for line in new]
    return "".join(whole)
