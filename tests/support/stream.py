"""Messages for the stream of jobs, with the answers of another implementation."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

import lutra
from lutra.soc import operations
from lutra.soc.stream import MISMATCH, OK, ROW, Message, Stream

CONTEXTS = 24
# What was in m2 and m3 before: a routine must not rely on zeros.
FILL = b"\xa5" * ROW
J0 = b"\0\0\0\1"


@dataclass(frozen=True)
class Case:
    """A message, and what must become of it."""

    message: Message
    text: bytes
    tag: bytes = b""
    code: int = OK


class Bench:
    """A stream with a random key in each context."""

    def __init__(self, bits: int, engine: str = "iss", seed: int = 7, image: str = "aes") -> None:
        self.random = random.Random(seed)
        self.bits = bits
        self.stream = Stream(lutra.make_engine(engine), operations.load(image), fill=FILL)
        self.keys = [self.random.randbytes(bits // 8) for _ in range(CONTEXTS)]
        self.stream.run([Message(f"aes{bits}-set-key", n, key=key) for n, key in enumerate(self.keys)])

    def check(self, cases: list[Case], late: Iterator[bool] | None = None) -> list[list[int]]:
        """Run messages and compare; return the cycles of the jobs of each."""
        results = self.stream.run([case.message for case in cases], late)
        for case, result in zip(cases, results, strict=True):
            found = (result.text, result.tag, result.code)
            assert found == (case.text, case.tag, case.code), case.message
        return [result.notified for result in results]

    # ------------------------------------------------------------------ cases

    def ctr(self, size: int) -> Case:
        context, iv, text = self._message(size)
        iv = self.random.choice((iv, b"\xff" * ROW))
        cipher = Cipher(algorithms.AES(self.keys[context]), modes.CTR(iv)).encryptor()
        return Case(Message(f"aes{self.bits}-ctr", context, iv, text), cipher.update(text))

    def gcm_encrypt(self, size: int, aad_size: int = 0) -> Case:
        context, iv, text = self._message(size)
        aad = self.random.randbytes(aad_size)
        sealed = AESGCM(self.keys[context]).encrypt(iv[:12], text, aad)
        message = Message(f"aes{self.bits}-gcm-encrypt", context, iv[:12] + J0, text, aad)
        return Case(message, sealed[:size], sealed[size:])

    def gcm_decrypt(self, size: int, aad_size: int = 0, wrong: bool = False) -> Case:
        case = self.gcm_encrypt(size, aad_size)
        whole = case.tag[: self.random.randrange(1, ROW + 1)]
        tag = self.changed(whole) if wrong else whole
        context, iv = case.message.context, case.message.iv
        message = Message(f"aes{self.bits}-gcm-decrypt", context, iv, case.text, case.message.aad, tag)
        return Case(message, case.message.text, code=MISMATCH if wrong else OK)

    def _message(self, size: int) -> tuple[int, bytes, bytes]:
        return self.random.randrange(CONTEXTS), self.random.randbytes(ROW), self.random.randbytes(size)

    def changed(self, data: bytes) -> bytes:
        """Data with one bit changed."""
        bit = self.random.randrange(8 * len(data))
        return (int.from_bytes(data, "big") ^ (1 << bit)).to_bytes(len(data), "big")

    def mixed(self, cases: list[Callable[[], Case]], count: int) -> list[Case]:
        """So many random cases."""
        return [self.random.choice(cases)() for _ in range(count)]


def coins(seed: int, ones: int, of: int = 100) -> Iterator[bool]:
    """Random answers to whether a job may come now."""
    source = random.Random(seed)
    while True:
        yield source.randrange(of) < ones
