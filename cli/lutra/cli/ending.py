"""How a command ends that a signal ends, or that cannot write what it has to say."""

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
# Only writing meets these.
_FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)


class Terminated(BaseException):
    """A signal asks the process to end; like KeyboardInterrupt, it passes through whatever cleans up."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.exit_code = 128 + number


@contextlib.contextmanager
def terminable() -> Iterator[None]:
    """Raise Terminated in the block when the process is told to end, unless the caller has chosen otherwise."""
    in_main = threading.current_thread() is threading.main_thread()
    ours = [number for number in SIGNALS if in_main and signal.getsignal(number) is signal.SIG_DFL]

    def end(number: int, _: object) -> None:
        # `timeout` sends it twice; the second must not stop the cleaning up.
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
    """The error with the name of its file: every other file is named by whoever writes it."""
    if error.filename is None and error.errno in _FULL:
        error.filename = "standard output"
    return error


def flush() -> None:
    """Write what standard output still holds. Raises OSError."""
    if sys.stdout is not None:
        sys.stdout.flush()


def drop(stream: TextIO) -> None:
    """Forget what a standard stream still holds, or the interpreter would try once more at its exit, and fail."""
    with contextlib.suppress(AttributeError, OSError, io.UnsupportedOperation):
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
