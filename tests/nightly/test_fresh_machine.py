"""Where a fresh machine cannot be built, one line says why. That it can is shown by `make fresh-machine`."""

from __future__ import annotations

import os
import subprocess

from support.documents import ROOT


def test_what_is_missing_is_named_in_one_line() -> None:
    # Without the folders of administrators' programs, as an ordinary user has it.
    run = subprocess.run(
        [ROOT / ".ci/fresh-machine"], env={"PATH": "/usr/bin:/bin"}, capture_output=True, text=True, check=False
    )
    missing = "debootstrap is missing; run: apt-get install debootstrap" if os.geteuid() == 0 else "needs root, "
    assert (run.returncode, run.stdout) == (1, "")
    assert run.stderr.startswith(f"fresh-machine: {missing}") and run.stderr.count("\n") == 1
