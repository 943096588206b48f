"""The report of the core's code coverage (`make coverage`) fails where it should."""

from __future__ import annotations

from collections import Counter

import pytest

from rtl_coverage.report import KINDS, CodePoint, Waiver, sums, too_low, totals


def points(missing: str) -> Counter[CodePoint]:
    """A thousand points of each kind; of one kind the last five are missing."""
    counts: Counter[CodePoint] = Counter()
    for kind in KINDS:
        for line in range(1000):
            hit = kind != missing or line < 995
            counts[CodePoint("lutra_core", kind, "lutra_core.sv", line, 1, "x")] = int(hit)
    return counts


@pytest.mark.parametrize("kind", KINDS)
def test_a_missing_point_of_any_kind_is_too_low(kind: str) -> None:
    found, missing, _ = sums(points(kind), [])
    assert len(missing) == 5
    assert [fault.split()[0] for fault in too_low(totals(found))] == [kind]


def test_a_waived_point_does_not_count() -> None:
    rule = Waiver(("expr",), "lutra_core", "x", "a reason")
    found, missing, used = sums(points("expr"), [rule])
    assert not missing
    assert used[rule] == 5
    assert not too_low(totals(found))


def test_all_points_hit_is_enough() -> None:
    found, _, _ = sums(points(""), [])
    assert not too_low(totals(found))
