"""Names that the instruction set has are known to every program, which may use them for something else."""

from __future__ import annotations

import pytest

from lutra.asm import AsmError, assemble_text
from lutra.isa import load

ROWS = load().stream_rows


def test_the_rows_of_a_context_have_names() -> None:
    lfsr = [f"context_lfsr{n}" for n in range(4)]
    assert [row.name for row in ROWS] == [*lfsr, "context_registers", "context_buffer"]
    by_name = assemble_text("\n".join(f"ctxld c0, {row.name}, v0\nctxst v1, c1, {row.name}" for row in ROWS))
    by_number = assemble_text("\n".join(f"ctxld c0, {n}, v0\nctxst v1, c1, {n}" for n in range(6)))
    assert by_name.program == by_number.program


def test_a_predefined_name_may_be_in_an_expression_also_of_a_condition() -> None:
    text = "arset ar0, 16 * context_buffer - 1\n.if context_registers == 4\nnop\n.endif"
    assert assemble_text(text).program == assemble_text("arset ar0, 79\nnop").program


def test_a_program_may_define_a_predefined_name_itself() -> None:
    image = assemble_text(".equ context_buffer, 2\narset ar0, context_buffer")
    assert image.program == assemble_text("arset ar0, 2").program


def test_predefined_names_are_no_symbols_of_the_image() -> None:
    assert [s.name for s in assemble_text("here: arset ar0, context_buffer").symbols] == ["here"]


def test_a_misspelt_predefined_name_suggests_it() -> None:
    with pytest.raises(AsmError) as caught:
        assemble_text("ctxld c0, context_bufer, v0")
    assert caught.value.diagnostics[0].hint == "did you mean 'context_buffer'?"
