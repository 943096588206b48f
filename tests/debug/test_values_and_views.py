"""Values in all forms, and views from source comments."""

from __future__ import annotations

from pathlib import Path

import pytest

from lutra.debug import FORMS, DebugError, Session
from lutra.debug.commands import CommandState, execute
from lutra.debug.views import parse
from support.debugging import PROGRAM, open_session


@pytest.fixture
def begun(session: Session) -> Session:
    session.moves.step(3)
    return session


@pytest.mark.parametrize(
    ("text", "form", "shown"),
    [
        ("v1", "words", "00000000 00000000 00000000 00000001"),
        ("v1", "bytes", "00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 01"),
        ("v1", "hex", "00000000000000000000000000000001"),
        ("v1", "decimal", "0 0 0 1"),
        (
            "v1",
            "lanes",
            " 0  1  2  3  4  5  6  7  8  9 10 11 12 13 14 15\n00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 01",
        ),
        ("v0[0:2]", "bytes", "00 01"),
        ("v0[0:2]", "decimal", "1"),
        ("v0.w[2]", "", "134810123 (0x08090a0b)"),
        ("v0.w[2]", "hex", "0x08090a0b"),
        ("v0.w[2]", "decimal", "134810123"),
        ("ar0", "", "32 (0x20)"),
        ("ar1", "", "0"),
        ("-32", "hex", "-0x20"),
        ("m0[0:32]", "hex", "000102030405060708090a0b0c0d0e0f\n00000000000000000000000000000001"),
        ("m0[0:20]", "words", "00010203 04050607 08090a0b 0c0d0e0f\n00000000"),
    ],
)
def test_a_value_is_shown_in_its_form(begun: Session, text: str, form: str, shown: str) -> None:
    assert begun.inspect.show(begun.inspect.evaluate(text), form) == shown


def test_a_state_has_the_column_order_of_fips_197(begun: Session) -> None:
    state = "00 04 08 0c\n01 05 09 0d\n02 06 0a 0e\n03 07 0b 0f"
    assert begun.inspect.show(begun.inspect.evaluate("v0")) == state
    assert begun.inspect.show(begun.inspect.evaluate("m0[key]"), "state") == state


def test_a_view_of_fields_names_them(begun: Session) -> None:
    assert begun.inspect.show(begun.inspect.evaluate("key")).splitlines() == [
        "w[0]  00010203 (66051)",
        "w[1]  04050607 (67438087)",
        "w[2]  08090a0b (134810123)",
        "w[3]  0c0d0e0f (202182159)",
    ]
    assert (
        begun.inspect.show(begun.inspect.evaluate("v1"), "pair") == "a  0000000000000000 (0)\nb  0000000000000001 (1)"
    )


def test_a_view_of_a_symbol_reads_as_far_as_it_needs(begun: Session) -> None:
    begun.inspect.add_view("key both w:16*2")
    assert begun.inspect.show(begun.inspect.evaluate("key"), "both").splitlines() == [
        "w[0]  000102030405060708090a0b0c0d0e0f",
        "w[1]  00000000000000000000000000000001",
    ]


def test_a_form_beats_the_view_of_a_register(begun: Session) -> None:
    assert begun.inspect.show(begun.inspect.evaluate("v0"), "hex") == bytes(range(16)).hex()


def test_views_are_those_of_all_source_files() -> None:
    Path("more.inc").write_text("// view: v1 other 2x8   // why\nname = 1 ; view: v2 third 8x2\n")
    session = open_session(PROGRAM + '        .include "more.inc"\n')
    assert list(session.inspect.views()) == ["state", "parts", "pair", "other", "third"]
    assert execute(CommandState(session), "view").splitlines()[0] == "v0 state 4x4  (program.s:2)"


def test_a_comment_that_is_no_view_is_told() -> None:
    session = open_session("// view: v0\n// view: v1 x 4y4\n// view: v1 hex 4x4\n" + PROGRAM)
    lines = execute(CommandState(session), "view").splitlines()
    assert lines[3].startswith("program.s:1: not a view: 'v0'; write `view: TARGET NAME 4x4`")
    assert lines[4].startswith("program.s:2: not the shape of a view: '4y4'")
    assert lines[5] == "program.s:3: hex is a form already; name the view otherwise"


@pytest.mark.parametrize(
    "text", ["", "v0", "v0 state", "v0 1 4x4", "v0 s 0x4", "v0 s 4x4 4x4", "v0 s a:0", "v0 s a:1*0"]
)
def test_a_text_that_is_no_view_is_refused(text: str) -> None:
    with pytest.raises(DebugError, match=r"not (a view|the shape)"):
        parse(text)


def test_too_few_bytes_for_a_view_are_refused(begun: Session) -> None:
    with pytest.raises(DebugError, match="view state takes 16 bytes, and this is 4"):
        begun.inspect.show(begun.inspect.evaluate("v0[0:4]"), "state")
    with pytest.raises(DebugError, match="view state takes 16 bytes, and ar0 is a number"):
        begun.inspect.show(begun.inspect.evaluate("ar0"), "state")


def test_an_unknown_form_is_refused_with_all_that_there_are(begun: Session) -> None:
    with pytest.raises(
        DebugError, match=f"no form or view 'octal'; choose from {', '.join(FORMS)}, state, parts, pair"
    ):
        begun.inspect.show(begun.inspect.evaluate("v0"), "octal")
