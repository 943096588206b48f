"""Compare two packs."""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields
from typing import Any

from lutra.asm import disassemble
from lutra.firmware.pack.format import digest
from lutra.firmware.pack.opened import image
from lutra.firmware.pack.records import Algorithm, Answer, Contents, Pack, Run, Segment
from lutra.firmware.pack.space import is_program

# Characters of differing bytes that fit on a line.
SHOWN_BYTES = 16


@dataclass(frozen=True)
class Change:
    """A change of one item. before, after: empty if it does not exist."""

    what: str
    before: str
    after: str

    def lines(self) -> list[str]:
        """Return the lines in the style of diff."""
        sides = (("-", self.before), ("+", self.after))
        return [self.what, *(f"  {sign} {line}" for sign, text in sides for line in text.splitlines())]


def envelope(before: Pack, after: Pack) -> Iterator[Change]:
    """Return the changes of the format, of the roots and of the signers."""
    yield from _changed("format", before.format, after.format)
    roots = ["\n".join(digest(signed.root).hex() for signed in p.roots) for p in (before, after)]
    if roots[0] != roots[1]:
        yield Change("roots", *roots)
    elif [s.key for s in before.signatures] != [s.key for s in after.signatures]:
        yield Change("signatures", *(", ".join(f"key {s.key}" for s in p.signatures) for p in (before, after)))


def contents(before: Contents, after: Contents) -> Iterator[Change]:
    """Changes of the manifest and of the parts."""
    old, new = before.manifest, after.manifest
    for name in ("name", "version", "counter", "isa"):
        yield from _changed(name, getattr(old, name), getattr(new, name))
    for field in fields(old.core):
        yield from _changed(f"core: {field.name}", getattr(old.core, field.name), getattr(new.core, field.name))
    images = [
        {part.name: (part, segments) for part, segments in zip(c.manifest.images, c.images, strict=True)}
        for c in (before, after)
    ]
    for name in _names(*images):
        yield from _image(f"image {name}", images[0].get(name), images[1].get(name))
    algorithms = [{a.name: a for a in m.algorithms} for m in (old, new)]
    numbers = [{n: part.name for n, part in enumerate(m.parts)} for m in (old, new)]
    for name in _names(*algorithms):
        described = [_algorithm(a.get(name), n) for a, n in zip(algorithms, numbers, strict=True)]
        for key in _names(*described):
            yield from _changed(f"algorithm {name}{key}", described[0].get(key, ""), described[1].get(key, ""))
    answers = [{a.name: a for a in c.answers} for c in (before, after)]
    for name in _names(*answers):
        described = [_answer(a.get(name), n) for a, n in zip(answers, numbers, strict=True)]
        for key in _names(*described):
            yield from _changed(f"known answer {name}{key}", described[0].get(key, ""), described[1].get(key, ""))


def _names(before: Mapping[str, Any], after: Mapping[str, Any]) -> list[str]:
    return list({**before, **after})


def _changed(what: str, before: object, after: object) -> Iterator[Change]:
    if before != after:
        yield Change(what, str(before), str(after))


def _image(what: str, before: Any, after: Any) -> Iterator[Change]:
    if before is None or after is None:
        yield Change(what, *("" if side is None else f"{side[0].size} bytes" for side in (before, after)))
        return
    maps = ["\n".join(f"{r.space} {r.first:#06x}, {r.size} bytes" for r in side[0].map) for side in (before, after)]
    yield from _changed(f"{what}: map", *maps)
    old, new = (_disassembly(side[1]) for side in (before, after))
    for tag, low, high, start, end in difflib.SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if tag != "equal":
            lines = (old[low:high], new[start:end])
            yield Change(f"{what}: instructions from {low:#06x}", *("\n".join(some) for some in lines))
    yield from _data(what, *(_bytes(side[1]) for side in (before, after)))


def _disassembly(segments: tuple[Segment, ...]) -> list[str]:
    return [disassemble(word, pc) for pc, word in enumerate(image(segments).program)]


def _bytes(segments: tuple[Segment, ...]) -> dict[tuple[str, int], str]:
    """Rows of the data memories and tables, of as many bytes as belong on a line."""
    found: dict[tuple[str, int], str] = {}
    for s in segments:
        if not is_program(s.space):
            for at in range(0, len(s.data), SHOWN_BYTES):
                found[s.space, s.offset + at] = s.data[at : at + SHOWN_BYTES].hex()
    return found


def _data(what: str, before: Mapping[tuple[str, int], str], after: Mapping[tuple[str, int], str]) -> Iterator[Change]:
    for space, offset in sorted({**before, **after}):
        row = (before.get((space, offset), ""), after.get((space, offset), ""))
        yield from _changed(f"{what}: {space}@{offset:#05x}", *row)


def _algorithm(algorithm: Algorithm | None, images: Mapping[int, str]) -> dict[str, object]:
    """Return the properties of an algorithm by name."""
    if algorithm is None:
        return {}
    shown: dict[str, object] = {f": {f.name}": getattr(algorithm, f.name) for f in fields(algorithm)}
    shown |= {": image": images[algorithm.image], ": cycles": f"{algorithm.cycles / 1000:.3f}"}
    shown.pop(": decryption")
    if other := algorithm.decryption:
        shown |= {f": decryption: {f.name}": getattr(other, f.name) for f in fields(other)}
        shown |= {": decryption: image": images[algorithm.call("decrypt").image]}
    shown |= {": proof": algorithm.proof.specification.hex() if algorithm.proof else "none"}
    for way, routines in algorithm.routines.items():
        shown.pop(f": {way}")
        shown |= {f": {way} {role}": f"{entry:#06x}" for role, entry in routines.items()}
    return {"": "there", **shown}


def _answer(answer: Answer | None, images: Mapping[int, str]) -> dict[str, object]:
    if answer is None:
        return {}
    runs = [step.cycles for step in answer.steps if isinstance(step, Run)]
    others = tuple(step for step in answer.steps if not isinstance(step, Run))
    shown = digest(repr(others).encode()).hex()[:16]
    return {"": "there", ": image": images[answer.image], ": cycles": ", ".join(map(str, runs)), ": data": shown}
