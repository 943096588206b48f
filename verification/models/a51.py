"""A5/1 as M. Briceno, I. Goldberg and D. Wagner published it in 1999: registers as lists, bit 0 first."""

from __future__ import annotations

LENGTHS = (19, 22, 23)
TAPS = ((13, 16, 17, 18), (20, 21), (7, 20, 21, 22))
CLOCKED_BY = (8, 10, 10)


def _clock(register: list[int], taps: tuple[int, ...], new: int) -> None:
    for tap in taps:
        new ^= register[tap]
    register.insert(0, new)
    register.pop()


def keystream(key: bytes, frame: int, bits: int) -> list[int]:
    """The first bits of a frame's keystream, of which A5/1 takes 114 for either direction."""
    registers = [[0] * length for length in LENGTHS]
    loaded = [byte >> i & 1 for byte in key for i in range(8)] + [frame >> i & 1 for i in range(22)]
    for new in loaded:
        for register, taps in zip(registers, TAPS, strict=True):
            _clock(register, taps, new)
    out = []
    for _ in range(100 + bits):
        votes = [register[at] for register, at in zip(registers, CLOCKED_BY, strict=True)]
        majority = sum(votes) > 1
        for register, taps, vote in zip(registers, TAPS, votes, strict=True):
            if vote == majority:
                _clock(register, taps, 0)
        out.append(registers[0][-1] ^ registers[1][-1] ^ registers[2][-1])
    return out[100:]
