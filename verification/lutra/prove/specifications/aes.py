"""AES (FIPS 197). Byte r + 4c of a state is row r, column c (3.4)."""

from __future__ import annotations

from lutra.prove.bits import Bits, Table, join, once, times, total
from lutra.prove.specifications.modes import BlockCipher

BLOCK = 128


def multiply(a: int, b: int) -> int:
    """The product in GF(2^8) modulo x^8 + x^4 + x^3 + x + 1 (4.2)."""
    product = 0
    while b:
        product ^= a if b & 1 else 0
        a, b = a << 1 ^ (0x11B if a & 0x80 else 0), b >> 1
    return product


def _sbox(x: int) -> int:
    """The affine map of the inverse (5.1.1)."""
    inverse = next((y for y in range(256) if multiply(x, y) == 1), 0)
    turned = [(inverse << n | inverse >> 8 - n) & 0xFF for n in range(5)]
    return turned[0] ^ turned[1] ^ turned[2] ^ turned[3] ^ turned[4] ^ 0x63


SBOX = Table([_sbox(x) for x in range(256)])
INVERSE_SBOX = Table([next(x for x in range(256) if SBOX.entries[x].value == y) for y in range(256)])


_POLYNOMIAL = Bits.number(0x1B, 8)


def xtime(x: Bits) -> Bits:
    """x times a byte (4.2.1)."""
    return (x << 1) ^ times(x[0], _POLYNOMIAL)


def scaled(x: Bits, factors: tuple[int, ...]) -> list[Bits]:
    """A byte times each of some constants below 16."""
    powers = [x]
    while len(powers) < max(factors).bit_length():
        powers.append(xtime(powers[-1]))
    return [total(power for n, power in enumerate(powers) if factor >> n & 1) for factor in factors]


@once
def sub_bytes(s: Bits, box: Table = SBOX) -> Bits:
    """5.1.1, 5.3.2."""
    return join(box[byte] for byte in s.bytes)


def shift_rows(s: Bits, by: int = 1) -> Bits:
    """5.1.2; by -1 the inverse, 5.3.1."""
    bytes_ = s.bytes
    return join(bytes_[r + 4 * ((c + by * r) % 4)] for c in range(4) for r in range(4))


@once
def mix_columns(s: Bits, row: tuple[int, ...] = (2, 3, 1, 1)) -> Bits:
    """5.1.3; the inverse, 5.3.3, with another row."""
    columns = [[scaled(byte, row) for byte in word.bytes] for word in s.parts(32)]
    return join(total(c[i][(i - r) % 4] for i in range(4)) for c in columns for r in range(4))


INVERSE = (14, 11, 13, 9)


def expand(key: Bits) -> list[Bits]:
    """The round keys (5.2)."""
    nk = len(key) // 32
    words = key.parts(32)
    rcon = 1
    for i in range(nk, 4 * (nk + 7)):
        word = words[-1]
        if i % nk == 0:
            word = sub_bytes(word.rotated(8)) ^ Bits.number(rcon << 24, 32)
            rcon = multiply(rcon, 2)
        elif nk > 6 and i % nk == 4:
            word = sub_bytes(word)
        words.append(words[-nk] ^ word)
    return [join(words[4 * i : 4 * i + 4]) for i in range(nk + 7)]


class Cipher(BlockCipher):
    """The cipher under a key."""

    def __init__(self, key: Bits) -> None:
        self.keys = expand(key)

    @classmethod
    def of(cls, keys: list[Bits]) -> Cipher:
        """The cipher under round keys."""
        made = cls.__new__(cls)
        made.keys = keys
        return made

    def encrypt(self, block: Bits) -> Bits:
        """CIPHER (5.1)."""
        s = block ^ self.keys[0]
        for key in self.keys[1:-1]:
            s = mix_columns(shift_rows(sub_bytes(s))) ^ key
        return shift_rows(sub_bytes(s)) ^ self.keys[-1]

    def decrypt(self, block: Bits) -> Bits:
        """INVCIPHER (5.3)."""
        s = block ^ self.keys[-1]
        for key in self.keys[-2:0:-1]:
            s = mix_columns(sub_bytes(shift_rows(s, -1), INVERSE_SBOX) ^ key, INVERSE)
        return sub_bytes(shift_rows(s, -1), INVERSE_SBOX) ^ self.keys[0]
