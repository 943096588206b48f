"""LILI-II (Clark, Dawson, Fuller, Golic, Lee, Millan, Moon and Simpson; ACISP 2002): registers are polynomials."""

from __future__ import annotations

# A clock multiplies by x; these are the sums that x^128 and x^127 come to.
MASK_C = 0x7CA897C14487A7CE37BE99986287CBC3
MASK_D = 0x06081946A5343A6696AAD370F5F88BBA >> 1
# An additional term in LFSRd in a public port.
TERM_X = 2
FILTERED = (0, 1, 3, 7, 12, 20, 30, 44, 65, 80, 96, 122)
# The truth table of fd, index 0 first.
FD = bytes.fromhex(
    "965a69a569a5965a69a5965a69a5965a66aa9955995566aa995566aa995566aa"
    "3cf0c30fc30f3cf0c20d3ef1c20d3ef1cc0033ff33ffcc0031fecd0231fecd02"
    "69a5965a965a69a569a5965a69a5965a995566aa66aa9955995566aa995566aa"
    "c30f3cf03cf0c30fc10e3df2c10e3df233ffcc00cc0033ff32fdce0132fdce01"
    "69a569a5965a965a4e724f714c714f739955995566aa66aabe83bc81bc80bd42"
    "c30fc30f3cf03cf0dae1ddeedae7d7e233ff33ffcc00cc0016221b271e2c1a20"
    "965a965a69a569a5b08fb28cb38cb38d66aa66aa99559955407f427d437c427d"
    "3cf03cf0c30fc30f1a2013281f2f102ecc00cc0033ff33ffd9edd0e5d8e5dbe8"
    "965a69a569a5965ab4874b78b4874b7866aa9955995566aa4477bb884477bb88"
    "3cf0c30fc30f3cf02e1dd2e12e1dd2e1cc0033ff33ffcc00edde1122edde1122"
    "965a69a569a5965a4b78b4874b78b48766aa9955995566aabb884477bb884477"
    "3cf0c30fc30f3cf0d2e12e1dd2e12e1dcc0033ff33ffcc001122edde1122edde"
    "69a569a5965a965a49714478497d4f7b9955995566aa66aab28eb782ba86b984"
    "c10ec20d3df23ef166ad68ac68a76ca332fd31fece01cd0267a065ad60a067a7"
    "69a569a5965a965a4f7946744a7940709955995566aa66aab48bba8fb583b58e"
    "c20dc10e3ef13df29e5295539952985931fe32fdcd02ce019756955e995f915d"
)


class _Generator:
    def __init__(self, c: int, d: int, mask_d: int, below: int) -> None:
        self.c = c
        self.d = d
        self.mask_d = mask_d
        self.below = below  # a bit that the first clock shifts into LFSRd

    def bit(self) -> int:
        index = 0
        for stage in FILTERED:
            index = 2 * index | self.d >> stage & 1
        bit = FD[index // 8] >> 7 - index % 8 & 1
        clocks = 2 * (self.c & 1) + (self.c >> 126 & 1) + 1
        self.c = _times_x(self.c, 128, MASK_C)
        for _ in range(clocks):
            self.d = _times_x(self.d, 127, self.mask_d) ^ self.below
            self.below = 0
        return bit

    def bits(self, number: int) -> int:
        """The first is the most significant."""
        bits = 0
        for _ in range(number):
            bits = bits << 1 | self.bit()
        return bits


def _times_x(register: int, stages: int, mask: int) -> int:
    return (register << 1) % (1 << stages) ^ (mask if register >> stages - 1 else 0)


def keystream(key: bytes, iv: bytes, size: int, port: bool = False) -> bytes:
    """The first bytes; port: as a public port has LFSRd, with the term x and the last bit of the IV."""
    k, v = int.from_bytes(key, "big"), int.from_bytes(iv, "big")
    generator = _Generator(k ^ v, (k ^ v >> 1) % (1 << 127), MASK_D ^ port * TERM_X, port & v)
    for _ in range(2):
        loaded = generator.bits(255)
        generator.c, generator.d = loaded >> 127, loaded % (1 << 127)
    return generator.bits(8 * size).to_bytes(size, "big")
