"""When the instructions of a text issue and for what they wait, and the cycles of routines: hints and lenses."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

from lsprotocol import types

from lutra.asm.analysis import schedule
from lutra.asm.analysis.cycles import cycles
from lutra.asm.analysis.graph import Graph
from lutra.asm.analysis.headers import HeaderError, parse, pattern
from lutra.asm.analysis.interlock import Issue
from lutra.asm.image import Image
from lutra.asm.passes.parse import strip_comment
from lutra.asm.text.columns import Span
from lutra.editor.analyses import Analysed
from lutra.editor.documents import Document
from lutra.isa import load

T = TypeVar("T")

# A header can stand over the routines of many ciphers.
MOST = 6


class Schedules:
    """Schedules of programs, each computed once as long as its program is the one that is known."""

    def __init__(self) -> None:
        self._kept: dict[tuple[str, ...], tuple[Analysed, dict[str, Any]]] = {}

    def _of(self, known: Analysed, what: str, compute: Callable[[Image], T], nothing: T) -> T:
        image = known.analysis.image
        if image is None:
            return nothing
        old = self._kept.get(known.program.sources)
        if old is None or old[0] is not known:
            old = self._kept[known.program.sources] = known, {}
        if what not in old[1]:
            old[1][what] = compute(image)
        found: T = old[1][what]
        return found

    def issues(self, known: Analysed) -> Mapping[int, Issue]:
        """Cycles of a program's words, by address; none if it cannot be assembled."""
        return self._of(known, "", schedule.program, {})

    def routine(self, known: Analysed, name: str) -> str:
        """The cycles of a routine; empty where its control is not static."""
        found = self._of(known, name, lambda image: cycles(Graph.of(image), image.symbol(name).value), None)
        if found is None or found.total is None:
            return ""
        return f"{name}: {found.total} cycles, {found.instructions} instructions"


def hints(
    file: str, document: Document, known: Analysed, issues: Mapping[int, Issue], first: int, last: int
) -> Iterator[types.InlayHint]:
    """A hint at the end of each line that has become words, from a line to another."""
    for number in range(first, last + 1):
        words = [(pc, placed) for pc, placed in known.words.get((file, number), ()) if pc in issues]
        if not words:
            continue
        code = strip_comment(document.line(number)).rstrip()
        stalls = [issues[pc].stall for pc, _ in words]
        if len(words) == 1:
            issue = issues[words[0][0]]
            label = f"{issue.cycle}" + (f" +{issue.stall} {issue.waits[0].cause}" if issue.stall else "")
            tip = f"issues in cycle {issue.cycle} of its piece of the program" + _waits(known, issue)
        elif all(placed.line.file == file and placed.line.number == number for _, placed in words):
            waits = f" +{min(stalls)}..{max(stalls)}" if max(stalls) else ""
            label, tip = f"{len(words)} times{waits}", f"{len(words)} expansions of this line"
        else:
            label = f"{len(words)} words" + (f" +{sum(stalls)}" if any(stalls) else "")
            tip = f"{len(words)} words come from this line, which wait {sum(stalls)} cycles in all"
        yield types.InlayHint(
            document.position(number, len(code)), label, padding_left=True, tooltip=f"{known.program.name}: {tip}"
        )


def _waits(known: Analysed, issue: Issue) -> str:
    """Describe what an instruction waits for."""
    lines = []
    for wait in issue.waits:
        placed = known.analysis.owners.get(wait.producer)
        of = f" of {Path(placed.line.file).name}:{placed.line.number}" if placed else ""
        what = f" for {wait.cell}{of}" if wait.cell else ""
        lines.append(f"waits {wait.cycles} cycles{what} ({wait.cause})")
    return "".join(f"; {line}" for line in lines)


def lenses(schedules: Schedules, file: str, document: Document, programs: Sequence[Analysed]) -> list[types.CodeLens]:
    """A line over each header, and over each global routine without one: its cycles as said, and as scheduled."""
    try:
        headers = parse(Path(file), document.text)
    except HeaderError:
        headers = ()
    found: list[tuple[int, list[str]]] = []
    routines = {name: known for known in reversed(programs) for name in _routines(known)}
    covered: set[str] = set()
    for header in headers:
        names = [name for name in sorted(routines) if any(pattern(n).fullmatch(name) for n in header.names)]
        covered.update(names)
        said = header.fields.get("Cycles", "")
        counted = [schedules.routine(routines[name], name) for name in names[:MOST]]
        found.append((header.line, [f"cycles: {said}" if said else "", *counted]))
    for name, known in routines.items():
        place = _place(known, name)
        if name not in covered and place is not None and place.file == file:
            found.append((place.line, [schedules.routine(known, name)]))
    return [_lens(document, line, "; ".join(filter(None, texts))) for line, texts in sorted(found) if any(texts)]


def _routines(known: Analysed) -> list[str]:
    image = known.analysis.image
    symbols = () if image is None else image.symbols
    return [symbol.name for symbol in symbols if symbol.is_global and symbol.space == load().program.name]


def _place(known: Analysed, name: str) -> Span | None:
    """Return the place where a global label is defined."""
    return next((n.place for n in known.index.meanings if n.text == name and n.kind == "label"), None)


def _lens(document: Document, number: int, title: str) -> types.CodeLens:
    where = document.range(Span("", number, 0, len(document.line(number))))
    # A command without a name is only shown.
    return types.CodeLens(where, command=types.Command(title, ""))
