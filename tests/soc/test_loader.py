"""The loader applies a signed pack to a core behind the ring: its port is the driver's."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from lutra.firmware import device
from lutra.firmware._loader import Loader, Result, SlotState
from lutra.soc import _driver
from lutra.soc.devices import Maker
from support.cache import Cache
from support.devices import aes, create, otter
from support.driver import Driven, drive


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[device.Device]:
    with device.opened(create(tmp_path / "dev", slots=64 * 1024)) as opened:
        yield opened


def _loader(driven: Driven, folder: device.Device) -> Loader:
    core = _driver.Core(driven.rings[0], 2, 2, 1024, 256)
    return Loader(folder.folder.flash, folder.folder.fuses, core)


def _update(loader: Loader, pack: bytes) -> None:
    for error in (loader.apply(pack), loader.boot(), loader.confirm(), loader.self_test()):
        assert error.result == Result.OK


def test_signed_pack_is_applied_through_the_ring(maker: Maker, folder: device.Device) -> None:
    driven = drive(maker, toys=False)
    loader = _loader(driven, folder)
    _update(loader, otter("1.0.0", 0))
    assert loader.apply(aes("1.1.0", 1)).result == Result.OK
    assert loader.boot().result == Result.OK
    error, status = loader.status()
    assert error.result == Result.OK
    assert status.state[status.running or 0] == SlotState.TRIAL
    assert (loader.confirm().result, loader.self_test().result) == (Result.OK, Result.OK)
    # What runs is the pack's first image.
    core = _driver.Core(driven.rings[0], 2, 2, 1024, 256)
    assert any(core.read(7, row) != bytes(16) for row in range(64))


def test_changed_pack_is_refused_and_the_firmware_before_runs_on(maker: Maker, folder: device.Device) -> None:
    driven = drive(maker, toys=False)
    loader = _loader(driven, folder)
    _update(loader, otter("1.0.0", 0))
    changed = bytearray(otter("1.1.0", 1))
    changed[len(changed) // 2] ^= 1
    assert loader.apply(bytes(changed)).result != Result.OK
    assert loader.self_test().result == Result.OK


def test_pack_is_applied_behind_a_cache(maker: Maker, folder: device.Device) -> None:
    driven = drive(maker, cached=Cache, toys=False)
    _update(_loader(driven, folder), otter("1.0.0", 0))


def test_device_that_answers_nothing_is_an_error_of_the_core(maker: Maker, folder: device.Device) -> None:
    driven = drive(maker, toys=False, patience=10_000)
    loader = _loader(driven, folder)
    _update(loader, otter("1.0.0", 0))
    driven.bench.device.fail_reads(0, 1 << 20)
    with pytest.raises(RuntimeError, match="the ring stopped"):
        loader.self_test()
