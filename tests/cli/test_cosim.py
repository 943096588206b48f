"""`lutra cosim` and `lutra campaign`."""

from __future__ import annotations

import json
import multiprocessing
import subprocess
import sys
import threading
from collections.abc import Generator
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from distributed import LocalCluster

from lutra.cosim import campaign, cluster
from lutra.random import MODES
from lutra.rtl import _rtl
from support.cli import Lutra

NO_MEMORY = ",".join(f"space:m{n}=0" for n in range(4))
KEYS = {"version", "seeds", "programs", "retired", "cycles", "seconds", "parts", "stalls", "ends", "failures"}


def shard(lutra: Lutra, seeds: str, *options: str) -> dict[str, Any]:
    found: dict[str, Any] = lutra("campaign", "run", "--seeds", seeds, "--json", *options).json
    assert found.keys() == KEYS
    return found


def untimed(report: dict[str, object]) -> dict[str, object]:
    return {key: value for key, value in report.items() if key != "seconds"}


def test_shards_merge_to_what_one_run_gives(lutra: Lutra) -> None:
    whole = shard(lutra, "0:12")
    for seeds in ("0:5", "5:12"):
        Path(f"{seeds[0]}.json").write_text(json.dumps(shard(lutra, seeds)))
    merged = lutra("campaign", "merge", "5.json", "0.json", "--json").json
    assert untimed(merged) == untimed(whole)
    assert merged["seeds"] == ["0:12"]
    assert merged["programs"] == 12


def test_processes_do_not_matter(lutra: Lutra, monkeypatch: pytest.MonkeyPatch) -> None:
    one = shard(lutra, "0:6")
    monkeypatch.setattr(campaign, "CHUNK", 2)
    assert untimed(shard(lutra, "0:6", "--jobs", "2")) == untimed(one)


def test_a_pool_that_is_stopped_leaves_no_thread_and_no_process(monkeypatch: pytest.MonkeyPatch) -> None:
    """One that were left would close its pipe while the interpreter writes to it at exit, which prints an error."""
    monkeypatch.setattr(campaign, "CHUNK", 2)
    before = set(threading.enumerate()), set(multiprocessing.active_children())
    results = campaign.results(campaign.Work(0, 10**9, "loops"), jobs=2)
    assert isinstance(results, Generator)
    next(results)
    results.close()
    assert set(threading.enumerate()) <= before[0]
    assert set(multiprocessing.active_children()) <= before[1]


def test_a_dask_cluster_does_not_matter(lutra: Lutra, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(campaign, "CHUNK", 2)
    options = {"n_workers": 1, "threads_per_worker": 1, "processes": False, "dashboard_address": None}
    with LocalCluster(**options) as local:  # type: ignore[no-untyped-call]
        found = shard(lutra, "0:6", "--scheduler", local.scheduler_address)
    assert untimed(found) == untimed(shard(lutra, "0:6"))


def test_a_scheduler_that_does_not_answer_is_one_line(lutra: Lutra, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster, "CONNECT_SECONDS", 1)
    error = lutra("campaign", "run", "--scheduler", "tcp://127.0.0.1:9").error
    assert error.startswith("tcp://127.0.0.1:9: no Dask scheduler answers there")


def test_mode_and_rounds_are_heeded(lutra: Lutra) -> None:
    (part,) = shard(lutra, "3:5", "--mode", "streams", "--rounds", "1")["parts"]
    assert (part["mode"], part["rounds"], part["programs"]) == ("streams", 1, 2)


def test_weights_come_from_a_file_or_the_command_line(lutra: Lutra) -> None:
    Path("weights.json").write_text(json.dumps({f"mode:{name}": 0 for name in MODES if name != "loops"}))
    parts = shard(lutra, "0:3", "--weights", "weights.json")["parts"]
    assert {part["mode"] for part in parts} == {"loops"}
    assert shard(lutra, "0:1", "--weights", "shape:repeat=0,near=1")["programs"] == 1


def test_a_run_is_told_as_text_and_as_junit(lutra: Lutra) -> None:
    result = lutra("campaign", "run", "--seeds", "0:2", "--junit", "cosim.xml")
    assert result.code == 0
    assert "seeds 0:2: 2 programs" in result.out
    suite = ElementTree.parse("cosim.xml").getroot()
    assert suite.attrib["failures"] == "0"
    assert len(suite) == 2


def test_one_image_runs_in_lock_step(lutra: Lutra, elf: Path) -> None:
    result = lutra("cosim", elf)
    assert result.code == 0
    assert "halted at" in result.out


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        (["run", "--seeds", "5:5"], "--seeds 5:5: write A:B with A less than B, e.g. 0:1000"),
        (["run", "--seeds", "x"], "--seeds x: write A:B with A less than B, e.g. 0:1000"),
        (["run", "--mode", "loop"], f"--mode loop: no such mode; choose from {', '.join(MODES)}"),
        (["run", "--weights", "insn:nothing=1"], "--weights: no weight 'insn:nothing'"),
        (["run", "--weights", "near=-1"], "--weights: near is '-1'; must be a number, 0 or more"),
        (["run", "--mode", "mixed", "--weights", NO_MEMORY], "no program can be generated with these weights"),
        (["run", "--steer", "counts.json"], "--steer needs a file for the new counts; add --coverage FILE"),
        (["run", "--out", "program.elf"], "--out program.elf: is a file; give a folder"),
        (["run", "program.elf"], "Got unexpected extra argument(s) (program.elf)"),
        (["merge"], "Missing argument 'REPORT...'"),
    ],
)
def test_wrong_arguments_of_a_campaign_are_one_line(arguments: list[str], text: str, lutra: Lutra, elf: Path) -> None:
    result = lutra("campaign", *arguments)
    assert result.code == 2
    assert result.error.startswith(text)


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        (["--random", "--seeds", "0:5"], "cosim --random is now `lutra campaign run`; give it the other options"),
        (["--merge", "a.json"], "cosim --merge is now `lutra campaign merge`; give it the other options"),
        ([], "Missing argument 'FILE'"),
        (["program.elf", "program.s"], "Got unexpected extra argument(s) (program.s)"),
    ],
)
def test_lock_step_of_other_than_one_image_is_refused(arguments: list[str], text: str, lutra: Lutra, elf: Path) -> None:
    result = lutra("cosim", *arguments)
    assert result.code == 2
    assert result.error.startswith(text)


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        (["run", "--weights", "none.json"], "none.json: no such file"),
        (["merge", "program.s"], "program.s: is not a report of `lutra campaign run --json`"),
        (["run", "--rtl-library", "none.so"], "none.so: no such file"),
    ],
)
def test_files_that_a_campaign_cannot_use_are_one_line(
    arguments: list[str], text: str, lutra: Lutra, elf: Path
) -> None:
    result = lutra("campaign", *arguments)
    assert result.code == 1
    assert result.error.startswith(text)


