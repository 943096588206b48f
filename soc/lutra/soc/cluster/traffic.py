"""Packets for a cluster, and what another implementation makes of them: `cryptography` where it has the algorithm, else
the firmware of a single core on the simulator."""

from __future__ import annotations

import random
from collections import defaultdict, deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType

from cryptography.hazmat.primitives.ciphers import Cipher
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.ciphers.algorithms import AES
from cryptography.hazmat.primitives.ciphers.modes import CTR

from lutra.firmware import crypt
from lutra.soc.cluster.host import ClusterError, Flow, Host, Packet
from lutra.soc.operations import Firmware
from lutra.soc.stream import SAVED_KEY_BYTES

ROW, TAG = 16, 16
FLOWS = 1024
# The simple mix, 7 : 4 : 1, in the order in which it is sent, again and again (RFC 6985 asks to publish it).
IMIX = (64, 570, 64, 64, 570, 64, 1518, 64, 570, 64, 570, 64)
# ESP (RFC 4303): SPI and sequence number are associated data; the text is filled to words of 4 bytes, its last two are
# the length of the padding and the next header.
ESP_HEADER, ESP_TRAILER, ESP_WORD = 8, 2, 4

# Key, counter block or nonce, associated data, text; the result with its tag.
Peer = Callable[[bytes, bytes, bytes, bytes], bytes]


def ctr(key: bytes, iv: bytes, _aad: bytes, text: bytes) -> bytes:
    """Counter mode."""
    return Cipher(AES(key), CTR(iv)).encryptor().update(text)


def gcm(key: bytes, iv: bytes, aad: bytes, text: bytes) -> bytes:
    """GCM. The IV is J0: a nonce of 12 bytes, then 1."""
    return AESGCM(key).encrypt(iv[:12], text, aad)


def simulated(name: str) -> Peer:
    """A stream cipher of firmware/ on the simulator, whose packets are of one message, not of two in parallel."""
    return lambda key, iv, _aad, text: crypt.encrypt(name, key, text, iv)


@dataclass(frozen=True)
class Kind:
    """An operation with what its packets need."""

    firmware: str
    operation: str
    set_key: str
    key_bytes: int
    tag_bytes: int
    peer: Peer

    def iv(self, draw: random.Random) -> bytes:
        """A fresh IV row."""
        return draw.randbytes(12) + (1).to_bytes(4) if self.tag_bytes else draw.randbytes(ROW)


