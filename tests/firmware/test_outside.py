"""Own ciphers outside of a checkout, in `outside/`, as a user of an installed Lutra has them.

Salsa20 has blocks of 64 bytes, no tables and no key schedule; SPECK64/128 has blocks of 8 bytes.
"""

from __future__ import annotations

import random
import shutil
import struct
from collections import Counter
from io import BytesIO
from pathlib import Path

import pytest

import lutra
from lutra.firmware import bench, crypt, kat, testing
from lutra.firmware.ciphers import Cipher, Direction
from lutra.firmware.manifest import Catalogue, catalogue_with
from lutra.firmware.session import Session
from lutra.iss.engine import EngineName
from models.lanes import xor

HERE = Path(__file__).parent / "outside"
NAMES = sorted(p.name for p in HERE.iterdir())


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


def salsa20(key: bytes, iv: bytes, size: int) -> bytes:
    """Keystream of Salsa20 as in its paper; iv: nonce and first block number."""
    words = struct.unpack("<8I", key), struct.unpack("<2I", iv[:8]), struct.unpack("<4I", b"expand 32-byte k")
    (k, nonce, c), number = words, int.from_bytes(iv[8:], "little")
    out = b""
    while len(out) < size:
        count = number & 0xFFFFFFFF, number >> 32
        start = [c[0], *k[:4], c[1], *nonce, *count, c[2], *k[4:], c[3]]
        x = list(start)
        for i in range(20):
            for j in range(4):  # of columns or rows, beginning on the diagonal
                at = [(5 * j + 4 * n) % 16 if i % 2 == 0 else 4 * j + (j + n) % 4 for n in range(4)]
                for to, one, two, left in ((1, 0, 3, 7), (2, 1, 0, 9), (3, 2, 1, 13), (0, 3, 2, 18)):
                    total = x[at[one]] + x[at[two]] & 0xFFFFFFFF
                    x[at[to]] ^= (total << left | total >> 32 - left) & 0xFFFFFFFF
        out += struct.pack("<16I", *(a + b & 0xFFFFFFFF for a, b in zip(x, start, strict=True)))
        number = number + 1 & (1 << 64) - 1
    return out[:size]


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
    assert report.passed == {"salsa20": 8, "speck": 3}[folder.name]


@pytest.mark.parametrize("size", [0, 1, 16, 63, 64, 65, 127, 4095, 4096, 4097, 8191, 10_000])
def test_salsa20_is_its_model_at_any_length(size: int) -> None:
    rng = random.Random(size)
    key, iv, data = rng.randbytes(32), rng.randbytes(16), rng.randbytes(size)
    expected = xor(data, salsa20(key, iv, size))
    assert crypted("salsa20", "encrypt", key, iv, data) == expected
    assert crypted("salsa20", "decrypt", key, iv, expected) == data


@pytest.mark.parametrize("bits", [32, 64])
def test_salsa20_is_its_model_in_lock_step_and_where_its_counter_carries(bits: int) -> None:
    rng = random.Random(20)
    key, iv, data = rng.randbytes(32), rng.randbytes(8) + ((1 << bits) - 3).to_bytes(8, "little"), rng.randbytes(4500)
    assert crypted("salsa20", "encrypt", key, iv, data, "cosim") == xor(data, salsa20(key, iv, 4500))


@pytest.mark.parametrize("blocks", [0, 1, 2, 3, 17, 511, 512, 513, 1100])
def test_speck_is_its_model_at_any_number_of_blocks(blocks: int) -> None:
    rng = random.Random(blocks)
    key, data = rng.randbytes(16), rng.randbytes(8 * blocks)
    expected = b"".join(speck(key, data[at : at + 8]) for at in range(0, len(data), 8))
    assert crypted("speck", "encrypt", key, b"", data) == expected
    assert crypted("speck", "decrypt", key, b"", expected) == data


@pytest.mark.parametrize("engine", ["iss", "rtl", "cosim"])
def test_bench_counts_cycles_by_own_units(engine: EngineName) -> None:
    (found,) = bench.measure([own("salsa20")], engine)
    assert (found.unit, found.units, found.steady) == ("64-byte block", 64, 685.0)
    assert (found.tables, found.key_schedule, found.literature) == (0, 0, None)
    encryption, decryption = bench.measure([own("speck")], engine)
    assert (encryption.unit, encryption.units, encryption.steady) == ("8-byte block", 512, 123.5)
    assert (decryption.variant, decryption.steady) == ("pairs-decrypt", 164.0)
    assert (encryption.tables, encryption.key_schedule) == (0, 339)


@pytest.mark.parametrize("engine", ["iss", "cosim"])
def test_headers_time_and_vectors_of_own_ciphers_pass(engine: EngineName, folder: Path) -> None:
    """As `lutra test -Werror` does."""
    report = testing.run(testing.find([folder]), testing.Options(engine, rounds=(1, 2), strict=True))
    assert [c for c in report.checks if c.state != "passed"] == []
    kinds = [c.kind for c in report.checks]
    tests, routines = {"salsa20": (8, 1), "speck": (3, 3)}[folder.name]
    assert Counter(kinds) == {"assembly": 1, "header": routines, "time": 2 * routines, "vector": 2 * tests}


def test_own_and_installed_ciphers_share_a_session() -> None:
    known: Catalogue = catalogue_with([HERE / "salsa20", HERE / "speck"])
    session = Session(lutra.make_engine("iss"))
    zeros = bytes(64)
    for _ in range(2):
        found = []
        for name in ("salsa20", "aes-128-ecb", "speck-128-ecb", "crc-32", "zuc-128"):
            cipher = known.cipher(name)
            session.set_up(cipher, "encrypt", bytes(cipher.key_bits // 8), bytes(cipher.iv_bytes))
            found.append(session.job(zeros).hex())
        assert found[0] == salsa20(bytes(32), bytes(16), 64).hex()
        assert found[1].startswith("66e94bd4ef8a2c3b884cfa59ca342b2e")
        assert found[2] == 8 * speck(bytes(16), bytes(8)).hex()
        assert found[4].startswith("27bede74018082da87d4e5b69f18bf66")
