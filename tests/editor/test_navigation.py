"""Where names are defined and used, through macros and included files; outlines and folds."""

from __future__ import annotations

import pytest
from lsprotocol import types

from support.editor import TWO_SOURCES, Editor

pytestmark = pytest.mark.asyncio(loop_scope="module")

KEYS = "        .section m0\nkey:    .zero 16\n        .text\n"
LOAD = "        .macro load to, from=m0[key]\n        mov \\to, \\from\n        .endm\n"
MAIN = """\
        .include "keys.inc"
        .include "load.inc"
        .alias state, v0
        .function twice(x) = x * 2
        .array S, 1, 2
rounds  = twice(S[1])
        .global main
main:   load state
        repeat rounds, .L_end
        mov v1, m0[key]
.L_end: jmp main
"""


def write(editor: Editor, main: str = MAIN) -> None:
    editor.save("keys.inc", KEYS)
    editor.save("load.inc", LOAD)
    editor.open("main.s", main)


async def definition(editor: Editor, name: str) -> list[str]:
    return editor.places(
        await editor.ask(editor.client.text_document_definition_async(types.DefinitionParams(**editor.at(name))))
    )


async def references(editor: Editor, name: str, declaration: bool = True) -> list[str]:
    context = types.ReferenceContext(declaration)
    params = types.ReferenceParams(context=context, **editor.at(name))
    return editor.places(await editor.ask(editor.client.text_document_references_async(params)))


@pytest.mark.parametrize(
    ("old", "new", "place"),
    [
        ("m0[key]", "m0[k|ey]", "keys.inc:2:1"),
        ("load state", "lo|ad state", "load.inc:1:16"),
        ("load state", "load st|ate", "main.s:3:16"),
        ("twice(S", "tw|ice(S", "main.s:4:19"),
        ("S[1]", "|S[1]", "main.s:5:16"),
        ("repeat rounds", "repeat rou|nds", "main.s:6:1"),
        (".L_end\n", ".L_e|nd\n", "main.s:11:1"),
        (".global main", ".global mai|n", "main.s:8:1"),
        ("x * 2", "|x * 2", "main.s:4:25"),
        ('"load.inc"', '"load|.inc"', "load.inc:1:1"),
    ],
)
async def test_definitions_are_where_a_name_is_made(editor: Editor, old: str, new: str, place: str) -> None:
    write(editor, MAIN.replace(old, new, 1))
    assert await definition(editor, "main.s") == [place]


async def test_references_go_through_macros_and_included_files(editor: Editor) -> None:
    write(editor)
    editor.open("keys.inc", KEYS.replace("key:", "k|ey:"))
    assert await references(editor, "keys.inc") == ["keys.inc:2:1", "load.inc:1:33", "main.s:10:20"]
    assert await references(editor, "keys.inc", False) == ["load.inc:1:33", "main.s:10:20"]


async def test_references_of_macros_and_their_parameters(editor: Editor) -> None:
    write(editor)
    editor.open("load.inc", LOAD.replace(".macro load", ".macro lo|ad"))
    assert await references(editor, "load.inc") == ["load.inc:1:16", "main.s:8:9"]
    editor.change("load.inc", LOAD.replace("\\to", "\\t|o"))
    assert await references(editor, "load.inc") == ["load.inc:1:21", "load.inc:2:14"]


async def test_references_of_a_parameter_that_is_given_by_name(editor: Editor) -> None:
    editor.open(
        "a.s",
        (
            "        .macro two a, b\n        arset \\a, \\b\n        .endm\n"
            "        two b=1, a=ar0\n        two ar1, |b=2\n"
        ),
    )
    assert await references(editor, "a.s") == ["a.s:1:23", "a.s:2:20", "a.s:4:13", "a.s:5:18"]


async def test_references_of_global_names_over_the_sources_of_a_program(editor: Editor) -> None:
    editor.save("a.s", "        .global start\nstart:  jmp shared\n        halt\n")
    editor.save("b.s", "        .global shared\nshared: nop\n        halt\n")
    editor.save("firmware.toml", TWO_SOURCES)
    editor.open("b.s", "        .global shared\nsha|red: nop\n        halt\n")
    assert await references(editor, "b.s") == ["a.s:2:13", "b.s:1:17", "b.s:2:1"]


async def test_a_name_of_an_included_file_has_its_uses_in_all_programs(editor: Editor) -> None:
    editor.save("size.inc", "size = 1\n")
    for name in ("one.s", "two.s"):
        editor.save(name, '        .include "size.inc"\n        arset ar0, size\n        halt\n')
    editor.open("size.inc", "si|ze = 1\n")
    assert await references(editor, "size.inc") == ["one.s:2:20", "size.inc:1:1", "two.s:2:20"]


