"""Hover text of the word under the mouse."""

from __future__ import annotations

import re
from types import SimpleNamespace
from typing import cast

import pytest
from lsprotocol import types

from lutra.editor.server import Server
from lutra.isa import load
from support.editor import Editor

pytestmark = pytest.mark.asyncio(loop_scope="module")


async def test_an_instruction_with_operands_path_encoding_and_latency(editor: Editor) -> None:
    editor.open("a.s", "        aesen|c2 v0, v0, m0:m1[0]\n        halt\n")
    text = await editor.hover("a.s")
    # The instruction alone, and with a parallel move.
    insn, beside = load().lookup("aesenc2")
    whole, (text, other) = text, text.split(f"```lutra\n{beside.syntax}\n```")
    assert beside.summary[1:] in other
    assert insn.syntax in text
    assert insn.summary[1:] in text
    for operand in insn.operands:
        assert f"- `{operand.name}`: {operand.text}" in text
    drawing = next(part for part in text.split("```") if "─▶" in part)
    assert [word for word in drawing.split() if word in {s.block for s in insn.path}] == [s.block for s in insn.path]
    assert "b w" in drawing and "k0" in drawing
    assert "63:56  55:52" in text and f"{insn.opcode:#x}" in text
    # The table of hazards in docs/isa-reference.md: two cycles, one with one round.
    assert "`vector_x2`: 2 (1 with one round) cycles to a reader" in text
    assert "0000  480" in whole  # the word of this line


def columns(line: str) -> list[int]:
    """Where the words of a line begin."""
    return [word.start() for word in re.finditer(r"\S+", line)]


async def test_every_instruction_has_a_text_and_a_drawing(editor: Editor) -> None:
    from lutra.asm.text.tokens import Token
    from lutra.editor import drawing, reference

    for insn in load().instructions:
        text = reference.of(Token("mnemonic", 0, 0, insn.mnemonic), False)
        assert insn.syntax in text
        bits, names = reference.encoding(load(), insn).split("\n")
        assert columns(bits) == columns(names)
        if len(insn.path) > 1:
            assert all(step.block in drawing.text(insn) for step in insn.path)
            assert drawing.svg(insn).count("<rect") == len(insn.path)


async def test_the_fields_of_an_encoding_cover_the_word() -> None:
    from lutra.editor import reference

    for insn in load().instructions:
        bits = []
        for place in reference.encoding(load(), insn).split("\n")[0].split():
            high, _, low = place.partition(":")
            bits += list(range(int(high), int(low or high) - 1, -1))
        assert bits == list(range(load().machine["InsnBits"] - 1, -1, -1)), insn.name


async def test_a_client_without_markdown_gets_text_without_its_signs() -> None:
    plain = cast(Server, SimpleNamespace(capability=lambda *path: None))
    found = Server.markup(plain, "```lutra\nhalt\n```\n- `pc`: where\n", "hover", "content_format")
    assert (found.kind, found.value) == (types.MarkupKind.PlainText, "halt\n- pc: where")


@pytest.mark.parametrize(
    ("line", "wanted"),
    [
        ("mov v|0, v1", "vector register"),
        ("mov v0, ct|r++", "counter, incremented"),
        ("mov v0, m2[ar|3++]", "`ar3+=s%`"),
        ("mov v0, m|2[0]", "data memory block 2"),
        ("arset ar0, 0x1|f", "`31` = `0x1f` = `0b11111`"),
        (".ali|gn 16", "next multiple of N"),
        (".section t0.|5", "lane 5"),
    ],
)
async def test_registers_memories_numbers_and_directives(editor: Editor, line: str, wanted: str) -> None:
    editor.open("a.s", f"        {line}\n        halt\n")
    assert wanted in await editor.hover("a.s")


async def test_symbols_have_their_values_and_comments(editor: Editor) -> None:
    text = (
        "// As many as there are.\ncount = 3 * 7\n        .section m0\n        .zero 16\n"
        "key:    .zero 16   // the key\n"
    )
    editor.open("a.s", text + "        .text\n        arset ar0, cou|nt\n        mov v0, m0[key]\n        halt\n")
    shown = await editor.hover("a.s")
    assert "`count` = `21` = `0x15`" in shown and "As many as there are." in shown and "a.s:2" in shown
    editor.change("a.s", text + "        .text\n        arset ar0, count\n        mov v0, m0[k|ey]\n        halt\n")
    shown = await editor.hover("a.s")
    assert "label `key` in m0, address `16` = `0x10`" in shown and "the key" in shown


async def test_a_label_of_a_memory_shows_what_is_there(editor: Editor) -> None:
    text = "        .section m1\nleft:   .word 9, 27\nnext:   .fill 80, 7\n        .text\n        mov v0, m1[left]\n"
    editor.open("a.s", text.replace("left:", "le|ft:") + "        halt\n")
    assert "```text\n00 00 00 09 00 00 00 1b\n```" in await editor.hover("a.s")
    editor.change("a.s", text.replace("next:", "ne|xt:") + "        halt\n")
    shown = await editor.hover("a.s")
    assert shown.count(" ".join(["07"] * 16)) == 4 and "\n...\n" in shown


async def test_macros_parameters_functions_arrays_and_aliases(editor: Editor) -> None:
    head = (
        "        .macro twice what, times=2\n        arset ar0, \\what * \\times\n        .endm\n"
        "        .function double(x) = x * 2\n        .array S, 1, 2, 3\n        .alias input, ar1\n"
    )
    tail = "        twice double(S[1])\n        arset input, 0\n        halt\n"
    for old, new, wanted in (
        ("        twice", "        tw|ice", ".macro twice what, times=2"),
        ("\\times", "\\ti|mes", "parameter of macro `twice what, times=2`, `2` if it is left out"),
        ("= x *", "= x| *", "parameter of function `double(x)`"),
        ("double(S", "dou|ble(S", ".function double(x) = x * 2"),
        ("S[1]", "|S[1]", "array `S` of 3 entries: `0x1, 0x2, 0x3`"),
        ("arset input", "arset in|put", "`input` is `ar1` here"),
    ):
        name = f"{abs(hash(new))}.s"
        editor.open(name, (head + tail).replace(old, new, 1))
        assert wanted in await editor.hover(name), new


async def test_a_name_that_a_macro_puts_together_shows_all_its_meanings(editor: Editor) -> None:
    text = "        .macro make c\n\\c\\()|_end:  halt\n        .endm\n        make one\n        make two\n"
    editor.open("a.s", text)
    shown = await editor.hover("a.s")
    assert "`one_end`" in shown and "`two_end`" in shown


async def test_nothing_is_shown_where_nothing_stands(editor: Editor) -> None:
    editor.open("a.s", "   |     halt\n")
    assert await editor.hover("a.s") == ""
    editor.change("a.s", "        halt  // com|ment\n")
    assert await editor.hover("a.s") == ""
