"""Known answers of all firmware through the ring: the host's session works on the core behind it as on any engine."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from lutra.firmware import kat
from lutra.firmware.session import Session
from lutra.iss.engine import EngineError
from lutra.soc._model import Model
from lutra.soc.engine import RingEngine
from support.firmware import EVERYTHING, WITHDRAWN

EXAMPLES = [
    *sorted((Path(__file__).parents[1] / "vectors").glob("*.json")),
    *sorted(WITHDRAWN.glob("*/*.vectors.json")),
]


@cache
def session() -> Session:
    """One for all tests."""
    memory = bytearray(1 << 17)
    return Session(RingEngine(Model(memory, exact=False), memory))


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda p: p.name)
def test_examples_of_the_standards_are_met_through_the_ring(path: Path) -> None:
    report = kat.run(session(), EVERYTHING, kat.read(path, EVERYTHING))
    assert not report.failures
    assert report.passed + report.rejected > 0


def test_engine_behind_a_ring_has_the_memories_of_the_core() -> None:
    engine = session().engine
    session().forget()
    for space in ("m0", "m3", "t1", "pm"):
        size = engine.size(space)
        engine.write(space, 5, b"abcdefghijklmnopqrstuvwxyz"[: size - 5])
        assert engine.read(space, 3, 30)[2:28] == b"abcdefghijklmnopqrstuvwxyz"
        with pytest.raises(EngineError, match="do not fit"):
            engine.write(space, size - 1, b"ab")
    with pytest.raises(EngineError, match="another engine"):
        engine.registers()
