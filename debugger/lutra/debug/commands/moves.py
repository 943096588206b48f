"""Commands that move."""

from __future__ import annotations

from collections.abc import Callable

from lutra.debug.commands import shown
from lutra.debug.commands.table import Call, Command, number
from lutra.debug.errors import DebugError
from lutra.debug.stops import Stop

_GROUP = "moving"


def _repeated(move: str) -> Callable[[Call], str]:
    """A command that does a move of the session so many times, up to the first that ends elsewhere."""

    def run(call: Call) -> str:
        count = call.number(1, "a number of times")
        if count < 1:
            raise DebugError("at least once")
        for _ in range(count):
            found: Stop = getattr(call.session.moves, move)(watcher=call.watcher)
            if found.kind not in ("step", "breakpoint", "watchpoint", "notify"):
                break
            if move not in ("go", "back") and found.kind != "step":
                break
            # Short moves may follow each other faster than the machine looks up.
            where = call.inspect.where()
            if call.watcher is not None and not call.watcher(where.time, where.cycle):
                break
        return shown.stop(call.state, found)

    return run


def _counted(move: str) -> Callable[[Call], str]:
    """A command that does a move of the session with a count."""

    def run(call: Call) -> str:
        count = call.number(1, "a number of instructions")
        return shown.stop(call.state, getattr(call.session.moves, move)(count, watcher=call.watcher))

    return run


def _finish(call: Call) -> str:
    call.nothing()
    return shown.stop(call.state, call.session.moves.finish(call.watcher))


def _finish_back(call: Call) -> str:
    call.nothing()
    return shown.stop(call.state, call.session.moves.finish_back(call.watcher))


def _advance(call: Call) -> str:
    session = call.session
    place = session.breakpoints.add(call.needed("where to, as in `advance LABEL`"), temporary=True)
    found = session.moves.go(call.watcher)
    if all(point.id != place.id for point in session.breakpoints):
        return shown.stop(call.state, found)
    session.breakpoints.remove(place.id)
    return f"{place.text} was not reached\n{shown.stop(call.state, found)}"


def _start(call: Call) -> str:
    call.nothing()
    return shown.stop(call.state, call.session.moves.restart())


def _run(call: Call) -> str:
    call.nothing()
    call.session.moves.restart()
    return shown.stop(call.state, call.session.moves.go(call.watcher))


def _goto(call: Call) -> str:
    words = call.needed("where to: a time, `cycle N`, `last` or `end`").split()
    moves = call.session.moves
    if words[0] == "cycle" and len(words) == 2:
        return shown.stop(call.state, moves.run_to_cycle(number(words[1], "a cycle"), call.watcher))
    if words == ["last"]:
        if call.state.shown_write is None:
            raise DebugError("nothing was shown by `last`, `history` or `inputs` yet")
        time = call.state.shown_write.time
    elif words == ["end"]:
        time = call.inspect.latest
    else:
        time = number(call.rest, "a time, `cycle N`, `last` or `end`;")
    return shown.stop(call.state, moves.seek(time, call.watcher))


COMMANDS = (
    Command(
        "continue",
        _GROUP,
        ("c",),
        "continue [N]",
        "Run on to the next breakpoint, watchpoint or end; N times.",
        _repeated("go"),
        repeats=True,
    ),
    Command(
        "reverse-continue",
        _GROUP,
        ("rc",),
        "reverse-continue [N]",
        "Run back to the last breakpoint, watchpoint or the start; N times.\n"
        "At a watchpoint it stops before the instruction that changes the value.",
        _repeated("back"),
        repeats=True,
    ),
    Command(
        "step",
        _GROUP,
        ("s",),
        "step [N]",
        "Forward to the next line, into macros and calls; N times.",
        _repeated("step_line"),
        repeats=True,
    ),
    Command(
        "reverse-step",
        _GROUP,
        ("rs",),
        "reverse-step [N]",
        "Back to the beginning of the line before, into macros and calls; N times.",
        _repeated("step_line_back"),
        repeats=True,
    ),
    Command(
        "next",
        _GROUP,
        ("n",),
        "next [N]",
        "Forward to the next line, over macros and calls that begin here; N times.\n"
        "Within a macro it stays there up to its end. After `step` into one, all of its lines are this level.",
        _repeated("next_line"),
        repeats=True,
    ),
    Command(
        "reverse-next",
        _GROUP,
        ("rn",),
        "reverse-next [N]",
        "Back to the beginning of the line before, over macros and calls; N times.",
        _repeated("next_line_back"),
        repeats=True,
    ),
    Command(
        "stepi",
        _GROUP,
        ("si",),
        "stepi [N]",
        "N instructions forward; breakpoints do not stop.",
        _counted("step"),
        repeats=True,
    ),
    Command(
        "reverse-stepi",
        _GROUP,
        ("rsi",),
        "reverse-stepi [N]",
        "N instructions back; breakpoints do not stop.",
        _counted("step_back"),
        repeats=True,
    ),
    Command(
        "finish",
        _GROUP,
        ("fin",),
        "finish",
        "Forward to the end of the innermost macro, loop or call, as `backtrace` shows it.",
        _finish,
    ),
    Command(
        "reverse-finish",
        _GROUP,
        ("rfin",),
        "reverse-finish",
        "Back to where the innermost macro, loop or call begins, as `backtrace` shows it.\n"
        "What comes next is the call, the REPEAT of the loop, or the first line of the macro; from there it goes to\n"
        "where what is around the macro begins.",
        _finish_back,
    ),
    Command(
        "advance",
        _GROUP,
        ("until", "u"),
        "advance PLACE",
        "Run on to a place, of those that `break` takes; says so if it stops before.",
        _advance,
        completes="place",
    ),
    Command(
        "goto",
        _GROUP,
        ("g",),
        "goto TIME | cycle N | last | end",
        "Go to a time (in instructions from the start), forward or back.\n"
        "`goto cycle N` goes to a cycle of the present run, `goto last` to the newest instruction that\n"
        "`last`, `history` or `inputs` has shown, `goto end` to where the program has been farthest.",
        _goto,
    ),
    Command("start", _GROUP, (), "start", "Back to the start; what was set by hand is forgotten.", _start),
    Command("run", _GROUP, ("r",), "run", "Back to the start, and on to the first breakpoint.", _run),
)
