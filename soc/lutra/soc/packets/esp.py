"""ESP (RFC 4303) in tunnel mode: AES-GCM (RFC 4106), ChaCha20-Poly1305 (RFC 7634), and AES-CBC (RFC 3602) with
AES-CMAC-96 (RFC 4494).

A packet is SPI, sequence number, IV, ciphertext, tag. What is encrypted ends in padding to words of 4 bytes or to
blocks, the length of the padding and the next header. SPI and sequence number are authenticated, the latter with all
its 64 bits where extended sequence numbers are used.

The IV is the sequence number where it may never come again under a key. Where nobody may foresee it, it is the
encrypted sequence number (SP 800-38A appendix C): the first block of a message whose IV is zero.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass, field, replace

from lutra.soc.packets.errors import PacketError
from lutra.soc.packets.jobs import EspAlgorithm, Job

SPI_BYTES, SEQUENCE_BYTES = 4, 4
NUMBERS = SPI_BYTES + SEQUENCE_BYTES
TRAILER = 2  # length of the padding, next header
# IP protocol numbers.
ESP, DUMMY = 50, 59
LOW = 1 << 32
RESERVED = 256  # the first SPI that is not


@dataclass(frozen=True)
class Association:
    """A security association, which both ends know. material: key, then salt, as IKE and `ip xfrm` have them; the key
    of CBC, then that of the MAC.

    extended: sequence numbers of 64 bits, of which packets carry the low half. PacketError where a value is wrong.
    """

    spi: int
    algorithm: EspAlgorithm
    material: bytes
    extended: bool = False

    def __post_init__(self) -> None:
        if not 0 <= self.spi < LOW:
            raise PacketError(f"SPI {self.spi:#x}: an SPI has 32 bits")
        salt = self.algorithm.salt_bytes
        sizes = [size + salt for size in self.algorithm.key_bytes]
        if len(self.material) not in sizes:
            last = "4 of them the salt" if salt else "16 of them the key of the MAC"
            taken = f"{self.algorithm.name} in ESP takes {' or '.join(map(str, sizes))}, the last {last}"
            raise PacketError(f"key of {len(self.material)} bytes; {taken}")

    @property
    def key(self) -> bytes:
        return self.material[: len(self.material) - self.algorithm.salt_bytes]

    @property
    def salt(self) -> bytes:
        return self.material[len(self.material) - self.algorithm.salt_bytes :]

    @property
    def last(self) -> int:
        """The last sequence number: the key has to change before the next packet."""
        return (LOW << 32 if self.extended else LOW) - 1

    def associated(self, sequence: int) -> bytes:
        """The associated data of a packet in a combined mode."""
        return struct.pack(">IQ" if self.extended else ">II", self.spi, sequence)

    def job(self, sequence: int, head: bytes, iv: bytes, text: bytes, tag: bytes | None = None) -> Job:
        """The job of a packet. head: what is sent before the result, with the IV at its end."""
        if self.algorithm.combined:
            return Job(self.algorithm, self.key, self.salt + iv, self.associated(sequence), text, tag)
        # The high half is authenticated as if it came after the packet (RFC 4303 3.3.2.1).
        high = struct.pack(">I", sequence >> 32) if self.extended else b""
        return Job(self.algorithm, self.key, iv, head, text, tag, high)


@dataclass
class Sender:
    """The outbound end: numbers packets, in the order in which they are given to it."""

    association: Association
    sequence: int = 0

    def seal(self, payload: bytes, next_header: int, iv: bytes | None = None) -> tuple[bytes, Job]:
        """The head of a packet, and the job whose result follows it. PacketError after the last sequence number."""
        sa = self.association
        if self.sequence == sa.last:
            raise PacketError(
                f"SPI {sa.spi:#x}: all sequence numbers have been used; the association needs another key"
            )
        self.sequence += 1
        head = struct.pack(">II", sa.spi, self.sequence % LOW)
        text = filled(payload, next_header, sa.algorithm.block_bytes)
        size = sa.algorithm.iv_bytes
        number = self.sequence.to_bytes(size)
        if iv is None and not sa.algorithm.combined:
            return head, sa.job(self.sequence, head, bytes(size), number + text)
        head += iv or number
        return head, sa.job(self.sequence, head, iv or number, text)


def filled(payload: bytes, next_header: int, block: int) -> bytes:
    """A payload with its trailer; padding is 1, 2, 3 (RFC 4303 2.4)."""
    padding = -(len(payload) + TRAILER) % block
    return payload + bytes(range(1, padding + 1)) + bytes([padding, next_header])


@dataclass(frozen=True)
class Received:
    """A packet that is to be opened: its number, and its job."""

    sequence: int
    job: Job


@dataclass
class Receiver:
    """The inbound end. A packet is looked at when it comes, opened in any order, and accepted in the order in which it
    came: only then the window moves (RFC 4303 3.4.3), since a packet that was forged may not move it."""

    association: Association
    window: Window = field(default_factory=lambda: Window())

    def open(self, packet: bytes) -> Received:
        """The job of a packet. PacketError where it is not one of this association, or was seen before."""
        sa, algorithm = self.association, self.association.algorithm
        start, end = NUMBERS + algorithm.iv_bytes, len(packet) - algorithm.tag_bytes
        if end < start + TRAILER or (end - start) % algorithm.block_bytes:
            units = f"in {'words' if algorithm.block_bytes == 4 else 'blocks'} of {algorithm.block_bytes} bytes"
            raise PacketError(f"an ESP packet of {len(packet)} bytes, which is too short or not {units}")
        spi, low = struct.unpack_from(">II", packet)
        if spi != sa.spi:
            raise PacketError(f"SPI {spi:#x} is not that of the association, {sa.spi:#x}")
        sequence = self.window.whole(low) if sa.extended else low
        self.window.check(sequence)
        job = sa.job(sequence, packet[:start], packet[NUMBERS:start], packet[start:end], packet[end:])
        return Received(sequence, job)

    def accept(self, received: Received, text: bytes | None) -> tuple[bytes, int]:
        """Payload and next header of a packet that was opened; text is None where its tag was wrong.

        PacketError for that, for a packet that was accepted meanwhile, and for a wrong trailer.
        """
        if text is None:
            raise PacketError("tag mismatch: the packet was changed, or the key is another one")
        self.window.check(received.sequence)
        self.window = self.window.after(received.sequence)
        padding, next_header = text[-2], text[-1]
        end = len(text) - TRAILER - padding
        if end < 0 or text[end:-TRAILER] != bytes(range(1, padding + 1)):
            raise PacketError("the padding is not 1, 2, 3: the sender does not follow RFC 4303")
        return text[:end], next_header


@dataclass(frozen=True)
class Window:
    """Sequence numbers that were accepted: the highest one, and a bit for each of the `size` up to it."""

    highest: int = 0
    seen: int = 0
    size: int = 64

    def whole(self, low: int) -> int:
        """The sequence number of 64 bits whose low half a packet has (RFC 4303 appendix A2)."""
        high, at = divmod(self.highest, LOW)
        bottom = at - self.size + 1
        if bottom >= 0:
            return (high + (low < bottom)) * LOW + low
        if low >= bottom % LOW and high:
            return (high - 1) * LOW + low
        return high * LOW + low

    def check(self, sequence: int) -> None:
        """PacketError where a packet is too old to tell, was seen before, or has number 0."""
        if sequence == 0:
            raise PacketError("sequence number 0, which no sender uses")
        late = self.highest - sequence
        if late >= self.size:
            raise PacketError(
                f"sequence number {sequence} is {late} below the highest, out of the window of {self.size}"
            )
        if late >= 0 and self.seen >> late & 1:
            raise PacketError(f"sequence number {sequence} was received before")

    def after(self, sequence: int) -> Window:
        """The window with one more number."""
        ahead = sequence - self.highest
        if ahead > 0:
            return replace(self, highest=sequence, seen=(self.seen << ahead | 1) & (1 << self.size) - 1)
        return replace(self, seen=self.seen | 1 << -ahead)
