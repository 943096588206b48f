"""ChaCha20 and RC4 of any length against an independent implementation, that of the package `cryptography`."""

from __future__ import annotations

import random
from io import BytesIO

import pytest
from cryptography.hazmat.decrepit.ciphers.algorithms import ARC4
from cryptography.hazmat.primitives.ciphers import Cipher as Library
from cryptography.hazmat.primitives.ciphers.algorithms import ChaCha20

import lutra
from lutra.firmware import crypt
from lutra.firmware.ciphers import Cipher, Implementation
from lutra.firmware.manifest import assembled
from lutra.firmware.needs import of_image
from lutra.firmware.session import Session
from lutra.iss.engine import EngineName
from support.firmware import EVERYTHING
from support.sessions import session, through

CHACHA = [EVERYTHING.cipher(name) for name in ("chacha20", "chacha20-original")]
# Every cipher with every image that serves it.
CHACHA_IMAGES = [pytest.param(c, i, id=f"{c.name}-{i.image.name}") for c in CHACHA for i in c.implementations]
RC4 = [cipher for cipher in EVERYTHING.ciphers if cipher.name.startswith("rc4-") and cipher.streams == 1]
# A job of ChaCha20 has 4096 bytes, one of RC4 4080.
SIZES = (0, 1, 2, 15, 16, 17, 63, 64, 65, 127, 4079, 4080, 4081, 4095, 4096, 4097, 8191, 12_289)


def of_library(cipher: Cipher, key: bytes, iv: bytes, data: bytes) -> bytes:
    return Library(ChaCha20(key, iv) if iv else ARC4(key), None).encryptor().update(data)


