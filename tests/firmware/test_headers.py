"""Every routine stands under a header in the fixed form, and the header says what the simulator sees."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

import lutra
from lutra.firmware.manifest import assembled
from lutra.firmware.session import Session
from lutra.isa import load
from lutra.iss.retire import Record
from support.firmware import IMPLEMENTATIONS
from support.headers import FIELDS, Header, headers, routines

FIRMWARE = Path(__file__).parents[2] / "firmware"
# Sources, and includes that hold routines.
FILES = sorted([*FIRMWARE.glob("*/*.s"), *(f for f in FIRMWARE.glob("*/*.inc") if headers(f))])
# CRC is no cipher: its header is checked by test_crc.py.
BY_ROUTINE = {name: h for file in FILES if file.parent.name != "crc" for h in headers(file) for name in h.names}
RANDOM = random.Random(38)


@pytest.mark.parametrize("file", FILES, ids=lambda f: f.name)
def test_headers_are_complete_and_in_order(file: Path) -> None:
    for header in headers(file):
        assert tuple(header.fields) == FIELDS, f"{file.name}:{header.line}"


@pytest.mark.parametrize("file", FILES, ids=lambda f: f.name)
def test_every_routine_has_a_header_and_every_header_a_routine(file: Path) -> None:
    assert {name for h in headers(file) for name in h.names} == routines(file)


def written(record: Record) -> set[str]:
    """Registers that an instruction wrote."""
    registers: set[str] = {f"ar{n}" for n in record.raw.get("ar", {})}
    registers |= {load().vector_by_code[record.raw[k][0]].name for k in ("rd", "partner") if k in record.raw}
    registers |= {k for k in ("ctr", "hold") if k in record.raw}
    registers |= {load().stream_contexts[n] for n in record.raw.get("contexts", {})}
    return registers


def observed(engine: lutra.Engine, entry: int) -> tuple[set[str], int]:
    """Registers written and cycles used from an entry to its halt."""
    engine.start(entry)
    registers: set[str] = set()
    for record in engine.records():
        registers |= written(record)
    stop = engine.stop()
    assert stop.state == "halted"
    return registers, stop.cycles


@pytest.fixture(scope="module")
def seen() -> dict[str, set[str]]:
    """Registers written by every routine that a manifest names, over several runs; cycles are compared on the way."""
    registers: dict[str, set[str]] = {}

    def observe(engine: lutra.Engine, image: lutra.Image, name: str, n: int, exact: bool = True) -> None:
        wrote, cycles = observed(engine, image.symbol(name).value)
        registers.setdefault(name, set()).update(wrote)
        said = BY_ROUTINE[name].cycles(name, n)
        if exact and said is not None:
            assert cycles == said, f"{name}, n = {n}: {cycles} cycles"

    for case in IMPLEMENTATIONS:
        cipher, implementation, direction = case.cipher, case.implementation, case.direction
        session = Session(lutra.make_engine("iss"))
        image = assembled(implementation.image)
        entries = implementation.entries[direction]
        key, iv = RANDOM.randbytes(cipher.key_bits // 8), RANDOM.randbytes(cipher.iv_bytes)
        session.set_up(cipher, direction, key, iv, implementation)
        sizes = [(n * cipher.streams, 0) for n in (1, 2, 4, 7, 256 // cipher.streams)]
        tails = [(n, 5) for n, _ in sizes[:-1] if cipher.partial]
        for n, tail in sizes + tails:
            session.put(RANDOM.randbytes(n * cipher.unit_bytes + tail))
            for name in (entries.run, *entries.others.values()):
                observe(session.engine, image, name, n, exact=not tail)
        for name in filter(None, (entries.key_tables, entries.key, entries.tables, entries.start)):
            observe(session.engine, image, name, 0)
    return registers


@pytest.mark.parametrize("name", sorted(BY_ROUTINE))
def test_clobbers_are_the_registers_written(name: str, seen: dict[str, set[str]]) -> None:
    header: Header = BY_ROUTINE[name]
    assert name in seen, f"no manifest names {name}"
    family = set().union(*(seen[n] for n in header.names))
    assert family == header.clobbers
