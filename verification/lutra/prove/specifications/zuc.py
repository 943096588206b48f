"""ZUC-128 (TS 35.222). A cell of the LFSR is a word whose first bit does not count."""

from __future__ import annotations

from lutra.prove.bits import ZERO, Bits, Table, join, multiple, total
from lutra.prove.residues import add31
from lutra.prove.specifications.fields import inverse, table
from lutra.prove.specifications.modes import State
from lutra.prove.specifications.sums import Summed

# Table 3.1.
S0 = Table(
    list(
        bytes.fromhex(
            "3e725b47cae0003304d1549809b96dcb7b1bf932af9d6aa5b82dfc1d08530390"
            "4d4e8499e4ced991ddb685488b296eaccdc1f81e734369c6b5bdfd396320d438"
            "767db2a7cfed57c5f32cbb142106559be3ef5e314f7f5aa40d8251495fba581c"
            "4a16d517a892241f8cffd8ae2e01d3ad3b4bda46ebc9de9a8f87d73a806f2fc8"
            "b1b437f70a2213287ccc3c89c7c3965607bf7ef00b2b975235417961a64c10fe"
            "bc2695888ab0a3fbc01894f2e1e5e95dd0dc1166645cec59427512f5749caa23"
            "0e86abbe2a02e767e644a26cc2939ff1f6fa36d250689e6271153dd640c4e20f"
            "8e83776b25053f0c30ea70b7a1e8a9658d271adb81b3a0f4457a19dfee783460"
        )
    )
)
# The columns of the matrix of S1 (3.4.1), for bits from the most significant on.
_COLUMNS = (0x77, 0xBB, 0xDD, 0xEE, 0xCB, 0x6D, 0x3E, 0x97)


def _s1(x: int) -> int:
    """An affine map of the inverse modulo x^8 + x^7 + x^3 + x + 1."""
    y, out = inverse(x, 0x18B), 0x55
    for i, column in enumerate(_COLUMNS):
        out ^= column if y >> 7 - i & 1 else 0
    return out


S1 = table(_s1)
# The constants d_i of 15 bits (3.5).
D = [
    *(0x44D7, 0x26BC, 0x626B, 0x135E, 0x5789, 0x35E2, 0x7135, 0x09AF),
    *(0x4D78, 0x2F13, 0x6BC4, 0x1AF1, 0x5E26, 0x3C4D, 0x789A, 0x47AC),
]


def _sbox(x: Bits) -> Bits:
    """S0, S1, S0, S1 (3.4.2)."""
    return join(box[byte] for box, byte in zip((S0, S1, S0, S1), x.bytes, strict=True))


def _turned(x: Bits, turns: tuple[int, ...]) -> Bits:
    """L1 and L2 (3.4.3)."""
    return total(x.rotated(n) for n in (0, *turns))


def clock(state: State, initialises: bool) -> tuple[State, Bits]:
    """Bit reorganisation, F and the LFSR (3.2 to 3.4); the state after, and W ^ X3.

    Multiplication by 2^n modulo 2^31 - 1 is a rotation. Cells are never 0, so neither is a sum.
    """
    cells, (r1, r2) = [word[1:] for word in state["lfsr"].parts(32)], state["fsm"].parts(32)
    high, low = [s[:16] for s in cells], [s[15:] for s in cells]
    x0, x1 = join((high[15], low[14])), join((low[11], high[9]))
    x2, x3 = join((low[7], high[5])), join((low[2], high[0]))
    w = (x0 ^ r1) + r2
    w1, w2 = r1 + x1, r2 ^ x2
    fsm = join(
        (
            _sbox(_turned(join((w1[16:], w2[:16])), (2, 10, 18, 24))),
            _sbox(_turned(join((w2[16:], w1[:16])), (8, 14, 22, 30))),
        )
    )
    terms = [cells[15].rotated(15), cells[13].rotated(17), cells[10].rotated(21), cells[4].rotated(20)]
    terms += [cells[0].rotated(8), cells[0]]
    if initialises:
        terms.append((w >> 1)[1:])
    new = join((Bits.number(0, 1), add31(*terms)))
    return {"lfsr": join((state["lfsr"][32:], new)), "fsm": fsm}, w ^ x3


