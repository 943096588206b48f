"""Batches of short messages on both rings: what the core tells of one meets descriptors and jobs of others."""

from __future__ import annotations

import random
from typing import Any

import pytest

from lutra.soc.devices import Maker
from lutra.soc.operations import load
from support.soc import BUFFERS, Bench

BATCHES = 40
HANDLES: tuple[dict[str, Any], ...] = {"context": 1, "generation": 1}, {"context": 2, "generation": 1}


@pytest.mark.parametrize(
    ("name", "set_key", "run", "unit"),
    [
        ("snow3g", "snow3g_set_key", "snow3g_eea1", 16),
        ("aes", "aes128_set_key", "aes128_cbc_encrypt", 16),
        ("aes-packets", "aes128_set_key", "aes128_ctr", 1),
    ],
)
def test_every_message_of_a_batch_completes(maker: Maker, name: str, set_key: str, run: str, unit: int) -> None:
    """Two of them go through the core together, or one right after the other, so that one may end a few cycles after
    the one before it, while a ring that is full fetches the next descriptors."""
    bench, firmware, draw = Bench.make(maker), load(name), random.Random(0)
    operations = sorted(firmware.operations.values(), key=lambda o: o.number)
    flags = {o.label: {"class": o.key_class} | dict.fromkeys(o.flags, 1) for o in operations}
    numbers = bench.load(firmware.image, flags)
    for ring, handle in zip(bench.rings, HANDLES, strict=True):
        ring.enable()
        key = ring.do(operation=numbers[set_key], inline_payload=1, key=bytes(16), bytes=16, **handle)
        assert key.status == "ok"
    text: dict[str, Any] = {
        "operation": numbers[run],
        "source": BUFFERS,
        "destination": BUFFERS + 0x4000,
        "iv": bytes(16),
    }
    for batch in range(BATCHES):
        sizes = [[unit * draw.randint(1, 112 // unit) for _ in range(draw.randint(1, 15))] for _ in bench.rings]
        for ring, handle, of_ring in zip(bench.rings, HANDLES, sizes, strict=True):
            ring.write(*(ring.descriptor(bytes=size, **text, **handle) for size in of_ring))
        for ring, of_ring in zip(bench.rings, sizes, strict=True):
            assert [done.status for done in ring.wait(len(of_ring))] == ["ok"] * len(of_ring), batch