def test_a_seed_in_two_shards_is_refused(lutra: Lutra) -> None:
    Path("a.json").write_text(json.dumps(shard(lutra, "0:2")))
    Path("b.json").write_text(json.dumps(shard(lutra, "1:3")))
    assert "both have seed 1" in lutra("campaign", "merge", "a.json", "b.json").error


def refused(lutra: Lutra, text: str) -> str:
    """Return the fault that a merge names, in a message with the file and the remedy."""
    Path("a.json").write_text(text)
    result = lutra("campaign", "merge", "a.json")
    begin, end = "a.json: is not a report of `lutra campaign run --json`: ", "; give a file that this command wrote"
    assert result.code == 1
    assert result.error.startswith(begin)
    assert result.error.endswith(end)
    return result.error.removeprefix(begin).removesuffix(end)


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("program", "it is not JSON: Expecting value: line 1 column 1 (char 0)"),
        ("[]", "it is not a JSON object"),
        ("{}", "version is missing"),
    ],
)
def test_a_file_that_is_not_a_report_is_refused_in_words(text: str, fault: str, lutra: Lutra) -> None:
    assert refused(lutra, text) == fault


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        ({"cycles": "many"}, "cycles must be an integer, not 'many'"),
        ({"seconds": "few"}, "seconds must be a number, not 'few'"),
        ({"seeds": ["0-2"]}, "seeds must be FIRST:LAST, not '0-2'"),
        ({"parts": None}, "parts must be a list of tables, not None"),
        ({"parts": [{"mode": "loops", "programs": 1, "retired": 1}]}, "parts 1: rounds is missing"),
        ({"ends": {"halt": None}}, "ends: halt must be an integer, not None"),
        ({"failures": [{"seed": 0}]}, "failures 1: mode is missing"),
    ],
)
def test_a_wrong_entry_of_a_report_is_named(change: dict[str, object], fault: str, lutra: Lutra) -> None:
    assert refused(lutra, json.dumps(shard(lutra, "0:1") | change)) == fault


@pytest.mark.parametrize(("library", "code"), [(_rtl.__file__, 0), (__file__, 1)])
def test_another_rtl_library_is_loaded_or_refused(library: str, code: int) -> None:
    """In a process of its own: one process has one binding."""
    arguments = ["campaign", "run", "--seeds", "0:1", "--rtl-library", library]
    program = f"import sys; from lutra.cli.main import main; sys.exit(main({arguments!r}))"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert done.returncode == code, done.stderr
    assert code == 0 or "cannot be loaded as the module _rtl" in done.stderr
