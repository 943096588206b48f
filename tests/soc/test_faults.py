"""Bus errors, traps, and firmware without end: reported in bounded time, and the device goes on."""

from __future__ import annotations

from typing import Any

import pytest

from lutra.isa import load as load_isa
from lutra.soc.devices import Maker
from support import toy
from support.soc import BUFFERS, LAYOUT, Bench, Ring

from .conftest import KEY, SetKey, loaded, operation

IV = bytes(range(16))
SOURCE, AAD, DESTINATION, LIST = BUFFERS, BUFFERS + 0x4000, BUFFERS + 0x8000, BUFFERS + 0xC000
SEAL: dict[str, Any] = {
    "operation": operation("toy_seal"),
    "source": SOURCE,
    "aad": AAD,
    "aad_bytes": 100,
    "destination": DESTINATION,
    "bytes": 2500,
    "tag": 16,
    "iv": IV,
}


def _works(ring: Ring, handle: dict[str, int]) -> bool:
    done = ring.do(**SEAL | handle)
    sealed = toy.seal(
        KEY, IV, bytes(ring.bench.memory[AAD : AAD + 100]), bytes(ring.bench.memory[SOURCE : SOURCE + 2500])
    )
    return done.status == "ok" and ring.bench.memory[DESTINATION : DESTINATION + 2516] == sealed


READS = {"first byte": SOURCE, "last byte": SOURCE + 2499, "associated data": AAD + 50}
WRITES = {"first byte": DESTINATION, "middle": DESTINATION + 1500, "tag": DESTINATION + 2515}


@pytest.mark.parametrize("what", READS)
def test_read_error_is_reported(toys: Bench, set_key: SetKey, what: str) -> None:
    ring = toys.rings[0]
    handle = set_key(ring)
    toys.device.fail_reads(READS[what], READS[what] + 1)
    ring.write(ring.descriptor(**SEAL | handle), ring.descriptor(operation=0xEF))
    first, second = ring.wait(2)
    assert (first.status, second.status) == ("read_error", "bad_operation")
    assert first.bytes < 2516
    toys.device.heal()
    assert _works(ring, handle)


@pytest.mark.parametrize("what", WRITES)
def test_write_error_is_reported(toys: Bench, set_key: SetKey, what: str) -> None:
    ring = toys.rings[1]
    handle = set_key(ring)
    toys.device.fail_writes(WRITES[what], WRITES[what] + 1)
    ring.write(ring.descriptor(**SEAL | handle), ring.descriptor(operation=0xEF))
    first, second = ring.wait(2)
    assert (first.status, second.status) == ("write_error", "bad_operation")
    toys.device.heal()
    assert _works(ring, handle)


@pytest.mark.parametrize(("side", "status"), [("gather", "read_error"), ("scatter", "write_error")])
def test_bus_error_in_a_list_is_reported(toys: Bench, set_key: SetKey, side: str, status: str) -> None:
    ring = toys.rings[0]
    handle = set_key(ring)
    pieces = toys.list(LIST, [((SOURCE if side == "gather" else DESTINATION) + 32 * n, 32) for n in range(80)])
    place = {"gather": {"source": pieces}, "scatter": {"destination": pieces}}[side]
    toys.device.fail_reads(LIST + 160, LIST + 176)
    assert ring.do(**SEAL | handle | place | {side: 1}).status == status
    toys.device.heal()
    assert ring.do(**SEAL | handle | place | {side: 1}).status == "ok"


@pytest.mark.parametrize("name", ("toy_hang", "toy_silent", "toy_wait"))
def test_firmware_without_end_is_reset_by_the_watchdog(maker: Maker, set_key: SetKey, name: str) -> None:
    bench = loaded(Bench.make(maker))
    ring, other = bench.rings
    bench.set("watchdog.limit", 4)
    stale = set_key(ring)
    assert ring.do(operation=operation(name), bytes=0).status == "timeout"
    # What the firmware kept may have changed: no handle is good any more.
    assert ring.do(**SEAL | stale).status == "bad_key"
    bench.set("watchdog.limit", 0x1000)
    assert _works(other, set_key(other))


def test_trap_fails_what_is_in_flight_and_nothing_else(toys: Bench, set_key: SetKey) -> None:
    ring, other = toys.rings
    set_key(ring)
    ring.write(
        ring.descriptor(operation=operation("toy_trap"), bytes=0), *(ring.descriptor(operation=0xEF) for _ in range(3))
    )
    assert [d.status for d in ring.wait(4)] == ["core_trap"] + ["bad_operation"] * 3
    assert _works(ring, set_key(ring, generation=9))
    assert _works(other, set_key(other, context=12))


