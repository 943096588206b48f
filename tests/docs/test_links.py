"""What the documents refer to exists, and the figures of README.md are those that are measured."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from lutra.cli.main import main
from lutra.firmware import bench
from support.documents import DOCUMENTS, ROOT, anchors, name, prose

# Links go by the place that `make docs` gives a generated page.
GENERATED = {ROOT / "docs/isa-reference.md": ROOT / "build/gen/docs/isa-reference.md"}
LINK = re.compile(r"\]\(([^)\s]+)\)")


def links(document: Path) -> Iterator[tuple[int, str, str]]:
    """Line, target and anchor of every link that stays within the checkout."""
    for number, line in prose(document):
        for target in LINK.findall(re.sub(r"`[^`]*`", "", line)):
            if "://" not in target and not target.startswith("mailto:"):
                path, _, anchor = target.partition("#")
                yield number, path, anchor


@pytest.mark.parametrize("document", DOCUMENTS, ids=name)
def test_links_resolve(document: Path) -> None:
    wrong = []
    for number, path, anchor in links(document):
        target = (document.parent / path).resolve() if path else document
        target = GENERATED.get(target, target)
        if not target.exists() or (anchor and anchor not in anchors(target)):
            wrong.append(f"{name(document)}:{number}: {path}{'#' if anchor else ''}{anchor}")
    assert not wrong


def test_a_generated_page_is_not_committed() -> None:
    assert not [page for page in GENERATED if page.exists()]


# ------------------------------------------------------------------------------- figures of README.md

README = (ROOT / "README.md").read_text()
CIPHERS_OF_KEY_SCHEDULE = {bits: f"aes-{bits}-ctr" for bits in (128, 192, 256)}
# Variants of `lutra bench` by the table's words.
VARIANTS = {
    "two rounds an instruction": "fused",
    "two packed blocks": "packed",
    "one block, two rounds an instruction": "unpacked",
    "one stream": "single-stream",
    "two streams": "two-streams",
    "six streams": "six-streams",
    "one stream, cycles a word": "one-stream",
    "two streams, cycles a word": "two-streams",
    "one round, the paper's manner": "baseline",
    "two instructions a word, the paper's manner": "baseline",
    "64 bit a cycle, cycles a byte": "64-bit",
}


def rows() -> list[tuple[str, str, list[str]]]:
    """(cipher, variant of bench, steady, all-in and published) of the table of cycles."""
    table = re.search(r"^\| cipher \| variant \|.*\n\| --- .*\n((?:\|.*\n)+)", README, re.M)
    assert table, "README.md has no table of cycles"
    found = []
    for line in table[1].splitlines():
        cipher, variant, *figures = [cell.strip() for cell in line.strip("|").split("|")]
        cipher, _, direction = cipher.partition(", ")
        assert variant in VARIANTS, f"say in this test what {variant!r} is called in `lutra bench`"
        found.append((cipher, VARIANTS[variant] + ("-decrypt" if direction == "decryption" else ""), figures))
    return found


@pytest.fixture
def measured(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> dict[tuple[str, str], Any]:
    """`lutra bench --engine iss --json` of the ciphers that README.md names, by cipher and variant."""
    monkeypatch.setattr(bench, "MIPS_SECONDS", 0.0)
    ciphers = dict.fromkeys([*(cipher for cipher, _, _ in rows()), *CIPHERS_OF_KEY_SCHEDULE.values()])
    assert main(["bench", "--engine", "iss", "--json", *(w for c in ciphers for w in ("--cipher", c))]) == 0
    return {(found["cipher"], found["variant"]): found for found in json.loads(capsys.readouterr().out)}


def test_the_table_of_cycles_is_what_bench_measures(measured: dict[tuple[str, str], Any]) -> None:
    for cipher, variant, figures in rows():
        found = measured[cipher, variant]
        published = found["literature"]
        digits = 3 if found["unit"] == "byte" else 2
        assert figures == [
            f"{found['steady_cycles_per_unit']:.{digits}f}",
            f"{found['all_in_cycles_per_unit']:.{digits}f}",
            f"{published['cycles_per_unit']:g}" if published else "-",
        ], f"{cipher}, {variant}"


def test_the_headline_is_what_bench_measures(measured: dict[tuple[str, str], Any]) -> None:
    said = re.search(r"AES-128 takes ([\d.]+) cycles a block.*?takes (\d+)\.", README, re.S)
    assert said
    found = measured["aes-128-ecb", "fused"]
    assert float(said[1]) == found["steady_cycles_per_unit"]
    assert float(said[2]) == found["literature"]["cycles_per_unit"]


def test_switching_takes_what_bench_measures(capsys: pytest.CaptureFixture[str]) -> None:
    said = re.search(r"job of another it takes (\d+) to (\d+) cycles", README)
    both_banks = re.search(r"(\d+) cycles for both banks", README)
    assert said and both_banks
    assert main(["bench", "--switch", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)["switches"]
    assert len(found) == 6 * 5
    assert all(int(said[1]) <= s["cycles"] <= int(said[2]) for s in found)
    assert {s["tables"] for s in found if s["to"] in ("camellia-128-ctr", "snow3g", "zuc-128")} == {int(both_banks[1])}


def test_the_key_schedule_takes_what_bench_measures(measured: dict[tuple[str, str], Any]) -> None:
    said = re.search(
        r"key schedule runs on the core: (\d+), (\d+) and (\d+) cycles for keys of 128, 192 and 256", README
    )
    assert said
    cycles = [measured[c, "fused"]["setup_cycles"]["key_schedule"] for c in CIPHERS_OF_KEY_SCHEDULE.values()]
    assert [int(n) for n in said.groups()] == cycles
