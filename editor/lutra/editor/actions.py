"""Code actions for a finding: apply its hint, correct a header, or allow the check."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from lsprotocol import types

from lutra.asm.analysis.corrections import Correction, can_be_written, lines
from lutra.asm.analysis.headers import HeaderError, parse
from lutra.asm.checks import CHECKS
from lutra.asm.passes.blocks import HEAD
from lutra.asm.text.columns import Span
from lutra.editor.diagnostics import SOURCE
from lutra.editor.documents import Document, file_of
from lutra.editor.headers import NAME as HEADER

# Hints that say what is meant.
_MEANT = re.compile(
    r"did you mean '([^']+)'\?|did you mean one of ([^?]+)\?"
    r"|(?:write|directives begin with a dot:|(?:mnemonics|registers|directives) are lower case:) (\.?\w+)$"
)

# Checks of headers by the field that is wrong, and hints that say what is right.
_FIELDS = {"header-clobbers": "Clobbers", "header-cycles": "Cycles"}
_RIGHT = re.compile(r"(?:it writes|computed:) (.+)")


def actions(
    uri: str, document: Document, found: Sequence[types.Diagnostic], only: Sequence[str] | None
) -> list[types.CodeAction]:
    """The actions for some findings of a text."""
    kind = types.CodeActionKind.QuickFix
    if only and not any(kind.value == wanted or kind.value.startswith(wanted + ".") for wanted in only):
        return []
    made: list[types.CodeAction] = []
    for finding in found:
        if finding.source != SOURCE:
            continue
        made += _meant(uri, finding)
        made += _corrections(uri, document, finding)
        if isinstance(finding.code, str) and finding.code in CHECKS:
            made.append(_allow(uri, document, finding, finding.code))
    return made


def _meant(uri: str, finding: types.Diagnostic) -> Iterator[types.CodeAction]:
    hint = finding.data.get("hint", "") if isinstance(finding.data, dict) else ""
    said = _MEANT.match(hint) if isinstance(hint, str) else None
    if said is None or finding.range.start.line != finding.range.end.line:
        return
    words = said[2].split(", ") if said[2] else [said[1] or said[3]]
    for word in words:
        edit = types.WorkspaceEdit({uri: [types.TextEdit(finding.range, word)]})
        yield types.CodeAction(
            f"Write '{word}'", types.CodeActionKind.QuickFix, [finding], is_preferred=len(words) == 1, edit=edit
        )


def _corrections(uri: str, document: Document, finding: types.Diagnostic) -> Iterator[types.CodeAction]:
    """Put the header of a finding right, as far as it is known how."""
    file = file_of(uri)
    data = finding.data if isinstance(finding.data, dict) else {}
    told = _told_by_a_run(data) if finding.code == HEADER else _told_by_a_hint(file, document, finding, data)
    for right in told:
        # The text may have changed since, and what comes from a client is anything.
        with suppress(ValueError):
            if os.path.realpath(right.file) == file:
                yield _corrected(uri, document, finding, right)


def _told_by_a_run(data: dict[str, Any]) -> Iterator[Correction]:
    found = data.get("corrections")
    for right in found if isinstance(found, list) else ():
        match right:
            case {"file": str(file), "line": int(line), "field": str(field), "text": str(text)}:
                yield Correction(Path(file), line, field, text)


def _told_by_a_hint(
    file: str, document: Document, finding: types.Diagnostic, data: dict[str, Any]
) -> Iterator[Correction]:
    """Return the corrections of a header of a single routine; for several it may be wrong."""
    field = _FIELDS.get(str(finding.code))
    said = _RIGHT.match(str(data.get("hint", "")))
    if field is None or said is None:
        return
    number, _ = document.place(finding.range.start)
    with suppress(HeaderError):
        for header in parse(Path(file), document.text):
            alone = len(header.names) == 1 and "{" not in header.names[0]
            if alone and can_be_written(header, field) and header.places[field][1] == number:
                yield Correction(Path(file), number, field, said[1])


def _corrected(uri: str, document: Document, finding: types.Diagnostic, right: Correction) -> types.CodeAction:
    count, new = lines(document.lines, right)
    last = right.line + count - 1
    where = types.Range(document.position(right.line, 0), document.position(last, len(document.line(last))))
    edit = types.WorkspaceEdit({uri: [types.TextEdit(where, "\n".join(new))]})
    title = f"Write '{right.field}: {right.text}'"
    return types.CodeAction(title, types.CodeActionKind.QuickFix, [finding], is_preferred=True, edit=edit)


def _allow(uri: str, document: Document, finding: types.Diagnostic, name: str) -> types.CodeAction:
    """Leave a check out in the text, by a line after the comment at its begin."""
    line = 1
    while document.line(line).startswith(("//", ";")):
        line += 1
    indent = next(
        (" " * len(text[: len(text) - len(text.lstrip())]) for text in document.lines if _indented(text)), "        "
    )
    where = document.range(Span("", line, 0, 0))
    edit = types.WorkspaceEdit({uri: [types.TextEdit(where, f'{indent}.allow "{name}"\n')]})
    return types.CodeAction(
        f'Leave out the check in this file: .allow "{name}"', types.CodeActionKind.QuickFix, [finding], edit=edit
    )


def _indented(text: str) -> bool:
    """Whether a line shows how directives are indented."""
    head = HEAD.match(text)
    return head is not None and head[2] is not None and text.startswith(" ") and not head[1]
