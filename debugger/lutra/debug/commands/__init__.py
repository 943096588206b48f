"""The command language: gdb's words over a session. One table; plain text comes out.

state = CommandState(session)
print(execute(state, "info registers"))
"""

from __future__ import annotations

from lutra.debug.commands import about, code, looks, moves, points
from lutra.debug.commands.complete import candidates
from lutra.debug.commands.state import CommandState
from lutra.debug.commands.table import Command, Commands
from lutra.debug.stops import Watcher

__all__ = ["COMMANDS", "Command", "CommandState", "complete", "execute"]

COMMANDS = Commands(
    (*moves.COMMANDS, *points.COMMANDS, *looks.COMMANDS, *code.COMMANDS, *about.COMMANDS),
)


def execute(state: CommandState, line: str, watcher: Watcher | None = None) -> str:
    """Do one command; return what it says, without the end of its last line. Raises EngineError."""
    return COMMANDS.call(state, line, watcher)


def complete(state: CommandState, line: str) -> list[str]:
    """Return the completions of the last word of a line: commands, registers, symbols, files."""
    return candidates(COMMANDS, state.session, line)
