"""Assign registers to values: exact search, so that it finds an assignment wherever there is one within its limit."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

# Choices until the search gives up; programs that fit need a few for each value.
MOST_STEPS = 50_000


@dataclass
class Problem:
    """Values by number: the registers that each may have, as bits, and what must differ or be neighbours.

    pairs: (a, b): b has the register after that of a, which is even. order: in which values are chosen where nothing
    else decides.
    """

    registers: list[int] = field(default_factory=list)
    apart: list[set[int]] = field(default_factory=list)
    pairs: list[tuple[int, int]] = field(default_factory=list)
    order: list[int] = field(default_factory=list)

    def add(self, registers: int, order: int) -> int:
        """Add a value; return its number."""
        self.registers.append(registers)
        self.apart.append(set())
        self.order.append(order)
        return len(self.order) - 1

    def differ(self, a: int, b: int) -> None:
        """Two values are alive at the same time."""
        if a != b:
            self.apart[a].add(b)
            self.apart[b].add(a)


def solve(problem: Problem) -> Sequence[int] | None:
    """Return a register for each value; None if there is no assignment, or none is found."""
    partner: dict[int, list[tuple[int, int]]] = {}
    even = sum(1 << n for n in range(0, 64, 2))
    domain = list(problem.registers)
    for a, b in problem.pairs:
        partner.setdefault(a, []).append((b, 1))
        partner.setdefault(b, []).append((a, -1))
        domain[a] &= even
        domain[b] &= even << 1
    return _Search(problem, partner).run(domain)


class _Search:
    def __init__(self, problem: Problem, partner: Mapping[int, list[tuple[int, int]]]) -> None:
        self._problem, self._partner = problem, partner

    def run(self, domain: list[int]) -> list[int] | None:
        """Choose one value after the other; go back where one has no register left."""
        steps = 0
        open_ = set(range(len(domain)))
        if not all(domain):
            return None
        # What was chosen, the registers that are left to try, and the domains before.
        trail: list[tuple[int, int, list[int]]] = []
        while open_:
            value = min(open_, key=lambda v: (domain[v].bit_count(), self._problem.order[v]))
            left, before = domain[value], domain
            while True:
                steps += 1
                if steps > MOST_STEPS:
                    return None
                if left:
                    chosen = left & -left
                    left ^= chosen
                    tried = self._with(before, value, chosen)
                    if tried is None:
                        continue
                    trail.append((value, left, before))
                    open_.discard(value)
                    domain = tried
                    break
                if not trail:
                    return None
                value, left, before = trail.pop()
                open_.add(value)
        return [bits.bit_length() - 1 for bits in domain]

    def _with(self, domain: list[int], value: int, chosen: int) -> list[int] | None:
        """Return the registers that are left after a choice; None if a value has none."""
        out = list(domain)
        out[value] = chosen
        todo = [value]
        while todo:
            at = todo.pop()
            bit = out[at]
            for other in self._problem.apart[at]:
                if out[other] & bit:
                    out[other] &= ~bit
                    if not out[other]:
                        return None
                    if out[other].bit_count() == 1:
                        todo.append(other)
            for other, by in self._partner.get(at, ()):
                wanted = bit << 1 if by > 0 else bit >> 1
                if not out[other] & wanted:
                    return None
                if out[other] != wanted:
                    out[other] = wanted
                    todo.append(other)
        return out
