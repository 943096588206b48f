"""A worker of pytest-xdist leaves nothing that went wrong out of its reports."""

from __future__ import annotations

import pytest

from support.documents import ROOT

pytest_plugins = ["pytester"]

CONFTEST = """
from support.reports import Reports

def pytest_configure(config):
    if hasattr(config, "workerinput"):
        config.pluginmanager.register(Reports())
"""
TESTS = """
import pytest

@pytest.fixture
def no_set_up(): raise ValueError("in a set-up")

@pytest.fixture
def no_teardown():
    yield
    raise ValueError("in a teardown")

def test_good(): pass
def test_wrong(): assert 0
def test_set_up(no_set_up): pass
def test_teardown(no_teardown): pass
def test_both(no_teardown): assert 0
def test_skipped(): pytest.skip("a reason")
@pytest.mark.xfail(strict=True)
def test_expected(): assert 0
@pytest.mark.xfail(strict=True)
def test_unexpected(): pass
"""


def test_failures_skips_and_errors_are_told(pytester: pytest.Pytester) -> None:
    pytester.makeini(f"[pytest]\npythonpath = {ROOT / 'tests'}")
    pytester.makeconftest(CONFTEST)
    pytester.makepyfile(TESTS)
    done = pytester.runpytest_subprocess("-n", "1", "-ra", "-p", "no:asyncio")
    done.assert_outcomes(passed=2, failed=3, errors=3, skipped=1, xfailed=1)
