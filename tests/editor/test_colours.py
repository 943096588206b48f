"""Semantic tokens: the kind of every word."""

from __future__ import annotations

import pytest
from lsprotocol import types

from lutra.asm.text.tokens import tokens
from lutra.editor.colours import MODIFIERS, TYPES
from lutra.firmware.manifest import SOURCES
from lutra.isa import load
from support.editor import Editor

pytestmark = pytest.mark.asyncio(loop_scope="module")

SOURCE = """\
/* two
lines */
        .alias  state, v0       // what it is
        .macro  put what
        mov     \\what, m2[ar0++]
        .endm
count   = 3
main:   put     state
        repeat  count, .L_end
        nop
.L_end: halt
"""


async def coloured(editor: Editor, text: str) -> list[tuple[str, str, str]]:
    """(text, type, modifiers) of all words."""
    editor.open("a.s", text)
    params = types.SemanticTokensParams(editor.document("a.s"))
    found = await editor.ask(editor.client.text_document_semantic_tokens_full_async(params))
    assert found is not None
    lines = text.split("\n")
    line = start = 0
    words = []
    for at in range(0, len(found.data), 5):
        down, right, length, kind, bits = found.data[at : at + 5]
        line, start = line + down, right if down else start + right
        raw = lines[line].encode("utf-16-le")[2 * start : 2 * (start + length)]
        modifiers = " ".join(name for n, name in enumerate(MODIFIERS) if bits >> n & 1)
        words.append((raw.decode("utf-16-le"), TYPES[kind], modifiers))
    return words


async def test_words_have_their_kinds(editor: Editor) -> None:
    words = await coloured(editor, SOURCE)
    for wanted in (
        ("/* two", "comment", ""),
        ("lines */", "comment", ""),
        ("state", "variable", "definition"),
        ("v0", "variable", "defaultLibrary"),
        ("put", "macro", "definition"),
        ("put", "macro", ""),
        ("what", "parameter", "definition"),
        ("mov", "keyword", ""),
        ("m2", "namespace", "defaultLibrary"),
        ("count", "variable", "definition readonly"),
        ("main", "label", "definition"),
        ("repeat", "keyword", "controlFlow"),
        (".L_end", "label", ""),
        (".alias", "decorator", ""),
        ("3", "number", ""),
    ):
        assert wanted in words, wanted


async def test_columns_of_text_beyond_ascii(editor: Editor) -> None:
    words = await coloured(editor, "/* \N{OTTER} */ mov v0, v1 // \N{OTTER}\n        halt\n")
    assert [w for w, kind, _ in words if kind == "keyword"] == ["mov", "halt"]


async def test_a_range_has_the_tokens_of_its_lines(editor: Editor) -> None:
    editor.open("a.s", SOURCE)
    where = types.Range(types.Position(9, 0), types.Position(9, 9))
    params = types.SemanticTokensRangeParams(editor.document("a.s"), where)
    found = await editor.ask(editor.client.text_document_semantic_tokens_range_async(params))
    assert found is not None and list(found.data) == [9, 8, 3, TYPES.index("keyword"), 0]


async def test_tokens_of_all_firmware_are_in_order_and_know_every_mnemonic() -> None:
    mnemonics = set()
    for file in sorted([*SOURCES.glob("*/*.s"), *SOURCES.glob("*/*.inc")]):
        text = file.read_text(encoding="utf-8")
        last = 0
        for token in tokens(text):
            assert token.start >= last and text[token.start : token.end] == token.text
            assert token.kind != "unknown", (file, token)
            last = token.end
            if token.kind in ("mnemonic", "transfer"):
                mnemonics.add(token.text)
    assert mnemonics <= set(load().by_mnemonic) and len(mnemonics) > 50
