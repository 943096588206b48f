"""Every routine has a header in the fixed form, and the header says what the simulator sees."""

from __future__ import annotations

import functools
import random
from collections.abc import Iterator

import pytest

from lutra.asm import Image
from lutra.asm.analysis.headers import Header
from lutra.firmware.manifest import assembled
from lutra.firmware.testing import header_checks, observe
from lutra.firmware.testing.cases import Case
from lutra.firmware.testing.observe import Seen
from lutra.isa import load
from support.firmware import FIRMWARE, HEADERS, IMPLEMENTATIONS, is_typical

# Of all manifests.
NAMES = sorted({name for case in IMPLEMENTATIONS for name in (*case.set_up, *case.jobs)})
SEED = 38
# Routines that need an extension which not every configuration has.
NEEDED = {
    "aes/aes_ccm_open_twice.s": "close",
    "aes/aes_ccm_twice.s": "close",
    "aes/aes_ctr_twice.s": "close",
    "aes/aes_gcm_open_twice.s": "close",
    "aes/aes_gcm_twice.s": "close",
    "aes/aes_mac_twice.s": "close",
    "aes/aes_twice.s": "close",
    "aes/ccm_twice.inc": "close",
    "aes/gcm_twice.inc": "close",
    "aes/twice_schedule.inc": "close",
    "aes/twice_tables.inc": "close",
    "aria/twice.inc": "close",
    "camellia/twice.inc": "close",
    "chacha20/chacha20_twice.s": "close",
    "common/ccm_open.inc": "close",
    "common/gcm_open.inc": "close",
    "common/stream_twice.inc": "close",
    "common/twice_modes.inc": "close",
    "sm4/sm4_twice.s": "close",
}


@functools.cache
def routines() -> dict[str, Image]:
    """Global program labels of all images: what their ELF files have, and an image that has them."""
    images = [assembled(source) for source in {case.implementation.image for case in IMPLEMENTATIONS}]
    return {s.name: image for image in images for s in image.symbols if s.is_global and s.space == "pm"}


def lacking() -> set[str]:
    """Files whose routines this configuration cannot have."""
    return {file for file, needed in NEEDED.items() if needed not in load().configuration.extensions}


def place(header: Header) -> str:
    """Place of a header, in the ids of tests."""
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
    unused = [(str(h.file.relative_to(FIRMWARE)), name) for h, name in header_checks.unused(HEADERS, routines())]
    assert {file for file, _ in unused} == lacking()


# ---------------------------------------------------------------------------------- what the simulator sees


def header_of(routine: str) -> Header:
    found = HEADERS.of(routine)
    assert found is not None, routine
    return found


def folder_of(case: Case) -> str:
    return case.implementation.image.sources[-1].parent.name


def claim(case: Case, routine: str) -> tuple[str, int | str]:
    """The header, and the cycles that it says; where they are not a number, the routine."""
    header = header_of(routine)
    return header.place, header.cycles(routine, None, assembled(case.implementation.image)) or routine


def cases_of(folder: str) -> Iterator[Case]:
    """The cases of a cipher's folder, but for those of untypical key sizes of which headers say nothing new."""
    said: set[tuple[str, int | str]] = set()
    for case in (case for case in IMPLEMENTATIONS if folder_of(case) == folder):
        own = {claim(case, routine) for routine in (*case.set_up, *case.jobs)}
        if is_typical(case) or not said >= own:
            said |= own
            yield case


@pytest.mark.parametrize("folder", dict.fromkeys(map(folder_of, IMPLEMENTATIONS)))
def test_headers_say_what_the_simulator_sees(folder: str) -> None:
    """Registers and memory that every routine writes, and its cycles, over several runs."""
    seen: dict[str, Seen] = {}
    source = random.Random(SEED)
    for case in cases_of(folder):
        observe.of_case(case, seen, source)
    wrong = {}
    for name, of_name in seen.items():
        header = header_of(name)
        wrong[name] = [
            *header_checks.cycles(header, name, of_name, routines()[name]),
            *header_checks.clobbers(header, name, seen, HEADERS),
            # Under Outputs or Memory, by its label or by its space.
            *header_checks.memory(header, of_name),
        ]
        assert of_name.cycles
    assert {name: found for name, found in wrong.items() if found} == {}


def test_a_manifest_names_every_routine() -> None:
    assert set(NAMES) == set(routines())
