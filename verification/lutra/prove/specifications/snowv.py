"""SNOW-V (Ekdahl, Johansson, Maximov, Yang, A new SNOW stream cipher called SNOW-V, IACR ToSC 2019(3)), and SNOW 5G
(3GPP TS 35.240), the same machine with other multiplications and sums.
"""

from __future__ import annotations

from collections.abc import Sequence

from lutra.prove.bits import Bits, join, named, times
from lutra.prove.specifications.aes import mix_columns, shift_rows, sub_bytes
from lutra.prove.specifications.modes import State

# 2.1: what multiplication and division by alpha and beta add to a word that shifts out a one.
_ALPHA, _ALPHA_INVERSE, _BETA, _BETA_INVERSE = 0x990F, 0xCC87, 0xC963, 0xE4B1
_ALPHA_5G, _BETA_5G = 0x4A6D, 0xCC87  # TS 35.240
_SIGMA = (0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15)  # 2.2
Words = Sequence[Bits]


def _times(x: Bits, c: int) -> Bits:
    return (x << 1) ^ times(x[0], Bits.number(c, 16))


def _divided(x: Bits, c: int) -> Bits:
    return (x >> 1) ^ times(x[-1], Bits.number(c, 16))


def _round(x: Bits) -> Bits:
    """A round of AES with a key of zero (2.2)."""
    return mix_columns(shift_rows(sub_bytes(x)))


def _words(x: Bits, width: int) -> list[Bits]:
    """Words of which the first byte is the lowest."""
    return [join(word.bytes[::-1]) for word in x.parts(width)]


def _bytes(words: Words) -> Bits:
    """The bytes of such words."""
    return join(byte for word in words for byte in word.bytes[::-1])


class SnowV:
    """The keystream, XORed with rows.

    The state is A and B, word 0 first, the registers of the FSM, and what R3 is after the next step, which firmware has
    computed already. New words of A and B have names: without these they would be sums of all words before.
    """

    unit_bytes, outputs, continues = 16, True, 1
    ahead = 4  # rows that name words: those of a pass of the loop, and the next
    moving = True
    lane = 32  # bits of a sum

    def __init__(self, key: Bits) -> None:
        self.key = key

    def begin(self, iv: Bits) -> State:
        """2.4: 16 steps, the output into A; the key into R1 after the last two."""
        first, second = self.key.parts(128)
        none = Bits.number(0, 128)
        a, b = _words(join((iv, first)), 16), _words(join((none, second)), 16)
        state = {"a": join(a), "b": join(b), "r1": none, "r2": none, "r4": _round(none), **self._third(none, a)}
        for n in range(16):
            state = self._stepped(state, _words(self._output(state), 16))
            if n >= 14:
                state["r1"] = state["r1"] ^ (first, second)[n - 14]
        return state

    def _sum(self, x: Bits, y: Bits) -> Bits:
        """The sums modulo 2^32 (2.2), or 2^16."""
        return _bytes([a + b for a, b in zip(_words(x, self.lane), _words(y, self.lane), strict=True)])

    def _output(self, state: State) -> Bits:
        """2.3: z = (R1 + T1) ^ R2."""
        return self._sum(state["r1"], _bytes(state["b"].parts(16)[8:])) ^ state["r2"]

    @staticmethod
    def _third(r3: Bits, _: Words) -> dict[str, Bits]:
        """The third register; the words of A."""
        return {"r3": r3}

    @staticmethod
    def _with_a(state: State) -> Bits:
        """R3 ^ T2 (2.2)."""
        return state["r3"] ^ _bytes(state["a"].parts(16)[:8])

    @staticmethod
    def _clocked(a: Words, b: Words) -> tuple[Bits, Bits]:
        """2.1: the next words of A and B."""
        new_a = _times(a[0], _ALPHA) ^ a[1] ^ _divided(a[8], _ALPHA_INVERSE) ^ b[0]
        return new_a, _times(b[0], _BETA) ^ b[3] ^ _divided(b[8], _BETA_INVERSE) ^ a[0]

    def _stepped(self, state: State, into: Words) -> dict[str, Bits]:
        """The FSM (2.2), then eight clocks of the LFSRs (2.1); what is added to the new words of A."""
        a, b = state["a"].parts(16), state["b"].parts(16)
        moved = self._sum(state["r2"], self._with_a(state)).bytes
        r2 = _round(state["r1"])
        for extra in into:
            new_a, new_b = self._clocked(a, b)
            a, b = [*a[1:], named(new_a ^ extra)], [*b[1:], named(new_b)]
        fsm = {"r1": join(moved[n] for n in _SIGMA), "r2": r2, **self._third(state["r4"], a), "r4": _round(r2)}
        return {"a": join(a), "b": join(b), **fsm}

    def step(self, state: State, text: Bits) -> tuple[State, Bits]:
        """2.3."""
        return self._stepped(state, [Bits.number(0, 16)] * 8), text ^ self._output(state)

    def last(self, state: State, text: Bits, count: int) -> Bits:
        """A part of a row."""
        return self.step(state, text)[1]


class Snow5g(SnowV):
    """256-NEA4. T2 are the upper words of A; firmware keeps its sum with R3."""

    lane = 16

    @staticmethod
    def _third(r3: Bits, a: Words) -> dict[str, Bits]:
        return {"r3 ^ t2": r3 ^ _bytes(a[8:])}

    @staticmethod
    def _with_a(state: State) -> Bits:
        return state["r3 ^ t2"]

    @staticmethod
    def _clocked(a: Words, b: Words) -> tuple[Bits, Bits]:
        return _times(a[0], _ALPHA_5G) ^ a[7] ^ b[0], _times(b[0], _BETA_5G) ^ b[8] ^ a[0]
