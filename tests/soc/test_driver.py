"""The C driver on a device: single jobs, batches, keys, and errors in a bounded time."""

from __future__ import annotations

import random
from types import ModuleType
from typing import Any

import pytest

from lutra.soc import _driver, _driver_swapped
from lutra.soc.devices import Device, Maker
from lutra.soc.maps import Order
from support import toy
from support.driver import LOG2, RING, Driven, drive
from support.soc import BUFFERS, LAYOUT

IV = bytes(range(16))
KEY = bytes(range(0x20, 0x30))
SOURCE, AAD, DESTINATION = BUFFERS, BUFFERS + 0x20000, BUFFERS + 0x40000
INLINE = LAYOUT.descriptor.fields["control.inline_payload"].mask
GATHER = LAYOUT.descriptor.fields["control.gather"].mask
SCATTER = LAYOUT.descriptor.fields["control.scatter"].mask


@pytest.fixture
def driven(maker: Maker) -> Driven:
    return drive(maker)


@pytest.mark.parametrize(("module", "order"), [(_driver, "little"), (_driver_swapped, "big")])
def test_every_kind_of_operation_works_in_both_byte_orders(maker: Maker, module: ModuleType, order: Order) -> None:
    driven = drive(maker, module, order)
    memory = driven.memory
    for ring in driven.rings:
        result, handle = ring.key_set(driven.operations["toy_key"], KEY)
        assert result == 0
        for length in (0, 7, 16, 1500):
            text, data = random.Random(length).randbytes(length), b"associated data"
            memory[SOURCE : SOURCE + length] = text
            memory[AAD : AAD + len(data)] = data
            common: dict[str, Any] = {"bytes": length, "iv": IV}
            tagged = common | {"aad": AAD, "aad_bytes": len(data), "tag": 16}
            sealed = toy.seal(KEY, IV, data, text)
            for name, source, expected, fields in (
                ("toy_crypt", SOURCE, sealed[:length], common),
                ("toy_seal", SOURCE, sealed, tagged),
                ("toy_mac", SOURCE, toy.tag(KEY, IV, data, text), tagged),
            ):
                job = driven.job(name, handle, source=source, destination=DESTINATION, cookie=0x12345678, **fields)
                result, (cookie, _, count, cycles) = ring.crypt(job)
                assert (result, cookie, count) == (0, 0x12345678, len(expected)), name
                assert cycles > 0
                assert memory[DESTINATION : DESTINATION + count] == expected, name
            memory[SOURCE : SOURCE + len(sealed)] = sealed
            result, done = ring.crypt(driven.job("toy_open", handle, source=SOURCE, destination=DESTINATION, **tagged))
            assert (result, done[2], bytes(memory[DESTINATION : DESTINATION + length])) == (0, length, text)
            memory[SOURCE + length] ^= 1
            result, _ = ring.crypt(driven.job("toy_open", handle, source=SOURCE, destination=DESTINATION, **tagged))
            assert result == driven.result("TAG_MISMATCH")
        job = driven.job("toy_crypt", handle, INLINE, destination=DESTINATION, bytes=20, iv=IV, payload=bytes(20))
        assert ring.crypt(job)[0] == 0
        assert memory[DESTINATION : DESTINATION + 20] == toy.crypt(KEY, IV, bytes(20))
        context = module.context(5 if ring is driven.rings[0] else 20)
        job = driven.job("toy_once", context, source=SOURCE, destination=DESTINATION, bytes=16, iv=IV, inline_key=KEY)
        assert ring.crypt(job)[0] == 0
        assert memory[DESTINATION : DESTINATION + 16] == toy.crypt(KEY, IV, bytes(memory[SOURCE : SOURCE + 16]))


