"""The stream unit's functions on a context as written in the standards, on z3's bit-vectors.

A clock is two functions: the look-up byte of every lane of the context's bank, and the next context, given the results
of the look-ups.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import z3

from formal.specification import Bits, join, parts, rotate, times, total, zero


@dataclass(frozen=True)
class Context:
    """LFSR words, the oldest first; r1, r2, r3; the buffer of keystream."""

    s: tuple[Bits, ...]
    r: tuple[Bits, Bits, Bits]
    buffer: Bits

    def emit(self, z: Bits) -> Bits:
        """Append a word of keystream to the buffer."""
        return join([*parts(self.buffer, 32)[1:], z])


# ------------------------------------------------------------------------------- SNOW 3G


def snow_addresses(c: Context) -> Bits:
    """Four lanes each: S1 of r1, S2 of r2, MULalpha of s0's first byte, DIValpha of s11's last (TS 35.216 3.3, 3.4)."""
    return join([c.r[0], c.r[1], *[parts(c.s[0], 8)[0]] * 4, *[parts(c.s[11], 8)[3]] * 4])


def mix_word(w: Bits, polynomial: int) -> Bits:
    """After the four S-boxes of S1 or S2 (3.3.1, 3.3.2): row i is 2 w_i + w_i+1 + w_i+2 + 3 w_i+3."""
    b = parts(w, 8)
    factors = (2, 1, 1, 3)
    return join([total([times(b[(i + k) % 4], factors[k], polynomial) for k in range(4)]) for i in range(4)])


def snow(c: Context, t: Bits, init: bool) -> Context:
    """3.4.4 to 3.4.6: the FSM's output F, the FSM's clock, the LFSR's clock; work: z = F + s0."""
    s1, s2, mul_alpha, div_alpha = parts(t, 32)
    r1, r2, r3 = c.r
    f = (c.s[15] + r1) ^ r2
    s0_bytes, s11_bytes = parts(c.s[0], 8), parts(c.s[11], 8)
    v = join([*s0_bytes[1:], zero(8)]) ^ mul_alpha ^ c.s[2] ^ join([zero(8), *s11_bytes[:3]]) ^ div_alpha
    return Context(
        (*c.s[1:], v ^ f if init else v),
        (r2 + (r3 ^ c.s[5]), mix_word(s1, 0x1B), mix_word(s2, 0x69)),
        c.buffer if init else c.emit(f ^ c.s[0]),
    )


# ------------------------------------------------------------------------------- ZUC

PRIME = 2**31 - 1


def high(x: Bits) -> Bits:
    """X_H of TS 35.222 2: bits 30 to 15 of an LFSR word."""
    return z3.Extract(30, 15, x)


def low(x: Bits) -> Bits:
    """X_L: bits 15 to 0."""
    return z3.Extract(15, 0, x)


def zuc_addresses(c: Context) -> Bits:
    """3.4: the inputs of the S-boxes of R1 and R2."""
    s, (r1, r2, _) = c.s, c.r
    w1, w2 = r1 + join([low(s[11]), high(s[9])]), r2 ^ join([low(s[7]), high(s[5])])
    u, v = join([low(w1), z3.Extract(31, 16, w2)]), join([low(w2), z3.Extract(31, 16, w1)])
    l1 = total([rotate(u, n) for n in (0, 2, 10, 18, 24)])
    l2 = total([rotate(v, n) for n in (0, 8, 14, 22, 30)])
    return join([l1, l2, zero(64)])


def zuc_word(c: Context) -> Bits:
    """W of 3.4."""
    return (join([high(c.s[15]), low(c.s[14])]) ^ c.r[0]) + c.r[1]


def zuc_f(c: Context, t: Bits) -> Context:
    """3.4: r1 and r2 from the S-boxes; W is kept in r3, Z = W + X3 goes to the buffer."""
    w1, w2, *_ = parts(t, 32)
    z = zuc_word(c) ^ join([low(c.s[2]), high(c.s[0])])
    return Context(c.s, (w1, w2, zuc_word(c)), c.emit(z))


def zuc_addends(c: Context, init: bool) -> list[tuple[Bits, int]]:
    """3.2: the new LFSR word is the sum of x 2^n modulo 2^31-1, with 2^31-1 for 0; x has 31 bits."""
    taps = [(z3.Extract(30, 0, c.s[i]), n) for i, n in ((15, 15), (13, 17), (10, 21), (4, 20), (0, 8), (0, 0))]
    return taps + ([(z3.Extract(31, 1, c.r[2]), 0)] if init else [])


def zuc_lfsr(c: Context) -> Context:
    """3.2 without the new LFSR word, which is zero here."""
    return replace(c, s=(*c.s[1:], zero(32)))


def zuc(c: Context, t: Bits, init: bool) -> Context:
    """3.6: F and the LFSR; initialisation outputs no keystream."""
    after = zuc_lfsr(zuc_f(c, t))
    return replace(after, buffer=c.buffer) if init else after


# ------------------------------------------------------------------------------- CRC


def crc_addresses(word: Bits) -> Bits:
    """Byte j of the word in lanes 4j to 4j+3."""
    return join([b for b in parts(word, 8) for _ in range(4)])


def crc(c: Context, t: Bits) -> Context:
    """Look-up results in r1; t is the XOR of both banks' rows."""
    return replace(c, r=(total(parts(t, 32)), *c.r[1:]))


# ------------------------------------------------------------------------------- rows


def load(c: Context, x: Bits, n: int) -> Context:
    """Row n: LFSR words 4n to 4n+3; 4: r1, r2, r3; 5: the buffer."""
    w = parts(x, 32)
    if n == 5:
        return replace(c, buffer=x)
    if n == 4:
        return replace(c, r=(w[0], w[1], w[2]))
    return replace(c, s=(*c.s[: 4 * n], *w, *c.s[4 * n + 4 :]))


def save(c: Context, n: int) -> Bits:
    """Row n."""
    if n == 5:
        return c.buffer
    return join([*c.r, zero(32)]) if n == 4 else join(c.s[4 * n : 4 * n + 4])


ROWS = 6


@dataclass(frozen=True)
class Clock:
    """The look-ups, if any, and the new context of a clock; `sum`: the addends of ZUC's new LFSR word."""

    addresses: Callable[[Context], Bits] | None
    clock: Callable[[Context, Bits], Context]
    sum: Callable[[Context, Bits], list[tuple[Bits, int]]] | None = None


CLOCKS = {
    "snow_init": Clock(snow_addresses, lambda c, t: snow(c, t, True)),
    "snow_work": Clock(snow_addresses, lambda c, t: snow(c, t, False)),
    "zuc_init": Clock(zuc_addresses, lambda c, t: zuc(c, t, True), lambda c, t: zuc_addends(zuc_f(c, t), True)),
    "zuc_work": Clock(zuc_addresses, lambda c, t: zuc(c, t, False), lambda c, t: zuc_addends(zuc_f(c, t), False)),
    "zuc_f": Clock(zuc_addresses, zuc_f),
    "zuc_lfsr_init": Clock(None, lambda c, t: zuc_lfsr(c), lambda c, t: zuc_addends(c, True)),
    "zuc_lfsr_work": Clock(None, lambda c, t: zuc_lfsr(c), lambda c, t: zuc_addends(c, False)),
}
