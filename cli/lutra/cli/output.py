"""Output of commands: files that appear whole or not at all, JSON, and progress bars."""

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

# Seconds; shorter work shows no bar.
PROGRESS_AFTER_SECONDS = 1.0


class _Named(io.FileIO):
    """A file whose errors name it, including errors of flushing at close."""

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
    """A file that appears under its name only when all has gone well.

    Pipes and files under /dev are written directly: they cannot or, like /dev/stdout, must not be replaced.
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
            why = error.strerror if self._target.parent.is_dir() else "the folder does not exist"
            raise OSError(error.errno, why, str(self.path)) from error

    def appear(self) -> None:
        """Rename the file into place; called after all files are closed, so that an error leaves none."""
        if self._temporary is not None:
            if self._target.exists():
                self._temporary.chmod(self._target.stat().st_mode)
            self._temporary.replace(self._target)

    def discard(self) -> None:
        if hasattr(self, "file"):
            # Flushing may fail once more; that error is already reported.
            with contextlib.suppress(OSError):
                self.file.close()
        if self._temporary is not None:
            self._temporary.unlink(missing_ok=True)


@contextlib.contextmanager
def whole_files(*paths: Path) -> Iterator[list[BinaryIO]]:
    """Open files that appear under their names only if the block ends without an error.

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
            # Flush first, so that it comes before later lines on standard error.
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
    """Write a whole file or none, or standard output for `-`."""
    with whole_files(path) as (file,):
        yield file


def growing_file(path: Path) -> TextIO:
    """Open a text file that can be read while it is written, such as a trace; it is kept even on an error."""
    return io.TextIOWrapper(io.BufferedWriter(_Named(path, "w", path)), encoding="utf-8", errors="surrogateescape")


@contextlib.contextmanager
def coverage_file(path: Path | None) -> Iterator[None]:
    """Count the functional coverage of the block's engines into a file, if one is given."""
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
    """Write the coverage of the firmware that the block's engines run, if a file is given."""
    if path is None:
        yield
        return
    from lutra.profile.lcov import covering  # not needed for most commands

    with covering() as covered:
        yield
    with output(path) as file:
        file.write(covered.text().encode("utf-8", "surrogateescape"))


def print_json(document: object) -> None:
    """Print one JSON document on standard output."""
    print(json.dumps(document, indent=2))


@contextlib.contextmanager
def progress(text: str, total: int | None, *, at_once: bool = False) -> Iterator[Callable[[int], None]]:
    """Show a progress bar on standard error if that is a terminal and the work takes long; yield its update function.

    at_once: show the bar before the first update, which may take long.
    """
    if not sys.stderr.isatty() or os.environ.get("TERM") == "dumb":
        yield lambda _: None
        return
    from rich.console import Console  # not needed for most commands, and slow to import
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}"), BarColumn(), TimeRemainingColumn())
    # Redirect prints only if standard output is the terminal too, where the bar has to make room for them.
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
