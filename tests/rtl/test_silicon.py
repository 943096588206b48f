"""The core with the parameters that `make ppa` measures answers as the one that is simulated everywhere else."""

from __future__ import annotations

import subprocess

import pytest

from support.documents import ROOT


@pytest.mark.nightly("a core of its own is compiled, which only differs in what is not counted")
def test_the_measured_core_gives_known_answers() -> None:
    done = subprocess.run(
        ["make", "silicon", "CONFIGURATION_ANSWERS=1"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]
    assert ", 0 failed" in done.stdout.splitlines()[-1]
