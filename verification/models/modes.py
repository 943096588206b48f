"""Modes of a block cipher, from its function E of one block: MACs and authenticated encryption by their standards."""

from __future__ import annotations

from collections.abc import Callable

from models.field import double, multiply
from models.lanes import xor

BLOCK = 16
Encrypt = Callable[[bytes], bytes]
Cipher = Callable[[bytes], Encrypt]  # E of a key


def cmac(encrypt: Encrypt, message: bytes, bits: int) -> bytes:
    """SP 800-38B 6.2, for any number of bits."""
    k1 = double(encrypt(bytes(BLOCK)))
    text = int.from_bytes(message, "big") >> (8 * len(message) - bits)
    key = k1
    if bits == 0 or bits % 128:
        key = double(k1)
        text, bits = text << 1 | 1, bits + 1
        text, bits = text << -bits % 128, bits + -bits % 128
    padded = text.to_bytes(bits // 8, "big")
    chain = bytes(BLOCK)
    for at in range(0, len(padded), BLOCK):
        block = padded[at : at + BLOCK]
        chain = encrypt(xor(chain, block, key) if at + BLOCK == len(padded) else xor(chain, block))
    return chain


def gcm(encrypt: Encrypt, nonce: bytes, data: bytes, aad: bytes) -> bytes:
    """SP 800-38D 7.1 with a tag of 128 bits."""

    def ghash(text: bytes) -> bytes:
        y = bytes(BLOCK)
        for at in range(0, len(text), BLOCK):
            y = multiply(xor(y, text[at : at + BLOCK]), h)
        return y

    def pad(text: bytes) -> bytes:
        return text + bytes(-len(text) % BLOCK)

    h = encrypt(bytes(BLOCK))
    j0 = nonce + b"\0\0\0\1" if len(nonce) == 12 else ghash(pad(nonce) + (8 * len(nonce)).to_bytes(BLOCK, "big"))
    counter, out = int.from_bytes(j0[12:], "big"), b""
    for at in range(0, len(data), BLOCK):
        counter = (counter + 1) % 2**32
        stream = encrypt(j0[:12] + counter.to_bytes(4, "big"))
        out += bytes(a ^ b for a, b in zip(data[at : at + BLOCK], stream, strict=False))
    lengths = (8 * len(aad)).to_bytes(8, "big") + (8 * len(data)).to_bytes(8, "big")
    return out + xor(ghash(pad(aad) + pad(out) + lengths), encrypt(j0))


def ccm(encrypt: Encrypt, nonce: bytes, data: bytes, aad: bytes) -> bytes:
    """SP 800-38C 6.1 with a tag of 128 bits, formatted as in its Appendix A; less than 0xff00 bytes of `aad`."""
    q = 15 - len(nonce)
    head = len(aad).to_bytes(2, "big") + aad if aad else b""
    text = bytes([64 * bool(aad) | 7 << 3 | q - 1]) + nonce + len(data).to_bytes(q, "big")
    text += head + bytes(-len(head) % BLOCK) + data + bytes(-len(data) % BLOCK)
    chain = bytes(BLOCK)
    for at in range(0, len(text), BLOCK):
        chain = encrypt(xor(chain, text[at : at + BLOCK]))
    counters = range(-(-len(data) // BLOCK) + 1)
    stream = b"".join(encrypt(bytes([q - 1]) + nonce + counter.to_bytes(q, "big")) for counter in counters)
    return xor(data, stream[BLOCK:][: len(data)]) + xor(chain, stream[:BLOCK])


def siv(cipher: Cipher, key: bytes, data: bytes, strings: tuple[bytes, ...]) -> bytes:
    """RFC 5297 2.6; the key of S2V is the first half."""
    half = len(key) // 2
    encrypt, counted = cipher(key[:half]), cipher(key[half:])
    d = cmac(encrypt, bytes(BLOCK), 8 * BLOCK)
    for string in strings:
        d = xor(double(d), cmac(encrypt, string, 8 * len(string)))
    if len(data) >= BLOCK:
        t = data[:-BLOCK] + xor(data[-BLOCK:], d)
    else:
        t = xor(double(d), (data + b"\x80").ljust(BLOCK, b"\0"))
    v = cmac(encrypt, t, 8 * len(t))
    counter = int.from_bytes(v, "big") & ~(1 << 63 | 1 << 31)
    counters = range(counter, counter - (-len(data) // BLOCK))
    stream = b"".join(counted(n.to_bytes(BLOCK, "big")) for n in counters)
    return v + xor(data, stream[: len(data)])


def gcm_siv(cipher: Cipher, key: bytes, nonce: bytes, aad: bytes) -> bytes:
    """RFC 8452 4 and 5 of an empty text; POLYVAL as in its appendix A."""

    def derived(first: int, size: int) -> bytes:
        numbers = range(first, first + size // 8)
        return b"".join(cipher(key)(n.to_bytes(4, "little") + nonce)[:8] for n in numbers)

    h = multiply(derived(0, BLOCK)[::-1], b"\x40" + bytes(15))
    y = bytes(BLOCK)
    text = aad + bytes(-len(aad) % BLOCK) + (8 * len(aad)).to_bytes(8, "little") + bytes(8)
    for at in range(0, len(text), BLOCK):
        y = multiply(xor(y, text[at : at + BLOCK][::-1]), h)
    s = bytearray(xor(y[::-1], nonce + bytes(4)))
    s[15] &= 0x7F
    return cipher(derived(2, len(key)))(bytes(s))
