"""128-EIA1, UIA2 and 128-EIA3 of any length against models written from the standards."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import lutra
from lutra.firmware import lte, mac
from lutra.firmware.errors import FirmwareError
from lutra.firmware.manifest import catalogue
from lutra.firmware.session import Session
from models import snow3g, zuc

VECTORS = Path(__file__).parents[1] / "vectors"
JOB = 8 * 4096
MODELS: dict[str, Callable[..., bytes]] = {"128-eia1": snow3g.eia1, "uia2": snow3g.f9, "128-eia3": zuc.eia3}
# Around the words of 32 bits, the blocks of 64, the rows of 128; then any.
NEAR = [n for edge in (0, 32, 64, 96, 128, 192, 256) for n in range(edge - 2, edge + 3) if n >= 0]
ANY = random.Random(33401).sample(range(2000), 10)
JOBS = [JOB - 64, JOB - 1, JOB, JOB + 1, JOB + 65, 2 * JOB, 2 * JOB + 127]


@cache
def session() -> Session:
    return Session(lutra.make_engine("cosim"))


def inputs(name: str, rng: random.Random) -> dict[str, int]:
    """Random ones."""
    return {i: rng.getrandbits(lte.WIDTHS[i]) for i in lte.FORMS[catalogue().cipher(name).lte].inputs}


@pytest.mark.parametrize("bits", [*NEAR, *ANY, *JOBS])
@pytest.mark.parametrize("name", MODELS)
def test_lte_macs_of_any_number_of_bits_agree_with_their_models(name: str, bits: int) -> None:
    """Bits after the message do not count, and neither does what the job before has left."""
    rng = random.Random(f"{name} {bits}")
    algorithm = catalogue().cipher(name)
    key, message, given = rng.randbytes(16), rng.randbytes((bits + 7) // 8 + 3), inputs(name, rng)
    before = lte.initial_vector(algorithm.lte, **given)
    got = mac.tag(session(), algorithm, key, message, bits, before)
    assert got == MODELS[name](key, *given.values(), message, bits)


@pytest.mark.parametrize("name", MODELS)
def test_nothing_but_the_mac_comes_out(name: str) -> None:
    """The rest of its row would be keystream, or more of the polynomial's value."""
    message, given = bytes(range(99)), inputs(name, random.Random(name))
    algorithm = catalogue().cipher(name)
    mac.tag(session(), algorithm, bytes(16), message, None, lte.initial_vector(algorithm.lte, **given))
    assert session().engine.read("m3", 4, 12) == bytes(12)


@pytest.mark.parametrize("name", MODELS)
@pytest.mark.parametrize("other", ["key", "message", "bits", "count", "direction", "third"])
def test_every_input_changes_the_mac(name: str, other: str) -> None:
    rng = random.Random(f"{name} {other}")
    key, message, given = rng.randbytes(16), rng.randbytes(30), inputs(name, rng)
    tag = mac.mac(name, key, message, 237, "iss", b"", None, **given)
    changed: dict[str, Any] = {"key": key, "message": message, "bits": 237} | given
    place = list(given)[1] if other == "third" else other
    value = changed[place]
    changed[place] = value ^ 1 if isinstance(value, int) else bytes([value[0] ^ 1]) + value[1:]
    text, bits = changed.pop("message"), changed.pop("bits")
    assert mac.mac(name, changed.pop("key"), text, bits, "iss", **changed) != tag


def test_a_message_longer_than_the_length_field_is_refused() -> None:
    message = bytes(2**29)  # never touched
    for name in MODELS:
        with pytest.raises(FirmwareError, match=f"{name} takes messages of up to 4294967295 bits, not of 4294967296"):
            mac.tag(session(), catalogue().cipher(name), bytes(16), message, before=bytes(16))


@pytest.mark.parametrize(
    ("form", "given", "text"),
    [
        ("eia1", {"count": 0, "fresh": 0, "direction": 0}, "eia1 takes count, bearer, direction, not count, fresh"),
        ("uia2", {"count": 0, "direction": 0}, "uia2 takes count, fresh, direction, not count, direction"),
        ("eia3", {}, "not nothing"),
        ("uia2", {"count": 0, "fresh": 1 << 32, "direction": 0}, "count has 32 bits, fresh has 32 bits, direction"),
        ("eia3", {"count": 0, "bearer": 32, "direction": 0}, "bearer has 5 bits"),
    ],
)
def test_inputs_of_another_form_are_refused(form: str, given: dict[str, int], text: str) -> None:
    with pytest.raises(ValueError, match=text):
        lte.initial_vector(form, **given)


@pytest.mark.parametrize(
    ("file", "name"),
    [("snow3g_eia1_ts33401", "128-eia1"), ("snow3g_uia2_ts35217", "uia2"), ("zuc_eia3_ts35223", "128-eia3")],
)
def test_the_models_of_lte_macs_meet_the_standards_examples(file: str, name: str) -> None:
    """Held to the examples of the standards, as the firmware is in test_known_answers.py."""
    tests = json.loads((VECTORS / f"{file}.json").read_text())["tests"]
    assert tests
    for test in tests:
        third = test["bearer"] if "bearer" in test else int(test["fresh"], 16)
        key, message = bytes.fromhex(test["key"]), bytes.fromhex(test["message"])
        got = MODELS[name](key, int(test["count"], 16), third, test["direction"], message, test["length_bits"])
        assert got.hex() == test["mac"], test["id"]
