"""Everything that the documents refer to exists, and the figures of README.md are those that are measured."""

from __future__ import annotations

import contextlib
import io
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from lutra.cli import bench_page
from lutra.cli.main import main
from lutra.firmware import bench
from lutra.firmware.manifest import catalogue
from lutra.isa import generated
from support.documents import DOCUMENTS, FOLDERS, ROOT, anchors, name, prose

REFERENCE = ROOT / "docs/isa-reference.md"
# A place in a folder, by its path from the top.
PATH = re.compile(rf"`((?:{'|'.join(FOLDERS)}|\.ci)/[\w./*-]*)`")
LINK = re.compile(r"\]\(([^)\s]+)\)")


def links(document: Path) -> Iterator[tuple[int, str, str]]:
    """Line, target and anchor of every link that stays within the checkout."""
    for number, line in prose(document):
        for target in LINK.findall(re.sub(r"`[^`]*`", "", line)):
            if "://" not in target and not target.startswith("mailto:"):
                path, _, anchor = target.partition("#")
                yield number, path, anchor


@pytest.mark.parametrize("document", DOCUMENTS, ids=name)
def test_every_link_resolves(document: Path) -> None:
    wrong = []
    for number, path, anchor in links(document):
        target = (document.parent / path).resolve() if path else document
        if not target.exists() or (anchor and anchor not in anchors(target)):
            wrong.append(f"{name(document)}:{number}: {path}{'#' if anchor else ''}{anchor}")
    assert not wrong


def test_the_isa_reference_is_that_of_the_description() -> None:
    assert REFERENCE.read_text() == generated("isa-reference.md").read_text(), "run: make reference"


def test_paths_in_the_text_exist() -> None:
    missing = {
        path
        for document in DOCUMENTS
        for _, line in prose(document)
        for path in PATH.findall(line)
        if not any(ROOT.glob(path.rstrip("/")))
    }
    assert missing == set()


# ------------------------------------------------------------------------------- figures of README.md

README = (ROOT / "README.md").read_text()
BENCHMARKS = ROOT / "docs/benchmarks.md"
CIPHERS = ROOT / "docs/ciphers.md"


def rows() -> dict[str, list[str]]:
    """Unit, steady, all-in and published figure by cipher, of the table of cycles in README.md."""
    table = re.search(r"^\| cipher \| unit \|.*\n\| --- .*\n((?:\|.*\n)+)", README, re.M)
    assert table, "README.md has no table of cycles"
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in table[1].splitlines()]
    return {cipher: figures for cipher, *figures in cells}


@pytest.fixture(scope="module")
def measured() -> dict[str, Any]:
    """`lutra bench --json` of the ciphers that README.md names, by cipher: the first variant of each."""
    said = io.StringIO()
    with contextlib.redirect_stdout(said):
        assert main(["bench", "--json", *(f"--cipher={c}" for c in (*rows(), "aes-128-ecb"))]) == 0
    return {found["cipher"]: found for found in reversed(json.loads(said.getvalue()))}


def test_the_table_of_cycles_is_what_bench_measures(measured: dict[str, Any]) -> None:
    assert len(rows()) == 9
    for cipher, figures in rows().items():
        found = measured[cipher]
        published = found["literature"]
        assert figures == [
            found["unit"],
            f"{found['steady_cycles_per_unit']:.2f}",
            f"{found['all_in_cycles_per_unit']:.2f}",
            f"{published['cycles_per_unit']:g}" if published else "-",
        ], cipher


def test_the_headline_is_what_bench_measures(measured: dict[str, Any]) -> None:
    said = re.search(r"AES-128\s+takes\s+([\d.]+)\s+cycles\s+per\s+block.*?takes\s+(\d+)\.", README, re.S)
    assert said
    found = measured["aes-128-ecb"]
    assert float(said[1]) == found["steady_cycles_per_unit"]
    assert float(said[2]) == found["literature"]["cycles_per_unit"]


def test_switching_takes_what_the_benchmarks_say() -> None:
    said = re.search(r"(\d+)\s+to\s+(\d+)\s+cycles\s+\(`./lutra\s+bench\s+--switch`\)", README)
    assert said
    matrix = BENCHMARKS.read_text().partition("| from, to |")[2].splitlines()[2:]
    cycles = [int(n) for line in matrix for n in re.findall(r"\| (\d+)", line)]
    assert len(cycles) == len(matrix) * (len(matrix) - 1) > 0
    assert all(int(said[1]) <= n <= int(said[2]) for n in cycles)


def test_some_rows_of_the_benchmarks_are_what_the_simulator_counts() -> None:
    found = bench.measure(catalogue().ciphers[::20], "iss", (), speeds=False, bounds=True)
    page = BENCHMARKS.read_text().splitlines()
    made = [
        row for result in found for row in bench_page.page([result], []).splitlines() if f"| {result.cipher} |" in row
    ]
    assert made and [row for row in made if row not in page] == []


@pytest.mark.nightly("every row of the pages, a minute; `make test` measures the rows of one cipher of twenty")
def test_the_pages_of_benchmarks_and_ciphers_are_what_the_simulator_counts(capsys: pytest.CaptureFixture[str]) -> None:
    """They are written from the core's counters; `make bench-check`, a part of the nightly run, takes these."""
    arguments = ["bench", "--page", str(BENCHMARKS), "--cipher-page", str(CIPHERS), "--check", "--engine", "iss"]
    assert main(arguments) == 0, capsys.readouterr().err


def test_every_meaning_of_a_variant_is_used() -> None:
    variants = BENCHMARKS.read_text().partition("| variant | what |")[2].partition("\n\n")[0]
    assert set(re.findall(r"^\| ([a-z\d-]+) \| \w", variants, re.M)) == set(bench_page.VARIANTS)
