"""The one thread, its stack of macros and calls, and the scopes of what can be looked at there."""

from __future__ import annotations

from lutra.debug import Frame
from lutra.debug.dap import sources, variables
from lutra.debug.dap.arguments import Arguments, RequestError
from lutra.debug.dap.moves import THREAD
from lutra.debug.dap.state import Body, State


def _threads(state: State, arguments: Arguments) -> Body:
    name = f"lutra ({state.session.engine})" if state.opened is not None else "lutra"
    return {"threads": [{"id": THREAD, "name": name}]}


def levels(state: State) -> list[Frame]:
    """Return the open macros and calls, innermost first; loops have a scope of their own.

    A macro that has been stepped over so far is not shown: the user stands before it.
    """
    session = state.session
    hidden = max(0, len(session.inspect.where().chain) - session.moves.level)
    return [frame for frame in session.inspect.frames() if frame.kind != "loop"][hidden:]


def _trace(state: State, arguments: Arguments) -> Body:
    frames = levels(state)
    first = arguments.number("startFrame", 0)
    count = arguments.number("levels", 0) or len(frames)
    shown = list(enumerate(frames, 1))[first : first + count]
    return {"stackFrames": [_frame(state, number, frame) for number, frame in shown], "totalFrames": len(frames)}


def _frame(state: State, number: int, frame: Frame) -> Body:
    body: Body = {
        "id": number,
        "name": f"{frame.name} (macro)" if frame.kind == "macro" else frame.name,
        "instructionPointerReference": f"{frame.pc:#06x}",
        "line": 0,
        "column": 0,
    }
    if frame.place is not None:
        body |= {
            "source": sources.of(state, frame.place.file),
            "line": state.line_out(frame.place.line),
            "column": state.first_column,
        }
    return body


def _scopes(state: State, arguments: Arguments) -> Body:
    number = arguments.number("frameId")
    if not 1 <= number <= len(levels(state)):
        raise RequestError(f"unknown frame {number}")
    return {"scopes": variables.scopes(state)}


REQUESTS = {"threads": _threads, "stackTrace": _trace, "scopes": _scopes}