def test_rows_of_every_memory_are_written_and_read(bench: Bench) -> None:
    ring = bench.rings[0]
    ring.enable()
    bench.set("control.enable", 1)
    spaces = {"m0": 16, "m1": 16, "m2": 16, "m3": 16, "t0": 16, "t1": 16, "pm": 8}
    for n, (space, width) in enumerate(spaces.items()):
        rows = b"".join(bytes([n, i] * (width // 2)).ljust(16, b"\0") for i in range(20))
        ring.raw_write(space, 100 + n, rows)
    for n, (space, width) in enumerate(spaces.items()):
        rows = b"".join(bytes([n, i] * (width // 2)).ljust(16, b"\0") for i in range(20))
        assert ring.raw_read(space, 100 + n, 20) == rows
    ring.raw_write("m0", 300, bytes(16))  # beyond the memory: ignored
    assert ring.raw_read("m0", 300, 1) == bytes(16)


def test_raw_run_tells_how_the_core_stopped(toys: Bench) -> None:
    ring = toys.rings[0]
    entries = {s.name: s.value for s in toy.image().symbols}
    states = {name: LAYOUT.axi.fields["status.core"].codes[name] for name in ("halted", "waiting", "trapped")}

    def run(name: str, limit: int = 0) -> tuple[str, int, int]:
        done = ring.do(operation=LAYOUT.raw["run"], aad_bytes=entries[name], bytes=limit)
        return done.status, done.core, done.trap

    assert run("toy_silent") == ("ok", states["halted"], 0)
    assert run("toy_wait") == ("ok", states["waiting"], 0)
    status, core, trap = run("toy_trap")
    assert (status, core) == ("core_trap", states["trapped"])
    assert trap != 0
    assert run("toy_hang", 1000)[0] == "timeout"
    done = ring.do(operation=LAYOUT.raw["run"], aad_bytes=entries["stream_reset"])
    assert done.cycles > 5


def test_raw_operations_are_for_ring_0_until_they_are_locked(toys: Bench, set_key: SetKey) -> None:
    ring, other = toys.rings
    raw = {"operation": LAYOUT.raw["read"], "destination": DESTINATION, "bytes": 16}
    assert other.do(**raw).status == "not_permitted"
    assert ring.do(**raw).status == "ok"
    toys.set("control.raw_lock", 1)
    assert ring.do(**raw).status == "not_permitted"
    toys.device.write(LAYOUT.axi.offset("control"), LAYOUT.axi.fields["control.enable"].mask)
    assert toys.get("control.raw_lock") == 1
    assert ring.do(**raw).status == "not_permitted"
    assert _works(ring, set_key(ring))


def test_raw_operations_between_messages_keep_their_order(toys: Bench, set_key: SetKey) -> None:
    ring = toys.rings[0]
    handle = set_key(ring)
    seal = ring.descriptor(**SEAL | handle)
    read = ring.descriptor(operation=LAYOUT.raw["read"], destination=LIST, bytes=32, aad_bytes=8 * 3, tag=0)
    ring.write(seal, read, seal, read, seal)
    assert [d.status for d in ring.wait(5)] == ["ok"] * 5
    assert toys.memory[LIST : LIST + 16] == KEY[:16]
    assert _works(ring, handle)


def test_registers_keep_what_is_written(bench: Bench) -> None:
    for path, offset in LAYOUT.axi.registers.items():
        fields = {p: f for p, f in LAYOUT.axi.fields.items() if f.offset == offset}
        if any(f.access not in ("rw", "r") for f in fields.values()) or "tail" in path:
            continue
        if path == "control" or path.endswith(".control") or path.startswith("operation["):
            continue
        writable = sum(f.mask for f in fields.values() if f.access == "rw")
        fixed = bench.device.read(offset) & ~writable
        for value in (0xFFFFFFFF, 0xA5A5A5A5, 0):
            bench.device.write(offset, value)
            assert bench.device.read(offset) == value & writable | fixed, path


def test_table_of_operations_keeps_what_is_written(bench: Bench) -> None:
    entries = [offset for path, offset in LAYOUT.axi.registers.items() if path.startswith("operation[")]
    fields = sum(f.mask for f in LAYOUT.axi.fields.values() if f.offset == entries[0])
    for n, offset in enumerate(entries):
        bench.device.write(offset, 0x1234567 * n & fields)
    for n, offset in enumerate(entries):
        assert bench.device.read(offset) & fields == 0x1234567 * n & fields


def test_table_of_operations_is_read_right_after_a_doorbell(toys: Bench, set_key: SetKey) -> None:
    """The table is in the memory of the engine, where descriptors arrive at the same time."""
    ring = toys.rings[0]
    handle = set_key(ring)
    entries = [offset for path, offset in LAYOUT.axi.registers.items() if path.startswith("operation[")]
    values = [toys.device.read(offset) for offset in entries]
    assert len(set(values)) > 4
    for turn in range(12):
        ring.write(*(ring.descriptor(**SEAL | handle | {"bytes": 16, "aad_bytes": 0}) for _ in range(8)))
        toys.device.run(turn)
        assert [toys.device.read(offset) for offset in entries] == values
        assert [d.status for d in ring.wait(8)] == ["ok"] * 8


def test_reset_values_are_those_of_the_description(maker: Maker) -> None:
    device = maker(bytearray(1 << 20))
    for path, f in LAYOUT.axi.fields.items():
        if path.startswith(("capabilities", "operation[")) or path.endswith("state.idle"):
            continue
        assert f.of(device.read(f.offset)) == f.reset, path
    read = {p: f.of(device.read(f.offset)) for p, f in LAYOUT.axi.fields.items() if p.startswith("capabilities")}
    assert read == {
        "capabilities.rings": 2,
        "capabilities.contexts": 24,
        "capabilities.bus": 3,
        "capabilities.wipe": int(load_isa().configuration.wipe),
        "capabilities.address_bits": 40,
        "capabilities.chunk_rows": 104,
    }
