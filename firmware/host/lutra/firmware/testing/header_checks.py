"""Check a header: its form, and its statements against what the simulator observes."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from lutra.asm import Image
from lutra.asm.analysis.corrections import Correction, can_be_written, spans
from lutra.asm.analysis.documented import listed
from lutra.asm.analysis.headers import FIELDS, VARIABLE, Header, HeaderError, Headers
from lutra.asm.analysis.lengths import fitted, streams
from lutra.firmware.testing.observe import Seen

NONE = (("Inputs", "none"), ("Clobbers", "none"))


def form(header: Header) -> list[str]:
    """Return errors in the form of a header: order of its fields, and unknown or empty fields."""
    known = [f for f in FIELDS if f in header.fields]
    wrong = [f"unknown field {f}; choose from {', '.join(FIELDS)}" for f in header.fields if f not in FIELDS]
    if not wrong and known != list(header.fields):
        wrong.append(f"the fields are in the order {', '.join(header.fields)}; the right one is {', '.join(known)}")
    # `none` is allowed in fields that are checked, or where it is meaningful.
    nothing = [f for f, text in header.fields.items() if re.fullmatch(r"(as said|none|-)?", text)]
    return wrong + [f"{f} is empty" for f in nothing if (f, header.fields[f]) not in NONE]


def unused(headers: Headers, routines: Iterable[str]) -> list[tuple[Header, str]]:
    """Return names in headers that match no routine."""
    used = {(h.place, n) for routine in routines for level in headers.matching(routine) for h, n in level}
    return [(h, n) for h in headers.all for n in h.names if (h.place, n) not in used]


def clobbers(header: Header, routine: str, seen: Mapping[str, Seen], headers: Headers, whole: bool = True) -> list[str]:
    """The registers written are those of Clobbers.

    Of a family as a whole: keys of 192 bits leave out a step that others have, or the other way round. whole: all of
    the family has been seen.
    """
    if "Clobbers" not in header.fields:
        return []
    said = header.clobbers(routine)
    said_of = {name: other for name in seen if (other := headers.of(name)) is not None}
    same = {n for n, h in said_of.items() if h.places.get("Clobbers") == header.places["Clobbers"]}
    family = {name for name in same if header.clobbers(name) == said}
    written = set().union(*(seen[n].registers for n in family))
    if written == said or (not whole and written < said):
        return []
    return [f"Clobbers says {listed(said)}; the routine writes {listed(written)}"]


def memory(header: Header, seen: Seen) -> list[str]:
    """Check that written memory is named under Outputs or Memory, by its label or its space."""
    named = header.outputs()
    wrong = [row for row in sorted(seen.rows) if not named & {*row[0].split(":"), row[1]}]
    return [f"writes {label or 'memory'} in {space}, which neither Outputs nor Memory names" for space, label in wrong]


def cycles(header: Header, routine: str, seen: Seen, image: Image) -> list[str]:
    """The cycles are those of the formula, for every number of units that it covers."""
    if "Cycles" not in header.fields:
        return []
    wrong = []
    for n, measured in sorted(seen.cycles, key=lambda run: run[0] or 0):
        said = header.cycles(routine, n, image)
        if said is not None and said != measured:
            of = f", which is {said} for n = {n}" if n and str(said) != header.fields["Cycles"] else ""
            wrong.append(f"Cycles says {header.fields['Cycles']}{of}; measured: {measured}")
    return wrong[:1]


def time(header: Header, routine: str) -> list[str]:
    """Check that Time says `constant`, or that the name ends in `_var`."""
    text = header.fields.get("Time", "")
    if not text or text.startswith("constant") != routine.endswith(VARIABLE):
        return []
    if text.startswith("constant"):
        return [f"Time says {text!r}, but the suffix {VARIABLE} means that the time depends on secrets"]
    return [f"Time says {text!r}; write constant, or end the name in {VARIABLE}"]


def corrections(
    header: Header, seen: Mapping[str, Seen], headers: Headers, images: Mapping[str, Image]
) -> list[Correction]:
    """Correct Clobbers and Cycles of a header where they are wrong, as far as one text is right of all its
    routines. All of these have been seen.
    """
    found = []
    for field, right in (("Clobbers", _right_clobbers), ("Cycles", _right_cycles)):
        if not can_be_written(header, field):
            continue
        place = header.places[field]
        said_of = {name: other for name in seen if (other := headers.of(name)) and other.places.get(field) == place}
        text = right(said_of, seen, images)
        if text:
            found.append(Correction(*place, field, text))
    return found


def _right_clobbers(said_of: Mapping[str, Header], seen: Mapping[str, Seen], _images: Mapping[str, Image]) -> str:
    """The text of the field; empty where it is right."""
    written = set().union(*(seen[name].registers for name in said_of))
    return "" if all(h.clobbers(name) == written for name, h in said_of.items()) else spans(written)


def _right_cycles(said_of: Mapping[str, Header], seen: Mapping[str, Seen], images: Mapping[str, Image]) -> str:
    """The same; empty, too, where the cycles are on no line, or not on one for all routines."""
    if not any(_is_wrong(header, name, seen[name], images[name]) for name, header in said_of.items()):
        return ""
    texts = {_formula(name, seen[name]) for name in said_of}
    return texts.pop() if len(texts) == 1 else ""


def _is_wrong(header: Header, name: str, seen: Seen, image: Image) -> bool:
    try:
        return bool(cycles(header, name, seen, image))
    except HeaderError:
        return True


def _formula(name: str, seen: Seen) -> str:
    """Cycles of a routine as it was seen: each number of units takes one number of them."""
    points = {(n or 0, measured) for n, measured in seen.cycles}
    return fitted(dict(points), streams(name)) if len(dict(points)) == len(points) else ""
