"""The C driver of a cluster: on the model, and on the RTL where it is built (`make soc-cluster`)."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from importlib import import_module
from types import ModuleType
from typing import Any

import pytest

from lutra.soc import _driver, maps, operations
from lutra.soc.cluster.host import Device
from lutra.soc.cluster.model import Cluster
from lutra.soc.cluster.traffic import ctr, gcm
from lutra.soc.operations import Firmware
from support.soc import space_code

RTL: ModuleType | None
try:
    RTL = import_module("lutra.soc._cluster")
except ModuleNotFoundError:
    RTL = None
CORES = 3
ROW, RAW_LOG2, LOG2 = 16, 4, 5
MAILBOX, LOADING, RING, FLOWS, DATA = 0x1000, 0x4000, 0x10000, 0x20000, 0x40000
MEMORY_BYTES = 1 << 20
AES, ZUC = operations.load("aes-packets"), operations.load("zuc")
AES_GROUP, ZUC_GROUP = 0, 9
RESULTS = _driver.RESULTS
REGISTERS = maps.cluster()


class Driven:
    """A cluster under the driver, its cores with firmware."""

    def __init__(self, device: Device, memory: bytearray, **host: Any) -> None:
        self.memory = memory
        self.host = _driver.Host(device, memory, turn=100, **host)
        self.cluster = _driver.Cluster(self.host, RING, LOG2, FLOWS, MAILBOX)
        assert self.cluster.open() == 0
        self.ring = self.cluster.ring
        self.cores = [_driver.ClusterCore(self.cluster, n) for n in range(CORES)]
        self.texts: dict[int, bytes] = {}
        self.next = DATA

    def load(self, core: Any, firmware: Firmware, group: int) -> None:
        """Firmware into a core that takes no packets, which does so afterwards."""
        assert core.open() == 0
        for ring in range(2):
            assert core.set_window(ring, 0, MEMORY_BYTES) == 0
        ring = core.ring(LOADING, RAW_LOG2)
        assert ring.open() == 0
        assert core.start() == 0
        program = b"".join(word.to_bytes(8, "little") + bytes(8) for word in firmware.image.program)
        parts = [
            ("pm", 0, program),
            *((name, at, data) for name, runs in firmware.image.memory.items() for at, data in runs),
        ]
        for space, at, data in parts:
            padded = (bytes(at % ROW) + data).ljust(-(-len(data) // ROW) * ROW, b"\0")
            self.memory[DATA : DATA + len(padded)] = padded
            values = {
                "control.operation": maps.load().raw["write"],
                "length.bytes": len(padded),
                "extra.aad": at // ROW if space != "pm" else 0,
                "extra.tag": space_code(space),
                "source_low.value": DATA,
            }
            assert ring.crypt(maps.load().descriptor.pack(values))[0] == 0
        assert ring.close() == 0
        field = maps.load().axi.fields["operation[0].entry"]
        table = [(field.of(word), word & ~field.mask) for _, word in sorted(firmware.registers().items())]
        assert core.set_operations(table, firmware.stream_reset) == 0
        assert core.start() == 0
        assert core.join(group) == 0

    def key(self, flow: int, key: bytes, firmware: Firmware = AES, operation: str = "aes128-set-key") -> int:
        result, handle = self.cluster.flow_set(flow, firmware.operations[operation].number, key)
        assert result == 0
        return int(handle)

    def packet(
        self, operation: str, handle: int, text: bytes, cookie: int, firmware: Firmware = AES, **fields: Any
    ) -> bytes:
        """A job whose text is in memory, and its result 16 bytes after it."""
        source, self.next = self.next, self.next + 2 * (len(text) + 4 * ROW)
        self.memory[source : source + len(text)] = text
        destination = source + len(text) + ROW
        self.texts[cookie] = destination.to_bytes(4)
        group = AES_GROUP if firmware is AES else ZUC_GROUP
        control = _driver.packet(firmware.operations[operation].number, group, handle)
        return bytes(
            _driver.job(control, source=source, destination=destination, bytes=len(text), cookie=cookie, **fields)
        )

    def result(self, cookie: int, count: int) -> bytes:
        at = int.from_bytes(self.texts[cookie])
        return bytes(self.memory[at : at + count])

    def run(self, jobs: Sequence[bytes], before: int = 0) -> list[tuple[int, int]]:
        """Cookies and statuses of packets, and of those in flight before, in the order in which they complete."""
        waiting = list(jobs)
        found: list[tuple[int, int]] = []
        while len(found) < before + len(jobs):
            batch, waiting = waiting[: self.ring.free], waiting[self.ring.free :]
            assert self.ring.submit(batch) == 0
            assert self.ring.wait() == 0
            result, done = self.ring.poll(1 << LOG2)
            assert result == 0
            found += [(cookie, word & 15) for cookie, word, *_ in done]
        return found


Make = Callable[..., Driven]


@pytest.fixture(params=["model", "rtl"])
def made(request: pytest.FixtureRequest) -> Make:
    if request.param == "rtl" and RTL is None:
        pytest.skip("lutra_cluster is not compiled: make soc-cluster")

    def make(**host: Any) -> Driven:
        memory = bytearray(MEMORY_BYTES)
        device: Device = RTL.Cluster(memory, 10) if request.param == "rtl" and RTL else Cluster(memory, CORES, 10)
        driven = Driven(device, memory, **host)
        for core in driven.cores:
            driven.load(core, AES, AES_GROUP)
        return driven

    return make


def test_packets_of_many_flows_are_right_and_in_order(made: Make) -> None:
    driven, draw = made(), random.Random(1)
    keys = [draw.randbytes(16) for _ in range(40)]
    handles = [driven.key(10 * n, key) for n, key in enumerate(keys)]
    jobs, wanted = [], {}
    for cookie in range(100):
        flow, text, iv = draw.randrange(len(keys)), draw.randbytes(draw.randrange(1, 300)), draw.randbytes(12)
        if cookie % 2:
            iv += (1).to_bytes(4)
            jobs.append(driven.packet("aes128-gcm-encrypt", handles[flow], text, cookie, iv=iv, tag=ROW))
            wanted[cookie] = gcm(keys[flow], iv, b"", text)
        else:
            iv += bytes(4)
            jobs.append(driven.packet("aes128-ctr", handles[flow], text, cookie, iv=iv))
            wanted[cookie] = ctr(keys[flow], iv, b"", text)
    assert driven.run(jobs) == [(cookie, 0) for cookie in wanted]
    assert all(driven.result(cookie, len(text)) == text for cookie, text in wanted.items())


def test_a_flow_has_the_same_key_from_its_saved_form(made: Make) -> None:
    driven = made()
    key, text, iv, saved = bytes(range(16)), bytes(40), bytes(16), DATA - 0x1000
    handle = driven.key(7, key)
    place: dict[str, Any] = {"source": saved, "destination": saved, "bytes": _driver.SAVED_KEY_BYTES}
    save = _driver.packet(AES.operations["aes128-save-key"].number, AES_GROUP, handle)
    assert driven.run([bytes(_driver.job(save, cookie=1, **place))]) == [(1, 0)]
    restore = AES.operations["aes128-restore-key"].number
    assert driven.cluster.flow_saved(handle, restore, saved) == 0
    assert not any(key == driven.memory[at : at + 16] for at in range(FLOWS + 64 * 7, FLOWS + 64 * 8))
    jobs = [driven.packet("aes128-ctr", handle, text, n, iv=iv) for n in range(2, 14)]
    assert driven.run(jobs) == [(n, 0) for n in range(2, 14)]
    assert all(driven.result(n, len(text)) == ctr(key, iv, b"", text) for n in range(2, 14))
    old, new = handle, driven.key(7, key)
    for refused in (0, old, 7):
        assert driven.cluster.flow_saved(refused, restore, saved) == RESULTS["ARGUMENT"]
    assert driven.cluster.flow_saved(new, 16, saved) == RESULTS["ARGUMENT"]


def test_handles_of_a_former_key_are_stale_and_run_out(made: Make) -> None:
    driven = made()
    text, iv = bytes(range(40)), bytes(16)
    old = driven.key(5, bytes(16))
    new = driven.key(5, bytes([1] * 16))
    jobs = [driven.packet("aes128-ctr", handle, text, n, iv=iv) for n, handle in enumerate((old, new))]
    assert driven.run(jobs) == [(0, RESULTS["BAD_KEY"]), (1, 0)]
    assert driven.result(1, len(text)) == ctr(bytes([1] * 16), iv, b"", text)
    seen = {old, new} | {driven.key(5, bytes([n] * 16)) for n in range(2, _driver.FLOW_GENERATIONS)}
    assert len(seen) == _driver.FLOW_GENERATIONS
    set_key = AES.operations["aes128-set-key"].number
    assert driven.cluster.flow_set(5, set_key, bytes(16))[0] == RESULTS["NO_HANDLE"]
    assert not any(driven.memory[FLOWS + 64 * 5 : FLOWS + 64 * 6])


def test_numbers_of_handles_come_again_only_where_no_core_has_a_key(made: Make) -> None:
    driven = made()
    text, iv = bytes(40), bytes(16)
    handle = driven.key(5, bytes(16))
    assert driven.run([driven.packet("aes128-ctr", handle, text, 1, iv=iv)]) == [(1, 0)]
    assert driven.cluster.flows_forget() == RESULTS["BUSY"]
    assert all(core.leave() == 0 for core in driven.cores)
    assert driven.cluster.flows_forget() == 0
    assert not any(driven.memory[FLOWS : FLOWS + (64 << 10)])
    assert all(core.join(AES_GROUP) == 0 for core in driven.cores)
    key = bytes([7] * 16)
    assert driven.key(5, key) == handle
    assert driven.run([driven.packet("aes128-ctr", handle, text, 2, iv=iv)]) == [(2, 0)]
    assert driven.result(2, len(text)) == ctr(key, iv, b"", text)


def test_a_flow_that_is_dropped_leaves_no_key_in_memory(made: Make) -> None:
    driven = made()
    key = bytes(range(0x40, 0x50))
    handle = driven.key(9, key)
    assert key in driven.memory
    assert driven.cluster.flow_drop(9) == 0
    assert key not in driven.memory
    assert driven.run([driven.packet("aes128-ctr", handle, bytes(16), 1)]) == [(1, RESULTS["BAD_KEY"])]


def test_an_order_within_flows_is_that_of_their_packets(made: Make) -> None:
    """A large packet, then small ones of other flows, and one of its own."""
    driven = made()
    handles = [driven.key(flow, bytes(16)) for flow in range(3)]
    flows = [0, 0, *(1 + n % 2 for n in range(20))]

    def jobs() -> list[bytes]:
        driven.next = DATA
        texts = [bytes(4000), *(bytes(32) for _ in flows[1:])]
        return [
            driven.packet("aes128-ctr", handles[flow], text, cookie, iv=bytes(16))
            for cookie, (flow, text) in enumerate(zip(flows, texts, strict=True))
        ]

    in_ring = [(cookie, 0) for cookie in range(len(flows))]
    assert driven.run(jobs()) == in_ring
    assert driven.cluster.order_by_flow(True) == 0
    assert driven.ring.submit(jobs()[:1]) == 0
    assert driven.cluster.order_by_flow(False) == RESULTS["BUSY"]
    assert driven.run([], before=1) == [(0, 0)]
    found = driven.run(jobs())
    assert sorted(found) == in_ring
    assert found[0] != (0, 0)
    for flow in range(3):
        assert [cookie for cookie, _ in found if flows[cookie] == flow] == [c for c in range(22) if flows[c] == flow]
    assert driven.cluster.order_by_flow(False) == 0
    assert driven.run(jobs()) == in_ring


def test_a_host_that_manages_its_cache_keeps_the_order_of_the_ring(made: Make) -> None:
    driven = made(invalidate=lambda address, count: None)
    assert driven.cluster.order_by_flow(True) == RESULTS["ARGUMENT"]


def test_a_core_gets_other_firmware_while_the_others_work(made: Make) -> None:
    driven, draw = made(), random.Random(2)
    handle = driven.key(1, bytes(16))
    jobs = [driven.packet("aes128-ctr", handle, draw.randbytes(200), n, iv=bytes(16)) for n in range(20)]
    assert driven.ring.submit(jobs) == 0
    assert driven.cores[1].leave() == 0
    driven.load(driven.cores[1], ZUC, ZUC_GROUP)
    zuc = driven.key(2, bytes(16), ZUC, "zuc-set-key")
    packet = driven.packet("zuc-eea3", zuc, bytes(16), 20, ZUC)
    assert driven.run([packet], before=20) == [(n, 0) for n in range(21)]
    lost = driven.packet("aes128-ctr", handle, bytes(16), 21, iv=bytes(16))
    assert all(driven.cores[n].leave() == 0 for n in (0, 2))
    assert driven.run([lost]) == [(21, RESULTS["BAD_OPERATION"])]


def test_a_cluster_refuses_arguments_out_of_range(made: Make) -> None:
    driven = made()
    set_key = AES.operations["aes128-set-key"].number
    refused = RESULTS["ARGUMENT"]
    assert driven.cluster.flow_set(1024, set_key, bytes(16))[0] == refused
    assert driven.cluster.flow_set(0, 16, bytes(16))[0] == refused
    assert driven.cluster.flow_set(0, set_key, b"")[0] == refused
    assert driven.cluster.flow_set(0, set_key, bytes(33))[0] == refused
    assert driven.cluster.flow_drop(1024) == refused
    assert driven.cores[0].join(16) == refused
    with pytest.raises(ValueError, match="no such core"):
        _driver.ClusterCore(driven.cluster, 8)
    for places in ((RING + 32, LOG2, FLOWS, MAILBOX), (RING, 0, FLOWS, MAILBOX), (RING, LOG2, FLOWS + 16, MAILBOX)):
        assert _driver.Cluster(driven.host, *places).open() == refused
    assert _driver.Cluster(driven.host, RING, LOG2, FLOWS, MAILBOX + 64).open() == refused


class Absent:
    """No device: a bus that answers with ones, or with another device."""

    def __init__(self, word: int) -> None:
        self.word = word

    def read(self, offset: int) -> int:
        return self.word

    def write(self, offset: int, value: int) -> None:
        raise AssertionError(f"a write to {offset:#x}")

    def run(self, cycles: int) -> int:
        return cycles


@pytest.mark.parametrize("word", [0xFFFFFFFF, 0, int.from_bytes(b"LU\1\0")])
def test_another_device_is_left_alone(word: int) -> None:
    host = _driver.Host(Absent(word), bytearray(MEMORY_BYTES))
    assert _driver.Cluster(host, RING, LOG2, FLOWS, MAILBOX).open() == RESULTS["DEAD"]


def test_packets_that_are_late_stay_in_flight(made: Make) -> None:
    driven = made(patience=5000)
    handle = driven.key(1, bytes(16))
    assert driven.ring.submit([driven.packet("aes128-ctr", handle, bytes(40_000), 7, iv=bytes(16))]) == 0
    assert driven.ring.wait() == RESULTS["LATE"]
    assert driven.ring.free == (1 << LOG2) - 1
    while driven.ring.wait() == RESULTS["LATE"]:
        pass
    ((cookie, word, count, _),) = driven.ring.poll(1)[1]
    assert (cookie, word & 15, count) == (7, 0, 40_000)


def test_interrupts_are_enabled_and_cleared(made: Make) -> None:
    driven = made()
    driven.cluster.set_interrupts(True)
    handle = driven.key(1, bytes(16))
    assert driven.run([driven.packet("aes128-ctr", handle, bytes(16), 0, iv=bytes(16))]) == [(0, 0)]
    driven.cluster.acknowledge()
    driven.cluster.set_interrupts(False)
    assert driven.cluster.close() == 0
