"""Known answers as data, independent of the format of the vector file."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from lutra.firmware.ciphers import Direction
from lutra.firmware.polynomial import Polynomial

# Wycheproof's words: the input must be taken, must be refused, or may be either.
Result = Literal["valid", "invalid", "acceptable"]


@dataclass(frozen=True)
class Vector:
    """One test of a vector file.

    mode: as the manifests call it, without a padding; padded: with PKCS#7. directions: those in which the source states
    it. bits: of the text, where not all of its bits count.
    A keystream is the ciphertext of zeros; `stated` has ones where the source says what it is.
    For an algorithm of several streams the test is that of one message in each of them.
    A MAC or CRC is the ciphertext of its message, `iv` the MAC's initial vector or what stands before the message; of
    an AEAD mode `iv` is the nonce, and the tag, of `tag_bits`, follows the ciphertext; of SIV it stands before, and
    `aad` is several strings. tag_bits of a MAC: the length
    that its tag should have, where the source says so. chains: pairs of a number and the ciphertext after so many
    successive blocks from the plaintext (lutra.firmware.monte_carlo). polynomial: a CRC's, which is the test's own.
    refusal: why the host makes no IV of bad input.
    """

    file: str
    id: str
    algorithm: str
    mode: str
    directions: tuple[Direction, ...]
    key: bytes
    iv: bytes
    plaintext: bytes
    ciphertext: bytes
    result: Result = "valid"
    bits: int | None = None
    stated: bytes = b""
    aad: bytes | tuple[bytes, ...] = b""
    tag_bits: int = 0
    padded: bool = False
    chains: tuple[tuple[int, bytes], ...] = ()
    polynomial: Polynomial | None = None
    refusal: str = ""

    def expected(self, direction: Direction, got: bytes) -> bytes:
        """Return the expected bytes, with those of the answer where the source states none."""
        if self.chains:
            if direction == "decrypt":
                return self.plaintext * len(self.chains)
            return b"".join(block for _, block in self.chains)
        if not self.stated:
            return self.ciphertext if direction == "encrypt" else self.plaintext
        size = len(self.stated)
        right, came, stated = (int.from_bytes(data, "big") for data in (self.ciphertext, got[:size], self.stated))
        return (right & stated | came & ~stated).to_bytes(size, "big")


@dataclass(frozen=True)
class Unserved:
    """A test that no firmware can run yet, and why."""

    file: str
    id: str
    algorithm: str
    mode: str
    reason: str


@dataclass(frozen=True)
class Malformed:
    """A test that does not follow the schema, with the reason. It counts as failed."""

    file: str
    id: str
    algorithm: str
    mode: str
    reason: str


Test = Vector | Unserved | Malformed
