"""Weighted choices, and the names by which weights speak of an instruction."""

from __future__ import annotations

from bisect import bisect
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import accumulate
from typing import Generic, TypeVar

from lutra.isa import Insn, Isa

T = TypeVar("T")


class WeightsError(Exception):
    """Weights that leave no choice."""


class Picker(Generic[T]):
    """A weighted choice, made from a number in [0, 1)."""

    def __init__(self, weighted: Iterable[tuple[T, float]]) -> None:
        kept = [(item, weight) for item, weight in weighted if weight > 0]
        if not kept:
            raise WeightsError("all that could be chosen somewhere has the weight 0")
        self.items: Sequence[T] = [item for item, _ in kept]
        self._sums = list(accumulate(weight for _, weight in kept))
        self._total = self._sums[-1]

    def __call__(self, point: float) -> T:
        return self.items[bisect(self._sums, point * self._total, 0, len(self._sums) - 1)]


def tags(insn: Insn) -> list[str]:
    """Return all that weights can name of an instruction: mnemonic, blocks and functions on its path, operand kinds."""
    return [
        f"insn:{insn.mnemonic}",
        *(f"block:{step.block}" for step in insn.path),
        *(f"does:{function}" for function in dict.fromkeys(step.function for step in insn.path)),
        *(f"kind:{kind}" for kind in dict.fromkeys(o.kind for o in insn.operands)),
    ]


def weight_of(insn: Insn, weights: Mapping[str, float]) -> float:
    """Return the product of the weights of all tags of an instruction."""
    product = 1.0
    for tag in tags(insn):
        product *= weights[tag]
    return product


def picker_of(names: Iterable[tuple[T, str]], weights: Mapping[str, float]) -> Picker[T]:
    """Make a picker of items by the weights of their names."""
    return Picker((item, weights[name]) for item, name in names)


def instructions(isa: Isa, wanted: Callable[[Insn], bool], weights: Mapping[str, float]) -> Picker[Insn]:
    """Make a picker of the instructions that are wanted."""
    return Picker((i, weight_of(i, weights)) for i in isa.instructions if wanted(i))
