"""MACs and authenticated encryption against an independent implementation, and what must not get through."""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import cache
from io import BytesIO
from pathlib import Path

import pytest
from cryptography.hazmat.decrepit.ciphers.algorithms import Camellia
from cryptography.hazmat.primitives.ciphers import BlockCipherAlgorithm, algorithms
from cryptography.hazmat.primitives.ciphers import Cipher as Oracle
from cryptography.hazmat.primitives.ciphers.aead import AESCCM, AESGCM, AESGCMSIV, AESOCB3, AESSIV, ChaCha20Poly1305
from cryptography.hazmat.primitives.ciphers.modes import CTR, ECB
from cryptography.hazmat.primitives.cmac import CMAC

import lutra
from lutra.firmware import aead, crypt, kat, mac
from lutra.firmware.errors import FirmwareError
from lutra.firmware.manifest import Cipher, catalogue
from lutra.firmware.session import Session
from lutra.iss.engine import EngineName
from models import ascon, helix, modes
from models.field import multiply
from models.lanes import xor
from support import libcrypto
from support.only import only

BLOCK = 16
SIZES = (0, 1, 15, 16, 17, 32, 33, 47, 4095, 4096, 4097, 4112, 8192, 9001)
# A part of a block, some blocks, more than a job.
IN_LOCK_STEP = (1, 47, 4097)
BY_DAY = (0, 1, 16, 33, 4096, 4097, 9001)
MORE = pytest.mark.nightly("every size in lock-step; `make test` does one of each kind of job")
MORE_SIZES = pytest.mark.nightly("every size on the simulator; `make test` does one of each kind of job, and none")
RUNS = [
    *(pytest.param("iss", size, marks=[MORE_SIZES] * (size not in BY_DAY)) for size in SIZES),
    *(pytest.param("cosim", size, marks=[MORE] * (size not in IN_LOCK_STEP)) for size in SIZES),
]
MACS = only(catalogue().ciphers, lambda c: c.name.partition("-cmac")[1])
# Block ciphers of the library; ARIA's is its ECB firmware, which other tests compare with OpenSSL.
LIBRARY: dict[str, Callable[[bytes], BlockCipherAlgorithm]] = {"aes": algorithms.AES, "camellia": Camellia}
# Those of 3GPP's 256-bit algorithms are compared in test_sst.py. Helix and Phelix take keys of any length.
AEADS = only(catalogue().ciphers, lambda c: c.is_aead and c.streams == 1 and "-nca" not in c.name)
AEADS = only(AEADS, lambda c: not c.name.startswith(("helix-", "phelix-")) or c.key_bits in (0, 256))


@cache
def session(engine: EngineName = "cosim") -> Session:
    return Session(lutra.make_engine(engine))


def block_cipher(name: str, key: bytes) -> Callable[[bytes], bytes]:
    """E, one block."""
    if name.startswith("aria"):
        ecb = Session(lutra.make_engine("iss"))
        ecb.set_up(catalogue().cipher(f"aria-{8 * len(key)}-ecb"), "encrypt", key)
        return ecb.job
    return Oracle(library_cipher(name)(key), ECB()).encryptor().update


def aes(key: bytes) -> Callable[[bytes], bytes]:
    return block_cipher("aes", key)


