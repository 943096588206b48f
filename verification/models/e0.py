"""E0 (Bluetooth Core Specification, volume 2, part H, 4) by its registers, stage 1 first."""

from __future__ import annotations

TAPS = ((8, 12, 20, 25), (12, 16, 24, 31), (4, 24, 28, 33), (4, 28, 36, 39))
OUTPUTS = (24, 24, 32, 32)
T2 = (0, 3, 1, 2)


class _Blend:
    def __init__(self) -> None:
        self.c, self.before = 0, 0

    def symbol(self, registers: list[list[int]]) -> int:
        outputs = [register[at - 1] for register, at in zip(registers, OUTPUTS, strict=True)]
        return sum(outputs) % 2 ^ self.c & 1

    def step(self, registers: list[list[int]]) -> None:
        outputs = [register[at - 1] for register, at in zip(registers, OUTPUTS, strict=True)]
        self.c, self.before = (sum(outputs) + self.c) // 2 ^ self.c ^ T2[self.before], self.c


def _bits(*values: int) -> list[int]:
    return [value >> i & 1 for value in values for i in range(8)]


def keystream(key: bytes, address: bytes, clock: bytes, bits: int) -> list[int]:
    """The first bits for a packet."""
    k, a, c = key, address, clock
    inputs = [
        [c[3] & 1, *_bits(k[0], k[4], k[8], k[12], c[1], a[2])],
        [1, 0, 0, *_bits(c[0])[:4], *_bits(k[1], k[5], k[9], k[13], a[0], a[3])],
        [c[3] >> 1 & 1, *_bits(k[2], k[6], k[10], k[14], c[2], a[4])],
        [1, 1, 1, *_bits(c[0])[4:], *_bits(k[3], k[7], k[11], k[15], a[1], a[5])],
    ]
    registers = [[0] * taps[-1] for taps in TAPS]
    blend = _Blend()
    symbols = []
    for shift in range(39 + 201):
        if shift >= 39:
            symbols.append(blend.symbol(registers))
            if shift < 39 + 200:
                blend.step(registers)
        for register, taps, coming in zip(registers, TAPS, inputs, strict=True):
            new = coming[shift] if shift < len(coming) else 0
            if shift >= len(register):
                new ^= sum(register[tap - 1] for tap in taps) % 2
            register.insert(0, new)
            register.pop()
    z = [symbols[-128:][8 * i : 8 * i + 8] for i in range(16)]
    registers = [
        [*z[0], *z[4], *z[8], z[12][0]],
        [*z[1], *z[5], *z[9], *z[12][1:]],
        [*z[2], *z[6], *z[10], *z[13], z[15][0]],
        [*z[3], *z[7], *z[11], *z[14], *z[15][1:]],
    ]
    out = []
    for _ in range(bits):
        out.append(blend.symbol(registers))
        blend.step(registers)
        for register, taps in zip(registers, TAPS, strict=True):
            register.insert(0, sum(register[tap - 1] for tap in taps) % 2)
            register.pop()
    return out
