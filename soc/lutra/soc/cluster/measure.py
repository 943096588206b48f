"""Rates and latencies of a cluster on its RTL."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass
from importlib import import_module
from itertools import accumulate
from statistics import linear_regression
from typing import Any

from lutra.soc import operations
from lutra.soc.cluster import traffic
from lutra.soc.cluster.host import ClusterError, Device, Done, Host
from lutra.soc.cluster.traffic import AES_KINDS, KINDS, Sent
from lutra.soc.stream import CONTEXTS

MEMORY_BYTES = 1 << 22
CORES = (1, 2, 3, 4, 8)
# Packets per core: as many as make the ends of a run small.
PACKETS = 120
# The first and the last packets of a run are not counted: cores begin and end there.
ENDS = 0.15
# The load at which latencies are measured, as a part of the rate.
LOAD = 0.8
STEP = 8
# Random packets that are in memory at once.
BATCH = 500


@dataclass(frozen=True)
class Case:
    """Traffic of one kind. target: bytes per cycle for a number of cores; saved: keys are restored, not set; by_flow:
    completions are in order within each flow only."""

    title: str
    kind: str
    flows: int
    esp: bool = False
    target: dict[int, float] | None = None
    saved: bool = False
    by_flow: bool = False


CASES = (
    Case("ESP, AES-128-GCM, 16 flows", "aes128-gcm", 16, esp=True, target={4: 10.0, 8: 19.5}),
    Case("ESP, AES-128-GCM, 16 flows, each in order", "aes128-gcm", 16, esp=True, by_flow=True),
    Case("ESP, AES-128-GCM, one flow", "aes128-gcm", 1, esp=True, target={4: 9.0}),
    Case("ESP, AES-128-GCM, 1,024 flows", "aes128-gcm", 1024, esp=True),
    Case("ESP, AES-128-GCM, 1,024 flows, keys saved", "aes128-gcm", 1024, esp=True, saved=True),
    Case("AES-128-GCM, 16 flows", "aes128-gcm", 16),
    Case("AES-128-CTR, 16 flows", "aes128-ctr", 16, target={3: 7.63, 4: 11.5}),
    Case("AES-256-GCM, 16 flows", "aes256-gcm", 16),
    Case("SNOW 3G, 16 flows", "snow3g", 16, target={4: 18.75}),
    Case("ZUC, 16 flows", "zuc", 16, target={4: 18.75}),
)


@dataclass(frozen=True)
class Rate:
    """Bytes of the mix per cycle, and cycles from doorbell to completion at a part of that rate.

    keys_fetched: during the packets that the rate is of.
    """

    rate: float
    median: int
    p99: int
    worst: int
    keys_fetched: int


def device(memory: bytearray, latency: int, stalls: int = 0, seed: int = 1) -> Device:
    """The Verilated cluster. ClusterError where it is not built."""
    try:
        made: Device = import_module("lutra.soc._cluster").Cluster(memory, latency, stalls, seed)
    except ModuleNotFoundError:
        raise ClusterError("lutra_cluster is not compiled: make soc-cluster") from None
    return made


def cores() -> tuple[int, ...]:
    """Numbers of cores that the Verilated cluster can have."""
    built: int = import_module("lutra.soc._cluster").CORES
    return tuple(n for n in CORES if n <= built)


def measure(case: Case, count: int, latency: int, make: Callable[[bytearray, int], Device] = device) -> Rate:
    """One case on so many cores. Before, each gets the keys of all flows, if it has room for them.

    ClusterError where a packet fails, is wrong or is out of order.
    """
    draw = random.Random(f"{case.title} {count}")
    memory = bytearray(MEMORY_BYTES)
    kind = KINDS[case.kind]
    firmware = dict.fromkeys(range(count), operations.load(kind.firmware))
    host = Host(make(memory, latency), memory, firmware, by_flow=case.by_flow)
    made = traffic.keyed_flows(host, [kind], case.flows, draw)
    if case.saved:
        traffic.save(host, made)
    packets = count * PACKETS + 100
    data = host.next
    while case.flows <= CONTEXTS and host.get("keys_fetched.value") < case.flows * count:
        _run(host, traffic.mix(host, made, packets, draw, case.esp))
        host.next = data
    cached = host.get("keys_fetched.value")
    sent, done = _run(host, traffic.mix(host, made, packets, draw, case.esp))
    rate = steady(sent, done)
    fetched = host.get("keys_fetched.value") - cached
    waits = sorted(paced(host, sent, rate * LOAD))
    return Rate(round(rate, 2), waits[len(waits) // 2], waits[len(waits) * 99 // 100], waits[-1], fetched)


def steady(sent: Sequence[Sent], done: Sequence[Done]) -> float:
    """Bytes per cycle without the ends of a run: the slope of a line through the completions.

    They come in bursts, since packets wait for longer ones before them, so two of them alone would be a matter of luck.
    """
    counted = slice(int(len(sent) * ENDS), int(len(sent) * (1 - ENDS)))
    total = list(accumulate(sent[one.cookie].size for one in done))
    return linear_regression([one.cycle for one in done[counted]], total[counted]).slope


def _run(host: Host, packets: Iterable[Sent]) -> tuple[list[Sent], list[Done]]:
    sent = list(packets)
    done = host.run([one.packet for one in sent], STEP)
    check(host, sent, [(one.cookie, one.status) for one in done])
    return sent, done


def pair_rates(case: Case, latency: int, pairs: int = 1) -> tuple[float, float]:
    """Bytes per cycle of so many cores, and of as many lock-step pairs. ClusterError as for `measure`."""
    found = []
    for coupled in (False, True):
        draw = random.Random(case.title)
        memory = bytearray(MEMORY_BYTES)
        firmware = operations.load(KINDS[case.kind].firmware)
        images = dict.fromkeys(range(2 * pairs), firmware)
        host = Host(device(memory, latency), memory, images, by_flow=case.by_flow)
        if coupled:
            for pair in range(pairs):
                host.couple(pair)
        else:
            host.enable([*range(pairs)])
        made = traffic.keyed_flows(host, [KINDS[case.kind]], case.flows, draw)
        if case.saved:
            traffic.save(host, made)
        found.append(steady(*_run(host, traffic.mix(host, made, pairs * PACKETS, draw, case.esp))))
    return found[0], found[1]


def check(host: Host, sent: Sequence[Sent], done: Sequence[tuple[int, str]]) -> None:
    """ClusterError where packets are not in order, done and right."""
    order = traffic.Order([one.packet for one in sent], by_flow=host.by_flow)
    for cookie, status in done:
        order.complete(cookie)
        if status != "ok":
            raise ClusterError(f"packet {cookie} ended with {status}")
    if found := traffic.wrong(host, sent):
        raise ClusterError(f"packet {found[0]} is wrong, and {len(found) - 1} others")


def paced(host: Host, sent: Sequence[Sent], rate: float) -> list[int]:
    """Cycles from the doorbell to the completion of each packet, where they come at a rate in bytes per cycle."""
    begin, due = host.device.cycles, 0.0
    order = traffic.Order([one.packet for one in sent], by_flow=host.by_flow)
    posted: list[int] = []
    waits: list[int] = []
    while len(waits) < len(sent):
        while len(posted) < len(sent) and host.free and begin + due <= host.device.cycles:
            host.post([sent[len(posted)].packet])
            posted.append(host.device.cycles)
            due += sent[len(posted) - 1].size / rate
        host.device.run(STEP)
        for one in host.poll():
            order.complete(one.cookie)
            if one.status != "ok":
                raise ClusterError(f"packet {one.cookie} ended with {one.status}")
            waits.append(one.cycle - posted[one.cookie])
        if host.device.cycles - begin > 4 * due + 100_000:
            raise ClusterError("packets are late")
    return waits


def random_traffic(count: int, seed: int, latency: int, stalls: int) -> int:
    """So many packets of AES, of any size, mode, alignment and flow, on all cores; return the cycles that they took.
    They are in the order of the ring and in that of their flows, batch by batch.

    ClusterError at the first packet that has failed, is wrong or is out of order.
    """
    draw = random.Random(seed)
    memory = bytearray(MEMORY_BYTES)
    built = cores()[-1]
    kinds = [*AES_KINDS.values()]
    image = operations.load(kinds[0].firmware)
    host = Host(device(memory, latency, stalls, seed), memory, dict.fromkeys(range(built), image))
    made = traffic.keyed_flows(host, kinds, traffic.FLOWS, draw)
    traffic.save(host, made[::2])
    begin, data = host.device.cycles, host.next
    for first in range(0, count, BATCH):
        host.next = data
        host.order(by_flow=not host.by_flow)
        sent = list(traffic.any_sizes(host, made, min(BATCH, count - first), draw))
        check(host, sent, [(one.cookie, one.status) for one in host.run([one.packet for one in sent])])
    return host.device.cycles - begin


def record(latency: int, part: str = "", before: dict[str, Any] | None = None) -> dict[str, Any]:
    """Measure the cases with this part in their title; before: a record that has the others.

    ClusterError if there is no such case, or if the record is of another latency.
    """
    if not any(part in case.title for case in CASES):
        raise ClusterError(f"no case has {part!r} in its title; they are {'; '.join(case.title for case in CASES)}")
    if before and before["latency"] != latency:
        raise ClusterError(f"the other cases were measured at a latency of {before['latency']}")
    rates: dict[str, dict[str, Any]] = dict(before["rates"]) if before else {}
    for case in CASES:
        if part not in case.title:
            continue
        rates[case.title] = {}
        for count in cores():
            found = measure(case, count, latency)
            rates[case.title][str(count)] = asdict(found)
            print(f"{case.title}, {count} cores: {found}", flush=True)
    return {"latency": latency, "rates": rates}
