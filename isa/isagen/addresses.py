"""Address arithmetic from its records: what a delta adds, when a wrap loads the register anew."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import combinations

from isagen.description import Description
from isagen.records import Delta, Wrap

COMPARISONS = ("", ">", ">=", "<", "<=")


def terms(delta: Delta, row: str, step: str, number: str = "{}") -> str:
    """Return the amount of a delta in the notation that all languages share: ` + row - 2 * step`; empty for none."""
    out = ""
    for count, what in ((delta.rows, row), (delta.steps, step)):
        factor = f"{number.format(abs(count))} * " if abs(count) > 1 else ""
        out += f" {'+' if count > 0 else '-'} {factor}{what}" if count else ""
    return out


def describe(delta: Delta, wrap: Wrap, bounds: Mapping[str, str]) -> str:
    """A pattern in words; bounds: symbol -> name of the ends of a window."""
    added = terms(delta, "16", "step")
    text = f"then ar = ar{added}" if added else "ar unchanged"
    if wrap.comparison:
        text += f"; if ar {wrap.comparison} {bounds[wrap.bound]}, ar = {bounds[wrap.reload]}"
    return text


def findings(isa: Description) -> Iterator[str]:
    """Yield errors in the description's deltas and wraps."""
    for record, text in _findings(isa):
        yield f"{isa.locs[record]}: {record}: {text}"


def _findings(isa: Description) -> Iterator[tuple[str, str]]:
    for one, other in combinations(isa.deltas, 2):
        if (one.rows, one.steps) == (other.rows, other.steps):
            yield other.record, f"adds the same as {one.record}"
    for delta in isa.deltas:
        if (delta.code == 0) != (delta.rows == delta.steps == 0):
            yield delta.record, "code 0 is the delta that adds nothing"
    for wrap in isa.wraps:
        if wrap.comparison not in COMPARISONS:
            yield wrap.record, f"{wrap.comparison!r} is none of {', '.join(map(repr, COMPARISONS))}"
        if (wrap.code == 0) != (wrap.comparison == ""):
            yield wrap.record, "code 0 is the wrap that never loads the register"
