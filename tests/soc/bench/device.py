"""`lutra_axi` on the bench: clock and reset, its registers by name, a memory behind its bus, and rings in it."""

from __future__ import annotations

import functools
import struct
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

import cocotb
from cocotb.clock import Clock
from cocotb.queue import Queue
from cocotb.triggers import ClockCycles, RisingEdge
from cocotbext.axi import AxiBus, AxiLiteBus, AxiLiteMaster, AxiRam
from systemrdl.node import FieldNode, RegNode

from lutra.asm import Image
from lutra.soc.generate import REGISTERS, elaborate

PERIOD_NS = 2
RAM_BYTES = 1 << 20
SPACES = {"m0": 0, "m1": 1, "m2": 2, "m3": 3, "t0": 4, "t1": 5, "pm": 7}
MAPS = elaborate()


def _field(top: str, path: str) -> FieldNode:
    node = MAPS[top].find_by_path(path)
    assert isinstance(node, FieldNode), path
    return node


def _members(encoded: Any) -> dict[str, int]:
    return {value.name: value.value for value in encoded}


STATUS = _members(_field("lutra_completion", "result.status").get_property("encode"))
RAW_WRITE, RAW_READ, RAW_RUN = (
    int(str(_field("lutra_raw", f"codes.{name}").get_property("reset"))) for name in ("write", "read", "run")
)


@functools.cache
def register(path: str) -> RegNode:
    """A register of the map, such as `ring[0].tail`."""
    node = MAPS[REGISTERS].find_by_path(path)
    assert isinstance(node, RegNode), path
    return node


@functools.cache
def fields(path: str) -> dict[str, FieldNode]:
    return {field.inst_name: field for field in register(path).fields()}


@dataclass(frozen=True)
class Descriptor:
    """The fields of a descriptor; `tail` replaces its last bytes (inline payload, inline key)."""

    operation: int
    source: int = 0
    destination: int = 0
    length: int = 0
    aad_address: int = 0
    aad: int = 0
    tag: int = 0
    iv: bytes = bytes(16)
    context: int = 0
    generation: int = 0
    gather: bool = False
    scatter: bool = False
    inline: bool = False
    interrupt: bool = False
    tail: bytes = b""
    control_bits: int = 0
    extra_bits: int = 0

    def pack(self, cookie: int, big: bool) -> bytes:
        """64 bytes. Words in the order of the device, bytes of IV and payload as they are."""
        order = ">" if big else "<"
        flags = self.gather << 8 | self.scatter << 9 | self.inline << 10 | self.interrupt << 11
        control = self.operation | flags | self.context << 16 | self.generation << 21 | self.control_bits
        head = struct.pack(order + "4I", control, cookie, self.length, self.aad | self.tag << 16 | self.extra_bits)
        low = 0xFFFF_FFFF
        places = (self.destination, self.source, self.aad_address)
        end = struct.pack(order + "6I8x", *(word for place in places for word in (place & low, place >> 32)))
        packed = head + self.iv + end
        return packed[: 64 - len(self.tail)] + self.tail


@dataclass(frozen=True)
class Completion:
    """A completion as it was found in memory."""

    cookie: int
    status: int
    core: int
    trap: int
    notify: int
    bytes: int
    cycles: int


@dataclass
class Ring:
    """The host's side of a ring."""

    number: int
    log2: int
    descriptors: int
    completions: int
    tail: int = 0
    head: int = 0
    cookies: list[int] = field(default_factory=list)


class Delay:
    """A channel on which all arrives so many cycles later."""

    def __init__(self, channel: Any, clock: Any, cycles: int) -> None:
        self.send_now = channel.send
        self.cycles = cycles
        self.now = 0
        self.queue: Queue[tuple[int, Any]] = Queue()
        channel.send = self.send
        self.clock = clock
        cocotb.start_soon(self.count())
        cocotb.start_soon(self.forward())

    async def send(self, item: Any) -> None:
        self.queue.put_nowait((self.now + self.cycles, item))

    async def count(self) -> None:
        while True:
            await RisingEdge(self.clock)
            self.now += 1

    async def forward(self) -> None:
        while True:
            due, item = await self.queue.get()
            while self.now < due:
                await RisingEdge(self.clock)
            await self.send_now(item)


