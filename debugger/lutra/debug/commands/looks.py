"""Commands that look."""

from __future__ import annotations

import re

from lutra.debug.commands import shown
from lutra.debug.commands.table import Call, Command, number
from lutra.debug.errors import DebugError
from lutra.debug.session import Session
from lutra.debug.values import FORMS, ROW, Value, rows
from lutra.isa import load

_GROUP = "looking"
_WORD = load().machine["InsnBits"] // 8
# The letters of gdb's formats, as far as they mean something here.
_LETTERS = {form[0]: form for form in FORMS} | {"x": "hex"}


def form(text: str) -> str:
    """A form, by its name or letter, or the name of a view."""
    return _LETTERS.get(text, text)


def _print(call: Call) -> str:
    text = call.needed("what to print, as in `print v0.w[2]`")
    return shown.value(call.session, call.inspect.evaluate(text), form(call.form))


def _examine(call: Call) -> str:
    text = call.needed("what to examine, as in `x/4 m1[0x40]`")
    found = re.fullmatch(r"([0-9]*)(\w*)", call.form)
    count = number(found[1], "a number of rows") if found and found[1] else 1
    how = form(found[2]) if found else ""
    if not count:
        raise DebugError("0 rows are none; at least one is meant")
    session = call.session
    location = session.inspect.locate(text)
    if not location.space:
        return shown.value(session, session.inspect.evaluate(text), how)
    # Program memory is shown as words, by its word addresses; other memories as rows.
    program = load().space_by_name[location.space].is_program
    size, unit = (_WORD, _WORD) if program else (ROW, 1)
    lines = []
    for at in range(location.offset, min(location.offset + size * count, session.inspect.size(location.space)), size):
        data = session.inspect.read(location.space, at, min(size, session.inspect.size(location.space) - at))
        value = Value(f"{location.space}[{at // unit:#05x}]", data[::-1] if program else data)
        lines += _row(session, value, how)
    return "\n".join(lines)


def _row(session: Session, value: Value, how: str) -> list[str]:
    assert isinstance(value.value, bytes)
    plain = how in ("", *FORMS)
    shown_rows = rows(value.value, how or "words") if plain else session.inspect.show(value, how).splitlines()
    margin = f"{value.text}  "
    return [(margin if n == 0 else " " * len(margin)) + line for n, line in enumerate(shown_rows)]


def _registers(call: Call) -> str:
    """`*` marks what the last move has changed."""
    session = call.session
    names = call.rest.split()
    registers, changed = session.inspect.registers(), {name.partition(".")[0] for name in session.moves.changed()}
    if stray := [name for name in names if name not in {r.base for r in registers.values()}]:
        raise DebugError(f"no register {stray[0]}")
    lines, base = [], ""
    for line in registers.lines():
        base = base if line.startswith(" ") else line.split()[0]
        if not names or base in names:
            lines.append(("*" if base in changed and not line.startswith(" ") else " ") + line)
    return "\n".join(lines)


def _view(call: Call) -> str:
    session, views = call.session, call.inspect.known_views
    words = call.rest.split()
    if len(words) > 1:
        call.inspect.add_view(call.rest)
    if words and words[0] != "*":
        found = call.inspect.evaluate(words[0])
        view = views.named(words[1], found.text) if words[1:] else views.of(found.text)
        if view is None:
            raise DebugError(f"{words[0]} has no view; create one with `view {words[0]} state 4x4`")
        return shown.value(session, found, view.name)
    lines = [f"{view.text}  ({view.place or 'made here'})" for view in views.all()]
    return "\n".join([*lines, *views.problems]) or "no views; `help view` says how to make one"


def _display(call: Call) -> str:
    session = call.session
    if call.rest:
        shown.value(session, session.inspect.evaluate(call.rest), form(call.form))
        call.state.displays[max(call.state.displays, default=0) + 1] = call.rest, form(call.form)
    return "\n".join(f"{n}: {shown.display(session, *what)}" for n, what in call.state.displays.items())


def _undisplay(call: Call) -> str:
    displays = call.state.displays
    if not call.rest:
        displays.clear()
    for word in call.rest.split():
        if number(word) not in displays:
            raise DebugError(f"no display {word}; `display` shows all")
        del displays[number(word)]
    return ""


_FORMS = (
    "A form follows a slash: b bytes, w words, l lanes, d decimal, x hex, or the name of a view. EXPRESSION has\n"
    "registers (v0, ar3.step, loop0.remaining), rows m1[0x40], bytes m1[0x40:64], tables t0.row[5], symbols and\n"
    "&symbol, bytes v0[3], v0[4:8], lanes v0.h[1] v0.w[2] v0.q[0], hex:00ff, pc, cycle, time, and the operators of\n"
    "assembly."
)
COMMANDS = (
    Command(
        "print",
        _GROUP,
        ("p", "inspect"),
        "print[/FORM] EXPRESSION",
        f"Show a value.\n{_FORMS}",
        _print,
        completes="expression",
        forms=True,
    ),
    Command(
        "x",
        _GROUP,
        (),
        "x[/COUNT FORM] EXPRESSION",
        f"Show so many rows of a memory from a place on, as in `x/4b m1[0x40]` or `x/11 rk`.\n{_FORMS}",
        _examine,
        completes="expression",
        forms=True,
    ),
    Command(
        "view",
        _GROUP,
        (),
        "view [EXPRESSION [NAME SHAPE]]",
        "Show a value by its view, all views, or make one: `view v0 state 4x4`, `view length job blocks:2 bits:2`.\n"
        "In the source a comment makes a view: `// view: v0 state 4x4`. A shape is ROWSxCOLUMNS of bytes, which run\n"
        "down the columns as in the state of FIPS 197, or fields NAME:BYTES and NAME:BYTES*COUNT. The register or\n"
        "symbol * is any: such a view is for `print/NAME`.",
        _view,
        completes="expression",
    ),
    Command(
        "display",
        _GROUP,
        (),
        "display[/FORM] [EXPRESSION]",
        "Show a value after every move; without an expression, show all of these now.",
        _display,
        completes="expression",
        forms=True,
    ),
    Command("undisplay", _GROUP, (), "undisplay [N ...]", "End a display; without numbers all.", _undisplay),
)
registers = _registers
