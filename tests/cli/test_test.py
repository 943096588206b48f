"""`lutra test`: what it finds, runs and tells, and its command line."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest

from lutra.iss import engine as engines
from support.cli import Lutra
from support.own import MANIFEST, ROUTINES, SOURCE, VECTORS, checked

# What an unchanged folder has: image, headers and time of three routines, three vectors, one test of a routine.
CHECKS = {"assembly": 1, "header": 3, "time": 3, "vector": 3, "routine": 1}


def test_a_line_for_each_file_and_kind(otter: None, lutra: Lutra) -> None:
    assert lutra("test", "otter").out.splitlines() == [
        "otter/otter.s: assembly: 1 passed, 0 failed",
        "otter/otter.s: headers: 3 passed, 0 failed",
        "otter/otter.s: constant time: 3 passed, 0 failed",
        "otter/otter.vectors.json: vectors: 3 passed, 0 failed",
        "otter/routines.toml: routines: 1 passed, 0 failed",
        "11 passed, 0 failed (cosim, rounds 2)",
    ]


@pytest.mark.parametrize("engine", ["iss", "rtl", "cosim"])
def test_every_engine_runs_the_tests(engine: str, otter: None, lutra: Lutra) -> None:
    result = lutra("test", "otter", "--engine", engine, "--json")
    assert result.code == 0
    assert (result.json["engine"], result.json["passed"]) == (engine, 11)
    kinds = [c["kind"] for c in result.json["checks"]]
    assert {kind: kinds.count(kind) for kind in kinds} == CHECKS


def test_the_simulator_runs_the_tests_where_the_core_is_not_installed(
    otter: None, lutra: Lutra, monkeypatch: pytest.MonkeyPatch
) -> None:
    make = engines.make

    def without_core(name: str, rounds: int = 2) -> engines.Engine:
        if name != "iss":
            raise engines.EngineError("this installation has no Verilated core")
        return make(name, rounds)

    monkeypatch.setattr(engines, "make", without_core)
    assert lutra("test", "otter").out.endswith("11 passed, 0 failed (iss, rounds 2)\n")
    assert lutra("test", "otter", "--engine", "rtl").error == "this installation has no Verilated core"


@pytest.mark.parametrize("what", ["otter", "otter/firmware.toml", "otter/otter.s", "."])
def test_a_folder_a_manifest_or_a_source_can_be_named(what: str, otter: None, lutra: Lutra) -> None:
    assert checked(lutra, what).out.endswith("11 passed, 0 failed (iss, rounds 2)\n")


def test_the_current_folder_is_tested_by_default(otter: None, lutra: Lutra, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir("otter")
    assert "otter.vectors.json: vectors: 3 passed, 0 failed" in checked(lutra).out


def test_all_folders_below_are_tested_and_one_that_is_named_twice_once(otter: None, lutra: Lutra) -> None:
    lutra("new", "vole", "--into", "otter")
    assert "22 passed, 0 failed" in checked(lutra, ".", "otter/vole", "otter/otter.s").out


def test_links_that_lead_back_and_what_is_no_file_are_left_out(otter: None, lutra: Lutra) -> None:
    for link in ("otter/one", "otter/two"):
        Path(link).symlink_to("..")
    os.mkfifo("otter/pipe.vectors.json")
    assert "11 passed, 0 failed" in checked(lutra, ".").out


def test_a_text_chooses_checks_by_file_and_name(otter: None, lutra: Lutra) -> None:
    chosen = checked(lutra, "otter", "-k", "otter.vectors.json: one", "--json").json["checks"]
    assert [c["name"] for c in chosen] == ["one block"]
    assert checked(lutra, "otter", "-k", "constant time").out.endswith("3 passed, 0 failed (iss, rounds 2)\n")
    assert checked(lutra, "otter", "-k", "nowhere").error == "-k nowhere: no check has this in its file or name"


def test_vectors_may_be_in_a_folder_of_their_own(otter: None, lutra: Lutra) -> None:
    folder = Path("otter/vectors/more")
    folder.mkdir(parents=True)
    VECTORS.rename(folder / "all.json")
    assert "otter/vectors/more/all.json: vectors: 3 passed, 0 failed" in checked(lutra, "otter").out


def test_junit_is_well_formed_and_its_counts_are_those_of_the_run(otter: None, lutra: Lutra) -> None:
    tests = json.loads(VECTORS.read_text())
    tests["tests"][0] |= {"id": 'wrong <&"\x1b', "ciphertext": "00" * 16}
    tests["tests"][1] |= {"mode": "CBC"}
    VECTORS.write_text(json.dumps(tests))
    result = checked(lutra, "otter", "--rounds", "1,2", "--junit", "r.xml", "--json")
    assert result.code == 1
    root = ElementTree.parse("r.xml").getroot()
    cases = root.findall("testsuite/testcase")
    found = {tag: sum(c.find(tag) is not None for c in cases) for tag in ("failure", "skipped")}
    assert (
        found == {"failure": result.json["failed"], "skipped": result.json["skipped"]} == {"failure": 2, "skipped": 1}
    )
    assert root.get("tests") == str(len(cases)) == str(len(result.json["checks"]))
    for suite in (root, *root.findall("testsuite")):
        inside = list(suite.iter("testcase"))
        assert suite.get("tests") == str(len(inside))
        assert suite.get("failures") == str(sum(c.find("failure") is not None for c in inside))
        assert suite.get("skipped") == str(sum(c.find("skipped") is not None for c in inside))
        assert suite.get("errors") == "0"
    wrong = root.find("testsuite/testcase/failure/..")
    assert wrong is not None
    assert (wrong.get("name"), wrong.get("file")) == ('wrong <&"? (rounds 1)', "otter/otter.vectors.json")
    assert "expected 0000" in wrong[0].get("message", "")


# ------------------------------------------------------------------------------------ the command line


def test_progress_is_on_the_terminal_of_standard_error_and_results_on_standard_output(otter: None) -> None:
    parent, terminal = os.openpty()
    run = subprocess.run(
        [Path(sys.executable).with_name("lutra"), "test", "otter", "--engine", "iss"],
        stdout=subprocess.PIPE,
        stderr=terminal,
        text=True,
        check=False,
        env=os.environ | {"TERM": "xterm"},
    )
    os.close(terminal)
    shown = os.read(parent, 1 << 16).decode()
    os.close(parent)
    assert (run.returncode, "testing" in shown) == (0, True)
    assert "11 passed" not in shown and "\x1b" not in run.stdout
    assert len(run.stdout.splitlines()) == 6 and run.stdout.endswith("11 passed, 0 failed (iss, rounds 2)\n")


@pytest.mark.parametrize("rounds", ["0", "3", "", "1,3", "x"])
def test_rounds_are_one_two_or_both(rounds: str, otter: None, lutra: Lutra) -> None:
    result = checked(lutra, "otter", "--rounds", rounds)
    assert (result.code, result.error.split(": ")[1]) == (2, "write 1, 2 or 1,2")


def test_firmware_that_uses_both_halves_is_skipped_on_a_core_of_one_round_with_the_reason(
    otter: None, lutra: Lutra
) -> None:
    key = "        align   m0[otter_keys + 16], v0, v0, 1\n"
    Path(SOURCE).write_text(SOURCE.read_text().replace(key, f"{key}        rotv    v1, v0, v0\n"))
    result = lutra("test", "otter", "--engine", "iss", "--rounds", "1,2", "--runs", "2", "--json")
    skipped = [c for c in result.json["checks"] if c["state"] == "skipped"]
    assert {c["kind"] for c in skipped} == {"time", "vector", "routine"}
    assert {c["text"] for c in skipped} == {"the firmware uses both halves of the core; it needs --rounds 2"}
    assert all(c["name"].endswith("(rounds 1)") for c in skipped)
    # The clobbers and cycles in the header are those of the routine as it was.
    assert [c["name"] for c in result.json["checks"] if c["state"] == "failed"] == ["header of otter128_key_encrypt"]
    assert len(skipped) == 7


@pytest.mark.parametrize("file", [VECTORS, SOURCE, MANIFEST, ROUTINES])
def test_a_report_does_not_overwrite_what_is_checked(file: Path, otter: None, lutra: Lutra) -> None:
    before = file.read_bytes()
    result = checked(lutra, "otter", "--junit", file)
    assert result.code == 2
    assert result.error.startswith(f"--junit {file}: is the same file")
    assert file.read_bytes() == before


def test_a_report_that_cannot_be_written_is_an_error(otter: None, lutra: Lutra) -> None:
    result = checked(lutra, "otter", "--junit", "nowhere/r.xml")
    assert result.code == 1
    assert "nowhere/r.xml" in result.err
