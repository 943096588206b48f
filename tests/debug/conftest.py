"""Sessions of the debugger, each in a folder of its own."""

from __future__ import annotations

from pathlib import Path

import pytest

from lutra.debug import Session
from lutra.debug.commands import CommandState
from support.debugging import PROGRAM, open_session


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder, empty at first."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def session() -> Session:
    """A session on the simulator."""
    return open_session()


@pytest.fixture
def commands(session: Session) -> CommandState:
    """The command language over that session."""
    return CommandState(session)


@pytest.fixture(params=["iss", "rtl", "cosim"])
def anywhere(request: pytest.FixtureRequest) -> Session:
    """A session on each engine."""
    return open_session(PROGRAM, request.param)
