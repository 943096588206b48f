"""The table of where the time goes counts child processes, shared fixtures, and the workers of pytest-xdist."""

from __future__ import annotations

from pathlib import Path

import pytest

from support.documents import ROOT

pytest_plugins = ["pytester"]

CONFTEST = """
from pathlib import Path
from support.reports import Reports
from support.times import Times

def pytest_configure(config):
    if hasattr(config, "workerinput"):
        config.pluginmanager.register(Reports())
    config.pluginmanager.register(Times(Path(config.rootpath) / "page"))
"""
# Each spends half a second of the processor where its name says.
TESTS = """
import subprocess, sys, time, pytest

SPIN = "import time\\nwhile time.process_time() < .5: pass"

@pytest.fixture(scope="module")
def shared():
    exec(SPIN.replace("< .5", f"< {time.process_time() + .5}"))

def test_fixture(shared): pass
def test_again(shared): pass
def test_child(): subprocess.run([sys.executable, "-c", SPIN], check=True)
"""


@pytest.mark.parametrize("processes", [0, 2])
def test_time_is_shown_where_it_was_spent(processes: int, pytester: pytest.Pytester) -> None:
    pytester.makeini(f"[pytest]\npythonpath = {ROOT / 'tests'}")
    pytester.makeconftest(CONFTEST)
    pytester.mkdir("folder").joinpath("test_it.py").write_text(TESTS)
    done = pytester.runpytest_subprocess("-n", str(processes), "--dist", "loadfile", "-p", "no:asyncio")
    done.assert_outcomes(passed=3)
    page = Path(pytester.path, "page").read_text()
    rows = {
        line.split()[-1].rpartition("::")[2]: [float(n) for n in line.split()[:2]] for line in page.splitlines()[-3:]
    }
    assert rows["test_fixture"][0] >= 0.4 and rows["test_fixture"][1] < 0.4
    assert rows["test_again"] == [0, 0]
    assert rows["test_child"][0] < 0.1 and rows["test_child"][1] >= 0.4
    assert page.splitlines()[4].split()[:2] == ["folder", "3"]
