"""Names of sums: atoms that stand for them in all that is computed from them.

A sum of sums of products and so on has ever more atoms, and products of sums have no form that comparing finds. So a
specification names words that firmware has in a register as well, such as the inputs of S-boxes: the name of a sum is
an atom, which is its value. Where the machine makes a sum that has a name, it goes on with that.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from lutra.prove.values import Bit, Values

# A sum of more atoms has a name anyway: firmware computes what nobody asks for, in unused blocks of a group.
MOST = 128
_ONE: Bit = frozenset((0,))


@dataclass
class Names:
    """The names of sums and of their complements. atom: makes one by the sum that it is."""

    atom: Callable[[str, Bit, Callable[[Values], int]], Bit]
    known: dict[Bit, Bit] = field(default_factory=dict)

    def named(self, word: Iterable[Bit]) -> Iterable[Bit]:
        """The bits of a word, each with a name from here on; an atom and its complement need none."""
        return map(self._name, word)

    def found(self, word: Iterable[Bit]) -> Iterable[Bit]:
        """The bits of a word, by their names as far as they have one, or are too long."""
        return (self.known.get(bit, bit) if len(bit) <= MOST else self._name(bit) for bit in word)

    def _name(self, bit: Bit) -> Bit:
        if bit in self.known:
            return self.known[bit]
        plain = bit - _ONE
        if len(plain) < 2:
            return bit
        made = self.atom("name", plain, lambda values: values.of(plain))
        self.known[plain], self.known[plain ^ _ONE] = made, made ^ _ONE
        return self.known[bit]
