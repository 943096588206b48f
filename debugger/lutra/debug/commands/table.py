"""Commands, and how to find the command of a line."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

from lutra.asm.errors import nearest
from lutra.debug.commands.state import CommandState
from lutra.debug.errors import DebugError
from lutra.debug.inspection import Inspection
from lutra.debug.session import Session
from lutra.debug.stops import Watcher

Completes = Literal["", "expression", "place", "command", "topic", "file"]
_LINE = re.compile(r"\s*(?P<name>[A-Za-z][A-Za-z-]*|\?)(?:/(?P<form>\w*))?(?:\s+(?P<rest>.*?))?\s*", re.DOTALL)


@dataclass(frozen=True)
class Call:
    """A command as given. form: the text after the slash of `print/x`. rest: everything after that."""

    commands: Commands
    state: CommandState
    form: str
    rest: str
    watcher: Watcher | None = None

    @property
    def session(self) -> Session:
        """The session that the command works on."""
        return self.state.session

    @property
    def inspect(self) -> Inspection:
        """The present state of the session."""
        return self.state.session.inspect

    def nothing(self) -> None:
        """DebugError where something was given."""
        if self.rest or self.form:
            raise DebugError(f"{self.rest or '/' + self.form}: the command takes nothing")

    def number(self, default: int, what: str = "a number") -> int:
        """Return the argument as a number."""
        return default if not self.rest else number(self.rest, what)

    def needed(self, what: str) -> str:
        """Return the argument; DebugError if there is none."""
        if not self.rest:
            raise DebugError(f"write {what}")
        return self.rest


@dataclass(frozen=True)
class Command:
    """One command.

    group: under which `help` lists it. aliases: exact short forms; besides, any prefix that only one command has.
    usage: as in `break PLACE [if CONDITION]`. text: help, first one line, then whatever else is to be said. forms:
    whether a slash and a form may follow the name. repeats: whether an empty line does it again.
    """

    name: str
    group: str
    aliases: tuple[str, ...]
    usage: str
    text: str
    run: Callable[[Call], str]
    completes: Completes = ""
    forms: bool = False
    repeats: bool = False

    @property
    def summary(self) -> str:
        """The first line of its help."""
        return self.text.split("\n")[0]


class Commands:
    """All commands of a language."""

    def __init__(self, commands: Sequence[Command]) -> None:
        self.all = tuple(commands)
        self._exact = {name: c for c in commands for name in (c.name, *c.aliases)}
        assert len(self._exact) == sum(1 + len(c.aliases) for c in commands)

    def find(self, name: str) -> Command:
        """The command of a name, an alias or a prefix. Raises DebugError."""
        if name in self._exact:
            return self._exact[name]
        found = [c for c in self.all if c.name.startswith(name)]
        if len(found) == 1:
            return found[0]
        if found:
            raise DebugError(f"{name} can be {', '.join(c.name for c in found)}")
        hint = nearest(name, list(self._exact))
        raise DebugError(f"no command {name!r}; {hint or '`help` lists all'}")

    def call(self, state: CommandState, line: str, watcher: Watcher | None) -> str:
        """Do a line; an empty one, or one that begins with `#`, says nothing. Raises EngineError."""
        if not line.strip() or line.lstrip().startswith("#"):
            return ""
        found = _LINE.fullmatch(line)
        if found is None:
            raise DebugError(f"no command {line.split()[0]!r}; `help` lists all")
        command = self.find(found["name"])
        if found["form"] is not None and not command.forms:
            raise DebugError(f"{command.name} does not take a form; usage: {command.usage}")
        return command.run(Call(self, state, found["form"] or "", found["rest"] or "", watcher))


def number(text: str, what: str = "a number") -> int:
    """A number that is not negative. Raises DebugError."""
    try:
        if re.fullmatch(r"[0-9]\w{0,19}", text):
            return int(text, 0)
    except ValueError:
        pass
    raise DebugError(f"{text!r} is not {what} such as 16 or 0x10")


def numbers(text: str) -> list[int]:
    """Numbers between blanks."""
    return [number(word, "the number of a breakpoint") for word in text.split()]
