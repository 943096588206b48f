"""Rates: cycles per message in the steady state, at a latency of the memory given in LUTRA_LATENCY."""

from __future__ import annotations

import os
from typing import Any

import cocotb

from soc.bench.aes import ctr, encrypt, gcm, number, seal, start, text_of, written

LATENCY = int(os.environ.get("LUTRA_LATENCY", "0"))


async def rate(device: Any, messages: list[Any]) -> float:
    """Cycles per message between the first completion and the last."""
    await device.submit(0, messages)
    first = None
    count = 0
    cycle = 0
    while count < len(messages):
        completion = device.poll(0)
        if completion:
            assert completion.status == 0
            first = first if first is not None else cycle
            count += 1
            continue
        await device.clocks(1)
        cycle += 1
    assert first is not None
    return (cycle - first) / (len(messages) - 1)


@cocotb.test(timeout_time=3000, timeout_unit="us")
async def test_rates(dut: Any) -> None:
    device = await start(dut, latency=LATENCY, log2=6)
    for name, length, count in (("ctr", 64, 40), ("ctr", 4096, 6), ("gcm", 4096, 5), ("gcm", 64, 24), ("cold", 64, 24)):
        if name == "ctr":
            messages = [encrypt(device, text_of(length)) for _ in range(count)]
        elif name == "gcm":
            messages = [seal(device, text_of(length), b"") for _ in range(count)]
        else:
            options = {"operation": number("aes128-ctr-inline"), "context": 0, "generation": 0}
            messages = [encrypt(device, text_of(length), tail=bytes([n] * 16), **options) for n in range(count)]
        cycles = await rate(device, messages)
        dut._log.info(f"RATE {name} {length} B latency {LATENCY}: {cycles:.1f} cycles, {length / cycles:.2f} B/cycle")
        if name == "ctr":
            assert written(device, messages[-1], length) == ctr(text_of(length))
        if name == "gcm":
            assert written(device, messages[-1], length + 16) == gcm(text_of(length), b"")
