"""Fixtures shared by the tests of area and timing."""

from __future__ import annotations

import subprocess

import pytest

from ppa import tools


@pytest.fixture(scope="session")
def found() -> tools.Tools:
    """OpenSTA and the cells; nothing is fetched here."""
    if subprocess.run([tools.SCRIPT, "--there"], capture_output=True, check=False).returncode:
        pytest.skip("OpenSTA and the cells are not on this machine; make ppa-tools fetches them")
    return tools.find()
