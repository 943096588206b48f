"""SNOW 3G as TS 35.216 writes it, with the multiplications by alpha computed from their definition."""

from __future__ import annotations

from collections.abc import Iterator

MASK = 0xFFFFFFFF


def mulx(v: int, c: int) -> int:
    """3.1.1: V times x in GF(2^8) with the polynomial whose low byte is c."""
    return (v << 1 ^ c) & 0xFF if v & 0x80 else v << 1


def mulx_pow(v: int, i: int, c: int) -> int:
    """3.1.2: i times."""
    for _ in range(i):
        v = mulx(v, c)
    return v


def mul_alpha(c: int) -> int:
    """3.4.2."""
    return int.from_bytes(bytes(mulx_pow(c, i, 0xA9) for i in (23, 245, 48, 239)), "big")


def div_alpha(c: int) -> int:
    """3.4.3."""
    return int.from_bytes(bytes(mulx_pow(c, i, 0xA9) for i in (16, 39, 6, 64)), "big")


def inverse(x: int) -> int:
    """In GF(2^8) of Rijndael, zero for zero."""
    return next((y for y in range(256) if product(x, y) == 1), 0)


def product(x: int, y: int) -> int:
    out = 0
    while y:
        out ^= x if y & 1 else 0
        x, y = mulx(x, 0x1B), y >> 1
    return out


def rijndael(x: int) -> int:
    """SR, the S-box of FIPS 197."""
    y = inverse(x)
    bits = [y >> i & 1 for i in range(8)]
    return sum(
        (bits[i] ^ bits[(i + 4) % 8] ^ bits[(i + 5) % 8] ^ bits[(i + 6) % 8] ^ bits[(i + 7) % 8] ^ (0x63 >> i & 1)) << i
        for i in range(8)
    )


def dickson(x: int) -> int:
    """SQ: g49(x) = x + x^9 + x^13 + x^15 + x^33 + x^41 + x^45 + x^47 + x^49 modulo x^8+x^6+x^5+x^3+1, plus 0x25."""

    def times(a: int, b: int) -> int:
        out = 0
        while b:
            out ^= a if b & 1 else 0
            a, b = mulx(a, 0x69), b >> 1
        return out

    total, power = 0, 1
    for n in range(1, 50):
        power = times(power, x)
        if n in (1, 9, 13, 15, 33, 41, 45, 47, 49):
            total ^= power
    return total ^ 0x25


SR = [rijndael(x) for x in range(256)]
SQ = [dickson(x) for x in range(256)]
ALPHA = [mul_alpha(x) for x in range(256)]
ALPHA_INVERSE = [div_alpha(x) for x in range(256)]


def bank() -> bytes:
    """A table bank as the instructions expect it: SR, SQ, MULalpha, DIValpha, four lanes each."""
    return b"".join(
        bytes([SR[e]] * 4 + [SQ[e]] * 4) + ALPHA[e].to_bytes(4, "big") + ALPHA_INVERSE[e].to_bytes(4, "big")
        for e in range(256)
    )


def sbox(table: list[int], w: int, c: int) -> int:
    """3.3: four S-boxes and MixColumn with the polynomial of low byte c."""
    b = [table[w >> s & 0xFF] for s in (24, 16, 8, 0)]
    twice = [mulx(x, c) for x in b]
    r = [twice[i] ^ twice[i - 1] ^ b[i - 1] ^ b[(i + 1) % 4] ^ b[(i + 2) % 4] for i in range(4)]
    return int.from_bytes(bytes(r), "big")


class Snow3g:
    """State and clocks of 3.4 and 4."""

    def __init__(self, key: bytes, iv: bytes) -> None:
        k = [int.from_bytes(key[i : i + 4], "big") for i in (0, 4, 8, 12)]
        v = [int.from_bytes(iv[i : i + 4], "big") for i in (0, 4, 8, 12)]
        self.s = [w ^ MASK for w in k] + k + [w ^ MASK for w in k] + k
        for place, word in ((9, v[3]), (10, v[2]), (12, v[1]), (15, v[0])):
            self.s[place] ^= word
        self.r = [0, 0, 0]

    def fsm(self) -> int:
        s, (r1, r2, r3) = self.s, self.r
        out = ((s[15] + r1) & MASK) ^ r2
        self.r = [(r2 + (r3 ^ s[5])) & MASK, sbox(SR, r1, 0x1B), sbox(SQ, r2, 0x69)]
        return out

    def lfsr(self, f: int = 0) -> None:
        s = self.s
        v = (s[0] << 8 & MASK) ^ ALPHA[s[0] >> 24] ^ s[2] ^ (s[11] >> 8) ^ ALPHA_INVERSE[s[11] & 0xFF] ^ f
        self.s = [*s[1:], v]

    def start(self) -> None:
        """4.1 and the discarded clock of 4.2."""
        for _ in range(32):
            self.lfsr(self.fsm())
        self.fsm()
        self.lfsr()

    def words(self) -> Iterator[int]:
        """Keystream from here on."""
        while True:
            f = self.fsm()
            yield f ^ self.s[0]
            self.lfsr()


def keystream(key: bytes, iv: bytes, size: int) -> bytes:
    """The first `size` bytes."""
    cipher = Snow3g(key, iv)
    cipher.start()
    words = cipher.words()
    return b"".join(next(words).to_bytes(4, "big") for _ in range(-(-size // 4)))[:size]


def mul64(v: int, p: int) -> int:
    """TS 35.215 4.3.2: V times P in GF(2^64) with the polynomial whose low word is 0x1b."""
    out = 0
    for i in range(64):
        out ^= p if v >> i & 1 else 0
        p = (p << 1 ^ 0x1B) & (2**64 - 1) if p >> 63 else p << 1
    return out


def f9(key: bytes, count: int, fresh: int, direction: int, message: bytes, bits: int) -> bytes:
    """UIA2 (TS 35.215 4)."""
    iv = (fresh ^ direction << 15, count ^ direction << 31, fresh, count)
    return f9_of(key, b"".join(w.to_bytes(4, "big") for w in iv), message, bits)


def f9_of(key: bytes, iv: bytes, message: bytes, bits: int) -> bytes:
    """The same, of the IV that the inputs make: IV3 first."""
    k = b"".join(key[i : i + 4] for i in (12, 8, 4, 0))
    z = keystream(k, iv, 20)
    p, q, z5 = (int.from_bytes(part, "big") for part in (z[:8], z[8:16], z[16:]))
    text = int.from_bytes(message, "big") >> 8 * len(message) - bits << -bits % 64
    evaluated = 0
    for at in reversed(range(0, bits, 64)):
        evaluated = mul64(evaluated ^ text >> at & (2**64 - 1), p)
    return (mul64(evaluated ^ bits, q) >> 32 ^ z5).to_bytes(4, "big")


def eia1(key: bytes, count: int, bearer: int, direction: int, message: bytes, bits: int) -> bytes:
    """128-EIA1 (TS 33.401 B.2.2)."""
    return f9(key, count, bearer << 27, direction, message, bits)
