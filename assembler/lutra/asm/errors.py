"""Diagnostics: what is shown to whoever wrote the program. Nothing here knows the language."""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple


class Line(NamedTuple):
    """A line as it is assembled: its text after substitution and where that text was written."""

    text: str
    file: str
    number: int
    origin: Origin | None = None

    @property
    def flow(self) -> tuple[str, int]:
        """Where the reader of the program meets this line: the outermost macro call, or the line itself."""
        place = (self.file, self.number)
        origin = self.origin
        while origin is not None:
            if origin.is_macro:
                place = (origin.line.file, origin.line.number)
            origin = origin.line.origin
        return place


class Origin(NamedTuple):
    """Why a line is assembled that is not in the source file itself."""

    what: str
    line: Line
    is_macro: bool = False


class LineError(Exception):
    """Something wrong in the line being worked on; columns count from 0, `end` is exclusive."""

    def __init__(self, message: str, column: int = 0, end: int = 0, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.column = column
        self.end = end
        self.hint = hint


@dataclass(frozen=True)
class Diagnostic:
    """One finding. `line` 0: about the file as a whole; `column` counts from 1."""

    severity: str
    message: str
    file: str
    line: int = 0
    column: int = 0
    width: int = 0
    source: str = ""
    hint: str = ""
    notes: tuple[str, ...] = ()

    def render(self) -> str:
        """`file:line:column: severity: message`, the source line, the caret line, hint and notes."""
        place = self.file if not self.line else f"{self.file}:{self.line}:{self.column}"
        lines = [f"{place}: {self.severity}: {self.message}"]
        if self.line:
            # Tabs are kept, so that the caret is below its character whatever the tab width.
            start = self.column - 1
            indent = "".join(c if c == "\t" else " " for c in self.source[:start].ljust(start))
            lines += [f"    {self.source}", f"    {indent}^{'~' * (self.width - 1)}"]
        if self.hint:
            lines.append(f"    hint: {self.hint}")
        return "\n".join(lines + list(self.notes))


class AsmError(Exception):
    """The input cannot be assembled; `diagnostics` has every finding, warnings included."""

    def __init__(self, diagnostics: Iterable[Diagnostic]) -> None:
        self.diagnostics = tuple(diagnostics)
        super().__init__("\n".join(d.render() for d in self.diagnostics))

    @classmethod
    def of_file(cls, file: object, message: str) -> AsmError:
        """An error about a file as a whole."""
        return cls([Diagnostic("error", message, str(file))])


class Reporter:
    """Collects findings; a line repeated by `.rept` or a macro reports the same thing once."""

    def __init__(self) -> None:
        self.diagnostics: list[Diagnostic] = []
        self._seen: set[tuple[str, int, int, str]] = set()

    @property
    def failed(self) -> bool:
        """Whether there is an error among the findings."""
        return any(d.severity == "error" for d in self.diagnostics)

    def problem(self, line: Line, problem: LineError, *notes: str) -> None:
        """Report a problem of a line as an error."""
        self.report("error", line, problem.message, problem.column, problem.end, problem.hint, *notes)

    def report(
        self, severity: str, line: Line, message: str, column: int = 0, end: int = 0, hint: str = "", *notes: str
    ) -> None:
        """Add a finding, with the chain of expansions and inclusions that led to the line."""
        key = (line.file, line.number, column, message)
        if key in self._seen:
            return
        self._seen.add(key)
        chain: list[str] = []
        origin = line.origin
        while origin is not None and len(chain) < 8:
            chain.append(f"{origin.line.file}:{origin.line.number}: note: {origin.what}")
            origin = origin.line.origin
        if origin is not None:
            chain.append("    ...")
        length = len(line.text)
        column = min(column, length)
        width = max(1, min(end, length) - column)
        self.diagnostics.append(
            Diagnostic(severity, message, line.file, line.number, column + 1, width, line.text, hint, (*notes, *chain))
        )

    def file_error(self, file: object, message: str) -> None:
        """An error about a file as a whole."""
        self.diagnostics.append(Diagnostic("error", message, str(file)))

    def raise_if_failed(self) -> None:
        """Raise AsmError if there is an error among the findings."""
        if self.failed:
            raise AsmError(self.diagnostics)


def nearest(name: str, known: Iterable[str], also: str = "") -> str:
    """A hint at the known name nearest to an unknown one; `also` if no name is near."""
    near = difflib.get_close_matches(name, list(known), 1, 0.6)
    return f"did you mean '{near[0]}'?" if near else also
