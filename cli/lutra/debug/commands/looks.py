"""Commands that look."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from lutra.debug.commands import shown
from lutra.debug.commands.table import Call, Command, number
from lutra.debug.errors import DebugError
from lutra.debug.values import FORMS, ROW, Value, rows
from lutra.iss.engine import EngineError
from lutra.iss.operands import reads
from lutra.iss.places import address

if TYPE_CHECKING:
    from lutra.debug.session import Session

_GROUP = "looking"
# The letters of gdb's formats, as far as they mean something here.
_LETTERS = {form[0]: form for form in FORMS} | {"x": "hex"}
_LINES = 10


def form(text: str) -> str:
    """A form, by its name or letter, or the name of a view."""
    return _LETTERS.get(text, text)


def _print(call: Call) -> str:
    session = call.session
    return shown.value(session, session.evaluate(call.needed("what to print, as in `print v0.w[2]`")), form(call.form))


def _examine(call: Call) -> str:
    text = call.needed("what to examine, as in `x/4 m1[0x40]`")
    found = re.fullmatch(r"([0-9]*)(\w*)", call.form)
    count, how = int(found[1] or 1) if found else 1, form(found[2]) if found else ""
    session = call.session
    location = session.locate(text)
    if not location.space:
        return shown.value(session, session.evaluate(text), how)
    lines = []
    for row in range(count):
        at = location.offset + ROW * row
        data = session.read(location.space, at, min(ROW, session.size(location.space) - at))
        value = Value(f"{location.space}[{at:#05x}]", data)
        lines += _row(session, value, how)
        if at + ROW >= session.size(location.space):
            break
    return "\n".join(lines)


def _row(session: Session, value: Value, how: str) -> list[str]:
    assert isinstance(value.value, bytes)
    plain = how in ("", *FORMS)
    shown_rows = rows(value.value, how or "words") if plain else session.show(value, how).splitlines()
    margin = f"{value.text}  "
    return [(margin if n == 0 else " " * len(margin)) + line for n, line in enumerate(shown_rows)]


def _registers(call: Call) -> str:
    """`*` marks what the last move has changed."""
    session = call.session
    names = call.rest.split()
    registers, changed = session.registers(), {name.partition(".")[0] for name in session.changed()}
    if stray := [name for name in names if name not in {r.base for r in registers.values()}]:
        raise DebugError(f"no register {stray[0]}")
    lines, base = [], ""
    for line in registers.lines():
        base = base if line.startswith(" ") else line.split()[0]
        if not names or base in names:
            lines.append(("*" if base in changed and not line.startswith(" ") else " ") + line)
    return "\n".join(lines)


def _list(call: Call) -> str:
    session = call.session
    where = session.where()
    file = where.place.file if where.place else ""
    line = where.place.line if where.place else 0
    begin = line - _LINES // 2
    if call.rest:
        file, begin = _line_of(call, file)
    if not file:
        raise DebugError("no source line here; `disassemble` shows the program")
    text = session.source(file)
    begin = max(1, begin)
    here = {p.line for p in where.chain if p.file == file}
    points = {b.place.line for b in session.breakpoints if b.place and b.place.file == file}
    shown_lines = [
        shown.source_line(n, text[n - 1], ("=>" if n in here else "") + ("*" if n in points else ""))
        for n in range(begin, min(begin + _LINES, len(text)) + 1)
    ]
    return "\n".join([f"{file}:", *shown_lines])


def _line_of(call: Call, file: str) -> tuple[str, int]:
    """File and first line that `list` is asked for."""
    name, colon, line = call.rest.rpartition(":")
    if colon:
        return call.session.lines.file(name), number(line, "a line")
    if call.rest.isdigit():
        return file, int(call.rest)
    chain = call.session.lines.chain(_address(call))
    if not chain:
        raise DebugError(f"{call.rest} has no source line")
    return chain[-1].file, chain[-1].line - _LINES // 2


def _address(call: Call) -> int:
    text = call.rest.split()[0]
    try:
        return number(text[1:], "an address") if text[0] == "*" else address(call.session.image, text)
    except EngineError as error:
        raise DebugError(str(error)) from None


def _disassemble(call: Call) -> str:
    session = call.session
    pc = session.where().pc
    words = call.rest.split()
    count = number(words[1], "a number of instructions") if len(words) > 1 else _LINES
    first = _address(call) if words else max(0, pc - count // 2)
    found = session.instructions(first, count)
    return "\n".join(shown.instruction(session, instruction, pc) for instruction in found) or "no instruction there"


def _backtrace(call: Call) -> str:
    call.nothing()
    return "\n".join(f"#{n} {frame}" for n, frame in enumerate(call.session.frames()))


def _where(call: Call) -> str:
    call.nothing()
    return "\n".join(shown.here(call.session))


def _last(call: Call) -> str:
    text = call.needed("whose writer, as in `last v3` or `last m1[0x40:4]`")
    session = call.session
    session.shown_write = session.last_writer(text)
    if session.shown_write is None:
        return f"no instruction has written {text} so far"
    return shown.write(session, session.shown_write)


def _history(call: Call) -> str:
    words = call.needed("whose writers, as in `history v3 5`").rsplit(None, 1)
    count = int(words.pop()) if len(words) > 1 and words[1].isdigit() else 10
    session = call.session
    found = session.history(" ".join(words), count)
    session.shown_write = found[0] if found else None
    text = "\n".join(shown.write(session, write) for write in found)
    return text or f"no instruction has written {' '.join(words)} so far"


def _inputs(call: Call) -> str:
    """What the instruction that comes reads, and who wrote it."""
    call.nothing()
    session = call.session
    read = reads(session.instructions(session.where().pc, 1)[0].word)
    values = {name: int(r.value) for name, r in session.registers().items() if isinstance(r.value, int)}
    texts = [*read.registers, *(f"{s}[{row.at(values):#05x}]" for row in read.rows for s in row.space.split(":"))]
    lines = []
    for text in texts:
        lines.append(shown.value(session, session.evaluate(text)))
        writer = session.last_writer(text)
        lines.append(shown.indented(shown.write(session, writer) if writer else "written by no instruction so far"))
    return "\n".join(lines) or "it reads neither registers nor rows"


def _trace(call: Call) -> str:
    count = call.number(8, "a number of instructions")
    return "\n".join(str(line) for line in call.session.records(count)) or "no instruction so far"


def _view(call: Call) -> str:
    session = call.session
    words = call.rest.split()
    if len(words) > 1:
        session.add_view(call.rest)
        words = words[:1]
    if words and words != ["*"]:
        found = session.evaluate(words[0])
        view = session.known_views.of(found.text)
        if view is None:
            raise DebugError(f"{words[0]} has no view; `view {words[0]} state 4x4` makes one")
        return shown.value(session, found, view.name)
    views = [f"{view.text}  ({view.place or 'made here'})" for view in session.known_views.all()]
    return "\n".join([*views, *session.known_views.problems]) or "no views; `help view` says how to make one"


def _display(call: Call) -> str:
    session = call.session
    if call.rest:
        session.evaluate(call.rest)
        session.displays[max(session.displays, default=0) + 1] = call.rest, form(call.form)
    return "\n".join(
        f"{n}: {shown.value(session, session.evaluate(text), how)}" for n, (text, how) in session.displays.items()
    )


def _undisplay(call: Call) -> str:
    session = call.session
    if not call.rest:
        session.displays.clear()
    for word in call.rest.split():
        if number(word) not in session.displays:
            raise DebugError(f"no display {word}; `display` shows all")
        del session.displays[number(word)]
    return ""


def _pipeline(call: Call) -> str:
    call.nothing()
    lines = [f"cycle {call.session.where().cycle}", *map(str, call.session.pipeline())]
    return "\n".join(lines)


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
        "list",
        _GROUP,
        ("l",),
        "list [LINE | FILE:LINE | LABEL | *ADDRESS]",
        "Show source lines, from a line on or around here.\n`=>` marks the present lines, `*` breakpoints.",
        _list,
        completes="place",
    ),
    Command(
        "disassemble",
        _GROUP,
        ("disas",),
        "disassemble [LABEL | *ADDRESS [COUNT]]",
        "Show instructions around here, or from an address on.",
        _disassemble,
        completes="place",
    ),
    Command(
        "backtrace",
        _GROUP,
        ("bt",),
        "backtrace",
        "Show macros, loops and calls that are open, innermost first, with the passes of loops.",
        _backtrace,
    ),
    Command("where", _GROUP, (), "where", "Show the present place again.", _where),
    Command(
        "last",
        _GROUP,
        (),
        "last EXPRESSION",
        "Show the last instruction that wrote a register, row, bytes or a lane, with the value before and after.\n"
        "`goto last` goes there.",
        _last,
        completes="expression",
    ),
    Command(
        "history",
        _GROUP,
        (),
        "history EXPRESSION [COUNT]",
        "Show its last writers, newest first, 10 of them if COUNT is not given.",
        _history,
        completes="expression",
    ),
    Command(
        "inputs",
        _GROUP,
        (),
        "inputs",
        "Show what the next instruction reads, with the values, and the last writer of each.",
        _inputs,
    ),
    Command(
        "trace",
        _GROUP,
        (),
        "trace [N]",
        "Show the last N instructions, with what they have read and what they have done; 8 if N is not given.",
        _trace,
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
    Command(
        "pipeline",
        _GROUP,
        (),
        "pipeline",
        "Show which instruction is in which stage of the core in this cycle, and what waits for what.",
        _pipeline,
    ),
)
registers = _registers
