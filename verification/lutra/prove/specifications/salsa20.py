"""Salsa20/20 (Bernstein, Salsa20 specification, 2005). Words are in little-endian order of bytes."""

from __future__ import annotations

from lutra.prove.bits import Bits, join
from lutra.prove.specifications.chacha20 import swapped
from lutra.prove.specifications.modes import State

# Section 4: row i, beginning with the word on the diagonal; section 5: columns.
_ROWS = [[4 * i + (i + j) % 4 for j in range(4)] for i in range(4)]
_COLUMNS = [[4 * ((i + j) % 4) + i for j in range(4)] for i in range(4)]


def _quarter(y: list[Bits], places: list[int]) -> None:
    """Section 3."""
    for at, n in ((1, 7), (2, 9), (3, 13), (0, 18)):
        y[places[at]] ^= (y[places[at - 1]] + y[places[at - 2]]).rotated(n)


class Salsa20:
    """The keystream of a nonce; blocks are counted from 0."""

    unit_bytes, outputs, continues = 64, True, 1

    def __init__(self, key: Bits) -> None:
        text = [Bits.of((b"expand %d-byte k" % (len(key) // 8))[at : at + 4]) for at in range(0, 16, 4)]
        self.parts = text[0], key[:128], text[1], text[2], key[-128:], text[3]

    def begin(self, iv: Bits) -> State:
        """The nonce, and the number of the block."""
        return {"nonce": iv, "count": Bits.number(0, 64)}

    def _block(self, nonce: Bits, count: Bits) -> Bits:
        """Sections 8 and 9."""
        c0, k0, c1, c2, k1, c3 = self.parts
        before = [swapped(word) for word in join((c0, k0, c1, nonce, swapped(count), c2, k1, c3)).parts(32)]
        x = list(before)
        for _ in range(10):
            for places in (*_COLUMNS, *_ROWS):
                _quarter(x, places)
        return join(swapped(a + b) for a, b in zip(x, before, strict=True))

    def step(self, state: State, text: Bits) -> tuple[State, Bits]:
        """Section 10."""
        after = {"nonce": state["nonce"], "count": state["count"] + 1}
        return after, text ^ self._block(state["nonce"], state["count"])

    def last(self, state: State, text: Bits, count: int) -> Bits:
        """A part of a block."""
        return self.step(state, text)[1]
