"""Errors of the command line itself."""

from __future__ import annotations


class CliError(Exception):
    """Something the user can put right; the text is one line with the remedy."""


def reason(error: OSError) -> str:
    """`file: why`, without errno's number."""
    place = f"{error.filename}: " if error.filename is not None else ""
    return f"{place}{error.strerror or error}"
