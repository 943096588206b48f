"""Random programs have every pair of accesses of the hazard table, at the distances where the interlock decides.

Pairs are counted in the words as they are written, so that a loop counts once.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from functools import cache
from itertools import pairwise, product

import pytest

from lutra.isa import Insn, load
from lutra.random import Generator, Program, defaults
from lutra.random.pairs import Pair, pairs

ISA = load()
PROGRAMS = 60
FARTHEST = max(stall.distance[-1] for stall in ISA.stalls) + 1
# What a word accesses: accesses and their cells.
Made = frozenset[tuple[str, int]]
WRITTEN = {name for stall in ISA.stalls for name in stall.writes}


@cache
def accesses(word: int) -> Made:
    """All accesses of a word."""
    insn = ISA.decode(word)
    if insn is None:
        return frozenset()
    return frozenset(
        (name, cell)
        for name, cells in insn.accesses.items()
        for cell in cells
        if any(_has(insn, word, way.fields, way.slots) for way in ISA.access_by_name[name].ways[cell])
    )


def _has(insn: Insn, word: int, fields: Mapping[str, int], slots: tuple[str, ...]) -> bool:
    wanted = all(insn.get(word, name) == value for name, value in fields.items() if name in insn.fields)
    return wanted and all(insn.get(word, slot) for slot in slots if slot in insn.fields)


def met(program: Program) -> Counter[tuple[str, str, int]]:
    """Pairs of accesses to one cell with their distance."""
    found: Counter[tuple[str, str, int]] = Counter()
    made = [accesses(word) for word in program.words]
    for at, first in enumerate(made):
        writes = [(name, cell) for name, cell in first if name in WRITTEN]
        for distance, later in enumerate(made[at + 1 : at + 1 + FARTHEST] if writes else (), 1):
            found.update((write, other, distance) for write, cell in writes for other, its in later if cell == its)
    return found


ONE_ROUND = pytest.mark.nightly("the pairs of a core with one round, of which a core with two has nearly all")


@cache
def hazards(rounds: int) -> list[Program]:
    generator = Generator(mode="hazards", rounds=rounds)
    return [generator.program(seed) for seed in range(PROGRAMS)]


@pytest.mark.parametrize("rounds", [pytest.param(n, marks=[ONE_ROUND] * (n == 1)) for n in ISA.configuration.rounds])
def test_every_pair_of_the_hazard_table_is_met_around_its_critical_distance(rounds: int) -> None:
    found: Counter[tuple[str, str, int]] = Counter()
    for program in hazards(rounds):
        found += met(program)
    wanted = [
        (pair.write.name, pair.later.name, distance)
        for pair in pairs(ISA, rounds, defaults(ISA))
        for distance in around(pair)
    ]
    assert len(wanted) > 180
    assert [row for row in wanted if row not in found] == []


def around(pair: Pair) -> range:
    """The critical distance, one less and one more."""
    return range(max(1, pair.distance - 1), pair.distance + 2)


def test_instructions_of_the_hash_unit_come_right_after_each_other() -> None:
    """After each way to write its registers, on the path and next to it, each way to read or write them."""
    unit = {access.name for access in ISA.accesses if access.resource in ("HashSum", "HashFactors")}
    seen: set[tuple[str, str]] = set()
    for program in hazards(2):
        made = [{name for name, _ in accesses(word)} & unit for word in program.words]
        seen |= {pair for one, other in pairwise(made) for pair in product(one & WRITTEN, other)}
    assert set(product(unit & WRITTEN, unit)) <= seen


def test_every_field_of_every_instruction_takes_other_values() -> None:
    """All that an operand fills; a field that the generator forgets is the same in every word."""
    values: dict[tuple[str, str], set[int]] = {}
    generators = [Generator(mode=mode, rounds=2) for mode in ("mixed", "calls")]
    for word in (word for seed in range(PROGRAMS) for g in generators for word in g.program(seed).words):
        if (insn := ISA.decode(word)) is not None:
            for name in insn.fields:
                values.setdefault((insn.name, name), set()).add(insn.get(word, name))
    # A transfer has its target elsewhere.
    assert [key for key, found in values.items() if len(found) == 1 and key[1] != "e"] == []
