"""Findings of the assembler as an editor shows them: each where its text was written, with the way that led there."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from lsprotocol import types

from lutra.asm.errors import Diagnostic, Line
from lutra.asm.text.columns import Columns, Span
from lutra.editor.analyses import Analysed
from lutra.editor.workspace import Workspace

SOURCE = "lutra"
_SEVERITIES = {"error": types.DiagnosticSeverity.Error, "warning": types.DiagnosticSeverity.Warning}
_NOTE = re.compile(r"(.*):(\d+): note: (.*)", re.DOTALL)
# `first defined in FILE:LINE` and the like, in a hint.
_PLACE = re.compile(r"(?<![\w/.])((?:/|\w+:)[^:,\n]*):(\d+)")
# Limit per text.
MAX_FINDINGS = 1000


def findings(workspace: Workspace, programs: Iterable[Analysed]) -> Mapping[str, list[types.Diagnostic]]:
    """File -> what is to be shown in it, of some programs; the same finding of several programs once."""
    found: dict[str, list[types.Diagnostic]] = {}
    seen: set[tuple[str, str]] = set()
    for known in programs:
        columns = Columns()
        for diagnostic in known.analysis.diagnostics:
            for file, item in _items(workspace, known, columns, diagnostic):
                key = file, f"{item.range} {item.message}"
                if key not in seen and len(found.setdefault(file, [])) < MAX_FINDINGS:
                    seen.add(key)
                    found[file].append(item)
    return found


def _items(
    workspace: Workspace, known: Analysed, columns: Columns, finding: Diagnostic
) -> Iterable[tuple[str, types.Diagnostic]]:
    """A finding at its place; and where its source leads there, if the place is in a file that is not open."""
    line, source = finding.at, known.program.sources[0]
    if line is None or line.file not in known.texts:
        file = finding.file if finding.file in known.files else source
        yield file, _item(workspace, known, finding, Span(file, max(finding.line, 1), 0, 0), [])
        return
    start = finding.column - 1
    place = columns.span(line, start, start + finding.width)
    related = [] if (place.file, place.line) == (line.file, line.number) else [(line.file, line.number, "in this line")]
    yield place.file, _item(workspace, known, finding, place, related)
    root = line.root
    if place.file not in workspace.open and root.file in workspace.open and root.file != place.file:
        yield root.file, _item(workspace, known, finding, _line(root), [(place.file, place.line, finding.message)])


def _line(line: Line) -> Span:
    """A line without the blanks around it."""
    text = line.text.rstrip()
    return Span(line.file, line.number, len(text) - len(text.lstrip()), len(text))


def _item(
    workspace: Workspace, known: Analysed, finding: Diagnostic, place: Span, related: list[tuple[str, int, str]]
) -> types.Diagnostic:
    for note in finding.notes:
        if said := _NOTE.fullmatch(note):
            related.append((said[1], int(said[2]), said[3]))
    for said in _PLACE.finditer(finding.hint):
        related.append((said[1], int(said[2]), "here"))
    message = finding.message + (f"\nhint: {finding.hint}" if finding.hint else "")
    return types.Diagnostic(
        workspace.text(place.file, known).range(place),
        workspace.shown(message),
        _SEVERITIES[finding.severity],
        code=finding.name or None,
        source=SOURCE,
        related_information=[
            types.DiagnosticRelatedInformation(_location(workspace, known, file, line), text)
            for file, line, text in related
            if file in known.texts
        ],
        data={"hint": finding.hint},
    )


def _location(workspace: Workspace, known: Analysed, file: str, number: int) -> types.Location:
    document = workspace.text(file, known)
    text = document.line(number).rstrip()
    place = Span(file, number, len(text) - len(text.lstrip()), len(text))
    return types.Location(workspace.uri(file), document.range(place))
