"""The recorded figures, their page, and what `make ppa-check` takes for worse."""

from __future__ import annotations

import copy
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from isagen import configuration as isa
from ppa import configurations, design, efficiency, figures, page, provenance, purposes, report, sram
from ppa.design import Design
from ppa.tools import ROOT, PpaError

RECORDED = figures.read()
FIRST = next(iter(page.PAGES))
HEADS = "| cipher | variant | unit | steady | all-in | 64 bytes | published |\n"


def measured(**changes: float) -> dict[str, Any]:
    """Recorded figures, with the headline multiplied."""
    found = copy.deepcopy(RECORDED)
    core = found["configurations"][configurations.DEFAULT]
    core["barred"] = []
    for key, factor in changes.items():
        core[key] *= factor
    return found


@pytest.mark.parametrize("file", page.PAGES, ids=lambda file: file.name)
def test_a_page_is_that_of_the_figures(file: Path) -> None:
    text = file.read_text()
    assert page.filled(file, text, RECORDED) == text, f"run: {page.COMMAND}"


def test_every_module_is_for_one_thing() -> None:
    for part in RECORDED["configurations"]["full"]["modules"]:
        assert purposes.purpose(part["module"])
    with pytest.raises(PpaError, match="says 0 times what lutra_abacus is for"):
        purposes.purpose("lutra_abacus")


def test_a_page_with_an_unknown_table_is_refused() -> None:
    with pytest.raises(PpaError, match="weights"):
        page.filled(FIRST, FIRST.read_text() + "<!-- table: weights -->\n<!-- end -->\n", RECORDED)


def test_recorded_configurations_are_those_that_exist() -> None:
    for name, found in RECORDED["configurations"].items():
        assert found["parameters"] == dict(configurations.CONFIGURATIONS[name].parameters)
        assert tuple(found["extensions"]) == configurations.CONFIGURATIONS[name].file.extensions
        assert found["best"] in {p["recipe"] for p in found["points"]}
        assert {p["recipe"] for p in found["points"]} <= {r.name for r in configurations.PORTFOLIO}


def test_the_headline_is_of_the_core_that_make_build_makes() -> None:
    built = isa.read(isa.find(isa.DEFAULT))
    core = configurations.CONFIGURATIONS[page.HEADLINE]
    assert (core.file, core.rounds, core.contexts) == (built, max(built.rounds), built.contexts)
    assert page.HEADLINE == configurations.DEFAULT == isa.DEFAULT


def test_the_headline_is_of_the_core_as_it_is_today(tmp_path: Path) -> None:
    wanted = configurations.CONFIGURATIONS[page.HEADLINE]
    core = design.of_checkout(sram.write(tmp_path)[0], parameters=wanted.parameters)  # as `make build` has left it
    recorded = RECORDED["configurations"][page.HEADLINE]["inputs"]
    today = provenance.digest(core)
    assert today == recorded, (
        "the core has changed; run: lutra ppa --record; or, if only its text has, python -m ppa.unchanged --carry"
    )


def test_every_figure_is_of_a_commit_without_changes() -> None:
    recorded = {*RECORDED["configurations"], *RECORDED} - {"commits", "configurations"}
    assert RECORDED["commits"].keys() == recorded
    assert all(re.fullmatch(r"[0-9a-f]{12}", commit) for commit in RECORDED["commits"].values())


def test_a_digest_is_of_what_synthesis_reads(tmp_path: Path) -> None:
    source = tmp_path / "otter.sv"

    def digest(text: str, **parameters: int) -> str:
        source.write_text(text)
        return provenance.digest(Design("otter", (source,), parameters))

    first = digest("module otter; endmodule\n")
    assert digest("// Swims.\nmodule otter;\n/* and\ndives */ endmodule\n") == first
    assert digest("module otter;\n`ifndef SYNTHESIS\nassert final (1);\n`endif\nendmodule\n") == first
    assert digest("module otter; wire q; endmodule\n") != first
    assert digest("module otter; endmodule\n", Tails=2) != first


