"""SNOW 3G (TS 35.216), and SNOW 2.0 (Ekdahl, Johansson, A new version of the stream cipher SNOW, SAC 2002)."""

from __future__ import annotations

from functools import partial

from lutra.prove.bits import Bits, Table, join, times
from lutra.prove.galois import product64
from lutra.prove.specifications import aes
from lutra.prove.specifications.fields import power, table
from lutra.prove.specifications.modes import State
from lutra.prove.specifications.sums import Summed


def _mulx_power(c: int, n: int) -> int:
    """MULxPOW with the polynomial 0xa9 (3.1.2)."""
    for _ in range(n):
        c = (c << 1 ^ 0xA9) & 0xFF if c & 0x80 else c << 1
    return c


def _words(exponents: tuple[int, ...]) -> list[Table]:
    return [table(partial(_mulx_power, n=n)) for n in exponents]


# 3.4.2, 3.4.3: the bytes of MULalpha and DIValpha.
ALPHA, ALPHA_INVERSE = _words((23, 245, 48, 239)), _words((16, 39, 6, 64))
SR = aes.SBOX


def _dickson(x: int) -> int:
    """SQ (3.3.2): a sum of powers modulo x^8 + x^6 + x^5 + x^3 + 1, plus 0x25."""
    out = 0x25
    for n in (1, 9, 13, 15, 33, 41, 45, 47, 49):
        out ^= power(x, n, 0x169)
    return out


SQ = table(_dickson)


def _mulx(x: Bits, c: int) -> Bits:
    return (x << 1) ^ times(x[0], Bits.number(c, 8))


def _sbox(box: Table, w: Bits, c: int) -> Bits:
    """S1 and S2 (3.3.1, 3.3.2)."""
    b = [box[byte] for byte in w.bytes]
    x = [_mulx(byte, c) for byte in b]
    return join(x[i] ^ b[(i + 1) % 4] ^ b[(i + 2) % 4] ^ b[i - 1] ^ x[i - 1] for i in range(4))


def clock(state: State, initialises: bool) -> tuple[State, Bits]:
    """The FSM and the LFSR (3.4.4 to 3.4.6); the state after, and F."""
    s, (r1, r2, r3) = state["lfsr"].parts(32), state["fsm"].parts(32)
    out = (s[15] + r1) ^ r2
    fsm = join((r2 + (r3 ^ s[5]), _sbox(SR, r1, 0x1B), _sbox(SQ, r2, 0x69)))
    v = (s[0] << 8) ^ join(t[s[0][:8]] for t in ALPHA) ^ s[2]
    v = v ^ (s[11] >> 8) ^ join(t[s[11][24:]] for t in ALPHA_INVERSE)
    return {"lfsr": join((*s[1:], v ^ out if initialises else v)), "fsm": fsm}, out


class Snow3g:
    """The keystream, XORed with words."""

    unit_bytes, outputs, continues = 4, True, 4

    def __init__(self, key: Bits) -> None:
        self.key = key

    def begin(self, iv: Bits) -> State:
        """4.1, and the clock of 4.2 that is discarded."""
        k = self.key.parts(32)
        return self._started([~word for word in k] + k, iv.parts(32))

    def _started(self, half: list[Bits], v: list[Bits]) -> State:
        """From half of the LFSR, which the other half has again, or its complement, and words of the IV."""
        s = half + ([~word for word in half[4:]] + half[4:] if len(self.key) == 128 else [~word for word in half])
        for place, word in ((9, v[3]), (10, v[2]), (12, v[1]), (15, v[0])):
            s[place] = s[place] ^ word
        state: State = {"lfsr": join(s), "fsm": Bits.number(0, 96)}
        for _ in range(32):
            state, _out = self.clock(state, initialises=True)
        return self.clock(state, initialises=False)[0]

    @staticmethod
    def clock(state: State, initialises: bool) -> tuple[State, Bits]:
        """3.4.4 to 3.4.6."""
        return clock(state, initialises)

    def step(self, state: State, text: Bits) -> tuple[State, Bits]:
        """4.2."""
        after, out = self.clock(state, initialises=False)
        return after, text ^ out ^ state["lfsr"][:32]

    def last(self, state: State, text: Bits, count: int) -> Bits:
        """A part of a word."""
        return self.step(state, text)[1]

    def twice(self) -> Summed:
        """With what firmware that computes twice compares."""
        return Summed(self)


class Snow2(Snow3g):
    """SNOW 2.0, section 2: without the third register of the FSM. Key and IV have their last word first."""

    def begin(self, iv: Bits) -> State:
        """A key of four words and its complement, or one of eight words."""
        k = self.key.parts(32)[::-1]
        return self._started([~word for word in k] + k if len(k) == 4 else [~word for word in k], iv.parts(32)[::-1])

    @staticmethod
    def clock(state: State, initialises: bool) -> tuple[State, Bits]:
        """R3 stays zero."""
        after, out = clock({**state, "fsm": join((state["fsm"][:64], Bits.number(0, 32)))}, initialises)
        return {**after, "fsm": after["fsm"][:64]}, out


class F9:
    """UIA2 (TS 35.215 4). A unit is half of a block; half: the first one of a block that is not whole yet.

    The message has less than 2^32 bits, so the first half of LENGTH is zero.
    """

    unit_bytes, outputs, continues, counted = 4, False, 4, ("length",)

    def __init__(self, key: Bits) -> None:
        self.stream = Snow3g(join(key.parts(32)[::-1]))  # 4.2: K3 is the first word

    def begin(self, iv: Bits) -> State:
        """4.3.1: z1 to z5 are P, Q and a mask."""
        state, z = self.stream.begin(iv), []
        for _ in range(5):
            state, word = self.stream.step(state, Bits.number(0, 32))
            z.append(word)
        zero = {"v": Bits.number(0, 64), "length": Bits.number(0, 32)}
        return {**zero, "p": join(z[:2]), "q": join(z[2:4]), "mask": z[4]}

    def begin_job(self) -> State:
        """A job begins with a block."""
        return {"half": Bits.number(0, 32), "begun": Bits.number(0, 1)}

    def following(self, state: State) -> State:
        """P and Q with their bits in reverse, as the hash unit has them."""
        return {"p reversed": state["p"].reversed(), "q reversed": state["q"].reversed()}

    def step(self, state: State, text: Bits) -> tuple[State, Bits]:
        """4.3.2: V = MUL(V ^ M, P, c) for a block M."""
        after = {**state, "length": state["length"] + 32}
        if not state["begun"].value:
            return {**after, "half": text, "begun": Bits.number(1, 1)}, state["v"]
        v = product64(state["v"] ^ join((state["half"], text)), state["p"])
        return {**after, **self.begin_job(), "v": v}, v

    def last(self, state: State, text: Bits, count: int) -> Bits:
        """The tag is the only output."""
        raise NotImplementedError

    def tag(self, state: State, unit: Bits, bits: int) -> Bits:
        """4.3.2: the last block is filled with zeros; LENGTH, Q and the mask."""
        length, v, begun = state["length"] + bits, state["v"], state["begun"].value
        if bits or begun:
            unit = join((unit[:bits], Bits.number(0, 32 - bits)))
            block = (state["half"], unit) if begun else (unit, Bits.number(0, 32))
            v = product64(v ^ join(block), state["p"])
        v = product64(v ^ join((Bits.number(0, 32), length)), state["q"])
        return join((v[:32] ^ state["mask"], Bits.number(0, 96)))
