"""Messages for the guest, with what `cryptography` makes of them; `soc/linux/guest/init.c` runs them through AF_ALG."""

from __future__ import annotations

import errno
import random
import struct
from collections.abc import Container, Iterator
from dataclasses import dataclass

from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes
from cryptography.hazmat.primitives.ciphers.aead import AESGCM, ChaCha20Poly1305

SEED = 33
# One byte to more than a chunk of the device's; AF_ALG takes 16 pages at a time.
LENGTHS = (1, 15, 16, 17, 64, 255, 1500, 4096, 20_000)
BLOCKS = (16, 64, 256, 1504, 20_000)
TEXTS = (0, 1, 16, 100, 1500, 20_000)
# AF_ALG has no message without any output.
ASSOCIATED = (13, 20, 1000, 0)
KEYS = (16, 24, 32)


@dataclass(frozen=True)
class Case:
    """A message. error: an errno instead of an output."""

    name: str
    type: str
    driver: str
    decrypt: bool
    key: bytes
    iv: bytes
    aad: bytes
    input: bytes
    output: bytes
    tag: int = 0
    error: int = 0

    def pack(self) -> bytes:
        strings = (self.key, self.iv, self.aad, self.input, self.output)
        numbers = (self.decrypt, self.error, self.tag, *(len(s) for s in strings))
        texts = (self.name.encode(), self.type.encode(), self.driver.encode())
        return struct.pack("<64s16s48s8I", *texts, *numbers) + b"".join(strings)


def _skciphers(rng: random.Random) -> Iterator[Case]:
    for name, mode, lengths in (("ctr", modes.CTR, LENGTHS), ("cbc", modes.CBC, BLOCKS)):
        for key_bytes in KEYS:
            for length in lengths:
                key, iv, text = rng.randbytes(key_bytes), rng.randbytes(16), rng.randbytes(length)
                encryptor = Cipher(algorithms.AES(key), mode(iv)).encryptor()
                data = encryptor.update(text) + encryptor.finalize()
                for decrypt in (False, True):
                    pair = (data, text) if decrypt else (text, data)
                    title = f"{name}, {8 * key_bytes} bits, {length} bytes, {'decrypt' if decrypt else 'encrypt'}"
                    yield Case(title, "skcipher", f"{name}-aes-lutra", decrypt, key, iv, b"", *pair)


def _aeads(
    rng: random.Random,
    name: str,
    driver: str,
    cipher: type[AESGCM | ChaCha20Poly1305],
    keys: tuple[int, ...],
    short: int,
) -> Iterator[Case]:
    """short: the length of every other tag."""
    for key_bytes in keys:
        for index, length in enumerate(TEXTS):
            aad = rng.randbytes(ASSOCIATED[index % len(ASSOCIATED)])
            tag = 16 if index % 2 else short
            key, iv, text = rng.randbytes(key_bytes), rng.randbytes(12), rng.randbytes(length)
            sealed = cipher(key).encrypt(iv, text, aad)[: length + tag]
            title = f"{name}, {8 * key_bytes} bits, {len(aad)} and {length} bytes"
            common = ("aead", driver)
            yield Case(f"{title}, seal", *common, False, key, iv, aad, text, sealed, tag)
            yield Case(f"{title}, open", *common, True, key, iv, aad, sealed, text, tag)
            wrong = sealed[:-1] + bytes([sealed[-1] ^ 1])
            yield Case(f"{title}, wrong", *common, True, key, iv, aad, wrong, text, tag, errno.EBADMSG)


def cases(drivers: Container[str]) -> list[Case]:
    """Return the cases for some drivers. All of them have more keys than a device has contexts."""
    rng = random.Random(SEED)
    every = (
        *_skciphers(rng),
        *_aeads(rng, "gcm", "gcm-aes-lutra", AESGCM, KEYS, 12),
        *_aeads(rng, "chacha20-poly1305", "rfc7539-chacha20-poly1305-lutra", ChaCha20Poly1305, (32,), 16),
    )
    return [case for case in every if case.driver in drivers]
