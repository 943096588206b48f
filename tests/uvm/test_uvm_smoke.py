"""The UVM bench builds, runs, and notices what is wrong. All of its tests: `make uvm`."""

from __future__ import annotations

import os

import pytest

from uvm.runner import build, regress

pytestmark = pytest.mark.nightly("the bench takes four minutes of the processor to build; `make test` elaborates it")


@pytest.fixture(scope="module", autouse=True)
def bench() -> None:
    """The bench; the first worker to come builds it, the others wait."""
    try:
        build.build(os.cpu_count() or 1)
    except build.BuildError as error:
        pytest.fail(str(error), pytrace=False)


@pytest.mark.parametrize("test", ["control", "random"])
def test_a_test_of_the_bench_passes(test: str) -> None:
    result = regress.simulate(regress.Run(test))
    assert result.passed, result.errors


def test_the_bench_meets_a_known_answer() -> None:
    result = regress.simulate(regress.Run("firmware", "aes_fips197"))
    assert result.passed, result.errors


def test_wrong_answer_fails() -> None:
    run = regress.Run("firmware", "aes_fips197", seed=2)
    script = run.script()
    answer = "69c4e0d86a7b0430d8cdb78070b4c55a"  # FIPS 197 C.1
    assert answer in script
    result = regress.simulate(run, script.replace(answer, answer.replace("69", "68", 1)))
    assert not result.passed
    assert answer in result.errors[0] and "UVM_ERROR" in result.errors[0]


def test_wrong_ending_fails() -> None:
    run = regress.Run("random", seed=2)
    result = regress.simulate(run, run.script().replace("stopped 0", "stopped 2"))
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
