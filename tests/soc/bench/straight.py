"""Messages that succeed: lengths, alignments, chunks, lists, rings, inline payloads, raw operations."""

from __future__ import annotations

import random
import struct
from typing import Any

import cocotb

from soc.bench.aes import GUARD, IV, KEY, ctr, encrypt, gcm, number, opened, seal, set_key, start, text_of, written
from soc.bench.device import RAW_READ, RAW_RUN, RAW_WRITE, SPACES, STATUS, Descriptor, Device, fields, register

OK = STATUS["ok"]


@cocotb.test(timeout_time=200, timeout_unit="us")
async def test_registers_have_their_reset_values(dut: Any) -> None:
    device = await Device.start(dut)
    dut.rst_ni.value = 0
    await device.clocks(3)
    dut.rst_ni.value = 1
    await device.clocks(2)
    assert await device.read("id") == 0x4C55_0100
    assert await device.field("capabilities", "rings") == 2
    assert await device.field("capabilities", "contexts") == 24
    assert await device.field("capabilities", "bus") == (len(dut.m_axi_wdata) // 8 - 1).bit_length()
    assert await device.field("capabilities", "address_bits") == len(dut.m_axi_awaddr)
    assert await device.field("capabilities", "chunk_rows") == 104
    assert await device.field("ring[0].state", "idle") == 1
    for path in ("control", "status", "watchdog", "operations", "stream_reset", "window[1].limit_low"):
        resets = {f.low: int(str(f.get_property("reset") or 0)) for f in fields(path).values()}
        assert await device.read(path) == sum(value << low for low, value in resets.items())
    for ring in range(2):
        for name in ("descriptors_low", "completions_high", "size", "tail", "head", "control", "interrupt_enable"):
            assert await device.read(f"ring[{ring}].{name}") == 0
        assert await device.field(f"ring[{ring}].moderation", "count") == 1
    # The table of operations is a memory: what is written there is read again.
    for n in range(16):
        await device.registers.write_dword(register(f"operation[{n}]").absolute_address, 0x0102_0304 * (n + 1))
    for n in range(16):
        assert await device.read(f"operation[{n}]") == 0x0102_0304 * (n + 1) & 0xFFFF_FFFF


@cocotb.test(timeout_time=200, timeout_unit="us")
async def test_one_message(dut: Any) -> None:
    device = await start(dut)
    text = text_of(64)
    message = encrypt(device, text)
    completion = await device.one(message)
    assert (completion.status, completion.bytes) == (OK, 64)
    assert 30 < completion.cycles < 200
    assert written(device, message, 64) == ctr(text)
    assert await device.field("status", "busy") == 0
    assert await device.field("ring[0].head", "head") == await device.field("ring[0].tail", "tail")


@cocotb.test(timeout_time=1000, timeout_unit="us")
async def test_messages_of_all_lengths_and_alignments(dut: Any) -> None:
    device = await start(dut)
    draw = random.Random(1)
    for _ in range(4):
        texts = [text_of(draw.choice([0, 1, 15, 16, 17, 31, 63, 100, 200])) for _ in range(12)]
        messages = [encrypt(device, text, draw.randrange(16), draw.randrange(16)) for text in texts]
        for text, message, completion in zip(texts, messages, await device.run(messages), strict=True):
            assert (completion.status, completion.bytes) == (OK, len(text))
            assert written(device, message, len(text)) == ctr(text)


@cocotb.test(timeout_time=1000, timeout_unit="us")
async def test_messages_of_several_chunks(dut: Any) -> None:
    device = await start(dut)
    lengths = [1664, 5000, 1665, 3327, 64, 4096]
    messages = [encrypt(device, text_of(length), at=length % 7, to=3) for length in lengths]
    for length, message, completion in zip(lengths, messages, await device.run(messages), strict=True):
        assert (completion.status, completion.bytes) == (OK, length)
        assert written(device, message, length) == ctr(text_of(length))


@cocotb.test(timeout_time=2000, timeout_unit="us")
async def test_tags_are_made_and_checked(dut: Any) -> None:
    device = await start(dut)
    cases = [(0, 0), (64, 0), (0, 20), (33, 13), (1500, 40), (100, 1700), (1648, 16), (2000, 2100)]
    messages = []
    for length, aad in cases:
        text, more = text_of(length), text_of(aad)[::-1]
        messages.append(seal(device, text, more, at=aad % 5, to=length % 9))
        messages.append(opened(device, gcm(text, more), more, at=aad % 3, to=length % 7))
    completions = await device.run(messages)
    for n, (length, aad) in enumerate(cases):
        text, more = text_of(length), text_of(aad)[::-1]
        assert [completions[2 * n + k].status for k in range(2)] == [OK, OK], (length, aad)
        assert written(device, messages[2 * n], length + 16) == gcm(text, more)
        assert written(device, messages[2 * n + 1], length) == text
        assert completions[2 * n].bytes == length + 16


@cocotb.test(timeout_time=1000, timeout_unit="us")
async def test_two_rings_go_round_and_round(dut: Any) -> None:
    """Both rings wrap, one is filled to the last entry, counts pass the ring's size."""
    device = await start(dut, log2=3)
    assert (await device.one(set_key(context=5), ring=1)).status == OK
    for turn in range(4):
        sent: list[list[Descriptor]] = [[], []]
        for ring, count in ((0, 8), (1, 3 + turn)):
            options = {} if ring == 0 else {"context": 5}
            sent[ring] = [encrypt(device, text_of(20 + 16 * n), **options) for n in range(count)]
            await device.submit(ring, sent[ring])
        for ring in range(2):
            completions = await device.wait(ring, len(sent[ring]))
            for n, (message, completion) in enumerate(zip(sent[ring], completions, strict=True)):
                assert (completion.status, completion.bytes) == (OK, 20 + 16 * n)
                assert written(device, message, 20 + 16 * n) == ctr(text_of(20 + 16 * n))
    assert device.poll(0) is None and device.poll(1) is None


def elements(device: Device, parts: list[tuple[int, int]]) -> int:
    """A list of elements: addresses and lengths."""
    order = ">" if device.big else "<"
    packed = b"".join(
        struct.pack(order + "4I", address & 0xFFFF_FFFF, address >> 32, length, n == len(parts) - 1)
        for n, (address, length) in enumerate(parts)
    )
    return device.place(packed)


@cocotb.test(timeout_time=1000, timeout_unit="us")
async def test_lists_of_elements(dut: Any) -> None:
    device = await start(dut)
    text, aad = text_of(2500), text_of(30)
    draw = random.Random(2)
    cuts = sorted(draw.sample(range(1, 2500), 5))
    pieces = [text[a:b] for a, b in zip([0, *cuts], [*cuts, 2500], strict=True)]
    source = elements(device, [(device.place(piece, draw.randrange(16)), len(piece)) for piece in pieces])
    places = [(device.place(GUARD * (length + 32), draw.randrange(16)) + 16, length) for length in (1, 1000, 700, 900)]
    destination = elements(device, places)
    message = seal(device, text, aad, source=source, gather=True, destination=destination, scatter=True)
    completion = await device.one(message)
    assert (completion.status, completion.bytes) == (OK, 2516)
    found = b"".join(device.ram.read(address, length) for address, length in places)
    assert found[:2516] == gcm(text, aad)
    assert found[2516:] == GUARD * (len(found) - 2516)
    for address, length in places:
        assert device.ram.read(address - 16, 16) == device.ram.read(address + length, 16) == GUARD * 16


@cocotb.test(timeout_time=500, timeout_unit="us")
async def test_inline_payloads_and_keys(dut: Any) -> None:
    device = await start(dut)
    lengths = [0, 1, 15, 16, 17, 23, 24]
    messages = [
        encrypt(device, b"", length=length, inline=True, tail=text_of(length).ljust(24, b"\xff")) for length in lengths
    ]
    for length, message, completion in zip(lengths, messages, await device.run(messages), strict=True):
        assert (completion.status, completion.bytes) == (OK, length)
        assert written(device, message, length) == ctr(text_of(length))
    keys = [bytes([n] * 16) for n in range(3)]
    inline = {"operation": number("aes128-ctr-inline"), "context": 0, "generation": 0}
    messages = [encrypt(device, text_of(1100), tail=key, **inline) for key in keys]
    for key, message, completion in zip(keys, messages, await device.run(messages), strict=True):
        assert completion.status == OK
        assert written(device, message, 1100) == ctr(text_of(1100), key)
    # A key in a context is not touched by them.
    message = encrypt(device, text_of(40))
    assert (await device.one(message)).status == OK
    assert written(device, message, 40) == ctr(text_of(40), KEY, IV)


@cocotb.test(timeout_time=500, timeout_unit="us")
async def test_raw_operations(dut: Any) -> None:
    device = await start(dut)
    rows = text_of(80)
    back = device.place(GUARD * 200)
    completions = await device.run(
        [
            Descriptor(RAW_WRITE, source=device.place(rows, 5), length=80, aad=200, tag=SPACES["m1"]),
            Descriptor(RAW_READ, destination=back + 3, length=80, aad=200, tag=SPACES["m1"]),
            Descriptor(RAW_RUN, length=1000, aad=number_of_entry("stream_reset")),
            encrypt(device, text_of(16)),
        ]
    )
    assert [completion.status for completion in completions] == [OK] * 4
    assert device.ram.read(back, 90) == GUARD * 3 + rows + GUARD * 7
    assert completions[1].bytes == 80
    run = completions[2]
    assert (run.core, run.trap) == (3, 0)
    assert 0 < run.cycles < 100


def number_of_entry(label: str) -> int:
    from soc.bench.aes import AES

    return AES.entry(label)


@cocotb.test(timeout_time=500, timeout_unit="us")
async def test_words_in_big_endian(dut: Any) -> None:
    device = await start(dut, big=True)
    text = text_of(100)
    source = elements(device, [(device.place(text[:41], 3), 41), (device.place(text[41:], 9), 59)])
    message = seal(device, text, b"aad", source=source, gather=True)
    inline = encrypt(device, b"", length=24, inline=True, tail=text[:24])
    completions = await device.run([message, inline])
    assert [(completion.status, completion.bytes) for completion in completions] == [(OK, 116), (OK, 24)]
    assert written(device, message, 116) == gcm(text, b"aad")
    assert written(device, inline, 24) == ctr(text[:24])


@cocotb.test(timeout_time=500, timeout_unit="us")
async def test_interrupts_by_count_by_time_and_at_once(dut: Any) -> None:
    device = await start(dut)

    async def sent(count: int, **options: Any) -> int:
        await device.write("ring[0].interrupt", completed=1)
        assert dut.irq_o.value.to_unsigned() == 0
        await device.run([encrypt(device, text_of(16), **options) for _ in range(count)])
        await device.clocks(20)
        return int(dut.irq_o.value.to_unsigned())

    assert await sent(1) == 1
    await device.write("ring[0].moderation", count=3)
    assert await sent(2) == 0
    assert await sent(1) == 1
    assert await sent(1, interrupt=True) == 1
    await device.write("ring[0].moderation", count=0, timer=4)
    assert await sent(1) == 0
    await device.clocks(400)
    assert dut.irq_o.value.to_unsigned() == 1
    await device.write("ring[0].interrupt_enable", completed=0)
    await device.clocks(2)
    assert dut.irq_o.value.to_unsigned() == 0
