"""Errors of the generator when it refuses a description."""

from __future__ import annotations


class IsaError(Exception):
    """A description that the generator refuses; one line per finding, each with file, line and record."""

    def __init__(self, findings: list[str]) -> None:
        super().__init__("\n".join(findings))
        self.findings = findings
