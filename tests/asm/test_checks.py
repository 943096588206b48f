"""Warnings about programs that assemble: the checks, their findings, and how `-W` chooses."""

from __future__ import annotations

from pathlib import Path

import pytest

from lutra.asm import CHECKS, AsmError, Diagnostic, assemble, assemble_text, severities
from lutra.firmware.ciphers import ImageSource
from support.documents import ROOT
from support.firmware import EVERYTHING
from support.sampling import sampled


def findings(text: str, *warnings: str, **options: object) -> tuple[Diagnostic, ...]:
    """Findings in a text, whether it assembles or not."""
    try:
        return assemble_text(text, "x.s", warnings=warnings, **options).warnings  # type: ignore[arg-type]
    except AsmError as error:
        return error.diagnostics


def found(text: str, *warnings: str, **options: object) -> list[str]:
    """The same as `line name`."""
    return [f"{d.line} {d.name}" for d in findings(text, *warnings, **options)]


def test_a_warning_is_shown_as_errors_are_with_the_name_of_its_check() -> None:
    (warning,) = findings("halt\nl:\thalt // c", "no-unreachable")
    assert warning.render() == (
        "x.s:2:1: warning: label 'l' is not used [unused-label]\n"
        "    l:\thalt // c\n"
        "    ^\n"
        "    hint: make it .global if the host uses it"
    )


@pytest.mark.parametrize("name", CHECKS)
def test_the_manual_has_every_check_with_its_words(name: str) -> None:
    check = CHECKS[name]
    manual = (ROOT / "docs/programmers-manual/02-assembly.md").read_text()
    assert f"| `{name}` | {check.severity if check.on else 'off'} | {check.text} |" in manual


@pytest.mark.parametrize(
    ("options", "unused", "loop"),
    [
        ([], "warning", "error"),
        (["no-unused-label"], "", "error"),
        (["no-all"], "", ""),
        (["no-all", "unused-label"], "warning", ""),
        (["unused-label", "no-all"], "warning", ""),
        (["no-unused-label", "unused-label"], "warning", "error"),
        (["error"], "error", "error"),
        (["error", "no-error=unused-label"], "warning", "error"),
        (["no-error=loop-depth"], "warning", "warning"),
        (["no-error"], "warning", "warning"),
        (["error=unused-label"], "error", "error"),
        (["error=all"], "error", "error"),
        (["error", "no-unused-label"], "", "error"),
        (["no-unused-label", "error=unused-label"], "error", "error"),
        (["error", "no-error"], "warning", "warning"),
        (["no-error", "error"], "error", "error"),
    ],
    ids=lambda value: ",".join(value) if isinstance(value, list) else value or "off",
)
def test_options_choose_as_those_of_a_compiler(options: list[str], unused: str, loop: str) -> None:
    chosen = severities(options)
    assert (chosen["unused-label"], chosen["loop-depth"]) == (unused, loop)


@pytest.mark.parametrize(
    ("options", "stalls"),
    [
        ([], ""),
        (["stalls"], "warning"),
        (["all"], "warning"),
        (["no-stalls"], ""),
        (["all", "no-stalls"], ""),
        (["error"], ""),
        (["error", "stalls"], "error"),
        (["error=stalls"], "error"),
        (["no-error=stalls"], ""),
    ],
)
def test_a_check_that_is_off_is_made_where_it_is_named(options: list[str], stalls: str) -> None:
    assert severities(options)["stalls"] == stalls


@pytest.mark.parametrize("option", ["nonsense", "no-nonsense", "error=nonsense", "error=", "", "no-", "no-error="])
def test_an_unknown_check_is_refused_with_the_list(option: str) -> None:
    with pytest.raises(ValueError, match="no such check; choose from loop-depth, "):
        assemble_text("halt", warnings=[option])


def test_a_warning_as_error_fails_with_its_name() -> None:
    with pytest.raises(AsmError) as caught:
        assemble_text("nop", "x.s", warnings=["error=runs-off"])
    assert [(d.severity, d.name) for d in caught.value.diagnostics] == [("error", "runs-off")]


