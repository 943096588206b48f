"""PDCP (TS 38.323, TS 36.323): NEA1 to NEA3 and NIA1 to NIA3 of 5G, which are EEA and EIA of LTE.

A PDU is a header with the sequence number, then the data and, where integrity is protected, MAC-I of 4 bytes. MAC-I is
that of header and data; data and MAC-I are encrypted. COUNT is the hyper frame number and the sequence number.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from types import MappingProxyType

from lutra.firmware import crypt, mac
from lutra.firmware.lte import initial_vector
from lutra.firmware.manifest import catalogue
from lutra.firmware.request import Request
from lutra.firmware.session import Session
from lutra.iss.engine import EngineName, make
from lutra.soc.packets.errors import PacketError

# Bytes of the header by bits of the sequence number.
HEADERS = MappingProxyType({5: 1, 7: 1, 12: 2, 15: 2, 18: 3})
DATA_PDU = 0x80  # D/C in the first byte of the user plane
COUNTS = 1 << 32
MAC_BYTES, KEY_BYTES = 4, 16
NULL = 0


@dataclass
class Bearer:
    """A radio bearer, of one direction. cipher, integrity: numbers of NEA and NIA; None: no MAC-I.

    clear: bytes after the header that are not encrypted, as SDAP's. PacketError where a value is wrong.
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
    engine: EngineName = "iss"
    _sessions: tuple[Session, Session] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        if self.sn_bits not in HEADERS:
            raise PacketError(f"sequence numbers of {self.sn_bits} bits; PDCP has {', '.join(map(str, HEADERS))}")
        for name, number, key in (("NEA", self.cipher, self.key), ("NIA", self.integrity or NULL, self.auth_key)):
            if number not in range(4):
                raise PacketError(f"{name}{number}: choose from {name}0 to {name}3")
            if number and len(key) != KEY_BYTES:
                raise PacketError(f"key of {len(key)} bytes; {name}{number} takes {KEY_BYTES}")
        self._sessions = Session(make(self.engine)), Session(make(self.engine))

    @property
    def header_bytes(self) -> int:
        return HEADERS[self.sn_bits]

    def sequence(self, pdu: bytes) -> int:
        """The sequence number in a header."""
        return int.from_bytes(pdu[: self.header_bytes], "big") % (1 << self.sn_bits)

    def header(self, count: int) -> bytes:
        """The header of a PDU of data."""
        number = count % (1 << self.sn_bits) | self.user << 8 * self.header_bytes - 1
        return number.to_bytes(self.header_bytes)

    def seal(self, plain: bytes, count: int) -> bytes:
        """The PDU of a header and data."""
        whole = plain + self._mac(plain, count)
        start = self.header_bytes + self.clear
        return whole[:start] + self._crypt(whole[start:], count)

    def open(self, pdu: bytes, count: int) -> bytes:
        """Header and data. PacketError where it is too short, or MAC-I is wrong."""
        start, end = self.header_bytes + self.clear, MAC_BYTES * (self.integrity is not None)
        if len(pdu) < start + end:
            raise PacketError(f"a PDU of {len(pdu)} bytes, which is too short")
        whole = pdu[:start] + self._crypt(pdu[start:], count)
        plain, given = whole[: len(whole) - end], whole[len(whole) - end :]
        if given != self._mac(plain, count):
            raise PacketError("MAC-I mismatch: the PDU was changed, or key or COUNT are others")
        return plain

    def _crypt(self, data: bytes, count: int) -> bytes:
        """Encrypt or decrypt, which are the same."""
        if self.cipher == NULL or not data:
            return data
        cipher = catalogue().cipher(f"128-eea{self.cipher}")
        assert cipher.lte is not None
        start = initial_vector(cipher.lte, count=count, bearer=self.bearer, direction=self.direction)
        return crypt.answer(self._sessions[0], Request(cipher, "encrypt", self.key, start), data)

    def _mac(self, plain: bytes, count: int) -> bytes:
        if self.integrity is None:
            return b""
        if self.integrity == NULL:
            return bytes(MAC_BYTES)
        algorithm = catalogue().mac(f"128-eia{self.integrity}")
        assert algorithm.lte is not None
        start = initial_vector(algorithm.lte, count=count, bearer=self.bearer, direction=self.direction)
        return mac.tag(self._sessions[1], algorithm, self.auth_key, plain, None, start)[:MAC_BYTES]


@dataclass
class Sender:
    """The transmitting entity: numbers data in the order in which they are given to it."""

    bearer: Bearer
    next: int = 0

    def send(self, data: bytes) -> bytes:
        """A PDU. PacketError after the last COUNT: the key has to change before."""
        if self.next == COUNTS:
            raise PacketError("all values of COUNT have been used; the bearer needs another key")
        count, self.next = self.next, self.next + 1
        return self.bearer.seal(self.bearer.header(count) + data, count)


@dataclass
class Receiver:
    """The receiving entity (TS 38.323 5.2.2.1): a PDU that is in the window and new is opened, and only then counts."""

    bearer: Bearer
    deliver: int = 0  # RCV_DELIV: the first COUNT that has not come
    seen: set[int] = field(default_factory=set)

    def count(self, sequence: int) -> int:
        """The COUNT of a sequence number: the one that is nearest to what is expected."""
        bits = self.bearer.sn_bits
        high, at = divmod(self.deliver, 1 << bits)
        window = 1 << bits - 1
        if sequence < at - window:
            high += 1
        elif sequence >= at + window:
            high -= 1
        return (high << bits) + sequence

    def receive(self, pdu: bytes) -> bytes:
        """The data of a PDU. PacketError where it is wrong, was received before, or is older than the window."""
        count = self.count(self.bearer.sequence(pdu))
        if not 0 <= count < COUNTS:
            raise PacketError(f"sequence number {self.bearer.sequence(pdu)} leads to a COUNT that does not exist")
        plain = self.bearer.open(pdu, count)
        if count < self.deliver or count in self.seen:
            raise PacketError(f"COUNT {count} was received before, or is too old")
        self.seen.add(count)
        while self.deliver in self.seen:
            self.seen.remove(self.deliver)
            self.deliver += 1
        return plain[self.bearer.header_bytes :]
