"""The same commands say the same on simulator, core and lock-step; what one cannot do, it says in one line."""

from __future__ import annotations

import pytest

from lutra.debug import Session
from lutra.debug.commands import CommandState, execute
from lutra.iss.engine import EngineError
from support.debugging import PROGRAM, Plain, open_session, state

SCRIPT = """
b round.inc:3 if loop0.remaining < 3
c
bt
inputs
rsi 3
i r
goto 12
rc
c 2
finish
n
rn
d
watch m1[0x40]
watch ar1
c
c
rc
rc
rc
last v0
history m1[0x40]
goto last
goto cycle 20
trace 6
pipeline
d
b notify
c
s
c
rsi
goto end
set m2[0x10] = key
p m2[0x10]
goto 3
goto cycle 41
restart
"""


def said(session: Session) -> list[str]:
    found, commands = [], CommandState(session)
    for line in SCRIPT.splitlines():
        try:
            found.append(f"{line}: {execute(commands, line)}")
        except EngineError as error:
            found.append(f"{line}: {error}")
    return found


def test_a_script_says_the_same_on_every_engine() -> None:
    reference = said(open_session())
    assert any("no command 'restart'" in text for text in reference)
    for engine in ("rtl", "cosim"):
        assert said(open_session(PROGRAM, engine)) == reference


def test_every_state_of_the_past_is_that_of_plain_records_on_every_engine(anywhere: Session) -> None:
    plain = Plain()
    for time in (33, 0, 20, 7, 31, 8, 32, 1):
        anywhere.moves.seek(time)
        assert state(anywhere) == plain.states[time]


def test_a_memory_is_set_on_every_engine_after_the_end(anywhere: Session) -> None:
    anywhere.moves.go()
    anywhere.set("m2[0]", "hex:" + "5a" * 16)
    assert anywhere.inspect.evaluate("m2[0]").value == b"\x5a" * 16
    anywhere.moves.step_back()
    assert anywhere.inspect.evaluate("m2[0]").value == bytes(16)


@pytest.mark.parametrize("engine", ["rtl", "cosim"])
@pytest.mark.parametrize(
    ("text", "reason"),
    [("v1", "the core's registers are set by its own instructions"), ("m2[0]", "a running core is not written to")],
)
def test_what_cannot_be_set_on_a_core_is_said_in_one_line(engine: str, text: str, reason: str) -> None:
    session = open_session(PROGRAM, engine)
    session.moves.step(2)
    before = state(session)
    with pytest.raises(EngineError, match=reason) as error:
        session.set(text, "1")
    assert "\n" not in str(error.value)
    assert state(session) == before


def test_an_unknown_engine_is_refused() -> None:
    with pytest.raises(EngineError, match="no engine 'qemu'; choose from iss"):
        open_session(PROGRAM, "qemu")
