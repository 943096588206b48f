"""Waits of packets in the order of the ring, in an order within each flow, and in none, by the model of a cluster."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from lutra.soc import operations
from lutra.soc.cluster import traffic
from lutra.soc.cluster.host import Host, Packet
from lutra.soc.cluster.measure import CASES, LOAD, MEMORY_BYTES, PACKETS, paced, steady
from lutra.soc.cluster.model import Cluster
from lutra.soc.cluster.parts import Reorder
from lutra.soc.cluster.traffic import KINDS

# Packets that bring all keys into the cores, before those that are looked at.
WARM = 3


@dataclass(frozen=True)
class Waits:
    """Cycles from doorbell to completion, of half the packets, of 99 of 100, and of all, at most."""

    median: int
    p99: int
    worst: int

    @classmethod
    def of(cls, cycles: Iterable[int]) -> Waits:
        """Those of packets."""
        found = sorted(cycles)
        return cls(found[len(found) // 2], found[len(found) * 99 // 100], found[-1])


class _Watched(Reorder):
    """Keeps when a core has done a packet. clock: of the cluster."""

    clock: Cluster
    times: dict[int, int]

    def done(self, packet: int, completion: bytearray) -> None:
        self.times[packet] = self.clock.cycles
        super().done(packet, completion)


class _Host(Host):
    """Keeps when it has posted packets, in their order."""

    posted: list[int]

    def post(self, packets: Sequence[Packet]) -> None:
        self.posted += [self.device.cycles] * len(packets)
        super().post(packets)


def delayed(posted: Sequence[int], done: Sequence[int], streams: Sequence[int]) -> Iterator[int]:
    """Cycles of each packet, which waits for those of its stream before it. All in the order of the ring."""
    last: dict[int, int] = {}
    for begin, end, stream in zip(posted, done, streams, strict=True):
        last[stream] = max(end, last.get(stream, 0))
        yield last[stream] - begin


def measure(cores: int, latency: int = 30, packets: int = PACKETS) -> dict[str, Waits]:
    """Waits of the mix in ESP and 16 flows, at the load of docs/cluster.md, by the order: ring, flow, none. packets: of
    each core."""
    case, draw = CASES[0], random.Random(cores)
    memory = bytearray(MEMORY_BYTES)
    cluster = Cluster(memory, cores, latency)
    watched = _Watched(cluster.reorder.most)
    watched.clock, watched.times = cluster, {}
    cluster.reorder = watched
    kind = KINDS[case.kind]
    host = _Host(cluster, memory, dict.fromkeys(range(cores), operations.load(kind.firmware)))
    host.posted = []
    flows = traffic.keyed_flows(host, [kind], case.flows, draw)
    data, rate = host.next, 0.0
    for _ in range(WARM):
        host.next = data
        sent = list(traffic.mix(host, flows, cores * packets, draw, case.esp))
        done = host.run([one.packet for one in sent])
        rate = steady(sent, done)
    watched.times.clear()
    host.posted = []
    paced(host, sent, rate * LOAD)
    ends = [watched.times[packet] for packet in sorted(watched.times)]
    streams = {
        "ring": [0] * len(sent),
        "flow": [one.packet.flow.number for one in sent],
        "none": list(range(len(sent))),
    }
    return {name: Waits.of(delayed(host.posted, ends, of)) for name, of in streams.items()}
