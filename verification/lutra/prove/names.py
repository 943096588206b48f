"""Names of sums: atoms that stand for them in all that is computed from them.

A sum of sums of products and so on has ever more atoms, and products of sums have no form that comparing finds. So a
specification names words that firmware has in a register as well, such as the inputs of S-boxes: the name of a sum is
an atom, which is its value. Where the machine makes a sum that has a name, it goes on with that.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from lutra.prove.anything import Anything
from lutra.prove.reuse import Reuse
from lutra.prove.values import Bit

# A sum of more atoms has a name anyway: firmware computes what nobody asks for, in unused blocks of a group.
MOST = 128
NONE: Bit = frozenset()
_ONE: Bit = frozenset((0,))


@dataclass
class Names:
    """The names of sums and of their complements. make: a name of a sum. reuse: the atoms that the path has. anything:
    those that no sum with a name has."""

    make: Callable[[Bit], Bit]
    reuse: Reuse
    anything: Anything
    known: dict[Bit, Bit] = field(default_factory=dict)
    _sums: dict[Bit, set[Bit]] = field(default_factory=dict)  # of a sum that has a name and of others, by the first

    def named(self, word: Iterable[Bit]) -> Iterable[Bit]:
        """The bits of a word, each with a name from here on; an atom and its complement need none."""
        return map(self._name, word)

    def found(self, word: Iterable[Bit]) -> Iterable[Bit]:
        """The bits of a word, by their names as far as they have one, or are too long. A sum of which a bit that may be
        anything is a part may be anything, too."""
        known, apart, out = self.known, self.anything.apart, list[Bit]()
        for bit in word:
            if len(bit) > 1:
                if not apart(bit):
                    bit = self.anything.bit()
                elif bit in known:
                    bit = self._found(bit)
                elif len(bit) > MOST:
                    bit = self._name(bit)
            out.append(bit)
        return out

    def plus(self, word: Iterable[Bit], other: Iterable[Bit]) -> None:
        """Find a word that has names in its sum with another one, too, whose atoms come before these names."""
        for bit, more in zip(word, other, strict=True):
            name = self.known.get(bit)
            if name is None or max(name) <= max(more, default=0):
                continue
            for one in (NONE, _ONE):
                if (sum_ := bit ^ more ^ one) not in self.known:
                    self.known[sum_] = name ^ more ^ one
                    self._sums.setdefault(bit, set()).add(sum_)

    def free(self, sum_: Bit) -> None:
        """A sum has its name no longer."""
        del self.known[sum_], self.known[sum_ ^ _ONE]
        for of in (sum_, sum_ ^ _ONE):
            for other in self._sums.pop(of, ()):
                self.known.pop(other, None)

    def _found(self, bit: Bit) -> Bit:
        found = self.known[bit]
        self.reuse.take(max(found))
        return found

    def _name(self, bit: Bit) -> Bit:
        found = self.known.get(bit)
        if found is not None and (0 not in found or max(found) in self.reuse.taken):
            return self._found(bit)
        if len(bit) - (0 in bit) < 2:
            return bit
        # It is the name itself, and not the complement of one that another path had: so paths of which the padding is
        # at other places have the same.
        made = self.make(bit)
        self.known[bit], self.known[bit ^ _ONE] = made, made ^ _ONE
        return self._found(bit)
