"""A cluster as a program: cores of the device model behind one ring, with the rules of the RTL for places, keys and
order. It is a `Device` of `lutra.soc.cluster.host`, so hosts and tests drive it as they drive the RTL.

It is functional, and its cycles are an estimate: cores and what they share take turns of TURN cycles. It has no
lock-step pairs.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass

from lutra.soc import maps
from lutra.soc._model import Model
from lutra.soc.cluster.host import INLINE
from lutra.soc.cluster.parts import (
    DESCRIPTOR,
    JOB_WORK,
    KEY_WORK,
    MOST_WORK,
    NO_OPERATION,
    PHASE,
    ROW,
    STATUS,
    Entry,
    Handle,
    Keys,
    Mailbox,
    Reorder,
)

TURN = 32
# Descriptors that are fetched and have no core yet; cycles of the port for 64 bytes.
AHEAD, PORT = 16, 8
WORD = 4
CONTROL = maps.cluster("lutra_cluster_control").fields
REGISTERS = maps.cluster()
CORE = maps.load().axi
DESCRIPTOR_WORD = maps.load().descriptor.fields
STATUSES = maps.load().status
# Statuses after which a core may not have its keys any more (`keys_lost` of lutra_cluster_front).
KEYS_LOST = frozenset(STATUSES[name] for name in ("bad_key", "core_trap", "timeout", "aborted", "mismatch"))
COUNTERS = ("keys_fetched.value", "full_cycles.value", "order_cycles.value", "mismatches.value")
ENABLE = REGISTERS.fields["control.enable"]
# Bits of each register that a host writes; those of pairs need pairs.
WRITTEN = {
    offset: sum(f.mask for f in REGISTERS.fields.values() if f.offset == offset and f.access == "rw")
    for path, offset in REGISTERS.registers.items()
    if path != "pairs"
}


def _capability(name: str) -> int:
    return REGISTERS.fields[f"capabilities.{name}"].reset


@dataclass
class _Node:
    """A core with what is its own."""

    core: Model
    mailbox: Mailbox
    keys: Keys
    packets: int = 0


class Cluster:
    """The cluster after reset, on a memory in a bytearray.

    exact: cores instruction by instruction, otherwise translated. latency: cycles until the memory answers.
    """

    def __init__(self, memory: bytearray, cores: int = 4, latency: int = 30, exact: bool = False) -> None:
        self.memory = memory
        self.latency = latency
        jobs, keys = _capability("jobs"), _capability("keys")
        self._nodes = [
            _Node(Model(memory, exact=exact, latency=latency), Mailbox(jobs), Keys(keys)) for _ in range(cores)
        ]
        self._values = dict.fromkeys(REGISTERS.registers.values(), 0)
        for field in REGISTERS.fields.values():
            self._values[field.offset] |= field.reset << field.low
        self._core_bytes = 1 << REGISTERS.fields["places.log2"].reset
        self._core_first = REGISTERS.fields["places.first"].reset
        self._reorder = Reorder(_capability("packets"))
        self._bad_reads: list[tuple[int, int]] = []
        self._bad_writes: list[tuple[int, int]] = []
        self._fetched: deque[bytearray] = deque()
        self._draining = True
        self._interrupt = False
        self.cycles = self._port = 0
        self._clear()

    # ------------------------------------------------------------------- registers

    def read(self, offset: int, /) -> int:
        """A register of the cluster or of a core; 0 where there is none."""
        node = self._node(offset)
        if node is not None:
            return node.core.read(offset % self._core_bytes)
        value = self._values.get(offset, 0)
        for path, found in self._live(offset):
            value |= found << REGISTERS.fields[path].low
        return value

    def write(self, offset: int, value: int, /) -> None:
        """Write a register of the cluster or of a core."""
        node = self._node(offset)
        if node is not None:
            at = offset % self._core_bytes
            node.core.write(at, value)
            if at == CORE.offset("ring[1].control") and not node.mailbox.entries:
                node.mailbox.clear()
            return
        mask = WRITTEN.get(offset, 0)
        if offset in self._values:
            self._values[offset] = self._values[offset] & ~mask | value & mask
        if offset == REGISTERS.offset("interrupt"):
            self._values[offset] &= ~value
        if offset == ENABLE.offset:
            self._draining |= not ENABLE.of(value)
            self._leave()

    def _node(self, offset: int) -> _Node | None:
        number = offset // self._core_bytes - self._core_first
        return self._nodes[number] if 0 <= number < len(self._nodes) else None

    def _live(self, offset: int) -> Iterable[tuple[str, int]]:
        """Fields of a register that are not what was written."""
        if offset == REGISTERS.offset("capabilities"):
            yield "capabilities.cores", len(self._nodes)
        elif offset == REGISTERS.offset("state"):
            yield "state.idle", self._idle
            yield "state.stopped", self._reason is not None
            yield "state.reason", self._reason or 0
            yield "state.busy", sum(1 << n for n, node in enumerate(self._nodes) if node.mailbox.entries)
        elif offset == REGISTERS.offset("head"):
            yield "head.head", self._head & 0xFFFF
        for path, count in self._counts.items():
            if offset == REGISTERS.fields[path].offset:
                yield path, count & 0xFFFFFFFF
        for number, node in enumerate(self._nodes):
            if offset == REGISTERS.offset(f"packets[{number}]"):
                yield f"packets[{number}].value", node.packets

    def _get(self, path: str) -> int:
        field = REGISTERS.fields[path]
        return field.of(self._values[field.offset])

    def _address(self, name: str) -> int:
        return self._get(f"{name}_high.value") << 32 | self._get(f"{name}_low.value")

    # ------------------------------------------------------------------------- bus

    def fail_reads(self, first: int, end: int, /) -> None:
        """From now on reads of these addresses are answered with an error."""
        self._bad_reads.append((first, end))
        for node in self._nodes:
            node.core.fail_reads(first, end)

    def fail_writes(self, first: int, end: int, /) -> None:
        """From now on writes to these addresses are answered with an error."""
        self._bad_writes.append((first, end))
        for node in self._nodes:
            node.core.fail_writes(first, end)

    def heal(self) -> None:
        """No address fails any more."""
        self._bad_reads.clear()
        self._bad_writes.clear()
        for node in self._nodes:
            node.core.heal()

    def _read(self, at: int) -> bytearray | None:
        """64 bytes, None where the bus has an error."""
        if at + DESCRIPTOR > len(self.memory) or any(a < at + DESCRIPTOR and at < b for a, b in self._bad_reads):
            return None
        return self.memory[at : at + DESCRIPTOR]

    # ------------------------------------------------------------------------ time

    def run(self, cycles: int, /) -> int:
        """Work for so many cycles, or until the interrupt rises; return how many have passed."""
        begin, before = self.cycles, self._interrupt
        while self.cycles < begin + cycles and (before or not self._interrupt):
            self._step(min(TURN, begin + cycles - self.cycles))
        return self.cycles - begin

    def _step(self, cycles: int) -> None:
        """One turn of all parts."""
        self._fetch()
        self._place(self.cycles + cycles)
        mailbox = self._address("mailbox") & ~0xFFF
        end = mailbox + len(self._nodes[0].mailbox.rows)
        kept = self.memory[mailbox:end]
        self.cycles += cycles
        for node in self._nodes:
            if node.mailbox.shown(self.cycles - cycles):
                node.core.write(CORE.offset("ring[1].tail"), node.mailbox.tail & 0xFFFF)
            # A core that ran ahead waits for the others.
            if node.core.cycles < self.cycles:
                self.memory[mailbox:end] = node.mailbox.rows
                node.core.run(self.cycles - node.core.cycles)
                node.mailbox.rows[:] = self.memory[mailbox:end]
        self.memory[mailbox:end] = kept
        for node in self._nodes:
            self._complete(node)
        self._count("order_cycles.value", cycles * self._reorder.late)
        self._post()
        self._leave()
        if self._draining and self._idle:
            self._clear()
            self._draining = not self._get("control.enable")

    def _count(self, path: str, by: int) -> None:
        self._counts[path] += by

    @property
    def _idle(self) -> bool:
        waits = self._runs and self._get("tail.tail") != self._asked & 0xFFFF
        used = any(node.mailbox.entries for node in self._nodes)
        return not (self._fetched or used or waits) and self._reorder.idle

    @property
    def _runs(self) -> bool:
        return bool(self._get("control.enable")) and not self._draining and self._reason is None

    def _clear(self) -> None:
        """Counts begin at 0."""
        self._asked = self._head = self._posted = 0
        self._reason: int | None = None
        self._counts = dict.fromkeys(COUNTERS, 0)
        for node in self._nodes:
            node.packets = 0

    def _leave(self) -> None:
        """A core that takes no packets loses its keys, and its mailbox begins at 0 once it is empty."""
        for number, node in enumerate(self._nodes):
            if not self._get("control.cores") >> number & 1:
                node.keys.clear()

    def _stop(self, why: str) -> None:
        if self._reason is None:
            self._reason = STATUSES[why]
            self._raise("stopped")

    def _raise(self, name: str) -> None:
        self._values[REGISTERS.offset("interrupt")] |= 1 << REGISTERS.fields[f"interrupt.{name}"].low
        pending, enabled = (self._values[REGISTERS.offset(r)] for r in ("interrupt", "interrupt_enable"))
        self._interrupt = bool(pending & enabled)

    # -------------------------------------------------------------------- the ring

    def _fetch(self) -> None:
        size = 1 << self._get("size.log2")
        while self._runs:
            tail = self._get("tail.tail")
            if (tail - self._posted) & 0xFFFF > size:
                return self._stop("bad_descriptor")
            if tail == self._asked & 0xFFFF or len(self._fetched) >= AHEAD:
                return None
            found = self._read(self._address("descriptors") + DESCRIPTOR * (self._asked % size))
            if found is None:
                return self._stop("read_error")
            self._asked += 1
            self._port = max(self._port, self.cycles) + PORT
            self._fetched.append(found)
        return None

    def _place(self, end: int) -> None:
        """Choose cores for packets, in the order of the ring, until one has to wait."""
        while self._fetched and self._reorder.room and self._port < end + AHEAD * PORT:
            word = int.from_bytes(self._fetched[0][:WORD], "little")
            group, handle = CONTROL["control.group"].of(word), _handle(word)
            taking = [n for n in range(len(self._nodes)) if self._get("control.cores") >> n & 1]
            same = [n for n in taking if self._get("groups.cores") >> 4 * n & 0xF == group]
            usable = [n for n in same or taking if self._nodes[n].mailbox.room]
            if not usable:
                return self._count("full_cycles.value", end - self.cycles)
            nodes = [self._nodes[n] for n in usable]
            keyed = handle.generation != 0
            node = min(nodes, key=lambda n: n.mailbox.work + KEY_WORK * (keyed and n.keys.find(handle) is None))
            self._give(node, self._fetched.popleft(), handle if keyed else None, known=bool(same))
        return None

    def _give(self, node: _Node, descriptor: bytearray, handle: Handle | None, *, known: bool) -> None:
        word = int.from_bytes(descriptor[:WORD], "little")
        length = int.from_bytes(descriptor[2 * WORD : 3 * WORD], "little")
        flow = CONTROL["control.flow"].of(word) if self._get("control.by_flow") else 0
        entry = Entry(self._reorder.take(flow), min(length // ROW + JOB_WORK, MOST_WORK), self._port)
        place = None
        if handle is not None and known:
            place = node.keys.find(handle)
            if place is None:
                place = node.keys.take(handle)
                entry.bad = self._key(node, handle, place)
        operation = CONTROL["control.operation"].of(word)
        first = _core_word(operation, CONTROL["control.flags"].of(word), handle, place or 0)
        if not known or entry.bad:
            first = NO_OPERATION
        descriptor[:WORD] = first.to_bytes(WORD, "little")
        if entry.bad:
            descriptor[2 * WORD : ROW] = bytes(ROW - 2 * WORD)
        node.mailbox.add(entry, descriptor)
        node.packets += 1

    def _key(self, node: _Node, handle: Handle, place: int) -> bool:
        """Put the record of a flow in front of its packet; return whether it is not that of the handle."""
        self._count("keys_fetched.value", 1)
        self._port = max(self._port, self.cycles) + PORT
        record = self._read(self._address("flows") + DESCRIPTOR * handle.flow)
        word = int.from_bytes(record[:WORD], "little") if record else 0
        bad = record is None or _handle(word) != handle
        raw = bytearray(DESCRIPTOR) if record is None or bad else record
        # Operation 0 of every firmware sets a key, and without a length clears one.
        operation = 0 if bad else CONTROL["control.operation"].of(word)
        flags = INLINE if bad else INLINE & CONTROL["control.flags"].of(word)
        raw[: 2 * WORD] = _core_word(operation, flags, handle, place).to_bytes(2 * WORD, "little")
        node.mailbox.add(Entry(None, JOB_WORK, self._port + self.latency), raw)
        return bad

    # ----------------------------------------------------------------- completions

    def _complete(self, node: _Node) -> None:
        head = node.core.read(CORE.offset("ring[1].head"))
        while node.mailbox.entries and node.mailbox.done & 0xFFFF != head:
            entry, completion = node.mailbox.complete()
            result = int.from_bytes(completion[WORD : 2 * WORD], "little")
            status = STATUSES["bad_key"] if entry.bad else STATUS.of(result)
            if status in KEYS_LOST if entry.packet is not None else status != STATUSES["ok"]:
                node.keys.clear()
            if entry.packet is not None:
                result = result & ~STATUS.mask | status << STATUS.low
                completion[WORD : 2 * WORD] = result.to_bytes(WORD, "little")
                self._reorder.done(entry.packet, completion)

    def _post(self) -> None:
        log2 = self._get("size.log2")
        while (completion := self._reorder.pop()) is not None:
            at = self._address("completions") + ROW * (self._posted % (1 << log2))
            result = int.from_bytes(completion[WORD : 2 * WORD], "little") & ~PHASE.mask
            result |= (not self._posted >> log2 & 1) << PHASE.low
            completion[WORD : 2 * WORD] = result.to_bytes(WORD, "little")
            self._posted += 1
            if at + ROW > len(self.memory) or any(a < at + ROW and at < b for a, b in self._bad_writes):
                self._stop("write_error")
                continue
            self.memory[at : at + ROW] = completion
            if self._reason != STATUSES["write_error"]:
                self._head += 1
            self._raise("completed")


def _handle(word: int) -> Handle:
    return Handle(CONTROL["control.flow"].of(word), CONTROL["control.generation"].of(word))


def _core_word(operation: int, flags: int, handle: Handle | None, place: int) -> int:
    """The first word of a descriptor for a core. The generation of a key in a core is its flow, so a core refuses a
    packet whose key was replaced by another flow's."""
    fields = {"operation": operation}
    names = ("gather", "scatter", "inline_payload", "interrupt")
    fields |= {name: flags >> bit & 1 for bit, name in enumerate(names)}
    if handle is not None:
        flow_bits = CONTROL["control.flow"].width
        fields |= {"context": place, "generation": 1 << flow_bits | handle.flow}
    return sum(value << DESCRIPTOR_WORD[f"control.{name}"].low for name, value in fields.items())