class Zuc:
    """The keystream, XORed with words."""

    unit_bytes, outputs, continues = 4, True, 4

    def __init__(self, key: Bits) -> None:
        self.key = key

    def begin(self, iv: Bits) -> State:
        """With the clock of 3.6.2 that is discarded."""
        return clock(self.initialised(iv), initialises=False)[0]

    def initialised(self, iv: Bits) -> State:
        """3.5 and 3.6.1."""
        cells = (
            join((Bits.number(0, 1), k, Bits.number(d, 15), v))
            for k, d, v in zip(self.key.bytes, D, iv.bytes, strict=True)
        )
        state: State = {"lfsr": join(cells), "fsm": Bits.number(0, 64)}
        for _ in range(32):
            state, _out = clock(state, initialises=True)
        return state

    def step(self, state: State, text: Bits) -> tuple[State, Bits]:
        """3.6.2."""
        after, z = clock(state, initialises=False)
        return after, text ^ z

    def last(self, state: State, text: Bits, count: int) -> Bits:
        """A part of a word."""
        return self.step(state, text)[1]

    def twice(self) -> Summed:
        """With what firmware that computes twice compares."""
        return Summed(self)


WORD, FIRST = 32, 63  # bits of T, and where it begins in the sum


def windows(selected: Bits, z: Bits) -> Bits:
    """The sum of words of the keystream that begin at the one bits of a word, which is the second one of z."""
    terms = (multiple(selected[i], z)[WORD + i : 2 * WORD + i] for i in range(len(selected)))
    return total([Bits.number(0, WORD), *terms])


def coefficients(text: Bits, z: Bits) -> Bits:
    """Carry-less product of four words by a word in reverse, of which the hash unit folds the end to the beginning."""
    whole = total(join((ZERO[:i], multiple(text[31 - i], z), ZERO[: WORD - i])) for i in range(WORD))
    folded = (join((ZERO[:n], whole[128:], ZERO))[:128] for n in (0, 1, 2, 7))
    return total((whole[:128], *folded))


class Eia3:
    """128-EIA3 (EEA3 and EIA3, document 1, 4): T, to which a one bit of the message adds the keystream from there on.

    z: the word before the message's next word, and three from there on. sum: T in a row, of which firmware keeps
    everything; what is around T is in no tag.
    """

    unit_bytes, outputs, continues = 4, False, 4

    def __init__(self, key: Bits) -> None:
        self.cipher = Zuc(key)

    def begin(self, iv: Bits) -> State:
        """T is zero. The word before the first one is that which is discarded."""
        state, z = self.cipher.initialised(iv), []
        for _ in range(4):
            state, word = clock(state, initialises=False)
            z.append(word)
        return {**state, "z": join(z), "sum": Bits.number(0, 128)}

    def step(self, state: State, text: Bits) -> tuple[State, Bits]:
        """4.4: a whole word."""
        after, word = clock(state, initialises=False)
        t, around = self._t(state) ^ windows(text, state["z"]), state["sum"] ^ coefficients(text, state["z"])
        summed = join((around[:FIRST], t, around[FIRST + WORD :]))
        return {**after, "z": join((state["z"][WORD:], word)), "sum": summed}, t

    @staticmethod
    def _t(state: State) -> Bits:
        return state["sum"][FIRST : FIRST + WORD]

    def last(self, state: State, text: Bits, count: int) -> Bits:
        """The tag is the only output."""
        raise NotImplementedError

    def tag(self, state: State, unit: Bits, bits: int) -> Bits:
        """4.5: the windows of the last bits and that after them, and the last word of the keystream."""
        if bits == WORD:
            state, _ = self.step(state, unit)
            unit, bits = unit[:0], 0
        z = state["z"]
        t = self._t(state) ^ windows(unit[:bits], z) ^ z[WORD:][bits : bits + WORD]
        end = z[3 * WORD :] if bits else z[2 * WORD : 3 * WORD]
        return join((t ^ end, Bits.number(0, 96)))
