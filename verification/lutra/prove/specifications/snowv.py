"""SNOW-V (Ekdahl, Johansson, Maximov, Yang, ToSC 2019(3)) and SNOW 5G (TS 35.240), which has other constants.

Numbers are in little-endian order of bytes: of 16 bits in the LFSRs, of 32 or 16 in the sums.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from lutra.prove.bits import Bits, join, times
from lutra.prove.specifications import aes
from lutra.prove.specifications.modes import State

_SIGMA = (0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15)
Words = list[Bits]


def _swapped(x: Bits) -> Bits:
    return join(x.bytes[::-1])


def _words(x: Bits) -> Words:
    return [_swapped(word) for word in x.parts(16)]


def _bytes(words: Words) -> Bits:
    return join(map(_swapped, words))


def _double(x: Bits, constant: int) -> Bits:
    """Times the generator of a field of 16 bits."""
    return (x << 1) ^ times(x[0], Bits.number(constant, 16))


def _halved(x: Bits, constant: int) -> Bits:
    return (x >> 1) ^ times(x[-1], Bits.number(constant, 16))


def _sum(x: Bits, y: Bits, width: int) -> Bits:
    return join(_swapped(_swapped(a) + _swapped(b)) for a, b in zip(x.parts(width), y.parts(width), strict=True))


def _aes_round(x: Bits) -> Bits:
    """A round of AES with a key of zeros."""
    return aes.mix_columns(aes.shift_rows(aes.sub_bytes(x)))


def _step_v(a: Words, b: Words) -> tuple[Bits, Bits]:
    return (
        _double(a[0], 0x990F) ^ a[1] ^ _halved(a[8], 0xCC87) ^ b[0],
        _double(b[0], 0xC963) ^ b[3] ^ _halved(b[8], 0xE4B1) ^ a[0],
    )


def _step_5g(a: Words, b: Words) -> tuple[Bits, Bits]:
    return _double(a[0], 0x4A6D) ^ a[7] ^ b[0], _double(b[0], 0xCC87) ^ b[8] ^ a[0]


@dataclass(frozen=True)
class Variant:
    """width: of the sums. tap: the first word of A that the FSM takes. step: the next words of A and B."""

    width: int
    tap: int
    step: Callable[[Words, Words], tuple[Bits, Bits]]


V, FIVE_G = Variant(32, 0, _step_v), Variant(16, 8, _step_5g)


class SnowV:
    """The keystream, 16 bytes per clock."""

    unit_bytes, outputs, continues = 16, True, 1

    def __init__(self, key: Bits, variant: Variant = V) -> None:
        self.key, self.variant = key, variant

    def _clock(self, state: State) -> tuple[State, Bits]:
        """The FSM, and eight steps of the LFSRs."""
        a, b, width = _words(state["a"]), _words(state["b"]), self.variant.width
        r1, r2, r3 = (state[name] for name in ("r1", "r2", "r3"))
        z = _sum(r1, _bytes(b[8:]), width) ^ r2
        turned = _sum(r2, r3 ^ _bytes(a[self.variant.tap : self.variant.tap + 8]), width).bytes
        for _ in range(8):
            new_a, new_b = self.variant.step(a, b)
            a, b = [*a[1:], new_a], [*b[1:], new_b]
        fsm = {"r1": join(turned[i] for i in _SIGMA), "r2": _aes_round(r1), "r3": _aes_round(r2)}
        return {"a": _bytes(a), "b": _bytes(b), **fsm}, z

    def begin(self, iv: Bits) -> State:
        """Sixteen clocks whose output enters A; the key enters R1 after the last two."""
        key, nothing = self.key, Bits.number(0, 128)
        state: State = {"a": join((iv, key[:128])), "b": join((nothing, key[128:]))}
        state = {**state, "r1": nothing, "r2": nothing, "r3": nothing}
        for n in range(16):
            after, z = self._clock(state)
            entering = {14: key[:128], 15: key[128:]}.get(n, nothing)
            state = {**after, "a": join((after["a"][:128], after["a"][128:] ^ z)), "r1": after["r1"] ^ entering}
        return state

    def step(self, state: State, text: Bits) -> tuple[State, Bits]:
        """The output is taken before the clock."""
        after, z = self._clock(state)
        return after, text ^ z

    def last(self, state: State, text: Bits, count: int) -> Bits:
        """A part of a block."""
        return self.step(state, text)[1]
