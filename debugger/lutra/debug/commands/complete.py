"""Completion of a command line."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from lutra.asm.files import normal
from lutra.debug.breakpoints import EVENTS
from lutra.debug.commands.about import subjects
from lutra.debug.commands.table import Commands, Completes
from lutra.debug.errors import DebugError
from lutra.debug.session import Session
from lutra.debug.syntax import NUMBERS
from lutra.isa import load

# The end of a line that can be completed.
_WORD = re.compile(r"[\w.$:/-]*\Z")


def candidates(commands: Commands, session: Session, line: str) -> list[str]:
    """Return the completions of the last word of a line, sorted."""
    words = line.split()
    if len(words) < 2 and not line.endswith((" ", "\t")):
        return sorted(c.name for c in commands.all if c.name.startswith(line.strip()))
    try:
        kind = commands.find(words[0].partition("/")[0]).completes
    except DebugError:
        return []
    found = _WORD.search(line)
    begun = found[0] if found else ""
    return sorted({word for word in _words(commands, session, kind) if word.startswith(begun)})


def ended(word: str) -> str:
    """Return the only possible completion with a blank after it; no blank after a file, since its line follows."""
    return word if word.endswith(":") else f"{word} "


def _words(commands: Commands, session: Session, kind: Completes) -> list[str]:
    known: Mapping[Completes, Callable[[], list[str]]] = {
        "expression": lambda: _expression(session),
        "place": lambda: _place(session),
        "command": lambda: [c.name for c in commands.all],
        "topic": subjects,
    }
    return known[kind]() if kind in known else []


def _expression(session: Session) -> list[str]:
    registers = [name for name, register in session.inspect.registers().items() if register.used]
    spaces = [space.name for space in load().spaces if space.is_single or space.is_program]
    return [*registers, *spaces, *NUMBERS, *(symbol.name for symbol in session.image.symbols)]


def _place(session: Session) -> list[str]:
    program = load().program.name
    labels = [symbol.name for symbol in session.image.symbols if symbol.space == program]
    lines = session.inspect.lines
    return [*labels, *lines.macros, *(f"{normal(file)}:" for file in lines.files), *EVENTS]
