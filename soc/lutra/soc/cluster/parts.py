"""Parts of the model of a cluster, each as its unit of the RTL: keys of a core, its mailbox, the order of
completions."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from heapq import heappop, heappush
from typing import NamedTuple

from lutra.soc import maps

ROW, DESCRIPTOR = 16, 64
# A core counts a completion when its last write was answered, so its doorbell keeps as many entries away from its end.
UNANSWERED = 3
# Work of a job, and of a key that has to be fetched, in blocks; it only ranks cores.
JOB_WORK, KEY_WORK, MOST_WORK = 4, 16, 1023
STATUS = maps.load().completion.fields["result.status"]
PHASE = maps.load().completion.fields["result.phase"]
# The number of no packet.
NOTHING = -1
# First word of a job that no firmware has.
NO_OPERATION = 0x7F


class Handle(NamedTuple):
    """A flow, and the generation of its key."""

    flow: int
    generation: int


class Keys:
    """Which flows' keys a core holds, and which of them goes next (`lutra_cluster_keys`)."""

    def __init__(self, places: int) -> None:
        self._held: list[Handle | None] = [None] * places
        self._next = 0

    def find(self, handle: Handle) -> int | None:
        """The place of a key, None where it is not held."""
        return self._held.index(handle) if handle in self._held else None

    def take(self, handle: Handle) -> int:
        """The place that a key gets. A flow with another generation leaves the one that it had."""
        place = self._next
        self._held = [None if held and held.flow == handle.flow else held for held in self._held]
        self._held[place] = handle
        self._next = (place + 1) % len(self._held)
        return place

    def clear(self) -> None:
        """Hold none."""
        self._held = [None] * len(self._held)


@dataclass
class Entry:
    """A job in a core. packet: its number in the order of the ring, None of a key; ready: when the core may see it.

    bad: its key was not that of its handle.
    """

    packet: int | None
    work: int
    ready: int
    bad: bool = False


class Mailbox:
    """Descriptors of a core's ring 1, and how far the core is with them (`lutra_cluster_mailbox`)."""

    def __init__(self, jobs: int) -> None:
        self.jobs = jobs
        self.rows = bytearray(jobs * (DESCRIPTOR + ROW))
        self.entries: deque[Entry] = deque()
        self.work = 0
        self.clear()

    def clear(self) -> None:
        """Begin at 0; nothing is in it."""
        self._next = self.tail = self.done = 0

    @property
    def room(self) -> bool:
        """Whether there is room for a key and a packet."""
        return len(self.entries) <= self.jobs - 2 - UNANSWERED

    def add(self, entry: Entry, descriptor: bytearray) -> None:
        """Give out the next entry."""
        at = DESCRIPTOR * (self._next % self.jobs)
        self.rows[at : at + DESCRIPTOR] = descriptor
        self.entries.append(entry)
        self.work += entry.work
        self._next += 1

    def shown(self, now: int) -> bool:
        """Whether the core is to be told of more entries: of those before which all are ready, too."""
        before = self.tail
        while self.tail < self._next and self.entries[self.tail - self.done].ready <= now:
            self.tail += 1
        return self.tail != before

    def complete(self) -> tuple[Entry, bytearray]:
        """The next entry that the core has done, and its completion."""
        at = DESCRIPTOR * self.jobs + ROW * (self.done % self.jobs)
        self.done += 1
        entry = self.entries.popleft()
        self.work -= entry.work
        return entry, self.rows[at : at + ROW]


class Reorder:
    """Completions in the order of each flow (`lutra_cluster_reorder` and `lutra_cluster_order`)."""

    def __init__(self, most: int) -> None:
        self.most = most
        self._next = 0
        self._flying: set[int] = set()
        self._last: dict[int, int] = {}  # packet of each flow
        self._follower: dict[int, int] = {}  # which packet waits for this one
        self._waits: set[int] = set()
        self._done: dict[int, bytearray] = {}
        self._ready: list[int] = []

    @property
    def room(self) -> bool:
        return self._next - self.most not in self._flying

    @property
    def idle(self) -> bool:
        return not self._flying

    @property
    def late(self) -> bool:
        """Whether a packet is done, and all that are wait for another one."""
        return bool(self._done) and not self._ready

    def take(self, flow: int) -> int:
        """The number of one more packet, of this flow."""
        packet = self._next
        self._next += 1
        before = self._last.get(flow, NOTHING)
        if before in self._flying:
            self._follower[before] = packet
            self._waits.add(packet)
        self._last[flow] = packet
        self._flying.add(packet)
        return packet

    def done(self, packet: int, completion: bytearray) -> None:
        """Keep what a core says of a packet."""
        self._done[packet] = completion
        if packet not in self._waits:
            heappush(self._ready, packet)

    def pop(self) -> bytearray | None:
        """The completion of the oldest packet that is done and does not wait, None where there is none."""
        if not self._ready:
            return None
        packet = heappop(self._ready)
        self._flying.remove(packet)
        follower = self._follower.pop(packet, None)
        if follower is not None:
            self._waits.remove(follower)
            if follower in self._done:
                heappush(self._ready, follower)
        return self._done.pop(packet)
