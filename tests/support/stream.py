"""Messages for the stream of jobs, with the answers of another implementation."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from types import MappingProxyType

from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes
from cryptography.hazmat.primitives.ciphers.aead import AESGCM, ChaCha20Poly1305
from cryptography.hazmat.primitives.cmac import CMAC

import lutra
from lutra.firmware import mac
from lutra.firmware.manifest import catalogue
from lutra.firmware.session import Session
from lutra.soc import operations
from lutra.soc.stream import MISMATCH, OK, ROW, SAVED_KEY_BYTES, Message, Stream
from models import snow_v, sst, zuc256

CONTEXTS = 24
# Rows of a chunk of 1 KB, for which cycles are given; the device cuts longer ones.
CHUNK_ROWS = 64
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

    def __init__(self, image: str, set_key: str, key_bytes: int, engine: str = "iss", seed: int = 7) -> None:
        self.random = random.Random(seed)
        self.set_key = set_key
        self.stream = Stream(lutra.make_engine(engine), operations.load(image), fill=FILL)
        self.keys = [self.random.randbytes(key_bytes) for _ in range(CONTEXTS)]
        self.stream.run([Message(set_key, n, key=key) for n, key in enumerate(self.keys)])

    def check(self, cases: list[Case], late: Iterator[bool] | None = None) -> list[list[int]]:
        """Run messages and compare; return the cycles of the jobs of each."""
        results = self.stream.run([case.message for case in cases], late)
        for case, result in zip(cases, results, strict=True):
            found = (result.text, result.tag, result.code)
            assert found == (case.text, case.tag, case.code), case.message
        return [result.notified for result in results]

    def key_again(self) -> Case:
        """Set the key of a random context once more."""
        context = self.random.randrange(CONTEXTS)
        return Case(Message(self.set_key, context, key=self.keys[context]), b"")

    def mixed(self, cases: list[Callable[[], Case]], count: int) -> list[Case]:
        """So many random cases."""
        return [self.random.choice(cases)() for _ in range(count)]

    def changed(self, data: bytes) -> bytes:
        """Data with one bit changed."""
        bit = self.random.randrange(8 * len(data))
        return (int.from_bytes(data, "big") ^ (1 << bit)).to_bytes(len(data), "big")

    def inputs(self, size: int) -> tuple[int, bytes, bytes]:
        """A random context, an IV and a text."""
        return self.random.randrange(CONTEXTS), self.random.randbytes(ROW), self.random.randbytes(size)


class SstBench(Bench):
    """An image with an AEAD of GCM-SST: `snow5g`, `aes-pdcp` or `zuc256`. The answers are those of the models, with
    keystream of OpenSSL for AES."""

    # By image: name of the operations, and what sets their keys.
    NAMES = MappingProxyType(
        {
            "snow5g": ("snow5g-nca4", "snow5g-set-key"),
            "aes-pdcp": ("aes256-nca5", "aes256-set-key"),
            "zuc256": ("zuc256-nca6", "zuc256-set-key"),
        }
    )

    def __init__(self, image: str, engine: str = "iss", seed: int = 7) -> None:
        self.image = image
        self.operation, set_key = self.NAMES[image]
        super().__init__(image, set_key, 2 * ROW, engine, seed)

    def seal(self, size: int, aad_size: int = 0) -> Case:
        context, iv, text = self.inputs(size)
        aad = self.random.randbytes(aad_size)
        masks, stream = self._keystream(self.keys[context], iv, size)
        sealed = bytes(a ^ b for a, b in zip(text, stream, strict=True))
        tag = sst.tag(masks, aad, sealed)
        return Case(Message(f"{self.operation}-encrypt", context, iv, text, aad), sealed, tag)

    def open(self, size: int, aad_size: int = 0, wrong: bool = False) -> Case:
        """With a tag of any number of bytes."""
        case = self.seal(size, aad_size)
        tag = case.tag[: self.random.randrange(1, ROW + 1)]
        tag = self.changed(tag) if wrong else tag
        context, iv = case.message.context, case.message.iv
        message = Message(f"{self.operation}-decrypt", context, iv, case.text, case.message.aad, tag)
        return Case(message, case.message.text, code=MISMATCH if wrong else OK)

    def _keystream(self, key: bytes, iv: bytes, size: int) -> tuple[bytes, bytes]:
        """H, Q and P, and the keystream of the text."""
        if self.image == "aes-pdcp":
            counters = (bytes([iv[0] ^ 1]) + iv[1:12] + bytes(4), iv[:12] + bytes(4))
            ciphers = [Cipher(algorithms.AES(key), modes.CTR(counter)).encryptor() for counter in counters]
            return ciphers[0].update(bytes(3 * ROW)), ciphers[1].update(bytes(size))
        make = {"snow5g": snow_v.keystream_5g, "zuc256": zuc256.keystream_3gpp}[self.image]
        stream = make(key, iv, 3 * ROW + size)
        return stream[: 3 * ROW], stream[3 * ROW :]


class AesBench(Bench):
    """The image `aes`, `aes-packets`, `aes-gcm` or `aes-pdcp`, with keys of one size."""

    def __init__(self, bits: int, engine: str = "iss", seed: int = 7, image: str = "aes") -> None:
        super().__init__(image, f"aes{bits}-set-key", bits // 8, engine, seed)
        self.bits = bits

    def saved(self) -> list[tuple[bytes, bytes]]:
        """The key of each context, and what the core saves of it; of image `aes-packets`."""
        texts = [Message(f"aes{self.bits}-save-key", n, text=bytes(SAVED_KEY_BYTES)) for n in range(CONTEXTS)]
        return [(key, result.text) for key, result in zip(self.keys, self.stream.run(texts), strict=True)]

    def restore(self, saved: list[tuple[bytes, bytes]]) -> Case:
        """One of the saved keys to a random context."""
        context = self.random.randrange(CONTEXTS)
        self.keys[context], rows = self.random.choice(saved)
        return Case(Message(f"aes{self.bits}-restore-key", context, key=rows), b"")

    def ctr(self, size: int) -> Case:
        context, iv, text = self.inputs(size)
        iv = self.random.choice((iv, b"\xff" * ROW))
        cipher = Cipher(algorithms.AES(self.keys[context]), modes.CTR(iv)).encryptor()
        return Case(Message(f"aes{self.bits}-ctr", context, iv, text), cipher.update(text))

    def ctr_inline(self, size: int) -> Case:
        context, iv, text = self.inputs(size)
        key = self.random.randbytes(self.bits // 8)
        cipher = Cipher(algorithms.AES(key), modes.CTR(iv)).encryptor()
        return Case(Message(f"aes{self.bits}-ctr-inline", context, iv, text, key=key), cipher.update(text))

    def gcm_encrypt(self, size: int, aad_size: int = 0) -> Case:
        context, iv, text = self.inputs(size)
        aad = self.random.randbytes(aad_size)
        sealed = AESGCM(self.keys[context]).encrypt(iv[:12], text, aad)
        message = Message(f"aes{self.bits}-gcm-encrypt", context, iv[:12] + J0, text, aad)
        return Case(message, sealed[:size], sealed[size:])

    def gcm_decrypt(self, size: int, aad_size: int = 0, wrong: bool = False, tag_bytes: int = 0) -> Case:
        """tag_bytes: of the tag; 0 for any number."""
        case = self.gcm_encrypt(size, aad_size)
        whole = case.tag[: tag_bytes or self.random.randrange(1, ROW + 1)]
        tag = self.changed(whole) if wrong else whole
        context, iv = case.message.context, case.message.iv
        message = Message(f"aes{self.bits}-gcm-decrypt", context, iv, case.text, case.message.aad, tag)
        return Case(message, case.message.text, code=MISMATCH if wrong else OK)

    def gcm_verify(self, size: int, aad_size: int = 0, wrong: bool = False) -> Case:
        """A message of image `aes-gcm` whose tag alone is checked."""
        case = self.gcm_decrypt(size, aad_size, wrong)
        message = replace(case.message, operation=f"aes{self.bits}-gcm-verify")
        return Case(message, b"", code=case.code)

    def cmac(self, size: int) -> Case:
        context, iv, text = self.inputs(size)
        mac = CMAC(algorithms.AES(self.keys[context]))
        mac.update(text)
        return Case(Message(f"aes{self.bits}-cmac", context, iv, text), b"", mac.finalize())

    def nia5(self, size: int) -> Case:
        """A MAC of image `aes-pdcp`. H, Q, P are encrypted counters from 0, with another first byte than text has."""
        context, iv, text = self.inputs(size)
        begin = bytes([iv[0] ^ 1]) + iv[1:12] + bytes(4)
        masks = Cipher(algorithms.AES(self.keys[context]), modes.CTR(begin)).encryptor().update(bytes(3 * ROW))
        return Case(Message("aes256-nia5", context, iv, text), b"", sst.tag(masks, text, b""))

    def cbc_encrypt(self, blocks: int) -> Case:
        context, iv, text = self.inputs(ROW * blocks)
        cipher = Cipher(algorithms.AES(self.keys[context]), modes.CBC(iv)).encryptor()
        return Case(Message(f"aes{self.bits}-cbc-encrypt", context, iv, text), cipher.update(text))


class InverseBench(Bench):
    """The image `aes-inverse`, with keys of one size."""

    def __init__(self, bits: int, engine: str = "iss", seed: int = 7) -> None:
        super().__init__("aes-inverse", f"aes{bits}-inverse-set-key", bits // 8, engine, seed)
        self.bits = bits

    def cbc_decrypt(self, blocks: int) -> Case:
        context, iv, text = self.inputs(ROW * blocks)
        cipher = Cipher(algorithms.AES(self.keys[context]), modes.CBC(iv)).decryptor()
        return Case(Message(f"aes{self.bits}-cbc-decrypt", context, iv, text), cipher.update(text))


class ChaChaBench(Bench):
    """The image `chacha20`."""

    def __init__(self, engine: str = "iss", seed: int = 7) -> None:
        super().__init__("chacha20", "chacha20-set-key", 2 * ROW, engine, seed)

    def encrypt(self, size: int) -> Case:
        context, iv, text = self.inputs(size)
        iv = bytes([iv[0], 0, 0, 0]) + iv[4:]  # OpenSSL lets the counter run over into the nonce
        cipher = Cipher(algorithms.ChaCha20(self.keys[context], iv), None).encryptor()
        return Case(Message("chacha20-stream", context, iv, text), cipher.update(text))

    def seal(self, size: int, aad_size: int = 0) -> Case:
        context, iv, text = self.inputs(size)
        aad = self.random.randbytes(aad_size)
        sealed = ChaCha20Poly1305(self.keys[context]).encrypt(iv[4:], text, aad)
        message = Message("chacha20-poly1305-encrypt", context, bytes(4) + iv[4:], text, aad)
        return Case(message, sealed[:size], sealed[size:])

    def open(self, size: int, aad_size: int = 0, wrong: bool = False) -> Case:
        case = self.seal(size, aad_size)
        whole = case.tag[: self.random.randrange(1, ROW + 1)]
        tag = self.changed(whole) if wrong else whole
        context, iv = case.message.context, case.message.iv
        message = Message("chacha20-poly1305-decrypt", context, iv, case.text, case.message.aad, tag)
        return Case(message, case.message.text, code=MISMATCH if wrong else OK)


class LteBench(Bench):
    """Image `snow3g`, `zuc`, `zuc256` or `snow5g`. The answers are those of the firmware for one message at a time."""

    # Operations and the firmware's names: of the cipher, and of the MAC.
    ALGORITHMS = MappingProxyType(
        {
            "snow3g": (("snow3g-eea1", "128-eea1"), ("snow3g-eia1", "128-eia1")),
            "zuc": (("zuc-eea3", "128-eea3"), ("zuc-eia3", "128-eia3")),
            "zuc256": (("zuc256-nea6", "zuc-256-nea6"), ("zuc256-nia6", "zuc-256-nia6")),
            "snow5g": (("snow5g-nea4", "snow5g-256-nea4"), ("snow5g-nia4", "snow5g-256-nia4")),
        }
    )

    def __init__(self, image: str, engine: str = "iss", seed: int = 7) -> None:
        (self.operation, name), (self.mac_operation, mac_name) = self.ALGORITHMS[image]
        self._cipher = catalogue().cipher(name)
        self._mac = catalogue().mac(mac_name)
        super().__init__(image, f"{image}-set-key", (self._cipher.key_bits or 0) // 8, engine, seed)
        self._session, self._macs = (Session(lutra.make_engine("iss")) for _ in range(2))

    def eea(self, size: int) -> Case:
        context, iv, text = self.inputs(size)
        self._session.set_up(self._cipher, "encrypt", self.keys[context], iv)
        step = self._session.job_bytes
        answer = b"".join(self._session.job(text[at : at + step]) for at in range(0, size, step))
        return Case(Message(self.operation, context, iv, text), answer)

    def eia(self, size: int) -> Case:
        """A MAC. Its bytes are at the beginning of the row, zeros after one of 4 bytes."""
        context, iv, text = self.inputs(size)
        tag = mac.tag(self._macs, self._mac, self.keys[context], text, before=iv)
        return Case(Message(self.mac_operation, context, iv, text), b"", tag.ljust(ROW, b"\0"))


def coins(seed: int, ones: int, of: int = 100) -> Iterator[bool]:
    """Random answers to whether a job may come now."""
    source = random.Random(seed)
    while True:
        yield source.randrange(of) < ones
