"""Devices under test: the model, exact and fast."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import pytest

from lutra.soc._axi import Rtl
from lutra.soc._model import Model
from support import toy
from support.soc import Bench, Maker, Ring

MAKERS: dict[str, Maker] = {"model": Model, "model-fast": partial(Model, exact=False), "rtl": Rtl}
KEY = bytes(range(0x40, 0x60))


@pytest.fixture(params=MAKERS)
def maker(request: pytest.FixtureRequest) -> Maker:
    """Make a device on a memory."""
    return MAKERS[request.param]


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
