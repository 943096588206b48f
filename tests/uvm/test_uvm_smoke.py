"""The UVM bench builds, runs, and notices what is wrong. All of its tests: `make uvm`.

LUTRA_UVM=0 leaves it out, where neither the UVM library nor minutes for a first build are to be had.
"""

from __future__ import annotations

import os
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from uvm.runner import build, regress

pytestmark = pytest.mark.skipif(os.environ.get("LUTRA_UVM") == "0", reason="LUTRA_UVM=0")


@pytest.fixture(scope="module", autouse=True)
def bench() -> None:
    """The bench; the first worker to come builds it, the others wait."""
    try:
        build.build(os.cpu_count() or 1)
    except build.BuildError as error:
        pytest.fail(f"{error} (LUTRA_UVM=0 leaves the bench out)", pytrace=False)


@pytest.mark.parametrize("test", ["control", "random"])
def test_a_test_of_the_bench_passes(test: str) -> None:
    result = regress.simulate(regress.Run(test))
    assert result.passed, result.errors


def test_the_bench_meets_a_known_answer() -> None:
    result = regress.simulate(regress.Run("firmware", "aes_fips197"))
    assert result.passed, result.errors


def test_wrong_answer_fails() -> None:
    run = regress.Run("firmware", "aes_fips197", seed=2)
    script = regress.script_of(run)
    answer = "69c4e0d86a7b0430d8cdb78070b4c55a"  # FIPS 197 C.1
    assert answer in script
    result = regress.simulate(run, script.replace(answer, answer.replace("69", "68", 1)))
    assert not result.passed
    assert answer in result.errors[0] and "UVM_ERROR" in result.errors[0]


def test_wrong_ending_fails() -> None:
    run = regress.Run("random", seed=2)
    result = regress.simulate(run, regress.script_of(run).replace("stopped 0", "stopped 2"))
    assert not result.passed
    assert "the program is StateHalted" in result.errors[0]


@pytest.mark.parametrize(
    ("what", "error"),
    [
        ("result", "the retirements differ"),
        ("timing", "the retirements differ"),
        ("silence", "the RTL retires nothing"),
        ("interrupt", "interrupt 1, expected 0"),
        ("counter", "the stall counters of cause transfer differ: simulator "),
        ("grant", "a grant without a request"),
        ("data", "read data"),
        ("store", "the states differ after the stop: halted"),
        ("register", "the states differ after the stop: halted"),
    ],
)
def test_disturbed_core_is_noticed(what: str, error: str) -> None:
    result = regress.simulate(regress.Run("back_to_back", disturb=what))
    assert not result.passed
    assert error in result.errors[0]


def test_a_divergence_shows_the_instruction_and_both_values() -> None:
    report = regress.simulate(regress.Run("back_to_back", disturb="result")).errors[0].splitlines()
    assert report[1].startswith("  at cycle=") and "(mov " in report[1]
    iss, rtl = (line.split(": ", 1) for line in report[2:4])
    assert (iss[0], rtl[0]) == ("  - simulator", "  + RTL      ")
    assert iss[1] != rtl[1] and iss[1].startswith("store:") and rtl[1].startswith("store:")


def test_junit_tells_of_a_failure(tmp_path: Path) -> None:
    run = regress.Run("random", seed=7)
    regress.write_junit([regress.Result(run, False, 1.0, ("UVM_ERROR @ 5: wrong",))], tmp_path / "r.xml")
    suite = ET.parse(tmp_path / "r.xml").getroot()
    assert suite.get("failures") == "1"
    failure = suite.find("testcase/failure")
    assert failure is not None and failure.get("message") == "UVM_ERROR @ 5: wrong"


def test_sources_that_stay_the_same_keep_their_time(tmp_path: Path) -> None:
    new, old = tmp_path / "new", tmp_path / "old"
    for folder, text in ((new, "b"), (old, "a")):
        folder.mkdir()
        (folder / "same.cpp").write_text("same")
        (folder / "other.cpp").write_text(text)
    (old / "gone.cpp").write_text("")
    (old / "gone.o").write_text("")
    before = (old / "same.cpp").stat().st_mtime_ns
    assert build.take_over(new, old) == 1
    assert (old / "other.cpp").read_text() == "b"
    assert (old / "same.cpp").stat().st_mtime_ns == before
    assert sorted(p.name for p in old.iterdir()) == ["other.cpp", "same.cpp"]
