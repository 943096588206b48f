"""What commands write: whole files or none, JSON, and progress for whoever watches."""

from __future__ import annotations

import contextlib
import json
import os
import secrets
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import BinaryIO

from lutra import coverage

# A shorter wait needs no bar.
PROGRESS_AFTER_SECONDS = 1.0


@contextlib.contextmanager
def whole_file(path: Path) -> Iterator[BinaryIO]:
    """A file that appears under its name when the block has ended well, and not at all otherwise.

    What lies under /dev, and a pipe, is written directly: it cannot be replaced, and /dev/stdout must not be.
    """
    target = path.resolve()
    if path.absolute().is_relative_to("/dev") or (target.exists() and not target.is_file()):
        target = path
        with target.open("wb") as device:
            yield device
        return
    temporary = target.with_name(f".{target.name}.{secrets.token_hex(4)}.tmp")
    try:
        file = temporary.open("xb")
    except OSError as error:
        why = error.strerror if target.parent.is_dir() else "the folder to write to does not exist"
        raise OSError(error.errno, why, str(path)) from error
    try:
        with file:
            yield file
        if target.exists():
            temporary.chmod(target.stat().st_mode)
        temporary.replace(target)
    finally:
        temporary.unlink(missing_ok=True)


@contextlib.contextmanager
def output(path: Path) -> Iterator[BinaryIO]:
    """A file, or standard output for `-`."""
    if str(path) == "-":
        yield sys.stdout.buffer
        sys.stdout.buffer.flush()
        return
    with whole_file(path) as file:
        yield file


@contextlib.contextmanager
def coverage_file(path: Path | None) -> Iterator[None]:
    """Count the functional coverage of the block's engines into a file, if one is named."""
    if path is None:
        yield
        return
    with coverage.recording() as recorder:
        yield
    with output(path) as file:
        coverage.write(file, recorder.counts)


def print_json(document: object) -> None:
    """One JSON document on standard output."""
    print(json.dumps(document, indent=2))


@contextlib.contextmanager
def progress(text: str, total: int | None) -> Iterator[Callable[[int], None]]:
    """A bar on standard error, if that is a terminal and the work takes long; yields what takes the amount done."""
    if not sys.stderr.isatty() or os.environ.get("TERM") == "dumb":
        yield lambda _: None
        return
    from rich.console import Console  # not needed for most commands, and slow to import
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}"), BarColumn(), TimeRemainingColumn())
    bar = Progress(*columns, console=Console(stderr=True), transient=True)
    task = bar.add_task(text, total=total)
    begun = time.monotonic()
    running = False

    def done(amount: int) -> None:
        nonlocal running
        if not running and time.monotonic() - begun > PROGRESS_AFTER_SECONDS:
            bar.start()
            running = True
        bar.update(task, completed=amount)

    try:
        yield done
    finally:
        if running:
            bar.stop()
