"""The debugger on a terminal without a screen."""

from __future__ import annotations

from collections.abc import Iterator
from io import StringIO
from pathlib import Path

import pytest

from lutra.debug.console import Console
from support.debugging import open_session


def typed(monkeypatch: pytest.MonkeyPatch, *lines: str | type[BaseException]) -> None:
    """Input of the user: lines, Ctrl-C (KeyboardInterrupt), and the end of the input after them."""

    def read() -> Iterator[str | type[BaseException]]:
        yield from lines
        yield EOFError

    answers = read()

    def answer(_: str) -> str:
        said = next(answers)
        if isinstance(said, str):
            return said
        raise said

    monkeypatch.setattr("builtins.input", answer)


def test_an_interrupt_at_the_prompt_ends_the_line_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    session, out = open_session(), StringIO()
    typed(monkeypatch, "stepi", KeyboardInterrupt, "", "nonsense", "stepi")
    Console(session, out).terminal()
    assert session.inspect.where().time == 3
    assert "error: no command 'nonsense'" in out.getvalue()
