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
from lutra.firmware.errors import FirmwareError
from lutra.iss.retire import Record
from support.headers import headers

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
def engine() -> lutra.Engine:
    return lutra.make_engine("cosim")


def bitwise(a: crc.Algorithm, message: bytes) -> int:
    """The definition: bit by bit, nothing sliced."""

    def reflect(value: int, bits: int) -> int:
        return int(f"{value:0{bits}b}"[::-1], 2)

    register = a.init
    for byte in message:
        register ^= (reflect(byte, 8) if a.refin else byte) << (a.width - 8)
        for _ in range(8):
            carry = register >> (a.width - 1)
            register = (register << 1 ^ (a.poly if carry else 0)) & ((1 << a.width) - 1)
    return (reflect(register, a.width) if a.refout else register) ^ a.xorout


def test_check_values() -> None:
    assert {name: crc.checksum(name, CHECK, "cosim") for name in crc.ALGORITHMS} == VALUES


@pytest.mark.parametrize("length", [*range(26), 100, 4071, 4072, 4073, 9001])
def test_any_length(length: int) -> None:
    message = random.Random(length).randbytes(length)
    assert crc.of_pieces(crc.algorithm("crc-32"), [message], engine()) == zlib.crc32(message)


@pytest.mark.parametrize("seed", range(40))
def test_any_polynomial(seed: int) -> None:
    rng = random.Random(seed)
    width = rng.randint(8, 32)
    poly, init, xorout = (rng.getrandbits(width) for _ in range(3))
    a = crc.Algorithm("random", width, poly | 1, init, rng.random() < 0.5, rng.random() < 0.5, xorout)
    message = rng.randbytes(rng.randint(0, 60))
    assert crc.of_pieces(a, [message], engine()) == bitwise(a, message)


def test_a_message_in_pieces() -> None:
    rng = random.Random(8)
    pieces = [rng.randbytes(rng.randint(0, 20)) for _ in range(50)]
    for name in ("crc-32", "crc-24a", "crc-16"):
        a = crc.algorithm(name)
        assert crc.of_pieces(a, pieces, engine()) == bitwise(a, b"".join(pieces))


def shared() -> list[dict[str, Any]]:
    root = Path(os.environ.get("LUTRA_VECTORS", Path(__file__).parents[3] / "shared/vectors"))
    return [test for path in sorted((root / "crc").glob("*.json")) for test in json.loads(path.read_text())["tests"]]


@pytest.mark.parametrize("test", shared(), ids=lambda t: t["id"])
def test_vector_of_the_collection(test: dict[str, Any]) -> None:
    number = {k: int(test[k], 16) if isinstance(test[k], str) else test[k] for k in ("poly", "init", "xorout", "crc")}
    parameters = test["id"], test["width"], number["poly"], number["init"], test["refin"], test["refout"]
    if not 8 <= test["width"] <= 32:
        with pytest.raises(FirmwareError, match="8 to 32"):
            crc.Algorithm(*parameters, number["xorout"])
        return
    a = crc.Algorithm(*parameters, number["xorout"])
    assert crc.of_pieces(a, [bytes.fromhex(test["message"])], engine()) == number["crc"]


def test_sixty_four_bits_a_cycle_and_what_the_header_says() -> None:
    header = headers(Path(__file__).parents[2] / "firmware/crc/crc.s")[0]
    session = crc.Session(lutra.make_engine("iss"), crc.algorithm("crc-32"))
    for length in (8, 800, 4072):
        before = session.cycles
        session.update(bytes(length))
        assert session.cycles - before == header.cycles("crc", length)
    assert session.cycles - before <= 1.05 * crc.JOB_BYTES / 8


def test_clobbers() -> None:
    session = crc.Session(lutra.make_engine("iss"), crc.algorithm("crc-32"))
    written: set[str] = set()
    for length in (2, 3, 8, 9):
        session.update(bytes(length))
        session.engine.start(0)
        for record in session.engine.records():
            written |= registers(record)
    assert written == headers(Path(__file__).parents[2] / "firmware/crc/crc.s")[0].clobbers


def registers(record: Record) -> set[str]:
    names = {f"ar{n}" for n in record.raw.get("ar", {})}
    if "rd" in record.raw:
        names.add(f"v{record.raw['rd'][0]}")
    return names | {"c0" for key in record.raw if key.startswith("context")}


def test_unknown_name_suggests_the_nearest() -> None:
    with pytest.raises(FirmwareError, match="did you mean crc-"):
        crc.checksum("crc-32d", b"")
