"""The class of which each coverpoint is one subclass."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable
from itertools import product
from math import prod
from typing import ClassVar

from isagen.coverage.dimension import Bin, Dimension
from isagen.coverage.view import View

Cross = tuple[Dimension, ...]


class Coverpoint(ABC):
    """A cross of dimensions, and the combinations that a legal program can reach."""

    name: ClassVar[str]
    text: ClassVar[str]

    def __init__(self, view: View) -> None:
        self.view = view
        self.dimensions = self.cross(view)

    @abstractmethod
    def cross(self, view: View) -> Cross:
        """Return the dimensions, the last of which changes fastest in the collector's table."""

    def bins(self, rounds: int) -> Iterable[Bin]:
        """Return the possible combinations with ROUNDS_PER_INSTR = rounds; here all."""
        return product(*(d.labels for d in self.dimensions))

    def index(self, labels: Bin) -> int:
        """Return the place of a combination in the collector's table."""
        place = 0
        for dimension, label in zip(self.dimensions, labels, strict=True):
            place = place * len(dimension.labels) + dimension.places[label]
        return place

    @property
    def size(self) -> int:
        """Counters, those of impossible combinations included."""
        return prod(len(d.labels) for d in self.dimensions)
