"""The command language: gdb's words over a session."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from lutra.debug.session import Session


def execute(session: Session, line: str) -> str:
    raise NotImplementedError


def complete(session: Session, line: str) -> list[str]:
    raise NotImplementedError
