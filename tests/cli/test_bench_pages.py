"""The pages that `lutra bench` writes: docs/benchmarks.md and docs/ciphers.md."""

from __future__ import annotations

import dataclasses
import shutil
from pathlib import Path
from typing import Any

import pytest

from lutra.cli import bench_page, cipher_page
from lutra.cli.errors import CliError
from lutra.firmware import bench, switch
from lutra.firmware.ciphers import Cipher, Literature
from lutra.firmware.literature import Document
from lutra.firmware.manifest import load as load_manifest
from lutra.firmware.schema import convert

SHORT = bench.Message()
RESULT = bench.Result(
    "otter-128-ctr", "fused", "rtl", "block", 256, 6.0, 6.0625, SHORT, 43, 267, 15, 11, None, None, None
)


def test_a_page_has_a_row_per_result_and_check_names_what_differs(tmp_path: Path) -> None:
    text = bench_page.page([RESULT], [switch.Switch("otter-128-ctr", "zuc-128", 497, 200, 60, 0)])
    assert "| otter-128-ctr | fused | block | 6.00 | - | 6.06 | 43 | - | 267 | 15 | 11 |" in text
    assert "| fused | two rounds per instruction |" in text and "six-streams" not in text
    page = tmp_path / "page.md"
    bench_page.settle({page: text}, check=False)
    bench_page.settle({page: text}, check=True)
    page.write_text(text.replace("6.06", "6.07"))
    with pytest.raises(CliError, match=r"page.md:\d+: is .*6\.07.*, measured .*6\.06"):
        bench_page.settle({page: text}, check=True)
    page.write_text(text + "\n")
    with pytest.raises(CliError, match="lines"):
        bench_page.settle({page: text}, check=True)


@pytest.mark.parametrize(("bound", "shown"), [(6.0, "optimal"), (5.996, "optimal"), (5.5, "5.50")])
def test_a_row_says_how_far_it_is_from_its_bound(bound: float, shown: str) -> None:
    text = bench_page.page([dataclasses.replace(RESULT, bound=bound)], [])
    assert f"| otter-128-ctr | fused | block | 6.00 | {shown} | 6.06 |" in text


OTTER = """
cipher = "otter"
[defaults]
unit = "block"
key_bits = [128, 256]
[[algorithm]]
name = "otter-{bits}-ecb"
[[algorithm]]
name = "otter-{bits}-cbc"
[[algorithm]]
name = "otter-{bits}-cbc-x2"
[[algorithm]]
name = "otter-{bits}-cmac"
kind = "mac"
[[algorithm]]
name = "otter-{bits}-gcm"
kind = "gcm"
"""
VOLE = """
cipher = "vole"
[[algorithm]]
name = "vole"
unit = "word"
key_bits = [128]
"""


def cipher_rows(folder: Path, rates: dict[tuple[str, str], float], **published: Any) -> dict[str, list[list[str]]]:
    """Rows by heading of the page, of ciphers that take so many cycles per unit; `all_in` is a quarter more."""
    ciphers: list[Cipher] = []
    for name, manifest in (("otter", OTTER), ("vole", VOLE)):
        (folder / name).mkdir()
        (folder / name / "firmware.toml").write_text(manifest)
        (folder / name / f"{name}.s").touch()
        ciphers += load_manifest(folder / name / "firmware.toml")
    results = [
        dataclasses.replace(RESULT, cipher=cipher, variant=variant, steady=cycles, all_in=1.25 * cycles, **published)
        for (cipher, variant), cycles in rates.items()
    ]
    sections = cipher_page.page(results, ciphers).split("\n## ")[1:]
    return {
        title: [[cell.strip() for cell in line.strip("|").split("|")] for line in lines if line.startswith("|")]
        for title, *lines in map(str.splitlines, sections)
    }


def test_the_page_of_ciphers_has_the_fastest_variant_by_kind(tmp_path: Path) -> None:
    fast = {("otter-128-cmac", "fused"): 16.0, ("vole", "one-stream"): 2.0, ("vole", "baseline"): 4.0}
    rows = cipher_rows(tmp_path, fast | {("otter-128-gcm", "fused"): 8.0, ("otter-128-gcm", "fused-decrypt"): 16.0})
    heads = ["algorithm", "variant", "cycles per byte", "bits per cycle", "all-in"]
    assert rows == {
        "Stream ciphers": [[*heads, "published"], ["---"] * 6, ["vole", "one-stream", "0.5", "16", "12.8", "-"]],
        "Authenticated encryption and key wrap": [
            [*heads, "decryption", "published"],
            ["---"] * 7,
            ["otter-128-gcm", "fused", "0.5", "16", "12.8", "8", "-"],
        ],
        "MACs and CRCs": [
            [*heads, "published"],
            ["---"] * 6,
            ["otter-128-cmac", "fused", "1", "8", "6.4", "-"],
        ],
        "Sources": [],
    }


def test_algorithms_of_the_same_rates_share_a_row_with_those_of_several_messages(tmp_path: Path) -> None:
    rates = {
        ("otter-128-ecb", "fused"): 4.0,
        ("otter-128-ecb", "fused-decrypt"): 8.0,
        ("otter-128-cbc", "single-stream"): 8.0,
        ("otter-256-cbc", "single-stream"): 8.0,
        ("otter-128-cbc-x2", "two-streams"): 4.0,
        ("otter-256-cbc-x2", "two-streams"): 4.0,
        ("otter-256-cbc", "fused-decrypt"): 4.0,
    }
    heads, _, *rows = cipher_rows(tmp_path, rates)["Block ciphers"]
    assert heads[5:] == ["one message", "decryption", "published"]
    assert rows == [
        ["otter-128-ecb", "fused", "0.25", "32", "25.6", "32", "16", "-"],
        ["otter-128-cbc, otter-256-cbc", "two-streams", "0.25", "32", "25.6", "16", "32", "-"],
    ]


def test_a_figure_of_the_same_work_is_shown_in_bits_per_cycle(tmp_path: Path) -> None:
    same_work = Literature("Weasel: Mink, 2017", 10.0)
    rows = cipher_rows(tmp_path, {("otter-128-ecb", "fused"): 4.0}, literature=same_work)
    assert rows["Block ciphers"][-1][-1] == "12.8 (Weasel)"


def test_all_published_rates_of_a_design_are_shown_with_their_sources(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    published: list[dict[str, Any]] = [
        {"paper": "a", "work": "Vole", "design": "Stoat", "algorithms": ["vole"], "bits_per_cycle": 11.6},
        {"paper": "b", "work": "Vole", "design": "Marten", "algorithms": ["vole"], "cycles_per_unit": 4},
    ]
    literature = {"papers": {"a": "2019", "b": "2020"}, "processors": {}, "figure": published}
    monkeypatch.setattr("lutra.firmware.literature.document", lambda: convert("", literature, Document))
    rates = {("vole", "one-stream"): 3.2}
    assert cipher_rows(tmp_path, rates)["Stream ciphers"][-1][-1] == "11.6 (Stoat) ▼, 8 (Marten)"
    published[1]["design"] = "Stoat"
    for name in ("otter", "vole"):
        shutil.rmtree(tmp_path / name)
    with pytest.raises(CliError, match=r"'Stoat: 2020' and 'Stoat: 2019' have the same text before the colon"):
        cipher_rows(tmp_path, rates)


def test_a_variant_without_its_meaning_has_no_page() -> None:
    with pytest.raises(CliError, match="has no explanation of the variant 'plain'"):
        bench_page.check_variants(["fused", "plain", "fused-decrypt"])
