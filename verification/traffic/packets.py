"""Random packets: of which flow and size, what the peer makes of them, and how those with an error must end."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType

from lutra.soc import maps
from lutra.soc.cluster.host import NO_FLOW, Flow, Host, Packet
from lutra.soc.cluster.traffic import IMIX, ROW
from lutra.soc.operations import Firmware
from traffic.peers import KINDS, packet_operations, set_key

TAG = 16
CONTROL = maps.cluster("lutra_cluster_control").fields
GENERATIONS = (1 << CONTROL["control.generation"].width) - 1
LARGEST, SMALL, MOST_AAD = 2100, 80, 40
# A message of one chunk whose tag is wrong writes nothing (docs/soc.md).
CHUNK = 1024
# The last group that a packet can name. No core is in it: there are fewer groups than cores.
NO_GROUP = (1 << CONTROL["control.group"].width) - 1
SIZES = ("mix", "any", "small")
# Errors, and the status of a packet that meets one.
ERRORS: Mapping[str, str] = MappingProxyType(
    {
        "changed": "tag_mismatch",
        "stale": "bad_key",
        "read": "read_error",
        "write": "write_error",
        "group": "bad_operation",
    }
)


@dataclass(frozen=True)
class Keyed:
    """A flow with its key, for the operations of a class of an image."""

    flow: Flow
    firmware: Firmware
    operation: str
    key: bytes

    @property
    def operations(self) -> list[str]:
        """Operations that can use the key."""
        kind = self.firmware.operations[self.operation].key_class
        return [n for n in packet_operations(self.firmware) if self.firmware.operations[n].key_class == kind]


@dataclass(frozen=True)
class Sent:
    """A packet in memory. wanted: what has to be at its destination; status: how it has to end."""

    packet: Packet
    operation: str
    wanted: bytes
    size: int
    status: str = "ok"

    @property
    def place(self) -> slice:
        """Where the result is."""
        return slice(self.packet.destination, self.packet.destination + len(self.wanted))

    @property
    def silent(self) -> bool:
        """Whether a packet that ends as it has to, and not well, writes nothing."""
        return self.status in ("bad_key", "bad_operation") or (self.status == "tag_mismatch" and self.size <= CHUNK)


class Source:
    """Packets for a host. sizes: one of SIZES; errors: of 1000 packets, how many meet an error."""

    def __init__(self, host: Host, flows: int, sizes: str, errors: int, draw: random.Random) -> None:
        self.host, self.sizes, self.errors, self.draw = host, sizes, errors, draw
        self.images = list({image.name: image for image in host.firmware.values()}.values())
        self.keyed = [self._flow(Flow(number, 1 + number % GENERATIONS)) for number in range(flows)]
        self._sent = 0

    def _flow(self, flow: Flow) -> Keyed:
        """A flow with a fresh key."""
        firmware = self.draw.choice(self.images)
        operation = self.draw.choice(packet_operations(firmware))
        keyed = Keyed(flow, firmware, operation, self.draw.randbytes(KINDS[operation].key_bytes))
        self.host.set_flow(flow, firmware, set_key(firmware, operation), keyed.key)
        return keyed

    def renew(self, part: float) -> None:
        """Give some of the flows another key, perhaps of another algorithm. None of their packets may be in flight."""
        for at, keyed in enumerate(self.keyed):
            if self.draw.random() < part:
                flow = keyed.flow
                self.keyed[at] = self._flow(flow._replace(generation=flow.generation % GENERATIONS + 1))

    def packets(self, count: int) -> Iterator[Sent]:
        """So many packets. Their cookies count from 0."""
        for cookie in range(count):
            made = self._packet(self.draw.choice(self.keyed), cookie)
            yield self._wrong(made) if self.draw.randrange(1000) < self.errors else made

    def _size(self) -> int:
        self._sent += 1
        if self.sizes == "mix":
            return IMIX[self._sent % len(IMIX)]
        return self.draw.randrange(1, SMALL if self.sizes == "small" else LARGEST)

    def _packet(self, keyed: Keyed, cookie: int) -> Sent:
        draw, firmware = self.draw, keyed.firmware
        name = draw.choice(keyed.operations)
        operation, kind = firmware.operations[name], KINDS[name]
        size = self._size()
        size = -(-size // ROW) * ROW if operation.has("whole_blocks") else size
        text, aad = draw.randbytes(size), draw.randbytes(draw.randrange(MOST_AAD + 1))
        aad = aad if operation.has("takes_aad") else b""
        iv = kind.begin + draw.randbytes(ROW - len(kind.begin) - len(kind.end)) + kind.end
        inline = draw.randbytes(kind.key_bytes) if operation.has("inline_key") else b""
        made = kind.peer(inline or keyed.key, iv, aad, text)
        source, wanted = (made, b"" if kind.verifies else text) if kind.opens else (text, made)
        place = self.host.place
        packet = Packet(
            operation.number,
            NO_FLOW if inline else keyed.flow,
            place(source, draw.randrange(ROW)),
            0,
            size,
            iv,
            place(aad, draw.randrange(ROW)) if aad else 0,
            len(aad),
            TAG if operation.has("makes_tag") or operation.has("checks_tag") else 0,
            self.host.groups[firmware.name],
            cookie,
            inline,
        )
        packet = replace(packet, destination=place(bytes(len(wanted)), draw.randrange(ROW)))
        return Sent(packet, name, wanted, size)

    def _wrong(self, sent: Sent) -> Sent:
        """The same packet with an error; the same packet where it cannot have that one."""
        error, packet = self.draw.choice([*ERRORS]), sent.packet
        ended = replace(sent, status=ERRORS[error])
        if error == "changed" and packet.tag_bytes and KINDS[sent.operation].opens:
            at = packet.source + self.draw.randrange(packet.length + packet.tag_bytes)
            self.host.memory[at] ^= 1 << self.draw.randrange(8)
            return ended
        if error == "stale" and packet.flow != NO_FLOW:
            flow = packet.flow._replace(generation=packet.flow.generation % GENERATIONS + 1)
            return replace(ended, packet=replace(packet, flow=flow))
        if error == "read":
            self.host.device.fail_reads(packet.source, packet.source + 1)
            return ended
        if error == "write" and sent.wanted:
            self.host.device.fail_writes(packet.destination, packet.destination + 1)
            return ended
        if error == "group":
            return replace(ended, packet=replace(packet, group=NO_GROUP))
        return sent


def wrong(sent: Sequence[Sent], statuses: Sequence[str], before: bytes, after: bytes, at: int) -> Iterator[str]:
    """Say what is not as it has to be in memory from `at` on, packet by packet; then anything else that was written."""
    expected = bytearray(before)
    for one, status in zip(sent, statuses, strict=True):
        place = slice(one.place.start - at, one.place.stop - at)
        if status == "ok":
            if after[place] != one.wanted:
                yield f"{describe(one)} is not what the peer makes of it"
            expected[place] = after[place]
        elif status != one.status or not one.silent:
            expected[place] = after[place]
        elif after[place] != before[place]:
            yield f"{describe(one)} ended with {status}, and has written"
    if expected != after:
        first = next(n for n, (a, b) in enumerate(zip(expected, after, strict=True)) if a != b)
        yield f"{at + first:#x} was written, which is not in any result"


def describe(sent: Sent) -> str:
    """A packet, for people."""
    packet = sent.packet
    return (
        f"packet {packet.cookie}, {sent.operation}, flow {packet.flow.number}, {sent.size} bytes, "
        f"{packet.aad_bytes} of associated data"
    )
