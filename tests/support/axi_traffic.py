"""Random traffic of AXI4 and AXI4-Lite that keeps all rules, cycle by cycle."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field
from random import Random

from support.axi_violations import AHEAD, EXOKAY, FIXED, INCR, OKAY, OUTSTANDING, SLVERR, WRAP, Payload

# Table A4-5 of IHI 0022 issue H.c.
MEMORY_TYPES = (0, 1, 2, 3, 6, 7, 10, 11, 14, 15)
BUS = 8
PAGE = 4096
PATIENCE = 30


def lanes(address: Payload) -> Iterator[int]:
    """The strobes that each beat of a write may have."""
    size, count = 1 << address["size"], address["len"] + 1
    start = address["addr"]
    at = start
    for _ in range(count):
        top = at - at % size + size
        yield sum(1 << (byte % BUS) for byte in range(at, top))
        if address["burst"] == INCR:
            at = top
        elif address["burst"] == WRAP:
            bottom = start - start % (size * count)
            at = bottom + (top - bottom) % (size * count)


def an_address(random: Random) -> Payload:
    """An address that is allowed; one in eight is exclusive."""
    burst = random.choice((FIXED, INCR, INCR, INCR, WRAP))
    size = random.choice((0, 1, 2, 3, 3, 3))
    length = {FIXED: random.randint(1, 16), INCR: random.randint(1, 20), WRAP: random.choice((2, 4, 8, 16))}[burst]
    addr = random.randrange(4 * PAGE)
    lock = int(random.random() < 0.125)
    if lock:
        length = random.choice([n for n in (1, 2, 4, 8, 16) if n << size <= 128 and not (burst == WRAP and n == 1)])
        addr -= addr % (length << size)
    elif burst == WRAP:
        addr -= addr % (1 << size)
    elif burst == INCR:
        page, within = addr // PAGE * PAGE, addr % PAGE
        bytes_left = PAGE - within // (1 << size) * (1 << size)
        length = min(length, bytes_left >> size)
        addr = page + within
    ties = {name: random.randrange(n) for name, n in (("prot", 8), ("qos", 16), ("region", 16), ("id", 4))}
    rest = {"lock": lock, "cache": random.choice(MEMORY_TYPES)}
    return {"addr": addr, "len": length - 1, "size": size, "burst": burst} | rest | ties


@dataclass
class Channel:
    """A channel: the payload that its source shows, since when it waits, how likely its destination is ready."""

    ready_chance: float
    shown: Payload | None = None
    waits: int = 0


@dataclass
class Traffic:
    """Both sides of an interface. lite: addresses have one beat of the whole bus, and one ID."""

    random: Random
    lite: bool = False
    channels: dict[str, Channel] = field(init=False)
    addresses: deque[Payload] = field(default_factory=deque)  # writes whose address was not shown
    beats: deque[Payload] = field(default_factory=deque)  # data that were not shown
    open_writes: list[list[int]] = field(default_factory=list)  # by address: beats that lack, ID, lock
    ahead: int = 0  # beats that were accepted before their address
    written: list[list[int]] = field(default_factory=list)  # ID, lock of writes with all data
    reads: list[list[int]] = field(default_factory=list)  # ID, lock, beats left, response of exclusive
    armed: dict[int, Payload] = field(default_factory=dict)  # last exclusive read of an ID

    def __post_init__(self) -> None:
        chances = (0.2, 0.5, 0.9, 1.0)
        self.channels = {c: Channel(self.random.choice(chances)) for c in ("aw", "w", "b", "ar", "r")}
        self.eagerness = self.random.choice(chances)

    def address(self) -> Payload:
        """An address of this kind of interface."""
        address = an_address(self.random)
        if self.lite:
            address |= {"len": 0, "size": 2, "burst": INCR, "lock": 0, "id": 0, "addr": address["addr"] % PAGE}
        return address

    def new_write(self) -> None:
        """One more write for the manager to make."""
        address = self.address()
        if address["lock"]:
            before = self.armed.get(address["id"])
            coming = self.channels["ar"].shown or {"lock": 0}
            if before is None or coming["lock"] or any(read[1] for read in self.reads):
                address["lock"] = 0
            else:
                address = before | {"qos": address["qos"]}
        self.addresses.append(address)
        allowed = list(lanes(address))
        for i, strobes in enumerate(allowed):
            strb = strobes if self.random.random() < 0.5 else strobes & self.random.randrange(256)
            self.beats.append({"data": self.random.getrandbits(64), "strb": strb, "last": int(i + 1 == len(allowed))})

    def show(self) -> None:
        """Let the sources show payloads in a cycle."""
        idle = {name for name, channel in self.channels.items() if channel.shown is None}
        go = {name for name in idle if self.random.random() < self.eagerness}
        if not self.addresses and not self.beats and self.random.random() < 0.5:
            self.new_write()
        if "aw" in go and self.addresses and self.unanswered() < OUTSTANDING:
            self.channels["aw"].shown = self.addresses.popleft()
        if "w" in go and self.beats:
            self.channels["w"].shown = self.beats.popleft()
        if "ar" in go and len(self.reads) < OUTSTANDING:
            address = self.address()
            # None starts between the read and the write of an exclusive sequence.
            pending = [a for a in (*self.addresses, self.channels["aw"].shown) if a]
            if any(a["lock"] for a in pending):
                address["lock"] = 0
            self.channels["ar"].shown = address
        if "b" in go and self.written:
            first = {write[0]: i for i, write in reversed(list(enumerate(self.written)))}
            number, lock = self.written.pop(self.random.choice(list(first.values())))
            self.channels["b"].shown = {"id": number, "resp": self.response(lock)}
        if "r" in go and self.reads:
            first = {read[0]: i for i, read in reversed(list(enumerate(self.reads)))}
            read = self.reads[self.random.choice(list(first.values()))]
            read[2] -= 1
            resp = read[3] if self.random.random() < 0.9 else SLVERR
            shown = {"id": read[0], "resp": resp, "data": self.random.getrandbits(64), "last": int(read[2] == 0)}
            self.channels["r"].shown = shown

    def unanswered(self) -> int:
        """Writes with their address that lack their response."""
        return len(self.open_writes) + len(self.written) + (self.channels["b"].shown is not None)

    def data_room(self) -> bool:
        """Whether one more beat may be accepted."""
        if any(write[0] for write in self.open_writes):
            return True
        return self.ahead + self.unanswered() < OUTSTANDING if self.lite else self.ahead < AHEAD

    def response(self, lock: int) -> int:
        """A response; EXOKAY of exclusive accesses only."""
        return self.random.choice((OKAY, OKAY, SLVERR, EXOKAY if lock and not self.lite else OKAY))

    def take(self, name: str, shown: Payload) -> None:
        """Follow a handshake."""
        if name == "aw":
            here = min(self.ahead, shown["len"] + 1)
            self.ahead -= here
            self.open_writes.append([shown["len"] + 1 - here, shown["id"], shown["lock"]])
        elif name == "w":
            lacking = next((write for write in self.open_writes if write[0]), None)
            if lacking is None:
                self.ahead += 1
            else:
                lacking[0] -= 1
        elif name == "ar":
            lock = shown["lock"]
            if lock:
                self.armed[shown["id"]] = shown
            resp = self.random.choice((OKAY, EXOKAY)) if lock else OKAY
            self.reads.append([shown["id"], lock, shown["len"] + 1, resp])
        elif name == "r" and shown["last"]:
            self.reads.remove(next(read for read in self.reads if read[0] == shown["id"]))

    def cycles(self, count: int) -> Iterator[dict[str, int]]:
        """The signals of so many cycles."""
        for _ in range(count):
            self.show()
            cycle: dict[str, int] = {}
            done: list[tuple[str, Payload]] = []
            for name, channel in self.channels.items():
                ready = self.random.random() < channel.ready_chance or channel.waits > PATIENCE
                if name == "w" and not self.data_room():
                    ready = False
                if channel.shown is None:
                    cycle[f"{name}ready"] = int(ready)
                    continue
                cycle |= {f"{name}{signal}": v for signal, v in ({"valid": 1, "ready": ready} | channel.shown).items()}
                channel.waits += 1
                if ready:
                    done.append((name, channel.shown))
                    channel.shown, channel.waits = None, 0
            for name, shown in done:
                self.take(name, shown)
            while self.open_writes and not self.open_writes[0][0]:
                self.written.append(self.open_writes.pop(0)[1:])
            yield cycle
