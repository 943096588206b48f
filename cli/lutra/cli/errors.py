"""Errors of the command line itself."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

from lutra.firmware.errors import FirmwareError
from lutra.iss.engine import EngineError


class CliError(Exception):
    """Something the user can put right; the text is one line with the remedy."""

    exit_code = 1


class UsageError(CliError):
    """The command line itself is wrong, whatever the files contain."""

    exit_code = 2


@contextlib.contextmanager
def usage_checks(option: str = "") -> Iterator[None]:
    """What the block's checks of option values find is wrong usage, wherever the check is made.

    option: what stands before the text.
    """
    try:
        yield
    except (FirmwareError, EngineError) as error:
        raise UsageError(f"{option}: {error}" if option else str(error)) from error


def reason(error: OSError) -> str:
    """`file: why`, without errno's number."""
    place = f"{error.filename}: " if error.filename is not None else ""
    return f"{place}{error.strerror or error}"
