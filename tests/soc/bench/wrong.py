"""Descriptors that ask for what they may not: each has its status, nothing is written, and the next message works."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import cocotb

from soc.bench.aes import AES, KEY, ctr, encrypt, gcm, number, opened, seal, set_key, start, text_of, untouched, written
from soc.bench.device import RAM_BYTES, RAW_READ, RAW_RUN, RAW_WRITE, STATUS, Descriptor, Device
from soc.bench.straight import elements

OK = STATUS["ok"]


async def refused(device: Device, cases: list[tuple[str, Descriptor]], ring: int = 0) -> None:
    """Each of them ends with its status and without an effect."""
    before = [around(device, message) for _, message in cases]
    completions = await device.run([message for _, message in cases], ring)
    for n, ((status, message), completion) in enumerate(zip(cases, completions, strict=True)):
        assert completion.status == STATUS[status], f"case {n}: {message}: {completion.status}, not {status}"
        # After an address that the DMA refused it may count the chunk (docs/soc.md, After an error).
        assert status == "bad_address" or completion.bytes == 0
        assert around(device, message) == before[n], f"case {n}: {message}"


def around(device: Device, message: Descriptor) -> bytes:
    """The bytes of memory at the destination and around it."""
    first = max(min(message.destination, RAM_BYTES) - 16, 0)
    return bytes(device.ram.read(first, min(message.length + 32, RAM_BYTES - first)))


async def works(device: Device) -> None:
    message = encrypt(device, text_of(70))
    assert (await device.one(message)).status == OK
    assert written(device, message, 70) == ctr(text_of(70))


@cocotb.test(timeout_time=1000, timeout_unit="us")
async def test_fields_of_a_descriptor(dut: Any) -> None:
    device = await start(dut)
    good = encrypt(device, text_of(32))
    sealing = seal(device, text_of(32), text_of(16))
    opening = opened(device, gcm(text_of(32), b"aad"), b"aad")
    key = set_key(context=9)
    cases = [
        *(("bad_descriptor", replace(good, control_bits=1 << bit)) for bit in range(12, 16)),
        *(("bad_descriptor", replace(good, extra_bits=1 << bit)) for bit in range(21, 32)),
        ("bad_descriptor", replace(good, tail=b"\1" + bytes(7))),
        ("bad_descriptor", replace(good, inline=True, gather=True, length=8)),
        ("bad_descriptor", replace(sealing, inline=True, length=8)),
        ("bad_descriptor", replace(opening, inline=True, length=8, aad=0)),
        ("bad_descriptor", replace(good, operation=number("aes128-ctr-inline"), inline=True)),
        ("bad_descriptor", replace(good, operation=number("aes128-ctr-inline"), aad=16)),
        ("bad_descriptor", replace(key, inline=False)),
        *(
            ("bad_operation", replace(good, operation=code))
            for code in (len(AES.operations), 15, 16, 0x80, 0xEF, 0xF3, 0xFF)
        ),
        ("bad_length", replace(good, inline=True, length=25)),
        ("bad_length", replace(key, length=33)),
        ("bad_length", replace(good, aad=1)),
        ("bad_length", replace(good, tag=16)),
        ("bad_length", replace(sealing, tag=0)),
        ("bad_length", replace(sealing, tag=17)),
        ("bad_length", replace(opening, tag=0)),
        ("bad_key", replace(good, generation=6)),
        ("bad_key", replace(good, context=4)),
        ("bad_key", replace(good, context=24)),
        ("bad_key", replace(good, operation=number("aes256-ctr"))),
        ("bad_key", replace(key, context=31)),
        *(("bad_address", replace(good, source=at)) for at in (RAM_BYTES - 31, 1 << 40, 1 << 63)),
        *(("bad_address", replace(good, destination=at)) for at in (RAM_BYTES - 31, RAM_BYTES, 1 << 40)),
        ("bad_address", replace(sealing, aad_address=RAM_BYTES - 15)),
        ("bad_descriptor", replace(good, operation=RAW_WRITE, inline=True)),
        ("bad_descriptor", replace(good, operation=RAW_READ, tag=8)),
    ]
    for at in range(0, len(cases), 16):
        await refused(device, cases[at : at + 16])
    await works(device)


@cocotb.test(timeout_time=500, timeout_unit="us")
async def test_whole_blocks(dut: Any) -> None:
    device = await start(dut)
    await device.write("control", enable=0)
    word = await device.read(f"operation[{number('aes128-ctr')}]")
    from soc.bench.device import register

    await device.registers.write_dword(register(f"operation[{number('aes128-ctr')}]").absolute_address, word | 1 << 22)
    await device.write("control", enable=1)
    await refused(device, [("bad_length", encrypt(device, text_of(length))) for length in (1, 17, 31)])
    message = encrypt(device, text_of(48))
    assert (await device.one(message)).status == OK


@cocotb.test(timeout_time=500, timeout_unit="us")
async def test_lists_that_are_wrong(dut: Any) -> None:
    device = await start(dut)
    text = device.place(text_of(64))
    short = elements(device, [(text, 16), (text, 15)])
    empty = elements(device, [(text, 16), (text, 0), (text, 16)])
    outside = elements(device, [(text, 16), (RAM_BYTES, 16)])
    good = encrypt(device, text_of(32), gather=True)
    await refused(
        device,
        [
            ("bad_descriptor", replace(good, source=short)),
            ("bad_descriptor", replace(good, source=empty)),
            ("bad_address", replace(good, source=outside)),
            ("bad_address", replace(good, source=short + 8)),
            ("bad_address", replace(good, source=RAM_BYTES)),
        ],
    )
    await works(device)


@cocotb.test(timeout_time=500, timeout_unit="us")
async def test_keys_belong_to_their_ring(dut: Any) -> None:
    device = await start(dut)
    # Set, stale, foreign, taken over, dropped.
    await refused(device, [("bad_key", encrypt(device, text_of(16))), ("bad_key", set_key(generation=8))], ring=1)
    other = bytes(16)
    assert (await device.one(set_key(other, generation=8))).status == OK
    await refused(device, [("bad_key", encrypt(device, text_of(16)))])
    message = encrypt(device, text_of(50), generation=8)
    assert (await device.one(message)).status == OK
    assert written(device, message, 50) == ctr(text_of(50), other)
    # In one go: a message may use what the one before it sets, and loses what it drops.
    set_again, use, drop, gone = (
        set_key(KEY, generation=9),
        encrypt(device, text_of(33), generation=9),
        set_key(b"", generation=9),
        encrypt(device, text_of(16), generation=9),
    )
    completions = await device.run([set_again, use, drop, gone])
    assert [completion.status for completion in completions] == [OK, OK, OK, STATUS["bad_key"]]
    assert written(device, use, 33) == ctr(text_of(33))
    assert untouched(device, gone)
    # Now it is free.
    assert (await device.one(set_key(KEY, generation=1), ring=1)).status == OK
    await refused(device, [("bad_key", set_key(generation=2))])
    message = encrypt(device, text_of(16), generation=1)
    assert (await device.one(message, ring=1)).status == OK
    assert written(device, message, 16) == ctr(text_of(16))


@cocotb.test(timeout_time=500, timeout_unit="us")
async def test_raw_operations_are_of_ring_0_until_locked(dut: Any) -> None:
    device = await start(dut)
    places = [
        Descriptor(code, source=64, destination=device.place(bytes(64)), length=16) for code in (RAW_WRITE, RAW_READ)
    ]
    await refused(device, [("not_permitted", message) for message in (*places, Descriptor(RAW_RUN))], ring=1)
    await device.write("control", enable=1, raw_lock=1)
    await device.write("control", enable=1)
    assert await device.field("control", "raw_lock") == 1
    await refused(device, [("not_permitted", message) for message in (*places, Descriptor(RAW_RUN))])
    await works(device)


@cocotb.test(timeout_time=500, timeout_unit="us")
async def test_a_window_bounds_buffers_and_rings(dut: Any) -> None:
    device = await start(dut)
    message = encrypt(device, text_of(64))
    await device.write("window[0].limit_low", value=message.source + 64)
    inside = replace(message, destination=message.source)
    assert (await device.one(inside)).status == OK
    await device.write("window[0].limit_low", value=message.source + 63)
    await refused(device, [("bad_address", message)])
    await device.write("window[0].base_low", value=65)
    await refused(device, [("bad_address", replace(message, source=64, length=16))])
    await device.write("window[0].base_low", value=64)
    assert (await device.one(replace(message, source=64, length=16))).status == OK
    # A ring outside of its window stops.
    await device.write("window[0].base_low", value=device.rings[0].descriptors + 64 * 32)
    await device.submit(0, [message])
    await device.clocks(100)
    assert await device.field("ring[0].state", "stopped") == 1
    assert await device.field("ring[0].state", "reason") == STATUS["bad_address"]
    assert await device.field("ring[0].state", "idle") == 1


@cocotb.test(timeout_time=500, timeout_unit="us")
async def test_a_doorbell_ahead_of_the_ring_stops_it(dut: Any) -> None:
    device = await start(dut, log2=3)
    page = device.rings[0]
    await device.write("ring[0].tail", tail=page.tail + 9)
    await device.clocks(50)
    assert await device.field("ring[0].state", "stopped") == 1
    assert await device.field("ring[0].state", "reason") == STATUS["bad_descriptor"]
    assert dut.irq_o.value.to_unsigned() & 1
    assert device.poll(0) is None
    # Enabled again, it begins anew.
    await device.write("ring[0].control", enable=0)
    await device.write("ring[0].tail", tail=0)
    device.ram.write(page.completions, bytes(128))
    page.head = page.tail = 0
    await device.write("ring[0].control", enable=1)
    await works(device)
