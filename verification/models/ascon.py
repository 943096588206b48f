"""Ascon-AEAD128 as SP 800-232 writes it, on Python's integers."""

from __future__ import annotations

MASK = (1 << 64) - 1
INITIAL = 0x00001000808C0001
CONSTANTS = (0xF0, 0xE1, 0xD2, 0xC3, 0xB4, 0xA5, 0x96, 0x87, 0x78, 0x69, 0x5A, 0x4B)
# Rotations of the linear layer to the right, by word (3.4).
ROTATIONS = ((19, 28), (61, 39), (1, 6), (10, 17), (7, 41))
# The S-box of five bits, x0 the most significant (3.3, table 6).
SBOX = bytes.fromhex("040b1f141a1509021b0508121d03061c1e13070e000d1118100c0119160a0f17")
# Each bit of what it makes of a byte, as a digit.
OUTPUTS = [b"".join(b"%d" % (SBOX[c % 32] >> (4 - i) & 1) for c in range(256)) for i in range(5)]
ZEROS = int.from_bytes(b"0" * 64)
RATE = 16
TAG = 16

State = list[int]


def permute(state: State, rounds: int) -> State:
    """The last `rounds` rounds of twelve (3)."""
    for constant in CONSTANTS[12 - rounds :]:
        state[2] ^= constant
        columns = sum(digits(word) << (4 - i) for i, word in enumerate(state)).to_bytes(64)
        state = [int(columns.translate(outputs), 2) for outputs in OUTPUTS]
        state = [w ^ right(w, a) ^ right(w, b) for w, (a, b) in zip(state, ROTATIONS, strict=True)]
    return state


def digits(word: int) -> int:
    """A byte for each bit."""
    return int.from_bytes(f"{word:064b}".encode()) - ZEROS


def right(word: int, n: int) -> int:
    return (word >> n | word << 64 - n) & MASK


def words(text: bytes) -> tuple[int, int]:
    """Words of 16 bytes, little-endian."""
    return int.from_bytes(text[:8], "little"), int.from_bytes(text[8:], "little")


def text_of(first: int, second: int) -> bytes:
    return first.to_bytes(8, "little") + second.to_bytes(8, "little")


def add(state: State, block: bytes, at: int = 0) -> None:
    """A block of up to 16 bytes to two words of the state."""
    first, second = words(block.ljust(RATE, b"\0"))
    state[at] ^= first
    state[at + 1] ^= second


def _begin(key: bytes, nonce: bytes, aad: bytes) -> State:
    state = permute([INITIAL, *words(key), *words(nonce)], 12)
    add(state, key, 3)
    if aad:
        padded = aad + b"\1"
        for at in range(0, len(padded), RATE):
            add(state, padded[at : at + RATE])
            state = permute(state, 8)
    state[4] ^= 1 << 63
    return state


def _tag(state: State, key: bytes) -> bytes:
    add(state, key, 2)
    state = permute(state, 12)
    add(state, key, 3)
    return text_of(state[3], state[4])


def encrypt(key: bytes, nonce: bytes, data: bytes, aad: bytes) -> bytes:
    """Ciphertext and tag (4.1)."""
    state = _begin(key, nonce, aad)
    out = b""
    for at in range(0, len(data) + 1, RATE):
        block = data[at : at + RATE]
        add(state, block if len(block) == RATE else block + b"\1")
        out += text_of(state[0], state[1])[: len(block)]
        if len(block) == RATE:
            state = permute(state, 8)
    return out + _tag(state, key)


def decrypt(key: bytes, nonce: bytes, sealed: bytes, aad: bytes) -> bytes | None:
    """Plaintext, None where the tag is wrong (4.2)."""
    state, data = _begin(key, nonce, aad), sealed[:-TAG]
    out = b""
    for at in range(0, len(data) + 1, RATE):
        block = data[at : at + RATE]
        stream = text_of(state[0], state[1])
        plain = bytes(a ^ b for a, b in zip(block, stream, strict=False))
        out += plain
        add(state, plain if len(block) == RATE else plain + b"\1")
        if len(block) == RATE:
            state = permute(state, 8)
    return out if _tag(state, key) == sealed[-TAG:] else None
