"""Atoms that the next path takes again.

Outputs of tables and names of sums are known by what they are made of. Where a path comes to its end, its own are free,
and the next path takes them in the same order for other inputs. An atom is free only if no path that is left has taken
it.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Hashable
from dataclasses import dataclass, field

from lutra.prove.values import Atom


@dataclass
class Reuse:
    """Atoms that the path has taken, and free ones.

    trail: what was taken, in order. log: what is taken while a result is made. last: of the unknowns.
    """

    taken: set[int] = field(default_factory=set)
    trail: list[int] = field(default_factory=list)
    log: list[int] | None = None
    last: int = 0
    _free: dict[Hashable, list[int]] = field(default_factory=dict)  # sorted, by kind; some have been taken since
    _freed: set[int] = field(default_factory=set)  # the atoms in these
    _places: dict[tuple[Hashable, int], int] = field(default_factory=dict)  # up to where these have been taken

    def take(self, atom: int) -> None:
        """The path has an atom."""
        if atom not in self.taken:
            self.taken.add(atom)
            self.trail.append(atom)
        if self.log is not None:
            self.log.append(atom)

    def again(self, atoms: tuple[int, ...]) -> None:
        """The path has a result, and so the atoms that were taken on the way to it."""
        if not self.taken.issuperset(atoms):
            left = [n for n in atoms if n not in self.taken]
            self.taken.update(left)
            self.trail += left
        if self.log is not None:
            self.log += atoms

    def release(self, since: int, atoms: list[Atom | None]) -> None:
        """Free what was taken since the trail was so long."""
        self._places = {}
        more: set[Hashable] = set()
        while len(self.trail) > since:
            atom = self.trail.pop()
            self.taken.remove(atom)
            made = atoms[atom]
            if made is not None and atom not in self._freed:
                self._freed.add(atom)
                self._free.setdefault(kind(made), []).append(atom)
                more.add(kind(made))
        for each in more:
            self._free[each].sort()

    def first(self, of: Hashable, above: int) -> int | None:
        """The first free atom of a kind that comes after all those that it will be made of.

        Where there is one that comes after all unknowns, too, it is the first of these: so paths of which each has
        more unknowns in its words than the one before take the same atoms.
        """
        atom = self._after(of, max(above, self.last))
        return self._after(of, above) if atom is None and above < self.last else atom

    def _after(self, of: Hashable, above: int) -> int | None:
        free = self._free.get(of)
        if free is None:
            return None
        key = of, above
        place = self._places[key] if key in self._places else bisect_right(free, above)
        while place < len(free) and free[place] in self.taken:
            place += 1
        self._places[key] = place
        return free[place] if place < len(free) else None

    def clear(self) -> None:
        """Free nothing of what there is."""
        self._free, self._freed, self._places = {}, set(), {}


def kind(atom: Atom) -> Hashable:
    """The kind for which an atom may be taken again: the truth table of an output, or any name."""
    return atom.name[0] if atom.kind == "table" else atom.kind
