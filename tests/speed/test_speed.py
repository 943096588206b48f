"""`python -m speed`: what it measures, the page and the picture of its figures, and what it says where it cannot."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest

from speed import commands, page, simulator, spike
from speed.__main__ import FIGURES, PICTURE, arguments
from speed.errors import SpeedError

RECORDED = json.loads(FIGURES.read_text())
SHORT = ["--seconds", "0.003", "--megabytes", "1", "--lines", "1000"]


def speed(*options: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-m", "speed", *options], capture_output=True, text=True, check=False)


@pytest.mark.nightly("a quarter of a minute; the measurement of a command, the page and the picture are tested here")
def test_one_cipher_is_measured_in_every_mode() -> None:
    run = speed("--cipher", "aes-128-ctr", "--json", *SHORT)
    assert (run.returncode, run.stderr) == (0, "")
    found = json.loads(run.stdout)
    assert [row["variant"] for row in found["rows"]] == ["fused", "baseline"]
    for row in found["rows"]:
        for mode in (*simulator.levels(), simulator.RECORDED):
            rate = row[mode]
            assert rate["mips"] > 0.1
            # An instruction takes a cycle or more.
            assert rate["cycles_per_second"] >= 0.99e6 * rate["mips"]
    assert found["crypt"]["bytes"] == commands.MEGABYTE
    assert found["crypt"]["start_up_seconds"] > 0
    assert set(found["core"]) == {"rtl", "cosim"}
    assert "spike" not in found
    assert (found["machine"]["cores"], len(found["load"])) != (None, 0)


def test_tables_are_printed_of_what_was_measured() -> None:
    text = page.printed({**RECORDED, "rows": [], "spike": None})
    assert "lutra crypt" in text
    assert "Not measured" not in text
    assert "Spike" not in text
    assert f"| {page.HEADLINE} | fused | " in page.printed(RECORDED)


def test_the_page_is_that_of_the_figures() -> None:
    assert page.filled(page.PAGE.read_text(), RECORDED) == page.PAGE.read_text(), f"run: {page.COMMAND}"


def test_the_picture_is_that_of_the_figures(tmp_path: Path) -> None:
    subprocess.run([sys.executable, PICTURE, tmp_path / "made.svg"], check=True)
    made = (tmp_path / "made.svg").read_text()
    assert ElementTree.fromstring(made).tag.endswith("svg")
    assert made == (page.PAGE.parent / "speed.svg").read_text(), f"run: {page.COMMAND}"


def test_a_page_with_other_tables_is_refused() -> None:
    with pytest.raises(SpeedError, match="differ: weights"):
        page.filled(page.PAGE.read_text() + "<!-- table: weights -->\n<!-- end -->\n", RECORDED)


def test_a_recording_has_every_row_of_bench() -> None:
    named = {(row.cipher, row.variant) for row in page.rows(RECORDED)}
    text = (page.PAGE.parent / "benchmarks.md").read_text()
    missing = {pair for pair in named if f"| {pair[0]} | {pair[1]} |" not in text}
    assert missing == set()
    assert len(named) == text.partition("\n## Variants")[0].count("\n| ") - 2


def test_what_does_not_exist_is_one_line() -> None:
    run = speed("--cipher", "aes-128-cr")
    assert (run.returncode, run.stdout) == (1, "")
    assert run.stderr == "speed: error: unknown cipher 'aes-128-cr'; did you mean aes-128-ctr?\n"


@pytest.mark.parametrize(
    "options",
    [
        ["--cipher", "aes-128-ctr", "--record"],
        ["--page", "--spike"],
        ["--seconds", "0"],
        ["--megabytes", "-1"],
    ],
    ids=" ".join,
)
def test_options_that_do_not_belong_together_are_wrong_usage(
    options: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit, match="2"):
        arguments(options)
    assert "python -m speed: error: " in capsys.readouterr().err


def test_spike_names_the_packages_that_are_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "which", lambda name: None if name == "dtc" else f"/usr/bin/{name}")
    with pytest.raises(SpeedError, match="needs dtc; run: apt-get install device-tree-compiler, or leave out --spike"):
        spike.check()


def test_a_command_that_fails_is_named_with_its_last_line() -> None:
    with pytest.raises(SpeedError, match=r"^lutra objdump has failed: lutra: error: nothing.elf: no such file$"):
        commands.cost([commands.LUTRA, "objdump", "nothing.elf"])


def test_the_cost_of_a_command_is_that_of_its_process() -> None:
    idle = commands.cost([sys.executable, "-c", "pass"])
    large = b"x" * 200_000_000
    after = commands.cost([sys.executable, "-c", "pass"])
    busy = commands.cost([sys.executable, "-c", "x = b'x' * 100_000_000\nfor _ in range(3_000_000): pass"])
    assert busy.seconds > idle.seconds
    assert busy.memory > 100_000_000
    # The memory of this process does not count.
    assert max(idle.memory, after.memory) < 100_000_000 < len(large)
