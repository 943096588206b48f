"""What commands write: whole files or none, JSON, and progress for whoever watches."""

from __future__ import annotations

import contextlib
import io
import json
import os
import secrets
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, BinaryIO, TextIO

from lutra.cli.errors import CliError
from lutra.cli.files import STANDARD

# A shorter wait needs no bar.
PROGRESS_AFTER_SECONDS = 1.0


class _Named(io.FileIO):
    """A file whose errors name it, also those that a buffer meets when it is closed."""

    def __init__(self, file: Path, mode: str, shown: Path) -> None:
        super().__init__(file, mode)
        self._shown = shown

    def write(self, data: Any, /) -> int:
        try:
            return super().write(data)
        except OSError as error:
            error.filename = str(self._shown)
            raise


class _Whole:
    """A file that appears under its name when all is well.

    What lies under /dev, and a pipe, is written directly: it cannot be replaced, and /dev/stdout must not be.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._target = path.resolve()
        is_special = self._target.exists() and not self._target.is_file()
        self._temporary = (
            None
            if path.absolute().is_relative_to("/dev") or is_special
            else self._target.with_name(f".{self._target.name[:64]}.{secrets.token_hex(4)}.tmp")
        )
        self.file: BinaryIO

    def open(self) -> None:
        if self._temporary is None:
            self.file = io.BufferedWriter(_Named(self.path, "w", self.path))
            return
        try:
            self.file = io.BufferedWriter(_Named(self._temporary, "x", self.path))
        except OSError as error:
            why = error.strerror if self._target.parent.is_dir() else "the folder to write to does not exist"
            raise OSError(error.errno, why, str(self.path)) from error

    def appear(self) -> None:
        """After all files are closed, so that none of them appears if one cannot be written."""
        if self._temporary is not None:
            if self._target.exists():
                self._temporary.chmod(self._target.stat().st_mode)
            self._temporary.replace(self._target)

    def discard(self) -> None:
        if hasattr(self, "file"):
            # What it still holds may not fit, which is known by now.
            with contextlib.suppress(OSError):
                self.file.close()
        if self._temporary is not None:
            self._temporary.unlink(missing_ok=True)


@contextlib.contextmanager
def whole_files(*paths: Path) -> Iterator[list[BinaryIO]]:
    """Files that appear under their names when the block has ended well, and none of them otherwise.

    `-` is standard output.
    """
    files = {path: _Whole(path) for path in paths if str(path) != STANDARD}
    try:
        for file in files.values():
            file.open()
        yield [files[path].file if path in files else _standard_output() for path in paths]
        for file in files.values():
            file.file.close()
        if len(files) < len(set(paths)):
            # What goes to standard error comes later.
            _standard_output().flush()
        for file in files.values():
            file.appear()
    finally:
        for file in files.values():
            file.discard()


def _standard_output() -> BinaryIO:
    if sys.stdout is None:
        raise CliError("standard output is closed")
    return sys.stdout.buffer


@contextlib.contextmanager
def output(path: Path) -> Iterator[BinaryIO]:
    """A whole file or none, or standard output for `-`."""
    with whole_files(path) as (file,):
        yield file


def growing_file(path: Path) -> TextIO:
    """A text file that can be read while it is written, such as a trace; it is kept whatever happens."""
    return io.TextIOWrapper(io.BufferedWriter(_Named(path, "w", path)), encoding="utf-8", errors="surrogateescape")


@contextlib.contextmanager
def coverage_file(path: Path | None) -> Iterator[None]:
    """Count the functional coverage of the block's engines into a file, if one is named."""
    if path is None:
        yield
        return
    from lutra import coverage  # not needed for most commands

    with coverage.recording() as recorder:
        yield
    with output(path) as file:
        coverage.write(file, recorder.counts)


@contextlib.contextmanager
def lcov_file(path: Path | None) -> Iterator[None]:
    """Write the coverage of the firmware that the block's engines run, if a file is named."""
    if path is None:
        yield
        return
    from lutra.profile.lcov import covering  # not needed for most commands

    with covering() as covered:
        yield
    with output(path) as file:
        file.write(covered.text().encode("utf-8", "surrogateescape"))


def print_json(document: object) -> None:
    """One JSON document on standard output."""
    print(json.dumps(document, indent=2))


@contextlib.contextmanager
def progress(text: str, total: int | None, *, at_once: bool = False) -> Iterator[Callable[[int], None]]:
    """A bar on standard error, if that is a terminal and the work takes long; yields what takes the amount done.

    at_once: do not wait for an amount, because the first may take long.
    """
    if not sys.stderr.isatty() or os.environ.get("TERM") == "dumb":
        yield lambda _: None
        return
    from rich.console import Console  # not needed for most commands, and slow to import
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}"), BarColumn(), TimeRemainingColumn())
    # What is printed meanwhile is not for standard error, unless both are the terminal and the bar has to make room.
    both = sys.stdout is not None and sys.stdout.isatty()
    bar = Progress(*columns, console=Console(stderr=True), transient=True, redirect_stdout=both)
    task = bar.add_task(text, total=total)
    begun = time.monotonic()
    running = at_once
    if running:
        bar.start()

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
