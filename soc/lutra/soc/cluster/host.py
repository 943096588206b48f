"""A host of a cluster: firmware into its cores, keys of flows, and packets through its ring.

    host = Host(device, memory, {core: firmware for core in range(4)})
    host.set_flow(Flow(5, generation=1), firmware, "aes128-set-key", key)
    for done in host.run(packets): ...

It knows registers and memory only, so it drives the RTL as a processor would.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol

from lutra.asm.errors import plural
from lutra.isa import load as load_isa
from lutra.soc import maps
from lutra.soc.operations import Firmware
from lutra.soc.stream import SAVED_KEY_BYTES

ROW, WORD, DESCRIPTOR = 16, 8, 64
# Places in memory: the mailboxes, of which nothing reaches memory; ring 0 of a core while it is loaded, and what is
# loaded; the ring of the cluster; records of flows; data.
MAILBOX, LOADING, IMAGE, RING, FLOWS, DATA = 0x1000, 0x4000, 0x8000, 0x10000, 0x20000, 0x40000
LOG2 = 8
LOADING_LOG2, LOADING_COMPLETIONS = 4, LOADING + 0x800
COMPLETIONS = RING + (DESCRIPTOR << LOG2)
CORE_LOG2 = 4
# A flag of a control word: the key is in its descriptor.
INLINE = 0b0100
MAILBOX_COMPLETIONS = DESCRIPTOR << CORE_LOG2
PATIENCE = 4_000_000


class Device(Protocol):
    """A cluster by its registers."""

    def read(self, offset: int, /) -> int: ...
    def write(self, offset: int, value: int, /) -> None: ...
    def run(self, cycles: int, /) -> int: ...
    def fail_reads(self, first: int, end: int, /) -> None: ...
    def fail_writes(self, first: int, end: int, /) -> None: ...
    def heal(self) -> None: ...
    @property
    def cycles(self) -> int: ...


class ClusterError(Exception):
    """The cluster did not do what it has to do."""


class Flow(NamedTuple):
    """A handle: a flow and the generation of its key. Generation 0: none."""

    number: int
    generation: int = 1


NO_FLOW = Flow(0, 0)


@dataclass(frozen=True)
class Packet:
    """One message. Addresses are those of the memory; group: of the cores that have its operation; inline_key: of an
    operation that takes its key from the descriptor, which then has no associated data."""

    operation: int
    flow: Flow
    source: int
    destination: int
    length: int
    iv: bytes = bytes(ROW)
    aad: int = 0
    aad_bytes: int = 0
    tag_bytes: int = 0
    group: int = 0
    cookie: int = 0
    inline_key: bytes = b""

    def descriptor(self) -> bytes:
        """The 64 bytes of it."""
        raw = bytearray(
            maps.load().descriptor.pack(
                {
                    "cookie.value": self.cookie,
                    "length.bytes": self.length,
                    "extra.aad": self.aad_bytes,
                    "extra.tag": self.tag_bytes,
                    "destination_low.value": self.destination,
                    "source_low.value": self.source,
                    "aad_low.value": self.aad,
                }
            )
        )
        raw[:4] = control(self.operation, self.flow, group=self.group)
        at = maps.load().descriptor.offset("iv[0]")
        raw[at : at + ROW] = self.iv
        at = maps.load().descriptor.offset("aad_low")
        raw[at : at + len(self.inline_key)] = self.inline_key
        return bytes(raw)


class Done(NamedTuple):
    """A completion. cycle: of the device when the host saw it."""

    cookie: int
    status: str
    bytes: int
    cycles: int
    cycle: int


def core_registers(core: int) -> int:
    """Offset of a core's registers."""
    fields = maps.cluster("lutra_cluster").fields
    return fields["places.first"].reset + core << fields["places.log2"].reset


def control(operation: int, flow: Flow, group: int = 0, flags: int = 0) -> bytes:
    """The first word of a packet or of a flow's record."""
    values = {
        "operation": operation,
        "group": group,
        "flags": flags,
        "flow": flow.number,
        "generation": flow.generation,
    }
    return maps.cluster("lutra_cluster_control").pack({f"control.{name}": value for name, value in values.items()})