def test_lists_are_built_by_the_driver(driven: Driven) -> None:
    ring = driven.rings[0]
    _, handle = ring.key_set(driven.operations["toy_key"], KEY)
    memory = driven.memory
    text = bytes(range(100))
    memory[SOURCE : SOURCE + 50], memory[SOURCE + 77 : SOURCE + 127] = text[:50], text[50:]
    source = driven.module.element(SOURCE, 50, False) + driven.module.element(SOURCE + 77, 50, True)
    destination = driven.module.element(DESTINATION + 9, 99, False) + driven.module.element(DESTINATION + 200, 1, True)
    memory[AAD : AAD + 32], memory[AAD + 32 : AAD + 64] = source, destination
    job = driven.job("toy_crypt", handle, GATHER | SCATTER, source=AAD, destination=AAD + 32, bytes=100, iv=IV)
    assert ring.crypt(job)[0] == 0
    expected = toy.crypt(KEY, IV, text)
    assert memory[DESTINATION + 9 : DESTINATION + 108] == expected[:99]
    assert memory[DESTINATION + 200 : DESTINATION + 201] == expected[99:]


def test_batches_wrap_around_and_keys_may_be_in_them(driven: Driven) -> None:
    ring = driven.rings[0]
    draw = random.Random(2)
    expected: dict[int, bytes] = {}
    free, cookie = ring.free, 0
    for _ in range(12):
        jobs = []
        result, handle, job = ring.key_job(driven.operations["toy_key"], draw.randbytes(16))
        key = job[0x20:0x30]
        assert result == 0
        jobs.append(job)
        for n in range(draw.randrange(1, 11)):
            cookie += 1
            length = draw.randrange(200)
            source, destination = SOURCE + 512 * n, DESTINATION + 512 * n
            text = draw.randbytes(length)
            driven.memory[source : source + length] = text
            expected[cookie] = toy.crypt(key, IV, text)
            jobs.append(
                driven.job(
                    "toy_crypt", handle, source=source, destination=destination, bytes=length, iv=IV, cookie=cookie
                )
            )
        assert ring.submit(jobs) == 0
        assert ring.free == free - len(jobs)
        done = _collect(ring, len(jobs))
        for n, (cookie_, status, count, _) in enumerate(done[1:]):
            assert cookie_ == cookie - len(done) + 2 + n
            assert (status & 15, count) == (0, len(expected[cookie_]))
            destination = DESTINATION + 512 * n
            assert driven.memory[destination : destination + count] == expected[cookie_]
        assert ring.key_drop(driven.operations["toy_key"], handle) == 0


def _collect(ring: Any, count: int) -> list[tuple[int, int, int, int]]:
    found: list[tuple[int, int, int, int]] = []
    while len(found) < count:
        assert ring.wait() == 0
        result, done = ring.poll(5)
        assert result == 0 and done
        found += done
    return found


def test_full_ring_is_refused(driven: Driven) -> None:
    ring = driven.rings[0]
    _, handle = ring.key_set(driven.operations["toy_key"], KEY)
    job = driven.job("toy_crypt", handle, source=SOURCE, destination=DESTINATION, bytes=16, iv=IV)
    assert ring.submit([job] * 17) == driven.result("FULL")
    assert ring.submit([job] * 16) == 0
    assert ring.submit([job]) == driven.result("FULL")
    assert ring.crypt(job)[0] == driven.result("BUSY")
    assert ring.key_set(driven.operations["toy_key"], KEY)[0] == driven.result("BUSY")
    assert len(_collect(ring, 16)) == 16
    assert ring.crypt(job)[0] == 0


def test_handles_are_stale_after_a_drop_and_foreign_in_another_ring(driven: Driven) -> None:
    first, second = driven.rings
    _, handle = first.key_set(driven.operations["toy_key"], KEY)

    def status(ring: Any, handle: int) -> int:
        job = driven.job("toy_crypt", handle, source=SOURCE, destination=DESTINATION, bytes=16, iv=IV)
        return int(ring.crypt(job)[0])

    bad = driven.result("BAD_KEY")
    assert (status(first, handle), status(second, handle)) == (0, bad)
    assert second.key_drop(driven.operations["toy_key"], handle) == bad
    assert first.key_drop(driven.operations["toy_key"], handle) == 0
    assert status(first, handle) == bad
    _, again = first.key_set(driven.operations["toy_key"], bytes(16))
    assert again != handle
    assert (status(first, again), status(first, handle)) == (0, bad)
    _, other = first.key_set(driven.operations["toy_other_key"], KEY)
    assert status(first, other) == bad
    for _ in range(10):
        assert first.key_set(driven.operations["toy_key"], KEY)[0] == 0
    assert first.key_set(driven.operations["toy_key"], KEY)[0] == driven.result("NO_CONTEXT")


