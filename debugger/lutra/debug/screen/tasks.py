"""Tasks of keys that the command language does not have."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from lutra.debug import Breakpoint, Session, Watcher
from lutra.debug.commands import CommandState, execute
from lutra.debug.screen.lines import Line, Sheet
from lutra.debug.screen.running import Task


def command(line: str) -> Task:
    """A line of the command language."""
    return lambda state, watcher: execute(state, line, watcher)


def seek(time: int) -> Task:
    """To a time."""
    return lambda state, watcher: state.session.moves.seek(time, watcher).text


def page(title: str, lines: Callable[[CommandState], Sequence[Line]]) -> Task:
    """Ask the session for the lines of a page."""
    return lambda state, _: Sheet(title, lines(state))


def toggle_line(file: str, number: int) -> Task:
    """A breakpoint on a line, or none where there is one."""

    def toggle(state: CommandState, _: Watcher) -> str:
        session = state.session
        found = [point for point in session.breakpoints if _stands(point, file, number)]
        return _removed(session, found) or _told(session.breakpoints.add_line(file, number))

    return toggle


def toggle_address(pc: int) -> Task:
    """A breakpoint on an instruction, or none where there is one."""

    def toggle(state: CommandState, _: Watcher) -> str:
        session = state.session
        found = [point for point in session.breakpoints if pc in point.addresses]
        return _removed(session, found) or _told(session.breakpoints.add_address(pc))

    return toggle


def writer(item: str) -> Task:
    """To the instruction that wrote a value last."""

    def go(state: CommandState, watcher: Watcher) -> str:
        found = execute(state, f"last {item}")
        return f"{found}\n{execute(state, 'goto last', watcher)}" if state.shown_write else found

    return go


def _stands(point: Breakpoint, file: str, number: int) -> bool:
    return point.place is not None and (point.place.file, point.place.line) == (file, number)


def _removed(session: Session, points: list[Breakpoint]) -> str:
    for point in points:
        session.breakpoints.remove(point.id)
    return "\n".join(f"breakpoint {point.id} removed" for point in points)


def _told(point: Breakpoint) -> str:
    return f"breakpoint {point.id}: {point.message or point.text}"
