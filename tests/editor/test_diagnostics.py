"""Findings of the assembler, as an editor shows them while typing."""

from __future__ import annotations

import pytest
from lsprotocol import types

from support.editor import TWO_SOURCES, Editor

pytestmark = pytest.mark.asyncio(loop_scope="module")


def texts(found: list[types.Diagnostic]) -> list[str]:
    return [f"{d.range.start.line + 1}:{d.range.start.character + 1}: {d.message.splitlines()[0]}" for d in found]


async def test_all_errors_and_warnings_are_shown_at_once(editor: Editor) -> None:
    editor.open("wrong.s", "unused: xro v0, v1\n        mov v0, m2[ar0+]\n        jmp nowhere\n        halt\n")
    found = await editor.findings("wrong.s")
    assert texts(found) == [
        "1:9: unknown instruction 'xro'",
        "2:23: expected ']', found '+'",
        "3:13: undefined symbol 'nowhere'",
    ]
    assert {d.severity for d in found} == {types.DiagnosticSeverity.Error}
    editor.change("wrong.s", "        nop\nunused: nop\n        halt\n")
    (warning,) = await editor.findings("wrong.s", lambda f: len(f) == 1)
    assert (warning.severity, warning.code) == (types.DiagnosticSeverity.Warning, "unused-label")
    assert texts([warning]) == ["2:1: label 'unused' is not used"]


async def test_an_error_in_a_macro_is_where_its_text_was_written_with_the_way_there(editor: Editor) -> None:
    editor.save("inner.inc", "        .macro put what\n        mov m3[0], \\what\n        .endm\n")
    editor.open("inner.inc")
    editor.open("outer.s", '        .include "inner.inc"\n        put v9\n        halt\n')
    (finding,) = await editor.findings("outer.s")
    assert texts([finding]) == ["2:13: 'v9' is not a register"]
    related = finding.related_information or []
    assert editor.places([r.location for r in related]) == ["inner.inc:2:9", "outer.s:2:9"]
    assert {r.message for r in related} == {"in this line", "in expansion of macro 'put'"}


async def test_an_error_in_a_file_that_is_not_open_is_shown_where_it_is_included_too(editor: Editor) -> None:
    editor.save("bad.inc", "        nop\n        nope\n")
    editor.open("main.s", '        .include "bad.inc"\n        halt\n')
    (mirrored,) = await editor.findings("main.s")
    assert texts([mirrored]) == ["1:9: unknown instruction 'nope'"]
    assert editor.places([r.location for r in mirrored.related_information or []])[0] == "bad.inc:2:9"
    (there,) = await editor.findings("bad.inc")
    assert texts([there]) == ["2:9: unknown instruction 'nope'"]


async def test_an_included_text_is_checked_in_the_programs_that_include_it(editor: Editor) -> None:
    editor.save("one.s", 'value = 1\n        .include "common.inc"\n        halt\n')
    editor.save("two.s", '        .include "common.inc"\n        halt\n')
    editor.save("common.inc", "        arset ar0, value\n")
    editor.open("common.inc")
    (finding,) = await editor.findings("common.inc")
    assert texts([finding]) == ["1:20: undefined symbol 'value'"]
    assert "two.s:1:9" in editor.places([r.location for r in finding.related_information or []])


async def test_a_change_of_an_open_text_reaches_those_that_include_it_unsaved(editor: Editor) -> None:
    editor.save("size.inc", "size = 1\n")
    editor.save("uses.s", '        .include "size.inc"\n        arset ar0, size\n        halt\n')
    editor.open("uses.s")
    editor.open("size.inc")
    await editor.hover_nothing()
    editor.change("size.inc", "length = 1\n")
    found = await editor.findings("uses.s")
    assert texts(found) == ["2:20: undefined symbol 'size'"]
    editor.change("size.inc", "size = 2\n")
    await editor.findings("uses.s", lambda f: not f)


async def test_closing_a_text_brings_back_what_is_on_the_disk(editor: Editor) -> None:
    editor.save("size.inc", "size = 1\n")
    editor.save("uses.s", '        .include "size.inc"\n        arset ar0, size\n        halt\n')
    editor.open("uses.s")
    editor.open("size.inc", "length = 1\n")
    await editor.findings("uses.s")
    editor.close("size.inc")
    await editor.findings("uses.s", lambda f: not f)


async def test_a_file_that_vanishes_and_comes_back(editor: Editor) -> None:
    editor.save("size.inc", "size = 1\n")
    editor.open("uses.s", '        .include "size.inc"\n        arset ar0, size\n        halt\n')
    await editor.hover_nothing()
    (editor.folder / "size.inc").unlink()
    editor.watched("size.inc", types.FileChangeType.Deleted)
    found = await editor.findings("uses.s")
    assert texts(found)[0] == "1:9: cannot find 'size.inc'"
    editor.save("size.inc", "size = 1\n")
    await editor.findings("uses.s", lambda f: not f)


