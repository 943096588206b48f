"""Devices under test: the model, exact and fast, and the RTL where LUTRA_SOC_DEVICES names it (`make soc-rtl`)."""

from __future__ import annotations

import os
from collections.abc import Callable

import pytest

from lutra.soc import devices
from lutra.soc.devices import Maker
from support import toy
from support.cluster import Make
from support.cluster import maker as cluster_maker
from support.soc import Bench, Ring

DEVICES = os.environ.get("LUTRA_SOC_DEVICES", "model,model-fast").split(",")
KEY = bytes(range(0x40, 0x60))


@pytest.fixture(params=DEVICES)
def maker(request: pytest.FixtureRequest) -> Maker:
    """Make a device on a memory."""
    return devices.DEVICES[request.param]


@pytest.fixture
def bench(maker: Maker) -> Bench:
    """Return a device after reset."""
    return Bench.make(maker)


@pytest.fixture
def toys(bench: Bench) -> Bench:
    """Return a device with the toy firmware and both rings on."""
    return loaded(bench)


def loaded(bench: Bench) -> Bench:
    operations = bench.load(toy.image(), toy.OPERATIONS)
    assert list(operations) == list(toy.OPERATIONS)
    for ring in bench.rings:
        ring.enable()
    return bench


@pytest.fixture(params=["model", "rtl"])
def cluster(request: pytest.FixtureRequest) -> Make:
    """Make a cluster with firmware in its cores."""
    return cluster_maker(request.param)


SetKey = Callable[..., dict[str, int]]


@pytest.fixture
def set_key() -> SetKey:
    """Set a key: returns the fields of a descriptor that use it."""

    def setter(
        ring: Ring, context: int = 3, generation: int = 5, key: bytes = KEY, name: str = "toy_key"
    ) -> dict[str, int]:
        done = ring.do(
            operation=operation(name), inline_payload=1, key=key, bytes=len(key), context=context, generation=generation
        )
        assert done.status == "ok", done
        return {"context": context, "generation": generation}

    return setter


def operation(name: str) -> int:
    """Return the number of a toy operation."""
    return list(toy.OPERATIONS).index(name)
