"""The command language: gdb's words over a session. One table; plain text comes out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lutra.debug.commands import about, code, looks, moves, points
from lutra.debug.commands.complete import candidates
from lutra.debug.commands.table import Command, Commands
from lutra.debug.stops import Watcher

if TYPE_CHECKING:
    from lutra.debug.session import Session

__all__ = ["COMMANDS", "Command", "complete", "execute"]


def _all() -> Commands:
    return COMMANDS


COMMANDS = Commands(
    (
        *moves.COMMANDS,
        *points.COMMANDS,
        *looks.COMMANDS,
        *code.COMMANDS,
        *about.COMMANDS,
        Command(
            "help",
            "other",
            ("h", "?"),
            "help [COMMAND]",
            "Show all commands, or what is to be said of one.",
            about.help_of(_all),
            completes="command",
        ),
    )
)


def execute(session: Session, line: str, watcher: Watcher | None = None) -> str:
    """Do one command; what it says. Raises EngineError."""
    return COMMANDS.call(session, line, watcher)


def complete(session: Session, line: str) -> list[str]:
    """Return completions of the last word of a line."""
    return candidates(COMMANDS, session, line)
