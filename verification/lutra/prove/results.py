"""Results that are remembered from path to path."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from operator import is_
from typing import Any

from lutra.prove.anything import Anything
from lutra.prove.limits import MOST_REMEMBERED
from lutra.prove.reuse import Reuse
from lutra.prove.values import Atom, weight


@dataclass(frozen=True)
class Result:
    """A result, and the numbers of the atoms of tables that were taken on the way to it, with the atoms as they were.
    first, last: how many bits that may be anything were taken before it and after it."""

    value: Any
    numbers: tuple[int, ...]
    parts: tuple[Atom | None, ...]
    first: int
    last: int


@dataclass
class Results:
    """Results by their keys, until they have too many atoms."""

    atoms: list[Atom | None]
    reuse: Reuse
    anything: Anything
    _known: dict[Hashable, Result] = field(default_factory=dict)
    _weight: int = 0  # atoms in these

    def once(self, key: Hashable, make: Callable[[], Any]) -> Any:
        """A result that depends on a key only: made once, as long as the atoms that it took are what they were, and it
        would take the same bits that may be anything."""
        found, reuse, anything = self._known.get(key), self.reuse, self.anything
        if (
            found is not None
            and (found.first == found.last or found.first == anything.taken)
            and all(map(is_, map(self.atoms.__getitem__, found.numbers), found.parts))
        ):
            reuse.again(found.numbers)
            anything.taken += found.last - found.first
            return found.value
        outer, reuse.log, first = reuse.log, [], anything.taken
        try:
            value = make()
        finally:
            log, reuse.log = list(dict.fromkeys(reuse.log)), outer
            if outer is not None:
                outer += log
        self._weight += weight(value)
        if self._weight > MOST_REMEMBERED:
            self.clear()
        parts = tuple(map(self.atoms.__getitem__, log))
        self._known[key] = Result(value, tuple(log), parts, first, anything.taken)
        return value

    def clear(self) -> None:
        """Remember nothing."""
        self._known, self._weight = {}, 0
