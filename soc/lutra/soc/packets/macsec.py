"""MACsec (IEEE 802.1AE): GCM-AES-128 and -256, with packet numbers of 32 bits or, as XPN, of 64.

A frame is addresses, the SecTAG, the secured data and a tag of 16 bytes. The SecTAG has the EtherType, TCI and AN, the
length of short frames, the low half of the packet number and, if it is not implied, the channel's identifier (SCI).
"""

from __future__ import annotations

import struct
from dataclasses import dataclass

from lutra.soc.packets.errors import PacketError
from lutra.soc.packets.jobs import GCM, TAG, Job

ETHERTYPE = b"\x88\xe5"
ADDRESSES, SCI_BYTES, SALT_BYTES = 12, 8, 12
SECTAG = 8  # without SCI
# Bits of the byte TCI: version, end station, SCI present, single copy broadcast, encrypted, changed text.
VERSION, END_STATION, HAS_SCI, BROADCAST, ENCRYPTED, CHANGED = 0x80, 0x40, 0x20, 0x10, 0x08, 0x04
NUMBERS = 4  # of associations
KEYS = (16, 32)
SHORT = 48  # below this the length of the secured data is in the SecTAG
LOW = 1 << 32
MOST_EXTENDED = (1 << 30) - 1  # the largest replay window with extended packet numbers (802.1AE 10.7.8)
PORT = b"\0\1"  # of an end station
VLAN, VLAN_BYTES = b"\x81\x00", 4


@dataclass(frozen=True)
class Association:
    """A secure association. ssci, salt: of extended packet numbers. encrypts: otherwise frames are authenticated only.

    sci: None where it is the source address with port 1, and not in the frames. clear: tags of VLANs that stay before
    the SecTAG, unprotected, as network devices have it.
    """

    key: bytes
    number: int = 0
    sci: bytes | None = None
    encrypts: bool = True
    ssci: bytes = b""
    salt: bytes = b""
    clear: int = 0

    def __post_init__(self) -> None:
        if len(self.key) not in KEYS:
            raise PacketError(f"key of {len(self.key)} bytes; MACsec takes 16 or 32")
        if not 0 <= self.number < NUMBERS:
            raise PacketError(f"association {self.number}; a channel has those from 0 to {NUMBERS - 1}")
        if self.sci is not None and len(self.sci) != SCI_BYTES:
            raise PacketError(f"SCI of {len(self.sci)} bytes; it has {SCI_BYTES}")
        if (len(self.ssci), len(self.salt)) not in ((0, 0), (4, SALT_BYTES)):
            raise PacketError(f"extended packet numbers take an SSCI of 4 bytes and a salt of {SALT_BYTES}")

    @property
    def extended(self) -> bool:
        return bool(self.salt)

    @property
    def last(self) -> int:
        """The last packet number: the key has to change before the next frame."""
        return (LOW << 32 if self.extended else LOW) - 1

    def nonce(self, source: bytes, number: int) -> bytes:
        """The IV of a frame from a source."""
        if not self.extended:
            return (source + PORT if self.sci is None else self.sci) + struct.pack(">I", number)
        plain = self.ssci + struct.pack(">Q", number)
        return bytes(a ^ b for a, b in zip(plain, self.salt, strict=True))

    def job(self, head: bytes, data: bytes, number: int, tag: bytes | None) -> Job:
        """The job of a frame. head: addresses, tags in the clear, SecTAG."""
        protected = head[:ADDRESSES] + head[ADDRESSES + self.clear * VLAN_BYTES :]
        nonce = self.nonce(head[6:ADDRESSES], number)
        if self.encrypts:
            return Job(GCM, self.key, nonce, protected, data, tag)
        return Job(GCM, self.key, nonce, protected + data, b"", tag)


