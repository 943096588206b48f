"""ChaCha20 (RFC 8439 2.1 to 2.4). Words are in little-endian order of bytes."""

from __future__ import annotations

from lutra.prove.bits import Bits, join, named
from lutra.prove.specifications.modes import State

_CONSTANTS = Bits.of(b"expand 32-byte k")  # 2.3


def swapped(x: Bits) -> Bits:
    """The bytes of a word in reverse."""
    return join(x.bytes[::-1])


def _quarter(x: list[Bits], a: int, b: int, c: int, d: int) -> None:
    """2.1."""
    for p, q, r, turn in ((a, b, d, 16), (c, d, b, 12), (a, b, d, 8), (c, d, b, 7)):
        x[p] = x[p] + x[q]
        x[r] = named(x[r] ^ x[p]).rotated(turn)


class ChaCha20:
    """The cipher. The IV begins with the counter, of so many bits."""

    unit_bytes, outputs, continues, ahead = 64, True, 1, 4
    counter_bits = 32

    def __init__(self, key: Bits) -> None:
        self.key = key

    def begin(self, iv: Bits) -> State:
        """Counter and nonce."""
        return {"iv": iv}

    def _block(self, iv: Bits) -> Bits:
        """2.3."""
        before = [swapped(word) for word in join((_CONSTANTS, self.key, iv)).parts(32)]
        x = list(before)
        for _ in range(10):
            for i in range(4):
                _quarter(x, i, 4 + i, 8 + i, 12 + i)
            for i in range(4):
                _quarter(x, i, 4 + (i + 1) % 4, 8 + (i + 2) % 4, 12 + (i + 3) % 4)
        return join(swapped(a + b) for a, b in zip(x, before, strict=True))

    def step(self, state: State, text: Bits) -> tuple[State, Bits]:
        """2.4."""
        iv, size = state["iv"], self.counter_bits
        after = join((swapped(swapped(iv[:size]) + 1), iv[size:]))
        return {"iv": after}, text ^ self._block(iv)

    def last(self, state: State, text: Bits, count: int) -> Bits:
        """A part of a block."""
        return self.step(state, text)[1]


class Original(ChaCha20):
    """The cipher of Bernstein's paper, with a counter of 64 bits."""

    counter_bits = 64
