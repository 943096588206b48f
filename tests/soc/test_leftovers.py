"""The core after a tenant has left: all is there without a wipe, and nothing with one, whichever way it begins."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import Any

import pytest

from lutra.soc import devices
from lutra.soc.operations import load
from support.driver import drive
from support.soc import BUFFERS, LAYOUT, MEMORY_BYTES, Bench, Completion

# `make soc-rtl CONFIGURATION=protected` names the RTL.
DEVICES = os.environ.get("LUTRA_SOC_DEVICES", "model,model-fast,model-wipe,model-wipe-fast").split(",")
SOURCE, DESTINATION = BUFFERS, BUFFERS + 0x1000
KEY = bytes(range(0x80, 0xA0))
TEXT = bytes(range(0xC0, 0x100)) * 10
NONCE = bytes(range(0xB0, 0xBC)) + b"\0\0\0\1"
CONTEXT = 7
WIPE_CYCLES = 300


@dataclass
class Tenancy:
    """A device with the firmware of AES, and a tenant on ring 1."""

    bench: Bench
    numbers: dict[str, int]

    @property
    def wiped(self) -> bool:
        return bool(self.bench.get("capabilities.wipe"))

    def set_key(self) -> str:
        numbers, tenant = self.numbers, self.bench.rings[1]
        setting = {"operation": numbers["aes256_set_key"], "inline_payload": 1, "context": CONTEXT, "generation": 3}
        return tenant.do(**setting, key=KEY, bytes=len(KEY)).status

    def seal(self) -> Completion:
        return self.bench.rings[1].do(
            operation=self.numbers["aes256_gcm_encrypt"],
            source=self.bench.put(SOURCE, TEXT),
            destination=DESTINATION,
            bytes=len(TEXT),
            tag=16,
            iv=NONCE,
            context=CONTEXT,
            generation=3,
        )

    def works(self) -> bool:
        return (self.set_key(), self.seal().status) == ("ok", "ok")

    def found(self) -> set[str]:
        """Memories in which the owner of ring 0 reads something of the tenant: of its text, its result or its key."""
        sealed = bytes(self.bench.memory[DESTINATION : DESTINATION + len(TEXT)])
        pieces = {whole[at : at + 16] for whole in (KEY, TEXT, sealed) for at in range(0, len(whole), 16)}
        host = self.bench.rings[0]
        spaces = ("m0", "m1", "m2", "m3", "t0", "t1")
        return {space for space in spaces if any(piece in host.raw_read(space, 0, 256) for piece in pieces)}

    def settle(self) -> None:
        """Until the device is not busy, which a wipe ends in time."""
        end = self.bench.device.cycles + WIPE_CYCLES
        while self.bench.get("status.busy"):
            assert self.bench.device.cycles < end, "the device is busy for longer than a wipe takes"
            self.bench.device.run(10)


@pytest.fixture(params=DEVICES)
def tenancy(request: pytest.FixtureRequest) -> Tenancy:
    bench = Bench.make(devices.DEVICES[request.param])
    return _load(bench)


def _load(bench: Bench) -> Tenancy:
    firmware = load("aes")
    table = {
        operation.label: {"class": operation.key_class} | dict.fromkeys(operation.flags, 1)
        for operation in sorted(firmware.operations.values(), key=lambda o: o.number)
    }
    tenancy = Tenancy(bench, bench.load(firmware.image, table))
    for ring in bench.rings:
        ring.enable()
    return tenancy


def _pass(bench: Bench) -> None:
    """Let a wipe end, whose alert may interrupt."""
    end = bench.device.cycles + WIPE_CYCLES
    while bench.device.cycles < end:
        bench.device.run(end - bench.device.cycles)


def test_text_of_a_tenant_is_read_only_where_there_is_no_wipe(tenancy: Tenancy) -> None:
    assert tenancy.works()
    tenancy.bench.rings[1].disable()
    found = tenancy.found()
    assert found == (set() if tenancy.wiped else {"m0", "m2", "m3"})
    # Nor is the key, whose constants are gone; without a wipe it serves whoever opens the ring.
    tenancy.bench.rings[1].enable()
    assert tenancy.seal().status == ("bad_operation" if tenancy.wiped else "ok")


def test_closing_all_rings_wipes_and_firmware_that_has_not_run_stays(tenancy: Tenancy) -> None:
    for ring in tenancy.bench.rings:
        ring.disable()
    tenancy.settle()
    for ring in tenancy.bench.rings:
        ring.enable()
    assert tenancy.works()
    for ring in tenancy.bench.rings:
        ring.disable()
    tenancy.settle()
    assert (tenancy.bench.get("operations.count") == 0) == tenancy.wiped
    tenancy.bench.rings[0].enable()
    assert bool(tenancy.found()) != tenancy.wiped
    tenancy.bench.rings[0].disable()
    assert _load(tenancy.bench).works()


def test_a_closed_ring_has_no_keys_and_the_other_keeps_its_own(tenancy: Tenancy) -> None:
    host, tenant = tenancy.bench.rings
    mine = {"context": 2, "generation": 9}
    key = {"operation": tenancy.numbers["aes256_set_key"], "inline_payload": 1, "key": KEY, "bytes": len(KEY)}
    use = {"operation": tenancy.numbers["aes256_ctr"], "source": SOURCE, "destination": DESTINATION, "bytes": 64}
    assert host.do(**key | mine).status == "ok"
    assert tenancy.works()
    tenant.disable()
    tenancy.settle()
    tenant.enable()
    assert tenancy.seal().status == ("bad_key" if tenancy.wiped else "ok")
    assert host.do(**use | mine).status == "ok"
    assert tenancy.works()


def test_a_command_wipes_between_two_messages(tenancy: Tenancy) -> None:
    assert tenancy.works()
    if not tenancy.wiped:
        tenancy.bench.set("control.wipe", 1)
        tenancy.settle()
        assert tenancy.works() and tenancy.found()
        return
    tenancy.bench.set("control.wipe", 1)
    assert tenancy.bench.get("status.busy")
    # Until its firmware is there again no message meets a core without constants.
    assert tenancy.seal().status == "bad_operation"
    assert not tenancy.found()
    for ring in tenancy.bench.rings:
        ring.disable()
    assert _load(tenancy.bench).works()


def test_what_raw_runs_leave_is_gone_when_their_ring_is_closed(tenancy: Tenancy) -> None:
    host, tenant = tenancy.bench.rings
    entry = load("aes").image.symbol("stream_reset").value
    host.raw_write("m2", 9, TEXT)
    assert host.do(operation=LAYOUT.raw["run"], aad_bytes=entry, bytes=1000).status == "ok"
    assert TEXT in host.raw_read("m2", 9, len(TEXT) // 16)  # still the same owner
    host.disable()
    tenant.disable()
    tenancy.settle()
    host.enable()
    assert (TEXT in host.raw_read("m2", 9, len(TEXT) // 16)) != tenancy.wiped


def test_a_core_that_is_locked_serves_nobody_until_the_device_is_reset(tenancy: Tenancy) -> None:
    bench = tenancy.bench
    states = LAYOUT.axi.fields["status.core"].codes
    assert tenancy.works()
    bench.set("alert.enable", 1)
    bench.set("control.escalate", 1)
    _pass(bench)
    if not tenancy.wiped:
        assert tenancy.works() and not bench.get("status.alert")
        return
    for core_reset in (0, 1):
        bench.set("control.core_reset", core_reset)
        _pass(bench)
        assert (bench.get("status.core"), bench.get("status.alert")) == (states["locked"], 1)
        assert bench.device.interrupts & 1
        assert bench.get("alert.raised")
        bench.set("alert.raised", 1)  # acknowledges it
        assert not bench.device.interrupts & 1 and bench.get("status.alert")
        assert tenancy.seal().status == "core_fault"
        host = bench.rings[0]
        common = {"bytes": 64, "tag": 2, "source": SOURCE, "destination": DESTINATION}
        for raw in ("read", "write", "run"):
            assert host.do(operation=LAYOUT.raw[raw], **common).status == "core_fault"


def test_the_pin_locks_the_core_for_good_and_another_one_has_the_alert(tenancy: Tenancy) -> None:
    bench, device = tenancy.bench, tenancy.bench.device
    assert tenancy.works() and not device.alert
    device.escalate()
    _pass(bench)
    if not tenancy.wiped:
        assert tenancy.works() and not device.alert
        return
    locked = LAYOUT.axi.fields["status.core"].codes["locked"]
    for core_reset in (0, 1):
        bench.set("control.core_reset", core_reset)
        _pass(bench)
        assert (bench.get("status.core"), bench.get("control.escalate"), device.alert) == (locked, 0, True)
        bench.set("alert.raised", 1)
        # The alert of a core that is locked stays.
        assert (device.alert, tenancy.seal().status) == (True, "core_fault")


def test_messages_that_are_in_the_core_fail_when_it_is_locked(tenancy: Tenancy) -> None:
    if not tenancy.wiped:
        pytest.skip("a core without a lock")
    assert tenancy.set_key() == "ok"
    tenant = tenancy.bench.rings[1]
    common: dict[str, Any] = {"operation": tenancy.numbers["aes256_ctr"], "source": SOURCE, "bytes": 4000, "iv": NONCE}
    key = {"context": CONTEXT, "generation": 3}
    tenant.write(
        *(tenant.descriptor(**common | key, destination=MEMORY_BYTES // 2 + 0x1000 * n, cookie=n) for n in range(4))
    )
    tenancy.bench.device.run(1500)
    tenancy.bench.set("control.escalate", 1)
    done = tenant.wait(4)
    statuses = [completion.status for completion in done]
    assert statuses[-1] == "core_fault" and statuses == sorted(statuses, reverse=True)
    assert [completion.cookie for completion in done] == list(range(4))


def test_the_driver_wipes_and_locks_or_says_that_it_cannot(tenancy: Tenancy, request: pytest.FixtureRequest) -> None:
    name = request.node.callspec.params["tenancy"]
    driven = drive(devices.DEVICES[name])
    ring = driven.rings[0]
    key = bytes(16)
    assert ring.key_set(driven.operations["toy_key"], key)[0] == 0
    if not tenancy.wiped:
        assert driven.host.wipe() == driven.host.escalate() == driven.result("NO_WIPE")
        assert ring.key_set(driven.operations["toy_key"], key)[0] == 0
        return
    assert driven.host.wipe() == 0
    assert ring.key_set(driven.operations["toy_key"], key)[0] == driven.result("BAD_OPERATION")
    assert driven.host.escalate() == 0
    assert ring.key_set(driven.operations["toy_key"], key)[0] == driven.result("CORE_FAULT")
