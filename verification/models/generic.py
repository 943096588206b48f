"""Functions that belong to no cipher: sums, rotations and shifts of lanes, words in four tables of words."""

from __future__ import annotations

from models.lanes import lanes, unlanes, xor


def lane_of(n: int) -> tuple[int, int]:
    """(bytes of a lane, amount): what an immediate of a rotation or shift says (isa/operands.td)."""
    for size in (16, 8, 4, 2, 1):
        if n < 256 - 8 * size:
            return size, n - (256 - 16 * size)
    raise ValueError(f"{n} names no lanes")


def add(x: bytes, y: bytes, bits: int) -> bytes:
    """Sums of lanes."""
    size = bits // 8
    return unlanes([(a + b) % 2**bits for a, b in zip(lanes(x, size), lanes(y, size), strict=True)], size)


def subtract(x: bytes, y: bytes, bits: int) -> bytes:
    """Differences of lanes."""
    size = bits // 8
    return unlanes([(a - b) % 2**bits for a, b in zip(lanes(x, size), lanes(y, size), strict=True)], size)


def rotate_lanes(x: bytes, size: int, by: int) -> bytes:
    """Lanes of `size` bytes to the left by `by` bits."""
    bits = 8 * size
    return unlanes([(a << by | a >> (bits - by)) % 2**bits for a in lanes(x, size)], size)


def shift_lanes(x: bytes, size: int, by: int) -> bytes:
    """Lanes of `size` bytes to the left by `by` bits, to the right where that is negative."""
    return unlanes([(a << by if by > 0 else a >> -by) % 2 ** (8 * size) for a in lanes(x, size)], size)


def rotate_bytes(x: bytes, n: int) -> bytes:
    """To the left by the whole bytes of the immediate."""
    size, by = lane_of(n)
    return rotate_lanes(x, size, by - by % 8)


def rotate_bits(x: bytes, n: int) -> bytes:
    """To the left by the bits beyond whole bytes."""
    size, by = lane_of(n)
    return rotate_lanes(x, size, by % 8)


def left_bytes(x: bytes, n: int) -> bytes:
    """Shifted to the left by the whole bytes of the immediate."""
    size, by = lane_of(n)
    return shift_lanes(x, size, by - by % 8)


def left_bits(x: bytes, n: int) -> bytes:
    """Shifted to the left by the bits beyond whole bytes."""
    size, by = lane_of(n)
    return shift_lanes(x, size, by % 8)


def right_bytes(x: bytes, n: int) -> bytes:
    """Rotated to the right by the bytes of the immediate, rounded up; of those that come in only the first stays."""
    size, by = lane_of(n)
    count = (by + 7) // 8
    turned = rotate_lanes(x, size, 8 * (size - count))
    return bytes(0 if 0 < i % size < count else byte for i, byte in enumerate(turned))


def right_bits(x: bytes, n: int) -> bytes:
    """Correct the result of `right_bytes`: shift left again, with the first byte entering at the end."""
    size, by = lane_of(n)
    if by == 0:
        return x
    first = shift_lanes(x, size, -8 * (size - 1))  # at the end of its lane
    without = bytes(0 if i % size == 0 else byte for i, byte in enumerate(x))
    left = -by % 8
    return xor(shift_lanes(without, size, left), shift_lanes(first, size, -(8 - left)))


def lanes_carried_out(row: bytes, x: bytes, n: int, *, right: bool) -> bytes:
    """The lanes of a row out of which a shift of x by one moves a one."""
    size, _ = lane_of(n)
    goes = [lane & 1 if right else lane >> 8 * size - 1 for lane in lanes(x, size)]
    return unlanes([own * one for own, one in zip(lanes(row, size), goes, strict=True)], size)


def mulx(x: bytes, y: bytes, bits: int) -> bytes:
    """Lanes times u in a binary field whose polynomial, without its first term, is the lane of y."""
    size = bits // 8
    return unlanes(
        [(a << 1) % 2**bits ^ (b if a >> bits - 1 else 0) for a, b in zip(lanes(x, size), lanes(y, size), strict=True)],
        size,
    )


def divx(x: bytes, y: bytes, bits: int) -> bytes:
    """Lanes divided by u; the lane of y is the polynomial without its last term, divided by u."""
    size = bits // 8
    return unlanes([a >> 1 ^ (b if a & 1 else 0) for a, b in zip(lanes(x, size), lanes(y, size), strict=True)], size)


def spread_word(x: bytes, n: int) -> bytes:
    """Each byte of the XOR of the words that bits 3 to 0 of n name, four times."""
    word = bytes(4)
    for i in range(4):
        if n >> (3 - i) & 1:
            word = xor(word, x[4 * i : 4 * i + 4])
    return bytes(word[i // 4] for i in range(16))


def fold_words(x: bytes) -> bytes:
    """The XOR of all words, as last word."""
    return bytes(12) + xor(x[:4], x[4:8], x[8:12], x[12:])


def scatter(table: list[bytes], rows: bytes, entries: bytes) -> list[bytes]:
    """A table by lanes: each lane has the bytes of `entries` at the rows in `rows`."""
    return [
        lane[:row] + bytes([entry]) + lane[row + 1 :] for lane, row, entry in zip(table, rows, entries, strict=True)
    ]


def turn_words(x: bytes, words: int) -> bytes:
    """Words to the left."""
    return x[4 * words :] + x[: 4 * words]


def rotate_third(c: bytes, n: int) -> bytes:
    """The third register as it enters."""
    return c if n & 32 else turn_words(c, n // 64)


def turn_sum(x: bytes, n: int) -> bytes:
    """The sum, rotated in place of the third register."""
    return turn_words(x, n // 64) if n & 32 else x


def rotate_words(x: bytes, n: int) -> bytes:
    """32-bit lanes to the left by n mod 32 bits."""
    return rotate_lanes(x, 4, n % 32)


def rotate_each(x: bytes, amounts: bytes) -> bytes:
    """32-bit lanes to the left, each by the last five bits of the other's lane."""
    return unlanes(
        [(a << n % 32 | a >> 32 - n % 32) % 2**32 for a, n in zip(lanes(x, 4), lanes(amounts, 4), strict=True)], 4
    )
