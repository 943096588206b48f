"""The functions of the stream unit (isa/datapath.td) on words of unknown bits, one per Symbol.

The third of three: the others are iss/src/stream.hpp and rtl/lutra_stream_context.sv.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from lutra.prove.bits import ZERO, Bits, Table, join, times, total
from lutra.prove.residues import add31

Bank = list[Table]
REGISTERS, BUFFER = 4, 5  # rows of a context (isa/registers.td)


@dataclass
class Context:
    """A stream context. s[0] is the oldest word; the newest keystream word is the last of the buffer."""

    s: list[Bits] = field(default_factory=lambda: [ZERO[:32]] * 16)
    r: list[Bits] = field(default_factory=lambda: [ZERO[:32]] * 3)
    buffer: Bits = ZERO

    def copy(self) -> Context:
        """A context of its own with the same contents."""
        return Context(list(self.s), list(self.r), self.buffer)

    def emit(self, z: Bits) -> None:
        """Append a keystream word to the buffer."""
        self.buffer = join((self.buffer[32:], z))

    def row(self, n: int) -> Bits:
        """A row as `ctxst` stores it."""
        if n == BUFFER:
            return self.buffer
        return join((*self.r, ZERO[:32])) if n == REGISTERS else join(self.s[4 * n : 4 * n + 4])

    def load(self, n: int, x: Bits) -> None:
        """Take a row."""
        if n == BUFFER:
            self.buffer = x
        elif n == REGISTERS:
            self.r = x.parts(32)[:3]
        else:
            self.s[4 * n : 4 * n + 4] = x.parts(32)


@dataclass
class Port:
    """The contexts; which are clocked, one bit each; the one that is shown, loaded or saved; a row."""

    contexts: list[Context]
    clocked: int
    shown: int
    n: int


def _words(x: Bits, bank: Sequence[Table]) -> Bits:
    return join(table[byte] for table, byte in zip(bank, x.bytes, strict=True))


def _byte(x: Bits, bank: Sequence[Table]) -> Bits:
    return join(table[x] for table in bank)


def _snow_mix(x: Bits, polynomial: int) -> Bits:
    """MixColumn of a word, most significant byte first, with another polynomial (TS 35.216 3.3)."""
    b = x.bytes
    twice = [(byte << 1) ^ times(byte[0], Bits.number(polynomial, 8)) for byte in b]
    return join(twice[i] ^ twice[i - 1] ^ b[i - 1] ^ b[(i + 1) % 4] ^ b[(i + 2) % 4] for i in range(4))


def _snow_clock(c: Context, bank: Bank, feedback: bool) -> Bits:
    """One clock of SNOW 3G (TS 35.216 3.4): the FSM's output, then the state."""
    s, (r1, r2, r3) = c.s, c.r
    f = (s[15] + r1) ^ r2
    newest = (s[0] << 8) ^ _byte(s[0][:8], bank[8:12]) ^ s[2] ^ (s[11] >> 8) ^ _byte(s[11][24:], bank[12:])
    c.r = [r2 + (r3 ^ s[5]), _snow_mix(_words(r1, bank[:4]), 0x1B), _snow_mix(_words(r2, bank[4:8]), 0x69)]
    c.s = [*s[1:], newest ^ f if feedback else newest]
    return f


def _zuc_output(c: Context, bank: Bank) -> Bits:
    """Bit reorganisation and F (TS 35.222 3.3, 3.4): W to r3; W ^ X3. Of an LFSR word 31 bits count."""
    high, low = [x[1:17] for x in c.s], [x[16:] for x in c.s]
    x0, x1, x2, x3 = (
        join(pair) for pair in ((high[15], low[14]), (low[11], high[9]), (low[7], high[5]), (low[2], high[0]))
    )
    r1, r2, _ = c.r
    w = (x0 ^ r1) + r2
    w1, w2 = r1 + x1, r2 ^ x2
    u, v = join((w1[16:], w2[:16])), join((w2[16:], w1[:16]))
    c.r = [
        _words(total(u.rotated(n) for n in (0, 2, 10, 18, 24)), bank[:4]),
        _words(total(v.rotated(n) for n in (0, 8, 14, 22, 30)), bank[4:8]),
        w,
    ]
    return w ^ x3


def _zuc_shift(c: Context, init: bool) -> None:
    """The LFSR (TS 35.222 3.2), in initialisation mode with W of F added."""
    entering = [(c.r[2] >> 1)[1:]] if init else []
    turned = [c.s[i][1:].rotated(n) for i, n in ((15, 15), (13, 17), (10, 21), (4, 20), (0, 8), (0, 0))]
    c.s = [*c.s[1:], join((ZERO[:1], add31(*entering, *turned)))]


def _clocked(tables: list[Bank], port: Port, step: Callable[[Context, Bank], None]) -> Bits:
    for i, (context, bank) in enumerate(zip(port.contexts, tables, strict=True)):
        if port.clocked >> i & 1:
            step(context, bank)
    return port.contexts[port.shown].buffer


def snow_init(_: Bits, tables: list[Bank], port: Port) -> Bits:
    def step(c: Context, bank: Bank) -> None:
        _snow_clock(c, bank, True)

    return _clocked(tables, port, step)


def snow_work(_: Bits, tables: list[Bank], port: Port) -> Bits:
    def step(c: Context, bank: Bank) -> None:
        oldest = c.s[0]
        c.emit(_snow_clock(c, bank, False) ^ oldest)

    return _clocked(tables, port, step)


def zuc_init(_: Bits, tables: list[Bank], port: Port) -> Bits:
    def step(c: Context, bank: Bank) -> None:
        _zuc_output(c, bank)
        _zuc_shift(c, True)

    return _clocked(tables, port, step)


def zuc_work(_: Bits, tables: list[Bank], port: Port) -> Bits:
    def step(c: Context, bank: Bank) -> None:
        c.emit(_zuc_output(c, bank))
        _zuc_shift(c, False)

    return _clocked(tables, port, step)


def zuc_f(_: Bits, tables: list[Bank], port: Port) -> Bits:
    return _clocked(tables, port, lambda c, bank: c.emit(_zuc_output(c, bank)))


def zuc_lfsr_init(_: Bits, tables: list[Bank], port: Port) -> Bits:
    return _clocked(tables, port, lambda c, _: _zuc_shift(c, True))


def zuc_lfsr_work(_: Bits, tables: list[Bank], port: Port) -> Bits:
    return _clocked(tables, port, lambda c, _: _zuc_shift(c, False))


def crc(x: Bits, tables: list[Bank], port: Port) -> Bits:
    """Slicing: the register is r1 of c0, in the order of the message's bytes; bank i serves word i of x."""
    leaves = []
    for i, (word, bank) in enumerate(zip(x.parts(32), tables, strict=False)):
        if port.clocked >> i & 1:
            entering = word ^ port.contexts[0].r[0] if i == 0 else word
            leaves += [_byte(byte, bank[4 * j : 4 * j + 4]) for j, byte in enumerate(entering.bytes)]
    if port.clocked & 1:
        port.contexts[0].r[0] = total(leaves)
    return port.contexts[port.shown].buffer


def context_load(x: Bits, _: list[Bank], port: Port) -> Bits:
    port.contexts[port.shown].load(port.n, x)
    return x


def context_save(_: Bits, __: list[Bank], port: Port) -> Bits:
    return port.contexts[port.shown].row(port.n)


__all__ = [
    *("snow_init", "snow_work", "zuc_init", "zuc_work", "zuc_f", "zuc_lfsr_init", "zuc_lfsr_work"),
    *("crc", "context_load", "context_save"),
]
