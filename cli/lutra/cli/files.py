"""Files that a command line names: none is destroyed, none is read without bound."""

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
# What is held in memory as a whole: the message of a MAC, and of a cipher with a tag.
MESSAGE_BYTES = 256 * MIB


def distinct(inputs: Mapping[str, Path | None], outputs: Mapping[str, Path | None]) -> None:
    """Refuse an output that is the same file as an input or as another output, before anything is written.

    The keys are what the command line calls the files, such as `--trace`; None is a file that is not named. Links are
    followed. A device, such as /dev/null, takes any number of outputs; `-` is standard output, and takes one.
    Raises UsageError.
    """
    known = {_identity(path): name for name, path in inputs.items() if path is not None and str(path) != STANDARD}
    for name, path in outputs.items():
        if path is None or (place := _identity(path)) is None:
            continue
        if place in known:
            raise UsageError(f"{name} {path}: is the same file as {known[place]}; name another")
        known[place] = name


def _identity(path: Path) -> object:
    """What two names of one file have in common; None for a device."""
    try:
        status = os.fstat(1) if str(path) == STANDARD else path.stat()
    except (OSError, ValueError):
        return os.path.realpath(path) if str(path) != STANDARD else STANDARD
    if stat.S_ISCHR(status.st_mode) or stat.S_ISBLK(status.st_mode):
        return STANDARD if str(path) == STANDARD else None
    return status.st_dev, status.st_ino


def read_bounded(path: Path, limit: int, what: str) -> bytes:
    """The contents of a file of at most `limit` bytes; CliError or OSError for a longer one, or one that is not there.

    what: what the file is, for the error, such as `an image`.
    """
    return _read(existing(path), limit, what)


@contextlib.contextmanager
def opened(path: Path) -> Iterator[BinaryIO]:
    """A file that is to be read, or standard input for `-`."""
    if str(path) != STANDARD:
        with existing(path).open("rb") as file:
            yield file
    elif sys.stdin is None:
        raise CliError("standard input is closed")
    else:
        yield sys.stdin.buffer


def read_message(file: BinaryIO, path: Path) -> bytes:
    """The whole message in a file that is open; OSError naming `path` where it is too long to be held in memory."""
    return read_stream(file, MESSAGE_BYTES, "a message that is held in memory", str(path))
