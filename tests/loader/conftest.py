"""The loader, compiled; LUTRA_LOADER_LIBRARY names one that counts what it runs (`make loader`)."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from loader_checks.build import GENERATED, LOADER, ROOT, shared_library
from support.loader import DRIVER, Board, Library
from support.programs import kept


@pytest.fixture(scope="session")
def library() -> Library:
    if built := os.environ.get("LUTRA_LOADER_LIBRARY"):
        return Library(Path(built))
    made_from = (LOADER, GENERATED, DRIVER, DRIVER.with_suffix(".h"), ROOT / "verification/loader_checks/build.py")
    return Library(kept("loader", made_from, lambda folder: shared_library(folder / "loader.so", DRIVER)))


@pytest.fixture
def board(library: Library) -> Iterator[Board]:
    with library.device() as board:
        yield board
