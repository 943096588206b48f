"""The cipher as `lutra prove` compares the firmware with it, for all keys and inputs.

It is model.py on words of unknown bits: `^ & | ~` and `+` work on words, a Table looks up a byte, `join` puts words one
after the other.
"""

from lutra.prove import Bits, Specification, Table, join
from lutra.prove.specifications.modes import BlockCipher, Ctr

S = Table([(5 * b + 7) % 256 for b in range(256)])


class Cipher(BlockCipher):
    """E(x) = S(x ^ K0) ^ K1."""

    def __init__(self, key: Bits) -> None:
        self.keys = key, key.rotated(8)

    def encrypt(self, block: Bits) -> Bits:
        return join(S[byte] for byte in (block ^ self.keys[0]).bytes) ^ self.keys[1]


def specification(name: str, direction: str) -> Specification | None:
    """The specification of an algorithm of firmware.toml in one direction; None where there is none."""
    if name != "skeleton-128-ctr":
        return None
    return Specification(key_bits=128, iv_bytes=16, job=lambda key: Ctr(Cipher(key), 128))
