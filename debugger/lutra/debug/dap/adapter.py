"""The debug adapter: one request after the other, each answered once, until the client leaves.

A request that is wrong, or that cannot be served now, is answered by an error of one line. Nothing of a request ends
the adapter but `disconnect`, and the end of its input.
"""

from __future__ import annotations

import contextlib
import os
import traceback
from collections.abc import Callable

from lutra.debug.dap import breakpoints, inspection, lifecycle, memory, moves, sources, stack, variables
from lutra.debug.dap.arguments import Arguments, RequestError
from lutra.debug.dap.channel import Channel, GoneError
from lutra.debug.dap.protocol import Message
from lutra.debug.dap.state import Body, Opener, State
from lutra.iss.engine import EngineError

Handler = Callable[[State, Arguments], Body | None]

# Handler of each request; other requests are unknown.
REQUESTS: dict[str, Handler] = {
    **lifecycle.REQUESTS,
    **moves.REQUESTS,
    **breakpoints.REQUESTS,
    **stack.REQUESTS,
    **variables.REQUESTS,
    **inspection.REQUESTS,
    **memory.REQUESTS,
    **sources.REQUESTS,
}


def serve(source: int, sink: int, opener: Opener) -> None:
    """Serve a client on two file descriptors until it leaves."""
    state = State(Channel(source, sink), opener)
    state.serve = lambda message: handle(state, message)
    with contextlib.suppress(GoneError):
        while not state.over and (message := state.channel.receive()) is not None:
            handle(state, message)


def handle(state: State, message: Message) -> None:
    """Answer a message, and do what it sets going."""
    if message.get("type") != "request":
        return
    seq, command = message.get("seq"), message.get("command")
    if not isinstance(seq, int) or isinstance(seq, bool) or not isinstance(command, str):
        state.channel.output("lutra dap: a request has no number in seq, or no command\n", "stderr")
        return
    try:
        body = _body(state, command, message.get("arguments"))
    except RequestError as error:
        state.channel.refuse(message, str(error), error.short)
    except EngineError as error:
        state.channel.refuse(message, _line(str(error)))
    except (RecursionError, MemoryError):
        state.channel.refuse(message, f"{command[:40]!a}: the request is too large")
    except GoneError:
        raise
    except Exception as error:
        if os.environ.get("LUTRA_DEBUG") == "1":
            state.channel.output(traceback.format_exc(), "stderr")
        state.channel.refuse(message, f"internal error: {_line(f'{type(error).__name__}: {error}')}")
    else:
        state.channel.respond(message, body)
        then, state.then = state.then, None
        if then is not None:
            _after(state, then)


def _body(state: State, command: str, arguments: object) -> Body | None:
    if (handler := REQUESTS.get(command)) is None:
        raise RequestError(f"unknown request {command[:40]!a}")
    if arguments is not None and not isinstance(arguments, dict):
        raise RequestError("arguments must be an object")
    if state.running and command not in moves.WHILE_RUNNING:
        raise RequestError(f"{command}: the program is running; pause it first", "notStopped")
    return handler(state, Arguments(arguments or {}))


def _after(state: State, work: Callable[[], None]) -> None:
    """Run the work after an answer, whose failure can only be reported as output."""
    try:
        work()
    except GoneError:
        raise
    except Exception as error:
        text = _line(str(error))
        if not isinstance(error, EngineError | RequestError):
            text = f"internal error: {type(error).__name__}: {text}"
        state.channel.output(f"lutra dap: {text}\n", "stderr")
        moves.stopped(state, "pause", text)


def _line(text: str) -> str:
    """A text in one line."""
    return "; ".join(filter(None, map(str.strip, text.splitlines())))