class Host:
    """A cluster with its memory.

    firmware: of each core that is to take packets, by its number. Cores with the same firmware are one group, numbered
    in the order in which they come. by_flow: completions are in order within each flow, else in that of the ring.
    ClusterError where the device does not answer as it should.
    """

    def __init__(
        self, device: Device, memory: bytearray, firmware: Mapping[int, Firmware], *, by_flow: bool = False
    ) -> None:
        self.device = device
        self.by_flow = by_flow
        self.memory = memory
        self.registers = maps.cluster()
        self.statuses = {code: name for name, code in maps.load().status.items()}
        self.tail = self.head = 0
        self.next = DATA
        self.firmware = dict(firmware)
        names = list(dict.fromkeys(image.name for image in firmware.values()))
        self.groups = {name: number for number, name in enumerate(names)}
        for core, image in firmware.items():
            self.load(core, image)
        self._set("mailbox_low", MAILBOX)
        self._set("descriptors_low", RING)
        self._set("completions_low", COMPLETIONS)
        self._set("flows_low", FLOWS)
        self._set("size", LOG2)
        self._set("groups", sum(self.groups[image.name] << 4 * core for core, image in firmware.items()))
        self._set("tail", 0)
        self.enable(firmware)

    # ------------------------------------------------------------------- registers

    def get(self, path: str) -> int:
        """A field of the cluster."""
        field = self.registers.fields[path]
        return field.of(self.device.read(field.offset))

    def enable(self, cores: Mapping[int, Firmware] | Sequence[int]) -> None:
        """Let these cores take packets, and no others. One that is left out has to be loaded before it comes back."""
        mask = self.registers.fields["control.cores"]
        self._taking = tuple(cores)
        self._cores = sum(1 << core for core in cores) << mask.low
        self._set("control", self._running)

    @property
    def _running(self) -> int:
        """The control register of a ring that runs."""
        fields = self.registers.fields
        return self._cores | fields["control.enable"].mask | (fields["control.by_flow"].mask if self.by_flow else 0)

    def order(self, *, by_flow: bool) -> None:
        """Have completions in order within each flow, or in that of the ring, from now on. Nothing may be in flight."""
        if self.head != self.tail:
            raise ClusterError(f"{plural(self.tail - self.head, 'packet')} in flight: the order cannot change now")
        self.by_flow = by_flow
        self._set("control", self._running)

    def restart(self) -> None:
        """Begin again with an empty ring, after it stopped or before it runs."""
        self._set("control", self._cores)
        for _ in range(PATIENCE // 100):
            if self.get("state.idle"):
                break
            self.device.run(100)
        else:
            raise ClusterError("the ring does not come to rest")
        self.memory[COMPLETIONS : COMPLETIONS + (ROW << LOG2)] = bytes(ROW << LOG2)
        self.tail = self.head = 0
        self._set("tail", 0)
        self._set("control", self._running)

    # ----------------------------------------------------------------------- pairs

    def couple(self, pair: int) -> None:
        """Let cores 2 * pair and 2 * pair + 1 do the same packets in lock-step, as core 2 * pair, from now on.

        Both are loaded again. ClusterError where the cluster does not have the pair, or its cores differ in firmware.
        """
        self._pair(pair, couple=True)

    def uncouple(self, pair: int) -> None:
        """Let the cores of a pair work on their own again, also after they differed. Both are loaded again."""
        self._pair(pair, couple=False)

    def _pair(self, pair: int, *, couple: bool) -> None:
        cores = (2 * pair, 2 * pair + 1)
        if not 0 <= pair < self.get("pairs.available"):
            raise ClusterError(f"the cluster has no pair {pair}: it was built with {self.get('pairs.available')}")
        images = [self.firmware.get(core) for core in cores]
        if images[0] is None or images[0] != images[1]:
            raise ClusterError(f"cores {cores[0]} and {cores[1]} do not have the same firmware")
        others = [core for core in self._taking if core not in cores]
        self.enable(others)
        self._until(lambda: not any(self.get("state.busy") >> core & 1 for core in cores), "the pair keeps its packets")
        for core in cores:
            self._rest(core)
        mask = self.registers.fields["pairs.couple"]
        word = self.device.read(mask.offset)
        bit = 1 << pair + mask.low
        self._set("pairs", word | bit if couple else word & ~bit)
        self._until(lambda: bool(self.get("pairs.coupled") >> pair & 1) == couple, "the pair stays as it is")
        for core in cores:
            self.load(core, images[0])
        self.enable([*others, *(cores[:1] if couple else cores)])

    def _rest(self, core: int) -> None:
        """End what a core still does of its ring 1, if it was left alone with it."""
        state = maps.load().axi.fields["ring[1].state.idle"]
        if state.of(self.core_read(core, "ring[1].state")):
            return
        self.core_write(core, "control", 1 << 3 | 1)
        self.core_write(core, "ring[1].control", 3)
        self._until(lambda: bool(state.of(self.core_read(core, "ring[1].state"))), f"core {core} does not come to rest")

    def _until(self, true: Callable[[], bool], otherwise: str) -> None:
        for _ in range(PATIENCE // 100):
            if true():
                return
            self.device.run(20)
        raise ClusterError(otherwise)

    def _set(self, register: str, value: int) -> None:
        self.device.write(self.registers.offset(register), value)

    def core_read(self, core: int, register: str) -> int:
        """A register of a core."""
        return self.device.read(core_registers(core) + maps.load().axi.offset(register))

    def core_write(self, core: int, register: str, value: int) -> None:
        """Write a register of a core."""
        self.device.write(core_registers(core) + maps.load().axi.offset(register), value)

    # -------------------------------------------------------------------- firmware

    def load(self, core: int, firmware: Firmware) -> None:
        """Load firmware into a core that takes no packets, by its ring 0, and set its ring 1 up for the cluster."""
        self.core_write(core, "control", 0)
        for ring, (descriptors, completions, log2) in enumerate(
            (
                (LOADING, LOADING_COMPLETIONS, LOADING_LOG2),
                (MAILBOX, MAILBOX + MAILBOX_COMPLETIONS, CORE_LOG2),
            )
        ):
            self.core_write(core, f"ring[{ring}].control", 0)
            self.core_write(core, f"window[{ring}].limit_low", len(self.memory))
            self.core_write(core, f"ring[{ring}].descriptors_low", descriptors)
            self.core_write(core, f"ring[{ring}].completions_low", completions)
            self.core_write(core, f"ring[{ring}].size", log2)
            self.core_write(core, f"ring[{ring}].tail", 0)
        self.core_write(core, "control", 1)
        self.core_write(core, "ring[0].control", 1)
        codes = {space.name: space.code for space in load_isa().spaces}
        program = b"".join(word.to_bytes(WORD, "little") + bytes(WORD) for word in firmware.image.program)
        parts = [("pm", 0, program)]
        parts += [(name, at, data) for name, runs in firmware.image.memory.items() for at, data in runs]
        for number, (name, at, data) in enumerate(parts):
            row, skipped = divmod(0 if name == "pm" else at, ROW)
            padded = bytes(skipped) + data
            if len(padded) > RING - IMAGE:
                raise ClusterError(f"{firmware.name}: {name} has more than {RING - IMAGE} bytes")
            self.memory[IMAGE : IMAGE + len(padded)] = padded
            values = {
                "control.operation": maps.load().raw["write"],
                "length.bytes": len(padded),
                "extra.aad": row,
                "extra.tag": codes[name],
                "source_low.value": IMAGE,
            }
            self._raw(core, number, maps.load().descriptor.pack(values))
        self.core_write(core, "ring[0].control", 0)
        self.core_write(core, "control", 0)
        for number, word in firmware.registers().items():
            self.core_write(core, f"operation[{number}]", word)
        self.core_write(core, "operations", max(firmware.registers()) + 1)
        self.core_write(core, "stream_reset", firmware.stream_reset)
        self.core_write(core, "control", 1)
        self.core_write(core, "ring[1].control", 1)

    def _raw(self, core: int, number: int, descriptor: bytes) -> None:
        at = LOADING + DESCRIPTOR * (number % (1 << LOADING_LOG2))
        self.memory[at : at + DESCRIPTOR] = descriptor
        self.core_write(core, "ring[0].tail", number + 1)
        for _ in range(PATIENCE // 100):
            self.device.run(100)
            if self.core_read(core, "ring[0].head") == number + 1:
                break
        else:
            raise ClusterError(f"core {core} does not load its firmware")
        done = LOADING_COMPLETIONS + ROW * (number % (1 << LOADING_LOG2))
        status = maps.load().completion.unpack(bytes(self.memory[done : done + ROW]))["result.status"]
        if status:
            raise ClusterError(f"core {core} does not load its firmware: {self.statuses[status]}")

    # ------------------------------------------------------------------------ data

    def place(self, data: bytes, offset: int = 0) -> int:
        """Put data into memory, `offset` bytes after a multiple of 64; return its address."""
        at = -(-self.next // DESCRIPTOR) * DESCRIPTOR + offset
        if at + len(data) > len(self.memory):
            raise ClusterError("the memory is full")
        self.memory[at : at + len(data)] = data
        self.next = at + len(data)
        return at

    def set_flow(self, flow: Flow, firmware: Firmware, operation: str, key: bytes) -> None:
        """Write the record of a flow. Cores fetch the key when a packet needs it."""
        raw = bytearray(maps.load().descriptor.pack({"length.bytes": len(key)}))
        raw[:4] = control(firmware.operations[operation].number, flow, flags=INLINE)
        at = maps.load().descriptor.offset("destination_low")
        raw[at : at + len(key)] = key
        self._record(flow, raw)

    def set_saved(self, flow: Flow, firmware: Firmware, operation: str, address: int) -> None:
        """Write the record of a flow whose saved key is in memory, while no packet of it is in flight. operation: that
        restores it."""
        values = {"length.bytes": SAVED_KEY_BYTES, "source_low.value": address}
        raw = bytearray(maps.load().descriptor.pack(values))
        raw[:4] = control(firmware.operations[operation].number, flow)
        self._record(flow, raw)

    def _record(self, flow: Flow, raw: bytearray) -> None:
        self.memory[FLOWS + DESCRIPTOR * flow.number : FLOWS + DESCRIPTOR * (flow.number + 1)] = raw

    # --------------------------------------------------------------------- packets

    def post(self, packets: Sequence[Packet]) -> None:
        """Write descriptors, and ring once."""
        for packet in packets:
            at = RING + DESCRIPTOR * (self.tail % (1 << LOG2))
            self.memory[at : at + DESCRIPTOR] = packet.descriptor()
            self.tail += 1
        self._set("tail", self.tail & 0xFFFF)

    @property
    def free(self) -> int:
        """Entries of the ring."""
        return (1 << LOG2) - (self.tail - self.head)

    def poll(self) -> Iterator[Done]:
        """Completions that are new, as they came."""
        while self.head < self.tail:
            at = COMPLETIONS + ROW * (self.head % (1 << LOG2))
            values = maps.load().completion.unpack(bytes(self.memory[at : at + ROW]))
            if values["result.phase"] == self.head >> LOG2 & 1:
                return
            self.head += 1
            yield Done(
                values["cookie.value"],
                self.statuses[values["result.status"]],
                values["bytes.value"],
                values["cycles.value"],
                self.device.cycles,
            )

    def run(self, packets: Sequence[Packet], step: int = 20) -> list[Done]:
        """All packets, with as many posted as the ring holds; the host looks every `step` cycles."""
        done: list[Done] = []
        waiting, begin = 0, self.device.cycles
        while len(done) < len(packets):
            # A ring is refilled by quarters, as a driver does.
            if waiting < len(packets) and self.free >= 1 << LOG2 - 2:
                batch = packets[waiting : waiting + self.free]
                self.post(batch)
                waiting += len(batch)
            self.device.run(step)
            done += self.poll()
            if self.device.cycles - begin > PATIENCE + 3000 * len(packets):
                raise ClusterError(f"{len(done)} of {len(packets)} packets are done; the rest is late")
        return done
