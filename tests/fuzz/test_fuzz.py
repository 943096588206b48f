"""So many inputs of each target as take some seconds; `make fuzz` and the nightly part go on from there."""

from __future__ import annotations

import subprocess
from importlib.util import find_spec
from pathlib import Path

import pytest

from fuzz import bugs, runner
from fuzz.__main__ import line, main
from seeded_bugs.__main__ import changed, read
from support.documents import ROOT

# atheris has wheels for Linux on x86-64 only.
READER = pytest.mark.skipif(find_spec("atheris") is None, reason="atheris is not available for this machine")
RUNS = {"pack": 30000, "flash": 5000, "reader": 1000}


@pytest.fixture(scope="module", autouse=True)
def built() -> None:
    runner.build()


@pytest.mark.parametrize("target", ["pack", "flash", pytest.param("reader", marks=READER)])
def test_fuzzing_of_the_loader_and_of_both_readers_has_no_finding(target: str, tmp_path: Path) -> None:
    (tmp_path / "cmake").symlink_to(runner.WORK / "cmake")
    outcome = runner.run(target, [f"-runs={RUNS[target]}"], 1, tmp_path)
    assert not outcome.finding, f"{outcome.what}: {Path(outcome.finding).read_bytes().hex()}"
    assert RUNS.keys() == runner.TARGETS.keys()
    assert outcome.runs == RUNS[target] and outcome.coverage > REACHED[target]


# Places that inputs have to reach at least: a fuzzer that is stuck at the envelope would find nothing either.
REACHED = {"pack": 430, "flash": 430, "reader": 150}


@READER
def test_a_difference_of_the_readers_is_a_finding(tmp_path: Path) -> None:
    """A library that takes everything, in place of the loader."""
    source, library = tmp_path / "check.c", tmp_path / "check.so"
    source.write_text('int fuzz_check() { return 0; }\nconst char *fuzz_text() { return ""; }\n')
    subprocess.run(["cc", "-shared", "-fPIC", "-std=c99", "-o", library, source], check=True)
    outcome = runner.run("reader", ["-runs=100"], 1, tmp_path, library)
    assert outcome.what.endswith("C: taken") and Path(outcome.finding).exists()
    assert "again: LUTRA_FUZZ_PACKS=" in line(outcome, 1)


@pytest.mark.parametrize("path", sorted(bugs.HERE.glob("*.patch")), ids=lambda path: path.stem)
def test_a_mistake_for_the_fuzzers_still_applies(path: Path) -> None:
    bug = read(path, bugs.HEADER)
    assert changed(bug) and bug.header["Found by"] in runner.TARGETS


def test_an_unknown_target_is_refused(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr("sys.argv", ["fuzz", "--target", "pack,fuses"])
    with pytest.raises(SystemExit) as caught:
        main()
    assert caught.value.code == 2 and "no target fuses; choose from pack, flash, reader" in capsys.readouterr().err


def test_nothing_of_the_fuzzers_is_shipped() -> None:
    """The build that takes any signature is a project of its own, which no other includes."""
    for lists in (ROOT / "CMakeLists.txt", *ROOT.glob("[a-z]*/**/CMakeLists.txt")):
        if "build" not in lists.parts and lists.parent.name != "targets":
            assert "fuzz/targets" not in lists.read_text() and "add_subdirectory(targets)" not in lists.read_text()