def repository(folder: Path) -> Path:
    """A checkout of git with a file of the core and the recorded figures."""
    for name in ("rtl/core.sv", provenance.WRITTEN[0]):
        (folder / name).parent.mkdir(parents=True)
        (folder / name).write_text("1\n")
    who = ("-c", "user.name=otter", "-c", "user.email=otter@example.org")
    for line in (("init", "-q"), ("add", "."), (*who, "commit", "-qm", "first")):
        subprocess.run(["git", *line], cwd=folder, check=True)
    return folder


def test_what_a_recording_writes_does_not_block_the_next_one() -> None:
    written = {str(path.relative_to(ROOT)) for path in (figures.FIGURES, *page.PAGES)}
    assert written == set(provenance.WRITTEN)


def test_figures_are_recorded_of_committed_trees_only(tmp_path: Path) -> None:
    root = repository(tmp_path)
    provenance.check_recordable(root)
    clean = provenance.commit(root)
    # What the recording before has written.
    (root / provenance.WRITTEN[0]).write_text("2\n")
    provenance.check_recordable(root)
    assert provenance.commit(root) == clean
    (root / "rtl/core.sv").write_text("2\n")
    with pytest.raises(PpaError, match=r"--record: rtl/core.sv not committed; commit or stash"):
        provenance.check_recordable(root)
    assert provenance.commit(root) == f"{clean}-dirty"
    (root / "new.sv").touch()
    with pytest.raises(PpaError, match=r"and 1 more not committed"):
        provenance.check_recordable(root)


