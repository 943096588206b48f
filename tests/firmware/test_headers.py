"""Every routine has a header in the fixed form, and the header says what the simulator sees."""

from __future__ import annotations

import random

import pytest

from lutra.asm.headers import Header
from lutra.firmware.manifest import assembled
from lutra.firmware.testing import header_checks, observe
from lutra.firmware.testing.observe import Seen
from support.firmware import FIRMWARE, HEADERS, IMPLEMENTATIONS, is_typical

IMAGES = {case.implementation.image for case in IMPLEMENTATIONS}
# Global program labels of all images: what their ELF files have, and an image that has them.
ROUTINES = {s.name: assembled(i) for i in IMAGES for s in assembled(i).symbols if s.is_global and s.space == "pm"}
NAMES = sorted(ROUTINES)
SEED = 38


def place(header: Header) -> str:
    """Of a header, in the ids of tests."""
    return f"{header.file.relative_to(FIRMWARE)}:{header.line}"


@pytest.mark.parametrize("header", HEADERS.all, ids=place)
def test_a_header_has_its_fields_in_order_and_each_says_something(header: Header) -> None:
    assert header_checks.form(header) == []


@pytest.mark.parametrize("routine", NAMES)
def test_a_routine_has_one_header_with_all_fields(routine: str) -> None:
    header = header_of(routine)
    assert header.missing() == []
    assert header_checks.time(header, routine) == []


def test_every_name_in_a_header_is_of_a_routine() -> None:
    assert [f"{place(h)}: {name}" for h, name in header_checks.unused(HEADERS, ROUTINES)] == []


# ---------------------------------------------------------------------------------- what the simulator sees


def header_of(routine: str) -> Header:
    found = HEADERS.of(routine)
    assert found is not None, routine
    return found


@pytest.fixture(scope="module")
def seen() -> dict[str, Seen]:
    """What every routine that a manifest names wrote, and its cycles, over several runs."""
    found: dict[str, Seen] = {}
    source = random.Random(SEED)
    for case in IMPLEMENTATIONS:
        if is_typical(case) or not found.keys() >= {*case.set_up, *case.jobs}:
            observe.of_case(case, found, source)
    return found


@pytest.mark.parametrize("name", NAMES)
def test_cycles_are_those_of_the_formula(name: str, seen: dict[str, Seen]) -> None:
    assert seen[name].cycles
    assert header_checks.cycles(header_of(name), name, seen[name], ROUTINES[name]) == []


@pytest.mark.parametrize("name", NAMES)
def test_clobbers_are_the_registers_written(name: str, seen: dict[str, Seen]) -> None:
    assert name in seen, f"no manifest names {name}"
    assert header_checks.clobbers(header_of(name), name, seen, HEADERS) == []


@pytest.mark.parametrize("name", NAMES)
def test_memory_that_is_written_is_named(name: str, seen: dict[str, Seen]) -> None:
    """Under Outputs or Memory, by its label or by its space."""
    assert header_checks.memory(header_of(name), seen[name]) == []
