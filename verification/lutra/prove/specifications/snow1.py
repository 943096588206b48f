"""SNOW 1.0 (Ekdahl, Johansson, SNOW - a new stream cipher, NESSIE, 2000)."""

from __future__ import annotations

from lutra.prove.bits import Bits, Table, join, named, times, total
from lutra.prove.specifications.fields import power
from lutra.prove.specifications.modes import State

# x^7 + 7 modulo x^8 + x^5 + x^3 + x + 1, for each byte of a word; then its bits change places: those of each byte, the
# least significant one and bit 0 first.
_SEVENTH = [power(x, 7, 0x12B) ^ 7 for x in range(256)]
_PLACES = (
    (30, 22, 15, 6, 28, 16, 11, 2),
    (31, 19, 9, 4, 26, 21, 8, 1),
    (27, 23, 12, 5, 25, 18, 13, 7),
    (29, 17, 14, 0, 24, 20, 10, 3),
)
S = [Table([sum((s >> n & 1) << to for n, to in enumerate(places)) for s in _SEVENTH], 32) for places in _PLACES[::-1]]
_ALPHA = 0x20108403
_ROW = 4  # words


def _sbox(word: Bits) -> Bits:
    return total(table[byte] for table, byte in zip(S, word.bytes, strict=True))


def _alpha(word: Bits) -> Bits:
    """The product with alpha."""
    return (word << 1) ^ times(word[0], Bits.number(_ALPHA, 32))


class Snow1:
    """The keystream, XORed with words.

    s are the words of the LFSR, a16 to a1, and a row after them, which firmware has computed already; r1, r2 the
    registers of the FSM. What the last row of keystream is made of is in f and old: firmware writes the row later. New
    words of the LFSR have names: without these they would be sums of all words before.
    """

    unit_bytes, outputs, continues = 4, True, 16
    clocks = 64
    # Words that name those of the LFSR: those of a pass of the loop, of the next, and the row after it.
    ahead, moving = 36, True
    peeled, behind = 1, -_ROW

    def __init__(self, key: Bits) -> None:
        self.key = key

    def begin(self, iv: Bits) -> State:
        """The state after all clocks whose F is fed back, and a row of the LFSR more."""
        none = Bits.number(0, 32)
        s, r1, r2 = self.mixed(iv)
        for _ in range(_ROW):
            s = self.longer(s)
        return {"s": join(s), "r1": r1, "r2": r2, "f": join([none] * _ROW), "old": join([none] * _ROW)}

    def mixed(self, iv: Bits) -> tuple[list[Bits], Bits, Bits]:
        """The key, its complement, both again if it is short, and an IV; clocks whose F is fed back."""
        half = self.key.parts(32)[::-1]
        half = [~word for word in half] + half
        s = half if len(half) == 16 else half + half
        if iv:
            second, first = iv.parts(32)
            s[12], s[15] = s[12] ^ second, s[15] ^ first
        none = Bits.number(0, 32)
        r1 = r2 = none
        for _ in range(self.clocks):
            f, r1, r2 = self.fsm(s[15], r1, r2)
            s = self.longer(s, f)[1:]
        return s, r1, r2

    @staticmethod
    def fsm(newest: Bits, r1: Bits, r2: Bits) -> tuple[Bits, Bits, Bits]:
        """F, and the registers after the clock."""
        f = (newest + r1) ^ r2
        return f, (f + r2).rotated(7) ^ r1, _sbox(r1)

    @staticmethod
    def longer(s: list[Bits], fed_back: Bits | None = None) -> list[Bits]:
        """Words of the LFSR, and the next one. Firmware has their sum in a register unless F is fed back."""
        word = s[-16] ^ s[-13] ^ s[-7]
        word = named(word) if fed_back is None else word ^ fed_back
        return [*s, named(_alpha(word))]

    def step(self, state: State, text: Bits) -> tuple[State, Bits]:
        """A clock, and a word of keystream: F and a16."""
        s = state["s"].parts(32)
        f, r1, r2 = self.fsm(s[15], state["r1"], state["r2"])
        last = {"f": join((state["f"][32:], f)), "old": join((state["old"][32:], s[0]))}
        after = self.longer(s)[1:]
        return {"s": join(after), "r1": r1, "r2": r2, **last}, text ^ f ^ s[0]

    def earlier(self, state: State, units: int, unit: Bits) -> Bits:
        """A word of the last row."""
        f, old = (state[name].parts(32)[-units] for name in ("f", "old"))
        return unit ^ f ^ old

    def last(self, state: State, text: Bits, count: int) -> Bits:
        """A part of a word."""
        return self.step(state, text)[1]


class Iv(Snow1):
    """IV mode."""

    clocks = 32


class Four:
    """Four streams, each of a key of its own, and of an IV in IV mode: words of data belong to them by turns.

    s0 to s15 are the words of the LFSR, a16 to a1, in rows of one word of each stream, as the registers of the FSM are.
    Firmware has the rows in a window of memory, so the oldest one is where it was after sixteen clocks.
    """

    unit_bytes, outputs, continues = 16, True, 16
    one = Snow1

    def __init__(self, key: Bits) -> None:
        self.keys = key.parts(len(key) // 4)

    def begin(self, iv: Bits) -> State:
        """All streams after their clocks."""
        ivs = iv.parts(64) if iv else [iv] * 4
        mixed = [self.one(key).mixed(part) for key, part in zip(self.keys, ivs, strict=True)]
        s = {f"s{n}": join(words) for n, words in enumerate(zip(*(s for s, _, _ in mixed), strict=True))}
        return {**s, "r1": join(r1 for _, r1, _ in mixed), "r2": join(r2 for _, _, r2 in mixed)}

    def step(self, state: State, text: Bits) -> tuple[State, Bits]:
        """A clock of each, and a row of keystream."""
        clocked = [self._clock(*words) for words in zip(*(row.parts(32) for row in state.values()), strict=True)]
        rows = [join(words) for words in zip(*clocked, strict=True)]
        return dict(zip(state, rows, strict=False)), text ^ rows[-1]

    @staticmethod
    def _clock(*words: Bits) -> list[Bits]:
        """A stream's words after a clock, and its word of keystream."""
        *s, r1, r2 = words
        f, *registers = Snow1.fsm(s[15], r1, r2)
        return [*s[1:], _alpha(s[0] ^ s[3] ^ s[9]), *registers, f ^ s[0]]

    def last(self, state: State, text: Bits, count: int) -> Bits:
        """There is none: messages have whole rows."""
        raise NotImplementedError


class FourIv(Four):
    """Four streams in IV mode."""

    one = Iv
