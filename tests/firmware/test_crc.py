"""CRCs on simulator and core in lock-step against the catalogue's check values, zlib and a bitwise model."""

from __future__ import annotations

import json
import os
import random
import zlib
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import lutra
from lutra.firmware import crc
from lutra.firmware.ciphers import Cipher
from lutra.firmware.errors import FirmwareError
from lutra.firmware.manifest import catalogue
from lutra.firmware.polynomial import Polynomial
from lutra.firmware.session import Session

CHECK = b"123456789"
# Check values of the catalogue of parametrised CRC algorithms.
VALUES = {
    "crc-32": 0xCBF43926,
    "crc-32c": 0xE3069283,
    "crc-24a": 0xCDE703,
    "crc-16": 0x31C3,
    "crc-16-arc": 0xBB3D,
    "crc-16-ibm-3740": 0x29B1,
}


@cache
def session() -> Session:
    """One for all tests: image and tables stay as far as they are right."""
    return Session(lutra.make_engine("cosim"))


def named(name: str) -> Cipher:
    return catalogue().named(name, "crc")


def bitwise(a: Polynomial, message: bytes) -> int:
    """The definition: bit by bit, nothing sliced."""
    register = a.init
    for byte in message:
        for bit in f"{byte:08b}"[:: -1 if a.refin else 1]:
            carry = register >> (a.width - 1) ^ int(bit)
            register = (register << 1 ^ (a.poly if carry else 0)) & ((1 << a.width) - 1)
    return (int(f"{register:0{a.width}b}"[::-1], 2) if a.refout else register) ^ a.xorout


def test_check_values_are_those_of_the_catalogue() -> None:
    assert {name: crc.checksum(name, CHECK, "cosim") for name in crc.names()} == VALUES


@pytest.mark.parametrize("length", [*range(26), 100, 4071, 4072, 4073, 9001])
def test_crc_32_of_any_length_is_that_of_zlib(length: int) -> None:
    message = random.Random(length).randbytes(length)
    assert crc.of_pieces(session(), named("crc-32"), [message]) == zlib.crc32(message)


@pytest.mark.parametrize("seed", range(40))
def test_any_polynomial_agrees_with_the_bitwise_model(seed: int) -> None:
    rng = random.Random(seed)
    width = seed + 1 if seed < 7 else rng.randint(8, 32)
    poly, init, xorout = (rng.getrandbits(width) for _ in range(3))
    a = Polynomial(width, poly | 1, init, rng.random() < 0.5, rng.random() < 0.5, xorout)
    message = rng.randbytes(rng.randint(0, 60))
    assert crc.of_pieces(session(), crc.of("random", a), [message]) == bitwise(a, message)


def test_pieces_have_the_crc_of_the_whole_message() -> None:
    rng = random.Random(8)
    pieces = [rng.randbytes(rng.randint(0, 20)) for _ in range(50)]
    for name in ("crc-32", "crc-24a", "crc-16"):
        algorithm = named(name)
        assert algorithm.polynomial is not None
        assert crc.of_pieces(session(), algorithm, pieces) == bitwise(algorithm.polynomial, b"".join(pieces))


def shared() -> list[dict[str, Any]]:
    root = Path(os.environ.get("LUTRA_VECTORS", Path(__file__).parents[3] / "shared/vectors"))
    return [test for path in sorted((root / "crc").glob("*.json")) for test in json.loads(path.read_text())["tests"]]


WITHOUT = pytest.mark.skipif(not shared(), reason="no collection of vectors (LUTRA_VECTORS)")


@WITHOUT
@pytest.mark.parametrize("test", shared() or [{"id": "none"}], ids=lambda t: t["id"])
def test_a_vector_of_the_collection_is_met_or_its_width_refused(test: dict[str, Any]) -> None:
    number = {k: int(test[k], 16) if isinstance(test[k], str) else test[k] for k in ("poly", "init", "xorout", "crc")}
    parameters = test["width"], number["poly"], number["init"], test["refin"], test["refout"]
    if test["width"] > 32:
        with pytest.raises(FirmwareError, match="1 to 32"):
            Polynomial(*parameters, number["xorout"])
        return
    algorithm = crc.of(test["id"], Polynomial(*parameters, number["xorout"]))
    assert crc.of_pieces(session(), algorithm, [bytes.fromhex(test["message"])]) == number["crc"]


def test_crc_takes_64_bits_per_cycle() -> None:
    session = Session(lutra.make_engine("iss"))
    crc.of_pieces(session, named("crc-32"), [bytes(session_bytes := named("crc-32").default.image.job_bytes)])
    assert session.usage.jobs == 1
    assert session.usage.cycles <= 1.05 * session_bytes / 8


def test_an_unknown_crc_suggests_the_nearest() -> None:
    with pytest.raises(FirmwareError, match="did you mean crc-"):
        crc.checksum("crc-32d", b"")