def test_a_source_can_leave_a_check_out_for_itself_alone(tmp_path: Path) -> None:
    for name, text in (("a", '.allow "unused-label"\nhalt\nl: halt'), ("b", "k: halt"), ("c", '.allow "all"\nnop')):
        (tmp_path / f"{name}.s").write_text(text)
    image = assemble([tmp_path / "a.s", tmp_path / "b.s", tmp_path / "c.s"], warnings=["no-unreachable"])
    assert [(Path(w.file).name, w.name) for w in image.warnings] == [("b.s", "unused-label")]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("nop\nnop", ["2 runs-off"]),
        ("halt", []),
        ("ret", []),
        ("l: jmp l", []),
        ("wait", ["1 runs-off"]),
        (".insn 0", []),
        ("nop\n.org 8\nhalt", ["1 runs-off"]),
        (".entry b\na: nop\nb: halt\n jmp a", []),
        (".global a, b\na: halt\nb: nop", ["3 runs-off"]),
        (".global d\nnop\n.section m0\nd: .byte 1", ["2 runs-off"]),
        ("bf l\nl: nop", ["2 runs-off"]),
        ("bf 9\nhalt", ["1 runs-off"]),
        ("call 9\nhalt", ["1 runs-off"]),
        # A call that comes back goes on, one that does not is an end.
        ("jmp b\na: ret\nb: call a", ["3 runs-off"]),
        ("jmp b\na: halt\nb: call a", []),
        ("jmp c\na: call b\nb: ret\nc: call a", ["4 runs-off"]),
        ("jmp c\na: jmp a\nc: call a", []),
        # The end of a loop is reached, whatever the body does; one of no turn skips it.
        ("repeat 3, l\nnop\nl:", ["2 runs-off"]),
        ("repeat 0, l\nnop\nl: halt", []),
        ("repeat ar0, l\njmp 0\nl:", ["1 runs-off"]),
    ],
)
def test_a_program_that_runs_to_where_it_has_no_instruction_is_found(text: str, expected: list[str]) -> None:
    assert found(text, "no-all", "runs-off") == expected


def test_only_what_the_source_itself_defines_and_nobody_uses_is_unused(tmp_path: Path) -> None:
    (tmp_path / "lib.inc").write_text("library: halt\nsize = 5\n.function f(x) = x\n.array S, 1\n")
    text = """.include "lib.inc"
        .macro m
made\\@: nop
        .endm
        .global shown
        .entry start
start:  m
shown:  halt
        .ifdef asked
        .endif
asked   = 1
used    = 2
        .section m0
data:   .byte used, g(1), T[0]
.L_x:   .byte 1
        .function g(x) = x
        .function h(x) = x
        .array T, 1
        .array U, 1
value   = used
"""
    image = assemble_text(text, str(tmp_path / "x.s"))
    assert [(w.line, w.name) for w in image.warnings] == [
        (11, "unused-symbol"),
        (14, "unused-label"),
        (15, "unused-label"),
        (20, "unused-symbol"),
        (17, "unused-symbol"),
        (19, "unused-symbol"),
    ]


def test_a_label_at_the_start_without_an_entry_is_used() -> None:
    assert found("main: halt") == []
    assert found(".section m0\nmain: .byte 1\n.text\nhalt") == ["2 unused-label"]


def test_the_use_of_a_global_name_counts_in_its_own_file(tmp_path: Path) -> None:
    (tmp_path / "a.s").write_text(".global f\nf: halt\nlocal: halt")
    (tmp_path / "b.s").write_text("call f\nlocal: halt\njmp local")
    image = assemble([tmp_path / "a.s", tmp_path / "b.s"], warnings=["no-unreachable"])
    assert [(Path(w.file).name, w.line) for w in image.warnings] == [("a.s", 3)]


def test_an_empty_file_is_found_and_only_that_one(tmp_path: Path) -> None:
    for name, text in (("a", "halt"), ("b", "// nothing\n\n"), ("c", "k = 1\n.global k")):
        (tmp_path / f"{name}.s").write_text(text)
    image = assemble([tmp_path / f"{name}.s" for name in "abc"])
    assert [w.render() for w in image.warnings] == [
        f"{tmp_path / 'b.s'}: warning: the file has no instructions and no data [empty-file]"
    ]


def test_definitions_of_the_command_line_are_checked() -> None:
    text = "arset ar0, N\nhalt"
    assert found(text, defines=[("N", 1)]) == []
    assert found(text, defines=[("N", 1), ("N", 1)]) == ["1 repeated-define"]
    assert found(text, defines={"N": 1, "M": 2}) == ["1 unused-define"]
    assert [d.message for d in findings(text, defines=[("N", 1), ("N", 2)])] == ["'N' is defined twice"]
    assert [d.message for d in findings(text, defines={"N": 1, "v0": 1})] == ["'v0' names a register or memory"]


def test_a_definition_that_one_of_several_files_uses_is_used(tmp_path: Path) -> None:
    (tmp_path / "a.s").write_text(".global a\na: arset ar0, N\nhalt")
    (tmp_path / "b.s").write_text(".global b\nb: halt")
    assert assemble([tmp_path / "a.s", tmp_path / "b.s"], defines={"N": 1}).warnings == ()


def test_as_many_errors_are_told_as_are_wanted() -> None:
    text = "bogus\n" * 50
    with pytest.raises(AsmError) as caught:
        assemble_text(text, max_errors=20)
    assert (len(caught.value.diagnostics), caught.value.stopped) == (20, True)
    with pytest.raises(AsmError) as caught:
        assemble_text(text, max_errors=50)
    assert (len(caught.value.diagnostics), caught.value.stopped) == (50, False)


