"""The loader, compiled once a process; LUTRA_LOADER_LIBRARY names one that counts what it runs (`make loader`)."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from loader_checks.build import shared_library
from support.loader import DRIVER, Board, Library


@pytest.fixture(scope="session")
def library(tmp_path_factory: pytest.TempPathFactory) -> Library:
    built = os.environ.get("LUTRA_LOADER_LIBRARY")
    return Library(Path(built) if built else shared_library(tmp_path_factory.mktemp("loader") / "loader.so", DRIVER))


@pytest.fixture
def board(library: Library) -> Iterator[Board]:
    with library.device() as board:
        yield board
