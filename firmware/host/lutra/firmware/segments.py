"""Segments of integer counter mode (AES-ICM): the index from which a message counts, and where its segment ends.

Block i of segment s is encrypted under the counter (offset + s * 256^b + i) mod 2^128, where s has g bytes and i has b.
"""

from __future__ import annotations

from lutra.firmware.ciphers import ROW, Cipher
from lutra.firmware.errors import InputError

# Of both indices together.
MOST_BYTES = 8


class FirstBlock(bytes):
    """The index of a message's first block, s * 256^b + i: an IV that knows the bytes from there to the segment's end.

    InputError where an index does not fit its bytes, or both together are too long.
    """

    left: int

    def __new__(cls, segment: int, block: int = 0, *, segment_bytes: int = 4, block_bytes: int = 4) -> FirstBlock:
        if min(segment_bytes, block_bytes) < 0 or segment_bytes + block_bytes > MOST_BYTES:
            sizes = f"{segment_bytes} bytes of the segment index and {block_bytes} of the block index"
            raise InputError(f"{sizes} are not allowed: together they have {MOST_BYTES} at most")
        _check("segment", segment, segment_bytes)
        _check("block", block, block_bytes)
        blocks = 256**block_bytes
        made = super().__new__(cls, (segment * blocks + block).to_bytes(ROW, "big"))
        made.left = (blocks - block) * ROW
        return made


def _check(what: str, index: int, size: int) -> None:
    if not 0 <= index < 256**size:
        raise InputError(f"{what} index {index} does not fit into {size} bytes: the last is {256**size - 1}")


def check_segment(cipher: Cipher, iv: bytes) -> None:
    """InputError where integer counter mode gets an IV that does not say where its segment ends. A session takes it."""
    if cipher.offset_bytes and not isinstance(iv, FirstBlock):
        raise InputError(f"{cipher.name} takes a segment instead of an iv: lutra.firmware.segments.FirstBlock")


def left(iv: bytes) -> int | None:
    """Return the bytes to the end of the segment; None where the IV does not say."""
    return iv.left if isinstance(iv, FirstBlock) else None


def check_left(name: str, most: int | None, size: int) -> None:
    """InputError where data goes beyond the end of the segment, `most` bytes on; None where that is not known."""
    if most is not None and size > most:
        blocks = -(-size // ROW)
        raise InputError(f"{name}: {blocks} blocks go beyond the end of the segment, which has {most // ROW} left")