class Device:
    """The device under test. Use `await Device.start(dut)`."""

    registers: Any
    ram: Any

    def __init__(self, dut: Any) -> None:
        self.dut = dut
        self.big = False
        self.next_cookie = 0x1000
        self.next_free = 0x2_0000
        self.rings: list[Ring] = []

    @classmethod
    async def start(cls, dut: Any, latency: int = 0, log2: int = 5, big: bool = False) -> Device:
        """Clock, reset, memory; both rings enabled."""
        device = cls(dut)
        clock: Any = Clock(dut.clk_i, PERIOD_NS, unit="ns").start()
        cocotb.start_soon(clock)
        dut.rst_ni.value = 0
        dut.escalate_i.value = 0
        device.registers = AxiLiteMaster(
            AxiLiteBus.from_prefix(dut, "s_axil"), dut.clk_i, dut.rst_ni, reset_active_level=False
        )
        device.ram = AxiRam(
            AxiBus.from_prefix(dut, "m_axi"), dut.clk_i, dut.rst_ni, reset_active_level=False, size=RAM_BYTES
        )
        for channel in (device.ram.write_if, device.ram.read_if, device.registers.write_if, device.registers.read_if):
            channel.log.setLevel("WARNING")
        if latency:
            Delay(device.ram.read_if.r_channel, dut.clk_i, latency)
            Delay(device.ram.write_if.b_channel, dut.clk_i, latency)
        await ClockCycles(dut.clk_i, 5)
        dut.rst_ni.value = 1
        await ClockCycles(dut.clk_i, 2)
        await device.set_up(log2, big)
        return device

    async def set_up(self, log2: int = 5, big: bool = False) -> None:
        """Rings, windows, byte order; the device is enabled."""
        self.big = big
        self.rings = []
        for number in range(2):
            ring = Ring(number, log2, 0x1000 + 0x8000 * number, 0x5000 + 0x8000 * number)
            self.rings.append(ring)
            self.ram.write(ring.completions, bytes(16 << log2))
            await self.write(f"window[{number}].limit_low", value=RAM_BYTES)
            page = f"ring[{number}]"
            await self.write(f"{page}.descriptors_low", value=ring.descriptors)
            await self.write(f"{page}.completions_low", value=ring.completions)
            await self.write(f"{page}.size", log2=log2)
            await self.write(f"{page}.interrupt_enable", completed=1, stopped=1)
            await self.write(f"{page}.control", enable=1)
        await self.write("control", enable=1, big_endian=int(big))

    # -------------------------------------------------------------- registers

    async def write(self, path: str, **values: int) -> None:
        """Write a register, its other fields zero."""
        word = 0
        for name, value in values.items():
            word |= value << fields(path)[name].low
        await self.registers.write_dword(register(path).absolute_address, word)

    async def read(self, path: str) -> int:
        return int(await self.registers.read_dword(register(path).absolute_address))

    async def field(self, path: str, name: str) -> int:
        found = fields(path)[name]
        return await self.read(path) >> found.low & (1 << found.width) - 1

    async def clocks(self, cycles: int) -> None:
        await ClockCycles(self.dut.clk_i, cycles)

    # ----------------------------------------------------------------- memory

    def place(self, data: bytes, offset: int = 0) -> int:
        """Put data into the memory, from an address that is `offset` modulo 64."""
        address = self.next_free + offset
        self.next_free = (address + len(data) + 63) // 64 * 64 + 64
        assert self.next_free < RAM_BYTES
        self.ram.write(address, data)
        return address

    def space(self, length: int, offset: int = 0) -> int:
        """A place for output, filled with a pattern; bytes before and after it have the pattern too."""
        start = self.place(b"\xa5" * (length + offset + 64), 0)
        return start + offset + (-(start + offset) % 1)

    # ------------------------------------------------------------------ rings

    async def submit(self, ring: int, descriptors: Iterable[Descriptor], ring_doorbell: bool = True) -> list[int]:
        """Write descriptors and the doorbell; return cookies."""
        page = self.rings[ring]
        cookies = []
        for descriptor in descriptors:
            self.next_cookie += 1
            at = page.descriptors + 64 * (page.tail % (1 << page.log2))
            self.ram.write(at, descriptor.pack(self.next_cookie, self.big))
            page.tail += 1
            cookies.append(self.next_cookie)
        page.cookies += cookies
        if ring_doorbell:
            await self.write(f"ring[{ring}].tail", tail=page.tail & 0xFFFF)
        return cookies

    def poll(self, ring: int) -> Completion | None:
        """The next completion if it is there."""
        page = self.rings[ring]
        at = page.completions + 16 * (page.head % (1 << page.log2))
        cookie, result, count, cycles = struct.unpack((">" if self.big else "<") + "4I", self.ram.read(at, 16))
        phase = 1 - (page.head >> page.log2 & 1)
        if result >> 8 & 1 != phase:
            return None
        assert page.cookies, "a completion without a descriptor"
        assert cookie == page.cookies.pop(0), "completions out of order"
        page.head += 1
        return Completion(
            cookie, result & 15, result >> 16 & 7, result >> 20 & 15, result >> 24, bytes=count, cycles=cycles
        )

    async def wait(self, ring: int, count: int = 1, cycles: int = 20_000) -> list[Completion]:
        """So many completions of a ring, or an error after so many cycles without one."""
        found: list[Completion] = []
        left = cycles
        while len(found) < count:
            completion = self.poll(ring)
            if completion is not None:
                found.append(completion)
                left = cycles
                continue
            assert left > 0, f"ring {ring}: {len(found)} of {count} completions"
            await ClockCycles(self.dut.clk_i, 4)
            left -= 4
        return found

    async def run(self, descriptors: Sequence[Descriptor], ring: int = 0) -> list[Completion]:
        """Submit and wait."""
        await self.submit(ring, descriptors)
        return await self.wait(ring, len(descriptors))

    async def one(self, descriptor: Descriptor, ring: int = 0) -> Completion:
        return (await self.run([descriptor], ring))[0]

    # --------------------------------------------------------------- firmware

    def raw_writes(self, image: Image) -> list[Descriptor]:
        """Descriptors that load an image."""
        found = []
        parts = [("pm", 0, b"".join(word.to_bytes(8, "little") + bytes(8) for word in image.program))]
        parts += [(name, at, data) for name, runs in image.memory.items() for at, data in runs]
        for name, at, data in parts:
            row = 0 if name == "pm" else at // 16
            padded = bytes(at % 16) + data if name != "pm" else data
            found.append(
                Descriptor(RAW_WRITE, source=self.place(padded), length=len(padded), aad=row, tag=SPACES[name])
            )
        return found

    async def load(self, image: Image, reset_entry: int, operations: dict[int, int]) -> None:
        """An image through ring 0, and its table of operations."""
        await self.write("control", enable=0, big_endian=int(self.big))
        for number, word in operations.items():
            await self.registers.write_dword(register(f"operation[{number}]").absolute_address, word)
        await self.write("operations", count=max(operations) + 1)
        await self.write("stream_reset", entry=reset_entry)
        await self.write("control", enable=1, big_endian=int(self.big))
        for completion in await self.run(self.raw_writes(image)):
            assert completion.status == STATUS["ok"]
