"""SNOW 1.0 (Ekdahl, Johansson, 2000)."""

from __future__ import annotations

from lutra.prove.bits import Bits, Table, join, times
from lutra.prove.specifications.fields import power
from lutra.prove.specifications.modes import State

# The feedback: multiplication by x in the field of the LFSR.
_ALPHA = Bits.number(0x20108403, 32)
# The S-box of a byte: x^7 + 7 modulo x^8 + x^5 + x^3 + x + 1.
_SMALL = Table([power(x, 7, 0x12B) ^ 7 for x in range(256)])
# Where the bits of it go, bit 0 first, for each byte of a word, the least significant first.
_PLACES = (
    (30, 22, 15, 6, 28, 16, 11, 2),
    (31, 19, 9, 4, 26, 21, 8, 1),
    (27, 23, 12, 5, 25, 18, 13, 7),
    (29, 17, 14, 0, 24, 20, 10, 3),
)
STANDARD_CLOCKS, IV_CLOCKS = 64, 32


def _sbox(w: Bits) -> Bits:
    out: dict[int, Bits] = {}
    for byte, places in zip(w.bytes[::-1], _PLACES, strict=True):
        s = _SMALL[byte].reversed()
        out |= {place: s[j] for j, place in enumerate(places)}
    return join(out[place] for place in range(31, -1, -1))


def clock(state: State, initialises: bool) -> tuple[State, Bits]:
    """The state after, and the FSM's output. The LFSR's first word is the newest, a1."""
    a, (r1, r2) = state["lfsr"].parts(32), state["fsm"].parts(32)
    f = (a[0] + r1) ^ r2
    fsm = join(((f + r2).rotated(7) ^ r1, _sbox(r1)))
    w = a[6] ^ a[12] ^ a[15] ^ (f if initialises else 0)
    new = (w << 1) ^ times(w[0], _ALPHA)
    return {"lfsr": join((new, *a[:15])), "fsm": fsm}, f


class Snow1:
    """The keystream, in standard mode without an IV."""

    unit_bytes, outputs, continues = 4, True, 4

    def __init__(self, key: Bits) -> None:
        self.key = key

    def begin(self, iv: Bits) -> State:
        """Key and complement; an IV is added to a4 and a1."""
        half = [*self.key.parts(32), *(~self.key).parts(32)]
        a = half if len(self.key) == 256 else half + half
        if iv:
            a[3], a[0] = a[3] ^ iv[:32], a[0] ^ iv[32:]
        state: State = {"lfsr": join(a), "fsm": Bits.number(0, 64)}
        for _ in range(IV_CLOCKS if iv else STANDARD_CLOCKS):
            state, _out = clock(state, initialises=True)
        return state

    def step(self, state: State, text: Bits) -> tuple[State, Bits]:
        """The output is that of the FSM and a16."""
        after, f = clock(state, initialises=False)
        return after, text ^ f ^ state["lfsr"][-32:]

    def last(self, state: State, text: Bits, count: int) -> Bits:
        """A part of a word."""
        return self.step(state, text)[1]
