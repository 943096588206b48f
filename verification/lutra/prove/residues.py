"""Sums modulo 2^31 - 1, as ZUC's LFSR has them."""

from __future__ import annotations

from collections import Counter

from lutra.prove.atoms import Word, current
from lutra.prove.bits import Bits

PRIME = 2**31 - 1


def _residue(*words: int) -> int:
    """The sum modulo 2^31 - 1, where 0 is written as 2^31 - 1 unless all words are 0."""
    total = sum(words)
    return (total - 1) % PRIME + 1 if total else 0


def add31(*words: Bits) -> Bits:
    """The sum of words of 31 bits, each 0 to 2^31 - 1, modulo 2^31 - 1 with the same choice of words.

    It is 0 only where all words are. So it is associative and commutative, and a word twice is not the word rotated:
    sums are equal if they have equal words.
    """
    known = _residue(*(word.value for word in words if word.known))
    terms: Counter[Word] = Counter(word for word in words if not word.known)
    if known:
        terms[Bits.number(known, 31)] += 1
    # In an order that does not depend on that of the words here.
    ordered = sorted(terms.elements(), key=current().numbered)
    if len(ordered) == 1:
        return Bits(ordered[0])
    return Bits(current().function("sum modulo 2^31 - 1", "add31", 31, _residue, *ordered))
