"""Address arithmetic is in records: the simulator's function, the core's and Python's follow from them alone."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from lutra.isa import Isa, Pattern, Window, load, parse
from support.description import compiled, generate, lint, refusal

ISA = load()
TOP = 0xFFFF
# A delta and a wrap that the machine does not have, in a pattern's place.
NEW = """
def DeltaNew : Delta<"new", 5, 2, -3>;
def WrapNew  : Wrap<"new", 3, ">", AddrStart, AddrEnd>;
"""
OLD = "DeltaMinusStep, WrapAtOrBelow>;"
COMPARED = """
#include <cstdio>
#include "lutra_address.hpp"
int main() {
  using namespace lutra;
  std::uint16_t ar, step, start, end;
  unsigned code;
  while (std::scanf("%u %hu %hu %hu %hu", &code, &ar, &step, &start, &end) == 5)
    std::printf("%d\\n", modified(kPatterns[code].delta, kPatterns[code].wrap, {ar, step, start, end}));
}
"""


def modified(delta: str, wrap: str, ar: int, step: int, start: int, end: int) -> int:
    """The programmer's manual, written out."""
    ar += {"none": 0, "plus_row": 16, "minus_row": -16, "plus_step": step, "minus_step": -step}[delta]
    ar %= 1 << 16
    if (wrap == "at_or_above_end" and ar >= end) or (wrap == "at_or_below_end" and ar <= end):
        return start
    return ar


def cases(pattern: Pattern, isa: Isa, n: int) -> list[tuple[int, int, int, int]]:
    """Register, step and window: any, and such that the sum meets an end of the window or leaves 16 bits."""
    rng = random.Random(pattern.code)
    rows = []
    for _ in range(n):
        ar, step, start, end = (rng.choice([rng.randrange(TOP + 1), rng.randrange(64), TOP]) for _ in range(4))
        near = (ar + isa.delta(pattern).change(16, step) + rng.choice([-1, 0, 1])) & TOP
        start, end = rng.choice([(start, end), (near, end), (start, near)])
        rows.append((ar, step, start, end))
    return rows


@pytest.mark.parametrize("pattern", ISA.patterns, ids=lambda p: f"ar{p.suffix}")
def test_a_pattern_does_what_the_manual_says(pattern: Pattern) -> None:
    for ar, step, start, end in cases(pattern, ISA, 2000):
        expected = modified(pattern.delta, pattern.wrap, ar, step, start, end)
        assert ISA.modified(pattern, ar, step, Window(start, end)) == expected


def test_the_simulator_computes_the_same(tmp_path: Path) -> None:
    assert generate(tmp_path, "").returncode == 0
    _compare(tmp_path, ISA)


def test_a_new_delta_and_a_new_wrap_reach_all_languages(tmp_path: Path) -> None:
    run = generate(tmp_path, "", ((OLD, "DeltaNew, WrapNew>;"), ("class Pattern<", f"{NEW}class Pattern<")))
    assert (run.returncode, run.stderr) == (0, "")
    isa = parse((tmp_path / "gen/python/lutra/isa/tables.json").read_text())
    pattern = isa.pattern_by_suffix["-=s%"]
    assert pattern.text == "then ar = ar + 2 * 16 - 3 * step; if ar > AddrStart, ar = AddrEnd"
    assert isa.modified(pattern, 0x100, 0x10, Window(0x0F0, 0x300)) == 0x0F0
    assert isa.modified(pattern, 0x100, 0x10, Window(0x0EF, 0x300)) == 0x300
    _compare(tmp_path, isa)
    module = (tmp_path / "gen/sv/lutra_address.sv").read_text()
    assert "DeltaNew: added = '0 + addr_t'(2) * addr_t'(VectorBytes) - addr_t'(3) * of_i.step;" in module
    assert "WrapNew: if (next_o > of_i.window_start) next_o = of_i.window_end;" in module
    assert lint(tmp_path) == ""


REFUSED = {
    "a delta twice": ('def Bad : Delta<"bad", 5, 1, 0>;', "Bad: adds the same as DeltaPlusRow"),
    "a comparison that is none": ('def Bad : Wrap<"bad", 3, "==">;', "Bad: '==' is none of '', '>', '>=', '<', '<='"),
    "two that never wrap": ('def Bad : Wrap<"bad", 3>;', "Bad: code 0 is the wrap that never loads the register"),
}


@pytest.mark.parametrize("reason", REFUSED)
def test_arithmetic_without_a_meaning_is_refused(reason: str, tmp_path: Path) -> None:
    records, message = REFUSED[reason]
    assert message in refusal(tmp_path, records)


def _compare(folder: Path, isa: Isa) -> None:
    """The simulator's function against `lutra.isa`, for all patterns."""
    rows = [(p, case) for p in isa.patterns for case in cases(p, isa, 500)]
    text = "\n".join(" ".join(map(str, (p.code, *case))) for p, case in rows)
    found = [int(line) for line in compiled(folder, COMPARED, given=text).split()]
    assert found == [isa.modified(p, ar, step, Window(start, end)) for p, (ar, step, start, end) in rows]
