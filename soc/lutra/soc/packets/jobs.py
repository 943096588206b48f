"""Packets as jobs of cores. A core is a session of the firmware; each packet goes to the core with the least work, and
results come in the order of the jobs, as from `lutra_cluster`. docs/cluster.md has the hardware.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from types import MappingProxyType

from lutra.firmware import aead
from lutra.firmware.ciphers import Cipher, Direction
from lutra.firmware.manifest import catalogue
from lutra.firmware.session import ROW, Session
from lutra.iss.engine import EngineName, make

# Overhead of a packet, in blocks; it only ranks cores.
PACKET_WORK = 4
TAG = 16


@dataclass(frozen=True)
class Algorithm:
    """Authenticated encryption with a nonce of 12 bytes and a tag of 16. ciphers: names by bytes of the key."""

    name: str
    ciphers: MappingProxyType[int, str]

    @property
    def key_bytes(self) -> tuple[int, ...]:
        """Lengths of keys."""
        return tuple(self.ciphers)

    def cipher(self, key: bytes) -> Cipher:
        """The cipher of the firmware."""
        return catalogue().cipher(self.ciphers[len(key)])


GCM = Algorithm("aes-gcm", MappingProxyType({n: f"aes-{8 * n}-gcm" for n in (16, 24, 32)}))
CHACHA20_POLY1305 = Algorithm("chacha20-poly1305", MappingProxyType({32: "chacha20-poly1305"}))
ALGORITHMS = MappingProxyType({a.name: a for a in (GCM, CHACHA20_POLY1305)})


@dataclass(frozen=True)
class Job:
    """A packet to be sealed, or with its tag to be opened."""

    algorithm: Algorithm
    key: bytes
    nonce: bytes
    aad: bytes
    text: bytes
    tag: bytes | None = None

    @property
    def direction(self) -> Direction:
        return "encrypt" if self.tag is None else "decrypt"


@dataclass
class Core:
    """A session with the key that it holds. work: what was given to it; packets: how many."""

    session: Session
    key: tuple[str, Direction, bytes] | None = None
    work: int = 0
    packets: int = 0

    def run(self, job: Job) -> bytes | None:
        """Ciphertext and tag; or the text, None where the tag is wrong."""
        cipher = job.algorithm.cipher(job.key)
        key = (cipher.name, job.direction, job.key)
        if self.key != key:
            self.session.set_up(cipher, job.direction, job.key)
            self.key = key
        self.packets += 1
        self.work += PACKET_WORK + -(-(len(job.text) + len(job.aad)) // ROW)
        try:
            return aead.process(
                self.session, cipher, job.direction, job.nonce, job.text + (job.tag or b""), job.aad, 8 * TAG
            )
        except aead.WrongTagError:
            return None


@dataclass
class Cores:
    """So many cores on an engine."""

    count: int
    engine: EngineName = "iss"
    all: list[Core] = field(init=False)

    def __post_init__(self) -> None:
        self.all = [Core(Session(make(self.engine))) for _ in range(self.count)]

    def run(self, jobs: Iterable[Job]) -> Iterator[bytes | None]:
        """The results, in order."""
        for job in jobs:
            yield min(self.all, key=lambda core: core.work).run(job)

    @property
    def cycles(self) -> int:
        """Cycles until the last core is done, each with its own packets only."""
        return max(core.session.usage.cycles for core in self.all)
