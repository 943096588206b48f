"""Breakpoints of the client: its lists become the session's break- and watchpoints.

A list replaces the one before of its group: a source, the functions, the instructions, the data, the exceptions. A list
that comes before the program is launched waits for it.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from lutra.debug import Breakpoint, Stop, Watchpoint
from lutra.debug.dap import sources
from lutra.debug.dap.arguments import Arguments, RequestError
from lutra.debug.dap.state import Body, Group, State
from lutra.iss.engine import EngineError

# Exceptions, with the text for the client; the third field is whether the machine can continue without a stop there.
FILTERS = (
    ("trap", "Traps", True),
    ("notify", "Notify", True),
    ("divergence", "Differences of simulator and core", False),
)
# Points of one request; no program memory has more words.
_MOST_POINTS = 1024
# Lines of one answer.
_MOST = 10_000
_HITS = re.compile(r"\s*(>=?)?\s*([0-9]{1,9})\s*")
_HOLE = re.compile(r"\{([^{}]*)\}")


@dataclass(frozen=True)
class _Kind:
    """A group of breakpoints: how to create one, and the reason that the client gets for a stop."""

    make: Callable[[State, str, Arguments], Breakpoint | Watchpoint]
    reason: str


def _ignored(arguments: Arguments) -> int:
    """Passes that do not stop, of a hit condition: `5` and `>= 5` stop from the fifth on, `> 5` from the sixth."""
    text = arguments.text("hitCondition", "")
    if not text.strip():
        return 0
    if (found := _HITS.fullmatch(text)) is None:
        raise RequestError(f"hit condition {text[:40]!a}: write N, >= N (from the Nth pass on) or > N")
    return max(0, int(found[2]) - (found[1] != ">"))


def _line(state: State, file: str, arguments: Arguments) -> Breakpoint:
    line = state.line_in(arguments.number("line"))
    return state.session.breakpoints.add_line(file, line, arguments.text("condition", ""), _ignored(arguments))


def _function(state: State, _: str, arguments: Arguments) -> Breakpoint:
    return state.session.breakpoints.add(arguments.text("name"), arguments.text("condition", ""), _ignored(arguments))


def _instruction(state: State, _: str, arguments: Arguments) -> Breakpoint:
    pc = address(arguments.text("instructionReference")) + arguments.number("offset", 0, low=-(1 << 31))
    return state.session.breakpoints.add_address(pc, arguments.text("condition", ""), _ignored(arguments))


def _data(state: State, _: str, arguments: Arguments) -> Watchpoint:
    if arguments.text("accessType", "write") != "write":
        raise RequestError("the machine stops at writes only")
    if arguments.text("hitCondition", "").strip():
        raise RequestError("a data breakpoint cannot have a hit condition; give it a condition")
    return state.session.watchpoints.add(arguments.text("dataId"), arguments.text("condition", ""))


def _exception(state: State, _: str, arguments: Arguments) -> Breakpoint:
    return state.session.breakpoints.add(arguments.text("name"))


KINDS = {
    "source": _Kind(_line, "breakpoint"),
    "function": _Kind(_function, "function breakpoint"),
    "instruction": _Kind(_instruction, "instruction breakpoint"),
    "data": _Kind(_data, "data breakpoint"),
    "exception": _Kind(_exception, "exception"),
}


def address(reference: str) -> int:
    """The program address of a reference to an instruction. Raises RequestError."""
    try:
        return int(reference, 0)
    except ValueError as error:
        raise RequestError(f"{reference[:40]!a} is not an address of an instruction such as 0x12") from error


# ------------------------------------------------------------------ groups


def replace(state: State, group: Group, wanted: list[Arguments]) -> list[Body]:
    """Make a list of the client the one of its group; what has come of each. Raises RequestError for one too long."""
    if len(wanted) > _MOST_POINTS:
        raise RequestError(f"{len(wanted)} breakpoints in one request; there may be {_MOST_POINTS}")
    state.wanted[group] = wanted
    if state.opened is None or state.undisturbed:
        message = "the program is not loaded yet" if state.opened is None else "the program runs without debugging"
        return [{"verified": False, "message": message} for _ in wanted]
    for number in state.made.pop(group, []):
        _remove(state, number)
    return [_made(state, group, arguments) for arguments in wanted]


def again(state: State) -> None:
    """All lists in a session that is new."""
    for group, wanted in list(state.wanted.items()):
        for made in replace(state, group, wanted):
            if "id" in made:
                state.channel.event("breakpoint", reason="changed", breakpoint=made)


def _remove(state: State, number: int) -> None:
    """The user may have removed it by a command."""
    state.logs.pop(number, None)
    for points in (state.session.breakpoints, state.session.watchpoints):
        if any(point.id == number for point in points):
            points.remove(number)


def _made(state: State, group: Group, arguments: Arguments) -> Body:
    kind, where = group
    try:
        point = KINDS[kind].make(state, where, arguments)
        log = arguments.text("logMessage", "")
    except (RequestError, EngineError) as error:
        return {"verified": False, "message": str(error)}
    state.made.setdefault(group, []).append(point.id)
    if log:
        state.logs[point.id] = log
    return described(state, point)


def described(state: State, point: Breakpoint | Watchpoint) -> Body:
    """Return a point in the form of the protocol."""
    if isinstance(point, Watchpoint):
        return {"id": point.id, "verified": True}
    body: Body = {"id": point.id, "verified": point.verified}
    if point.message:
        body["message"] = point.message
    if point.addresses:
        body["instructionReference"] = f"{point.addresses[0]:#06x}"
    if point.place is not None:
        body |= {"source": sources.of(state, point.place.file), "line": state.line_out(point.place.line)}
    return body


# ------------------------------------------------------------------ stops


def _group(state: State, number: int | None) -> str:
    """The kind of group that a point belongs to; "" for one that was set by a command."""
    return next((kind for (kind, _), numbers in state.made.items() if number in numbers), "")


def reason(state: State, number: int | None) -> str:
    """The reason of the event `stopped` at a breakpoint."""
    kind = _group(state, number)
    return KINDS[kind].reason if kind else "breakpoint"


def logged(state: State, stop: Stop) -> bool:
    """Whether a stop is that of a log point, which has spoken now; what is in braces is evaluated."""
    if stop.id is None or (text := state.logs.get(stop.id)) is None:
        return False
    place = state.session.inspect.where().place
    where = {"source": sources.of(state, place.file), "line": state.line_out(place.line)} if place else {}
    said = _HOLE.sub(lambda hole: _value(state, hole[1]), text)
    state.channel.event("output", category="console", output=said + "\n", **where)
    return True


def _value(state: State, text: str) -> str:
    try:
        return state.session.inspect.show(state.session.inspect.evaluate(text))
    except EngineError as error:
        return f"({error})"


# ------------------------------------------------------------------ requests


def _set_lines(state: State, arguments: Arguments) -> Body:
    file = sources.named(state, arguments.one("source"))
    return {"breakpoints": replace(state, ("source", file), arguments.many("breakpoints"))}


def _setter(kind: str) -> Callable[[State, Arguments], Body]:
    def handler(state: State, arguments: Arguments) -> Body:
        return {"breakpoints": replace(state, (kind, ""), arguments.many("breakpoints"))}

    return handler


def _set_exceptions(state: State, arguments: Arguments) -> Body:
    chosen = arguments.texts("filters")
    known = {name: free for name, _, free in FILTERS}
    if unknown := [name for name in chosen if name not in known]:
        raise RequestError(f"no exception {unknown[0][:40]!a}; choose from {', '.join(known)}")
    made = iter(replace(state, ("exception", ""), [Arguments({"name": name}) for name in chosen if known[name]]))
    return {"breakpoints": [next(made) if known[name] else {"verified": True} for name in chosen]}


def _data_info(state: State, arguments: Arguments) -> Body:
    """Whether a variable or expression can be watched, and by which name."""
    name = state.expression(arguments.number("variablesReference", 0), arguments.text("name"))
    try:
        state.session.inspect.locate(name)
    except EngineError as error:
        return {"dataId": None, "description": str(error)}
    return {"dataId": name, "description": f"writes to {name}", "accessTypes": ["write"], "canPersist": True}


def _locations(state: State, arguments: Arguments) -> Body:
    file = sources.named(state, arguments.one("source"))
    first = state.line_in(arguments.number("line"))
    last = state.line_in(arguments.number("endLine", state.line_out(first)))
    lines = [line for line in range(first, min(last, first + _MOST) + 1) if state.session.inspect.addresses(file, line)]
    return {"breakpoints": [{"line": state.line_out(line)} for line in lines]}


# Requests that change where a move stops.
CHANGES = {
    "setBreakpoints": _set_lines,
    "setFunctionBreakpoints": _setter("function"),
    "setInstructionBreakpoints": _setter("instruction"),
    "setDataBreakpoints": _setter("data"),
    "setExceptionBreakpoints": _set_exceptions,
}
REQUESTS = {**CHANGES, "dataBreakpointInfo": _data_info, "breakpointLocations": _locations}