@pytest.mark.parametrize("size", [*SIZES, *(random.Random(84).randrange(20_000) for _ in range(4))])
@pytest.mark.parametrize("cipher", [*CHACHA, *RC4], ids=lambda c: c.name)
def test_both_directions_give_the_bytes_of_the_library(cipher: Cipher, size: int) -> None:
    rng = random.Random(f"{cipher.name} {size}")
    key, data = rng.randbytes(cipher.key_bits // 8), rng.randbytes(size)
    # The library refuses a message in which the lower half of the counter ends.
    iv = rng.randbytes(3) + b"\0" + rng.randbytes(12) if cipher.iv_bytes else b""
    expected = of_library(cipher, key, iv, data)
    assert through("iss", cipher, "encrypt", key, iv, data) == expected
    assert through("iss", cipher, "decrypt", key, iv, expected) == data


@pytest.mark.parametrize("size", [0, 1, 63, 64, 65, 128, 191, 192, 193, 4095, 4096, 4097, 8193])
@pytest.mark.parametrize(("cipher", "implementation"), CHACHA_IMAGES)
def test_each_image_of_chacha20_gives_the_bytes_of_the_library(
    cipher: Cipher, implementation: Implementation, size: int
) -> None:
    rng = random.Random(f"{cipher.name} {size}")
    key, iv, data = rng.randbytes(32), rng.randbytes(3) + b"\0" + rng.randbytes(12), rng.randbytes(size)
    expected = of_library(cipher, key, iv, data)
    assert through("iss", cipher, "encrypt", key, iv, data, implementation) == expected


@pytest.mark.parametrize("cipher", CHACHA, ids=lambda c: c.name)
def test_an_image_of_chacha20_runs_where_there_is_one_round(cipher: Cipher) -> None:
    implementation = next(i for i in cipher.implementations if of_image(assembled(i.image)).rounds == 1)
    key, iv, data = bytes(range(32)), b"\1\0\0\0" + bytes(range(12)), random.Random(1).randbytes(4500)
    narrow = Session(lutra.make_engine("cosim", 1))
    narrow.set_up(cipher, "encrypt", key, iv, implementation)
    got = b"".join(crypt.stream(narrow, cipher, "encrypt", BytesIO(data)))
    assert got == of_library(cipher, key, iv, data)


@pytest.mark.parametrize("cipher", CHACHA, ids=lambda c: c.name)
@pytest.mark.parametrize("size", [64, 3 * 64 - 1])
def test_no_keystream_of_another_block_stays(cipher: Cipher, size: int) -> None:
    """Blocks are made in pairs; with an odd number the last one is unused."""
    through("iss", cipher, "encrypt", bytes(32), bytes(16), bytes(size))
    assert not any(session("iss").engine.read("m3", -(-size // 64) * 64, 64))


@pytest.mark.parametrize("cipher", [*CHACHA, RC4[0], RC4[-1]], ids=lambda c: c.name)
def test_the_bytes_are_those_of_the_library_in_lock_step(cipher: Cipher) -> None:
    rng = random.Random(f"lock-step {cipher.name}")
    key, data = rng.randbytes(cipher.key_bits // 8), rng.randbytes(4500)
    iv = b"\xff\xff\xff\0" + rng.randbytes(12) if cipher.iv_bytes else b""
    assert through("cosim", cipher, "encrypt", key, iv, data) == of_library(cipher, key, iv, data)


def test_jobs_of_any_number_of_blocks_are_one_message_of_chacha20() -> None:
    """Odd numbers too, and none."""
    key, iv = bytes(range(32)), bytes(range(16))
    for case in CHACHA_IMAGES:
        cipher, implementation = case.values
        assert isinstance(cipher, Cipher) and isinstance(implementation, Implementation)
        session("cosim").set_up(cipher, "encrypt", key, iv, implementation)
        sizes = (64, 0, 3 * 64, 2 * 64, 64, 5 * 64, 64 + 7)
        got = b"".join(session("cosim").job(bytes(n)) for n in sizes)
        assert got == of_library(cipher, key, iv, bytes(sum(sizes))), case.id


def by_blocks(key: bytes, counter_bytes: int, first: int, nonce: bytes, blocks: int) -> bytes:
    """Keystream made of single blocks, so that it is here that the counter carries or begins anew."""
    counts = ((first + n) % (1 << 8 * counter_bytes) for n in range(blocks))
    return b"".join(of_library(CHACHA[0], key, n.to_bytes(counter_bytes, "little") + nonce, bytes(64)) for n in counts)


@pytest.mark.parametrize("first", [0xFFFFFFFE, 0xFFFFFFFF, 0xFF_FFFFFFFF, 0xFFFFFFFF_00000000 - 64, (1 << 64) - 2])
@pytest.mark.parametrize("implementation", CHACHA[1].implementations, ids=lambda i: i.image.name)
def test_the_counter_of_the_original_form_has_64_bits(implementation: Implementation, first: int) -> None:
    """It carries within a job and from one to the next, and never into the nonce."""
    key, nonce = bytes(range(32)), b"otter 20"
    iv = first.to_bytes(8, "little") + nonce
    got = through("cosim", CHACHA[1], "encrypt", key, iv, bytes(64 * 67), implementation)
    assert got == by_blocks(key, 8, first, nonce, 67)


@pytest.mark.parametrize("first", [0xFFFFFFFE, 0xFFFFFFFF, 0xFFFFFFFF - 63])
@pytest.mark.parametrize("implementation", CHACHA[0].implementations, ids=lambda i: i.image.name)
def test_the_counter_of_rfc_8439_never_carries_into_the_nonce(implementation: Implementation, first: int) -> None:
    key, nonce = bytes(range(32)), b"\xff" * 12
    iv = first.to_bytes(4, "little") + nonce
    got = through("cosim", CHACHA[0], "encrypt", key, iv, bytes(64 * 67), implementation)
    assert got == by_blocks(key, 4, first, nonce, 67)


@pytest.mark.parametrize("cipher", RC4, ids=lambda c: c.name)
def test_rc4_begins_anew_with_each_message(cipher: Cipher) -> None:
    """Its table is what a message leaves of it."""
    key = bytes(range(cipher.key_bits // 8))
    first, second = (through("cosim", cipher, "encrypt", key, b"", bytes(300)) for _ in range(2))
    assert first == second == of_library(cipher, key, b"", bytes(300))


def test_pieces_of_any_size_are_one_message_of_rc4() -> None:
    rng, cipher, data = random.Random(4), EVERYTHING.cipher("rc4-128"), bytes(9000)
    session("iss").set_up(cipher, "encrypt", bytes(16))
    got = b""
    while len(got) < len(data):
        got += session("iss").job(bytes(min(rng.choice([0, 1, 2, 15, 255, 256, 257, 4080]), len(data) - len(got))))
    assert got == of_library(cipher, bytes(16), b"", data)


@pytest.mark.parametrize("engine", ["iss", "cosim"])
@pytest.mark.parametrize("size", [1, 255, 256, 257, 1000])
def test_each_of_sixteen_keys_has_its_rc4(size: int, engine: EngineName) -> None:
    """Messages of one job and of several."""
    rng = random.Random(size)
    keys, data = [rng.randbytes(16) for _ in range(16)], rng.randbytes(16 * size)
    got = crypt.encrypt("rc4-128-x16", b"".join(keys), data, engine=engine)
    for stream, key in enumerate(keys):
        assert got[stream::16] == of_library(RC4[0], key, b"", data[stream::16]), stream
