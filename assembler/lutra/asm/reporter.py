"""Collect findings, with the severity that the options set."""

from __future__ import annotations

from collections.abc import Mapping

from lutra.asm.checks import ALL, severities
from lutra.asm.errors import AsmError, Diagnostic, Line, LineError

MAX_CHAIN = 8  # notes on the origin of a line


class TooManyErrorsError(Exception):
    """There is one error more than the caller asked for."""


class Reporter:
    """Findings in the order of the passes; a line repeated by `.rept` or a macro reports the same thing once."""

    def __init__(self, severity_of: Mapping[str, str] | None = None, max_errors: int | None = None) -> None:
        self.diagnostics: list[Diagnostic] = []
        self._severity_of = severities() if severity_of is None else severity_of
        self._left = max_errors
        self._following: list[tuple[Line, LineError]] = []
        self._allowed: set[tuple[str, str]] = set()  # source file, name of a check
        self._seen: set[tuple[str, int, int, str]] = set()

    @property
    def failed(self) -> bool:
        """Whether there is an error among the findings."""
        return any(d.severity == "error" for d in self.diagnostics)

    def allow(self, file: str, name: str) -> None:
        """Turn a check off in a source file and the files it includes."""
        self._allowed.add((file, name))

    def wants(self, name: str) -> bool:
        """Whether a check is on in any file."""
        return bool(self._severity_of[name])

    def _severity(self, name: str, file: str) -> str:
        """Return the severity of a check in a source file; empty if it is off."""
        if self._allowed & {(file, name), (file, ALL)}:
            return ""
        return self._severity_of[name]

    def add(self, found: Diagnostic) -> None:
        """Add a finding. Raises TooManyErrorsError."""
        if found.severity == "error" and self._left is not None:
            if self._left == 0:
                raise TooManyErrorsError
            self._left -= 1
        self.diagnostics.append(found)

    def problem(self, line: Line, problem: LineError, *notes: str) -> None:
        """Report a problem of a line as an error; a consequence of another problem only if there is no other error."""
        if problem.follows:
            self._following.append((line, problem))
            return
        self.report(line, problem.message, problem.column, problem.end, problem.hint, *notes, absent=problem.absent)

    def report(
        self,
        line: Line,
        message: str,
        column: int = 0,
        end: int = 0,
        hint: str = "",
        *notes: str,
        absent: bool = False,
    ) -> None:
        """Report an error in a line; absent: the line uses something that the configuration lacks."""
        self._report("error", "", line, message, column, end, hint, notes, absent)

    def check(
        self, name: str, line: Line, message: str, column: int = 0, end: int = 0, hint: str = "", *notes: str
    ) -> None:
        """Report a finding of a check, unless the check is off."""
        if severity := self._severity(name, line.root.file):
            self._report(severity, name, line, message, column, end, hint, notes)

    def check_file(self, name: str, file: str, message: str, hint: str = "") -> None:
        """Report a finding of a check about a file as a whole."""
        if severity := self._severity(name, file):
            self.add(Diagnostic(severity, message, file, hint=hint, name=name))

    def _report(
        self,
        severity: str,
        name: str,
        line: Line,
        message: str,
        column: int,
        end: int,
        hint: str,
        notes: tuple[str, ...],
        absent: bool = False,
    ) -> None:
        """Add a finding, with the chain of expansions and inclusions that led to the line."""
        key = (line.file, line.number, column, message)
        if key in self._seen:
            return
        self._seen.add(key)
        length = len(line.text)
        column = min(column, length)
        width = max(1, min(end, length) - column)
        chain = (*notes, *chain_of(line))
        place = (line.file, line.number, column + 1, width, line.text)
        self.add(Diagnostic(severity, message, *place, hint, chain, name, absent, line))

    def raise_if_failed(self) -> None:
        """Raise AsmError if there is an error among the findings."""
        if self._following and not self.failed:
            line, problem = self._following[0]
            self.report(line, problem.message, problem.column, problem.end, problem.hint)
        if self.failed:
            raise AsmError(self.diagnostics)


def chain_of(line: Line) -> list[str]:
    """Return notes on the macros, repetitions and files that a line came through."""
    chain: list[str] = []
    origin = line.origin
    while origin is not None and len(chain) < MAX_CHAIN:
        chain.append(f"{origin.line.file}:{origin.line.number}: note: {origin.what}")
        origin = origin.line.origin
    if origin is not None:
        chain.append("    ...")
    return chain
