"""What an editor can do about a finding: take what its hint says, or leave its check out."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from lsprotocol import types

from lutra.asm.blocks import HEAD
from lutra.asm.checks import CHECKS
from lutra.asm.columns import Span
from lutra.editor.diagnostics import SOURCE
from lutra.editor.documents import Document

# Hints that say what is meant.
_MEANT = re.compile(
    r"did you mean '([^']+)'\?|did you mean one of ([^?]+)\?"
    r"|(?:it is|directives begin with a dot:|(?:mnemonics|registers|directives) are lower case:) (\.?\w+)(?: here)?"
)


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
