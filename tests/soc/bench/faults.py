"""Faults around the device: bus errors, firmware that traps or does not end, aborts, resets, slow buses.

Each descriptor completes once, in bounded time, and the device works afterwards.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import cocotb

from lutra.asm import assemble
from soc.bench.aes import AES, KEY, ctr, encrypt, gcm, number, opened, seal, set_key, start, text_of, untouched, written
from soc.bench.device import RAW_RUN, STATUS, Descriptor, Device
from soc.bench.wrong import works

OK = STATUS["ok"]
MISBEHAVE = Path(__file__).with_name("misbehave.s")


class BadBus:
    """Accesses to some ranges meet an error."""

    def __init__(self, device: Device) -> None:
        self.reads: list[range] = []
        self.writes: list[range] = []
        for side, ranges, name in (
            (device.ram.read_if, self.reads, "_read"),
            (device.ram.write_if, self.writes, "_write"),
        ):
            setattr(side, name, self.checked(getattr(side, name), ranges))

    @staticmethod
    def checked(access: Any, ranges: list[range]) -> Any:
        async def check(address: int, what: Any) -> Any:
            end = address + (what if isinstance(what, int) else len(what))
            if any(address < bad.stop and bad.start < end for bad in ranges):
                raise OSError(f"bad address {address:#x}")
            return await access(address, what)

        return check


@cocotb.test(timeout_time=1000, timeout_unit="us")
async def test_errors_of_reads_and_writes(dut: Any) -> None:
    device = await start(dut)
    bus = BadBus(device)
    messages = [encrypt(device, text_of(length)) for length in (64, 3000, 64, 3000, 64)]
    bus.reads += [range(messages[0].source + 32, messages[0].source + 40)]
    bus.reads += [range(messages[1].source + 1600, messages[1].source + 1608)]
    bus.writes += [range(messages[2].destination, messages[2].destination + 64)]
    bus.writes += [range(messages[3].destination + 2048, messages[3].destination + 2064)]
    completions = await device.run(messages)
    expected = ["read_error", "read_error", "write_error", "write_error", "ok"]
    assert [completion.status for completion in completions] == [STATUS[name] for name in expected]
    assert untouched(device, messages[0])
    assert written(device, messages[4], 64) == ctr(text_of(64))
    await works(device)


@cocotb.test(timeout_time=500, timeout_unit="us")
async def test_an_error_of_a_descriptor_stops_its_ring_only(dut: Any) -> None:
    device = await start(dut)
    assert (await device.one(set_key(context=5), ring=1)).status == OK
    bus = BadBus(device)
    page = device.rings[0]
    at = page.descriptors + 64 * (page.tail + 2)
    bus.reads.append(range(at + 8, at + 16))
    await device.submit(0, [encrypt(device, text_of(16)) for _ in range(5)])
    # What was before it completes; it and what follows does not.
    assert [completion.status for completion in await device.wait(0, 2)] == [OK, OK]
    await device.clocks(500)
    assert device.poll(0) is None
    assert await device.field("ring[0].state", "stopped") == 1
    assert await device.field("ring[0].state", "reason") == STATUS["read_error"]
    assert await device.field("ring[0].state", "idle") == 1
    message = encrypt(device, text_of(16), context=5)
    assert (await device.one(message, ring=1)).status == OK


@cocotb.test(timeout_time=500, timeout_unit="us")
async def test_an_error_of_a_completion_stops_its_ring(dut: Any) -> None:
    device = await start(dut)
    bus = BadBus(device)
    page = device.rings[0]
    head = page.head
    bus.writes.append(range(page.completions + 16 * (head + 1), page.completions + 16 * (head + 1) + 16))
    await device.submit(0, [encrypt(device, text_of(16)) for _ in range(4)])
    await device.clocks(2000)
    assert await device.field("ring[0].state", "stopped") == 1
    assert await device.field("ring[0].state", "reason") == STATUS["write_error"]
    assert await device.field("ring[0].state", "idle") == 1
    assert await device.field("ring[0].head", "head") == head + 1


@cocotb.test(timeout_time=500, timeout_unit="us")
async def test_a_wrong_tag_releases_nothing(dut: Any) -> None:
    device = await start(dut)
    sealed = bytearray(gcm(text_of(100), b"aad"))
    sealed[-1] ^= 1
    messages = [
        opened(device, bytes(sealed), b"aad"),
        opened(device, gcm(text_of(100), b"aad"), b"aae"),
        opened(device, gcm(text_of(100), b"aad"), b"aad"),
    ]
    completions = await device.run(messages)
    wrong = STATUS["tag_mismatch"]
    assert [(c.status, c.bytes) for c in completions] == [(wrong, 0), (wrong, 0), (OK, 100)]
    assert all(untouched(device, message) for message in messages[:2])
    assert written(device, messages[2], 100) == text_of(100)


async def misbehaving(dut: Any) -> tuple[Device, dict[str, int]]:
    """The device with firmware that does, and numbers of its operations."""
    image = assemble([MISBEHAVE])
    device = await Device.start(dut)
    names = ["traps", "endless", "silent", "mismatch", "endless_after"]
    operations = {n: image.symbol(name).value for n, name in enumerate(names)}
    await device.write("watchdog", limit=4)
    await device.load(image, image.symbol("stream_reset").value, operations)
    return device, {name: n for n, name in enumerate(names)}


def job(device: Device, operation: int, length: int = 40) -> Descriptor:
    return encrypt(device, text_of(length), operation=operation, context=0, generation=0)


@cocotb.test(timeout_time=1000, timeout_unit="us")
async def test_firmware_that_traps_or_does_not_end(dut: Any) -> None:
    device, numbers = await misbehaving(dut)
    trap, timeout, wrong = (STATUS[name] for name in ("core_trap", "timeout", "tag_mismatch"))
    cases = [("traps", trap), ("mismatch", wrong), ("endless", timeout), ("silent", timeout), ("traps", trap)]
    # The core that does not stop after its job is found when the next one waits for it.
    for name, status in [*cases, ("endless_after", OK), ("mismatch", timeout), ("mismatch", wrong)]:
        message = job(device, numbers[name])
        completion = await device.one(message)
        assert completion.status == status, (name, completion)
        if status != OK:
            assert untouched(device, message)
    # All in flight fail with it, also the chunks of one message.
    messages = [job(device, numbers["traps"]), job(device, numbers["mismatch"], 3000), job(device, numbers["traps"])]
    assert [completion.status for completion in await device.run(messages)] == [trap] * 3
    # A raw run reports the core.
    run = await device.one(Descriptor(RAW_RUN, aad=(await device.read("operation[0]")) & 0xFFFF))
    assert (run.status, run.core, run.trap) == (trap, 4, 8)
    run = await device.one(Descriptor(RAW_RUN, length=100, aad=(await device.read("operation[1]")) & 0xFFFF))
    assert run.status == timeout
    run = await device.one(Descriptor(RAW_RUN, aad=(await device.read("operation[3]")) & 0xFFFF))
    assert (run.status, run.core, run.notify) == (OK, 3, 2)


@cocotb.test(timeout_time=1000, timeout_unit="us")
async def test_a_trap_takes_all_keys(dut: Any) -> None:
    device = await start(dut)
    halt = next(n for n, word in enumerate(AES.image.program) if word == 0) if 0 in AES.image.program else 0
    completion = await device.one(Descriptor(RAW_RUN, aad=halt or len(AES.image.program)))
    assert completion.status == STATUS["core_trap"]
    assert (await device.one(encrypt(device, text_of(16)))).status == STATUS["bad_key"]
    assert (await device.one(set_key())).status == OK
    await works(device)


@cocotb.test(timeout_time=2000, timeout_unit="us")
async def test_an_abort_at_any_time(dut: Any) -> None:
    device = await start(dut)
    draw = random.Random(3)
    for _ in range(8):
        messages = [encrypt(device, text_of(draw.choice([16, 64, 1500]))) for _ in range(10)]
        await device.submit(0, messages)
        await device.clocks(draw.randrange(800))
        await device.write("ring[0].control", enable=1, abort=1)
        while not await device.field("ring[0].state", "idle"):
            pass
        # Quiet now: whatever is in memory stays.
        completions = await device.wait(0, 10, cycles=8)
        before = [device.ram.read(message.destination, message.length) for message in messages]
        done = [completion.status == OK for completion in completions]
        assert done == sorted(done, reverse=True)
        for message, completion in zip(messages, completions, strict=True):
            if completion.status == OK:
                assert written(device, message, message.length) == ctr(text_of(message.length))
            else:
                assert completion.status == STATUS["aborted"]
                assert untouched(device, message)
        await device.clocks(300)
        assert before == [device.ram.read(message.destination, message.length) for message in messages]
        await device.write("ring[0].control", enable=1)
    await works(device)


@cocotb.test(timeout_time=2000, timeout_unit="us")
async def test_a_reset_in_the_middle(dut: Any) -> None:
    device = await start(dut)
    draw = random.Random(4)
    for _ in range(4):
        await device.submit(0, [encrypt(device, text_of(400)) for _ in range(6)])
        await device.clocks(draw.randrange(600))
        dut.rst_ni.value = 0
        await device.clocks(3)
        dut.rst_ni.value = 1
        await device.clocks(2)
        device.next_free = 0x2_0000
        await device.set_up()
        await device.load(AES.image, AES.stream_reset, AES.registers())
        assert (await device.one(encrypt(device, text_of(16)))).status == STATUS["bad_key"]
        assert (await device.one(set_key())).status == OK
        await works(device)


def pauses(seed: int, share: float) -> Iterator[bool]:
    draw = random.Random(seed)
    return (draw.random() < share for _ in itertools.count())


@cocotb.test(timeout_time=3000, timeout_unit="us")
async def test_slow_channels(dut: Any) -> None:
    device = await start(dut)
    ram = device.ram
    channels = [ram.read_if.ar_channel, ram.read_if.r_channel, ram.write_if.aw_channel, ram.write_if.w_channel]
    channels.append(ram.write_if.b_channel)
    for slow in (*([channel] for channel in channels), channels):
        for n, channel in enumerate(channels):
            # A pause stays as its generator leaves it.
            channel.clear_pause_generator()
            channel.pause = False
            if channel in slow:
                channel.set_pause_generator(pauses(n, 0.7))
        messages = [encrypt(device, text_of(100), at=3), seal(device, text_of(1100), text_of(20), to=5)]
        messages.append(opened(device, gcm(text_of(50), b"x"), b"x"))
        dut._log.info(f"slow: {[channels.index(channel) for channel in slow]}")
        completions = await device.run(messages)
        assert [completion.status for completion in completions] == [OK] * 3
        assert written(device, messages[0], 100) == ctr(text_of(100))
        assert written(device, messages[1], 1116) == gcm(text_of(1100), text_of(20))
        assert written(device, messages[2], 50) == text_of(50)
    assert number("aes128-ctr") and KEY
