"""ZUC-128 as TS 35.222 writes it, on Python's integers."""

from __future__ import annotations

from collections.abc import Iterator

MASK = 0xFFFFFFFF


def product(x: int, y: int) -> int:
    """In GF(2^8) modulo x^8 + x^7 + x^3 + x + 1."""
    out = 0
    while y:
        out ^= x if y & 1 else 0
        x, y = (x << 1 ^ (0x18B if x & 0x80 else 0)), y >> 1
    return out


# The columns of the matrix of S1 (3.4.1), for bits from the most significant on.
COLUMNS = (0x77, 0xBB, 0xDD, 0xEE, 0xCB, 0x6D, 0x3E, 0x97)


def inversion(x: int) -> int:
    """S1: an affine map of the inverse."""
    y = next((y for y in range(256) if product(x, y) == 1), 0)
    out = 0x55
    for i, column in enumerate(COLUMNS):
        out ^= column if y >> (7 - i) & 1 else 0
    return out


# Table 3.1.
S0 = bytes.fromhex(
    "3e725b47cae0003304d1549809b96dcb7b1bf932af9d6aa5b82dfc1d08530390"
    "4d4e8499e4ced991ddb685488b296eaccdc1f81e734369c6b5bdfd396320d438"
    "767db2a7cfed57c5f32cbb142106559be3ef5e314f7f5aa40d8251495fba581c"
    "4a16d517a892241f8cffd8ae2e01d3ad3b4bda46ebc9de9a8f87d73a806f2fc8"
    "b1b437f70a2213287ccc3c89c7c3965607bf7ef00b2b975235417961a64c10fe"
    "bc2695888ab0a3fbc01894f2e1e5e95dd0dc1166645cec59427512f5749caa23"
    "0e86abbe2a02e767e644a26cc2939ff1f6fa36d250689e6271153dd640c4e20f"
    "8e83776b25053f0c30ea70b7a1e8a9658d271adb81b3a0f4457a19dfee783460"
)
S1 = bytes(inversion(x) for x in range(256))
PRIME = 2**31 - 1
D = [
    *(0b100010011010111, 0b010011010111100, 0b110001001101011, 0b001001101011110),
    *(0b101011110001001, 0b011010111100010, 0b111000100110101, 0b000100110101111),
    *(0b100110101111000, 0b010111100010011, 0b110101111000100, 0b001101011110001),
    *(0b101111000100110, 0b011110001001101, 0b111100010011010, 0b100011110101100),
]


def rotate(x: int, n: int) -> int:
    return (x << n | x >> (32 - n)) & MASK


def l1(x: int) -> int:
    """3.4.3."""
    return x ^ rotate(x, 2) ^ rotate(x, 10) ^ rotate(x, 18) ^ rotate(x, 24)


def l2(x: int) -> int:
    return x ^ rotate(x, 8) ^ rotate(x, 14) ^ rotate(x, 22) ^ rotate(x, 30)


def sbox(x: int) -> int:
    """3.4.2: S0, S1, S0, S1."""
    b = x.to_bytes(4, "big")
    return int.from_bytes(bytes([S0[b[0]], S1[b[1]], S0[b[2]], S1[b[3]]]), "big")


def bank() -> bytes:
    """A table bank as the instructions expect it."""
    return b"".join(bytes([S0[e], S1[e]] * 8) for e in range(256))


class Zuc:
    """State and clocks of 3.2 to 3.6; LFSR words are in 1..2^31-1."""

    def __init__(self, key: bytes, iv: bytes) -> None:
        self.s = [k << 23 | d << 8 | v for k, d, v in zip(key, D, iv, strict=True)]
        self.r = [0, 0]
        self.w = 0

    def clock(self, init: bool = False) -> int:
        """The keystream word; meaningless in initialisation mode."""
        z = self.f()
        self.lfsr(init)
        return z

    def f(self) -> int:
        """Bit reorganisation and F (3.3, 3.4): W, kept for `lfsr`, XORed with X3."""
        s = self.s
        high = [x >> 15 for x in s]
        low = [x & 0xFFFF for x in s]
        x0, x1 = high[15] << 16 | low[14], low[11] << 16 | high[9]
        x2, x3 = low[7] << 16 | high[5], low[2] << 16 | high[0]
        r1, r2 = self.r
        self.w = ((x0 ^ r1) + r2) & MASK
        w1, w2 = (r1 + x1) & MASK, r2 ^ x2
        self.r = [
            sbox(l1((w1 << 16 | w2 >> 16) & MASK)),
            sbox(l2((w2 << 16 | w1 >> 16) & MASK)),
        ]
        return self.w ^ x3

    def lfsr(self, init: bool = False) -> None:
        """3.2."""
        s = self.s
        v = (2**15 * s[15] + 2**17 * s[13] + 2**21 * s[10] + 2**20 * s[4] + (1 + 2**8) * s[0]) % PRIME or PRIME
        if init:
            v = self.entered(v, self.w >> 1)
        self.s = [*s[1:], v or PRIME]

    def entered(self, v: int, u: int) -> int:
        """Effect of u on the new LFSR word in initialisation mode (3.2)."""
        return (v + u) % PRIME

    def start(self) -> None:
        """3.6.1 and the discarded clock of 3.6.2."""
        for _ in range(32):
            self.clock(init=True)
        self.clock()

    def words(self) -> Iterator[int]:
        while True:
            yield self.clock()


def keystream(key: bytes, iv: bytes, size: int) -> bytes:
    """The first `size` bytes."""
    return bytes_of(Zuc(key, iv), size)


def bytes_of(cipher: Zuc, size: int) -> bytes:
    """The first `size` bytes of the keystream of a cipher that is to be initialised."""
    cipher.start()
    words = cipher.words()
    return b"".join(next(words).to_bytes(4, "big") for _ in range(-(-size // 4)))[:size]


def eia3(key: bytes, count: int, bearer: int, direction: int, message: bytes, bits: int) -> bytes:
    """128-EIA3 (EEA3 and EIA3, document 1, 4), bit for bit."""
    iv = bytearray((count.to_bytes(4, "big") + bytes([bearer << 3, 0, 0, 0])) * 2)
    iv[8] ^= direction << 7
    iv[14] ^= direction << 7
    return eia3_of(key, bytes(iv), message, bits)


def eia3_of(key: bytes, iv: bytes, message: bytes, bits: int) -> bytes:
    """The same, of the IV that the inputs make."""
    words = -(-bits // 32) + 2
    z = int.from_bytes(keystream(key, iv, 4 * words), "big")

    def window(i: int) -> int:
        return z >> 32 * words - 32 - i & MASK

    t = 0
    for i in range(bits):
        if message[i // 8] << i % 8 & 0x80:
            t ^= window(i)
    return (t ^ window(bits) ^ window(32 * (words - 1))).to_bytes(4, "big")
