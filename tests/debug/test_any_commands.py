"""Any commands in any order say something or refuse in one line; the session goes on after them."""

from __future__ import annotations

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from lutra.debug.commands import COMMANDS, CommandState, execute
from lutra.iss.engine import EngineError
from support.debugging import open_session

NAMES = sorted({name for c in COMMANDS.all for name in (c.name, *c.aliases)} - {"quit", "q", "exit", "source"})
WORDS = st.sampled_from(
    [
        *(
            "v0",
            "v1[3]",
            "v0.w[2]",
            "ar0",
            "ar0.step",
            "m1[0x40]",
            "m3[0x20:20]",
            "key",
            "key.row[1]",
            "t0.row[5]",
            "pm[1]",
        ),
        *(
            "main",
            "round",
            "round.inc:2",
            "program.s:8",
            "twice+1",
            "*3",
            "trap",
            "notify",
            "if",
            "v0 == 1",
            "flag",
            "pc",
        ),
        *("0", "1", "2", "7", "40", "0x10", "-1", "x", "cycle", "last", "end", "state 4x4", "* p a:2", "=", "hex:00ff"),
        *(
            "registers",
            "breakpoints",
            "symbols",
            "program",
            "loop0.remaining",
            "loops",
            "c0.context_buffer",
            "é",
            "[",
            "'",
            "\u00b2",
            "9" * 19,
            "9" * 5000,
            "-" * 5000,
        ),
    ]
)
LINES = st.tuples(
    st.sampled_from(NAMES), st.sampled_from(["", "", "", "/x", "/state", "/3b", "/é", "/"]), st.lists(WORDS, max_size=4)
).map(lambda parts: f"{parts[0]}{parts[1]} {' '.join(parts[2])}")


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None, max_examples=60)
@given(lines=st.lists(LINES, max_size=12))
def test_any_commands_say_something_or_refuse_in_one_line(lines: list[str]) -> None:
    session = open_session()
    commands = CommandState(session)
    for line in lines:
        try:
            execute(commands, line)
        except EngineError as error:
            assert "\n" not in str(error), line
        assert 0 <= session.inspect.where().time <= session.inspect.latest
    execute(commands, "goto 0")
    assert session.inspect.where().time == 0
