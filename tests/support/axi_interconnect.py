"""Random traffic of cocotbext-axi for soc/checker/interconnect: cocotb calls it in the simulation.

$SEED chooses the traffic. With $FAULT one manager drops AWVALID, which a checker must see.
"""

from __future__ import annotations

import logging
import os
import random
from collections.abc import Iterator
from typing import Any

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import Combine, RisingEdge, Timer
from cocotbext.axi import AxiBus, AxiLockType, AxiMaster, AxiRam

TRANSFERS = 25
TASKS = 4  # of each manager, at the same time
REGION = 0x2000  # of each task in each memory
MEMORIES = (0x0_0000, 0x1_0000)


def pauses(generator: random.Random, rate: float) -> Iterator[bool]:
    """A pause with this probability in every cycle."""
    while True:
        yield generator.random() < rate


async def exercise(manager: AxiMaster, number: int, generator: random.Random) -> None:
    """Writes and reads of one task in its regions; what it reads is what it wrote."""
    written: dict[int, int] = {}
    for _ in range(TRANSFERS):
        at = generator.choice(MEMORIES) + number * REGION + generator.randrange(REGION - 1024)
        count = generator.choice((1, 3, 8, 16, 61, 64, 200, 700))
        size = generator.choice((0, 1, 2, 3, 3, 3)) if count < 100 else 3
        identity = number % TASKS
        chance = generator.random()
        if chance < 0.1:
            at -= at % 8
            locked = {"size": 3, "lock": AxiLockType.EXCLUSIVE}
            before = await manager.read(at, 8, arid=identity, **locked)
            await manager.write(at, before.data, awid=identity, **locked)
            written |= dict(enumerate(before.data, at))
        elif chance < 0.6:
            data = generator.randbytes(count)
            await manager.write(at, data, awid=identity, size=size, cache=generator.choice((0, 2, 3, 15)))
            written |= dict(enumerate(data, at))
        else:
            read = await manager.read(at, count, arid=identity, size=size, cache=generator.choice((0, 2, 3, 15)))
            wrong = [at + i for i, byte in enumerate(read.data) if written.get(at + i, byte) != byte]
            assert not wrong, f"task {number} reads wrong bytes at {wrong[0]:#x}"


@cocotb.test(timeout_time=2, timeout_unit="ms")
async def traffic(dut: Any) -> None:
    """Two managers and two memories with pauses on all channels."""
    generator = random.Random(os.environ["SEED"])
    Clock(dut.clk, 2, "ns").start()

    def reset(name: str) -> tuple[Any, ...]:
        return AxiBus.from_prefix(dut, name), dut.clk, dut.rst_n, False

    managers = [AxiMaster(*reset(f"s{i}_axi")) for i in range(2)]
    memories = [AxiRam(*reset(f"m{i}_axi"), size=1 << 17) for i in range(2)]
    for side in (*managers, *memories):
        for half in (side.write_if, side.read_if):
            half.log.setLevel(logging.WARNING)
            for channel in ("aw_channel", "w_channel", "b_channel", "ar_channel", "r_channel"):
                if hasattr(half, channel):
                    rate = generator.choice((0.0, 0.2, 0.6))
                    getattr(half, channel).set_pause_generator(pauses(random.Random(generator.random()), rate))
    dut.rst_n.value = 0
    await Timer(20, "ns")
    await RisingEdge(dut.clk)
    dut.rst_n.value = 1
    if os.environ.get("FAULT"):
        await fault(dut)
    numbers = range(2 * TASKS)
    tasks = [exercise(managers[n // TASKS], n, random.Random(generator.random())) for n in numbers]
    await Combine(*(cocotb.start_soon(task) for task in tasks))


async def fault(dut: Any) -> None:
    """A manager whose AWVALID falls before AWREADY."""
    for _ in range(3):
        await RisingEdge(dut.clk)
    dut.rst_n.value = 1
    dut.s0_axi_awvalid.value = 1
    while True:
        await RisingEdge(dut.clk)
        if not int(dut.s0_axi_awready.value):
            break
    dut.s0_axi_awvalid.value = 0
    for _ in range(3):
        await RisingEdge(dut.clk)