def test_no_handle_is_given_out_twice(driven: Driven) -> None:
    ring = driven.module.Ring(driven.host, 1, RING * 2, LOG2, 12, 1)
    assert ring.open() == 0
    operation, handles = driven.operations["toy_key"], []
    for count in (2046, 0):
        for _ in range(count):  # a job that fails has had its handle
            assert ring.key_set(0xEF, KEY)[0] == driven.result("BAD_OPERATION")
        result, handle = ring.key_set(operation, KEY)
        assert (result, ring.key_set(operation, KEY)[0]) == (0, driven.result("NO_CONTEXT"))
        assert ring.key_drop(operation, handle) == 0
        handles.append(handle)
        if count:
            assert ring.key_set(operation, KEY)[0] == driven.result("NO_HANDLE")
            ring.keys_forget()
    last, first = handles
    assert last & ~first == last ^ first == 2046 << 21


def test_key_does_not_stay_in_the_ring(driven: Driven) -> None:
    ring = driven.rings[0]
    secret = random.Random(3).randbytes(32)
    assert ring.key_set(driven.operations["toy_key"], secret)[0] == 0
    assert secret[:8] not in driven.bench.memory


def test_operation_that_hangs_is_ended_by_the_watchdog(driven: Driven) -> None:
    ring = driven.rings[0]
    driven.bench.set("watchdog.limit", 4)
    assert ring.crypt(driven.job("toy_hang", bytes=0))[0] == driven.result("TIMEOUT")
    assert ring.crypt(driven.job("toy_trap", bytes=0))[0] == driven.result("CORE_TRAP")
    assert ring.key_set(driven.operations["toy_key"], KEY)[0] == 0


def test_device_that_cannot_be_stopped_is_reported(maker: Maker) -> None:
    driven = drive(maker, patience=20_000)
    ring = driven.rings[0]
    driven.bench.set("watchdog.limit", 0)
    before = driven.host.now
    assert ring.crypt(driven.job("toy_hang", bytes=0))[0] == driven.result("STUCK")
    assert driven.host.now - before < 3 * 20_000


def test_late_jobs_are_aborted_and_can_be_polled(maker: Maker) -> None:
    driven = drive(maker, patience=20_000)
    ring = driven.rings[0]
    driven.bench.set("watchdog.limit", 100)  # longer than the patience, but not for ever
    assert ring.submit([driven.job("toy_hang", bytes=0, cookie=n) for n in range(4)]) == 0
    assert ring.wait() == driven.result("LATE")
    result, done = ring.poll(8)
    assert (result, [d[0] for d in done]) == (0, [0, 1, 2, 3])
    assert {d[1] & 15 for d in done} <= {driven.result("TIMEOUT"), driven.result("ABORTED")}
    assert ring.key_set(driven.operations["toy_key"], KEY)[0] == 0


class Dead:
    """A device that answers like nothing, or whose registers stand still, from some time on."""

    def __init__(self, device: Device) -> None:
        self.device = device
        self.dead = self.frozen = False

    def read(self, offset: int) -> int:
        return 0xFFFFFFFF if self.dead else self.device.read(offset)

    def write(self, offset: int, value: int) -> None:
        if not (self.dead or self.frozen):
            self.device.write(offset, value)

    def run(self, cycles: int) -> int:
        return cycles if self.dead or self.frozen else self.device.run(cycles)


