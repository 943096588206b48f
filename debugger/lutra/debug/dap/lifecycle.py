"""The beginning and the end: what the client can do and the adapter can, launch, restart, leaving."""

from __future__ import annotations

from functools import partial

from lutra.debug.commands import CommandState
from lutra.debug.dap import breakpoints, moves
from lutra.debug.dap.arguments import Arguments, RequestError
from lutra.debug.dap.breakpoints import FILTERS
from lutra.debug.dap.state import Body, State

CAPABILITIES: Body = {
    f"supports{name}": True
    for name in (
        "BreakpointLocationsRequest",
        "CancelRequest",
        "CompletionsRequest",
        "ConditionalBreakpoints",
        "ConfigurationDoneRequest",
        "DataBreakpoints",
        "DisassembleRequest",
        "EvaluateForHovers",
        "ExceptionInfoRequest",
        "FunctionBreakpoints",
        "HitConditionalBreakpoints",
        "InstructionBreakpoints",
        "LoadedSourcesRequest",
        "LogPoints",
        "ReadMemoryRequest",
        "RestartRequest",
        "SetExpression",
        "SetVariable",
        "StepBack",
        "SteppingGranularity",
        "TerminateRequest",
        "WriteMemoryRequest",
    )
} | {"exceptionBreakpointFilters": [{"filter": name, "label": label, "default": True} for name, label, _ in FILTERS]}


def _initialize(state: State, arguments: Arguments) -> Body:
    if arguments.text("pathFormat", "path") != "path":
        raise RequestError("the adapter names files by paths; pathFormat must be path")
    for name in ("linesStartAt1", "columnsStartAt1", "supportsProgressReporting", "supportsInvalidatedEvent"):
        arguments.flag(name)
    state.client = arguments
    return CAPABILITIES


def _launch(state: State, arguments: Arguments) -> Body:
    if state.opened is not None:
        raise RequestError("a program is being debugged already; restart it, or terminate it first")
    _open(state, arguments)
    state.then = partial(state.channel.event, "initialized")
    return {}


def _open(state: State, arguments: Arguments) -> None:
    arguments.flag("stopOnEntry"), arguments.flag("noDebug")
    state.launched = arguments
    session = state.opener(arguments, lambda text: state.channel.output(text, "stderr"))
    state.opened = CommandState(session)
    breakpoints.again(state)


def _attach(state: State, arguments: Arguments) -> Body:
    raise RequestError("there is nothing to attach to: the adapter makes the machine; use launch")


def _configuration_done(state: State, arguments: Arguments) -> Body:
    if state.session and state.configured:
        raise RequestError("the program has started already")
    state.configured = True
    state.then = partial(_begin, state)
    return {}


def _begin(state: State) -> None:
    """Start the program, or show it where it starts."""
    assert state.launched is not None
    if state.launched.flag("noDebug"):
        moves.go(state)
        if state.session.moves.stop.kind in moves.ENDS:
            moves.end(state)
    elif state.launched.flag("stopOnEntry") or state.session.moves.stop.kind != "start":
        # A known answer opens where it goes wrong.
        moves.report(state, state.session.moves.stop)
    else:
        moves.go(state)


def _restart(state: State, arguments: Arguments) -> Body:
    """The program again, assembled anew; with the arguments of the request, if it has some."""
    if state.launched is None:
        raise RequestError("no program has been launched")
    launched = arguments.one("arguments")
    moves.close(state)
    _open(state, launched if launched.values else state.launched)
    state.configured = True
    state.then = partial(_begin, state)
    return {}


def _terminate(state: State, arguments: Arguments) -> Body:
    if state.session:
        state.then = partial(moves.end, state)
    return {}


def _disconnect(state: State, arguments: Arguments) -> Body:
    state.over = True
    return {}


REQUESTS = {
    "initialize": _initialize,
    "launch": _launch,
    "attach": _attach,
    "configurationDone": _configuration_done,
    "restart": _restart,
    "terminate": _terminate,
    "disconnect": _disconnect,
}
