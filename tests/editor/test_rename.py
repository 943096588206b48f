"""A name becomes another one in every file, or nothing changes and one line says why."""

from __future__ import annotations

import pytest
from lsprotocol import types
from pygls.exceptions import JsonRpcException

from support.editor import TWO_SOURCES, Editor

pytestmark = pytest.mark.asyncio(loop_scope="module")


async def rename(editor: Editor, name: str, new: str) -> dict[str, str]:
    params = types.RenameParams(new_name=new, **editor.at(name))
    edit = await editor.ask(editor.client.text_document_rename_async(params))
    assert edit is not None
    return editor.edited(edit)


async def refusal(editor: Editor, name: str, new: str) -> str:
    with pytest.raises(JsonRpcException) as found:
        await rename(editor, name, new)
    assert found.value.code == -32803
    assert "\n" not in found.value.message
    return found.value.message


LOCAL = """\
        .alias state, v0
        .function twice(x) = x * 2
        .array S, 1, 2
rounds  = twice(S[1])
        .macro load to, from=m0[0]
.L_in\\@:
        mov \\to, \\from
        jmp .L_in\\@
        .endm
main:   load state, from=m0[16]
        load v1
        repeat rounds, .L_end
        nop
.L_end: jmp main
"""


@pytest.mark.parametrize(
    ("old", "marked", "new", "count"),
    [
        ("main:", "ma|in:", "start", 2),
        ("rounds  =", "|rounds  =", "turns", 2),
        ("twice(x)", "tw|ice(x)", "double", 2),
        ("(x)", "(|x)", "value", 2),
        (" S,", " |S,", "Sbox", 2),
        ("load state", "load st|ate", "block", 2),
        ("load to", "lo|ad to", "fetch", 3),
        ("\\to", "\\t|o", "target", 2),
        ("from=m0[0]", "fr|om=m0[0]", "row", 3),
        (".L_end:", ".L_e|nd:", ".L_out", 2),
        (".L_in\\@:", ".L_i|n\\@:", ".L_again\\@", 2),
    ],
)
async def test_every_kind_of_name(editor: Editor, old: str, marked: str, new: str, count: int) -> None:
    editor.open("a.s", LOCAL.replace(old, marked, 1))
    after = (await rename(editor, "a.s", new))["a.s"]
    assert after.count(new) == count
    assert len(after.splitlines()) == len(LOCAL.splitlines()) and after != LOCAL


async def test_a_name_in_several_files_and_programs(editor: Editor) -> None:
    editor.save("size.inc", "size = 1\n        .macro use reg\n        arset \\reg, size\n        .endm\n")
    for name in ("one.s", "two.s"):
        editor.save(name, '        .include "size.inc"\n        use ar0\n        arset ar1, size\n        halt\n')
    editor.open("one.s", '        .include "size.inc"\n        use ar0\n        arset ar1, si|ze\n        halt\n')
    found = await rename(editor, "one.s", "length")
    assert found.keys() == {"size.inc", "one.s", "two.s"}
    assert found["size.inc"] == "length = 1\n        .macro use reg\n        arset \\reg, length\n        .endm\n"
    assert all("size.inc" in text and "ar1, length" in text for name, text in found.items() if name.endswith(".s"))


async def test_a_global_name_of_several_sources(editor: Editor) -> None:
    editor.save("a.s", "        .global start\nstart:  jmp shared\n        halt\n")
    editor.save("firmware.toml", TWO_SOURCES)
    editor.save("b.s", "        .global shared\nshared: nop\n        halt\n")
    editor.open("b.s", "        .global shared\nsha|red: nop\n        halt\n")
    found = await rename(editor, "b.s", "common")
    assert found["a.s"] == "        .global start\nstart:  jmp common\n        halt\n"
    assert found["b.s"] == "        .global common\ncommon: nop\n        halt\n"