def test_warnings_do_not_count_among_the_errors() -> None:
    with pytest.raises(AsmError) as caught:
        assemble_text('.warning "a"\n.warning "b"\nbogus', max_errors=1)
    assert [d.severity for d in caught.value.diagnostics] == ["warning", "warning", "error"]
    assert not caught.value.stopped


def images() -> dict[str, ImageSource]:
    """Images of all firmware by name."""
    return {part.image.name: part.image for cipher in EVERYTHING.ciphers for part in cipher.implementations}


MORE = pytest.mark.nightly("seven images of eight; those of the eighth find a check that warns of what is right")


@pytest.mark.parametrize("image", sampled(images().values(), 8, MORE), ids=images())
def test_the_firmware_has_no_warning(image: ImageSource) -> None:
    found = assemble(image.sources, image.include_dirs, warnings=["error"])
    assert found.warnings == () and found.program


def test_every_file_that_was_read_is_known(tmp_path: Path) -> None:
    (tmp_path / "a.inc").write_text('.section m0\n.incbin "d.bin"\n.text\n')
    (tmp_path / "d.bin").write_bytes(b"123")
    (tmp_path / "a.s").write_text('.include "a.inc"\n.include "a.inc"\nhalt')
    assert [Path(f).name for f in assemble([tmp_path / "a.s"]).files] == ["a.s", "a.inc", "d.bin"]


@pytest.mark.parametrize(
    ("expression", "hint"),
    [
        ("x & 31 == 31", "write (x & 31) == 31 or x & (31 == 31)"),
        ("1 & 2 == 2", "write (1 & 2) == 2 or 1 & (2 == 2)"),
        ("x + 1 < 3 | 4", "write (x + 1 < 3) | 4 or x + 1 < (3 | 4)"),
        ("1, (x != 2 ^ x), 1", "write (x != 2) ^ x or x != (2 ^ x)"),
        ("f(x >= 1 & 7)", "write (x >= 1) & 7 or x >= (1 & 7)"),
        ("x & 1 == 1 ? 2 : 3", "write (x & 1) == 1 or x & (1 == 1)"),
        ("x == 1 && x ^ 2 == 3", "write (x ^ 2) == 3 or x ^ (2 == 3)"),
        ("x & 1 & 2 == 2", "put parentheses around the part to compute first"),
        ("(x & 31) == 31", ""),
        ("x & (31 == 31)", ""),
        ("x == 1 && x & 2, x | 1, x << 2 & 4 >> 1", ""),
        ("x & 1 ? x == 2 : x ^ 3", ""),
        ("'&' == x, '<' & '\\''", ""),
        ("f(x & 1) == x", ""),
    ],
)
def test_a_comparison_next_to_a_bitwise_operator_needs_parentheses(expression: str, hint: str) -> None:
    lines = [
        "x = 3\n.function f(x) = x\n.section m0\n.byte {}",
        "x = 3\n.function f(x) = x\n.section m0\n.byte 1\ny = {}",
        "x = 3\n.function f(x) = x\n.function g(x) = {}\n.section m0\n.byte g(0)",
        "x = 3\n.function f(x) = x\n.section m0\n.if {} // x & 1 == 1\n.byte 1\n.endif",
    ]
    for text in lines[: 1 if "," in expression else 4]:
        warned = findings(text.format(expression), "no-all", "parentheses")
        assert [d.hint for d in warned] == [hint] * bool(hint), text
        assert findings('.allow "parentheses"\n' + text.format(expression), "no-all", "parentheses") == ()


def test_parentheses_are_asked_for_once_in_a_repetition() -> None:
    (found,) = findings(".section m0\n.rept 9\n.byte \\+ & 3 == 3 // of 9\n.endr", "no-all", "parentheses")
    assert found.render() == (
        "x.s:3:13: warning: '==' is computed before '&' [parentheses]\n"
        "    .byte 0 & 3 == 3 // of 9\n"
        "                ^~\n"
        "    hint: write (0 & 3) == 3 or 0 & (3 == 3)\n"
        "x.s:2: note: in repetition 0 of .rept"
    )


@pytest.mark.parametrize(
    ("line", "column"),
    [
        ("nop; halt", 6),
        ("l: mov v0, v1 ;  mov v2, v3", 18),
        ("mov v0, v1 ; the state", 0),
        ("mov v0, v1 ; wait for the host", 0),
        ("nop // halt; halt", 0),
        ("; halt", 0),
        ("nop ; mov", 0),
        ("nop ; xro v0, v1", 0),
    ],
)
def test_an_instruction_after_a_semicolon_is_a_finding(line: str, column: int) -> None:
    warned = findings(f"{line}\nhalt", "no-all", "semicolon")
    assert [d.column for d in warned] == [column] * bool(column)
    assert all("is in a comment, which starts at ;" in d.message for d in warned)
