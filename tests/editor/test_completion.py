"""Completions offered while typing: only what the assembler takes at that place."""

from __future__ import annotations

import pytest
from lsprotocol import types

from lutra.asm import AsmError, assemble_text
from lutra.asm.checks import CHECKS
from lutra.asm.passes.suggest import DIRECTIVES
from lutra.isa import load
from support.editor import Editor

pytestmark = pytest.mark.asyncio(loop_scope="module")


async def test_statements_begin_with_mnemonics_macros_and_directives(editor: Editor) -> None:
    editor.open("a.s", "        .macro aes_mine\n        .endm\n        aes|\n")
    await editor.hover_nothing()
    offers = await editor.offers("a.s")
    assert set(offers) == {m for m in load().by_mnemonic if m.startswith("aes")} | {"aes_mine"}
    editor.change("a.s", "        |\n")
    offers = await editor.offers("a.s")
    assert {*load().by_mnemonic, *DIRECTIVES} <= set(offers)


@pytest.mark.parametrize(
    ("line", "some", "none"),
    [
        ("xor |", {"v0", "ctr", "m3[", "t0["}, {"zero", "ctr++", "ar0", "hold", "c0"}),
        ("xor v0, |", {"v0", "ctr++", "zero", "m2["}, {"t0[", "ar0", "c0", "{"}),
        ("aesenc2 v0, v0, |", {"m0:m1["}, {"m0[", "v0"}),
        ("aesenc2 v0, m0[ar0], |", set(), {"m0:m1["}),  # m0 has one port
        ("mov m2[ar0++], m|", {"m0[", "m3["}, {"m2["}),
        ("mov m3[ar0++], m2[|", {"ar0", "ar1++"}, {"ar0++", "ar0+=s%"}),  # one modification per register
        ("mov {|", {"v0", "m3["}, {"zero"}),
        ("mov {v0, |", {"m3[", "t0["}, {"v1"}),
        ("cam2 {v0, |", {"v1"}, {"v0", "v2", "m3["}),
        ("cam2 |", {"{"}, {"v0"}),
        ("ctxld |", {"c0", "c1"}, {"v0", "c0:c1"}),
        ("arset |", {"ar0", "ar7"}, {"v0"}),
        ("xor v0, v1 ^ |", set(), {"v0"}),
    ],
)
async def test_operands_are_those_of_the_kind_and_of_free_memory_ports(
    editor: Editor, line: str, some: set[str], none: set[str]
) -> None:
    editor.open("a.s", f"        {line}\n")
    offers = set(await editor.offers("a.s"))
    assert some <= offers
    assert not none & offers


async def test_rows_of_labels_are_offered_where_a_row_may_be(editor: Editor) -> None:
    head = "        .section m1\nleft:   .word 9, 27, 29, 0\nodd:    .word 0\n        .text\n"
    editor.open("a.s", f"{head}        rotv v0, v1, m1[0]\n        halt\n")
    await editor.hover_nothing()
    editor.change("a.s", f"{head}        rotv v0, v1, m|\n        halt\n")
    assert {"m0[", "m1[", "m1[left]", "m1[odd]"} <= set(await editor.offers("a.s"))
    editor.change("a.s", f"{head}        rotv m1[ar0], v1, m|\n        halt\n")
    assert not {"m1[", "m1[left]"} & set(await editor.offers("a.s"))


@pytest.mark.parametrize("mnemonic", sorted(load().by_mnemonic))
async def test_what_is_offered_first_can_be_assembled(editor: Editor, mnemonic: str) -> None:
    """Operands are taken from the offers one after the other, and the assembler takes them all."""
    insn = load().lookup(mnemonic)[0]
    written: list[str] = []
    for number in range(insn.required):
        operand = insn.operands[number]
        if operand.written in ("number", "label"):
            written.append(str(operand.choices[0] if operand.choices else max(operand.low, 2)))
            continue
        text = ""
        for _ in range(6):
            name = f"{mnemonic}{number}{len(text)}.s"
            editor.open(name, f"        {mnemonic} {', '.join([*written, text])}|\n")
            offers = [offer for offer in await editor.offers(name) if offer != text]
            editor.close(name)
            assert offers or text, (mnemonic, written, text)
            begun = text[: max(text.rfind(c) for c in "[{ ") + 1]
            if text and text[-1] not in "[{ ,":
                break
            text = begun + offers[0]
            if text.count("{") and "," not in text and not text.endswith(("[", "{")):
                text += ", "
            if text.endswith("["):
                text += "0]"
                break
        text += "]" * (text.count("[") - text.count("]")) + "}" * (text.count("{") - text.count("}"))
        written.append(text)
    try:
        assemble_text(f"        {mnemonic} {', '.join(written)}\n        halt\n        halt\n        halt\n")
    except AsmError as error:
        assert all("loop" in d.message for d in error.diagnostics), (written, str(error))