@pytest.mark.parametrize("how", ("dead", "frozen"))
def test_dead_device_is_an_error_in_bounded_time(maker: Maker, how: str) -> None:
    found: list[Dead] = []

    def wrap(device: Device) -> Dead:
        found.append(Dead(device))
        return found[0]

    driven = drive(maker, wrap=wrap, patience=20_000)
    first, second = driven.rings
    setattr(found[0], how, True)
    errors = {driven.result(name) for name in (("DEAD",) if how == "dead" else ("STUCK", "LATE", "DEAD"))}
    job = driven.job("toy_crypt", source=SOURCE, destination=DESTINATION, bytes=16)
    before = driven.host.now
    assert first.crypt(job)[0] in errors
    assert second.key_set(driven.operations["toy_key"], KEY)[0] in errors
    assert first.abort() in errors
    if how == "dead":
        assert driven.host.open() == driven.result("DEAD")
        assert driven.host.stop() == driven.result("DEAD")
        assert driven.host.reset() == driven.result("DEAD")
        assert first.open() == driven.result("DEAD")
    assert driven.host.now - before < 10 * 20_000


def test_ring_that_stopped_is_an_error(driven: Driven) -> None:
    ring = driven.rings[0]
    driven.bench.device.fail_reads(0x8000, 0x8400)
    job = driven.job("toy_hang", bytes=0)
    assert ring.crypt(job)[0] == driven.result("STOPPED")
    driven.bench.device.heal()
    assert ring.open() == 0
    assert ring.key_set(driven.operations["toy_key"], KEY)[0] == 0
    driven.bench.device.fail_writes(0x8400, 0x8600)
    assert ring.crypt(job)[0] == driven.result("STOPPED")


def test_arguments_out_of_range_are_refused(driven: Driven) -> None:
    bad = driven.result("ARGUMENT")
    assert driven.host.set_window(2, 0, 1) == bad
    assert driven.host.set_window(0, 2, 1) == bad
    assert driven.host.set_operations([(0, 0)] * 17, 0) == bad
    for number, address, log2, first, count in (
        (2, 0x8000, 4, 0, 12),
        (0, 0x8001, 4, 0, 12),
        (0, 0x8000, 0, 0, 12),
        (0, 0x8000, 4, 30, 12),
    ):
        assert driven.module.Ring(driven.host, number, address, log2, first, count).open() == bad
    ring = driven.rings[0]
    assert ring.key_set(0, b"")[0] == bad
    assert ring.key_set(0, bytes(33))[0] == bad


def test_every_result_has_its_text() -> None:
    texts = {_driver.text(value) for value in _driver.RESULTS.values()}
    assert len(texts) == len(_driver.RESULTS)
    assert _driver.text(20) == "no such result"


def test_locked_device_refuses_raw_operations(driven: Driven) -> None:
    core = driven.module.Core(driven.rings[0], 2, 2, 1024, 256)
    core.write(0, 255, bytes(range(16)))
    assert core.read(0, 255) == bytes(range(16))
    driven.host.lock()
    with pytest.raises(RuntimeError, match="raw operation"):
        core.write(0, 255, bytes(16))
    other = driven.module.Core(driven.rings[1], 2, 2, 1024, 256)
    with pytest.raises(RuntimeError, match="raw operation"):
        other.read(0, 255)


def test_taking_stops_at_the_job_that_failed(driven: Driven) -> None:
    ring = driven.rings[0]
    _, handle = ring.key_set(driven.operations["toy_key"], KEY)
    fields: dict[str, Any] = {"source": SOURCE, "destination": DESTINATION, "bytes": 16, "iv": IV}
    for failing in (0, 3, 5):
        jobs = [driven.job("toy_crypt", handle, cookie=n, **fields) for n in range(6)]
        jobs[failing] = driven.job("toy_crypt", handle + (1 << 21), cookie=failing, **fields)
        assert ring.submit(jobs) == 0
        driven.bench.device.run(20_000)
        bad = driven.result("BAD_KEY")
        first = min(failing, 2)
        assert ring.take(first) == (0, first)
        assert ring.take(9) == (bad, failing - first)
        assert ring.take(9) == (bad, 0)
        assert [done[0] for done in ring.poll(1)[1]] == [failing]
        assert ring.take(9) == (0, 5 - failing)
        assert ring.take(9) == (0, 0)
