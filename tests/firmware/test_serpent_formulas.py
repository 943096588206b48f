"""The formulas of Serpent's S-boxes compute them, and are at most one instruction longer than the shortest."""

from __future__ import annotations

import pytest

from formulas.committed import SOURCE, Formula, formulas
from formulas.search import shortest
from formulas.truth import BOXES, INPUTS, OPERATIONS, normal, results

COMMITTED = formulas()
# As long as a shortest one; the others may have one instruction more, so that fewer wait.
HARD = ["S3", "S7", "inverse S3", "inverse S7"]


def by_macro(formula: Formula) -> str:
    return formula.macro


def test_every_box_has_a_formula() -> None:
    assert {formula.box for formula in COMMITTED} == set(BOXES)
    assert len(COMMITTED) == 26


@pytest.mark.parametrize("formula", COMMITTED, ids=by_macro)
def test_a_formula_computes_its_box(formula: Formula) -> None:
    assert formula.computes(BOXES[formula.box])


def test_a_wrong_instruction_is_found() -> None:
    text = SOURCE.read_text().replace("andnx   v4, v5, v1, v3", "andnx   v4, v1, v5, v3", 1)
    assert [f.macro for f in formulas(text) if not f.computes(BOXES[f.box])] == ["serpent_round0"]


@pytest.mark.parametrize("name", BOXES)
def test_no_formula_is_more_than_an_instruction_longer_than_the_shortest(name: str) -> None:
    longest = max(len(formula.steps) for formula in COMMITTED if formula.box == name)
    assert shortest(BOXES[name], longest - (1 if name in HARD else 2)) is None


@pytest.mark.parametrize("name", ["S1", "inverse S2"])
def test_the_search_prints_instructions_that_compute_the_box(name: str) -> None:
    registers = {f"v{n}": value for n, value in enumerate(INPUTS)}
    found = shortest(BOXES[name])
    assert found is not None
    assert len(found) == 7
    for line in found:
        operation, destination, *sources = line.replace(",", "").split()
        registers[destination] = OPERATIONS[operation](*(registers[source] for source in sources))
    assert {normal(f) for f in results(BOXES[name])} <= {normal(f) for f in registers.values()}
