"""Files that a command line names: inputs are never overwritten, and never read without a limit."""

from __future__ import annotations

import contextlib
import os
import stat
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import BinaryIO

from lutra.asm.files import MIB, read_stream
from lutra.asm.files import read_bounded as _read
from lutra.cli.errors import CliError, UsageError
from lutra.cli.options import existing

STANDARD = "-"
# Limit of messages that are held in memory as a whole: those of a MAC, and of a cipher with a tag.
MESSAGE_BYTES = 256 * MIB


def distinct(inputs: Mapping[str, Path | None], outputs: Mapping[str, Path | None]) -> None:
    """Refuse an output that is the same file as an input or as another output, before anything is written.

    The keys are the names of the files on the command line, e.g. `--trace`; None is a file that is not given. Links
    are followed. A device such as /dev/null accepts any number of outputs; `-`, standard output, accepts one.
    Raises UsageError.
    """
    known = {_identity(path): name for name, path in inputs.items() if path is not None and str(path) != STANDARD}
    for name, path in outputs.items():
        if path is None or (place := _identity(path)) is None:
            continue
        if place in known:
            raise UsageError(f"{name} {path}: is the same file as {known[place]}; give another")
        known[place] = name


def _identity(path: Path) -> object:
    """Return an identity that two names of one file share; None for a device."""
    try:
        status = os.fstat(1) if str(path) == STANDARD else path.stat()
    except (OSError, ValueError):
        return os.path.realpath(path) if str(path) != STANDARD else STANDARD
    if stat.S_ISCHR(status.st_mode) or stat.S_ISBLK(status.st_mode):
        return STANDARD if str(path) == STANDARD else None
    return status.st_dev, status.st_ino


def read_bounded(path: Path, limit: int, what: str) -> bytes:
    """Return the contents of a file of at most `limit` bytes; CliError or OSError if it is longer or missing.

    what: description of the file for the error, e.g. `an image`.
    """
    return _read(existing(path), limit, what)


@contextlib.contextmanager
def opened(path: Path) -> Iterator[BinaryIO]:
    """Open a file to read, or standard input for `-`."""
    if str(path) != STANDARD:
        with existing(path).open("rb") as file:
            yield file
    elif sys.stdin is None:
        raise CliError("standard input is closed")
    else:
        yield sys.stdin.buffer


def read_message(file: BinaryIO, path: Path) -> bytes:
    """Return the whole message in an open file; OSError naming `path` if it is too long to hold in memory."""
    return read_stream(file, MESSAGE_BYTES, "a message that is held in memory", str(path))