async def test_text_beyond_ascii_before_the_name(editor: Editor) -> None:
    editor.open(
        "a.s", "/* \N{OTTER}\N{OTTER} */ st|art: nop\n/* \N{OTTER} */ jmp start // \N{OTTER} start\n        halt\n"
    )
    after = (await rename(editor, "a.s", "begin"))["a.s"]
    assert after == "/* \N{OTTER}\N{OTTER} */ begin: nop\n/* \N{OTTER} */ jmp begin // \N{OTTER} start\n        halt\n"


async def test_names_within_lines_that_are_not_assembled(editor: Editor) -> None:
    text = "size = 1\n        .if 0\n        arset ar0, si|ze\n        .endif\n        arset ar1, size\n        halt\n"
    editor.open("a.s", text)
    after = (await rename(editor, "a.s", "length"))["a.s"]
    assert after == text.replace("|", "").replace("size", "length")


@pytest.mark.parametrize(
    ("new", "reason"),
    [
        ("v3", "'v3' is a register of the instruction set"),
        ("ar2", "'ar2' is an address register of the instruction set"),
        ("m0", "'m0' is a memory or table of the instruction set"),
        ("c1", "'c1' is a stream context of the instruction set"),
        ("other", "a.s:2: 'other' is defined twice; first defined in a.s:1"),
        ("1st", "'1st' is not a name"),
        ("two words", "'two words' is not a name"),
        ("", "'' is not a name"),
        ("a\\b", "'a\\b' does not have the same parameters as 'start'"),
    ],
)
async def test_what_would_collide_or_is_no_name_is_refused(editor: Editor, new: str, reason: str) -> None:
    editor.open("a.s", "other:  nop\nst|art:  jmp start\n        jmp other\n        halt\n")
    assert (await refusal(editor, "a.s", new)).replace(f"{editor.folder.name}/", "") == reason


async def test_a_name_that_would_hide_another_is_refused(editor: Editor) -> None:
    editor.save("a.s", "        .global start, limit\nlimit   = 5\nstart:  halt\n")
    editor.save("firmware.toml", TWO_SOURCES)
    text = "own = 7\n        arset ar0, limit\n        arset ar1, own\n        halt\n"
    editor.save("b.s", text)
    editor.open("b.s", text.replace("own =", "o|wn ="))
    assert "it would change the program pair" in await refusal(editor, "b.s", "limit")


async def test_a_name_that_macros_put_together_is_refused_from_its_use(editor: Editor) -> None:
    text = (
        "        .macro make c\n\\c\\()_end:  nop\n        .endm\n        make one\n"
        "        jmp one_e|nd\n        halt\n"
    )
    editor.open("a.s", text)
    reason = await refusal(editor, "a.s", "last")
    assert "'one_end' is written '\\c\\()_end' in" in reason and "a.s:2" in reason


async def test_registers_and_mnemonics_have_no_rename(editor: Editor) -> None:
    editor.open("a.s", "        mov v|0, v1\n        halt\n")
    with pytest.raises(JsonRpcException, match="'v0' is a register of the instruction set"):
        await editor.ask(
            editor.client.text_document_prepare_rename_async(types.PrepareRenameParams(**editor.at("a.s")))
        )
    editor.change("a.s", "        m|ov v0, v1\n        halt\n")
    with pytest.raises(JsonRpcException, match="there is no name here"):
        await editor.ask(
            editor.client.text_document_prepare_rename_async(types.PrepareRenameParams(**editor.at("a.s")))
        )


async def test_prepare_gives_the_name_as_it_is_written(editor: Editor) -> None:
    editor.open("a.s", LOCAL.replace(".L_in\\@:", ".L_i|n\\@:", 1))
    found = await editor.ask(
        editor.client.text_document_prepare_rename_async(types.PrepareRenameParams(**editor.at("a.s")))
    )
    assert isinstance(found, types.PrepareRenamePlaceholder)
    assert found.placeholder == ".L_in\\@"