def test_a_recording_of_a_changed_tree_is_refused_before_any_work(tmp_path: Path) -> None:
    root = repository(tmp_path)
    (root / "rtl/core.sv").write_text("2\n")
    command = [sys.executable, "-m", "ppa", "--record", "--root", str(root), "--out", str(tmp_path / "out")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == "ppa: --record: rtl/core.sv not committed; commit or stash, then record\n"
    assert not (tmp_path / "out").exists()


def test_without_git_there_is_no_commit_to_record(tmp_path: Path) -> None:
    assert provenance.commit(tmp_path) == ""
    with pytest.raises(PpaError, match="has no commit to name"):
        provenance.check_recordable(tmp_path)


def test_the_headline_is_one_of_its_points() -> None:
    for found in RECORDED["configurations"].values():
        (best,) = (p for p in found["points"] if p["recipe"] == found["best"])
        assert (best["gates"], best["ns"]["reg_reg"]) == (found["gates"], found["ns"])
        assert found["paths"][0]["ns"] == found["ns"]


def test_the_same_is_not_worse() -> None:
    assert not figures.worse(RECORDED, measured())
    assert not figures.worse(RECORDED, measured(gates=1.029, ns=1.029))


@pytest.mark.parametrize("key", ["gates", "ns"])
def test_more_than_three_percent_is_worse(key: str) -> None:
    (line,) = figures.worse(RECORDED, measured(**{key: 1.04}))
    assert line.startswith("full: ")
    assert line.endswith("4.0 % worse")
    assert figures.better(RECORDED, measured(**{key: 0.96}))
    assert not figures.better(RECORDED, measured(**{key: 0.98}))


def test_a_path_where_none_should_be_is_worse() -> None:
    found = measured()
    path = {"ns": 1.5, "start": "u_agu.ar_q[]", "end": "x1_q[]", "modules": ["lutra_agu", "lutra_datapath"]}
    found["configurations"]["full"]["barred"] = report.barred([path, path | {"modules": ["lutra_datapath", ""]}])
    assert figures.worse(RECORDED, found) == ["full: among the longest paths: 1.500 ns u_agu.ar_q[] -> x1_q[]"]
    slower = report.barred([path | {"ns": 1.51}, path | {"end": "x1_b_q[]"}])
    known = copy.deepcopy(found)
    found["configurations"]["full"]["barred"] = slower
    assert figures.worse(known, found) == ["full: among the longest paths: 1.500 ns u_agu.ar_q[] -> x1_b_q[]"]
    long = path | {"modules": ["lutra_datapath", ""]}
    assert report.barred([long, path | {"ns": 1.36}])
    assert not report.barred([long, path | {"ns": 1.34}])


def test_a_configuration_without_figures_is_named() -> None:
    found = {"configurations": {"tiny": measured()["configurations"]["full"]}}
    assert figures.worse(RECORDED, found) == [
        "tiny: figures.json has no such configuration; `lutra ppa --record` adds it"
    ]


def test_what_is_measured_takes_the_place_of_what_was_known() -> None:
    known = {"commits": {"full": "a", "fpga": "a"}, "configurations": {"full": 1, "smallest": 2}, "fpga": {"full": 3}}
    new = figures.merged(known, {"commits": {"full": "b"}, "configurations": {"full": 4}})
    assert new == {
        "commits": {"full": "b", "fpga": "a"},
        "configurations": {"full": 4, "smallest": 2},
        "fpga": {"full": 3},
    }


def test_damaged_figures_are_an_error(tmp_path: Path) -> None:
    (tmp_path / "figures.json").write_text("{")
    with pytest.raises(PpaError, match="lutra ppa --record"):
        figures.read(tmp_path / "figures.json")


def test_throughput_follows_from_cycles_and_period(tmp_path: Path) -> None:
    jobs = [job for ways in efficiency.FIVE.values() for job in ways]
    rows = "".join(f"| {j.cipher} | {j.variant} | block | 7.50 | {8 // j.rounds}.00 | 70 | 8 |\n" for j in jobs)
    (tmp_path / "page.md").write_text(HEADS + rows)
    rates = efficiency.five(2.0, page=tmp_path / "page.md")
    assert rates[0].gigabits == 16.0  # 128 bits in 4 cycles of 2 ns
    assert rates[0].by_gates(160_000) == pytest.approx(100.0)
    assert rates[0].paper == pytest.approx(16_000 / 135)
    assert [rate.cycles for rate in rates] == [4, 4, 4, 8, 8]
    assert efficiency.mean(rates, 160_000) == pytest.approx(100 * 0.25**0.2)


def test_a_smaller_core_takes_the_cycles_that_it_can(tmp_path: Path) -> None:
    rates = efficiency.five(1.0, rounds=1, contexts=1, extensions=["base", "aes", "zuc"])
    assert [(rate.job.cipher, rate.job.variant) for rate in rates] == [
        ("aes-128-ecb", "baseline"),
        ("zuc-128", "one-stream"),
    ]


def test_a_job_that_the_benchmarks_lack_is_named(tmp_path: Path) -> None:
    (tmp_path / "page.md").write_text(HEADS + "| aes-128-ecb | fused | block | 5.00 | 5.06 | 70 | 11 |\n")
    with pytest.raises(PpaError, match=r"page\.md has no row aria-128-ecb, fused"):
        efficiency.five(1.0, page=tmp_path / "page.md")


def test_a_page_without_benchmarks_is_told(tmp_path: Path) -> None:
    (tmp_path / "page.md").write_text("# Benchmarks\n")
    with pytest.raises(PpaError, match=r"page\.md has no table of cipher, variant and unit"):
        efficiency.rows(tmp_path / "page.md")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--module", "none"], "ppa: no module 'none' in the files of the core"),
        (["--module", ""], "ppa: no module '' in the files of the core"),
        (["--page", "--json"], "--page stands alone"),
        (["--configuration", "huge"], "no configuration 'huge'; choose from full"),
        (["-g", "ROUNDS"], "-g: write NAME=VALUE"),
        (["-g", "ROUNDS=" + "9" * 5000], "-g: write NAME=VALUE"),
        (["--root", "9" * 5000, "--module", "lutra_l0"], "File name too long"),
        (["--root", "/nowhere", "--module", "lutra_l0"], "/nowhere/build/gen/sv/lutra_packages.f is missing"),
        (["--script", "none"], "no script 'none'; choose from mix"),
    ],
)
def test_a_wrong_command_line_is_told(arguments: list[str], message: str, tmp_path: Path) -> None:
    command = [sys.executable, "-m", "ppa", "--out", str(tmp_path), *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode
    assert message in done.stderr
    assert "Traceback" not in done.stderr
