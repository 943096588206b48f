"""Expressions and commands that the user types, and why the program has stopped."""

from __future__ import annotations

from lutra.debug import Value
from lutra.debug.commands import complete, execute
from lutra.debug.dap import breakpoints, moves, variables
from lutra.debug.dap.arguments import Arguments, RequestError
from lutra.debug.dap.state import Body, State


def _evaluate(state: State, arguments: Arguments) -> Body:
    text = arguments.text("expression")
    if arguments.text("context", "") == "repl":
        return _command(state, text)
    value = state.session.inspect.evaluate(text)
    return _result(state, value)


def _result(state: State, value: Value) -> Body:
    shown = variables.described(state, variables.valued(state, value.text, value))
    kept = ("variablesReference", "indexedVariables", "namedVariables", "memoryReference", "presentationHint")
    return {"result": shown["value"], **{name: shown[name] for name in kept if name in shown}}


def _command(state: State, line: str) -> Body:
    """Run a line of the command language. The client gets its changes after the answer."""
    session = state.session
    before, points = session.inspect.where().time, _points(state)
    said = moves.watched(state, lambda watch: execute(state.commands, line, watch))
    state.then = lambda: _changed(state, before, points)
    return {"result": said, "variablesReference": 0}


def _points(state: State) -> dict[int, Body]:
    """Return all points of the session, by number."""
    session = state.session
    return {p.id: breakpoints.described(state, p) for p in (*session.breakpoints, *session.watchpoints)}


def _changed(state: State, before: int, points: dict[int, Body]) -> None:
    session = state.session
    now = _points(state)
    for number in points.keys() - now.keys():
        state.channel.event("breakpoint", reason="removed", breakpoint=points[number])
    for number in now.keys() - points.keys():
        state.channel.event("breakpoint", reason="new", breakpoint=now[number])
    if state.commands.over:
        moves.end(state)
    elif session.inspect.where().time != before:
        state.moved()
        moves.report(state, session.moves.stop)
    elif state.client.flag("supportsInvalidatedEvent"):
        state.channel.event("invalidated", areas=["variables"])


def _completions(state: State, arguments: Arguments) -> Body:
    text = arguments.text("text").split("\n")
    line = text[min(arguments.number("line", 1), len(text)) - 1]
    column = state.column_in(arguments.number("column")) - 1
    typed = line[:column]
    word = typed.rpartition(" ")[2]
    found = complete(state.commands, typed)
    start = state.first_column + len(typed) - len(word)
    return {"targets": [{"label": label, "start": start, "length": len(word)} for label in found]}


def _exception(state: State, arguments: Arguments) -> Body:
    stop = state.session.moves.stop
    if moves.REASONS[stop.kind] != "exception":
        raise RequestError("the program has not stopped by an exception")
    return {"exceptionId": stop.kind, "description": stop.text, "breakMode": "always"}


REQUESTS = {"evaluate": _evaluate, "completions": _completions, "exceptionInfo": _exception}
