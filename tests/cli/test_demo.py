"""`lutra demo`."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from support.cli import Lutra


@pytest.mark.skipif(shutil.which("openssl") is None, reason="the comparison needs the openssl command")
def test_demo_compares_with_openssl(lutra: Lutra) -> None:
    Path("README.md").write_text("An otter.\n" * 100)
    result = lutra("demo")
    assert result.code == 0, result.err
    assert "README.md: equal to `openssl enc -aes-128-ctr`" in result.out
    assert "generated data: equal to `openssl enc -aes-128-ctr`" in result.out
    assert "published" in result.out


def test_demo_says_what_it_leaves_out(lutra: Lutra, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "which", lambda _: None)
    result = lutra("demo")
    assert result.code == 0
    assert "no README.md in this folder: skipped" in result.out
    assert "results are NOT compared" in result.out
    assert "equal to" not in result.out
