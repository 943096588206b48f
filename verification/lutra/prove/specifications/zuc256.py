"""ZUC-256 (The ZUC-256 Stream Cipher, 2018) and 256-NEA6 (TS 35.246): ZUC with other first states."""

from __future__ import annotations

from collections.abc import Sequence

from lutra.prove.bits import Bits, join
from lutra.prove.specifications import zuc
from lutra.prove.specifications.modes import State

# The constants of seven bits, of a keystream.
_D = (0x22, 0x2F, 0x24, 0x2A, 0x6D, *(0x40,) * 8, 0x52, 0x10, 0x30)
_D_3GPP = bytes.fromhex("64437b2a110551421a311866142e015c")


def _cell(first: Bits, seven: Bits, *rest: Bits) -> Bits:
    """A cell of 31 bits in a word."""
    return join((Bits.number(0, 1), first, seven, *rest))


def _or(d: int, low: Bits) -> Bits:
    """A constant and bits where it has none."""
    return Bits.number(d, 7) ^ join((Bits.number(0, 7 - len(low)), low))


def _started(cells: Sequence[Bits], clocks: int) -> State:
    state: State = {"lfsr": join(cells), "fsm": Bits.number(0, 64)}
    for _ in range(clocks):
        state, _out = zuc.clock(state, initialises=True)
    return zuc.clock(state, initialises=False)[0]


class Zuc256(zuc.Zuc):
    """iv: iv0 to iv16 of eight bits, iv17 to iv24 of six in a byte each."""

    def begin(self, iv: Bits) -> State:
        """Key and IV loading of the designers' document."""
        k, v, d = self.key.bytes, iv.bytes, [Bits.number(n, 7) for n in _D]
        v[17:] = [byte[2:] for byte in v[17:]]
        return _started(
            [
                *(_cell(k[i], d[i], k[21 + i], k[16 + i]) for i in range(5)),
                _cell(v[0], _or(_D[5], v[17]), k[5], k[26]),
                _cell(v[1], _or(_D[6], v[18]), k[6], k[27]),
                _cell(v[10], _or(_D[7], v[19]), k[7], v[2]),
                _cell(k[8], _or(_D[8], v[20]), v[3], v[11]),
                _cell(k[9], _or(_D[9], v[21]), v[12], v[4]),
                _cell(v[5], _or(_D[10], v[22]), k[10], k[28]),
                _cell(k[11], _or(_D[11], v[23]), v[6], v[13]),
                _cell(k[12], _or(_D[12], v[24]), v[7], v[14]),
                _cell(k[13], d[13], v[15], v[8]),
                _cell(k[14], _or(_D[14], k[31][:4]), v[16], v[9]),
                _cell(k[15], _or(_D[15], k[31][4:]), k[30], k[29]),
            ],
            32,
        )


class Nea6(zuc.Zuc):
    """An IV of 16 bytes, and 48 clocks."""

    def begin(self, iv: Bits) -> State:
        """TS 35.246."""
        k, v = self.key.bytes, iv.bytes
        third, fourth = k[16:23] + v[:8] + k[23:24], k[24:31] + v[8:] + k[31:]
        parts = zip(k[:16], _D_3GPP, third, fourth, strict=True)
        return _started([_cell(a, Bits.number(d, 7), b, c) for a, d, b, c in parts], 48)