async def test_numbers_are_symbols_that_fit_and_labels_of_the_right_memory(editor: Editor) -> None:
    text = "small = 3\nlarge = 70000\n        .section m2\ninput:  .zero 16\n        .text\nstart:  nop\n"
    editor.open("a.s", text + "        arset ar0, |\n")
    await editor.hover_nothing()
    offers = await editor.offers("a.s")
    assert {"small", "input"} <= set(offers) and "large" not in offers
    editor.change("a.s", text + "        jmp |\n")
    offers = await editor.offers("a.s")
    assert "start" in offers and "input" not in offers
    editor.change("a.s", text + "        mov v0, m2[in|\n")
    assert await editor.offers("a.s") == ["input"]
    editor.change("a.s", text + "        mov v0, m3[in|\n")
    assert await editor.offers("a.s") == []


async def test_macros_offer_parameters_and_bodies_their_own(editor: Editor) -> None:
    head = "        .macro twice what, times=2\n        arset ar0, \\what * \\times\n        .endm\n"
    editor.open("a.s", head + "        twice 1, |\n")
    await editor.hover_nothing()
    assert "times=" in await editor.offers("a.s")
    editor.change("a.s", head.replace("\\times", "\\|"))
    assert await editor.offers("a.s") == ["\\what", "\\times", "\\@", "\\()"]


async def test_sections_checks_and_files(editor: Editor) -> None:
    editor.open("a.s", "        .section t0|\n")
    assert await editor.offers("a.s") == ["t0", "t0.*", "t0:t1", "t0:t1.*"]
    editor.change("a.s", '        .allow "un|"\n')
    assert set(await editor.offers("a.s")) == {name for name in CHECKS if name.startswith("un")}
    editor.save("size.inc", "")
    editor.save("sub/more.inc", "")
    editor.change("a.s", '        .include "|"\n')
    assert {"size.inc", "sub/"} <= set(await editor.offers("a.s"))
    editor.change("a.s", '        .include "sub/|"\n')
    assert await editor.offers("a.s") == ["more.inc"]


async def test_nothing_is_offered_in_a_comment(editor: Editor) -> None:
    editor.open("a.s", "        nop // a|\n")
    assert await editor.offers("a.s") == []


async def test_an_offer_has_its_documentation_when_it_is_chosen(editor: Editor) -> None:
    editor.open("a.s", "        aesenc2|\n")
    found = await editor.ask(editor.client.text_document_completion_async(types.CompletionParams(**editor.at("a.s"))))
    assert isinstance(found, types.CompletionList)
    item = await editor.ask(editor.client.completion_item_resolve_async(found.items[0]))
    assert isinstance(item.documentation, types.MarkupContent)
    assert "two rounds" in item.documentation.value


@pytest.mark.parametrize(
    ("line", "label", "active"),
    [
        ("aesenc2 v0, |", "aesenc2 dst, src, keys, [step]", 1),
        ("twice 1, |", "twice what, times=2", 1),
        ("twice times=|", "twice what, times=2", 1),
        ("arset ar0, sum(1, |", "sum(x, y)", 1),
        (".fill |", ".fill COUNT, BYTE", 0),
    ],
)
async def test_signatures_show_operands_and_where_one_is(editor: Editor, line: str, label: str, active: int) -> None:
    head = "        .macro twice what, times=2\n        .endm\n        .function sum(x, y) = x + y\n"
    editor.open("a.s", f"{head}        {line}\n")
    await editor.hover_nothing()
    found = await editor.ask(
        editor.client.text_document_signature_help_async(types.SignatureHelpParams(**editor.at("a.s")))
    )
    assert found is not None
    assert (found.signatures[0].label, found.active_parameter) == (label, active)
