"""SRTP and SRTCP with AEAD_AES_128_GCM and AEAD_AES_256_GCM (RFC 7714, RFC 3711).

The header of RTP, with its contributing sources and its extension, is authenticated; what follows is encrypted. The
index of a packet is its sequence number of 16 bits, and how often that has rolled over. SRTCP carries an index of 31
bits, and a bit that says whether it is encrypted.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass, field

from lutra.firmware import crypt
from lutra.soc.packets.errors import PacketError
from lutra.soc.packets.esp import Window
from lutra.soc.packets.jobs import GCM, TAG, Job

SALT_BYTES, MASTER_SALT_BYTES = 12, 14
FIXED, WORD = 12, 4  # of a header of RTP, and of each source in it
CONTROL = 8  # bytes of SRTCP that are never encrypted
EXTENSION, SOURCES = 0x10, 0x0F
LOW, INDEX = 1 << 16, 1 << 48  # sequence numbers, indices
ENCRYPTED = 1 << 31  # E of SRTCP
LABELS = {"rtp": (0, 2), "rtcp": (3, 5)}  # of key and salt (RFC 3711 4.3)


@dataclass(frozen=True)
class Keys:
    """Session key and salt of one direction."""

    key: bytes
    salt: bytes

    def __post_init__(self) -> None:
        if len(self.key) not in (16, 32) or len(self.salt) != SALT_BYTES:
            sizes = f"a key of {len(self.key)} and a salt of {len(self.salt)} bytes"
            raise PacketError(f"{sizes}; SRTP with AES-GCM takes 16 or 32, and {SALT_BYTES}")

    @classmethod
    def derived(cls, master: bytes, salt: bytes, protocol: str = "rtp") -> Keys:
        """Session values of master values (RFC 3711 4.3.1), without a rate of derivation."""
        start = int.from_bytes(salt.ljust(MASTER_SALT_BYTES, b"\0"), "big")

        def value(label: int, size: int) -> bytes:
            counter = (start ^ label << 48) << 16
            return crypt.encrypt(f"aes-{8 * len(master)}-ctr", master, bytes(size), counter.to_bytes(16))

        key, session_salt = LABELS[protocol]
        return cls(value(key, len(master)), value(session_salt, SALT_BYTES))

    def job(self, ssrc: bytes, index: bytes, aad: bytes, text: bytes, tag: bytes | None) -> Job:
        """The job of a packet. index: its last 6 bytes in the nonce (RFC 7714 8.1, 9.1)."""
        plain = bytes(2) + ssrc + index
        nonce = bytes(a ^ b for a, b in zip(plain, self.salt, strict=True))
        return Job(GCM, self.key, nonce, aad, text, tag)


def header_bytes(packet: bytes) -> int:
    """Length of a packet's header. PacketError where it is not one of RTP."""
    if len(packet) < FIXED or packet[0] >> 6 != 2:
        raise PacketError("not a packet of RTP, version 2")
    end = FIXED + WORD * (packet[0] & SOURCES)
    if packet[0] & EXTENSION:
        if len(packet) < end + WORD:
            raise PacketError("a packet that ends in the header's extension")
        end += WORD + WORD * int.from_bytes(packet[end + 2 : end + WORD], "big")
    if len(packet) < end:
        raise PacketError("a packet that ends in its header")
    return end


def _of(packet: bytes) -> tuple[bytes, int]:
    """SSRC and sequence number."""
    return packet[8:FIXED], int.from_bytes(packet[2:4], "big")


@dataclass
class Sender:
    """The outbound end of one source, whose packets of RTP have sequence numbers already. rollover: of its counter."""

    keys: Keys
    rollover: int = 0
    last: int | None = None

    def seal(self, packet: bytes) -> tuple[bytes, Job]:
        """The header, and the job whose result follows. PacketError where a number would be used twice."""
        end = header_bytes(packet)
        ssrc, sequence = _of(packet)
        if self.last is not None and sequence <= self.last:
            if sequence != 0 or self.last != LOW - 1:
                raise PacketError(f"sequence number {sequence} after {self.last}: a nonce would be used twice")
            self.rollover += 1
        if self.rollover * LOW + sequence >= INDEX:
            raise PacketError("all indices have been used; the source needs another key")
        self.last = sequence
        index = struct.pack(">IH", self.rollover, sequence)
        return packet[:end], self.keys.job(ssrc, index, packet[:end], packet[end:], None)


@dataclass(frozen=True)
class Received:
    """A packet that is to be opened: its index, its header, its job."""

    index: int
    header: bytes
    job: Job


@dataclass
class Receiver:
    """The inbound end of one source. Packets are accepted in the order in which they came, and only then count."""

    keys: Keys
    rollover: int = 0
    last: int | None = None  # the highest sequence number
    window: Window = field(default_factory=Window)

    def index(self, sequence: int) -> int:
        """The index that is nearest to the highest one (RFC 3711 appendix A)."""
        if self.last is None:
            return self.rollover * LOW + sequence
        rollover = self.rollover
        if self.last < LOW // 2:
            rollover -= sequence - self.last > LOW // 2
        else:
            rollover += self.last - LOW // 2 > sequence
        return max(rollover, 0) * LOW + sequence

    def open(self, packet: bytes) -> Received:
        """The job of a packet. PacketError where it is too short, or was received before."""
        end = header_bytes(packet)
        if len(packet) < end + TAG:
            raise PacketError(f"a packet of {len(packet)} bytes, which has no tag")
        ssrc, sequence = _of(packet)
        index = self.index(sequence)
        # The window begins at 1.
        self.window.check(index + 1)
        at = struct.pack(">IH", index // LOW, sequence)
        return Received(index, packet[:end], self.keys.job(ssrc, at, packet[:end], packet[end:-TAG], packet[-TAG:]))

    def accept(self, received: Received, text: bytes | None) -> bytes:
        """The packet of RTP. PacketError where text is None, as the tag was wrong, or where it came twice."""
        if text is None:
            raise PacketError("tag mismatch: the packet was changed, or the key is another one")
        self.window.check(received.index + 1)
        highest = self.rollover * LOW + (self.last or 0)
        if self.last is None or received.index > highest:
            self.rollover, self.last = divmod(received.index, LOW)
        self.window = self.window.after(received.index + 1)
        return received.header + text


def control(keys: Keys, packet: bytes, index: int, encrypts: bool = True) -> tuple[bytes, Job, bytes]:
    """A packet of RTCP as SRTCP: the bytes before the job's result, the job, and those after it."""
    trailer = struct.pack(">I", (ENCRYPTED if encrypts else 0) | index)
    clear, rest = (packet[:CONTROL], packet[CONTROL:]) if encrypts else (packet, b"")
    at = bytes(2) + struct.pack(">I", index)
    return clear, keys.job(packet[4:CONTROL], at, clear + trailer, rest, None), trailer


def open_control(keys: Keys, packet: bytes) -> tuple[bytes, Job]:
    """Return the bytes before the text of a packet of SRTCP, and its job. PacketError where it is too short."""
    if len(packet) < CONTROL + TAG + WORD:
        raise PacketError(f"a packet of SRTCP of {len(packet)} bytes, which is too short")
    (word,) = struct.unpack(">I", packet[-WORD:])
    body, tag = packet[: -WORD - TAG], packet[-WORD - TAG : -WORD]
    clear, rest = (body[:CONTROL], body[CONTROL:]) if word & ENCRYPTED else (body, b"")
    at = bytes(2) + struct.pack(">I", word % ENCRYPTED)
    return clear, keys.job(packet[4:CONTROL], at, clear + packet[-WORD:], rest, tag)
