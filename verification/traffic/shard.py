"""One shard: a cluster with random firmware, and packets through it. All that is random comes from the seed and the
number of the shard, so it is the same on any machine and in any order."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from importlib import import_module
from types import ModuleType
from typing import Literal

from msgspec import Struct, field

from lutra.soc import operations
from lutra.soc.cluster.host import ClusterError, Device, Host
from lutra.soc.cluster.model import Cluster
from lutra.soc.cluster.traffic import Order
from traffic.packets import SIZES, Sent, Source, describe, wrong
from traffic.peers import IMAGES

MEMORY_BYTES = 1 << 22
MOST_CORES = 8
# Packets that are in memory at once; cycles between two looks of the host.
BATCH, STEP = 250, 32
FLOWS = (1, 16, 200, 1024)
IN_FLIGHT = (1, 8, 64, 128, 256)
LATENCIES = (0, 30, 100)
# Cycles of 100 in which each channel of the RTL's bus stalls.
STALLS = (0, 20)
# Of 1000 packets, how many meet an error in a shard that has some; of batches, how many a core stops or is patched in.
ERRORS, EVENTS = 30, 0.3
# Of flows, how many get another key between two batches.
RENEWED = 0.1
# How packets may end that are in a core which stops. Its mailbox has room for so many.
STOPPED = ("aborted", "bad_key", "timeout", "core_trap")
MAILBOX = 16
# A packet takes some thousand cycles at most.
PATIENCE = 400_000
# Failures of a shard that are kept.
MOST_FAILURES = 20


DeviceName = Literal["model", "rtl"]


class Todo(Struct, frozen=True):
    """A shard that is to be run: its number among those of a seed, its packets, and what they go through."""

    seed: int
    number: int
    packets: int
    device: DeviceName = "model"


class Result(Struct):
    """The outcome of a shard, or of several. waits: packets by cycles from doorbell to completion.

    cores: clusters by their number. failures: one line each.
    """

    packets: int = 0
    bytes: int = 0
    cycles: int = 0
    keys_fetched: int = 0
    full_cycles: int = 0
    order_cycles: int = 0
    stopped: int = 0
    patched: int = 0
    operations: dict[str, int] = field(default_factory=dict)
    statuses: dict[str, int] = field(default_factory=dict)
    cores: dict[int, int] = field(default_factory=dict)
    waits: dict[int, int] = field(default_factory=dict)
    failures: list[str] = field(default_factory=list)

    def add(self, other: Result) -> None:
        """Count another one, too."""
        for name in self.__struct_fields__:
            ours, theirs = getattr(self, name), getattr(other, name)
            if isinstance(ours, dict):
                setattr(self, name, dict(sorted((Counter(ours) + Counter(theirs)).items())))
            else:
                setattr(self, name, ours + theirs)

    def wait(self, part: float) -> int:
        """Cycles that this part of the packets did not exceed."""
        left = part * sum(self.waits.values())
        for cycles, count in sorted(self.waits.items()):
            left -= count
            if left <= 0:
                return cycles
        return 0


def rtl() -> ModuleType:
    """The RTL as it is built; ClusterError where it is not."""
    try:
        return import_module("lutra.soc._cluster")
    except ModuleNotFoundError as error:
        raise ClusterError("lutra_cluster is not compiled: make soc-cluster SOC_CLUSTER_CORES=8") from error


def run(todo: Todo) -> Result:
    """Run a shard. Nothing is raised for what is wrong with the cluster: it is in the result's failures."""
    shard = _Shard(todo)
    try:
        shard.run()
    except ClusterError as error:
        shard.fail(str(error))
    return shard.result


