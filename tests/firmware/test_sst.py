"""The 256-bit algorithms of 3GPP with a MAC, of any length, against models of their specifications."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest
from cryptography.hazmat.primitives.ciphers import Cipher as Library
from cryptography.hazmat.primitives.ciphers.algorithms import AES
from cryptography.hazmat.primitives.ciphers.modes import CTR

from lutra.firmware import aead, crypt, mac
from lutra.iss.engine import EngineName
from models import snow_v, sst, zuc256
from models.lanes import xor

# H, Q and P; then the keystream of the text.
Streams = Callable[[bytes, bytes, int], tuple[bytes, bytes]]
KEY, IV = bytes(range(32)), b"\x24otter and sst.."


def counter_mode(key: bytes, iv: bytes, size: int) -> bytes:
    return Library(AES(key), CTR(iv[:12] + bytes(4))).encryptor().update(bytes(size))


def of_aes(key: bytes, iv: bytes, size: int) -> tuple[bytes, bytes]:
    return counter_mode(key, bytes([iv[0] | 1]) + iv[1:], 48), counter_mode(key, iv, size)


def of_stream(keystream: Callable[[bytes, bytes, int], bytes]) -> Streams:
    def streams(key: bytes, iv: bytes, size: int) -> tuple[bytes, bytes]:
        whole = keystream(key, iv, 48 + size)
        return whole[:48], whole[48:]

    return streams


STREAMS: dict[int, Streams] = {
    4: of_stream(snow_v.keystream_5g),
    5: of_aes,
    6: of_stream(zuc256.keystream_3gpp),
}
FAMILIES = {4: "snow5g", 5: "aes", 6: "zuc"}
KEYSTREAMS = {4: snow_v.keystream_5g, 5: counter_mode, 6: zuc256.keystream_3gpp}
SIZES = [0, 1, 16, 31, 32, 33, 48, 79, 2065, 4096, 4101]


@pytest.mark.parametrize("engine", ["iss", "cosim"])
@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("number", STREAMS)
def test_256_nea_of_any_size_is_that_of_the_model(number: int, size: int, engine: EngineName) -> None:
    data = random.Random(size).randbytes(size)
    encrypted = crypt.encrypt(f"{FAMILIES[number]}-256-nea{number}", KEY, data, iv=IV, engine=engine)
    assert encrypted == xor(data, KEYSTREAMS[number](KEY, IV, size))


@pytest.mark.parametrize("engine", ["iss", "cosim"])
@pytest.mark.parametrize("bits", [0, 1, 7, 8, 127, 128, 129, 255, 256, 300, 8 * 4096 - 1, 8 * 4096, 8 * 4096 + 9])
@pytest.mark.parametrize("number", STREAMS)
def test_256_nia_of_any_number_of_bits_is_that_of_the_model(number: int, bits: int, engine: EngineName) -> None:
    size = -(-bits // 8)
    message = random.Random(bits).randbytes(size)
    kept = (int.from_bytes(message, "big") >> -bits % 8 << -bits % 8).to_bytes(size, "big")
    masks, _ = STREAMS[number](KEY, IV, 0)
    want = sst.tag(masks, kept, b"", bits)
    assert mac.mac(f"{FAMILIES[number]}-256-nia{number}", KEY, message, bits, engine=engine, iv=IV) == want


@pytest.mark.parametrize("engine", ["iss", "cosim"])
@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("number", STREAMS)
def test_256_nca_of_any_size_is_that_of_the_model(number: int, size: int, engine: EngineName) -> None:
    source = random.Random(size)
    data, aad = source.randbytes(size), source.randbytes(max(SIZES) - size)
    masks, keystream = STREAMS[number](KEY, IV, size)
    ciphertext = xor(data, keystream)
    sealed = ciphertext + sst.tag(masks, aad, ciphertext)
    name = f"{FAMILIES[number]}-256-nca{number}"
    assert aead.encrypt(name, KEY, IV, data, aad, engine=engine) == sealed
    assert aead.decrypt(name, KEY, IV, sealed, aad, engine=engine) == data
    with pytest.raises(aead.WrongTagError):
        aead.decrypt(name, KEY, IV, sealed[:-1] + bytes([sealed[-1] ^ 1]), aad, engine=engine)
