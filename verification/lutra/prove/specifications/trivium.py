"""Trivium (De Canniere, Preneel, Trivium specifications, eSTREAM, 2005)."""

from __future__ import annotations

from lutra.prove.bits import Bits, join
from lutra.prove.specifications.modes import State

# The newest 128 bits of each shift register are kept, newest first. Bits beyond its length are ignored.
_KEPT = 128


def clock(state: State) -> tuple[State, Bits]:
    """2.1: the state after, and a bit of the keystream. s_i of the registers: i, i - 93, i - 177."""
    a, b, c = state["a"], state["b"], state["c"]
    t1, t2, t3 = a[65] ^ a[92], b[68] ^ b[83], c[65] ^ c[110]
    z = t1 ^ t2 ^ t3
    t1 = t1 ^ (a[90] & a[91]) ^ b[77]
    t2 = t2 ^ (b[81] & b[82]) ^ c[86]
    t3 = t3 ^ (c[108] & c[109]) ^ a[68]
    after = {name: join((new, old[: _KEPT - 1])) for name, new, old in (("a", t3, a), ("b", t1, b), ("c", t2, c))}
    return after, z


def _loaded(bits: Bits) -> Bits:
    """Key or IV into a register: as eSTREAM has them, the first bit is that of the last byte."""
    return join((*bits.bytes[::-1], Bits.number(0, _KEPT - len(bits))))


class Trivium:
    """The keystream, 16 bytes at a time; the first bit of each byte is its last."""

    unit_bytes, outputs, continues = 16, True, 1

    def __init__(self, key: Bits) -> None:
        self.key = key

    def begin(self, iv: Bits) -> State:
        """2.2."""
        ones = Bits.number(0b111 << _KEPT - 111, _KEPT)
        state: State = {"a": _loaded(self.key), "b": _loaded(iv), "c": ones}
        for _ in range(4 * 288):
            state, _z = clock(state)
        return state

    def step(self, state: State, text: Bits) -> tuple[State, Bits]:
        """128 steps."""
        stream = []
        for _ in range(8 * self.unit_bytes):
            state, z = clock(state)
            stream.append(z)
        return state, text ^ join(join(stream[at : at + 8]).reversed() for at in range(0, len(stream), 8))

    def last(self, state: State, text: Bits, count: int) -> Bits:
        """A part of a row."""
        return self.step(state, text)[1]
