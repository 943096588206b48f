"""The state of the adapter between two requests."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Protocol

from lutra.debug import Session
from lutra.debug.commands import CommandState
from lutra.debug.dap.arguments import Arguments, RequestError
from lutra.debug.dap.channel import Channel
from lutra.debug.dap.protocol import Message

Body = dict[str, Any]
# A kind of breakpoints, and the source file for those of lines.
Group = tuple[str, str]


# The variables of a container, made when the client asks: from a number on, at most so many.
Container = Callable[["State", int, int], list[Any]]


class Opener(Protocol):
    """Makes a session from the arguments of `launch`. Raises EngineError with one line; `tell` takes further text,
    such as the diagnostics of the assembler."""

    def __call__(self, arguments: Arguments, tell: Callable[[str], None]) -> Session: ...


@dataclass
class State:
    """One client, and the program that it debugs.

    launched: the arguments of `launch`, for `restart`. then: what is done once the present request is answered.
    configured: the client has sent what it wants to stop at. running: a move is on its way; only some requests are
    served meanwhile. pausing: the client wants it to end. over: the client has left. serve: answers a request.
    """

    channel: Channel
    opener: Opener
    client: Arguments = field(default_factory=lambda: Arguments({}))
    launched: Arguments | None = None
    opened: CommandState | None = None
    configured: bool = False
    running: bool = False
    pausing: bool = False
    over: bool = False
    then: Callable[[], None] | None = None
    serve: Callable[[Message], None] = lambda message: None
    # The client's breakpoints by group: each source, functions, instructions, data, exceptions.
    wanted: dict[Group, list[Arguments]] = field(default_factory=dict)
    # The numbers of the session's break- and watchpoints that a group has become.
    made: dict[Group, list[int]] = field(default_factory=dict)
    # Texts of log points, by the number of the breakpoint.
    logs: dict[int, str] = field(default_factory=dict)
    # Containers by variablesReference, from 1 on, until the next move; and the expressions of their variables.
    containers: list[Container] = field(default_factory=list)
    expressions: dict[int, dict[str, str]] = field(default_factory=dict)
    # Sources by sourceReference, from 1 on.
    sources: list[str] = field(default_factory=list)

    @property
    def commands(self) -> CommandState:
        """The command language over the session; RequestError without a session."""
        if self.opened is None:
            raise RequestError("no program is being debugged; launch one first")
        return self.opened

    @property
    def session(self) -> Session:
        """The session; RequestError without one."""
        return self.commands.session

    @property
    def undisturbed(self) -> bool:
        """Whether the program is to run without stops."""
        return self.launched is not None and self.launched.flag("noDebug")

    def hold(self, container: Container) -> int:
        """A reference to a container."""
        self.containers.append(container)
        return len(self.containers)

    def held(self, reference: int) -> Container:
        """The container of a reference; RequestError where the program has moved since."""
        if not 1 <= reference <= len(self.containers):
            raise RequestError(f"unknown container {reference}; containers are valid only until the next move")
        return self.containers[reference - 1]

    def moved(self) -> None:
        """The values of before are over."""
        self.containers.clear()
        self.expressions.clear()

    def expression(self, reference: int, name: str) -> str:
        """Expression of a variable of a container, or of a name where there is none. Raises RequestError."""
        if not reference:
            return name
        self.held(reference)
        if not (found := self.expressions.get(reference, {}).get(name)):
            raise RequestError(f"{name[:40]!a} of container {reference} has no place of its own")
        return found

    def line_out(self, line: int) -> int:
        """A line as the client counts."""
        return line - (not self.client.flag("linesStartAt1", True))

    def line_in(self, line: int) -> int:
        """A line of the client, counted from 1."""
        return line + (not self.client.flag("linesStartAt1", True))

    def column_in(self, column: int) -> int:
        """A column of the client, counted from 1."""
        return column + (not self.client.flag("columnsStartAt1", True))

    @property
    def first_column(self) -> int:
        """The first column of a line as the client counts."""
        return int(self.client.flag("columnsStartAt1", True))
