"""End a command cleanly on a signal, or when its output cannot be written."""

from __future__ import annotations

import contextlib
import errno
import io
import os
import signal
import sys
import threading
from collections.abc import Iterator
from typing import TextIO

SIGNALS = (signal.SIGTERM, signal.SIGHUP)
INTERRUPTED = 128 + signal.SIGINT
# Errors that only a write raises.
_FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)


class Terminated(BaseException):
    """A signal asks the process to end. Like KeyboardInterrupt, it runs all clean-up code on its way."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.exit_code = 128 + number


@contextlib.contextmanager
def terminable() -> Iterator[None]:
    """Raise Terminated in the block on a signal to end, unless the parent process ignores that signal."""
    in_main = threading.current_thread() is threading.main_thread()
    ours = [number for number in SIGNALS if in_main and signal.getsignal(number) is signal.SIG_DFL]

    def end(number: int, _: object) -> None:
        # `timeout` sends the signal twice; the second must not interrupt the clean-up.
        for each in ours:
            signal.signal(each, signal.SIG_IGN)
        raise Terminated(number)

    for number in ours:
        signal.signal(number, end)
    try:
        yield
    finally:
        for number in ours:
            signal.signal(number, signal.SIG_DFL)


def named(error: OSError) -> OSError:
    """Name standard output in an error that names no file: writers of other files name theirs."""
    if error.filename is None and error.errno in _FULL:
        error.filename = "standard output"
    return error


def flush() -> None:
    """Flush standard output. Raises OSError."""
    if sys.stdout is not None:
        sys.stdout.flush()


def drop(stream: TextIO) -> None:
    """Drop what a standard stream has buffered, or the interpreter would flush it again at exit, and fail."""
    with contextlib.suppress(AttributeError, OSError, io.UnsupportedOperation):
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
