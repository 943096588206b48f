"""Counting whole processes: those of the tests, of any command.

The environment variable LUTRA_COVERAGE names a folder, where a process leaves its functional coverage, and what the
core's code coverage has counted if the core is built for that, each in files of its own.
"""

from __future__ import annotations

import contextlib
import os
import secrets
from collections.abc import Iterator
from pathlib import Path

from lutra.coverage.counts import CoverageError, write
from lutra.coverage.recorder import active, recording
from lutra.rtl import write_counts

ENVIRONMENT = "LUTRA_COVERAGE"


@contextlib.contextmanager
def from_environment() -> Iterator[None]:
    """Count the block where LUTRA_COVERAGE asks for it, unless it is counted already."""
    folder = os.environ.get(ENVIRONMENT)
    if not folder or active() is not None:
        yield
        return
    if not Path(folder).is_dir():
        raise CoverageError(f"{ENVIRONMENT}={folder}: no such folder; make it first")
    stem = Path(folder) / f"{os.getpid()}-{secrets.token_hex(4)}"
    try:
        with recording() as recorder:
            yield
    finally:
        write_counts(stem)
    new = stem.with_suffix(".new")
    with new.open("xb") as file:
        write(file, recorder.counts)
    new.replace(stem.with_suffix(".json"))
