"""The manual can be made: no page, link or picture of it is missing to Sphinx, which warns of nothing."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from support.documents import ROOT


@pytest.mark.nightly("Sphinx takes a quarter of a minute; `make test` follows all links and looks for all pictures")
def test_the_manual_is_made_without_a_warning(tmp_path: Path) -> None:
    options = ["-q", "-W", "--keep-going", "-b", "dummy", "-d", str(tmp_path / "cache")]
    command = [sys.executable, "-m", "sphinx", *options, str(ROOT / "docs"), str(tmp_path / "out")]
    made = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    assert (made.returncode, made.stdout, made.stderr) == (0, "", "")
