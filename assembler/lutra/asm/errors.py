"""Diagnostics for the author of a program. Nothing here knows the language."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple


class Line(NamedTuple):
    """A line as it is assembled: its text after substitution and where that text was written."""

    text: str
    file: str
    number: int
    origin: Origin | None = None
    made: Substitution | None = None  # how the text came about, where it is not that of the file

    @property
    def flow(self) -> tuple[str, int]:
        """The line in the source: the outermost macro call, or the line itself."""
        place = (self.file, self.number)
        origin = self.origin
        while origin is not None:
            if origin.macro:
                place = (origin.line.file, origin.line.number)
            origin = origin.line.origin
        return place

    @property
    def root(self) -> Line:
        """The line of the source file itself that led to this one."""
        line = self
        while line.origin is not None:
            line = line.origin.line
        return line


class Origin(NamedTuple):
    """Why a line is assembled that is not in the source file itself.

    `macro` is empty for an inclusion or a repetition; `definition` is the file and line of a macro's definition.
    """

    what: str
    line: Line
    names: tuple[str, ...] = ()  # what a backslash is put before in the expansion
    macro: str = ""
    definition: tuple[str, int] = ("", 0)


class Given(NamedTuple):
    """A text that is substituted into a line, and where it was written; None for counters and registers."""

    text: str
    line: Line | None = None
    column: int = 0


class Substitution(NamedTuple):
    """The step from one line to another: each match of the pattern's first group is replaced by its value, if any.

    The line may have been cut at its end since (`lutra.asm.columns` traces the columns back).
    """

    template: Line
    pattern: re.Pattern[str]
    values: Mapping[str, Given]

    def __hash__(self) -> int:
        # By identity, because the values are a dictionary.
        return hash(self.template)


class LineError(Exception):
    """Something wrong in the line being worked on; columns count from 0, `end` is exclusive.

    `undefined`: the unknown name. `within`: the message already names the definition.
    `follows`: a consequence of another problem, which is reported in its own place. `absent`: the line uses something
    that the configuration lacks.
    """

    def __init__(
        self,
        message: str,
        column: int = 0,
        end: int = 0,
        hint: str = "",
        *,
        undefined: str = "",
        within: bool = False,
        follows: bool = False,
        absent: bool = False,
    ) -> None:
        super().__init__(message)
        self.message = message
        self.column = column
        self.end = end
        self.hint = hint
        self.undefined = undefined
        self.within = within
        self.follows = follows
        self.absent = absent


@dataclass(frozen=True)
class Diagnostic:
    """One finding. `line` 0: about the file as a whole; `column` counts from 1.

    `name` is the check for `-W`, empty for an error that cannot be turned off.
    """

    severity: str
    message: str
    file: str
    line: int = 0
    column: int = 0
    width: int = 0
    source: str = ""
    hint: str = ""
    notes: tuple[str, ...] = ()
    name: str = ""
    # The line uses something that the configuration lacks.
    absent: bool = False
    # The line that the columns refer to; its parts may come from several files.
    at: Line | None = field(default=None, compare=False, repr=False)

    def render(self) -> str:
        """Return `file:line:column: severity: message`, the source line, the caret line, hint and notes."""
        place = self.file if not self.line else f"{self.file}:{self.line}:{self.column}"
        lines = [f"{place}: {self.severity}: {self.message}" + (f" [{self.name}]" if self.name else "")]
        if self.line:
            # Keep tabs, so that the caret is below its character for any tab width.
            start = self.column - 1
            indent = "".join(c if c == "\t" else " " for c in self.source[:start].ljust(start))
            lines += [f"    {self.source}", f"    {indent}^{'~' * (self.width - 1)}"]
        if self.hint:
            lines.append(f"    hint: {self.hint}")
        return "\n".join(lines + list(self.notes))


class AsmError(Exception):
    """The input cannot be assembled; `diagnostics` has every finding, warnings included.

    `stopped`: there are more errors than the caller asked for.
    """

    def __init__(self, diagnostics: Iterable[Diagnostic], *, stopped: bool = False) -> None:
        self.diagnostics = tuple(diagnostics)
        self.stopped = stopped
        super().__init__("\n".join(d.render() for d in self.diagnostics))

    @classmethod
    def of_file(cls, file: object, message: str) -> AsmError:
        """An error about a file as a whole."""
        return cls([Diagnostic("error", message, str(file))])


def exchanged(name: str, known: Iterable[str]) -> list[str]:
    """Return the known names with the same letters: swapped letters are common, and difflib prefers longer names."""
    return [other for other in known if sorted(other) == sorted(name)]


def nearest(name: str, known: Iterable[str], also: str = "") -> str:
    """Return a hint with the known name nearest to an unknown one; `also` if no name is near."""
    known = list(known)
    near = difflib.get_close_matches(name, exchanged(name, known) or known, 1, 0.6)
    return f"did you mean '{near[0]}'?" if near else also


def plural(count: int, noun: str, nouns: str = "") -> str:
    """`1 argument`, `2 arguments`."""
    return f"{count} {noun if count == 1 else nouns or noun + 's'}"
