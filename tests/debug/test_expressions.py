"""Expressions over a machine: what they come to, and one line with the place where they are wrong."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from lutra.debug import DebugError, Session
from lutra.debug.expressions import Expression

ROW = bytes(range(16))


@pytest.fixture
def begun(session: Session) -> Session:
    """After v0 = key, v1 = one, ar0 = 0x20."""
    session.moves.step(3)
    return session


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("v0", ROW),
        ("$v0", ROW),
        ("v0[3]", 3),
        ("v0[4:3]", ROW[4:7]),
        ("v0.b[5]", 5),
        ("v0.h[1]", 0x0203),
        ("v0.w[2]", 0x08090A0B),
        ("v0.q[1]", 0x08090A0B0C0D0E0F),
        ("v0.row[0]", ROW),
        ("ar0", 0x20),
        ("ar0.step", 0),
        ("flag", 0),
        ("loop0.end", 0),
        ("c0.context_buffer", bytes(16)),
        ("m0[0]", ROW),
        ("m0[key]", ROW),
        ("m0[key + 16]", bytes(15) + b"\1"),
        ("m0[ar0 - 0x20]", ROW),
        ("m0[2:4]", ROW[2:6]),
        ("m0[2:4][1]", 3),
        ("m0.row[1]", bytes(15) + b"\1"),
        ("t0.row[255]", bytes(16)),
        ("m0@0x10", bytes(15) + b"\1"),
        ("m0@16[15]", 1),
        ("m0@0[31]", 1),
        ("m0@key.w[2]", 0x08090A0B),
        ("m0@(8 + 8) == one", 1),
        ("m0@2 == m0[2]", 1),
        ("pm@16 == pm[2]", 1),
        ("key", ROW),
        ("key[17]", 0),
        ("key[31]", 1),
        ("key.w[7]", 1),
        ("key.row[1]", bytes(15) + b"\1"),
        ("key[12:8]", ROW[12:] + bytes(4)),
        ("&one", 16),
        ("main", 0),
        ("&twice", 13),
        ("twice", 13),
        ("pc", 3),
        ("pc == main + 3", 1),
        ("time", 3),
        ("cycle", 10),
        ("hex:00ff", b"\x00\xff"),
        ("v0 == key", 1),
        ("v0 == v1", 0),
        ("v1 == 1", 1),
        ("v0 ^ v0", bytes(16)),
        ("v0 | v1", ROW),
        ("~v1[14:2]", b"\xff\xfe"),
        ("v1 + 1", 2),
        ("-3 / 2", -1),
        ("1 + 2 * 3 << 1", 14),
        ("(1 + 2) * 3", 9),
        ("!(ar0 == 0x20) || v0[1] && 2", 1),
        ("0b101 + 0x_f", 20),
    ],
)
def test_an_expression_has_its_value(begun: Session, text: str, value: int | bytes) -> None:
    assert begun.inspect.evaluate(text).value == value


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "column 1: expected a register, a symbol, a memory or a number, found the end"),
        ("v0 +", "column 5: expected a register"),
        ("(v0", "column 4: expected ')', found the end"),
        ("v0 v1", "column 4: expected an operator or the end, found 'v1'"),
        ("v9", "column 1: no register or symbol 'v9'"),
        ("1 + kay", "column 5: no register or symbol 'kay'; did you mean 'key'?"),
        ("v0[16]", "column 3: legal: [0] to [15]"),
        ("v0.w[4]", "column 3: legal: .w[0] to [3]"),
        ("v0.w[0:8]", "column 3: a lane is one"),
        ("v0[8:9]", "column 3: legal"),
        ("v0[0:0]", "column 3: legal"),
        ("ar0[1]", "column 4: a number has no bytes"),
        ("m2", "column 1: m2 is a memory; write m2[ADDRESS]"),
        ("m2@", "column 4: expected a register, a symbol, a memory or a number, found the end"),
        ("m2@0x1000", "column 1: m2 ends at 0x1000"),
        ("m9@0", "column 1: no memory 'm9'; choose from m0, m1, m2, m3, pm, t0, t1"),
        ("pm@4", "column 1: an instruction has 8 bytes; legal: multiples of 8"),
        ("m2[0x1000]", "column 1: m2 ends at 0x1000"),
        ("m2[-1]", "column 1: m2 ends at 0x1000"),
        ("m2[0:0]", "column 1: 0 bytes are none"),
        ("m2[v0]", "column 4: an address is a number, not 16 bytes"),
        ("key[0x10000]", "column 4: m0 ends at"),
        ("1 / 0", "column 3: division by zero"),
        ("1 << 2000", "column 3: shift by 2000 is out of range"),
        ("hex:0", "column 1: hex: takes pairs of hexadecimal digits"),
        ("0x", "column 1: '0x' is not a number"),
        ("1 ? 2", "column 3: '?' means nothing here"),
        ("&1", "column 2: expected the name of a symbol, found '1'"),
        ("(" * 100 + "1", "nested more than 64 deep"),
        ("-" * 5000 + "1", "column 201: more than 200 words and signs"),
        ("1" + "+1" * 5000, "column 201: more than 200 words and signs"),
        ("v0" + "[0]" * 5000, "more than 200 words and signs"),
        ("9" * 200, "is not a number"),
    ],
)
def test_a_wrong_expression_is_one_line_with_its_place(begun: Session, text: str, message: str) -> None:
    with pytest.raises(DebugError) as error:
        begun.inspect.evaluate(text)
    assert message in str(error.value)
    assert "\n" not in str(error.value)


NUMBERS = st.integers(0, 2**32)
TEXTS = st.recursive(
    NUMBERS.map(str),
    lambda inner: st.one_of(
        st.tuples(inner, st.sampled_from(["+", "-", "*", "&", "|", "^", "==", "!=", "<", "<=", ">", ">="]), inner).map(
            lambda parts: f"({parts[0]} {parts[1]} {parts[2]})"
        ),
        inner.map(lambda text: f"-{text}" if not text.startswith("-") else text),
        inner.map(lambda text: f"~{text}"),
    ),
    max_leaves=12,
)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(text=TEXTS)
def test_arithmetic_is_that_of_python(session: Session, text: str) -> None:
    assert session.inspect.evaluate(text).value == int(eval(text))


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None, max_examples=120)
@given(text=st.text(alphabet="v0m2[]().:+-*/&|^~!<>= \tkeywhqrow19xab'\"$;é", max_size=24))
def test_any_text_is_an_expression_or_one_line(session: Session, text: str) -> None:
    try:
        session.inspect.evaluate(text)
    except DebugError as error:
        assert "\n" not in str(error).replace(text.strip(), "")


def test_a_condition_holds_where_it_is_not_zero(begun: Session) -> None:
    assert Expression.of("v0").holds(begun.inspect)
    assert not Expression.of("v0 ^ v0").holds(begun.inspect)
    assert Expression.of("ar0 == 32").holds(begun.inspect)
    assert not Expression.of("ar1").holds(begun.inspect)
