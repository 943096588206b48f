"""Own ciphers outside of a checkout, in `outside/`, as a user of an installed Lutra has them.

ChaCha20 has blocks of 64 bytes, no tables and no key schedule; SPECK64/128 has blocks of 8 bytes.
"""

from __future__ import annotations

import random
import shutil
from io import BytesIO
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.ciphers import Cipher as Reference
from cryptography.hazmat.primitives.ciphers import algorithms

import lutra
from lutra.firmware import bench, crypt, kat
from lutra.firmware.ciphers import Cipher, Direction
from lutra.firmware.manifest import Catalogue, assembled, catalogue_with
from lutra.firmware.session import Session
from lutra.iss.engine import EngineName
from support.effects import stores, written
from support.headers import FIELDS, NEEDED, Header, headers

HERE = Path(__file__).parent / "outside"
NAMES = sorted(p.name for p in HERE.iterdir())
ROUTINES = ["chacha20", "speck128_key_encrypt", "speck128_ecb_encrypt", "speck128_ecb_decrypt"]


@pytest.fixture(params=NAMES)
def folder(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """A copy of an own cipher far from the checkout."""
    name: str = request.param
    return shutil.copytree(HERE / name, tmp_path / name)


def own(name: str) -> Cipher:
    (cipher,) = catalogue_with([HERE / name]).own
    return cipher


def crypted(name: str, direction: Direction, key: bytes, iv: bytes, data: bytes, engine: EngineName = "iss") -> bytes:
    """A message through own firmware."""
    cipher, session = own(name), Session(lutra.make_engine(engine))
    session.set_up(cipher, direction, key, iv)
    return b"".join(crypt.stream(session, cipher, direction, BytesIO(data)))


def speck(key: bytes, block: bytes) -> bytes:
    """SPECK64/128 as in its paper: words of 32 bits, 27 rounds."""

    def step(x: int, y: int, k: int) -> tuple[int, int]:
        x = ((x >> 8 | x << 24) + y & 0xFFFFFFFF) ^ k
        return x, (y << 3 & 0xFFFFFFFF | y >> 29) ^ x

    words = [int.from_bytes(key[at : at + 4], "big") for at in range(0, 16, 4)]
    k, expansion = words[3], words[2::-1]
    x, y = int.from_bytes(block[:4], "big"), int.from_bytes(block[4:], "big")
    for i in range(27):
        x, y = step(x, y, k)
        new, k = step(expansion.pop(0), k, i)
        expansion.append(new)
    return x.to_bytes(4, "big") + y.to_bytes(4, "big")


@pytest.mark.parametrize("engine", ["iss", "cosim"])
def test_known_answers_of_own_ciphers_come_out(engine: EngineName, folder: Path) -> None:
    known = catalogue_with([folder])
    (vectors,) = folder.glob("*.json")
    report = kat.run(Session(lutra.make_engine(engine)), known, kat.read(vectors, known))
    assert report.good
    assert not report.skipped
    assert report.passed == {"chacha20": 8, "speck": 3}[folder.name]


@pytest.mark.parametrize("size", [0, 1, 16, 63, 64, 65, 127, 4095, 4096, 4097, 8191, 10_000])
def test_chacha20_is_openssls_at_any_length(size: int) -> None:
    rng = random.Random(size)
    key, iv, data = rng.randbytes(32), rng.randbytes(3) + b"\0" + rng.randbytes(12), rng.randbytes(size)
    expected = Reference(algorithms.ChaCha20(key, iv), None).encryptor().update(data)
    assert crypted("chacha20", "encrypt", key, iv, data) == expected
    assert crypted("chacha20", "decrypt", key, iv, expected) == data


def test_chacha20_is_openssls_in_lock_step() -> None:
    rng = random.Random(20)
    key, iv, data = rng.randbytes(32), b"\xff\xff\xff\0" + rng.randbytes(12), rng.randbytes(4500)
    expected = Reference(algorithms.ChaCha20(key, iv), None).encryptor().update(data)
    assert crypted("chacha20", "encrypt", key, iv, data, "cosim") == expected


@pytest.mark.parametrize("blocks", [0, 1, 2, 3, 17, 511, 512, 513, 1100])
def test_speck_is_its_model_at_any_number_of_blocks(blocks: int) -> None:
    rng = random.Random(blocks)
    key, data = rng.randbytes(16), rng.randbytes(8 * blocks)
    expected = b"".join(speck(key, data[at : at + 8]) for at in range(0, len(data), 8))
    assert crypted("speck", "encrypt", key, b"", data) == expected
    assert crypted("speck", "decrypt", key, b"", expected) == data


@pytest.mark.parametrize("engine", ["iss", "rtl", "cosim"])
def test_bench_counts_cycles_by_own_units(engine: EngineName) -> None:
    (found,) = bench.measure([own("chacha20")], engine)
    assert (found.unit, found.units, found.steady) == ("64-byte block", 64, 418.0)
    assert (found.tables, found.key_schedule, found.literature) == (0, 0, None)
    encryption, decryption = bench.measure([own("speck")], engine)
    assert (encryption.unit, encryption.units, encryption.steady) == ("8-byte block", 512, 110.0)
    assert (decryption.variant, decryption.steady) == ("pairs-decrypt", 164.0)
    assert (encryption.tables, encryption.key_schedule) == (0, 311)


def header_of(routine: str) -> Header:
    (header,) = (h for file in HERE.glob("*/*.s") for h in headers(file) if routine in h.names)
    return header


def image_of(routine: str) -> tuple[Cipher, lutra.Image]:
    cipher = own("chacha20" if routine == "chacha20" else "speck")
    return cipher, assembled(cipher.default.image)


@pytest.mark.parametrize("routine", ROUTINES)
def test_headers_say_what_the_simulator_sees(routine: str) -> None:
    header = header_of(routine)
    assert [f for f in FIELDS if f in header.fields] == list(header.fields)
    assert set(NEEDED) <= set(header.fields)
    cipher, image = image_of(routine)
    direction: Direction = "decrypt" if routine.endswith("decrypt") else "encrypt"
    registers, rows = set(), set()
    for n in (1, 2, 3, 4, 7, 64):
        session = Session(lutra.make_engine("iss"))
        session.set_up(cipher, direction, random.Random(n).randbytes(cipher.key_bits // 8), bytes(cipher.iv_bytes))
        session.put(random.Random(n).randbytes(n * cipher.unit_bytes))
        session.engine.start(image.symbol(routine).value)
        for record in session.engine.records():
            registers |= written(record)
            rows |= set(stores(record, session._ready().image))
        assert session.engine.stop().cycles == header.cycles(routine, n, image)
    assert registers == header.clobbers(routine)
    text = header.fields["Outputs"] + header.fields.get("Memory", "")
    assert not [row for row in rows if row[0] not in text and row[1] not in text]


@pytest.mark.parametrize("routine", ROUTINES)
@pytest.mark.parametrize("tail", [0, 5])
def test_time_and_addresses_of_own_routines_do_not_depend_on_secrets(routine: str, tail: int) -> None:
    cipher, image = image_of(routine)
    rng = random.Random(routine)
    session = Session(lutra.make_engine("iss"))
    seen = set()
    for _ in range(20):
        session.set_up(cipher, "encrypt", rng.randbytes(cipher.key_bits // 8), rng.randbytes(cipher.iv_bytes))
        session.put(rng.randbytes(3 * cipher.unit_bytes + (tail if cipher.partial else 0)))
        session.engine.start(image.symbol(routine).value)
        addresses = ("key_address", "data_address", "store_space", "store_address", "ar_value")
        seen.add(repr([(r.cycle, r.pc, *map(r.fields.get, addresses)) for r in session.engine.records()]))
        session.engine.stop()
    assert len(seen) == 1


def test_own_and_installed_ciphers_share_a_session() -> None:
    known: Catalogue = catalogue_with([HERE / "chacha20", HERE / "speck"])
    session = Session(lutra.make_engine("iss"))
    zeros = bytes(64)
    for _ in range(2):
        found = []
        for name in ("chacha20", "aes-128-ecb", "speck-128-ecb", "crc-32", "zuc-128"):
            cipher = known.cipher(name)
            session.set_up(cipher, "encrypt", bytes(cipher.key_bits // 8), bytes(cipher.iv_bytes))
            found.append(session.job(zeros).hex())
        assert found[0].startswith("76b8e0ada0f13d90405d6ae55386bd28")
        assert found[1].startswith("66e94bd4ef8a2c3b884cfa59ca342b2e")
        assert found[2] == 8 * speck(bytes(16), bytes(8)).hex()
        assert found[4].startswith("27bede74018082da87d4e5b69f18bf66")
