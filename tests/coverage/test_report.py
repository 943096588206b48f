"""Plan, counts, exclusions and the command."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

import lutra
from lutra import coverage
from lutra.cli.main import main
from lutra.coverage.aimed import AIMS
from lutra.coverage.closing import close
from lutra.coverage.report import Exclusion
from lutra.coverage.steer import weights
from lutra.isa import load
from lutra.random import defaults


def counts_of(source: str) -> coverage.Counts:
    with coverage.recording() as recorder:
        engine = lutra.make_engine("iss")
        engine.load(lutra.assemble_text(source))
        engine.run(0)
    return recorder.counts


def file_of(path: Path, counts: coverage.Counts) -> Path:
    with path.open("wb") as file:
        coverage.write(file, counts)
    return path


def test_the_plan_has_every_instruction_trap_and_hazard() -> None:
    isa, bins = load(), coverage.plan().bins(2)
    assert {label.split("/")[0] for label in bins["insn.operands"]} == {i.name for i in isa.instructions if i.vector}
    assert {label.split("/")[0] for label in bins["trap.cause"]} == {t.name for t in isa.traps if not t.by_fault}
    assert {label.split("/")[0] for label in bins["hazard.distance"]} == {s.name for s in isa.stalls} - {"transfer"}


def test_what_one_round_lacks_is_no_bin() -> None:
    one, two = coverage.plan().bins(1), coverage.plan().bins(2)
    assert one["insn.operands"] < two["insn.operands"]
    assert not one["insn.move"] and two["insn.move"]
    names = {i.name for i in load().instructions if i.facts.two_rounds}
    assert not names & {label.split("/")[0] for point in one.values() for label in point}


def test_counts_add_up(tmp_path: Path) -> None:
    halt, notify = counts_of("halt"), counts_of("notify 7\nhalt")
    total = coverage.read([file_of(tmp_path / "a", halt), file_of(tmp_path / "b", notify)])
    assert total.rounds[2]["host.effect"] == {"halt/nothing": 2, "notify/nothing": 1}
    both = coverage.report(total)
    assert both.hit == coverage.report(notify).hit
    assert both.hit + len(both.holes) == both.bins


def test_an_exclusion_takes_bins_out() -> None:
    rule = Exclusion("host.effect:notify/*", (2,), "for the test")
    found = coverage.report(counts_of("halt"), excluded=[rule])
    assert found.excluded == 4 and found.exclusions == ((rule, 4),)
    assert not any(h.rounds == 2 and h.bin.startswith("notify/") for h in found.holes)


def test_an_exclusion_without_a_bin_is_refused() -> None:
    with pytest.raises(coverage.CoverageError, match=r"'host\.effect:nonsense' matches no bin"):
        coverage.report(counts_of("halt"), excluded=[Exclusion("host.effect:nonsense", (1, 2), "")])


def test_an_excluded_bin_that_was_hit_is_refused() -> None:
    with pytest.raises(coverage.CoverageError, match=r"halt/nothing .*was hit: take the exclusion back"):
        coverage.report(counts_of("halt"), excluded=[Exclusion("host.effect:halt/*", (2,), "")])


def test_a_bin_that_the_plan_calls_impossible_is_an_error() -> None:
    counts = coverage.Counts()
    counts.add_places(1, {coverage.plan().by_name["insn.move"].offset: 1})
    assert len(counts.unexpected()) == 1


def test_holes_become_weights() -> None:
    known = defaults(load())
    hole = coverage.Hole(2, "insn.addressing", "GHADD/data/ar+=s%")
    found = weights([hole], known)
    changed = {name for name in known if found[name] != known[name]}
    assert changed == {"insn:ghadd", "pattern:+=s%"}


def test_every_coverpoint_has_a_class_of_aimed_programs() -> None:
    assert {*AIMS} == {point.name for point in coverage.plan().points}


ONE_ROUND = pytest.mark.nightly("the plan of a core with one round; a core with two has nearly all of its bins")


@pytest.mark.parametrize("rounds", [pytest.param(n, marks=[ONE_ROUND] * (n == 1)) for n in coverage.ROUNDS])
def test_aimed_programs_close_every_hole_of_the_plan(rounds: int) -> None:
    """The whole plan on the simulator; `make coverage` does the same in lock-step."""
    engine = lutra.make_engine("iss", rounds)
    collector = coverage.Collector(engine)
    assert close(engine, collector, coverage.Counts(), seed=1) == ()
    assert collector.counts().unexpected() == []


def test_the_command_reports_and_merges(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    a, b = file_of(tmp_path / "a.json", counts_of("halt")), file_of(tmp_path / "b.json", counts_of("nop\nhalt"))
    out, page = tmp_path / "all.json", tmp_path / "page.md"
    assert main(["coverage", str(a), str(b), "-o", str(out), "--page", str(page), "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["hit"] + len(document["holes"]) == document["bins"]
    assert coverage.read([out]).rounds[2]["host.effect"]["halt/nothing"] == 2
    assert "| `host.effect` |" in page.read_text()
    assert main(["coverage", str(a), "--complete"]) == 1
    assert "bins of the plan were not hit" in capsys.readouterr().err


def test_random_programs_are_counted(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "counts.json"
    assert main(["campaign", "run", "--seeds", "0:2", "--coverage", str(path)]) == 0
    assert coverage.report(coverage.read([path])).hit > 500
    capsys.readouterr()


@pytest.mark.parametrize("text", ["", "{}", '{"format": "lutra functional coverage 1"}'])
def test_a_file_without_counts_is_refused(tmp_path: Path, text: str, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "bad.json"
    path.write_text(text)
    assert main(["coverage", str(path)]) == 1
    assert "not a file of functional coverage" in capsys.readouterr().err


def test_counts_of_another_instruction_set_are_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "old.json"
    bins = {"insn.operands": {"GONE/-/-/-": 1}}
    path.write_text(json.dumps({"format": "lutra functional coverage 1", "rounds": {"1": {}, "2": bins}}))
    assert main(["coverage", str(path)]) == 1
    assert "insn.operands:GONE/-/-/- (ROUNDS_PER_INSTR 2) is not a possible bin" in capsys.readouterr().err


def test_the_written_plan_names_every_coverpoint() -> None:
    text = (Path(__file__).parents[2] / "docs" / "coverage.md").read_text()
    named = set(re.findall(r"`([a-z]+\.[a-z_]+)`", text)) - {"isa.td"}
    assert named == {point.name for point in coverage.plan().points}
