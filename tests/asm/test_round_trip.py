"""The disassembler reads the assembler's output, and back: over all instructions and random words."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lutra.asm import assemble_text, disassemble
from lutra.isa import Insn, Isa, load
from support.operands import forms

ISA = load()


def statements(isa: Isa, insn: Insn) -> Iterator[str]:
    """Every form of every operand, the other operands in their first form; then without optional ones."""
    options = [forms(isa, insn, o) for o in insn.operands]
    base = [o[0] for o in options]
    yield f"{insn.mnemonic} {', '.join(base)}"
    yield f"{insn.mnemonic} {', '.join(base[: insn.required])}"
    for i, option in enumerate(options):
        for form in option[1:]:
            yield f"{insn.mnemonic} {', '.join([*base[:i], form, *base[i + 1 :]])}"


@pytest.mark.parametrize("insn", ISA.instructions, ids=lambda i: i.name)
def test_every_form_comes_back_as_the_same_word(insn: Insn) -> None:
    texts = list(statements(ISA, insn))
    image = assemble_text("\n".join(texts), warnings=["no-all"])
    assert len(image.program) == len(texts)
    back = [disassemble(word, pc) for pc, word in enumerate(image.program)]
    for text, word, again in zip(texts, image.program, back, strict=True):
        assert word & insn.mask == insn.match, text
        assert not again.startswith(".insn"), text
    assert assemble_text("\n".join(back), warnings=["no-all"]).program == image.program


@st.composite
def words(draw: st.DrawFn) -> int:
    """A word that agrees with some instruction's constant bits, with slots and codes that are often legal."""
    insn = draw(st.sampled_from(ISA.instructions))
    word = insn.match
    for place in insn.fields.values():
        top = place.top
        likely = st.sampled_from([v for v in (0, 1, 2, 11, 12, 0x40, 0x44, 0x80, 0x101, top) if v <= top])
        word |= draw(st.one_of(likely, st.integers(0, top))) << place.lsb
    if draw(st.integers(0, 9)) == 0:
        word ^= 1 << draw(st.integers(0, 63))
    return word


@settings(max_examples=500, deadline=None)
@given(st.one_of(words(), st.integers(0, (1 << 64) - 1)))
def test_random_word_comes_back(word: int) -> None:
    text = disassemble(word)
    assert "\n" not in text
    assert assemble_text(text).program == [word], text


def test_word_that_is_no_instruction_is_raw() -> None:
    assert disassemble(0) == ".insn 0x0000000000000000"
    assert disassemble((1 << 64) - 1) == ".insn 0xffffffffffffffff"


def test_other_encoding_of_an_instruction_says_what_it_does() -> None:
    # ra = wk, rb = v1: the assembler would add wk by its own field.
    assert disassemble(0x2009_1000_0000_0000) == ".insn 0x2009100000000000 // another encoding of: mov v0, wk ^ v1"


def test_targets_are_shown_by_name() -> None:
    image = assemble_text("start: repeat 2, over\n nop\nover: jmp start")
    labels = image.labels("pm")
    assert [disassemble(w, pc, labels) for pc, w in enumerate(image.program)] == ["repeat 2, over", "nop", "jmp start"]