def library_cipher(name: str) -> Callable[[bytes], BlockCipherAlgorithm]:
    return LIBRARY["aes" if name.startswith("128-") else name.split("-")[0]]


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("algorithm", [c for c in MACS if c.streams == 1], ids=lambda c: c.name)
def test_cmac_of_a_message_is_that_of_the_library(algorithm: Cipher, size: int) -> None:
    rng = random.Random(f"{algorithm.name} {size}")
    key, message = rng.randbytes(algorithm.key_bits // 8), rng.randbytes(size)
    assert mac.tag(session(), algorithm, key, message) == cmac(algorithm.name, key, message)


def cmac(name: str, key: bytes, message: bytes) -> bytes:
    """By the library, or by the model where that does not have the cipher."""
    if name.startswith("aria"):
        return modes.cmac(block_cipher(name, key), message, 8 * len(message))
    oracle = CMAC(library_cipher(name)(key))
    oracle.update(message)
    return oracle.finalize()


@pytest.mark.parametrize("blocks", [0, 1, 2, 127, 128, 129, 300])
@pytest.mark.parametrize("algorithm", [c for c in MACS if c.streams > 1], ids=lambda c: c.name)
def test_interleaved_messages_have_a_cmac_each(algorithm: Cipher, blocks: int) -> None:
    """The messages are interleaved block by block; each has its own tag."""
    rng = random.Random(f"{algorithm.name} {blocks}")
    key = rng.randbytes(algorithm.key_bits // 8)
    messages = [rng.randbytes(BLOCK * blocks) for _ in range(algorithm.streams)]
    turns = b"".join(m[at : at + BLOCK] for at in range(0, BLOCK * blocks, BLOCK) for m in messages)
    assert mac.tag(session(), algorithm, key, turns) == b"".join(cmac(algorithm.name, key, m) for m in messages)


@pytest.mark.parametrize("bits", [1, 7, 8, 9, 63, 127, 128, 129, 255, 256, 4096 * 8 - 1, 4096 * 8 + 1, 5000 * 8 + 3])
@pytest.mark.parametrize(
    "name", ["aes-128-cmac", "aes-256-cmac", "aria-192-cmac", "camellia-128-cmac", "camellia-256-cmac"]
)
def test_bits_after_the_message_do_not_count_in_cmac(name: str, bits: int) -> None:
    """Bits after the message do not count."""
    algorithm = catalogue().cipher(name)
    rng = random.Random(f"{name} {bits}")
    key, message = rng.randbytes(algorithm.key_bits // 8), rng.randbytes((bits + 7) // 8 + 3)
    assert mac.tag(session(), algorithm, key, message, bits) == modes.cmac(block_cipher(name, key), message, bits)


@pytest.mark.parametrize("bits", [1, 8, 58, 64, 65, 511, 768, 4096 * 8 - 64, 4096 * 8, 40_001])
def test_eia2_is_the_cmac_of_header_and_message(bits: int) -> None:
    rng = random.Random(bits)
    key, message = rng.randbytes(16), rng.randbytes((bits + 7) // 8)
    got = mac.mac("128-eia2", key, message, bits, count=0x398A59B4, bearer=26, direction=1)
    head = bytes.fromhex("398a59b4") + bytes([26 << 3 | 1 << 2, 0, 0, 0])
    assert got == modes.cmac(block_cipher("128-eia2", key), head + message, 64 + bits)[:4]


@pytest.mark.parametrize("bits", [0, 1, 7, 8, 100, 128, 129, 253, 4096 * 8, 4096 * 8 + 5, 70_001])
def test_eea2_is_counter_mode_to_the_bit(bits: int) -> None:
    cipher = catalogue().cipher("128-eea2")
    rng = random.Random(bits)
    key, data = rng.randbytes(16), rng.randbytes((bits + 7) // 8 + 2)
    iv = bytes.fromhex("398a59b4") + bytes([21 << 3 | 1 << 2]) + bytes(11)
    oracle = Oracle(algorithms.AES(key), CTR(iv)).encryptor()
    expected = bytearray(oracle.update(data[: (bits + 7) // 8]))
    if bits % 8:
        expected[-1] &= 0xFF << (8 - bits % 8) & 0xFF
    session().set_up(cipher, "encrypt", key, iv)
    assert b"".join(crypt.stream(session(), cipher, "encrypt", BytesIO(data), bits=bits)) == expected


def sealed(cipher: Cipher, key: bytes, nonce: bytes, data: bytes, aad: bytes) -> bytes:
    """By the library, or by the models for ciphers that its AEAD modes do not have."""
    if cipher.kind.name == "siv":
        strings = [aad] if aad else []
        return AESSIV(key).encrypt(data, strings) if data else modes.siv(aes, key, data, tuple(strings))
    if cipher.name.endswith("-gcm-siv"):
        return AESGCMSIV(key).encrypt(nonce, data, aad) if data else modes.gcm_siv(aes, key, nonce, aad)
    if cipher.name.endswith("-ocb"):
        return AESOCB3(key).encrypt(nonce, data, aad)
    if cipher.name.startswith("aes"):
        return (AESGCM if cipher.kind.name == "gcm" else AESCCM)(key).encrypt(nonce, data, aad)
    if cipher.kind.name == "aead":
        return OWN[cipher.name.split("-")[0]](key, nonce, data, aad)
    return MODELS[cipher.kind.name](block_cipher(cipher.name, key), nonce, data, aad)


def nonce_bytes(cipher: Cipher) -> int:
    """12, or the only length that there is."""
    least, most = cipher.nonce_bytes
    return min(max(12, least), most)


def chacha20_poly1305(key: bytes, nonce: bytes, data: bytes, aad: bytes) -> bytes:
    return ChaCha20Poly1305(key).encrypt(nonce, data, aad)


OWN = {
    "ascon": ascon.encrypt,
    "chacha20": chacha20_poly1305,
    "helix": helix.encrypt,
    "phelix": helix.phelix,
}
MODELS = {"gcm": modes.gcm, "ccm": modes.ccm}


@pytest.mark.parametrize("size", [0, 1, 15, 16, 17, 60])
@pytest.mark.parametrize(
    "cipher", [c for c in AEADS if c.name.startswith("aes") and c.kind.name in MODELS], ids=lambda c: c.name
)
def test_the_models_of_gcm_and_ccm_agree_with_the_library(cipher: Cipher, size: int) -> None:
    rng = random.Random(size)
    key, data = rng.randbytes(cipher.key_bits // 8), rng.randbytes(size)
    model = MODELS[cipher.kind.name]
    for nonce_bytes, aad_bytes in ((8, 0), (12, 1), (12, 14), (12, 15), (13, 40)):
        nonce, aad = rng.randbytes(nonce_bytes), rng.randbytes(aad_bytes)
        expected = model(block_cipher(cipher.name, key), nonce, data, aad)
        assert expected == sealed(cipher, key, nonce, data, aad)


@pytest.mark.parametrize(("engine", "size"), RUNS)
@pytest.mark.parametrize("cipher", AEADS, ids=lambda c: c.name)
def test_sealed_messages_are_those_of_the_library_and_open_again(cipher: Cipher, engine: EngineName, size: int) -> None:
    rng = random.Random(f"{cipher.name} {size}")
    key, nonce, data = (rng.randbytes(n) for n in (cipher.key_bits // 8, nonce_bytes(cipher), size))
    aad = rng.randbytes(rng.choice([0, 1, 14, 16, 20, 33]) if cipher.associated else 0)
    session(engine).set_up(cipher, "encrypt", key)
    got = aead.process(session(engine), cipher, "encrypt", nonce, data, aad)
    assert got == sealed(cipher, key, nonce, data, aad)
    session(engine).set_up(cipher, "decrypt", key)
    assert aead.process(session(engine), cipher, "decrypt", nonce, got, aad) == data


@pytest.mark.parametrize("size", [0, 13, 16, 60])
@pytest.mark.parametrize("name", ["aria-128-gcm", "camellia-128-gcm"])
def test_gcm_agrees_with_its_model_for_other_nonces(name: str, size: int) -> None:
    rng = random.Random(size)
    key, nonce, data, aad = rng.randbytes(16), rng.randbytes(13 + size // 8), rng.randbytes(size), rng.randbytes(21)
    assert aead.encrypt(name, key, nonce, data, aad) == modes.gcm(block_cipher(name, key), nonce, data, aad)


@pytest.mark.parametrize(
    ("name", "size"),
    [
        (name, size)
        for name in ("aes-128-gcm", "aes-256-ccm", "aes-192-siv", "aes-256-ocb", "aes-128-gcm-siv", "ascon-aead128")
        for size in (0, 1, 15, 16, 4095, 4096, 4097, 8192, 0xFEFF, 0xFF00, 70_000)
        if size <= 8192 or name != "ascon-aead128"  # whose model takes ten seconds, and whose lengths are not coded
    ],
)
def test_associated_data_may_have_any_length(name: str, size: int) -> None:
    cipher = catalogue().cipher(name)
    rng = random.Random(size)
    key, nonce, aad = (rng.randbytes(n) for n in (cipher.key_bits // 8, nonce_bytes(cipher), size))
    session("iss").set_up(cipher, "encrypt", key)
    got = aead.process(session("iss"), cipher, "encrypt", nonce, b"otter", aad)
    assert got == sealed(cipher, key, nonce, b"otter", aad)


@pytest.mark.parametrize("size", [8, 11, 12, 13, 16, 17, 60, 128])
def test_gcm_agrees_with_the_library_for_every_nonce_length(size: int) -> None:
    rng = random.Random(size)
    key, nonce, data = rng.randbytes(16), rng.randbytes(size), rng.randbytes(100)
    assert aead.encrypt("aes-128-gcm", key, nonce, data) == AESGCM(key).encrypt(nonce, data, None)


@pytest.mark.parametrize("size", range(7, 14))
def test_ccm_agrees_with_the_library_for_every_nonce_and_tag_length(size: int) -> None:
    rng = random.Random(size)
    key, nonce, data = rng.randbytes(16), rng.randbytes(size), rng.randbytes(100)
    for tag_bits in range(32, 129, 16):
        got = aead.encrypt("aes-128-ccm", key, nonce, data, b"aad", tag_bits)
        assert got == AESCCM(key, tag_bits // 8).encrypt(nonce, data, b"aad")


def test_the_counter_of_gcm_has_32_bits() -> None:
    """J0 that ends in ones: found as the nonce of 16 bytes whose hash is that block."""
    key = bytes(range(16))
    encrypt = block_cipher("aes", key)
    h = encrypt(bytes(BLOCK))
    power, inverse = h, bytes([0x80]) + bytes(15)  # h^(2^128 - 2)
    for _ in range(127):
        power = multiply(power, power)
        inverse = multiply(inverse, power)
    wanted = b"\x01" * 12 + b"\xff\xff\xff\xfe"
    lengths = (128).to_bytes(BLOCK, "big")
    nonce = multiply(xor(multiply(wanted, inverse), lengths), inverse)
    data = bytes(range(100))
    assert aead.encrypt("aes-128-gcm", key, nonce, data) == AESGCM(key).encrypt(nonce, data, None)


@pytest.mark.parametrize("size", [0, 5, 16, 4096, 4097, 8192, 12288, 65536 + 40])
@pytest.mark.parametrize("aad_bytes", [0, 4096, 16384])
def test_the_offsets_of_ocb_go_on_from_job_to_job(size: int, aad_bytes: int) -> None:
    """The addend of the offset at the end of a job depends on the number of jobs."""
    rng = random.Random(f"{size} {aad_bytes}")
    key, nonce, data, aad = rng.randbytes(16), rng.randbytes(12), rng.randbytes(size), rng.randbytes(aad_bytes)
    cipher = catalogue().cipher("aes-128-ocb")
    session("iss").set_up(cipher, "encrypt", key)
    expected = AESOCB3(key).encrypt(nonce, data, aad)
    assert aead.process(session("iss"), cipher, "encrypt", nonce, data, aad) == expected
    session("iss").set_up(cipher, "decrypt", key)
    assert aead.process(session("iss"), cipher, "decrypt", nonce, expected, aad) == data


def test_every_last_byte_of_a_nonce_shifts_the_first_offset_of_ocb() -> None:
    key, cipher = bytes(range(32)), catalogue().cipher("aes-256-ocb")
    session("iss").set_up(cipher, "encrypt", key)
    for last in range(256):
        nonce = bytes([last ^ 0x5A]) * 11 + bytes([last])
        got = aead.process(session("iss"), cipher, "encrypt", nonce, b"otter", b"aad")
        assert got == AESOCB3(key).encrypt(nonce, b"otter", b"aad")


@pytest.mark.parametrize("tag_bits", range(32, 129, 8))
def test_the_length_of_its_tag_goes_into_ocb(tag_bits: int) -> None:
    key, nonce = bytes(range(16)), bytes(range(12))
    got = aead.encrypt("aes-128-ocb", key, nonce, b"otter", b"aad", tag_bits)
    assert got == libcrypto.crypt("AES-128-OCB", True, key, nonce, b"otter", (b"aad",), tag_bits // 8)
    assert aead.decrypt("aes-128-ocb", key, nonce, got, b"aad", tag_bits) == b"otter"


def test_the_counter_of_gcm_siv_wraps_after_32_bits() -> None:
    """RFC 8452 C.3: the first four bytes of the counter are at their most, or next to it."""
    path = Path(__file__).parent.parent / "vectors" / "aes_rfc8452.json"
    tests = [test for test in kat.read(path, catalogue()) if isinstance(test, kat.Vector)]
    wraps = [test for test in tests if test.ciphertext[-16:-12] == b"\xff" * 4]
    assert len(wraps) == 2
    for test in wraps:
        assert aead.encrypt("aes-256-gcm-siv", test.key, test.iv, test.plaintext, test.aad) == test.ciphertext


def whole_tag(cipher: Cipher) -> bool:
    """Whether its tag cannot be cut."""
    return cipher.name.endswith("siv")


@pytest.mark.parametrize("strings", [(), (b"",), (b"a",), (b"", b""), (bytes(16), bytes(40), b"nonce"), (bytes(5000),)])
@pytest.mark.parametrize("size", [0, 1, 15, 16, 17, 31, 32, 33, 4097, 4111, 4112, 4113])
def test_siv_takes_any_number_of_strings(size: int, strings: tuple[bytes, ...]) -> None:
    """The sizes are those at which the last 16 bytes are in one block, in two, and in two jobs."""
    rng = random.Random(f"{size} {strings}")
    key, data = rng.randbytes(48), rng.randbytes(size)
    expected = modes.siv(aes, key, data, strings)
    assert not data or expected == AESSIV(key).encrypt(data, list(strings))
    cipher = catalogue().cipher("aes-192-siv")
    session("iss").set_up(cipher, "encrypt", key)
    assert aead.process(session("iss"), cipher, "encrypt", b"", data, strings) == expected
    session("iss").set_up(cipher, "decrypt", key)
    assert aead.process(session("iss"), cipher, "decrypt", b"", expected, strings) == data


@pytest.mark.parametrize("cipher", AEADS, ids=lambda c: c.name)
def test_any_change_is_refused(cipher: Cipher) -> None:
    key, nonce, data = bytes(cipher.key_bits // 8), bytes(nonce_bytes(cipher)), bytes(range(40))
    aad, other_aads = (b"header", (b"Header", b"")) if cipher.associated else (b"", ())
    s = session("iss")
    tag_bits = 128 if whole_tag(cipher) else 96
    s.set_up(cipher, "encrypt", key)
    good = aead.process(s, cipher, "encrypt", nonce, data, aad, tag_bits)
    s.set_up(cipher, "decrypt", key)
    for at in (0, 15, 16, 39, 40, 51):
        bad = bytearray(good)
        bad[at] ^= 1
        with pytest.raises(aead.WrongTagError):
            aead.process(s, cipher, "decrypt", nonce, bytes(bad), aad, tag_bits)
    other_nonces = [(b"\1" + nonce[1:], aad)] if nonce else []
    for other_nonce, other_aad in (*other_nonces, *((nonce, other) for other in other_aads)):
        with pytest.raises(aead.WrongTagError):
            aead.process(s, cipher, "decrypt", other_nonce, good, other_aad, tag_bits)
    assert aead.process(s, cipher, "decrypt", nonce, good, aad, tag_bits) == data


@pytest.mark.parametrize("cipher", AEADS, ids=lambda c: c.name)
def test_a_right_and_a_wrong_tag_take_the_same_time(cipher: Cipher) -> None:
    s = session("iss")
    key, nonce = bytes(cipher.key_bits // 8), bytes(nonce_bytes(cipher))
    s.set_up(cipher, "encrypt", key)
    good = aead.process(s, cipher, "encrypt", nonce, b"otter")
    s.set_up(cipher, "decrypt", key)
    cycles = []
    for data in (good, good[:-1] + bytes([good[-1] ^ 1]), good[:5] + bytes(16)):
        before = s.usage.cycles
        try:
            aead.process(s, cipher, "decrypt", nonce, data)
        except aead.WrongTagError:
            assert data != good
        cycles.append(s.usage.cycles - before)
    assert len(set(cycles)) == 1


@pytest.mark.parametrize("name", ["aes-128-gcm", "aes-128-ccm", "aes-128-cmac", "ascon-aead128"])
def test_a_tag_cannot_be_left_out(name: str) -> None:
    with pytest.raises(FirmwareError, match="has a tag or an integrity check; use lutra"):
        crypt.decrypt(name, bytes(16), bytes(32))


def test_what_a_mode_cannot_take_is_refused() -> None:
    key = bytes(16)
    with pytest.raises(FirmwareError, match="nonce of 7 to 13 bytes, not of 6"):
        aead.encrypt("aes-128-ccm", key, bytes(6), b"")
    with pytest.raises(FirmwareError, match="takes less than 65536 bytes, not 65536"):
        aead.encrypt("aes-128-ccm", key, bytes(13), bytes(65536))
    with pytest.raises(FirmwareError, match="allows 32, 64"):
        aead.encrypt("aes-128-gcm", key, bytes(12), b"", tag_bits=48)
    with pytest.raises(FirmwareError, match="nonce of 16 bytes, not of 12"):
        aead.encrypt("ascon-aead128", key, bytes(12), b"")
    with pytest.raises(FirmwareError, match=r"tag of 24 bits; .* allows 32, 40, .*, 120, 128"):
        aead.encrypt("ascon-aead128", key, bytes(16), b"", tag_bits=24)
    with pytest.raises(FirmwareError, match="takes its nonce as the last --aad; leave out --iv"):
        aead.encrypt("aes-128-siv", bytes(32), bytes(12), b"")
    with pytest.raises(FirmwareError, match=r"tag of 96 bits; .* allows 128"):
        aead.encrypt("aes-128-siv", bytes(32), b"", b"", tag_bits=96)
    with pytest.raises(FirmwareError, match=r"tag of 96 bits; .* allows 128"):
        aead.encrypt("aes-128-gcm-siv", key, bytes(12), b"", tag_bits=96)
    with pytest.raises(FirmwareError, match="takes at most 126 strings of associated data, not 127"):
        aead.encrypt("aes-128-siv", bytes(32), b"", b"", (b"a",) * 127)
    with pytest.raises(FirmwareError, match="takes one string of associated data, not 2"):
        aead.encrypt("aes-128-gcm", key, bytes(12), b"", (b"a", b"b"))
    with pytest.raises(FirmwareError, match="does not authenticate"):
        aead.encrypt("aes-128-ctr", key, bytes(16), b"")
    with pytest.raises(FirmwareError, match="less than a tag of 16"):
        aead.decrypt("aes-128-gcm", key, bytes(12), bytes(15))
    with pytest.raises(FirmwareError, match="not a MAC"):
        mac.mac("aes-128-ctr", key, b"")
    with pytest.raises(FirmwareError, match="the message has 8 bits, not 9"):
        mac.mac("aes-128-cmac", key, b"a", 9)


def test_the_python_calls_seal_and_open() -> None:
    key, nonce = bytes(16), bytes(12)
    box = aead.encrypt("aes-128-gcm", key, nonce, b"otter", b"aad")
    assert box == AESGCM(key).encrypt(nonce, b"otter", b"aad")
    assert aead.decrypt("aes-128-gcm", key, nonce, box, b"aad") == b"otter"