@dataclass
class Sender:
    """The outbound end: numbers frames in the order in which they are given to it."""

    association: Association
    number: int = 0

    def seal(self, frame: bytes) -> tuple[bytes, Job]:
        """Return the beginning of a frame, and the job whose result follows. PacketError where it cannot be sent."""
        sa = self.association
        if self.number == sa.last:
            raise PacketError("all packet numbers have been used; the association needs another key")
        start = ADDRESSES + sa.clear * VLAN_BYTES
        for at in range(ADDRESSES, start, VLAN_BYTES):
            if frame[at : at + 2] != VLAN:
                raise PacketError(f"a frame without {sa.clear} tags of VLANs, which are to stay in the clear")
        if len(frame) < start + 2:
            raise PacketError(f"a frame of {len(frame)} bytes, which has no EtherType")
        self.number += 1
        data = frame[start:]
        tci = (END_STATION if sa.sci is None else HAS_SCI) | (ENCRYPTED | CHANGED) * sa.encrypts | sa.number
        length = len(data) if len(data) < SHORT else 0
        tag = ETHERTYPE + struct.pack(">BBI", tci, length, self.number % LOW) + (sa.sci or b"")
        head = frame[:start] + tag
        return head + (b"" if sa.encrypts else data), sa.job(head, data, self.number, None)


@dataclass(frozen=True)
class Received:
    """A frame that is to be opened: its number, what is before the SecTAG, its data, its job."""

    number: int
    before: bytes
    data: bytes
    job: Job


@dataclass
class Receiver:
    """The inbound end. A frame is looked at when it comes, and accepted in the order in which it came.

    window: how far a number may be below the next one (replayWindow, 802.1AE 10.6). Within it, a frame that comes twice
    is accepted twice; with 0 none is.
    """

    association: Association
    window: int = 0
    next: int = 1

    def __post_init__(self) -> None:
        most = MOST_EXTENDED if self.association.extended else LOW - 1
        if not 0 <= self.window <= most:
            raise PacketError(f"a replay window of {self.window}; MACsec takes 0 to {most} with these packet numbers")

    def whole(self, low: int) -> int:
        """The packet number whose low half a frame has."""
        if not self.association.extended:
            return low
        lowest = self._lowest
        number = lowest // LOW * LOW + low
        # The upper half is one more where the lower half has passed its end (802.1AE 10.6.2).
        return number + LOW if number < lowest and lowest % LOW >> 31 and not low >> 31 else number

    @property
    def _lowest(self) -> int:
        return max(1, self.next - self.window)

    def open(self, frame: bytes) -> Received:
        """The job of a frame. PacketError where it is malformed, of another association, or late."""
        sa = self.association
        start = ADDRESSES + sa.clear * VLAN_BYTES
        if len(frame) < start + SECTAG + TAG or frame[start : start + 2] != ETHERTYPE:
            raise PacketError("not a frame of MACsec")
        tci, length, low = struct.unpack_from(">BBI", frame, start + 2)
        end = start + SECTAG + SCI_BYTES * bool(tci & HAS_SCI)
        head, data, tag = frame[:end], frame[end:-TAG], frame[-TAG:]
        if reason := _malformed(tci, length, len(frame) - end - TAG):
            raise PacketError(f"a malformed SecTAG: {reason}")
        if tci % NUMBERS != sa.number or (tci & HAS_SCI and head[-SCI_BYTES:] != sa.sci):
            raise PacketError("a frame of another channel or association")
        if bool(tci & ENCRYPTED) != sa.encrypts:
            raise PacketError("a frame that is encrypted, which this association does not do, or the other way round")
        number = self.whole(low)
        self._check(number)
        return Received(number, frame[:start], data, sa.job(head, data, number, tag))

    def _check(self, number: int) -> None:
        if number < self._lowest:
            raise PacketError(f"packet number {number} is below {self._lowest}, the lowest that is acceptable")

    def accept(self, received: Received, text: bytes | None) -> bytes:
        """The frame that was sent. PacketError where text is None, as the tag was wrong, or where it is late now."""
        if text is None:
            raise PacketError("tag mismatch: the frame was changed, or the key is another one")
        self._check(received.number)
        self.next = max(self.next, received.number + 1)
        return received.before + (text if self.association.encrypts else received.data)


def _malformed(tci: int, length: int, size: int) -> str:
    """Why a receiver discards a frame before any cryptography (802.1AE 9.12), or nothing."""
    wrong = (
        (tci & VERSION, "another version"),
        (tci & END_STATION and tci & HAS_SCI, "ES and SC are both 1"),
        (tci & BROADCAST and tci & HAS_SCI, "SCB and SC are both 1"),
        (bool(tci & ENCRYPTED) != bool(tci & CHANGED), "of E and C one is 1"),
        (length >= SHORT, f"a short length of {length}"),
        (size < 0 or (length and size != length) or (not length and size < SHORT), "another length than the frame's"),
    )
    return next((reason for bad, reason in wrong if bad), "")
