"""Formatting, and what can be done about findings."""

from __future__ import annotations

import pytest
from lsprotocol import types

from lutra.asm.format import format_text
from lutra.editor.documents import Document
from lutra.editor.formatting import edits
from support.editor import Editor

pytestmark = pytest.mark.asyncio(loop_scope="module")


def applied(text: str, changes: list[types.TextEdit]) -> str:
    """A text of ASCII after edits in whole lines."""
    starts = [0]
    for at, char in enumerate(text):
        if char == "\n":
            starts.append(at + 1)

    def offset(position: types.Position) -> int:
        return starts[position.line] + position.character if position.line < len(starts) else len(text)

    for change in sorted(changes, key=lambda c: offset(c.range.start), reverse=True):
        text = text[: offset(change.range.start)] + change.new_text + text[offset(change.range.end) :]
    return text


async def test_formatting_is_that_of_the_command(editor: Editor) -> None:
    text = "main: mov v0,v1\n\n\n\n  halt // end"
    editor.open("a.s", text)
    options = types.FormattingOptions(8, True)
    found = await editor.ask(
        editor.client.text_document_formatting_async(types.DocumentFormattingParams(editor.document("a.s"), options))
    )
    assert applied(text, list(found or ())) == format_text(text)


async def test_a_range_is_formatted_alone(editor: Editor) -> None:
    text = "  nop\n  nop\n  nop\n"
    editor.open("a.s", text)
    where = types.Range(types.Position(1, 0), types.Position(1, 3))
    options = types.FormattingOptions(8, True)
    found = await editor.ask(
        editor.client.text_document_range_formatting_async(
            types.DocumentRangeFormattingParams(editor.document("a.s"), where, options)
        )
    )
    assert applied(text, list(found or ())) == "  nop\n        nop\n  nop\n"


@pytest.mark.parametrize("old", ["", "a", "a\n", "a\nb", "a\nb\nc\n", "\n\n"])
@pytest.mark.parametrize("new", ["", "a", "a\n", "b\n", "x\na\nb\n", "a\nc\n", "\n"])
async def test_edits_make_the_new_text_of_the_old_one(old: str, new: str) -> None:
    assert applied(old, edits(Document(old), new)) == new
    crlf = old.replace("\n", "\r\n")
    changed = applied(crlf, edits(Document(crlf), new))
    assert changed.replace("\r\n", "\n") == new
    assert "\n" not in changed.replace("\r\n", "") or "\r\n" not in crlf


async def actions(editor: Editor, name: str) -> list[types.CodeAction]:
    found = await editor.findings(name)
    params = types.CodeActionParams(editor.document(name), found[0].range, types.CodeActionContext(found))
    answer = await editor.ask(editor.client.text_document_code_action_async(params))
    return [action for action in answer or () if isinstance(action, types.CodeAction)]


@pytest.mark.parametrize(
    ("line", "title", "after"),
    [
        ("xro v0, v1, v2", "Write 'xor'", "xor v0, v1, v2"),
        ("jmp strat", "Write 'start'", "jmp start"),
        ("HALT", "Write 'halt'", "halt"),
        (".dw 3", "Write '.half'", ".half 3"),
        ("mov V0, v1", "Write 'v0'", "mov v0, v1"),
    ],
)
async def test_what_a_hint_says_can_be_taken(editor: Editor, line: str, title: str, after: str) -> None:
    editor.open("a.s", f"start:  {line}\n        halt\n")
    made = await actions(editor, "a.s")
    assert title in [action.title for action in made]
    action = next(action for action in made if action.title == title)
    assert action.edit is not None
    assert editor.edited(action.edit)["a.s"] == f"start:  {after}\n        halt\n"


async def test_a_check_can_be_left_out_in_a_file(editor: Editor) -> None:
    editor.open("a.s", "// A purpose.\n        nop\nunused: nop\n        halt\n")
    (action,) = await actions(editor, "a.s")
    assert action.edit is not None
    after = editor.edited(action.edit)["a.s"]
    assert after == '// A purpose.\n        .allow "unused-label"\n        nop\nunused: nop\n        halt\n'
    editor.change("a.s", after)
    await editor.findings("a.s", lambda f: not f)