async def test_what_is_not_assembled_is_read_word_by_word(editor: Editor) -> None:
    text = (
        "co|unt = 1\n        .macro unused\n        arset ar0, count\n        .endm\n"
        "        .if 0\n        arset ar1, count\n        .endif\n"
        "        arset ar2, count\n        halt\n"
    )
    editor.open("a.s", text)
    assert await references(editor, "a.s") == ["a.s:1:1", "a.s:3:20", "a.s:6:20", "a.s:8:20"]


async def test_a_text_with_errors_keeps_its_names(editor: Editor) -> None:
    editor.open(
        "a.s", "co|unt = 1\n        arset ar0, count +\n        xro count\n        arset ar1, count\n        halt\n"
    )
    assert await references(editor, "a.s") == ["a.s:1:1", "a.s:2:20", "a.s:3:13", "a.s:4:20"]


async def test_highlights_of_names_and_registers(editor: Editor) -> None:
    write(editor, MAIN.replace("rounds  =", "rou|nds  ="))
    found = await editor.ask(
        editor.client.text_document_document_highlight_async(types.DocumentHighlightParams(**editor.at("main.s")))
    )
    assert [(h.range.start.line + 1, h.kind) for h in found or ()] == [
        (6, types.DocumentHighlightKind.Write),
        (9, types.DocumentHighlightKind.Read),
    ]
    editor.change("main.s", MAIN.replace("mov v1", "mov v|1"))
    found = await editor.ask(
        editor.client.text_document_document_highlight_async(types.DocumentHighlightParams(**editor.at("main.s")))
    )
    assert [h.range.start.line + 1 for h in found or ()] == [10]


async def test_the_outline_has_local_labels_below_the_label_before_them(editor: Editor) -> None:
    write(editor)
    found = await editor.ask(
        editor.client.text_document_document_symbol_async(types.DocumentSymbolParams(editor.document("main.s")))
    )
    assert [(s.name, s.detail) for s in found or () if isinstance(s, types.DocumentSymbol)] == [
        ("state", "alias"),
        ("twice", "function"),
        ("S", "array"),
        ("rounds", "symbol"),
        ("main", "label"),
    ]
    assert [c.name for c in found[-1].children] == [".L_end"]  # type: ignore[index,union-attr]


async def test_symbols_of_the_workspace_are_found_by_their_letters(editor: Editor) -> None:
    editor.save("a.s", "quite_special_name: halt\n")
    editor.open("b.s", "        halt\n")
    found = await editor.ask(editor.client.workspace_symbol_async(types.WorkspaceSymbolParams("qtespcl")))
    assert [s.name for s in found or ()] == ["quite_special_name"]


async def test_blocks_and_comments_fold(editor: Editor) -> None:
    editor.open(
        "a.s",
        (
            "// one\n// two\n        .if 1\n        nop\n        .else\n        .rept 2\n"
            "        nop\n        .endr\n        .endif\n"
        ),
    )
    found = await editor.ask(
        editor.client.text_document_folding_range_async(types.FoldingRangeParams(editor.document("a.s")))
    )
    assert sorted((f.start_line, f.end_line) for f in found or ()) == [(0, 1), (2, 3), (4, 8), (5, 7)]


async def test_included_files_are_links(editor: Editor) -> None:
    write(editor)
    found = await editor.ask(
        editor.client.text_document_document_link_async(types.DocumentLinkParams(editor.document("main.s")))
    )
    assert [(link.range.start.line, link.target) for link in found or ()] == [
        (0, editor.uri("keys.inc")),
        (1, editor.uri("load.inc")),
    ]


async def test_positions_beyond_the_text_mean_nothing(editor: Editor) -> None:
    editor.open("a.s", "        halt\n")
    for line, character in ((99, 0), (0, 9999), (2**31 - 1, 2**31 - 1)):
        params = types.DefinitionParams(editor.document("a.s"), types.Position(line, character))
        assert not await editor.ask(editor.client.text_document_definition_async(params))
        hover = types.HoverParams(editor.document("a.s"), types.Position(line, character))
        await editor.ask(editor.client.text_document_hover_async(hover))
        complete = types.CompletionParams(editor.document("a.s"), types.Position(line, character))
        await editor.ask(editor.client.text_document_completion_async(complete))


async def test_a_text_that_was_never_opened_is_read_from_the_disk(editor: Editor) -> None:
    editor.save("a.s", "start:  jmp start\n")
    params = types.DefinitionParams(editor.document("a.s"), types.Position(0, 13))
    found = await editor.ask(editor.client.text_document_definition_async(params))
    assert editor.places(found) == ["a.s:1:1"]
    nowhere = types.DefinitionParams(types.TextDocumentIdentifier("untitled:nothing"), types.Position(0, 0))
    assert not await editor.ask(editor.client.text_document_definition_async(nowhere))
