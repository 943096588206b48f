"""The wheel of this checkout, installed in an empty environment."""

from __future__ import annotations

import fcntl
import os
import shutil
import subprocess
import sys
from hashlib import sha256
from pathlib import Path

import pytest

from support.documents import ROOT
from support.installation import Installed, pinned
from support.wheelhouse import needed, repack


@pytest.fixture(scope="session")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel that `make wheel` makes. One process at a time: each removes the wheel before."""
    environment = {
        name: value for name, value in os.environ.items() if name not in ("MAKEFLAGS", "MFLAGS", "MAKELEVEL")
    }
    with (ROOT / "build" / ".wheel-lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        made = subprocess.run(["make", "wheel"], cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
        assert made.returncode == 0, made.stdout + made.stderr
        (path,) = (ROOT / "build" / "wheel").glob("*.whl")
        return Path(shutil.copy(path, tmp_path_factory.mktemp("wheel")))


@pytest.fixture(scope="session")
def house(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Wheels of what Lutra needs at run time."""
    folder = tmp_path_factory.mktemp("house")
    for found in needed("lutra-asip"):
        repack(found, folder)
    return folder


@pytest.fixture(scope="session")
def empty(tmp_path_factory: pytest.TempPathFactory) -> Installed:
    """A virtual environment with nothing but pip."""
    prefix = tmp_path_factory.mktemp("environment")
    subprocess.run([sys.executable, "-m", "venv", prefix], check=True)
    return Installed(prefix, tmp_path_factory.mktemp("elsewhere"))


@pytest.fixture(scope="session")
def installed(empty: Installed, wheel: Path, house: Path) -> Installed:
    """The wheel in the environment, with pip as a user does it, though from a folder, and compiled when imported."""
    requirements = empty.folder / "requirements.txt"
    requirements.write_text(pinned(wheel, sha256(wheel.read_bytes()).hexdigest()))
    done = empty.pip("install", "--no-compile", "--no-index", "--find-links", house, "-r", requirements)
    assert done.returncode == 0, done.stderr
    requirements.unlink()
    return empty
