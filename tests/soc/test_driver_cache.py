"""The driver keeps memory coherent where the hardware does not: each maintenance that is forgotten is seen."""

from __future__ import annotations

import random
from functools import partial
from typing import Any

import pytest

from lutra.soc.devices import Maker
from support import toy
from support.cache import LINE, Cache, Forgets
from support.driver import LOG2, RING, drive
from support.soc import BUFFERS

IV = bytes(16)
KEY = bytes(range(16))
SOURCE, AAD, DESTINATION = BUFFERS, BUFFERS + 0x4000, BUFFERS + 0x8000
BYTES = 300
COMPLETIONS = RING + (64 << LOG2)
ROW = COMPLETIONS + (16 << LOG2)


def _within(first: int, length: int) -> Forgets:
    return lambda address: first <= address < first + length


FORGOTTEN_CLEANS = {
    "job": _within(RING + 1, COMPLETIONS - RING - 1),
    "source": _within(SOURCE, 0x1000),
    "associated data": _within(AAD, 0x1000),
    "destination": _within(DESTINATION, 0x1000),
    "row": _within(ROW, LINE),
}
FORGOTTEN_DROPS = {
    "completion": _within(COMPLETIONS, ROW - COMPLETIONS),
    "destination": _within(DESTINATION, 0x1000),
    "row": _within(ROW, LINE),
}


def _works(maker: Maker, cleans: Forgets | None = None, drops: Forgets | None = None) -> bool:
    """Whether jobs, batches and raw operations behind a cache come out right."""
    driven = drive(maker, cached=partial(Cache, forgets_clean=cleans, forgets_drop=drops), patience=30_000, toys=False)
    cache = driven.host_cache
    assert cache
    core = driven.module.Core(driven.rings[0], 2, 2, 1024, 256)
    try:
        driven.load(toy.image(), toy.OPERATIONS)
        core.write(0, 255, KEY)
        core.write(0, 254, IV)
        if core.read(0, 255) != KEY:
            return False
    except RuntimeError:
        return False
    ring = driven.rings[0]
    result, handle = ring.key_set(driven.operations["toy_key"], KEY)
    if result != 0:
        return False
    cache.evicting = True
    for turn in range(40):
        text, data = random.Random(turn).randbytes(BYTES), random.Random(-turn).randbytes(20)
        for address, written in ((SOURCE, text), (AAD, data), (DESTINATION, b"\xee" * BYTES)):
            driven.memory[address : address + len(written)] = written
        fields: dict[str, Any] = {"bytes": BYTES, "iv": IV, "aad": AAD, "aad_bytes": 20, "tag": 16}
        job = driven.job("toy_seal", handle, source=SOURCE, destination=DESTINATION, **fields)
        if turn % 2:
            result, _ = ring.crypt(job)
        else:
            ring.submit([job])
            result = ring.wait() or (ring.poll(1) if turn % 4 else ring.take(1))[0]
        sealed = toy.seal(KEY, IV, data, text)
        if result != 0 or driven.memory[DESTINATION : DESTINATION + len(sealed)] != sealed:
            return False
    return True


def test_device_behind_a_cache_works(maker: Maker) -> None:
    assert _works(maker)


@pytest.mark.parametrize("what", FORGOTTEN_CLEANS)
def test_forgotten_clean_is_seen(maker: Maker, what: str) -> None:
    assert not _works(maker, cleans=FORGOTTEN_CLEANS[what])


@pytest.mark.parametrize("what", FORGOTTEN_DROPS)
def test_forgotten_invalidation_is_seen(maker: Maker, what: str) -> None:
    assert not _works(maker, drops=FORGOTTEN_DROPS[what])