AES_KINDS = MappingProxyType(
    {
        f"aes{bits}-{name}": Kind("aes-packets", f"aes{bits}-{operation}", f"aes{bits}-set-key", bits // 8, tag, peer)
        for bits in (128, 256)
        for name, operation, tag, peer in (("ctr", "ctr", 0, ctr), ("gcm", "gcm-encrypt", TAG, gcm))
    }
)
KINDS = MappingProxyType(
    {
        **AES_KINDS,
        "snow3g": Kind("snow3g", "snow3g-eea1", "snow3g-set-key", 16, 0, simulated("128-eea1")),
        "zuc": Kind("zuc", "zuc-eea3", "zuc-set-key", 16, 0, simulated("128-eea3")),
        "zuc256": Kind("zuc256", "zuc256-nea6", "zuc256-set-key", 32, 0, simulated("zuc-256-nea6")),
    }
)


@dataclass(frozen=True)
class KeyedFlow:
    """A flow with its key."""

    flow: Flow
    kind: Kind
    key: bytes


@dataclass(frozen=True)
class Sent:
    """A packet in memory. wanted: the result of the peer; size: its bytes in the mix."""

    packet: Packet
    wanted: bytes
    size: int


def keyed_flows(host: Host, kinds: Sequence[Kind], count: int, draw: random.Random) -> list[KeyedFlow]:
    """Flows of these kinds in turn, with keys, in the cluster's memory."""
    made = []
    for number in range(count):
        kind = kinds[number % len(kinds)]
        session = KeyedFlow(Flow(number, 1 + number % 63), kind, draw.randbytes(kind.key_bytes))
        host.set_flow(session.flow, image(host, kind), kind.set_key, session.key)
        made.append(session)
    return made


def save(host: Host, made: Sequence[KeyedFlow]) -> None:
    """Let the cores save the keys of flows, and write records that have them restored. ClusterError where it fails."""
    packets = []
    for cookie, one in enumerate(made):
        operation = image(host, one.kind).operations[one.kind.set_key.replace("set", "save")]
        at = host.place(bytes(SAVED_KEY_BYTES))
        group = host.groups[one.kind.firmware]
        packets.append(Packet(operation.number, one.flow, at, at, SAVED_KEY_BYTES, group=group, cookie=cookie))
    if failed := [done for done in host.run(packets) if done.status != "ok"]:
        raise ClusterError(f"a key is not saved: {failed[0].status}")
    for one, packet in zip(made, packets, strict=True):
        restore = one.kind.set_key.replace("set", "restore")
        host.set_saved(one.flow, image(host, one.kind), restore, packet.destination)


def image(host: Host, kind: Kind) -> Firmware:
    """The firmware of a kind, as a core of the cluster has it."""
    return next(firmware for firmware in host.firmware.values() if firmware.name == kind.firmware)


def send(
    host: Host, session: KeyedFlow, text: bytes, aad: bytes, draw: random.Random, cookie: int, to: int = 0
) -> Sent:
    """Put a packet into memory. to: how far its destination is from a multiple of 64."""
    kind = session.kind
    iv = kind.iv(draw)
    source, before = host.place(text, draw.randrange(ROW) if to else 0), host.place(aad)
    packet = Packet(
        image(host, kind).operations[kind.operation].number,
        session.flow,
        source,
        host.place(bytes(len(text) + kind.tag_bytes), to),
        len(text),
        iv,
        before,
        len(aad),
        kind.tag_bytes,
        host.groups[kind.firmware],
        cookie,
    )
    return Sent(packet, kind.peer(session.key, iv, aad, text), len(text))


def any_sizes(
    host: Host, made: Sequence[KeyedFlow], count: int, draw: random.Random, largest: int = 2100
) -> Iterator[Sent]:
    """Packets of any size and alignment, of any flow, those of AEADs with associated data."""
    for cookie in range(count):
        session = draw.choice(made)
        text = draw.randbytes(draw.choice((draw.randrange(1, 80), draw.randrange(1, largest))))
        aad = draw.randbytes(draw.randrange(41)) if session.kind.tag_bytes else b""
        yield send(host, session, text, aad, draw, cookie, to=draw.randrange(1, ROW))


def mix(host: Host, made: Sequence[KeyedFlow], count: int, draw: random.Random, esp: bool = False) -> Iterator[Sent]:
    """Packets of the mix, of the flows in any order. esp: each size is that of an IP packet in ESP."""
    for cookie in range(count):
        size = IMIX[cookie % len(IMIX)]
        text = draw.randbytes(-(-(size + ESP_TRAILER) // ESP_WORD) * ESP_WORD if esp else size)
        sent = send(host, draw.choice(made), text, draw.randbytes(ESP_HEADER) if esp else b"", draw, cookie)
        yield replace(sent, size=size)


class Order:
    """The order in which packets have to complete. packets: in that of the ring, each with its place as its cookie;
    by_flow: in order within each flow only."""

    def __init__(self, packets: Sequence[Packet], *, by_flow: bool) -> None:
        self._flows = [packet.flow.number if by_flow else 0 for packet in packets]
        self._left: defaultdict[int, deque[int]] = defaultdict(deque)
        for cookie, flow in enumerate(self._flows):
            self._left[flow].append(cookie)

    def complete(self, cookie: int) -> None:
        """Take a packet that has completed. ClusterError where it is not the next one of its flow."""
        left = self._left[self._flows[cookie]] if cookie < len(self._flows) else deque()
        if not left or cookie != left[0]:
            raise ClusterError(f"packet {cookie} completes where {left[0] if left else 'none'} has to")
        left.popleft()


def wrong(host: Host, sent: Sequence[Sent]) -> list[int]:
    """Cookies of packets that are not in memory as the peer has them."""
    return [
        one.packet.cookie
        for one in sent
        if host.memory[one.packet.destination : one.packet.destination + len(one.wanted)] != one.wanted
    ]
