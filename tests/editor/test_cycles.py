"""Issue cycles and stalls as hints; cycles of routines as lenses; both are those of the simulator."""

from __future__ import annotations

import pytest
from lsprotocol import types

import lutra
from support.editor import Editor

pytestmark = pytest.mark.asyncio(loop_scope="module")

SOURCE = """\
        .global main
main:   arset   ar0, 0
        mov     wk, m0[0]
        mov     v1, wk
        mov     v2, m0[ar0]
        halt
"""


async def hints(editor: Editor, name: str, last: int) -> list[str]:
    where = types.Range(types.Position(0, 0), types.Position(last, 0))
    found = await editor.ask(
        editor.client.text_document_inlay_hint_async(types.InlayHintParams(editor.document(name), where))
    )
    return [f"{hint.position.line + 1}:{hint.position.character}: {hint.label}" for hint in found or ()]


async def test_hints_say_when_an_instruction_issues_and_for_what_it_waits(editor: Editor) -> None:
    editor.open("a.s", SOURCE)
    found = await hints(editor, "a.s", 6)
    assert [line.split(":")[0] for line in found] == ["2", "3", "4", "5", "6"]
    waits = [line for line in found if "+" in line]
    assert waits and all("special" in line for line in waits)
    # The simulator's cycles: those of the last instruction's issue.
    engine = lutra.make_engine("iss")
    engine.load(lutra.assemble_text(SOURCE))
    stalls = sum(engine.run(0).stalls.values())
    assert sum(int(line.rpartition("+")[2].split()[0]) for line in waits) == stalls


async def test_a_call_of_a_macro_has_one_hint_for_all_its_words(editor: Editor) -> None:
    editor.open(
        "a.s", "        .macro two\n        nop\n        nop\n        .endm\n        two\n        two\n        halt\n"
    )
    found = await hints(editor, "a.s", 7)
    assert found == ["2:11: 2 times", "3:11: 2 times", "5:11: 2 words", "6:11: 2 words", "7:12: 4"]


async def test_lenses_say_what_a_header_says_and_what_is_scheduled(editor: Editor) -> None:
    header = (
        "// main: sets nothing.\n//\n// Inputs:   none\n// Outputs:  v2\n"
        "// Clobbers: v1, v2, wk, ar0\n// Time:     constant\n// Cycles:   99\n"
    )
    editor.open("a.s", header + SOURCE)
    lenses = await editor.ask(editor.client.text_document_code_lens_async(types.CodeLensParams(editor.document("a.s"))))
    (lens,) = lenses or ()
    assert lens.command is not None and lens.range.start.line == 0
    engine = lutra.make_engine("iss")
    engine.load(lutra.assemble_text(SOURCE))
    cycles = engine.run(0).cycles
    assert lens.command.title == f"cycles: 99; main: {cycles} cycles, 5 instructions"


async def test_a_global_routine_without_a_header_has_a_lens_too(editor: Editor) -> None:
    editor.open("a.s", SOURCE)
    (lens,) = (
        await editor.ask(editor.client.text_document_code_lens_async(types.CodeLensParams(editor.document("a.s"))))
        or ()
    )
    assert lens.command is not None and lens.command.title.startswith("main: ") and lens.range.start.line == 1


async def test_hints_can_be_left_out(editor: Editor) -> None:
    editor.open("a.s", SOURCE)
    for on in (False, True):
        wanted = types.DidChangeConfigurationParams({"lutra": {"hints": on}})
        editor.client.workspace_did_change_configuration(wanted)
        assert bool(await hints(editor, "a.s", 6)) is on


async def test_a_program_with_errors_has_no_hints(editor: Editor) -> None:
    editor.open("a.s", SOURCE + "        xro\n")
    assert await hints(editor, "a.s", 6) == []
