"""The UVM bench of lutra_axi builds, runs, and notices what is wrong. All of its tests: `make soc-uvm`."""

from __future__ import annotations

import os

import pytest

from uvm.runner import benches, build, regress, soc

pytestmark = pytest.mark.nightly("so does that of `lutra_axi`, five minutes")


@pytest.fixture(scope="module", autouse=True)
def bench() -> None:
    """The bench; the first worker to come builds it, the others wait."""
    try:
        build.build(os.cpu_count() or 1, benches.SOC)
    except build.BuildError as error:
        pytest.fail(str(error), pytrace=False)


@pytest.mark.parametrize("test", ["registers", "traffic", "errors", "abort"])
def test_a_test_of_the_device_passes(test: str) -> None:
    result = regress.simulate(soc.Run(test, soc.TOY, 1))
    assert result.passed, result.errors
    assert any(soc.coverage(result.run.folder / "coverage.dat").values())


@pytest.mark.parametrize(
    ("what", "error"),
    [
        ("data", "MEMORY"),
        ("strobe", "is written, by id 0: it belongs to no descriptor in work"),
        ("address", "is read, by id 3: nobody asked for it"),
        ("valid", "Assertion failed in soc_top.dut.u_manager_checker"),
        ("interrupt", "INTERRUPT"),
    ],
)
def test_a_disturbed_device_is_noticed(what: str, error: str) -> None:
    result = regress.simulate(soc.Run("traffic", soc.TOY, 1, disturb=what))
    assert not result.passed
    log = (result.run.folder / "log").read_text(errors="replace")
    assert error in log, result.errors
