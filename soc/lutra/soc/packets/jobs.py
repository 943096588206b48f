"""Packets as jobs of cores. A core is a session of the firmware; each packet goes to the core with the least work, and
results come in the order of the jobs, as from `lutra_cluster`. docs/cluster.md has the hardware.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from hmac import compare_digest
from types import MappingProxyType
from typing import ClassVar

from lutra.firmware import aead, crypt, mac
from lutra.firmware.ciphers import Direction
from lutra.firmware.manifest import catalogue
from lutra.firmware.request import Request
from lutra.firmware.session import ROW, Session
from lutra.iss.engine import EngineName, make

# Overhead of a packet, in blocks; it only ranks cores.
PACKET_WORK = 4
TAG = 16


class Algorithm(ABC):
    """How packets are encrypted and authenticated."""

    @abstractmethod
    def run(self, core: Core, job: Job) -> bytes | None:
        """Ciphertext and tag; or the text, None where the tag is wrong."""


class EspAlgorithm(Algorithm):
    """An algorithm with what ESP has to know of it. key_bytes: lengths of keys.

    salt_bytes, iv_bytes: of the nonce, what the key brings and what a packet carries. tag_bytes: of a tag.
    block_bytes: what is encrypted has a multiple of it. combined: one algorithm for both (RFC 4303, combined mode).
    """

    name: str
    salt_bytes: ClassVar[int]
    iv_bytes: ClassVar[int]
    tag_bytes: ClassVar[int]
    block_bytes: ClassVar[int]
    combined: ClassVar[bool]

    @property
    @abstractmethod
    def key_bytes(self) -> tuple[int, ...]: ...


@dataclass(frozen=True)
class Aead(EspAlgorithm):
    """Authenticated encryption with a nonce of 12 bytes. ciphers: names by bytes of the key."""

    name: str
    ciphers: Mapping[int, str]
    salt_bytes: ClassVar = 4
    iv_bytes: ClassVar = 8
    tag_bytes: ClassVar = TAG
    block_bytes: ClassVar = 4
    combined: ClassVar = True

    @property
    def key_bytes(self) -> tuple[int, ...]:
        return tuple(self.ciphers)

    def run(self, core: Core, job: Job) -> bytes | None:
        cipher = catalogue().cipher(self.ciphers[len(job.key)])
        key = (cipher.name, job.direction, job.key)
        if core.key != key:
            core.session.set_up(cipher, job.direction, job.key)
            core.key = key
        data = job.text + (job.tag or b"")
        try:
            return aead.process(core.session, cipher, job.direction, job.nonce, data, job.aad, 8 * self.tag_bytes)
        except aead.WrongTagError:
            return None


@dataclass(frozen=True)
class CbcThenCmac(EspAlgorithm):
    """AES-CBC (RFC 3602), then AES-CMAC-96 (RFC 4494) of what is sent. A key is that of CBC, then that of CMAC."""

    name: str
    ciphers: Mapping[int, str]
    mac: str = "aes-128-cmac"
    mac_key_bytes: ClassVar = 16
    salt_bytes: ClassVar = 0
    iv_bytes: ClassVar = 16
    tag_bytes: ClassVar = 12
    block_bytes: ClassVar = 16
    combined: ClassVar = False

    @property
    def key_bytes(self) -> tuple[int, ...]:
        return tuple(size + self.mac_key_bytes for size in self.ciphers)

    def run(self, core: Core, job: Job) -> bytes | None:
        key, mac_key = job.key[: -self.mac_key_bytes], job.key[-self.mac_key_bytes :]
        if job.tag is not None and not compare_digest(self._tag(core, mac_key, job, job.text), job.tag):
            return None
        result = core.crypt(
            Request(catalogue().cipher(self.ciphers[len(key)]), job.direction, key, job.nonce), job.text
        )
        return result if job.tag is not None else result + self._tag(core, mac_key, job, result)

    def _tag(self, core: Core, key: bytes, job: Job, ciphertext: bytes) -> bytes:
        message = job.aad + ciphertext + job.unsent
        return mac.tag(core.macs, catalogue().mac(self.mac), key, message)[: self.tag_bytes]


GCM = Aead("aes-gcm", MappingProxyType({n: f"aes-{8 * n}-gcm" for n in (16, 24, 32)}))
CHACHA20_POLY1305 = Aead("chacha20-poly1305", MappingProxyType({32: "chacha20-poly1305"}))
CBC_CMAC = CbcThenCmac("aes-cbc-cmac", MappingProxyType({n: f"aes-{8 * n}-cbc" for n in (16, 24, 32)}))
ALGORITHMS: Mapping[str, EspAlgorithm] = MappingProxyType({a.name: a for a in (GCM, CHACHA20_POLY1305, CBC_CMAC)})


@dataclass(frozen=True)
class Job:
    """A packet to be sealed, or with its tag to be opened. unsent: authenticated after the ciphertext."""

    algorithm: Algorithm
    key: bytes
    nonce: bytes
    aad: bytes
    text: bytes
    tag: bytes | None = None
    unsent: bytes = b""

    @property
    def direction(self) -> Direction:
        return "encrypt" if self.tag is None else "decrypt"


@dataclass
class Core:
    """Sessions of ciphers and of MACs, and the key that the first holds. work: what was given to it; packets: how
    many."""

    session: Session
    macs: Session
    key: tuple[str, Direction, bytes] | None = None
    work: int = 0
    packets: int = 0

    def run(self, job: Job) -> bytes | None:
        """Ciphertext and tag; or the text, None where the tag is wrong."""
        self.packets += 1
        self.work += PACKET_WORK + -(-(len(job.text) + len(job.aad)) // ROW)
        return job.algorithm.run(self, job)

    def crypt(self, request: Request, data: bytes) -> bytes:
        """Encrypt or decrypt with a key of its own, in the place of the one that is held."""
        self.key = None
        return crypt.answer(self.session, request, data)

    @property
    def cycles(self) -> int:
        return self.session.usage.cycles + self.macs.usage.cycles


@dataclass
class Cores:
    """So many cores on an engine."""

    count: int
    engine: EngineName = "iss"
    all: list[Core] = field(init=False)

    def __post_init__(self) -> None:
        self.all = [Core(Session(make(self.engine)), Session(make(self.engine))) for _ in range(self.count)]

    def run(self, jobs: Iterable[Job]) -> Iterator[bytes | None]:
        """The results, in order."""
        for job in jobs:
            yield min(self.all, key=lambda core: core.work).run(job)

    @property
    def cycles(self) -> int:
        """Cycles until the last core is done, each with its own packets only."""
        return max(core.cycles for core in self.all)
