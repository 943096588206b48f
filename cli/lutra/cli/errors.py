"""Errors of the command line itself."""

from __future__ import annotations

import sys

from lutra.cli import ending
from lutra.cli.text import printable


class CliError(Exception):
    """Something the user can put right; the text is one line with the remedy."""

    exit_code = 1


class UsageError(CliError):
    """The command line itself is wrong, whatever the files contain."""

    exit_code = 2


def reason(error: OSError) -> str:
    """`file: why`, without errno's number."""
    place = f"{error.filename}: " if error.filename is not None else ""
    return f"{place}{error.strerror or error}"


def fail(text: str, code: int = 1) -> int:
    """Report an error in one line and return the exit code."""
    tell(f"lutra: error: {printable(text)}")
    return code


def tell(text: str) -> None:
    """Print on standard error; where that is full or closed, the exit code has to say it."""
    try:
        print(text, file=sys.stderr)
    except OSError:
        ending.drop(sys.stderr)
