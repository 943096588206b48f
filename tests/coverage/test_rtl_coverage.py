"""The report of the core's code coverage (`make coverage`) fails where it should."""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path

import pytest

from rtl_coverage import report
from rtl_coverage.report import GROUPS, KINDS, WAIVERS, CodePoint, ReportError, Waiver, sums, too_low, totals, waivers

PLAIN = {"PROTECT": 0, "WIPE": 0, "SHADOW_WORDS": 0, "KEY_ROWS": 0, "ALERT": 0, "HasClose": 0}
PROTECTED = {"PROTECT": 1, "WIPE": 1, "SHADOW_WORDS": 16, "KEY_ROWS": 0, "ALERT": 1, "HasClose": 1}


def points(missing: str) -> Counter[CodePoint]:
    """A thousand points of each kind; of one kind the last five are missing."""
    counts: Counter[CodePoint] = Counter()
    for kind in KINDS:
        for line in range(1000):
            hit = kind != missing or line < 995
            counts[CodePoint("lutra_core", kind, "lutra_core.sv", line, 1, "x", f"code {line}")] = int(hit)
    return counts


def waiver(code: str, when: tuple[tuple[str, int], ...] = ()) -> Waiver:
    return Waiver(("expr",), "lutra_core", "x", "a reason", code, when)


@pytest.mark.parametrize("kind", KINDS)
def test_a_missing_point_of_any_kind_is_too_low(kind: str) -> None:
    found = sums(points(kind), [])
    assert len(found.missing) == 5
    assert [fault.split()[0] for fault in too_low(totals(found.by_module))] == [kind]


def test_a_waived_point_does_not_count() -> None:
    rule = waiver("code 99[5-9]", (("WIPE", 0),))
    found = sums(points("expr"), [rule])
    assert not found.missing and not found.faults
    assert found.used[rule] == found.groups["parameter", "expr"] == 5
    assert not too_low(totals(found.by_module))


def test_all_points_hit_is_enough() -> None:
    assert not too_low(totals(sums(points(""), []).by_module))


@pytest.mark.parametrize("when", [(), (("WIPE", 0),)])
def test_a_waiver_of_points_that_are_all_hit_is_wrong(when: tuple[tuple[str, int], ...]) -> None:
    found = sums(points("expr"), [waiver("code 99[5-9]", when), waiver("code 4", when)])
    assert found.faults and all("code" not in fault for fault in found.faults)
    assert any("nothing that is missing" in fault for fault in found.faults)


def test_a_waiver_of_a_parameter_is_wrong_where_one_of_its_points_is_hit() -> None:
    found = sums(points("expr"), [waiver("code 99[4-9]", (("WIPE", 0),))])
    assert [fault.partition(": ")[2] for fault in found.faults] == [
        "its core hits lutra_core.sv:994: lutra_core: expr x"
    ]
    assert not sums(points("expr"), [waiver("code 99[4-9]")]).faults, "others are patterns of what mostly is not hit"


def listed(tmp_path: Path, more: str) -> Path:
    path = tmp_path / "waivers.toml"
    path.write_text(f'[[waive]]\nkinds = ["line"]\nmodule = "lutra_control"\nwhat = "else"\nreason = "so"\n{more}\n')
    return path


def test_a_waiver_is_for_cores_with_its_parameters(tmp_path: Path) -> None:
    path = listed(tmp_path, "when = { WIPE = 0, PROTECT = 0 }")
    assert [rule.group for rule in waivers(path, PLAIN)] == ["parameter"]
    assert waivers(path, PLAIN | {"PROTECT": 1}) == waivers(path, PROTECTED) == []


@pytest.mark.parametrize(
    ("more", "message"),
    [("when = { WIPES = 0 }", "no parameter WIPES"), ('tried = "tests/faults/test_none.py"', "no file tests/faults")],
)
def test_a_waiver_that_names_what_there_is_not_is_refused(tmp_path: Path, more: str, message: str) -> None:
    with pytest.raises(ReportError, match=message):
        waivers(listed(tmp_path, more), PLAIN)


@pytest.mark.parametrize("core", [PLAIN, PROTECTED])
def test_each_waiver_has_a_reason_and_a_known_parameter(core: dict[str, int]) -> None:
    rules = waivers(WAIVERS, core)
    assert all(rule.reason and rule.group in GROUPS for rule in rules)
    assert any(rule.group == "fault" for rule in rules) == bool(core["PROTECT"])


@pytest.mark.parametrize(
    ("hits", "more", "message"),
    [
        ((1, 0), "", ""),
        ((1, 0), "when = { KEY_ROWS = 0 }", ""),
        ((1, 1), "", "nothing that is missing"),
        ((0, 0), "", "line coverage is 0.00 %, below 100.0 %"),
        ((1, 0), "code = 'other'", "line coverage is 50.00 %, below 100.0 %"),
        ((1, 0), 'what = "if|else"\nwhen = { KEY_ROWS = 0 }', "its core hits lutra_control.sv:45"),
    ],
)
def test_the_command_judges_counts_and_waivers(
    hits: tuple[int, int],
    more: str,
    message: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Two points of a file of Verilator's, of which the waiver is for the second."""
    path = listed(tmp_path, more)
    if more.startswith("what"):
        path.write_text(path.read_text().replace('what = "else"\n', ""))
    (tmp_path / "data").mkdir()
    lines = ["# SystemC::Coverage-3"]
    for what, hit in zip(("if", "else"), hits, strict=True):
        keys = {
            "f": "rtl/lutra_control.sv",
            "l": "45",
            "n": "3",
            "t": "line",
            "page": "v_line/lutra_control",
            "o": what,
        }
        name = "".join(f"\x01{key}\x02{value}" for key, value in keys.items())
        lines.append(f"C '{name}\x01h\x02top' {hit}")
    (tmp_path / "data" / "a.dat").write_text("\n".join(lines) + "\n")
    monkeypatch.setattr(report, "WAIVERS", path)
    monkeypatch.setattr(sys, "argv", ["report", str(tmp_path / "data"), "--page", str(tmp_path / "rtl.md")])
    assert report.main() == int(bool(message))
    assert message in capsys.readouterr().err
