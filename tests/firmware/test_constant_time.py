"""Time and addresses of the firmware do not depend on keys, IVs or data, only on lengths.

Looking up tables at data-dependent rows is what the machine is for; the rows of a look-up are not an address here.
What is otherwise has a name that ends in `_var`, and is listed here.
"""

from __future__ import annotations

import random

import pytest

import lutra
from lutra.firmware.manifest import assembled, catalogue
from lutra.firmware.session import Session
from lutra.firmware.testing.cases import Case
from lutra.firmware.testing.timing import ACCEPTED, Leak, Look, Trace, cycles, inputs, is_variable, leak, of_case, trace
from lutra.iss.engine import Engine
from support.firmware import IMPLEMENTATIONS, is_typical
from support.only import only

RUNS = 15
# Stepping through every retirement is slow; so many runs are looked at in full, of the others the cycles.
TRACED = 4
MORE = pytest.mark.nightly("more runs of each routine, with other secrets")

# RC4 and Leviathan exchange entries of their tables that depend on the key.
VARIABLE = {
    "rc4_var",
    "rc4_x16_var",
    "rc4_x16_start_var",
    *(f"rc4_start_{bits}_var" for bits in (40, 56, 64, 80, 128, 192, 256)),
    *(f"leviathan_start_{bits}_var" for bits in (40, 48, 56, 64, 72, 80, 128, 160, 192, 256, 1024, 2048)),
}


def routines_of(case: Case) -> set[str]:
    return {*case.set_up, *case.jobs}


def of_key(case: Case) -> dict[tuple[str, str], Case]:
    """By image and routine: what a case runs that reads the key alone."""
    return {(case.implementation.image.name, name): case for name in case.of_key}


CASES = only(IMPLEMENTATIONS, lambda case: is_typical(case) and not case.is_repeated)
# The case that looks at a key schedule, which is the same in all modes.
SCHEDULED = {at: last for case in reversed(CASES) for at, last in of_key(case).items()}

CONSTANT = only(CASES, lambda case: routines_of(case) - VARIABLE)
VARYING = only(CASES, lambda case: routines_of(case) & VARIABLE and case.direction == "encrypt")
LOOKS = pytest.mark.parametrize(
    ("look", "runs"),
    [(trace, TRACED), (cycles, RUNS), pytest.param(trace, 100, marks=MORE), pytest.param(cycles, 400, marks=MORE)],
)


@pytest.mark.parametrize("case", CONSTANT, ids=str)
@LOOKS
def test_time_and_addresses_do_not_depend_on_secrets(look: Look, runs: int, case: Case) -> None:
    routines = routines_of(case) - VARIABLE
    routines -= {name for image, name in of_key(case) if SCHEDULED[image, name] is not case}
    if look is trace and case.entries.key_tables == case.entries.tables:
        # They read neither key nor data, and are long: their cycles are enough.
        routines.discard(case.entries.tables)
    found = of_case(case, runs, random.Random(str(case)), look=look, only=routines)
    assert set(found) == routines
    assert {routine: leak for routine, leak in found.items() if leak} == {}


def test_routines_whose_time_may_vary_are_those_of_the_list() -> None:
    assert {routine for case in IMPLEMENTATIONS for routine in routines_of(case) if is_variable(routine)} == VARIABLE


@pytest.mark.parametrize("case", VARYING, ids=str)
def test_what_varies_is_an_address_and_no_cycle(case: Case) -> None:
    """So an entry of the list that is not needed is found."""
    rng, cipher = random.Random(str(case)), case.cipher
    image = assembled(case.implementation.image)
    session = Session(lutra.make_engine("iss"))
    first: dict[tuple[str, Look], Trace] = {}
    found: dict[str, Leak] = {}
    for key in inputs(rng, 20, cipher.key_bits // 8):
        session.set_up(cipher, case.direction, key, rng.randbytes(cipher.iv_bytes), case.implementation)
        session.put(rng.randbytes(77 * cipher.streams))
        for routine in sorted(routines_of(case) & VARIABLE):
            for look in (trace, cycles):
                seen = look(session.engine, image, routine)
                if (leaked := leak(first.setdefault((routine, look), seen), seen, image)) is not None:
                    assert (look, leaked.text[:10]) == (trace, "an address")
                    found[routine] = leaked
    assert found.keys() == routines_of(case) & VARIABLE


@LOOKS
def test_a_crc_does_not_depend_on_register_and_message(look: Look, runs: int) -> None:
    rng = random.Random(9)
    session = Session(lutra.make_engine("iss"))
    cipher = catalogue().named("crc-32", "crc")
    image, routine = assembled(cipher.default.image), cipher.default.entries["encrypt"].run
    session.set_up(cipher, "encrypt", b"", bytes(cipher.iv_bytes))
    for length in (2, 77):
        first = None
        for _ in range(runs):
            session.restart(rng.randbytes(cipher.iv_bytes))
            session.put(rng.randbytes(length))
            seen = look(session.engine, image, routine)
            first = first or seen
            assert leak(first, seen, image) is None


@pytest.mark.parametrize("access", ["mov v1, m1[ar0]", "aesencl v1, v1, m0[ar0]", "mov m1[ar0], v1", "mov t0[ar0], v1"])
def test_an_address_made_of_a_secret_is_seen(access: str) -> None:
    """Though no cycle depends on it."""
    engine = lutra.make_engine("iss")
    image = lutra.assemble_text(f"start: vtoar ar0, m2[0], 7\n{access}\nhalt")
    engine.load(image)
    seen = []
    for secret in (0x10, 0x20):
        engine.write("m2", 0, secret.to_bytes(16, "big"))
        seen.append([look(engine, image, "start") for look in (trace, cycles)])
    found = leak(seen[0][0], seen[1][0], image)
    assert found is not None
    assert (found.line, found.text) == (1, "an address depends on key, IV or data: vtoar ar0, m2[0], 7")
    assert leak(seen[0][1], seen[1][1], image) is None


@pytest.mark.parametrize("late", [0, 1])
def test_time_that_depends_on_whether_a_tag_is_right_is_seen(late: int) -> None:
    case = next(c for c in IMPLEMENTATIONS if c.verdict and c.cipher.name == "aes-128-gcm")
    verdicts = set()

    def slower(engine: Engine, image: lutra.Image, routine: str) -> Trace:
        ((count, *rest),) = cycles(engine, image, routine)
        accepted = engine.read("m3", 0, 16) == ACCEPTED
        verdicts.add(accepted)
        return [(count + late * accepted, *rest)]

    found = of_case(case, 4, random.Random(1), look=slower, only=[case.verdict])
    assert verdicts == {False, True}
    assert found == {case.verdict: Leak("", 0, "its cycles depend on whether the tag is right") if late else None}
