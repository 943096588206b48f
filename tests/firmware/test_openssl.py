"""Streams of any size against an independent implementation: OpenSSL, through the package `cryptography` where that has
the cipher, else by the `openssl` command, and its library for ciphertext stealing, which the command does piecemeal."""

from __future__ import annotations

import random
import re
import subprocess
from collections.abc import Callable
from functools import cache
from io import BytesIO

import pytest
from cryptography.hazmat.primitives import ciphers as oracle
from cryptography.hazmat.primitives import padding
from cryptography.hazmat.primitives.ciphers import algorithms, modes

from lutra.firmware import crypt
from lutra.firmware.errors import FirmwareError
from lutra.firmware.manifest import Cipher, Implementation, catalogue
from lutra.iss.engine import EngineName
from support import libcrypto
from support.only import only
from support.sampling import sampled
from support.sessions import session, through

BLOCK = 16
SIZES = (0, 1, 15, 16, 17, 31, 32, 33, 4095, 4096, 4097, 70_000)
# A job of less than a block, of several, and what takes two jobs.
IN_LOCK_STEP = (1, 33, 4097)
# The same, next to them, and none.
BY_DAY = (0, 1, 16, 33, 4097)
NIGHTLY = pytest.mark.nightly("every size in lock-step; `make test` does one of each kind of job")
MORE_SIZES = pytest.mark.nightly("every size on the simulator; `make test` does one of each kind of job, and none")
MORE_STEPS = pytest.mark.nightly("every width of a carry, and every number of blocks; half of them in `make test`")
ON_SIMULATOR = [pytest.param(size, marks=[MORE_SIZES] * (size not in BY_DAY)) for size in SIZES]
RUNS = [
    *(pytest.param("iss", n, marks=[MORE_SIZES] * (n not in BY_DAY)) for n in SIZES),
    *(pytest.param("cosim", n, marks=() if n in IN_LOCK_STEP else NIGHTLY) for n in SIZES),
]
FAMILIES = ("aes-", "aria-", "camellia-", "sm4-", "seed-")
# These make their counter in their own way: tests/firmware/test_sst.py and test_icm.py.
OWN_COUNTERS = ("-nea5", "-icm")
OF_OPENSSL = [
    c
    for c in catalogue().ciphers
    if c.name.startswith(FAMILIES) and c.kind.is_plain and not c.name.endswith(OWN_COUNTERS)
]
CIPHERS = only(OF_OPENSSL, lambda c: c.streams == 1)
SEVERAL = only(OF_OPENSSL, lambda c: c.streams > 1)


# Ciphertext stealing by its name here, and what OpenSSL calls it; CS1 is what it does without a word.
STEALING = re.compile(r"(.+)-cbc-(cts|cs2|cs3)")
VARIANTS = {"cts": "CS1", "cs2": "CS2", "cs3": "CS3"}


def expected(cipher: Cipher, key: bytes, iv: bytes, data: bytes) -> bytes:
    mode_of: dict[str, Callable[[], modes.ECB | modes.CBC | modes.CTR]] = {
        "ecb": modes.ECB,
        "cbc": lambda: modes.CBC(iv),
        "ctr": lambda: modes.CTR(iv),
    }
    family, _, name = cipher.name.split("-", 2)
    if family != "aes" or name not in mode_of:
        return by_command(cipher.name, key, iv, data)
    mode = mode_of[name]()
    encryptor = oracle.Cipher(algorithms.AES(key), mode).encryptor()
    return encryptor.update(data) + encryptor.finalize()


