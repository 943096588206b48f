"""The common part of breakpoints and watchpoints: numbers and changes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import count
from typing import Generic, TypeVar

from lutra.debug.errors import DebugError


@dataclass(frozen=True)
class Point:
    """A point where a run stops.

    text: as the user wrote it. condition: an expression, or "". ignore: so many passes more do not stop. hits: passes
    so far at which the condition held, counted by forward runs.
    """

    id: int
    text: str
    condition: str = ""
    ignore: int = 0
    hits: int = 0
    enabled: bool = True


P = TypeVar("P", bound=Point)


class Points(Generic[P]):
    """Points by their numbers.

    what: the noun of errors. numbers: shared by all kinds, so that no number names two. check: raises DebugError where
    a condition is none.
    """

    def __init__(self, what: str, numbers: count[int], check: Callable[[str], None]) -> None:
        self._what = what
        self._numbers = numbers
        self._check = check
        self._found: dict[int, P] = {}

    def _keep(self, found: P, condition: str, ignore: int = 0) -> P:
        if condition:
            self._check(condition)
        kept = replace(found, id=next(self._numbers), condition=condition, ignore=ignore)
        self._found[kept.id] = kept
        return kept

    def condition(self, number: int, condition: str) -> P:
        """Stop only where an expression holds; "" always. Raises DebugError."""
        if condition:
            self._check(condition)
        return self._put(replace(self[number], condition=condition))

    def ignore(self, number: int, passes: int) -> P:
        """Do not stop at the next passes. Raises DebugError."""
        return self._put(replace(self[number], ignore=passes))

    def enable(self, number: int, enabled: bool = True) -> P:
        """Raises DebugError where there is none."""
        return self._put(replace(self[number], enabled=enabled))

    def passed(self, number: int) -> bool:
        """Count a pass; whether it stops."""
        point = self[number]
        self._put(replace(point, hits=point.hits + 1, ignore=max(0, point.ignore - 1)))
        return not point.ignore

    def _put(self, point: P) -> P:
        self._found[point.id] = point
        return point

    def remove(self, number: int) -> None:
        """Raises DebugError where there is none."""
        del self._found[self[number].id]

    def clear(self) -> None:
        """Remove all."""
        self._found.clear()

    @property
    def active(self) -> list[P]:
        """Return all enabled points."""
        return [point for point in self if point.enabled]

    def __getitem__(self, number: int) -> P:
        if number not in self._found:
            raise DebugError(f"no {self._what} {number}; `info {self._what}s` shows all")
        return self._found[number]

    def __contains__(self, number: int) -> bool:
        return number in self._found

    def __iter__(self) -> Iterator[P]:
        return iter(list(self._found.values()))

    def __len__(self) -> int:
        return len(self._found)
