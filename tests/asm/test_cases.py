"""Every `cases/*/ok_*.s` assembles to what its comments say, every `err_*.s` fails as they say.

In a comment:  `=> WORD...`             the program words of this line, in order of address
               `error: TEXT`            the line's error contains TEXT; `TEXT | HINT` its hint too
               `error at COLUMN: TEXT`  and begins at this column
               `warning: TEXT`          likewise
On its own:    `m0[ADDRESS] = BYTES`    a run of bytes in a memory or table
               `symbol NAME = SPACE VALUE` (space `-`: a number),  `entry ADDRESS`
Cases are fragments: what `-W` chooses is off, but for `.warning`; tests/asm/test_checks.py has the rest.
Whatever is produced without being expected, or expected without being produced, fails.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from lutra.asm import AsmError, Diagnostic, Image, assemble
from lutra.asm.passes.nodes import Instruction
from lutra.asm.passes.parse import parse_line
from lutra.isa import Operand, load

CASES = Path(__file__).parent / "cases"
OK = sorted(CASES.glob("*/ok_*.s"))
ERR = sorted(CASES.glob("*/err_*.s"))

CHECKED = ["no-all", "user"]
WORDS = re.compile(r"(?://|;) => ([0-9a-f ]+)$")
FINDING = re.compile(r"(?://|;) (error|warning)(?: at (\d+))?: (.*)$")
RUN = re.compile(r"^// (\S+)\[(\w+)\] = ([0-9a-f ]+)$")
SYMBOL = re.compile(r"^// symbol (\S+) = (\S+) (\S+)$")
ENTRY = re.compile(r"^// entry (\S+)$")


def lines_of(path: Path) -> list[tuple[str, int, str]]:
    """(file, line number, text) of a case and of the files next to it that it can include."""
    found = []
    for file in [path, *sorted((path.parent / path.stem).glob("*"))]:
        name = str(file)
        found += [(name, i, text) for i, text in enumerate(file.read_text().splitlines(), 1)]
    return found


def name(path: Path) -> str:
    return str(path.relative_to(CASES))


def check_findings(path: Path, diagnostics: tuple[Diagnostic, ...]) -> None:
    expected: dict[tuple[str, int], tuple[str, ...]] = {}
    for file, number, text in lines_of(path):
        if found := FINDING.search(text):
            expected[file, number] = (found[1], found[2] or "", *found[3].strip().split(" | "))
    wrong = []
    for d in diagnostics:
        severity, column, message, *hint = expected.pop((d.file, d.line), ("", "", ""))
        elsewhere = column != "" and int(column) != d.column
        if severity != d.severity or elsewhere or message not in d.message or (hint and hint[0] not in d.hint):
            wrong.append(d.render())
        assert 1 <= d.column <= len(d.source) + 1, d.render()
        assert d.width >= 1
    assert not wrong, "other findings than the comments say:\n" + "\n".join(wrong)
    assert not expected, "not reported"


def check_image(path: Path, image: Image) -> None:
    produced: dict[tuple[str, int], list[int]] = {}
    for pc in sorted(image.lines):
        produced.setdefault(image.lines[pc], []).append(image.program[pc])
    runs = {(space, at): data for space, segments in image.memory.items() for at, data in segments}
    expected_any = False
    for file, number, text in lines_of(path):
        if found := WORDS.search(text):
            expected_any = True
            words = [int(w, 16) for w in found[1].split()]
            got = produced.pop((file, number), [])
            assert [f"{w:016x}" for w in got] == [f"{w:016x}" for w in words], f"{file}:{number}"
        elif found := RUN.search(text):
            expected_any = True
            assert runs.pop((found[1], int(found[2], 0)), b"").hex(" ") == found[3], f"{file}:{number}"
        elif found := SYMBOL.search(text):
            symbol = image.symbol(found[1])
            assert (symbol.space or "-", symbol.value) == (found[2], int(found[3], 0))
        elif found := ENTRY.search(text):
            assert image.entry == int(found[1], 0)
    assert not produced, "words that no comment expects"
    assert not runs, "bytes that no comment expects"
    assert expected_any, "the case expects nothing"


@pytest.mark.parametrize("path", OK, ids=name)
def test_assembles_to_what_the_comments_say(path: Path) -> None:
    image = assemble([path], warnings=CHECKED)
    check_image(path, image)
    check_findings(path, image.warnings)


@pytest.mark.parametrize("path", ERR, ids=name)
def test_fails_with_the_errors_in_the_comments(path: Path) -> None:
    with pytest.raises(AsmError) as caught:
        assemble([path], warnings=CHECKED)
    check_findings(path, caught.value.diagnostics)


def beyond(operand: Operand) -> list[tuple[int, str]]:
    """The values next to those that are legal, with what the error says of them."""
    if operand.choices:
        text = f"is not possible | legal: {', '.join(map(str, operand.choices))}"
        return [(min(operand.choices) - 1, text), (max(operand.choices) + 1, text)]
    text = f"is out of range | legal: {operand.low} to {operand.high}"
    return [(operand.low - 1, text), (operand.high + 1, text)]


def range_cases() -> set[tuple[str, int, str]]:
    """Mnemonic, index of the operand at the error's column, and the error, of every line of the case."""
    found = set()
    for text in (CASES / "operands" / "err_ranges.s").read_text().splitlines():
        body, finding = parse_line(text).body, FINDING.search(text)
        assert isinstance(body, Instruction) and finding, text
        at = [node.col + 1 for node in body.operands]
        if int(finding[2]) in at:
            # A number above 255 is shown in hexadecimal, too.
            found.add((body.mnemonic, at.index(int(finding[2])), re.sub(r" \(0x.*\)$", "", finding[3])))
    return found


def test_both_ends_of_every_number_have_a_case() -> None:
    """One below and one above what every number of an instruction may be, with the legal ones as the hint."""
    cases, kinds = range_cases(), set()
    for insn in load().instructions:
        for last, operand in enumerate(insn.operands):
            if operand.written not in ("number", "label"):
                continue
            kinds.add(operand.kind)
            # What is optional may be left out before it.
            first = sum(not before.optional for before in insn.operands[:last])
            for value, text in beyond(operand):
                wanted = {(insn.mnemonic, at, f"{value} {text}") for at in range(first, last + 1)}
                assert wanted & cases, f"{insn.syntax}: {operand.name} {value}"
    assert kinds == {"number", "choice", "target", "loop_end"}


def test_every_file_is_a_case_or_part_of_one() -> None:
    known = {*OK, *ERR, *CASES.glob("*/*/*.inc"), *CASES.glob("*/*.bin")}
    assert {p for p in CASES.rglob("*") if p.is_file()} == known
