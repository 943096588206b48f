"""The core that wipes itself and closes its memories, in lock-step with its simulator: what is left, what is seen."""

from __future__ import annotations

import json
import os
import subprocess

import pytest

from support.documents import ROOT

pytestmark = pytest.mark.nightly("the core of another configuration is compiled; `make test` has its simulator")
NAME = "protected"


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


def test_nothing_in_the_core_depends_on_what_was_there_before_a_wipe() -> None:
    told = lutra("--with", "python", "-m", "injection.leftovers").splitlines()
    assert len(told) == 10 and sum(line.endswith(": 0 left") for line in told) == 8


@pytest.mark.parametrize(("engine", "step"), [("iss", 1), ("rtl", 2), ("cosim", 4)])
def test_plaintext_leaves_the_core_with_its_tag_only(engine: str, step: int) -> None:
    told = lutra("--with", "python", "-m", "injection.release", "--engine", engine, "--step", str(step))
    assert [line.split(":")[0] for line in told.splitlines() if line.endswith(": 0 findings")] == [
        "aes-128-gcm",
        "aes-128-ccm",
    ]


def test_plaintext_leaves_a_device_with_its_tag_only() -> None:
    told = lutra("--with", "python", "-m", "injection.pack_release", "--engine", "cosim", "--step", "16")
    assert told.count(": 0 findings") == 2


def test_messages_of_any_length_are_decrypted_or_refused() -> None:
    tests = ("tests/firmware/test_aead.py", "-k", "(gcm or ccm) and not siv")
    assert " passed" in lutra("--with", "python", "-m", "pytest", "-q", *tests)


def test_lutra_axi_leaves_nothing_of_a_tenant(monkeypatch: pytest.MonkeyPatch) -> None:
    run("./lutra", "--with", "cmake", "--build", f"build/configurations/{NAME}/cmake", "--target", "_axi")
    monkeypatch.setenv("LUTRA_SOC_DEVICES", "rtl,rtl-slow")
    assert " passed" in lutra("--with", "python", "-m", "pytest", "-q", "tests/soc/test_leftovers.py")


def test_a_fault_of_a_context_is_found_and_wiped() -> None:
    found = json.loads(lutra("--with", "python", "-m", "injection", "--step", "61", "--jobs", "1", "--json"))
    assert found["missed"] == 0 and found["words"]["s0"]["detected"] > 0


def test_random_programs_with_faults_and_wipes_agree() -> None:
    told = json.loads(lutra("campaign", "run", "--seeds", "0:60", "--jobs", "1", "--json"))
    assert not told["failures"] and told["ends"]["context-fault"] > 0
