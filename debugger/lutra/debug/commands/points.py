"""Commands of breakpoints and watchpoints."""

from __future__ import annotations

import re
from collections.abc import Iterator

from lutra.asm.errors import plural
from lutra.debug.breakpoints import Breakpoint
from lutra.debug.commands.table import Call, Command, number, numbers
from lutra.debug.errors import DebugError
from lutra.debug.lines import named
from lutra.debug.points import Point
from lutra.debug.session import Session

_GROUP = "breakpoints"


def _split(text: str) -> tuple[str, str]:
    """`PLACE if CONDITION`."""
    place, found, condition = re.sub(r"\sif\s", "\0", f" {text} ", count=1).partition("\0")
    if found and not condition.strip():
        raise DebugError("if what? write an expression after `if`, as in `break main if ar0 == 0x40`")
    return place.strip(), condition.strip()


def _break(call: Call) -> str:
    return _add(call, temporary=False)


def _tbreak(call: Call) -> str:
    return _add(call, temporary=True)


def _add(call: Call, temporary: bool) -> str:
    place, condition = _split(call.rest)
    session = call.session
    if not place and session.inspect.where().state == "running":
        place = f"*{session.inspect.where().pc:#x}"
    return _line(session, session.breakpoints.add(place, condition, temporary=temporary))


def _watch(call: Call) -> str:
    text, condition = _split(call.needed("what to watch, as in `watch v3` or `watch m1[0x40:64]`"))
    return _line(call.session, call.session.watchpoints.add(text, condition))


def _line(session: Session, point: Point) -> str:
    """A point as `info breakpoints` shows it."""
    if not isinstance(point, Breakpoint):
        text = f"watchpoint {point.id}: {point.text}"
    elif point.place:
        count = len(point.addresses)
        where = f"{count} places" if count > 1 else f"{point.addresses[0]:#06x}"
        text = f"breakpoint {point.id}: {point.text}, {where}, {named(point.place)}"
    else:
        text = ", ".join([f"breakpoint {point.id}: {point.text}", *(f"{pc:#06x}" for pc in point.addresses)])
    return text + "".join(f", {remark}" for remark in _remarks(point))


def _remarks(point: Point) -> Iterator[str]:
    if point.condition:
        yield f"if {point.condition}"
    if isinstance(point, Breakpoint):
        if point.temporary:
            yield "once"
        if point.message:
            yield point.message
    if not point.enabled:
        yield "disabled"
    if point.ignore:
        yield f"ignores {point.ignore} more"
    if point.hits:
        yield plural(point.hits, "pass", "passes")


def listed(call: Call) -> str:
    """All breakpoints and watchpoints."""
    call.nothing()
    points = sorted([*call.session.breakpoints, *call.session.watchpoints], key=lambda point: point.id)
    return "\n".join(_line(call.session, point) for point in points) or "no breakpoints and no watchpoints"


def _delete(call: Call) -> str:
    session = call.session
    if not call.rest:
        session.breakpoints.clear()
        session.watchpoints.clear()
    for found in numbers(call.rest):
        (session.watchpoints if found in session.watchpoints else session.breakpoints).remove(found)
    return ""


def _enable(call: Call, enabled: bool = True) -> str:
    session = call.session
    every = [point.id for point in (*session.breakpoints, *session.watchpoints)]
    for found in numbers(call.rest) or every:
        (session.watchpoints if found in session.watchpoints else session.breakpoints).enable(found, enabled)
    return ""


def _disable(call: Call) -> str:
    return _enable(call, enabled=False)


def _condition(call: Call) -> str:
    which, _, condition = call.needed("a number and a condition, as in `condition 1 ar0 == 0x40`").partition(" ")
    found = number(which, "the number of a breakpoint")
    points = call.session.watchpoints if found in call.session.watchpoints else call.session.breakpoints
    return _line(call.session, points.condition(found, condition.strip()))


def _ignore(call: Call) -> str:
    words = numbers(call.rest)
    if len(words) != 2:
        raise DebugError("write a number and how many passes do not stop, as in `ignore 1 7`")
    points = call.session.watchpoints if words[0] in call.session.watchpoints else call.session.breakpoints
    return _line(call.session, points.ignore(words[0], words[1]))


_PLACES = (
    "PLACE is FILE:LINE, LINE of the present file, LABEL, LABEL+WORDS, MACRO, *ADDRESS, `trap` or `notify`; without\n"
    "one it is here. A macro, or a line within one, is a place for each of its uses."
)
COMMANDS = (
    Command(
        "break",
        _GROUP,
        ("b", "br"),
        "break [PLACE] [if CONDITION]",
        f"Stop before an instruction.\n{_PLACES}",
        _break,
        completes="place",
    ),
    Command(
        "tbreak",
        _GROUP,
        ("tb",),
        "tbreak [PLACE] [if CONDITION]",
        f"Stop before an instruction, once.\n{_PLACES}",
        _tbreak,
        completes="place",
    ),
    Command(
        "watch",
        _GROUP,
        (),
        "watch EXPRESSION [if CONDITION]",
        "Stop after an instruction that changes a value; going back, before it.\n"
        "EXPRESSION is a register, a row m1[0x40], bytes m1[0x40:64], a table's row t0.row[5], a symbol,\n"
        "or a part such as v0[3] and rk.w[2].",
        _watch,
        completes="expression",
    ),
    Command(
        "delete", _GROUP, ("d",), "delete [N ...]", "Remove breakpoints and watchpoints; without numbers all.", _delete
    ),
    Command("enable", _GROUP, (), "enable [N ...]", "Let breakpoints and watchpoints stop again.", _enable),
    Command(
        "disable", _GROUP, ("dis",), "disable [N ...]", "Keep breakpoints and watchpoints, but do not stop.", _disable
    ),
    Command(
        "condition",
        _GROUP,
        (),
        "condition N [EXPRESSION]",
        "Stop at a breakpoint only where an expression is not zero; without one always.",
        _condition,
        completes="expression",
    ),
    Command("ignore", _GROUP, (), "ignore N PASSES", "Do not stop at the next passes of a breakpoint.", _ignore),
)
