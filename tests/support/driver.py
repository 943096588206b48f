"""The C driver on a device, as a host would set it up."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import ModuleType
from typing import Any

from lutra.asm import Image
from lutra.soc import _driver
from lutra.soc.devices import Device, Maker
from lutra.soc.maps import Order
from support import toy
from support.cache import Cache
from support.soc import LAYOUT, MEMORY_BYTES, Bench, space_code

LOG2 = 4
RING = 0x8000  # of the first ring; the second follows


class Evicting:
    """A device while whose work dirty lines of the host may go to memory."""

    def __init__(self, device: Device, cache: Cache) -> None:
        self.device = device
        self.cache = cache

    def read(self, offset: int) -> int:
        return self.device.read(offset)

    def write(self, offset: int, value: int) -> None:
        self.device.write(offset, value)

    def run(self, cycles: int) -> int:
        done = self.device.run(cycles)
        if self.cache.evicting:
            self.cache.evict()
        return done


@dataclass
class Driven:
    """A device under the driver, with both rings open and firmware in the core."""

    bench: Bench
    memory: bytearray  # the host's view
    module: ModuleType
    host: Any
    rings: list[Any] = field(default_factory=list)
    operations: dict[str, int] = field(default_factory=dict)
    host_cache: Cache | None = None

    def result(self, name: str) -> int:
        """Return the number of a result."""
        return int(self.module.RESULTS[name])

    def job(self, name: str, handle: int = 0, flags: int = 0, **fields: Any) -> bytes:
        """Return a job of an operation."""
        return bytes(self.module.job(self.module.control(self.operations[name], handle) | flags, **fields))

    def load(self, image: Image, operations: Mapping[str, Mapping[str, int]]) -> None:
        """Load firmware by raw operations of ring 0, then fill the table of operations."""
        core = self.module.Core(self.rings[0], 2, 2, 1024, 256)
        core.reset()
        for n, word in enumerate(image.program):
            core.write(space_code("pm"), n, word.to_bytes(16, "little"))
        for space, segments in image.memory.items():
            memory = bytearray(4096)
            for offset, data in segments:
                memory[offset : offset + len(data)] = data
            for row in sorted({at // 16 for offset, data in segments for at in range(offset, offset + len(data))}):
                core.write(space_code(space), row, bytes(memory[16 * row : 16 * row + 16]))
        entries = {s.name: s.value for s in image.symbols if s.is_global}
        table = []
        for name, flags in operations.items():
            fields = {flag: LAYOUT.axi.fields[f"operation[0].{flag}"] for flag in flags}
            table.append((entries[name], sum(flags[flag] << f.low for flag, f in fields.items())))
        assert self.host.set_operations(table, entries["stream_reset"]) == 0
        assert self.host.start() == 0
        self.operations = {name: n for n, name in enumerate(operations)}


def drive(
    maker: Maker,
    module: ModuleType = _driver,
    order: Order = "little",
    wrap: Any = None,
    cached: Callable[[bytearray], Cache] | None = None,
    toys: bool = True,
    **host: Any,
) -> Driven:
    """Set up a device under the driver; wrap: what stands between both. cached: makes the cache of the host."""
    bench = Bench.make(maker, order)
    device: Any = wrap(bench.device) if wrap else bench.device
    view = bench.memory
    if cached:
        cache = cached(bench.memory)
        view = cache.cpu
        device = Evicting(bench.device, cache)
        host |= {"clean": cache.clean, "invalidate": cache.invalidate}
    driven = Driven(bench, view, module, module.Host(device, view, **host))
    driven.host_cache = device.cache if cached else None
    assert driven.host.open() == 0
    for n in range(2):
        assert driven.host.set_window(n, 0, MEMORY_BYTES) == 0
        ring = module.Ring(driven.host, n, RING * (n + 1), LOG2, 12 * n, 12)
        assert ring.open() == 0
        driven.rings.append(ring)
    assert driven.host.start() == 0
    if toys:
        driven.load(toy.image(), toy.OPERATIONS)
    return driven
