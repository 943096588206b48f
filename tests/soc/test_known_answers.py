"""Known answers of all firmware through the ring: the host's session works on the core behind it as on any engine."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from lutra.firmware import kat
from lutra.firmware.session import Session
from lutra.isa import load
from lutra.iss.engine import EngineError
from lutra.soc import devices
from lutra.soc.engine import RingEngine
from support.firmware import EVERYTHING, WITHDRAWN

from .conftest import DEVICES

EXAMPLES = [
    *sorted((Path(__file__).parents[1] / "vectors").glob("*.json")),
    *sorted(WITHDRAWN.glob("*/*.vectors.json")),
]
# The exact model is for jobs that overlap: a raw operation is alone.
QUICK = [device for device in DEVICES if device != "model"]


@cache
def session(device: str) -> Session:
    """One for all tests."""
    memory = bytearray(1 << 17)
    return Session(RingEngine(devices.DEVICES[device](memory), memory, turn=100))


@pytest.mark.parametrize("device", QUICK)
@pytest.mark.parametrize("path", EXAMPLES, ids=lambda p: p.name)
def test_examples_of_the_standards_are_met_through_the_ring(path: Path, device: str) -> None:
    report = kat.run(session(device), EVERYTHING, kat.read(path, EVERYTHING))
    assert not report.failures
    assert report.passed + report.rejected > 0


@pytest.mark.parametrize("device", QUICK)
def test_engine_behind_a_ring_has_the_memories_of_the_core(device: str) -> None:
    engine = session(device).engine
    session(device).forget()
    for space in ("m0", "m3", "t1", "pm"):
        size = engine.size(space)
        engine.write(space, 5, b"abcdefghijklmnopqrstuvwxyz"[: size - 5])
        assert engine.read(space, 3, 30)[2:28] == b"abcdefghijklmnopqrstuvwxyz"
        with pytest.raises(EngineError, match="do not fit"):
            engine.write(space, size - 1, b"ab")
    with pytest.raises(EngineError, match="another engine"):
        engine.registers()


@pytest.mark.skipif(load().configuration.wipe, reason="a core with a wipe")
@pytest.mark.parametrize("device", QUICK)
def test_engine_behind_a_ring_says_that_the_core_has_no_wipe(device: str) -> None:
    for act in (session(device).engine.wipe, session(device).engine.escalate):
        with pytest.raises(EngineError, match="the core has no wipe"):
            act()
