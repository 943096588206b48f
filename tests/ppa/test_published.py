"""Published figures next to ours: what the page takes from the data, and where it says that ours is behind."""

from __future__ import annotations

import copy
import re
from typing import Any

import pytest

from lutra.firmware.literature import Figure, Processor
from lutra.firmware.schema import convert
from lutra.isa import load
from ppa import figures, page, published
from ppa.tools import PpaError

RECORDED = figures.read()
PAGE = page.DOCS / "published-figures.md"


def test_every_figure_of_the_data_is_well_formed() -> None:
    found = published.literature()
    for figure in found["figure"]:
        convert(figure["work"], figure, Figure)
        assert figure["paper"] in found["papers"]
    for name, processor in found["processors"].items():
        convert(name, processor, Processor)
        assert processor["rows"].keys() == processor["cycles_per_unit"].keys()


def test_every_figure_of_the_data_is_on_the_page() -> None:
    text = PAGE.read_text()
    for figure in published.literature()["figure"]:
        assert f"| {figure['work']} | {figure.get('design', '-')} | " in text
        assert all(figure[key] in text for key in ("area", "power", "note") if key in figure)
    assert all(f"| {of['design']} | " in text for of in published.literature()["aes"])


@pytest.mark.parametrize(
    ("ours", "other", "said"),
    [(2.0, 3.0, "2 ▼"), (3.0, 2.0, "3"), (2.0, None, "2"), (23.95, 24.0, "23.9 ▼"), (31.999, 32.0, "32")],
)
def test_a_figure_of_ours_that_is_behind_has_a_sign(ours: float, other: float | None, said: str) -> None:
    assert published.marked(ours, other) == said


def cells(known: dict[str, Any], table: str, design: str) -> dict[str, str]:
    """Cells of a design's row, by heading; for two headings with one name the second."""
    heads, *rows = published.TABLES[table](known)
    (found,) = (row for row in rows if row[1] == design or row[0] == design)
    return dict(zip(map(str, heads), map(str, found), strict=True))


def test_gigabits_follow_the_measured_period() -> None:
    """SNOW 3G of one stream is behind HiPAcc-LTE at 1 ns no more, and far behind at 10."""
    fast, slow = copy.deepcopy(RECORDED), copy.deepcopy(RECORDED)
    fast["configurations"]["full"]["ns"], slow["configurations"]["full"]["ns"] = 0.5, 10.0
    assert cells(fast, "hipacc", "HiPAcc-LTE")["ours"].startswith("62.7; ")
    assert cells(slow, "hipacc", "HiPAcc-LTE")["ours"].startswith("3.14 ▼; ")


def test_cbc_of_one_stream_and_of_two_are_beside_each_other() -> None:
    heads, *rows = published.TABLES["aes_designs"](RECORDED)
    lutra = [row for row in rows if "Lutra" in str(row[0])]
    assert ["one stream" in str(lutra[0][0]), "two streams" in str(lutra[1][0])] == [True, True]
    assert len({len(row) for row in (heads, *rows)}) == 1
    gigabits = [float(str(row[-2]).split()[0]) for row in lutra]
    assert gigabits[1] == pytest.approx(2 * gigabits[0], rel=0.02)


def test_a_rate_of_one_stream_is_its_part_of_those_that_go_together() -> None:
    one, of_all = (float(part.split()[0]) for part in cells(RECORDED, "fpga", "A5/1")["ours"].split("; "))
    assert of_all == pytest.approx(128 * one, rel=0.01)


def test_a_row_that_the_benchmarks_lack_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    odd = {"paper": "fpga", "work": "Otter", "rows": ["otter-128 fused"]}
    monkeypatch.setattr(published, "literature", lambda: {"figure": [odd], "papers": {"fpga": ""}})
    with pytest.raises(PpaError, match=r"literature.toml: benchmarks.md has no row 'otter-128 fused'"):
        list(published.TABLES["fpga"](RECORDED))


def test_the_table_of_the_23_instructions_has_each_of_ours_once() -> None:
    """All of the ciphers' own groups, and of the stream unit those of the two ciphers; none that does not exist."""
    table = PAGE.read_text().partition("| cipher | of the 23 |")[2].partition("\n\n")[0]
    rows = [line.split(" | ") for line in table.splitlines()[2:]]
    assert sum(int(row[1]) for row in rows) == 23
    named = [name for row in rows for name in re.findall(r"`(\w+)`", "".join(row))]
    isa = load()
    groups = {g.record for g in isa.groups if g.name in ("aes", "aria", "camellia")}
    own = {i.mnemonic for i in isa.instructions if i.group in groups or i.mnemonic.startswith(("snow", "zuc"))}
    assert sorted(named) == sorted(own)
