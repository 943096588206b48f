"""One message for an algorithm: what it takes in addition to the data."""

from __future__ import annotations

from msgspec import Struct

from lutra.firmware.ciphers import Cipher, Direction, Implementation

# Associated data: one string, or of SIV several.
Associated = bytes | tuple[bytes, ...]


class Request(Struct, frozen=True):
    """The parameters of a message.

    iv: or nonce; of a MAC without an IV, what comes before the message. aad: associated data of an AEAD mode. pad: with
    PKCS#7. tag_bits: of an AEAD mode; None for the whole tag. bits: of the data, where not all of them count.
    implementation: another than the cipher's first. `lutra.firmware.message` checks and does it.
    """

    cipher: Cipher
    direction: Direction
    key: bytes
    iv: bytes = b""
    aad: Associated = b""
    pad: bool = False
    tag_bits: int | None = None
    bits: int | None = None
    implementation: Implementation | None = None

    @property
    def tag_length(self) -> int:
        """Bits of the tag of an AEAD mode."""
        return self.cipher.tag_bits if self.tag_bits is None else self.tag_bits
