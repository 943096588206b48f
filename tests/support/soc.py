"""A device behind registers and memory, and a host in Python that knows nothing of the driver."""

from __future__ import annotations

import struct
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from lutra.asm import Image
from lutra.isa import load as load_isa
from lutra.soc.devices import Device, Maker
from lutra.soc.maps import Order, load

LAYOUT = load()
STATUS = LAYOUT.status
MEMORY_BYTES = 1 << 20
# A ring has this much for descriptors, completions and the host's own rows; buffers of tests begin after both rings.
RING_BYTES = 0x8000
BUFFERS = 0x20000
PATIENCE = 400_000


@dataclass(frozen=True)
class Completion:
    """A completion, its status by name."""

    cookie: int
    status: str
    bytes: int
    cycles: int
    core: int = 0
    trap: int = 0
    notify: int = 0


@dataclass
class Bench:
    """A device with its memory, and the fields of its registers by name."""

    device: Device
    memory: bytearray
    order: Order = "little"
    rings: list[Ring] = field(default_factory=list)

    @classmethod
    def make(cls, maker: Maker, order: Order = "little") -> Bench:
        memory = bytearray(MEMORY_BYTES)
        bench = cls(maker(memory), memory, order)
        bench.set("control.big_endian", int(order == "big"))
        bench.rings = [Ring(bench, n) for n in range(2)]
        for ring in bench.rings:
            ring.set_window(0, MEMORY_BYTES)
        return bench

    def get(self, path: str) -> int:
        """Return a field of a register."""
        f = LAYOUT.axi.fields[path]
        return f.of(self.device.read(f.offset))

    def set(self, path: str, value: int) -> None:
        """Write a field; the others of its register keep their values, those that clear or set by ones are not hit."""
        f = LAYOUT.axi.fields[path]
        kept = sum(g.mask for g in LAYOUT.axi.fields.values() if g.offset == f.offset and g.access == "rw")
        self.device.write(f.offset, self.device.read(f.offset) & kept & ~f.mask | value << f.low)

    def load(self, image: Image, operations: Mapping[str, Mapping[str, int]]) -> dict[str, int]:
        """Load firmware by raw operations of ring 0 and fill the table of operations, by names of routines."""
        ring = self.rings[0]
        ring.enable()
        self.set("control.enable", 1)
        program = b"".join(struct.pack("<Q", word).ljust(16, b"\0") for word in image.program)
        ring.raw_write("pm", 0, program)
        for space, segments in image.memory.items():
            for offset, data in segments:
                ring.raw_write(space, offset // 16, data)
        ring.disable()
        self.set("control.enable", 0)
        entries = {s.name: s.value for s in image.symbols if s.is_global}
        self.set("stream_reset.entry", entries["stream_reset"])
        for n, (name, flags) in enumerate(operations.items()):
            fields = {flag: LAYOUT.axi.fields[f"operation[{n}].{flag}"] for flag in ("entry", *flags)}
            word = sum(value << fields[flag].low for flag, value in ({"entry": entries[name]} | dict(flags)).items())
            self.device.write(fields["entry"].offset, word)
        self.set("operations.count", len(operations))
        self.set("control.enable", 1)
        return {name: n for n, name in enumerate(operations)}

    def put(self, address: int, data: bytes | bytearray) -> int:
        """Write to the memory and return the address."""
        self.memory[address : address + len(data)] = data
        return address

    def list(self, address: int, pieces: list[tuple[int, int]]) -> int:
        """Write a list of elements (address, bytes) and return its address."""
        for n, (start, length) in enumerate(pieces):
            values = {
                "address_low.value": start & 0xFFFFFFFF,
                "address_high.value": start >> 32,
                "length.bytes": length,
                "flags.last": int(n == len(pieces) - 1),
            }
            self.put(address + 16 * n, LAYOUT.element.pack(values, self.order))
        return address


class Ring:
    """One ring, driven by hand."""

    def __init__(self, bench: Bench, number: int, log2: int = 4) -> None:
        self.bench = bench
        self.number = number
        self.log2 = log2
        self.base = RING_BYTES * (1 + number)
        self.completions = self.base + 64 * (1 << log2)
        self.scratch = self.completions + 16 * (1 << log2)
        self.tail = self.head = 0

    def set(self, path: str, value: int) -> None:
        self.bench.set(f"ring[{self.number}].{path}", value)

    def get(self, path: str) -> int:
        return self.bench.get(f"ring[{self.number}].{path}")

    def set_window(self, base: int, limit: int) -> None:
        """Let descriptors of this ring point from `base` to `limit`, exclusive."""
        for name, value in (("base", base), ("limit", limit)):
            self.bench.set(f"window[{self.number}].{name}_low.value", value & 0xFFFFFFFF)
            self.bench.set(f"window[{self.number}].{name}_high.value", value >> 32)

    def enable(self) -> None:
        """Begin with empty rings."""
        self.bench.put(self.completions, bytes(16 << self.log2))
        for name, value in (("descriptors", self.base), ("completions", self.completions)):
            self.set(f"{name}_low.value", value)
            self.set(f"{name}_high.value", 0)
        self.set("size.log2", self.log2)
        self.set("tail.tail", 0)
        self.tail = self.head = 0
        self.set("control.enable", 1)

    def disable(self) -> None:
        self.set("control.enable", 0)

    def write(self, *descriptors: bytes) -> None:
        """Write descriptors and ring the doorbell."""
        for descriptor in descriptors:
            self.bench.put(self.base + 64 * (self.tail % (1 << self.log2)), descriptor)
            self.tail = (self.tail + 1) & 0xFFFF
        self.set("tail.tail", self.tail)

    def poll(self) -> Completion | None:
        """Take the next completion, if there is one."""
        at = self.completions + 16 * (self.head % (1 << self.log2))
        raw = bytes(self.bench.memory[at : at + 16])
        values = LAYOUT.completion.unpack(raw, self.bench.order)
        if values["result.phase"] == (self.head >> self.log2) & 1:
            return None
        self.head = (self.head + 1) & 0xFFFF
        status = next(name for name, code in STATUS.items() if code == values["result.status"])
        return Completion(
            values["cookie.value"],
            status,
            values["bytes.value"],
            values["cycles.value"],
            values["result.core"],
            values["result.trap"],
            values["result.notify"],
        )

    def wait(self, count: int = 1, cycles: int = PATIENCE) -> list[Completion]:
        """Run the device until so many completions have come; AssertionError after so many cycles."""
        found: list[Completion] = []
        end = self.bench.device.cycles + cycles
        while len(found) < count:
            if (completion := self.poll()) is not None:
                found.append(completion)
                continue
            assert self.bench.device.cycles < end, f"{len(found)} of {count} completions in {cycles} cycles"
            for n in range(2):
                self.bench.set(f"ring[{n}].interrupt.completed", 1)
            self.bench.device.run(1000)
        return found

    def do(self, **fields: Any) -> Completion:
        """Run one descriptor to its completion."""
        self.write(self.descriptor(**fields))
        return self.wait()[0]

    def descriptor(
        self,
        operation: int,
        source: int = 0,
        destination: int = 0,
        aad: int = 0,
        iv: bytes = b"",
        inline: bytes = b"",
        key: bytes = b"",
        inline_key: bytes = b"",
        reserved: int = 0,
        **fields: Any,
    ) -> bytes:
        """Return a descriptor: addresses as numbers, other fields by the last part of their names."""
        paths = {path.rpartition(".")[2]: path for path in LAYOUT.descriptor.fields if "value" not in path}
        values = {
            "control.operation": operation,
            "destination_low.value": destination & 0xFFFFFFFF,
            "destination_high.value": destination >> 32,
            "source_low.value": source & 0xFFFFFFFF,
            "source_high.value": source >> 32,
            "aad_low.value": aad & 0xFFFFFFFF,
            "aad_high.value": aad >> 32,
            "reserved[0].value": reserved,
            "cookie.value": fields.pop("cookie", self.tail + 1),
        }
        values |= {paths[name.removesuffix("_bytes")]: value for name, value in fields.items()}
        raw = bytearray(LAYOUT.descriptor.pack({k: int(v) for k, v in values.items()}, self.bench.order))
        raw[0x10 : 0x10 + len(iv)] = iv
        for place, data in (("source_low", inline), ("destination_low", key), ("aad_low", inline_key)):
            at = LAYOUT.descriptor.offset(place)
            raw[at : at + len(data)] = data
        return bytes(raw)

    def raw_write(self, space: str, row: int, data: bytes) -> None:
        """Write rows of a memory of the core."""
        data = data.ljust(-(-len(data) // 16) * 16, b"\0")
        source = self.bench.put(BUFFERS, data)
        done = self.do(
            operation=LAYOUT.raw["write"], source=source, bytes=len(data), aad_bytes=row, tag=space_code(space)
        )
        assert done.status == "ok", done

    def raw_read(self, space: str, row: int, rows: int) -> bytes:
        """Read rows of a memory of the core."""
        done = self.do(
            operation=LAYOUT.raw["read"],
            destination=self.scratch,
            bytes=16 * rows,
            aad_bytes=row,
            tag=space_code(space),
        )
        assert (done.status, done.bytes) == ("ok", 16 * rows), done
        return bytes(self.bench.memory[self.scratch : self.scratch + 16 * rows])


def space_code(name: str) -> int:
    """Return the code of a memory of the core."""
    return next(s.code for s in load_isa().spaces if s.name == name)