class _Shard:
    def __init__(self, todo: Todo) -> None:
        self.todo, self.result = todo, Result()
        self.draw = draw = random.Random(f"{todo.seed} {todo.number}")
        count = draw.randrange(1, (rtl().CORES if todo.device == "rtl" else MOST_CORES) + 1)
        names = draw.sample(IMAGES, min(draw.randrange(1, len(IMAGES) + 1), count))
        images = [*names, *draw.choices(names, k=count - len(names))]
        draw.shuffle(images)
        self.cores = {core: operations.load(name) for core, name in enumerate(images)}
        memory = bytearray(MEMORY_BYTES)
        # Packet follows packet without a stop only where the core is not translated, job by job.
        exact, latency = draw.random() < 0.5, draw.choice(LATENCIES)
        by_flow = draw.random() < 0.5
        device: Device
        if todo.device == "rtl":
            device = rtl().Cluster(memory, latency, draw.choice(STALLS), draw.randrange(1 << 32))
        else:
            device = Cluster(memory, count, latency, exact)
        self.host = Host(device, memory, self.cores, by_flow=by_flow)
        self.in_flight = draw.choice(IN_FLIGHT)
        errors = draw.choice((0, ERRORS))
        self.events = EVENTS if errors else 0
        self.source = Source(self.host, draw.choice(FLOWS), draw.choice(SIZES), errors, draw)
        self.data = self.host.next
        self.result.cores[count] = 1

    def fail(self, text: str) -> None:
        """Keep a failure, with what repeats it."""
        self.result.failures.append(f"seed {self.todo.seed}, shard {self.todo.number}: {text}")

    def run(self) -> None:
        begin = self.host.device.cycles
        for first in range(0, self.todo.packets, BATCH):
            self.host.next = self.data
            self.source.renew(RENEWED)
            self._batch(list(self.source.packets(min(BATCH, self.todo.packets - first))))
            self.host.device.heal()
            if len(self.result.failures) >= MOST_FAILURES:
                break
        result, host = self.result, self.host
        result.cycles = host.device.cycles - begin
        result.keys_fetched, result.full_cycles, result.order_cycles = (
            host.get(f"{name}.value") for name in ("keys_fetched", "full_cycles", "order_cycles")
        )

    def _batch(self, sent: Sequence[Sent]) -> None:
        memory, end = self.host.memory, self.host.next
        before = bytes(memory[self.data : end])
        lost = 0
        event = self.draw.randrange(len(sent)) if self.draw.random() < self.events else None
        statuses: dict[int, str] = {}
        posted: list[int] = []
        order = Order([one.packet for one in sent], by_flow=self.host.by_flow)
        begin, next_one = self.host.device.cycles, 0
        while len(statuses) < len(sent):
            room = min(self.in_flight - next_one + len(statuses), self.host.free, len(sent) - next_one)
            if room > 0:
                self.host.post([one.packet for one in sent[next_one : next_one + room]])
                posted.extend([self.host.device.cycles] * room)
                next_one += room
            if event is not None and len(statuses) >= event:
                lost, event = self._event(), None
            self.host.device.run(STEP)
            for done in self.host.poll():
                order.complete(done.cookie)
                wait = done.cycle - posted[done.cookie]
                self.result.waits[wait] = self.result.waits.get(wait, 0) + 1
                statuses[done.cookie] = done.status
            if self.host.device.cycles - begin > PATIENCE + STEP * PATIENCE // BATCH * len(sent):
                raise ClusterError(f"{len(statuses)} of {len(sent)} packets are done, and no more come")
        ended = [statuses[cookie] for cookie in range(len(sent))]
        self._judge(sent, ended, lost)
        for text in wrong(sent, ended, before, bytes(memory[self.data : end]), self.data):
            self.fail(text)

    def _judge(self, sent: Sequence[Sent], statuses: Sequence[str], lost: int) -> None:
        """Compare how packets ended; `lost`: how many may have been in cores that stopped."""
        result = self.result
        for one, status in zip(sent, statuses, strict=True):
            result.packets += 1
            result.bytes += one.size
            result.operations[one.operation] = result.operations.get(one.operation, 0) + 1
            result.statuses[status] = result.statuses.get(status, 0) + 1
            if status == one.status:
                continue
            lost -= 1
            if lost < 0 or status not in STOPPED:
                self.fail(f"{describe(one)} ended with {status}, not {one.status}")

    def _event(self) -> int:
        """A core stops, or is patched, while others with its firmware work; return how many packets may be lost."""
        images = [image.name for image in self.cores.values()]
        able = [core for core, image in self.cores.items() if images.count(image.name) > 1]
        if not able:
            return 0
        core, host = self.draw.choice(able), self.host
        stops = self.draw.random() < 0.5
        if stops:
            host.core_write(core, "control", 1 << 3 | 1)
            host.core_write(core, "ring[1].control", 3)
        host.enable([other for other in self.cores if other != core])
        begin = host.device.cycles
        while host.get("state.busy") >> core & 1:
            host.device.run(STEP)
            if host.device.cycles - begin > PATIENCE:
                raise ClusterError(f"core {core} keeps its packets")
        host.load(core, self.cores[core])
        host.enable([*self.cores])
        self.result.stopped += stops
        self.result.patched += not stops
        return MAILBOX if stops else 0
