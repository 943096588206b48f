"""Moves in time, forward and back. A move follows the answer to its request; a long one looks for further requests."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TypeVar

from lutra.debug import Stop
from lutra.debug.dap import breakpoints
from lutra.debug.dap.arguments import Arguments, RequestError
from lutra.debug.dap.progress import Progress
from lutra.debug.dap.protocol import Message
from lutra.debug.dap.state import Body, State
from lutra.debug.moves import Moves
from lutra.debug.stops import Watcher

Move = Callable[[Moves, Watcher], Stop]
_T = TypeVar("_T")

# The one thread.
THREAD = 1
# Requests that are served while a move is on its way.
WHILE_RUNNING = frozenset({"pause", "cancel", "threads"})
# Those that end it first.
_LEAVING = frozenset({"disconnect", "terminate", "restart"})

# The reason of the event `stopped` for each kind of stop; a breakpoint's is that of its group.
REASONS = {
    "start": "entry",
    "step": "step",
    "breakpoint": "breakpoint",
    "watchpoint": "data breakpoint",
    "trap": "exception",
    "notify": "exception",
    "halt": "halt",
    "wait": "wait",
    "limit": "limit",
    "divergence": "exception",
    "failed": "exception",
    "interrupt": "pause",
}
# After which nothing comes: time can only go back, and to go on ends the session.
ENDS = frozenset({"halt", "wait", "trap", "divergence", "failed"})


def run(state: State, move: Move, again: bool = False) -> None:
    """Make a move and tell of its end.

    again: the move may be ended on its way and begun anew with the same result, as a run to the next breakpoint.
    """
    state.moved()
    with _Watch(state, again) as watch:
        stop = watch.during(lambda: move(state.session.moves, watch))
        while again and _goes_on(state, stop, watch):
            watch.serve_changes()
            stop = watch.during(lambda: move(state.session.moves, watch))
    report(state, stop)


def watched(state: State, work: Callable[[Watcher], str]) -> str:
    """Do something that may move; requests are looked for meanwhile."""
    with _Watch(state, again=False) as watch:
        return watch.during(lambda: work(watch))


def _goes_on(state: State, stop: Stop, watch: _Watch) -> bool:
    """Whether the client need not know of a stop."""
    if stop.kind == "interrupt":
        return bool(watch.changes) and not watch.leaving
    if not breakpoints.logged(state, stop):
        return False
    # Log points may follow each other faster than a move looks for requests.
    where = state.session.inspect.where()
    watch(where.time, where.cycle)
    return not watch.leaving


class _Watch:
    """Looks for requests during a move; False ends the move."""

    def __init__(self, state: State, again: bool) -> None:
        self._state, self._progress, self._again = state, Progress(state), again
        # Requests served as soon as the move has ended, and those served after the client has been told.
        self.changes: list[Message] = []
        self._waiting: list[Message] = []
        state.pausing = False

    def __enter__(self) -> _Watch:
        return self

    def __exit__(self, *_: object) -> None:
        self._progress.end()
        self.serve_changes()
        self._state.channel.defer(self._waiting)

    @property
    def leaving(self) -> bool:
        """Whether the client wants the move to end."""
        return self._state.pausing or self._state.channel.closed or bool(self._waiting)

    def during(self, work: Callable[[], _T]) -> _T:
        """Result of the work; only some requests are served meanwhile."""
        self._state.running = True
        try:
            return work()
        finally:
            self._state.running = False

    def serve_changes(self) -> None:
        """Take over what the client wants to stop at from now on."""
        changes, self.changes = self.changes, []
        for message in changes:
            self._state.serve(message)

    def __call__(self, time: int, cycle: int) -> bool:
        self._progress.tell(time, cycle)
        for message in self._state.channel.poll():
            command = str(message.get("command"))
            if command in _LEAVING:
                self._waiting.append(message)
            elif command in breakpoints.CHANGES:
                self.changes.append(message)
            else:
                self._state.serve(message)
        return not (self.leaving or (self._again and self.changes))


def report(state: State, stop: Stop) -> None:
    """Tell the client why and where a move has ended."""
    if stop.detail:
        state.channel.output(stop.detail.rstrip("\n") + "\n")
    reason = breakpoints.reason(state, stop.id) if stop.kind == "breakpoint" else REASONS[stop.kind]
    stopped(state, reason, stop.text, stop.id)


def stopped(state: State, reason: str, text: str, number: int | None = None) -> None:
    """The event. number: of the breakpoint or watchpoint."""
    hit = {"hitBreakpointIds": [number]} if number is not None else {}
    state.channel.event(
        "stopped", reason=reason, description=text, text=text, threadId=THREAD, allThreadsStopped=True, **hit
    )


# ------------------------------------------------------------------ requests


def _moving(line: Move, instruction: Move | None = None) -> Callable[[State, Arguments], Body]:
    """A request that moves by a line, or by an instruction where the client asks for it."""

    def handler(state: State, arguments: Arguments) -> Body:
        single = instruction is not None and arguments.text("granularity", "statement") == "instruction"
        _ready(state)
        state.then = partial(run, state, instruction if single and instruction else line)
        return {}

    return handler


def _ready(state: State) -> None:
    """RequestError before the client has set what it wants to stop at."""
    if state.session and not state.configured:
        raise RequestError("the program has not started yet; send configurationDone first")


def go(state: State) -> None:
    """Forward to the next stop."""
    run(state, Moves.go, again=True)


def _continue(state: State, arguments: Arguments) -> Body:
    _ready(state)
    state.then = partial(end, state) if state.session.moves.stop.kind in ENDS else partial(go, state)
    return {"allThreadsContinued": True}


def _reverse(state: State, arguments: Arguments) -> Body:
    _ready(state)
    state.then = partial(run, state, Moves.back, again=True)
    return {}


def _pause(state: State, arguments: Arguments) -> Body:
    """A program that does not run stays where it is."""
    state.session  # noqa: B018
    state.pausing = True
    return {}


def end(state: State) -> None:
    """The program has come to its end, and the client knows how."""
    failed = state.session.moves.stop.kind not in ("halt", "wait")
    close(state)
    state.channel.event("terminated")
    state.channel.event("exited", exitCode=int(failed))


def close(state: State) -> None:
    """Forget the session."""
    state.opened, state.configured = None, False
    state.moved()
    state.made.clear()
    state.logs.clear()


REQUESTS = {
    "continue": _continue,
    "reverseContinue": _reverse,
    "next": _moving(Moves.next_line, lambda moves, watcher: moves.step(1, watcher)),
    "stepIn": _moving(Moves.step_line, lambda moves, watcher: moves.step(1, watcher)),
    "stepOut": _moving(Moves.finish),
    "stepBack": _moving(Moves.next_line_back, lambda moves, watcher: moves.step_back(1, watcher)),
    "pause": _pause,
    "cancel": lambda state, arguments: _pause(state, arguments) if arguments.text("progressId", "") else {},
}
