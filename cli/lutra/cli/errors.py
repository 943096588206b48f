"""Errors of the command line."""

from __future__ import annotations

import sys

from lutra.cli import ending
from lutra.cli.text import printable


class CliError(Exception):
    """An error that the user can correct; the text is one line and says how."""

    exit_code = 1


class UsageError(CliError):
    """The command line is wrong, whatever the files contain."""

    exit_code = 2


def reason(error: OSError) -> str:
    """Return `file: reason`, without the number of errno."""
    place = f"{error.filename}: " if error.filename is not None else ""
    return f"{place}{error.strerror or error}"


def fail(text: str, code: int = 1) -> int:
    """Report an error in one line and return the exit code."""
    tell(f"lutra: error: {printable(text)}")
    return code


def tell(text: str) -> None:
    """Print on standard error; if that is full or closed, only the exit code can tell."""
    try:
        print(text, file=sys.stderr)
    except OSError:
        ending.drop(sys.stderr)
