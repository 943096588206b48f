"""Ciphers with blocks of 64 bits (firmware/common/modes64.inc) against OpenSSL, through the package `cryptography`, RC2
against a model: any number of blocks, any key size, messages that are cut into jobs."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable, Iterator
from io import BytesIO
from pathlib import Path

import pytest
from _pytest.mark.structures import ParameterSet
from cryptography.hazmat.decrepit.ciphers.algorithms import CAST5, Blowfish, TripleDES
from cryptography.hazmat.decrepit.ciphers.modes import CFB, OFB
from cryptography.hazmat.primitives import ciphers as oracle
from cryptography.hazmat.primitives import padding
from cryptography.hazmat.primitives.ciphers import modes

from lutra.firmware import crypt
from lutra.firmware.ciphers import Cipher
from lutra.firmware.errors import FirmwareError
from lutra.firmware.manifest import catalogue
from lutra.iss.engine import EngineName
from models import rc2
from support.only import only
from support.sessions import session, through

VECTORS = Path(__file__).parent.parent / "vectors"
BLOCK = 8
JOB = 4032


def triple(key: bytes) -> TripleDES:
    """DES is 3DES with equal keys, 3DES with two keys has the first one again."""
    return TripleDES((3 * key)[:24])


# The package has no DESX, and RC2 in CBC with keys of 128 bits only.
ALGORITHMS: dict[str, Callable[[bytes], oracle.BlockCipherAlgorithm]]
ALGORITHMS = {"blowfish": Blowfish, "cast5": CAST5, "des": triple, "3des": triple}
MODES: dict[str, Callable[[bytes], modes.ECB | modes.CBC | CFB | OFB]] = {
    "ecb": lambda _: modes.ECB(),
    "cbc": modes.CBC,
    "cfb": CFB,
    "ofb": OFB,
}
SEGMENTS = only(catalogue().ciphers, lambda c: c.iv_bytes == BLOCK and c.name.endswith(("-cfb1", "-cfb8")))
# KASUMI is compared in test_kasumi.py.
ALL = [c for c in catalogue().ciphers if c.unit_bytes == BLOCK and c.kind.is_plain and "kasumi" not in c.manifest.parts]


def is_typical(cipher: Cipher) -> bool:
    """Whether its lengths are looked at: of a mode with more than four key sizes, the smallest and the largest."""
    parts = cipher.name.split("-")
    sizes = [c.key_bits for c in ALL if c.default.image is cipher.default.image and c.name.endswith(f"-{parts[-1]}")]
    return len(sizes) <= 4 or cipher.key_bits in (min(sizes), max(sizes))


CIPHERS = [c for c in ALL if is_typical(c)]
BLOCKS = (0, 1, 2, 3, 4, 5, 7, 8, 9, 505)
BYTES = (1, 7, 9, 31, 33, JOB - 1, JOB + 23)
# Lock-step is slow, and what the firmware does is known from the simulator.
FEW: dict[EngineName, tuple[tuple[int, ...], tuple[int, ...]]]
FEW = {"iss": (BLOCKS, BYTES), "cosim": ((0, 1, 3, 4, 9), (7, 39))}
OTHER_KEYS = pytest.mark.nightly("the lock-step of a mode with its other key sizes, which the simulator has")


def runs() -> Iterator[ParameterSet]:
    """Every cipher on the simulator, and in lock-step the first of each mode of an image."""
    seen = set()
    for cipher in CIPHERS:
        mode = (cipher.default.image, cipher.name.rpartition("-")[2])
        yield pytest.param(cipher, "iss", id=f"{cipher.name}-iss")
        yield pytest.param(cipher, "cosim", id=f"{cipher.name}-cosim", marks=[OTHER_KEYS] * (mode in seen))
        seen.add(mode)


def expected(cipher: Cipher, key: bytes, iv: bytes, data: bytes) -> bytes:
    family, *_, mode = cipher.name.split("-")
    if family == "desx":
        return desx_cbc(key, iv, data)
    if family == "rc2":
        return rc2.encrypt(mode, key, effective_bits(cipher), iv, data)
    if mode == "ctr":
        count = -(-len(data) // BLOCK)
        first = int.from_bytes(iv, "big")
        counters = b"".join(((first + n) % 2**64).to_bytes(BLOCK, "big") for n in range(count))
        encryptor = oracle.Cipher(ALGORITHMS[family](key), modes.ECB()).encryptor()
        return bytes(a ^ b for a, b in zip(data, encryptor.update(counters), strict=False))
    encryptor = oracle.Cipher(ALGORITHMS[family](key), MODES[mode](iv)).encryptor()
    return encryptor.update(data) + encryptor.finalize()


def effective_bits(cipher: Cipher) -> int:
    """Effective key bits of RC2, by its name: `rc2-128-e64-ecb`, or as many as the key has."""
    stated = re.search(r"-e(\d+)-", cipher.name)
    return int(stated[1]) if stated else cipher.key_bits


def desx_cbc(key: bytes, iv: bytes, data: bytes) -> bytes:
    des, before, after = key[:8], key[8:16], key[16:]
    out = [iv]
    for at in range(0, len(data), BLOCK):
        block = bytes(a ^ b ^ c for a, b, c in zip(data[at : at + BLOCK], out[-1], before, strict=True))
        encryptor = oracle.Cipher(triple(des), modes.ECB()).encryptor()
        out.append(bytes(a ^ b for a, b in zip(encryptor.update(block), after, strict=True)))
    return b"".join(out[1:])


def test_the_model_of_rc2_meets_the_examples_of_its_standard() -> None:
    for test in json.loads((VECTORS / "rc2_rfc2268.json").read_text())["tests"]:
        key, plaintext = bytes.fromhex(test["key"]), bytes.fromhex(test["plaintext"])
        assert rc2.encrypt("ecb", key, test["effective_bits"], b"", plaintext).hex() == test["ciphertext"], test["id"]


def test_every_cipher_of_such_blocks_is_compared() -> None:
    assert {c.name.split("-")[0] for c in CIPHERS} == ALGORITHMS.keys() | {"desx", "rc2"}


@pytest.mark.parametrize(("cipher", "engine"), list(runs()))
def test_any_number_of_blocks_gives_those_of_openssl(cipher: Cipher, engine: EngineName) -> None:
    rng = random.Random(cipher.name)
    key = rng.randbytes(cipher.key_bits // 8)
    blocks, odd = FEW[engine]
    for size in [BLOCK * count for count in blocks] + list(odd if cipher.partial else ()):
        iv, data = rng.randbytes(cipher.iv_bytes), rng.randbytes(size)
        encrypted = through(engine, cipher, "encrypt", key, iv, data)
        assert encrypted == expected(cipher, key, iv, data), size
        assert through(engine, cipher, "decrypt", key, iv, encrypted) == data, size


@pytest.mark.parametrize("folder", sorted({c.manifest.parent.name for c in ALL}))
def test_every_key_size_gives_the_block_of_openssl(folder: str) -> None:
    rng = random.Random(folder)
    for cipher in (c for c in ALL if c.manifest.parent.name == folder):
        key, iv, data = rng.randbytes(cipher.key_bits // 8), rng.randbytes(cipher.iv_bytes), rng.randbytes(BLOCK)
        assert through("iss", cipher, "encrypt", key, iv, data) == expected(cipher, key, iv, data), cipher.name


def test_the_counter_of_64_bits_wraps() -> None:
    cipher = catalogue().cipher("cast5-128-ctr")
    key, iv, data = bytes(range(16)), b"\xff" * 7 + b"\xfe", bytes(32)
    assert through("iss", cipher, "encrypt", key, iv, data) == expected(cipher, key, iv, data)


@pytest.mark.parametrize("cipher", CIPHERS, ids=lambda c: c.name)
def test_a_second_key_leaves_nothing_of_the_first(cipher: Cipher) -> None:
    for fill in (0, 0xFF, 0):
        key, iv, data = (bytes([fill]) * size for size in (cipher.key_bits // 8, cipher.iv_bytes, 40))
        assert through("iss", cipher, "encrypt", key, iv, data) == expected(cipher, key, iv, data)


@pytest.mark.parametrize("cipher", [c for c in CIPHERS if not c.partial], ids=lambda c: c.name)
def test_padded_messages_of_small_blocks_are_those_of_openssl(cipher: Cipher) -> None:
    rng = random.Random(cipher.name)
    key, iv = rng.randbytes(cipher.key_bits // 8), rng.randbytes(cipher.iv_bytes)
    for size in (0, 1, 7, 8, JOB - 1, JOB):
        data = rng.randbytes(size)
        padder = padding.PKCS7(8 * BLOCK).padder()
        whole = padder.update(data) + padder.finalize()
        session("iss").set_up(cipher, "encrypt", key, iv)
        encrypted = b"".join(crypt.stream(session("iss"), cipher, "encrypt", BytesIO(data), pad=True))
        assert encrypted == expected(cipher, key, iv, whole)
        session("iss").set_up(cipher, "decrypt", key, iv)
        assert b"".join(crypt.stream(session("iss"), cipher, "decrypt", BytesIO(encrypted), pad=True)) == data


@pytest.mark.parametrize("cipher", [c for c in CIPHERS if not c.partial], ids=lambda c: c.name)
def test_half_a_block_is_refused(cipher: Cipher) -> None:
    session("iss").set_up(cipher, "encrypt", bytes(cipher.key_bits // 8), bytes(cipher.iv_bytes))
    with pytest.raises(FirmwareError, match=f"{cipher.name} takes multiples of 8 bytes, the input has 12"):
        list(crypt.stream(session("iss"), cipher, "encrypt", BytesIO(bytes(12))))


# ------------------------------------------------------------------------------------- CFB8 and CFB1


def feedback(cipher: Cipher, key: bytes, iv: bytes, plain: str) -> str:
    """CFB8 and CFB1 (SP 800-38A 6.3) of bits as a text, on blocks of OpenSSL, which has neither of all ciphers."""
    family, _, mode = cipher.name.split("-")
    encryptor = oracle.Cipher(ALGORITHMS[family](key), modes.ECB()).encryptor()
    step = int(mode.removeprefix("cfb"))
    register, out = f"{int.from_bytes(iv, 'big'):064b}", ""
    for at in range(0, len(plain), step):
        stream = encryptor.update(int(register, 2).to_bytes(BLOCK, "big"))
        bits = f"{int.from_bytes(stream, 'big'):064b}"
        segment = "".join(str(int(p) ^ int(k)) for p, k in zip(plain[at : at + step], bits, strict=False))
        out += segment
        register = (register + segment)[-64:]
    return out


def as_bits(data: bytes, count: int) -> str:
    return "".join(f"{byte:08b}" for byte in data)[:count]


@pytest.mark.parametrize("engine", ["iss", "cosim"])
@pytest.mark.parametrize("cipher", SEGMENTS, ids=lambda c: c.name)
def test_segments_of_a_byte_and_of_a_bit_are_those_of_the_standard(cipher: Cipher, engine: EngineName) -> None:
    rng = random.Random(cipher.name)
    key, made = rng.randbytes(cipher.key_bits // 8), session(engine)
    odd = (1, 7, 9, 69, 8 * 256 + 3) if cipher.to_the_bit else ()
    # A block of the cipher for each bit: the lock-step does without the long ones.
    most = 8 * 257 if engine == "iss" else 72
    for count in (n for n in (0, 8, 16, 72, 8 * 33, 8 * 256, 8 * 257, *odd) if n <= most):
        iv, size = rng.randbytes(cipher.iv_bytes), (count + 7) // 8
        data = (rng.getrandbits(count) << -count % 8 if count else 0).to_bytes(size, "big")
        bits = count if cipher.to_the_bit else None
        made.set_up(cipher, "encrypt", key, iv)
        encrypted = b"".join(crypt.stream(made, cipher, "encrypt", BytesIO(data), bits=bits))
        assert as_bits(encrypted, 8 * size) == feedback(cipher, key, iv, as_bits(data, count)).ljust(8 * size, "0")
        made.set_up(cipher, "decrypt", key, iv)
        assert b"".join(crypt.stream(made, cipher, "decrypt", BytesIO(encrypted), bits=bits)) == data, count
