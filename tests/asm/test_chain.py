"""Where words come from: lines, through macros, repetitions and included files."""

from __future__ import annotations

from pathlib import Path

import pytest

from lutra.asm import Image, Place, assemble, assemble_text

NESTED = """\
.macro  inner
        nop
        nop
.endm
.macro  outer
        inner
        nop
.endm
        nop
        outer
.rept   2
        inner
.endr
"""


def places(image: Image) -> list[list[str]]:
    """The chain of every word as `line` or `macro:line`."""
    return [[f"{p.macro}:{p.line}" if p.macro else str(p.line) for p in image.chain(pc)] for pc in sorted(image.lines)]


def test_chain_goes_from_the_line_through_each_macro_to_the_outermost_call() -> None:
    assert places(assemble_text(NESTED, "a.s")) == [
        ["9"],
        ["inner:2", "outer:6", "10"],
        ["inner:3", "outer:6", "10"],
        ["outer:7", "10"],
        ["inner:2", "12"],
        ["inner:3", "12"],
        ["inner:2", "12"],
        ["inner:3", "12"],
    ]


def test_each_call_of_a_repetition_is_an_expansion_of_its_own() -> None:
    image = assemble_text(NESTED, "a.s")
    assert [(e.macro, e.definition[1], e.call[1], e.parent) for e in image.expansions] == [
        ("outer", 5, 10, -1),
        ("inner", 1, 6, 0),
        ("inner", 1, 12, -1),
        ("inner", 1, 12, -1),
    ]
    assert [image.written[pc].expansion for pc in sorted(image.written)] == [1, 1, 0, 2, 2, 3, 3]


def test_chain_ends_with_the_line_that_reports_name() -> None:
    image = assemble_text(NESTED, "a.s")
    assert all(image.chain(pc)[-1][:2] == place for pc, place in image.lines.items())


def test_repetitions_and_inclusions_are_no_calls(tmp_path: Path) -> None:
    (tmp_path / "one.inc").write_text("\n nop\n")
    (tmp_path / "main.s").write_text(
        '.include "one.inc"\n.macro m\n.rept 2\n .include "one.inc"\n nop\n.endr\n.endm\n m\n'
    )
    image = assemble([tmp_path / "main.s"])
    one, main = str(tmp_path / "one.inc"), str(tmp_path / "main.s")
    turn = [(Place(one, 2, "m"), Place(main, 8, "")), (Place(main, 5, "m"), Place(main, 8, ""))]
    assert [image.chain(pc) for pc in range(5)] == [(Place(one, 2, ""),), *turn, *turn]


def test_macro_of_an_included_file_is_named_there(tmp_path: Path) -> None:
    (tmp_path / "m.inc").write_text("\n.macro m\n nop\n.endm\n")
    (tmp_path / "main.s").write_text('.include "m.inc"\n m\n')
    image = assemble([tmp_path / "main.s"])
    assert image.chain(0) == (Place(str(tmp_path / "m.inc"), 3, "m"), Place(str(tmp_path / "main.s"), 2, ""))
    assert image.expansions[0].definition == (str(tmp_path / "m.inc"), 2)


def test_raw_words_of_a_macro_have_a_chain_each() -> None:
    image = assemble_text(".macro m\n .insn 0, 0\n.endm\n m\n", "a.s")
    assert places(image) == [["m:2", "4"], ["m:2", "4"]]


@pytest.mark.parametrize("pc", [-1, 1, 8])
def test_hole_has_no_chain(pc: int) -> None:
    assert assemble_text(" nop\n.org 9\n nop", "a.s").chain(pc) == ()


def test_macro_without_words_is_no_expansion() -> None:
    image = assemble_text(".macro m\n .section m0\n .byte 1\n .section text\n.endm\n m\n nop\n", "a.s")
    assert image.expansions == ()
