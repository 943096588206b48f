"""ZUC-256 of any length against a model written from its specification, job by job."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest

import lutra
from lutra.firmware import crypt, kat, mac
from lutra.firmware.errors import InputError
from lutra.firmware.manifest import catalogue
from lutra.firmware.session import Session
from lutra.iss.engine import EngineName
from models import zuc256
from models.lanes import xor

VECTORS = Path(__file__).parents[1] / "vectors"
JOB = 8 * 4096
TAGS = (32, 64, 128)
Keystream = Callable[[bytes, bytes, int], bytes]
TWO: list[tuple[str, Keystream, int]] = [
    ("zuc-256-x2", zuc256.keystream, 25),
    ("zuc-256-nea6-x2", zuc256.keystream_3gpp, 16),
]
# Around the words of 32 bits and the rows of 128; then any, and around the jobs.
NEAR = [n for edge in (0, 32, 64, 96, 128, 256) for n in range(edge - 2, edge + 3) if n >= 0]
ANY = random.Random(256).sample(range(2000), 6)
JOBS = [JOB - 1, JOB, JOB + 1, JOB + 65, 2 * JOB + 127]


@cache
def session() -> Session:
    return Session(lutra.make_engine("cosim"))


def inputs(name: str) -> tuple[bytes, bytes, random.Random]:
    """Random key and IV, all bits of whose six-bit bytes are used."""
    rng = random.Random(name)
    return rng.randbytes(32), rng.randbytes(25), rng


@pytest.mark.parametrize("engine", ["iss", "cosim"])
@pytest.mark.parametrize("size", [0, 1, 3, 4, 15, 16, 17, 60, 4095, 4096, 4097, 9000])
def test_a_zuc256_stream_of_any_size_is_that_of_its_model(size: int, engine: EngineName) -> None:
    key, iv, rng = inputs(f"{size}")
    data = rng.randbytes(size)
    encrypted = crypt.encrypt("zuc-256", key, data, iv=iv, engine=engine)
    assert encrypted == xor(data, zuc256.keystream(key, iv, size))
    assert crypt.decrypt("zuc-256", key, encrypted, iv=iv) == data


@pytest.mark.parametrize("engine", ["iss", "cosim"])
@pytest.mark.parametrize("size", [0, 32, 40, 4096, 9000])
@pytest.mark.parametrize(("name", "keystream", "iv_bytes"), TWO)
def test_rows_of_two_zuc256_streams_are_interleaved(
    name: str, keystream: Keystream, iv_bytes: int, size: int, engine: EngineName
) -> None:
    key, _, rng = inputs(f"{name} {size}")
    iv, data = rng.randbytes(2 * iv_bytes), rng.randbytes(size)
    z = [keystream(key, part, size + 16) for part in (iv[:iv_bytes], iv[iv_bytes:])]
    rows = b"".join(z[n % 2][16 * (n // 2) : 16 * (n // 2) + 16] for n in range(-(-size // 16)))[:size]
    assert crypt.encrypt(name, key, data, iv=iv, engine=engine) == xor(data, rows)


def test_each_byte_of_key_and_iv_has_its_place_in_zuc256() -> None:
    """One byte set at a time: two that were exchanged would show."""
    for at in range(57):
        both = bytes(at) + b"\x35" + bytes(56 - at)
        key, iv = both[:32], both[32:]
        assert crypt.encrypt("zuc-256", key, bytes(8), iv=iv) == zuc256.keystream(key, iv, 8), at


def test_two_bits_of_a_six_bit_byte_do_not_count() -> None:
    key, iv, _ = inputs("six")
    six = iv[:17] + bytes(x & 0x3F for x in iv[17:])
    assert six != iv
    assert crypt.encrypt("zuc-256", key, bytes(8), iv=six) == crypt.encrypt("zuc-256", key, bytes(8), iv=iv)


@pytest.mark.parametrize("bits", [*NEAR, *ANY, *JOBS])
@pytest.mark.parametrize("tag_bits", TAGS)
def test_zuc256_macs_of_any_number_of_bits_agree_with_their_model(tag_bits: int, bits: int) -> None:
    """Bits after the message do not count, and neither does what the job before has left."""
    key, iv, rng = inputs(f"{tag_bits} {bits}")
    message = rng.randbytes((bits + 7) // 8 + 3)
    got = mac.tag(session(), catalogue().cipher(f"zuc-256-mac-{tag_bits}"), key, message, bits, iv)
    assert got == zuc256.mac(key, iv, tag_bits, message, bits)


@pytest.mark.parametrize("tag_bits", TAGS)
def test_nothing_but_the_zuc256_mac_comes_out(tag_bits: int) -> None:
    """The rest of its row would be sums of other windows of the keystream."""
    key, iv, rng = inputs("rest")
    mac.tag(session(), catalogue().cipher(f"zuc-256-mac-{tag_bits}"), key, rng.randbytes(99), None, iv)
    assert not any(session().engine.read("m3", tag_bits // 8, 16 - tag_bits // 8))


def test_a_shorter_zuc256_mac_is_no_part_of_a_longer_one() -> None:
    key, iv, _ = inputs("part")
    tags = [mac.mac(f"zuc-256-mac-{n}", key, b"otter", iv=iv) for n in TAGS]
    assert [len(tag) for tag in tags] == [4, 8, 16]
    assert len({tag[:4] for tag in tags}) == 3


def test_a_vector_goes_to_the_mac_with_tags_of_its_length(tmp_path: Path) -> None:
    """One of a length that no MAC has is not served, though algorithm and mode are."""
    given = json.loads((VECTORS / "zuc_256_mac.json").read_text())
    vectors = [v for v in kat.read(VECTORS / "zuc_256_mac.json", catalogue()) if isinstance(v, kat.Vector)]
    served = [catalogue().serving(v.algorithm, v.mode, 256) for v in vectors]
    assert [cipher and cipher.tag_bits for cipher in served] == [test["mac_bits"] for test in given["tests"]]
    given["tests"][0]["mac_bits"] = 96
    (tmp_path / "v.json").write_text(json.dumps(given))
    report = kat.run(session(), catalogue(), kat.read(tmp_path / "v.json", catalogue()))
    assert (report.passed, report.failed, report.skipped) == (len(given["tests"]) - 1, 0, 1)


def test_a_mac_with_an_iv_needs_it_and_others_take_none() -> None:
    with pytest.raises(InputError, match="zuc-256-mac-64 needs an iv of 25 bytes"):
        mac.mac("zuc-256-mac-64", bytes(32), b"")
    with pytest.raises(InputError, match="aes-128-cmac does not take an iv; leave it out"):
        mac.mac("aes-128-cmac", bytes(16), b"", iv=bytes(16))
    with pytest.raises(InputError, match="128-eia3 derives its iv from its other inputs; leave iv out"):
        mac.mac("128-eia3", bytes(16), b"", iv=bytes(16), count=0, bearer=0, direction=0)
