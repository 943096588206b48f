"""Single mistakes, and what is said of them: the place, the cause, the remedy. They are in mistakes.txt."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from lutra.asm import AsmError, Diagnostic, assemble_text

STANZAS = [
    stanza.splitlines()
    for stanza in (Path(__file__).parent / "mistakes.txt").read_text().split("\n\n")
    if not stanza.startswith("#")
]


def source(stanza: list[str]) -> str:
    """The lines after bars."""
    return "\n".join(line[2:] for line in stanza if line.startswith("|"))


def findings(text: str) -> tuple[Diagnostic, ...]:
    """Findings in a text, whether it assembles or not."""
    try:
        return assemble_text(text, "x.s").warnings
    except AsmError as error:
        return error.diagnostics


@pytest.mark.parametrize("stanza", STANZAS, ids=lambda stanza: re.sub(r"\W+", "-", source(stanza))[:40])
def test_a_mistake_is_told_with_place_cause_and_remedy(stanza: list[str]) -> None:
    (found,) = findings(source(stanza))
    told = f"{found.line}:{found.column}-{found.column + found.width} {found.severity}: {found.message}"
    lines = [told + (f" [{found.name}]" if found.name else "")] + ([f"hint: {found.hint}"] if found.hint else [])
    assert lines == [line for line in stanza if not line.startswith("|")]


def test_there_are_mistakes_of_every_kind() -> None:
    assert len(STANZAS) > 120
    assert len({source(stanza) for stanza in STANZAS}) == len(STANZAS)


def test_a_mistake_that_others_follow_from_is_told_once() -> None:
    chain = "".join(f"a{n} = a{n + 1} + 1\n" for n in range(100))
    (found,) = findings(f"{chain}a100 = 1 / 0\narset ar0, a0\narset ar1, a50\nhalt")
    assert (found.line, found.message) == (101, "division by zero")


def test_an_error_in_an_included_file_that_is_no_text_has_its_place(tmp_path: Path) -> None:
    (tmp_path / "latin.inc").write_bytes("nop\n  // grün ".encode() + b"\xe9\n")
    with pytest.raises(AsmError) as caught:
        assemble_text('.include "latin.inc"', str(tmp_path / "x.s"))
    (found,) = caught.value.diagnostics
    assert (found.line, found.column, found.message) == (2, 11, "byte 0xe9 is not valid UTF-8")
    assert found.notes == (f"{tmp_path / 'x.s'}:1: note: included from here",)


def test_what_includes_looked_through_is_named(tmp_path: Path) -> None:
    for directive in ("include", "incbin"):
        with pytest.raises(AsmError) as caught:
            assemble_text(f'.section m0\n.{directive} "no"', str(tmp_path / "x.s"), [tmp_path / "a", tmp_path / "b"])
        assert caught.value.diagnostics[0].hint == f"looked in {tmp_path}, {tmp_path / 'a'}, {tmp_path / 'b'}"
