"""The core with a shadow, in lock-step with its simulator: faults, the attack, random programs with faults."""

from __future__ import annotations

import json
import os
import subprocess

import pytest

from support.documents import ROOT

pytestmark = pytest.mark.nightly("the core of another configuration is compiled; `make test` has its simulator")
NAME = "shadow"


def run(*command: str) -> str:
    kept = {name: value for name, value in os.environ.items() if name not in ("MAKEFLAGS", "MFLAGS", "MAKELEVEL")}
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT, env=kept)
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]
    return done.stdout


@pytest.fixture(scope="module", autouse=True)
def built() -> None:
    run("make", "build", f"CONFIGURATION={NAME}")


def lutra(*arguments: str) -> str:
    return run("./lutra", "--configuration", NAME, *arguments)


def test_simulator_and_core_find_the_same_faults_in_the_same_cycle() -> None:
    found = json.loads(lutra("--with", "python", "-m", "injection", "--step", "61", "--jobs", "1", "--json"))
    assert found["missed"] == 0 and found["shadow_words"] == 5
    assert all(found["words"][f"s{i}"]["detected"] > 0 for i in range(5))
    assert all("detected" not in found["words"][f"s{i}"] for i in range(5, 16))


def test_the_attack_gets_nothing_from_the_core() -> None:
    assert "480 faulted, 0 gave a word that is wrong" in lutra(
        "--with", "python", "-m", "injection.story", "--engine", "cosim"
    )


def test_random_programs_with_faults_agree() -> None:
    told = json.loads(lutra("campaign", "run", "--seeds", "0:60", "--jobs", "1", "--json"))
    assert not told["failures"] and told["ends"]["context-fault"] > 0
