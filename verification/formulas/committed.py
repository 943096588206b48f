"""The formulas of `firmware/serpent/rounds.inc`, and what they compute."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import permutations
from pathlib import Path

from formulas.truth import INPUTS, OPERATIONS, normal, results

SOURCE = Path(__file__).parents[2] / "firmware/serpent/rounds.inc"
# The S-box of a macro by its name; `last` is that of the last round.
NAMES = {
    r"serpent_(?:round|key_box)(\d)": "S{}",
    r"serpent_inverse_round(\d)": "inverse S{}",
    "serpent_last": "S7",
    "serpent_inverse_last": "inverse S0",
}
MACRO = re.compile(r"^ +\.macro +(\w+)\n(.*?)^ +\.endm", re.MULTILINE | re.DOTALL)
LINE = re.compile(r" +(\w+) +(\w+)((?:, \w+)+)")


@dataclass(frozen=True)
class Formula:
    """A macro, the name of its S-box, and its logic of registers: operation, destination, sources."""

    macro: str
    box: str
    steps: tuple[tuple[str, str, tuple[str, ...]], ...]

    def computes(self, box: Sequence[int]) -> bool:
        """Whether the results of an S-box or their complements are among the values, for inputs in any order."""
        wanted = {normal(function) for function in results(box)}
        inputs = _read_first(self.steps)
        return len(inputs) == len(INPUTS) and any(
            wanted <= {normal(value) for value in self._values(dict(zip(inputs, order, strict=True)))}
            for order in permutations(INPUTS)
        )

    def _values(self, registers: dict[str, int]) -> Iterator[int]:
        for operation, destination, sources in self.steps:
            registers[destination] = OPERATIONS[operation](*(registers[source] for source in sources))
            yield registers[destination]


def formulas(text: str | None = None) -> list[Formula]:
    """The formulas of a source."""
    found = []
    for macro, body in MACRO.findall(SOURCE.read_text() if text is None else text):
        for pattern, box in NAMES.items():
            if name := re.fullmatch(pattern, macro):
                found.append(Formula(macro, box.format(*name.groups()), tuple(_logic(body.splitlines()))))
    return found


def _logic(lines: Iterable[str]) -> Iterator[tuple[str, str, tuple[str, ...]]]:
    """Instructions of a formula: logic of registers, none of which the mixing has written."""
    mixed: set[str] = set()
    for line in lines:
        step = LINE.fullmatch(line)
        sources = step[3].removeprefix(", ").split(", ") if step else []
        if step and step[1] in OPERATIONS and not mixed & set(sources):
            mixed.discard(step[2])
            yield step[1], step[2], tuple(sources)
        else:
            mixed.update(re.findall(r"v\d", line.partition(",")[0] if "{" not in line else line.partition("}")[0]))


def _read_first(steps: Sequence[tuple[str, str, tuple[str, ...]]]) -> list[str]:
    """Registers that are read before they are written."""
    written: set[str] = set()
    found: dict[str, None] = {}
    for _, destination, sources in steps:
        found.update(dict.fromkeys(source for source in sources if source not in written))
        written.add(destination)
    return list(found)
