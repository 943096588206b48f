"""How errors look, that all are shown, and that no input ends in a traceback."""

from __future__ import annotations

import ast
import time
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import lutra.asm
from lutra.asm import AsmError, assemble, assemble_text
from lutra.isa import IsaTablesError, load, parse, reference

# Far more than any text may take, on a machine that does other work.
SECONDS = 60


def rendered(text: str) -> str:
    with pytest.raises(AsmError) as caught:
        assemble_text(text, "x.s")
    return str(caught.value)


def test_error_shows_place_line_caret_and_hint() -> None:
    assert rendered("nop\n\tmov v0, m2[4096] // c") == (
        "x.s:2:13: error: 4096 is out of range\n"
        "    \tmov v0, m2[4096] // c\n"
        "    \t           ^~~~\n"
        "    hint: legal: 0 to 4080 (0x0 to 0xff0)"
    )


def test_error_in_an_expansion_shows_how_it_got_there() -> None:
    text = ".macro inner r\n arset ar0, \\r\n.endm\n.macro outer r\n inner \\r + 1\n.endm\n.rept 2\n outer 65535\n.endr"
    assert rendered(text) == (
        "x.s:2:13: error: 65536 is out of range\n"
        "     arset ar0, 65535 + 1\n"
        "                ^~~~~~~~~\n"
        "    hint: legal: -32768 to 65535\n"
        "x.s:5: note: in expansion of macro 'inner'\n"
        "x.s:8: note: in expansion of macro 'outer'\n"
        "x.s:7: note: in repetition 0 of .rept"
    )


def test_all_errors_of_all_kinds_are_shown_in_one_run() -> None:
    text = rendered("mov v0 v1\nbogus\nx: x: nop\njmp nowhere\n.section q\n.byte 1\n.text\nnotify 300")
    assert [line.split(":")[1] for line in text.splitlines() if ": error: " in line] == ["1", "2", "3", "5", "4", "8"]


def test_error_at_the_end_of_a_line_points_after_the_last_word() -> None:
    assert "    arset ar0,  // c\n              ^\n" in rendered("arset ar0,  // c") + "\n"


def test_warnings_do_not_fail() -> None:
    image = assemble_text('.warning "old"\nhalt', "x.s")
    assert [w.render().splitlines()[0] for w in image.warnings] == ["x.s:1:1: warning: old [user]"]


@pytest.mark.parametrize(
    "text",
    [
        "arset ar0, " + "(" * 5000 + "1" + ")" * 5000,
        "arset ar0, " + "-" * 5000 + "x",
        "arset ar0, " + "+".join(["x"] * 5000),
        "arset ar0, " + "9" * 5000,
        "arset ar0, " + "*".join(["0xffffffffffffffff"] * 200),
        "a = 1\n" + "\n".join(f"a{i} = a{i + 1} * a{i + 1}" for i in range(2000)) + "\narset ar0, a0",
        ".rept 1000000000\nnop\n.endr",
        ".rept 1000000\n.rept 1000000\n.endr\n.endr",
        ".macro m\n m\n m\n.endm\nm",
        '.include "/dev/null/x"',
        '.include "a\\x00b"',
        '.incbin "a\\x00b"',
        ".section m0\n.fill 1 << 200",
        "\0",
        "\ud800".encode("utf-8", "surrogatepass").decode("utf-8", "replace"),
        "mov v0, m2[" * 200,
        "x = 1 << 1000000000",
        "x = 9 ** 9 ** 9",
        "x = 1 << 1000\ny = x * x * x * x * x",
        "\n".join(f"a{i} = a{i + 1} + a{i + 1}" for i in range(6000)) + "\na6000 = 1",
        ".rept 1 << 1000\n.endr",
        "ctrw 1 << 1000\nrepeat 1 << 1000, 1 << 1000\nx = 1 << (1 << 1000)",
        '.incbin "' + "a" * 5000 + '"',
        "\n".join(f".function f{i}(x) = f{i + 1}(2 * x) + f{i + 1}(2 * x + 1)" for i in range(40))
        + "\n.function f40(x) = x\narset ar0, f0(1)",
        ".function f(x) = f(x) + f(x + 1)\narset ar0, f(1)",
        "\n".join(f".function f{i}(x) = f{i + 1}(x)" for i in range(5000)) + "\narset ar0, f0(1)",
        ".array S, " + ", ".join(f"S[{i + 1}]" for i in range(3000)) + "\narset ar0, S[0]",
        "x = " + "1 ? " * 5000 + "1",
        "x = " + "f(" * 5000 + "1" + ")" * 5000,
    ],
    ids=range(29),
)
def test_hostile_input_ends_in_errors(text: str) -> None:
    begun = time.monotonic()
    try:
        assemble_text(text)
    except AsmError as error:
        assert error.diagnostics
    assert time.monotonic() - begun < SECONDS


WORDS = ".macro .endm .rept .endr .if .else .endif .byte .section .equ .alias .org .insn" + (
    " ++ +=s% 0x10 1 label .L1 'a' \"s\" /* */ \\@"
)
CHARACTERS = ",:[]{}()^+-*/%=\\\"';\n\n\n "
ISA = load()
PIECES = st.sampled_from(
    [*ISA.by_mnemonic, *ISA.vector_by_name, *ISA.address_registers, *ISA.space_by_name, *WORDS.split(), *CHARACTERS]
)


@settings(max_examples=200, deadline=None)
@given(st.lists(PIECES, max_size=30).map(" ".join))
def test_no_text_ends_in_a_traceback(text: str) -> None:
    try:
        assemble_text(text)
    except AsmError as error:
        for d in error.diagnostics:
            assert d.render()


def test_assembler_names_nothing_of_the_instruction_set() -> None:
    """Mnemonics, registers, memories and patterns come from the tables alone."""
    isa = load()
    names = {*isa.by_mnemonic, *isa.vector_by_name, *isa.address_registers, *isa.space_by_name}
    names |= {p.suffix for p in isa.patterns if p.suffix} - {"++", "--"}
    package = Path(lutra.asm.__file__).parent
    for path in package.rglob("*.py"):
        found = {n.value for n in ast.walk(ast.parse(path.read_text())) if isinstance(n, ast.Constant)}
        assert not {f for f in found if isinstance(f, str)} & names, path
    grammar = [line.split("//")[0] for line in (package / "passes/grammar.lark").read_text().splitlines()]
    assert not [line for line in grammar for name in names if f'"{name}"' in line]


def test_every_instruction_has_a_reference() -> None:
    for mnemonic in load().by_mnemonic:
        text = reference(mnemonic)
        assert text.startswith(mnemonic)
        assert all(len(line) < 160 for line in text.splitlines())
    with pytest.raises(KeyError, match="did you mean 'aesenc"):
        reference("aesenc9")


@pytest.mark.parametrize("text", ["", "{}", "[]", '{"machine": 1}', "null"])
def test_foreign_tables_are_refused(text: str) -> None:
    with pytest.raises(IsaTablesError, match="not the generated ISA tables"):
        parse(text)


def test_missing_tables_say_what_to_do(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("LUTRA_ISA_TABLES", str(tmp_path / "none.json"))
    load.cache_clear()
    try:
        with pytest.raises(IsaTablesError, match="build first, or set LUTRA_ISA_TABLES"):
            load()
    finally:
        load.cache_clear()


def test_assemble_keeps_no_state(tmp_path: Path) -> None:
    path = tmp_path / "a.s"
    path.write_text(".macro m\n nop\n.endm\n.equ x, 1\n m")
    assert assemble([path]).program == assemble([path]).program
    with pytest.raises(AsmError):
        assemble_text("m")
