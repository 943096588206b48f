"""The driver keeps memory coherent where the hardware does not: each maintenance that is forgotten is seen."""

from __future__ import annotations

import itertools
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
BATCH = 12


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
    # Completions of a batch are in several lines.
    one = partial(driven.job, "toy_seal", handle, source=SOURCE, **fields)
    ring.submit([one(destination=DESTINATION + 0x200 * n, cookie=n) for n in range(BATCH)])
    done = _collect(ring, BATCH)
    came = [bytes(driven.memory[DESTINATION + 0x200 * n :][: len(sealed)]) for n in range(BATCH)]
    return [cookie for cookie, *_ in done] == list(range(BATCH)) and came == [sealed] * BATCH


def _collect(ring: Any, count: int) -> list[tuple[int, ...]]:
    """So many completions, or fewer where they are late."""
    found: list[tuple[int, ...]] = []
    while len(found) < count and ring.wait() == 0:
        found += ring.poll(count)[1]
    return found


def _opens(maker: Maker, cleans: Forgets | None = None) -> bool:
    """Whether the first jobs of a ring come out right, in memory with what was there before."""

    def cache(memory: bytearray) -> Cache:
        memory[RING : 2 * RING] = b"\xff" * RING
        made = Cache(memory, forgets_clean=cleans)
        made.evicting = True
        return made

    driven = drive(maker, cached=cache, toys=False, turn=20_000, patience=60_000)
    driven.rings[0].submit([driven.module.job(driven.module.control(0xEF), 0, cookie=n) for n in range(BATCH)])
    return [cookie for cookie, *_ in _collect(driven.rings[0], BATCH)] == list(range(BATCH))


def test_device_behind_a_cache_works(maker: Maker) -> None:
    assert _works(maker)


@pytest.mark.parametrize("what", FORGOTTEN_CLEANS)
def test_forgotten_clean_is_seen(maker: Maker, what: str) -> None:
    assert not _works(maker, cleans=FORGOTTEN_CLEANS[what])


@pytest.mark.parametrize("what", FORGOTTEN_DROPS)
def test_forgotten_invalidation_is_seen(maker: Maker, what: str) -> None:
    assert not _works(maker, drops=FORGOTTEN_DROPS[what])


def test_forgotten_clean_of_a_new_ring_is_seen(maker: Maker) -> None:
    first = itertools.count()
    assert _opens(maker)
    assert not _opens(maker, lambda address: address == RING and next(first) == 0)


def test_key_does_not_stay_in_memory_behind_a_cache(maker: Maker) -> None:
    driven = drive(maker, cached=Cache)
    secret = random.Random(5).randbytes(32)
    assert driven.rings[0].key_set(driven.operations["toy_key"], secret)[0] == 0
    assert secret[:8] not in driven.bench.memory
    assert secret[:8] not in driven.memory
