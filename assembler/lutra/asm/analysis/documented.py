"""Check headers of routines against the code: the registers that a routine writes, and its cycles if static.

This works without a run; `lutra test` also compares headers with the simulator.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from lutra.asm.analysis.corrections import can_be_written, spans
from lutra.asm.analysis.graph import Graph
from lutra.asm.analysis.headers import Header, HeaderError, Headers, parse, pattern
from lutra.asm.analysis.lengths import Job
from lutra.asm.analysis.routines import Registers, Routines
from lutra.asm.errors import Line, Origin
from lutra.asm.image import Image
from lutra.asm.reporter import Reporter
from lutra.isa import load

# Numbers of units to try a formula with.
SIZES = (1, 2, 3, 4, 8, 12)


@dataclass(frozen=True)
class Routine:
    """A program label that may have a header, its address, and its line."""

    name: str
    address: int
    line: Line


class Documented:
    """Routines with their headers. texts: source texts by file name."""

    def __init__(self, texts: Mapping[str, str], routines: Iterable[Routine], reporter: Reporter) -> None:
        self._texts = texts
        self._reporter = reporter
        self._headers = Headers(header for file, text in texts.items() for header in _parsed(file, text))
        self._found = [(routine, header) for routine in routines if (header := self._of(routine.name)) is not None]
        self._sharing: dict[tuple[Path, int], list[tuple[str, Registers]]] = {}  # place of Clobbers -> routines
        for routine, header in self._found:
            if (place := header.places.get("Clobbers")) is not None:
                self._sharing.setdefault(place, []).append((routine.name, frozenset(header.clobbers(routine.name))))

    def _of(self, name: str) -> Header | None:
        """Return the header of a routine; None without one or with several, which `lutra test` reports."""
        try:
            return self._headers.of(name)
        except HeaderError:
            return None

    def inputs(self) -> dict[int, Registers]:
        """Return address of a routine -> registers that its header names in Inputs."""
        isa = load()
        known = {*isa.vector_by_name, *isa.address_registers, "flag"}
        return {routine.address: frozenset(header.inputs() & known) for routine, header in self._found}

    def check(self, graph: Graph, routines: Routines, image: Image) -> None:
        """Report wrong headers. image: only its symbols are used."""
        written = {
            routine.name: routines.written(routine.address)
            for routine, _ in self._found
            if routine.address in graph.words
        }
        for routine, header in self._found:
            if routine.name not in written:
                continue
            text, hint = self._clobbers(routine, header, written)
            if text:
                self._report("header-clobbers", routine, header, "Clobbers", text, hint)
            text, hint = _cycles(graph, routine, header, image) if self._reporter.wants("header-cycles") else ("", "")
            if text:
                self._report("header-cycles", routine, header, "Cycles", text, hint)

    def _clobbers(self, routine: Routine, header: Header, written: Mapping[str, Registers]) -> tuple[str, str]:
        """Return what is wrong in the Clobbers of a routine, and a hint; a family with one header is written once."""
        if "Clobbers" not in header.fields:
            return "", ""
        said = header.clobbers(routine.name)
        sharing = self._sharing[header.places["Clobbers"]]
        family = [name for name, clobbers in sharing if name in written and clobbers == said]
        all_of_them = frozenset().union(*(written[name] for name in family))
        more, less = written[routine.name] - said, said - all_of_them
        parts = [f"it can also write {listed(more)}"] * bool(more) + [f"it never writes {listed(less)}"] * bool(less)
        if not parts:
            return "", ""
        hint = f"it writes {spans(all_of_them)}" if can_be_written(header, "Clobbers") else ""
        return f"Clobbers is wrong for '{routine.name}': {' and '.join(parts)}", hint

    def _report(self, name: str, routine: Routine, header: Header, field: str, text: str, hint: str = "") -> None:
        file, number = header.places[field]
        source = self._texts[str(file)].splitlines()[number - 1]
        # A line in the file of the routine, so that its `.allow` applies.
        line = Line(source, str(file), number, Origin(f"of the routine '{routine.name}'", routine.line))
        self._reporter.check(name, line, text, source.index(field), len(source.rstrip()), hint)


def _parsed(file: str, text: str) -> list[Header]:
    """Return the valid headers of a file; `lutra test` reports the others."""
    try:
        found = parse(Path(file), text)
    except HeaderError:
        return []  # a comment may only look like one
    return [header for header in found if _has_names(header)]


def _has_names(header: Header) -> bool:
    try:
        return bool([pattern(name) for name in header.names])
    except HeaderError:
        return False


def _cycles(graph: Graph, routine: Routine, header: Header, image: Image) -> tuple[str, str]:
    """Return what is wrong in the Cycles of a routine with static control flow, and a hint."""
    if "Cycles" not in header.fields:
        return "", ""
    job = Job(graph, routine.name, routine.address, image)
    for n in SIZES:
        try:
            said = header.cycles(routine.name, n, image)
        except HeaderError:
            break  # no formula, which `lutra test` reports
        counted = None if said is None else job.cycles(n)
        if counted is not None and counted != said:
            text = header.fields["Cycles"]
            which = "" if text == str(said) else f", which is {said}"
            of = f"{which} for n = {n}" if job.depends else which
            formula = job.formula()
            hint = f"computed: {formula}" if formula else ""
            return f"Cycles is wrong for '{routine.name}': it says {text}{of}; it takes {counted}", hint
        if said is not None and not job.depends:
            break  # another length would change nothing
    return "", ""


def listed(registers: Iterable[str]) -> str:
    """List registers in order of their numbers; `none` without any."""
    parts = sorted(registers, key=lambda r: (re.sub(r"\d", "", r), int("0" + re.sub(r"\D", "", r))))
    return ", ".join(parts) or "none"
