"""Formatting, and what can be done about findings."""

from __future__ import annotations

import pytest
from lsprotocol import types

from lutra.asm.text.format import format_text
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


HEADED = (
    "// run: zeros.\n//\n// Inputs:   none\n// Outputs:  m3\n// Clobbers: {}\n// Time:     constant\n// Cycles:   {}\n"
)
ROUTINE = "        .global run\nrun:    mov     v0, zero\n        mov     m3[0], v0\n        halt\n"


@pytest.mark.parametrize(
    ("clobbers", "cycles", "title"),
    [
        ("v7,\n//           wk", "10", "Write 'Clobbers: v0'"),
        ("", "10", "Write 'Clobbers: v0'"),
        ("v0", "3n + 1", "Write 'Cycles: 10'"),
    ],
)
async def test_a_header_can_be_put_right(editor: Editor, clobbers: str, cycles: str, title: str) -> None:
    editor.open("a.s", HEADED.format(clobbers, cycles) + ROUTINE)
    made = await actions(editor, "a.s")
    action = next(action for action in made if action.title == title)
    assert action.edit is not None
    (changes,) = (action.edit.changes or {}).values()
    assert applied(editor.texts["a.s"], list(changes)) == HEADED.format("v0", "10") + ROUTINE


async def test_a_header_of_several_routines_is_not_put_right_by_one(editor: Editor) -> None:
    other = ROUTINE.replace("run", "go").replace("v0", "v1")
    header = HEADED.format("v0, v1", "9").replace("// run:", "// run, go:")
    editor.open("a.s", header + ROUTINE + other)
    titles = [action.title for action in await actions(editor, "a.s")]
    assert titles and not [title for title in titles if title.startswith("Write")]


@pytest.mark.parametrize(
    "data",
    [
        {"corrections": 3},
        {"corrections": [1, {}, {"file": "\0", "line": 1, "field": "Cycles", "text": "1"}]},
        {"corrections": [{"file": "a.s", "line": -1, "field": "(", "text": "1"}]},
        None,
    ],
)
async def test_what_a_client_says_of_a_run_is_looked_at(editor: Editor, data: object) -> None:
    editor.open("a.s", "        halt\n")
    place = types.Range(types.Position(0, 0), types.Position(0, 4))
    finding = types.Diagnostic(place, "x", code="header", source="lutra", data=data)
    params = types.CodeActionParams(editor.document("a.s"), place, types.CodeActionContext([finding]))
    assert not await editor.ask(editor.client.text_document_code_action_async(params))
