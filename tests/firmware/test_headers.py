"""Every routine has a header in the fixed form, and the header says what the simulator sees."""

from __future__ import annotations

import random
import re
from dataclasses import dataclass, field

import pytest

import lutra
from lutra.firmware.manifest import assembled
from lutra.firmware.session import Session
from support.effects import stores, written
from support.firmware import IMPLEMENTATIONS
from support.headers import FIELDS, NEEDED, Header, all_headers, header_of, names_of

HEADERS = all_headers()
IMAGES = {case.implementation.image for case in IMPLEMENTATIONS}
# Global program labels of all images: what their ELF files have.
ROUTINES = sorted({s.name for i in IMAGES for s in assembled(i).symbols if s.is_global and s.space == "pm"})
RANDOM = random.Random(38)


@pytest.mark.parametrize("header", HEADERS, ids=lambda h: h.place)
def test_a_header_has_its_fields_in_order_and_each_says_something(header: Header) -> None:
    assert [f for f in FIELDS if f in header.fields] == list(header.fields)
    assert set(NEEDED) <= set(header.fields)
    assert not [f for f, text in header.fields.items() if re.fullmatch(r"(as said|none|-)?", text) and f != "Inputs"]


@pytest.mark.parametrize("routine", ROUTINES)
def test_a_routine_has_one_header(routine: str) -> None:
    header_of(routine)


def test_every_name_in_a_header_is_of_a_routine() -> None:
    used = {(h.place, n) for routine in ROUTINES for h, n in names_of(routine)}
    assert [f"{h.place}: {n}" for h in HEADERS for n in h.names if (h.place, n) not in used] == []


# ---------------------------------------------------------------------------------- what the simulator sees


@dataclass
class Seen:
    """What a routine wrote: registers, and rows of memory by their space and the last label at or before them."""

    registers: set[str] = field(default_factory=set)
    rows: set[tuple[str, str]] = field(default_factory=set)


@pytest.fixture(scope="module")
def seen() -> dict[str, Seen]:
    """What every routine that a manifest names wrote, over several runs; cycles are compared on the way."""
    found: dict[str, Seen] = {}

    def observe(engine: lutra.Engine, image: lutra.Image, name: str, n: int, exact: bool = True) -> None:
        routine = found.setdefault(name, Seen())
        engine.start(image.symbol(name).value)
        for record in engine.records():
            routine.registers |= written(record)
            routine.rows |= set(stores(record, image))
        stop = engine.stop()
        assert stop.state == "halted"
        said = header_of(name).cycles(name, n, image)
        if exact and said is not None:
            assert stop.cycles == said, f"{name}, n = {n}: {stop.cycles} cycles"

    for case in IMPLEMENTATIONS:
        cipher, implementation, direction = case.cipher, case.implementation, case.direction
        session = Session(lutra.make_engine("iss"))
        image = assembled(implementation.image)
        entries = implementation.entries[direction]
        key, iv = RANDOM.randbytes(cipher.key_bits // 8), RANDOM.randbytes(cipher.iv_bytes)
        session.set_up(cipher, direction, key, iv, implementation)
        most = session.job_bytes // cipher.whole_bytes
        sizes = [(n * cipher.streams, 0) for n in (1, 2, 3, 4, 7, 8, 9, min(most, 256 // cipher.streams), most)]
        tails = [(n, 5) for n, _ in sizes[:-2] if cipher.partial]
        for n, tail in sizes + tails:
            session.put(RANDOM.randbytes(n * cipher.unit_bytes + tail))
            for name in (entries.run, *entries.others.values()):
                observe(session.engine, image, name, n, exact=not tail)
        for name in filter(None, (entries.key_tables, entries.key, entries.tables, entries.start)):
            observe(session.engine, image, name, 0)
    return found


@pytest.mark.parametrize("name", ROUTINES)
def test_clobbers_are_the_registers_written(name: str, seen: dict[str, Seen]) -> None:
    assert name in seen, f"no manifest names {name}"
    header = header_of(name)
    said = header.clobbers(name)
    # Keys of 192 bits leave out a step that others have, or the other way round: of the family as a whole.
    family = {n for n in ROUTINES if header_of(n) is header and header.clobbers(n) == said}
    assert set().union(*(seen[n].registers for n in family)) == said
    assert seen[name].registers <= said


@pytest.mark.parametrize("name", ROUTINES)
def test_memory_that_is_written_is_named(name: str, seen: dict[str, Seen]) -> None:
    """Under Outputs or Memory, by its label or by its space."""
    fields = header_of(name).fields
    text = (fields["Outputs"] + " " + fields.get("Memory", "")).replace("{c}", re.match(r"[a-z]+(3g)?", name)[0])  # type: ignore[index]
    named = set(re.findall(r"\w+", text))
    assert [row for row in sorted(seen[name].rows) if not named & {*row[0].split(":"), row[1]}] == []
