"""Signed packs of the stream's firmware: what the demo's device has in its flash, and the patch that it takes.

The image of a pack brings its table of operations, so that a host needs nothing but the pack: in the first rows of m2
are the values of registers `operation`, then that of `stream_reset` and the number of operations. A host reads them
before it uses the stream, whose jobs overwrite them.
"""

from __future__ import annotations

from dataclasses import dataclass
from struct import pack as words

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.ciphers import Cipher as Openssl
from cryptography.hazmat.primitives.ciphers import algorithms, modes

from lutra.firmware import pack
from lutra.firmware.pack import needs
from lutra.firmware.pack.format import ANSWERS, MANIFEST, SEGMENTS, digest
from lutra.firmware.pack.recorder import Recorder
from lutra.firmware.pack.records import ANSWER, IMAGE, Answer, Manifest, Pack, PackVersion, Part, Region, Segment
from lutra.firmware.pack.roots import Roots
from lutra.isa import load as load_isa
from lutra.iss import engine as engines
from lutra.soc import operations
from lutra.soc.demo.errors import DemoError
from lutra.soc.operations import Firmware
from lutra.soc.stream import HEADER, JOBS, RESULTS, ROW, Message, jobs

NAME = "stream"
TABLE_SPACE = JOBS
TABLE_ENTRIES = 16


@dataclass(frozen=True)
class Cipher:
    """A cipher of the demo. openssl: its name for the command. counter_swapped: big-endian."""

    title: str
    firmware: str
    set_key: str
    crypt: str
    openssl: str
    key_bytes: int
    block_bytes: int
    counter_word: int
    counter_swapped: bool

    def image(self) -> Firmware:
        """The image that has it."""
        return operations.load(self.firmware)

    def reference(self, key: bytes, iv: bytes, text: bytes) -> bytes:
        """The ciphertext by OpenSSL, through the package cryptography."""
        if self.openssl == "chacha20":
            encryptor = Openssl(algorithms.ChaCha20(key, iv), None).encryptor()
        else:
            encryptor = Openssl(algorithms.AES128(key), modes.CTR(iv)).encryptor()
        return encryptor.update(text) + encryptor.finalize()


AES = Cipher("AES-128-CTR", "aes", "aes128-set-key", "aes128-ctr", "aes-128-ctr", 16, 16, 3, True)
CHACHA = Cipher("ChaCha20", "chacha20", "chacha20-set-key", "chacha20-stream", "chacha20", 32, 64, 0, False)


@dataclass(frozen=True)
class Vendor:
    """Those who sign: a root key, a pack key, and the root that names both."""

    roots: Roots
    pack_key: Ed25519PrivateKey

    @classmethod
    def make(cls) -> Vendor:
        """New keys."""
        root_key, pack_key = Ed25519PrivateKey.generate(), Ed25519PrivateKey.generate()
        roles = [
            pack.roots.role(called, [pack.keys.public(key)], 1)
            for called, key in (("root keys", root_key), ("pack keys", pack_key))
        ]
        return cls(pack.roots.sign(pack.roots.create(*roles), root_key), pack_key)

    def release(self, cipher: Cipher, version: PackVersion, counter: int) -> bytes:
        """A signed pack with the firmware of a cipher."""
        return pack.encode(pack.signed(build(cipher, version, counter), self.roots, [self.pack_key]))


def build(cipher: Cipher, version: PackVersion, counter: int) -> Pack:
    """An unsigned pack with the firmware of a cipher."""
    firmware = cipher.image()
    segments = (*needs.segments(firmware.image), Segment(TABLE_SPACE, 0, table(firmware)))
    spaces = {space.name: space.code for space in load_isa().spaces}
    segments = tuple(sorted(segments, key=lambda segment: (spaces[segment.space], segment.offset)))
    answer, seen = _answer(cipher, firmware)
    regions = _hulls([*(Region(s.space, s.offset, len(s.data)) for s in segments), *seen], spaces)
    image, answers = SEGMENTS.write(segments), ANSWERS.write((answer,))
    parts = (
        Part(IMAGE, firmware.name, len(image), digest(image), regions),
        Part(ANSWER, "answers", len(answers), digest(answers)),
    )
    core = needs.core([firmware.image], regions)
    manifest = Manifest(NAME, version, counter, load_isa().version, core, parts, ())
    return Pack((), MANIFEST.write(manifest), (), (image, answers))


def table(firmware: Firmware) -> bytes:
    """The table of operations as an image brings it."""
    registers = firmware.registers()
    values = [registers.get(number, 0) for number in range(TABLE_ENTRIES)]
    return words(f"<{TABLE_ENTRIES + 4}I", *values, firmware.stream_reset, max(registers) + 1, 0, 0)


def _answer(cipher: Cipher, firmware: Firmware) -> tuple[Answer, tuple[Region, ...]]:
    """A known answer: a key and a message as the stream has them, and the ciphertext by OpenSSL."""
    key, iv, text = bytes(range(cipher.key_bytes)), bytes(range(ROW)), bytes(range(5 * ROW))
    recorder = Recorder(engines.make("iss"))
    recorder.load(firmware.image)
    recorder.run(firmware.stream_reset)
    row = 0
    for message in (Message(cipher.set_key, key=key), Message(cipher.crypt, iv=iv, text=text)):
        (job,) = jobs(firmware, message)
        found = (HEADER.pack(*job.lanes), *job.rows)
        # The row of zeros after a job is the header of none.
        recorder.write(JOBS, row * ROW, b"".join((*found, bytes(ROW))))
        recorder.run(firmware.entry(firmware.operations[message.operation].label))
        row += len(found)
    if recorder.read(RESULTS, 0, len(text)) != cipher.reference(key, iv, text):
        raise DemoError(f"{cipher.title}: the firmware and OpenSSL differ")
    return Answer(f"{cipher.crypt}: {len(text)} bytes", 0, tuple(recorder.steps)), tuple(needs.occupied(recorder))


def _hulls(parts: list[Region], spaces: dict[str, int]) -> tuple[Region, ...]:
    """The least region of each memory that has all of its parts."""
    found = []
    for space in sorted({part.space for part in parts}, key=spaces.__getitem__):
        own = [part for part in parts if part.space == space]
        first, end = min(p.first for p in own), max(p.first + p.size for p in own)
        found.append(Region(space, first, end - first))
    return tuple(found)