async def test_columns_are_units_of_utf16(editor: Editor) -> None:
    editor.open(
        "text.s",
        (
            '        .warning "\N{OTTER}\N{GREEK SMALL LETTER ALPHA}" // \N{OTTER}\n'
            "/* \N{OTTER} */ jmp nowhere\n        halt\n"
        ),
    )
    found = await editor.findings("text.s")
    assert [d.range.start.character for d in found if "nowhere" in d.message] == [len("/* xx */ jmp ")]


@pytest.mark.parametrize("end", ["\r\n", "\r", "\n"], ids=["CRLF", "CR", "LF"])
async def test_ends_of_lines(editor: Editor, end: str) -> None:
    editor.open("lines.s", f"        nop{end}        xro v0{end}        halt{end}")
    (finding,) = await editor.findings("lines.s")
    if end == "\r":
        # No end of a line to the assembler; the editor shows the finding in the line that it has.
        assert finding.range.start.line == 0 or finding.range.start.line == 1
    else:
        assert texts([finding]) == ["2:9: unknown instruction 'xro'"]


async def test_a_mark_at_the_begin_of_a_text_is_not_counted_by_the_assembler(editor: Editor) -> None:
    editor.open("mark.s", "\ufeffxro v0\n        halt\n")
    (finding,) = await editor.findings("mark.s")
    assert texts([finding]) == ["1:2: unknown instruction 'xro'"]


async def test_lines_of_hundreds_of_thousands_of_characters(editor: Editor) -> None:
    editor.open("long.s", "        .byte " + "1, " * 30_000 + "\n" + "x" * 300_000 + " y\n")
    found = await editor.findings("long.s")
    assert len(found) <= 4


async def test_the_findings_of_a_text_are_bounded(editor: Editor) -> None:
    editor.open("many.s", "        xro v0\n" * 3000)
    found = await editor.findings("many.s")
    assert 100 <= len(found) <= 1000


async def test_hints_are_part_of_the_message_and_names_of_files_are_short(editor: Editor) -> None:
    editor.open("hint.s", "a:      nop\na:      halt\n")
    (finding,) = await editor.findings("hint.s")
    assert finding.message == f"'a' is defined twice\nhint: first defined in {editor.folder.name}/hint.s:1"
    assert editor.places([r.location for r in finding.related_information or []]) == ["hint.s:1:1"]


async def test_sources_of_a_manifest_are_one_program(editor: Editor) -> None:
    editor.save("a.s", "        .global start\nstart:  jmp shared\n")
    editor.save("b.s", "        .global shared\nshared: halt\n")
    editor.open("a.s")
    found = await editor.findings("a.s")
    assert texts(found) == ["2:13: undefined symbol 'shared'"]
    editor.save("firmware.toml", TWO_SOURCES)
    await editor.findings("a.s", lambda f: not f)


async def test_settings_decide_about_includes_defines_and_warnings(editor: Editor) -> None:
    editor.save("elsewhere/size.inc", "size = 1\n")
    editor.open("uses.s", '        .include "size.inc"\nunused: arset ar0, size * TIMES\n        halt\n')
    found = await editor.findings("uses.s")
    assert len(found) == 2
    folder = f"{editor.folder.name}/elsewhere"
    wanted = {"includeFolders": [folder], "defines": {"TIMES": 2}, "warnings": ["no-unused-label", "no-unused-define"]}
    editor.client.workspace_did_change_configuration(types.DidChangeConfigurationParams({"lutra": wanted}))
    await editor.findings("uses.s", lambda f: not f)
    before = len(editor.client.messages)
    bad = {"lutra": {"includeFolders": 3, "color": "red", "warnings": ["nonsense"], "delay": -1, "drawing": "oil"}}
    editor.client.workspace_did_change_configuration(types.DidChangeConfigurationParams(bad))
    none: dict[str, object] = {"lutra": {"includeFolders": [], "defines": {}, "warnings": []}}
    editor.client.workspace_did_change_configuration(types.DidChangeConfigurationParams(none))
    await editor.findings("uses.s", lambda f: len(f) == 2)
    assert [m.message.partition(":")[0] for m in editor.client.messages[before:]] == [
        "setting lutra.includeFolders",
        "unknown setting lutra.color; choose from includeFolders, defines, warnings, delay, drawing, hints, headers, "
        "headerSeconds",
        "setting lutra.warnings",
        "setting lutra.delay",
        "setting lutra.drawing",
    ]
