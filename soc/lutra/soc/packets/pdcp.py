"""PDCP (TS 38.323, TS 36.323): NEA1 to NEA3 and NIA1 to NIA3 of 5G, which are EEA and EIA of LTE, and the 256-bit
algorithms NEA4 to NEA6, NIA4 to NIA6 and NCA4 to NCA6 (TS 35.240 to 35.248).

A PDU is a header with the sequence number, then the data and, where integrity is protected, MAC-I of 4 bytes. MAC-I is
that of header and data; data and MAC-I are encrypted. COUNT is the hyper frame number and the sequence number. NCA
encrypts the data, and MAC-I is that of the header and what was encrypted.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from hmac import compare_digest
from types import MappingProxyType

from lutra.firmware import aead, mac
from lutra.firmware.lte import initial_vector
from lutra.firmware.manifest import catalogue
from lutra.firmware.request import Request
from lutra.soc.packets.errors import PacketError
from lutra.soc.packets.jobs import Algorithm, Core, Job

# Bytes of the header by bits of the sequence number.
HEADERS = MappingProxyType({5: 1, 7: 1, 12: 2, 15: 2, 18: 3})
COUNTS = 1 << 32
MAC_BYTES = 4
NULL = 0
# The first algorithm with keys of 256 bits; families of those, as the firmware names them.
LONG = 4
FAMILIES = MappingProxyType({4: "snow5g-256", 5: "aes-256", 6: "zuc-256"})
ALGORITHMS = LONG + len(FAMILIES)
BEARERS, DIRECTIONS = 32, 2
# The tag of a job that opens a PDU: MAC-I is encrypted, at the end of its text.
ENCRYPTED_MAC = b""


def key_bytes(algorithm: int) -> int:
    """Bytes of the key of NEA, NIA or NCA of a number."""
    return 0 if algorithm == NULL else 16 if algorithm < LONG else 32


def long_vector(nonce: bytes, tag_bits: int = 0, combined: bool = False) -> bytes:
    """The IV block of the 256-bit algorithms: kind and length of the tag, BEARER and DIRECTION, 48 bits of 0 that PDCP
    does not use, COUNT, and 32 bits of 0.

    The specifications are not public, and this layout is that of the published vectors, which are given as blocks. They
    do not tell BEARER || DIRECTION, as 128-NEA has it, from DIRECTION || BEARER.
    """
    return bytes([tag_bits | combined << 2, nonce[4] << 1 | nonce[5], *bytes(6)]) + nonce[:4] + bytes(4)


@dataclass(frozen=True)
class NiaThenNea(Algorithm):
    """Integrity, then encryption with MAC-I. A key of a job is that of NIA, then that of NEA, its associated data are
    authenticated before the text, and its nonce is COUNT, BEARER and DIRECTION."""

    cipher: int
    integrity: int | None

    def run(self, core: Core, job: Job) -> bytes | None:
        if job.tag is None:
            return self._crypt(core, job, job.text + self._mac(core, job, job.text))
        whole = self._crypt(core, job, job.text)
        end = len(whole) - MAC_BYTES * (self.integrity is not None)
        return whole[:end] if compare_digest(whole[end:], self._mac(core, job, whole[:end])) else None

    def _crypt(self, core: Core, job: Job, data: bytes) -> bytes:
        """Encrypt or decrypt, which are the same."""
        if self.cipher == NULL or not data:
            return data
        key = job.key[-key_bytes(self.cipher) :]
        if self.cipher >= LONG:
            cipher = catalogue().cipher(f"{FAMILIES[self.cipher]}-nea{self.cipher}")
            return core.crypt(Request(cipher, "encrypt", key, long_vector(job.nonce)), data)
        cipher = catalogue().cipher(f"128-eea{self.cipher}")
        assert cipher.lte is not None
        start = initial_vector(cipher.lte, **_inputs(job.nonce))
        return core.crypt(Request(cipher, "encrypt", key, start), data)

    def _mac(self, core: Core, job: Job, text: bytes) -> bytes:
        if self.integrity is None:
            return b""
        if self.integrity == NULL:
            return bytes(MAC_BYTES)
        key = job.key[: key_bytes(self.integrity)]
        if self.integrity >= LONG:
            algorithm = catalogue().mac(f"{FAMILIES[self.integrity]}-nia{self.integrity}")
            start = long_vector(job.nonce, 8 * MAC_BYTES)
        else:
            algorithm = catalogue().mac(f"128-eia{self.integrity}")
            assert algorithm.lte is not None
            start = initial_vector(algorithm.lte, **_inputs(job.nonce))
        return mac.tag(core.macs, algorithm, key, job.aad + text, None, start)[:MAC_BYTES]


@dataclass(frozen=True)
class Nca(Algorithm):
    """Encryption and integrity in one, of number 4 to 6. Key, associated data and nonce of a job are as of
    `NiaThenNea`."""

    number: int

    def run(self, core: Core, job: Job) -> bytes | None:
        cipher = catalogue().cipher(f"{FAMILIES[self.number]}-nca{self.number}")
        core.key = None
        core.session.set_up(cipher, job.direction, job.key)
        start = long_vector(job.nonce, 8 * MAC_BYTES, combined=True)
        try:
            return aead.process(core.session, cipher, job.direction, start, job.text, job.aad, 8 * MAC_BYTES)
        except aead.WrongTagError:
            return None


def _inputs(nonce: bytes) -> dict[str, int]:
    return {"count": int.from_bytes(nonce[:4], "big"), "bearer": nonce[4], "direction": nonce[5]}


@dataclass(frozen=True)
class Bearer:
    """A radio bearer, of one direction. cipher, integrity: numbers of NEA and NIA; None: no MAC-I. combined: cipher is
    the number of NCA, which makes MAC-I, too.

    clear: bytes after the header that are not encrypted, as SDAP's. user: of the user plane, whose headers say that
    they are of data. PacketError where a value is wrong.
    """

    sn_bits: int
    bearer: int
    direction: int
    cipher: int = NULL
    integrity: int | None = None
    key: bytes = b""
    auth_key: bytes = b""
    clear: int = 0
    user: bool = True
    combined: bool = False

    def __post_init__(self) -> None:
        if self.sn_bits not in HEADERS:
            raise PacketError(f"sequence numbers of {self.sn_bits} bits; PDCP has {', '.join(map(str, HEADERS))}")
        if self.bearer not in range(BEARERS) or self.direction not in range(DIRECTIONS):
            raise PacketError(f"bearer {self.bearer}, direction {self.direction}; PDCP has 0 to 31, and 0 or 1")
        name, first = ("NCA", LONG) if self.combined else ("NEA", NULL)
        if self.combined and self.integrity is not None:
            raise PacketError(f"NCA{self.cipher} makes MAC-I itself; leave NIA{self.integrity} out")
        self._check(name, first, self.cipher, self.key)
        self._check("NIA", NULL, self.integrity or NULL, self.auth_key)

    @staticmethod
    def _check(name: str, first: int, number: int, key: bytes) -> None:
        if number not in range(first, ALGORITHMS):
            raise PacketError(f"{name}{number}: choose from {name}{first} to {name}{ALGORITHMS - 1}")
        if number != NULL and len(key) != key_bytes(number):
            raise PacketError(f"key of {len(key)} bytes; {name}{number} takes {key_bytes(number)}")

    @property
    def mac_bytes(self) -> int:
        """Bytes of MAC-I."""
        return MAC_BYTES * (self.combined or self.integrity is not None)

    @property
    def header_bytes(self) -> int:
        return HEADERS[self.sn_bits]

    def sequence(self, pdu: bytes) -> int:
        """The sequence number in a header."""
        return int.from_bytes(pdu[: self.header_bytes], "big") % (1 << self.sn_bits)

    def is_data(self, pdu: bytes) -> bool:
        """Whether a PDU has data: others, of the user plane only, are neither encrypted nor counted."""
        return not self.user or bool(pdu[:1] >= b"\x80")

    def header(self, count: int) -> bytes:
        """The header of a PDU of data."""
        number = count % (1 << self.sn_bits) | self.user << 8 * self.header_bytes - 1
        return number.to_bytes(self.header_bytes)

    def seal(self, plain: bytes, count: int) -> tuple[bytes, Job]:
        """The beginning of a PDU, and the job whose result follows. plain: header and data."""
        return self._job(plain, count, None)

    def open(self, pdu: bytes, count: int) -> tuple[bytes, Job]:
        """The beginning of a PDU, and the job whose result follows. PacketError where the PDU is too short."""
        if len(pdu) < self.header_bytes + self.clear + self.mac_bytes:
            raise PacketError(f"a PDU of {len(pdu)} bytes, which is too short")
        return self._job(pdu, count, ENCRYPTED_MAC)

    def _job(self, data: bytes, count: int, tag: bytes | None) -> tuple[bytes, Job]:
        start = self.header_bytes + self.clear
        nonce = count.to_bytes(4) + bytes([self.bearer, self.direction])
        algorithm = Nca(self.cipher) if self.combined else NiaThenNea(self.cipher, self.integrity)
        return data[:start], Job(algorithm, self.auth_key + self.key, nonce, data[:start], data[start:], tag)


@dataclass
class Sender:
    """The transmitting entity: numbers data in the order in which they are given to it."""

    bearer: Bearer
    next: int = 0

    def seal(self, data: bytes) -> tuple[bytes, Job]:
        """The beginning of a PDU, and the job whose result follows. PacketError after the last COUNT: the key has to
        change before."""
        if self.next == COUNTS:
            raise PacketError("all values of COUNT have been used; the bearer needs another key")
        count, self.next = self.next, self.next + 1
        return self.bearer.seal(self.bearer.header(count) + data, count)


@dataclass(frozen=True)
class Received:
    """A PDU that is to be opened: its COUNT, what it begins with, its job."""

    count: int
    head: bytes
    job: Job


@dataclass
class Receiver:
    """The receiving entity (TS 38.323 5.2.2.1): a PDU that is in the window and new is opened, and only then counts.

    There is no t-Reordering timer: a PDU that is half a window behind the newest one is given up.
    """

    bearer: Bearer
    deliver: int = 0  # RCV_DELIV: the first COUNT that has not come
    seen: set[int] = field(default_factory=set)

    @property
    def window(self) -> int:
        return 1 << self.bearer.sn_bits - 1

    def count(self, sequence: int) -> int:
        """The COUNT of a sequence number: the one that is nearest to what is expected."""
        high, at = divmod(self.deliver, 2 * self.window)
        if sequence < at - self.window:
            high += 1
        elif sequence >= at + self.window:
            high -= 1
        return high * 2 * self.window + sequence

    def open(self, pdu: bytes) -> Received:
        """The job of a PDU. PacketError where it is too short, was received before, or is older than the window."""
        sequence = self.bearer.sequence(pdu)
        count = self.count(sequence)
        if not 0 <= count < COUNTS:
            raise PacketError(f"sequence number {sequence} leads to a COUNT that does not exist")
        self._check(count)
        return Received(count, *self.bearer.open(pdu, count))

    def _check(self, count: int) -> None:
        if count < self.deliver or count in self.seen:
            raise PacketError(f"COUNT {count} was received before, or is too old")

    def accept(self, received: Received, text: bytes | None) -> bytes:
        """The data of a PDU. PacketError where text is None, as MAC-I was wrong, or where it came twice."""
        if text is None:
            raise PacketError("MAC-I mismatch: the PDU was changed, or key or COUNT are others")
        self._check(received.count)
        self.seen.add(received.count)
        deliver = max(self.deliver, received.count - self.window // 2)
        while deliver in self.seen:
            deliver += 1
        self.seen.difference_update(range(self.deliver, deliver))
        self.deliver = deliver
        return (received.head + text)[self.bearer.header_bytes :]
