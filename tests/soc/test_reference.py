"""The reference of registers and descriptors is that of the SystemRDL file."""

from __future__ import annotations

import pytest

from lutra.soc import reference


def test_the_page_is_generated_from_the_registers() -> None:
    assert reference.page() == reference.PAGE.read_text(), "run make reference"


def test_a_changed_page_is_found(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(reference, "page", lambda: "another page")
    monkeypatch.setattr("sys.argv", ["reference", "--check"])
    assert reference.main() == 1
    assert "run make reference" in capsys.readouterr().err
