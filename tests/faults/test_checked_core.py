"""The protected core: in lock-step with its simulator under faults, and in campaigns on its netlist."""

from __future__ import annotations

import json
import os
import subprocess

import pytest

from support.documents import ROOT

pytestmark = pytest.mark.nightly("the protected core is compiled and synthesized, a quarter of an hour; `make test` has"
                                 " its simulator and its checkers")  # fmt: skip
NAME = "protected"
WRONG = "silent wrong output"


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


def test_simulator_and_core_find_the_same_faults_of_memories() -> None:
    found = json.loads(lutra("--with", "python", "-m", "injection.memories"))
    assert found.get("silent", 0) == 0 and found["faulted"] > 300 < found["halted"]


def test_random_programs_with_faults_of_memories_agree() -> None:
    told = json.loads(lutra("campaign", "run", "--seeds", "0:150", "--jobs", "1", "--json"))
    assert not told["failures"] and told["ends"]["memory-fault"] > 0


def test_no_flipped_bit_of_a_memory_is_silent() -> None:
    (told,) = json.loads(lutra("--with", "python", "-m", "faults", "--job", "snow3g", "--kinds", "memory", "--json"))
    assert told["classes"][WRONG] == told["classes"]["detected late"] == told["classes"]["hang"] == 0
    assert told["classes"]["detected before any output"] > 400_000


def test_each_check_finds_what_nothing_else_does() -> None:
    found = json.loads(lutra("--with", "python", "-m", "faults.controls"))
    assert len(found) == 4
    for of in found.values():
        assert of["without"][WRONG] > of["with"][WRONG] + 100


def test_no_flip_while_the_host_writes_is_silent() -> None:
    chosen = ("--job", "ecb-twice", "--kinds", "flip", "--cycles", "150:175", "--shard", "1000")
    (told,) = json.loads(lutra("--with", "python", "-m", "faults", *chosen, "--json"))
    assert told["classes"][WRONG] == told["classes"]["detected late"] == 0
    assert told["classes"]["detected before any output"] > 100_000
