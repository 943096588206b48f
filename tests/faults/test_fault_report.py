"""Reports of a campaign, and options that it refuses."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

import lutra
from faults import jobs
from faults.classes import Shard
from faults.errors import FaultsError
from faults.instructions import HOST, mnemonics
from faults.report import as_json, as_page, bound, summarize
from lutra.isa import load

HEAD = {
    "first": 3,
    "last": 5,
    "sites": 4,
    "flips": 1,
    "stuck": 0,
    "seconds": 0.5,
    "tried": 11,
    "reads": [[0, 7, 4, 10, 3]],
    "pairs": {"classes": [0] * 8, "shown": []},
}
CLASSES = bytes([1, 2, 6, 0, 3, 4, 5, 7, 1, 1, 6])


@pytest.fixture
def shard(tmp_path: Path) -> Shard:
    place = tmp_path / "x.faults"
    place.write_bytes(json.dumps(HEAD).encode() + b"\n" + CLASSES)
    return Shard(place)


def test_a_bit_of_a_memory_counts_for_every_cycle_of_its_live_interval(shard: Shard) -> None:
    summary = summarize("job", [shard])
    assert summary.classes["flip"] == {1: 1, 2: 1, 6: 1, 3: 1, 4: 1, 5: 1, 7: 1}
    assert summary.classes["memory"] == {1: 20, 6: 10}
    (report,) = as_json([summary])
    assert report["tried"] == 7 + 30
    assert report["classes"] == {
        "no effect": 22,
        "detected before any output": 2,
        "detected late": 1,
        "silent wrong output": 11,
        "hang": 1,
    }


def test_flips_are_reported_by_the_instruction_in_id(shard: Shard) -> None:
    summary = summarize("job", [shard], ["", "", "", "aesenc", HOST])
    assert summary.instructions == {"aesenc": {1: 1, 2: 1, 6: 1}, HOST: {3: 1, 4: 1, 5: 1, 7: 1}}
    assert "| aesenc | 3 | 2 | 0 | 0 | 1 | 0 | 66.7 % |" in as_page([summary])


def test_an_instruction_without_a_fault_in_a_sample_is_not_in_the_report(shard: Shard) -> None:
    shard.path.write_bytes(json.dumps(HEAD).encode() + b"\n" + bytes(4) + CLASSES[4:])
    summary = summarize("job", [shard], ["", "", "", "aesenc", HOST])
    assert set(summary.instructions) == {HOST}
    assert "aesenc" not in as_page([summary])


def test_the_instruction_is_that_of_the_pc_while_the_core_runs() -> None:
    states = {state.name: state.code for state in load().states}
    program = lutra.asm.assemble_text("nop\nhalt\n").program
    running, halted = states["running"], states["halted"]
    assert mnemonics(program, [0, 1, 1, 9], [running, running, halted, running]) == ["nop", "halt", HOST, HOST]


def test_a_share_of_silent_pairs_has_a_bound(shard: Shard) -> None:
    shard.path.write_bytes(
        json.dumps({**HEAD, "pairs": {"classes": [0, 900, 0, 100, 0, 0, 0, 0]}}).encode() + b"\n" + CLASSES
    )
    summary = summarize("job", [shard])
    assert summary.classes["two flips"] == {1: 900, 3: 100}
    assert as_json([summary])[0]["pairs_silent_at_most"] == pytest.approx(0.00299, abs=1e-5)
    assert "Two flips: at most 0.003 of all pairs are silent wrong outputs (95 %)" in as_page([summary])
    # Clopper and Pearson give 0.0167 for 10 of 1,000.
    assert bound({1: 990, 6: 10}) == pytest.approx(0.0167, abs=3e-4)


def test_a_class_file_that_is_cut_is_refused(shard: Shard) -> None:
    shard.path.write_bytes(shard.path.read_bytes()[:-1])
    with pytest.raises(FaultsError, match="is not complete; remove it"):
        list(Shard(shard.path).tried())
    shard.path.write_bytes(b"\xff\n")
    with pytest.raises(FaultsError, match="is not a class file; remove it"):
        list(Shard(shard.path).tried())


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--job", "des"], "no job 'des'; choose from aes, "),
        (["--kinds", "flip,laser"], "no kind 'laser'; choose from flip, stuck, memory"),
        (["--cycles", "9:3"], "--cycles 9:3: expected A:B, A below B"),
        (["--pairs", "9", "--sample", "9"], "--pairs and --sample: choose one"),
        (["--window", "9"], "--window is of --pairs"),
        (["--shard", "0"], "--sample, --pairs, --window, --shard and --jobs take positive numbers"),
    ],
)
def test_wrong_options_are_named(options: list[str], message: str) -> None:
    run = subprocess.run([sys.executable, "-m", "faults", *options], capture_output=True, text=True, check=False)
    assert run.returncode == 2
    assert message in run.stderr and "Traceback" not in run.stderr


@pytest.mark.parametrize("name", jobs.JOBS)
def test_every_job_runs_on_the_core(name: str) -> None:
    recorded = jobs.record(jobs.JOBS[name])
    assert 0 < recorded.begin < len(recorded.waves.edges)
