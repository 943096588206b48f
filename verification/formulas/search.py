"""Runs the search, and writes what it finds as instructions."""

from __future__ import annotations

import subprocess
from collections.abc import Sequence
from itertools import permutations
from pathlib import Path

from formulas.truth import INPUTS, PAIRS, TRIPLES, normal

PROGRAM = Path(__file__).parents[2] / "build/formulas/formulas_search"
NICE = 15
# More than any of the boxes needs.
MOST = 9


def shortest(box: Sequence[int], most: int = MOST) -> list[str] | None:
    """Return the instructions of a shortest formula: v0 to v3 are the inputs, each result is in a register of its own.

    None if there is none of at most `most` instructions. Results may be complements.
    """
    table = "".join(f"{y:x}" for y in box)
    command = ["nice", "-n", str(NICE), str(PROGRAM), table, str(most)]
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    if run.returncode not in (0, 1):
        raise RuntimeError(run.stderr)
    return instructions([int(line, 16) for line in run.stdout.split()]) if run.returncode == 0 else None


def instructions(functions: Sequence[int]) -> list[str]:
    """Return instructions that make functions in their order, or their complements, from the inputs before them."""
    made, found = list(INPUTS), []
    for function in functions[len(INPUTS) :]:
        text, value = _instruction(made, function)
        found.append(text.format(len(made)))
        made.append(value)
    return found


def _instruction(made: Sequence[int], function: int) -> tuple[str, int]:
    """An instruction that makes a function or its complement of those made, and which of the two it makes."""
    for a, b in permutations(range(len(made)), 2):
        for name, operation in PAIRS.items():
            pair = operation(made[a], made[b])
            if normal(pair) == function:
                return f"{name} v{{}}, v{a}, v{b}", pair
            for c, third in enumerate(made):
                if normal(pair ^ third) == function:
                    return f"{TRIPLES[name]} v{{}}, v{a}, v{b}, v{c}", pair ^ third
    raise ValueError(f"no instruction makes {function:04x}")