@cache
def by_command(name: str, key: bytes, iv: bytes, data: bytes) -> bytes:
    name = re.sub("^(sm4|seed)-128", r"\1", name)
    if name == "seed-ctr":  # OpenSSL has no such mode of it
        counters = b"".join(((int.from_bytes(iv) + i) % 2**128).to_bytes(BLOCK) for i in range(-(-len(data) // BLOCK)))
        return bytes(a ^ b for a, b in zip(data, by_command("seed-ecb", key, b"", counters), strict=False))
    if name.endswith("-xts") or name.startswith("seed-"):
        return libcrypto.crypt(name, True, key, iv, data)
    if stealing := STEALING.search(name):
        return libcrypto.crypt(f"{stealing[1]}-cbc-cts", True, key, iv, data, cts=VARIANTS[stealing[2]])
    command = ["openssl", "enc", f"-{name}", "-nopad", "-K", key.hex(), *(["-iv", iv.hex()] if iv else [])]
    return subprocess.run(command, input=data, capture_output=True, check=True).stdout


SECOND_JOB = pytest.mark.nightly("a second job in lock-step, for three of four ciphers; the simulator has it for all")
IMAGES = [(c, i) for c in CIPHERS for i in c.implementations]


@pytest.mark.parametrize(
    ("cipher", "implementation", "engine", "size"),
    [
        pytest.param(
            c,
            i,
            *run.values,
            id=f"{c.name}-{i.image.name}-{run.values[0]}-{run.values[1]}",
            marks=[*run.marks, *[SECOND_JOB] * (n % 4 > 0 and run.values == ("cosim", max(IN_LOCK_STEP)))],
        )
        for n, (c, i) in enumerate(IMAGES)
        for run in RUNS
    ],
)
def test_both_directions_give_the_bytes_of_openssl(
    cipher: Cipher, implementation: Implementation, engine: EngineName, size: int
) -> None:
    if cipher.unit == "byte":
        size //= BLOCK  # as many blocks of work
    size = max(size, cipher.least_bytes)
    rng = random.Random(f"{cipher.name} {size}")
    key, iv = rng.randbytes(cipher.key_bits // 8), rng.randbytes(cipher.iv_bytes)
    data = rng.randbytes(size if cipher.partial else size // BLOCK * BLOCK)
    encrypted = through(engine, cipher, "encrypt", key, iv, data, implementation)
    assert encrypted == expected(cipher, key, iv, data)
    assert through(engine, cipher, "decrypt", key, iv, encrypted, implementation) == data


@pytest.mark.parametrize("size", ON_SIMULATOR)
@pytest.mark.parametrize("cipher", [c for c in CIPHERS if not c.partial], ids=lambda c: c.name)
def test_padded_messages_are_those_of_openssl(cipher: Cipher, size: int) -> None:
    rng = random.Random(f"pad {cipher.name} {size}")
    key, iv, data = rng.randbytes(cipher.key_bits // 8), rng.randbytes(cipher.iv_bytes), rng.randbytes(size)
    padder = padding.PKCS7(8 * BLOCK).padder()
    encrypted = through("iss", cipher, "encrypt", key, iv, data, cipher.default, pad=True)
    assert encrypted == expected(cipher, key, iv, padder.update(data) + padder.finalize())
    assert through("iss", cipher, "decrypt", key, iv, encrypted, cipher.default, pad=True) == data


@pytest.mark.parametrize("cipher", [c for c in CIPHERS if c.name.endswith("-ctr")], ids=lambda c: c.name)
@pytest.mark.parametrize("carry", sampled([1, 4, 8, 15, 16], 2, MORE_STEPS))
def test_the_counter_carries_over_every_width(cipher: Cipher, carry: int) -> None:
    """The counter block is one 128-bit number (SP 800-38A, B.1), and goes on from job to job."""
    key = bytes(range(cipher.key_bits // 8))
    iv = bytes.fromhex("00112233445566778899aabbccddeeff")[: 16 - carry] + b"\xff" * (carry - 1) + b"\xfe"
    data = bytes(4096 + 40)
    assert through("cosim", cipher, "encrypt", key, iv, data, cipher.default) == expected(cipher, key, iv, data)


@pytest.mark.parametrize("blocks", sampled([0, 1, 2, 3, 41, 42, 43, 127, 128, 129, 170], 2, MORE_STEPS))
@pytest.mark.parametrize("cipher", SEVERAL, ids=lambda c: c.name)
def test_several_streams_are_several_messages(cipher: Cipher, blocks: int) -> None:
    """Blocks of the messages are interleaved; each comes out as if it were alone."""
    rng = random.Random(f"{cipher.name} {blocks}")
    streams = cipher.streams
    key, iv = rng.randbytes(cipher.key_bits // 8), rng.randbytes(BLOCK * streams)
    data = rng.randbytes(BLOCK * blocks * streams)
    single = catalogue().cipher(cipher.name.removesuffix(f"-x{streams}"))
    encrypted = through("cosim", cipher, "encrypt", key, iv, data, cipher.default)
    for s in range(streams):
        assert turn(encrypted, s, streams) == expected(single, key, iv[BLOCK * s :][:BLOCK], turn(data, s, streams))
    assert through("cosim", cipher, "decrypt", key, iv, encrypted, cipher.default) == data


def turn(data: bytes, stream: int, streams: int) -> bytes:
    """The blocks of one of several messages."""
    return b"".join(data[at : at + BLOCK] for at in range(BLOCK * stream, len(data), BLOCK * streams))


def test_streams_have_the_same_length() -> None:
    with pytest.raises(FirmwareError, match="multiples of 32 bytes"):
        crypt.encrypt("aes-128-cbc-x2", bytes(16), bytes(48), iv=bytes(32))
    with pytest.raises(FirmwareError, match="multiples of 96 bytes"):
        crypt.encrypt("camellia-128-cbc-x6", bytes(16), bytes(128), iv=bytes(96))
    with pytest.raises(FirmwareError, match="cannot pad"):
        crypt.encrypt("aes-128-cbc-x2", bytes(16), bytes(32), iv=bytes(32), pad=True)


@pytest.mark.parametrize("mode", VARIANTS)
def test_stealing_needs_a_block(mode: str) -> None:
    with pytest.raises(FirmwareError, match=f"aes-128-cbc-{mode} takes 16 bytes or more, the input has 15"):
        crypt.encrypt(f"aes-128-cbc-{mode}", bytes(16), bytes(15), iv=bytes(16))
    with pytest.raises(FirmwareError, match="takes any length and needs no padding"):
        crypt.encrypt(f"aes-128-cbc-{mode}", bytes(16), bytes(15), iv=bytes(16), pad=True)


@pytest.mark.parametrize("name", [*(f"camellia-128-cbc-{mode}" for mode in VARIANTS), "aes-128-xts"])
@pytest.mark.parametrize("size", [*range(16, 50), *range(4078, 4098), *range(4110, 4116), *range(8158, 8162), 8192])
def test_what_is_stolen_is_in_the_last_job(name: str, size: int) -> None:
    """A job has 4096 bytes; the last one takes a block and more."""
    cipher = catalogue().cipher(name)
    data, key, iv = random.Random(size).randbytes(size), bytes(range(cipher.key_bits // 8)), bytes(range(16))
    encrypted = through("iss", cipher, "encrypt", key, iv, data, cipher.default)
    assert encrypted == expected(cipher, key, iv, data)
    assert through("iss", cipher, "decrypt", key, iv, encrypted, cipher.default) == data


def test_xts_needs_a_block_to_the_bit() -> None:
    session("iss").set_up(cipher := catalogue().cipher("aes-128-xts"), "encrypt", bytes(range(32)), bytes(16))
    with pytest.raises(FirmwareError, match="aes-128-xts takes 16 bytes or more, the input has 15"):
        list(crypt.stream(session("iss"), cipher, "encrypt", BytesIO(bytes(15))))
    with pytest.raises(FirmwareError, match="aes-128-xts takes 128 bits or more, not 127"):
        list(crypt.stream(session("iss"), cipher, "encrypt", BytesIO(bytes(16)), bits=127))


def test_the_python_calls_encrypt_and_decrypt() -> None:
    key, iv, data = bytes(16), bytes(16), b"otter" * 1000
    encrypted = crypt.encrypt("aes-128-cbc", key, data, iv=iv, pad=True)
    assert crypt.decrypt("aes-128-cbc", key, encrypted, iv=iv, pad=True) == data
    with pytest.raises(FirmwareError, match="multiples of 16"):
        crypt.encrypt("aes-128-cbc", key, data[:5], iv=iv)
