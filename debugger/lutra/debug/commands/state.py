"""The state of the command language over a session."""

from __future__ import annotations

from dataclasses import dataclass, field

from lutra.debug.history import Write
from lutra.debug.session import Session


@dataclass
class CommandState:
    """State that commands keep from one to the next.

    over: `quit` was done. displays: expressions to show after every move, with their forms, by number. nested: files of
    commands that are being read. shown_write: the newest of the writes that a command has shown last.
    """

    session: Session
    over: bool = False
    displays: dict[int, tuple[str, str]] = field(default_factory=dict)
    nested: int = 0
    shown_write: Write | None = None
