"""OpenSSL's own list: what `lutra ciphers --openssl` says runs gives the bytes of the installed OpenSSL."""

from __future__ import annotations

import random
from functools import cache
from io import BytesIO

import pytest

import lutra
from lutra.firmware import aead, crypt, openssl, openssl_names, wrap
from lutra.firmware.ciphers import Cipher, Direction
from lutra.firmware.errors import FirmwareError
from lutra.firmware.manifest import catalogue
from lutra.firmware.openssl import Listed
from lutra.firmware.session import Session
from support import libcrypto

LIST = openssl.listed()
RUNS = [(listed, cipher) for listed in LIST if (cipher := openssl.serving(catalogue(), listed))]
# Of messages: whole units of any mode, odd numbers of blocks of 8 bytes, and such as end in the middle of a unit.
SIZES = (0, 16, 32, 48, 1024, 4096, 9600)
OF_HALF_BLOCKS = (8, 24, 4024, 4040, 9608)
LONGEST_BY_BIT = 1024
ANY_SIZES = (1, 17, 31, 33, 47, 4095, 4097, 5003)


@cache
def session() -> Session:
    return Session(lutra.make_engine("iss"))


def through(cipher: Cipher, direction: Direction, key: bytes, iv: bytes, data: bytes, aad: bytes) -> bytes:
    if cipher.wraps_keys:
        return wrap.process(session(), cipher, direction, key, data)
    if cipher.is_aead:
        session().set_up(cipher, direction, key)
        return aead.process(session(), cipher, direction, iv, data, aad)
    session().set_up(cipher, direction, key, iv)
    return b"".join(crypt.stream(session(), cipher, direction, BytesIO(data), size=len(data)))


def nonce_bytes(listed: Listed, cipher: Cipher) -> int:
    if cipher.wraps_keys:
        return 0
    return libcrypto.iv_bytes(listed.name) if cipher.is_aead else cipher.iv_bytes


def longest_key(cipher: Cipher) -> int:
    """That is wrapped."""
    return cipher.default.image.job_bytes - wrap.of(cipher).more


def test_all_ciphers_of_openssl_run() -> None:
    """Those of OpenSSL 3.0, of which there are 146; of a later one no fewer."""
    assert len(RUNS) >= 146
    assert [listed.name for listed in LIST if openssl.serving(catalogue(), listed) is None] == []


def test_a_cipher_that_does_not_run_has_no_figures() -> None:
    made = openssl.Served(Listed("OTTER", ("OTTER-ECB",)), None).as_json()
    assert (made["others"], made["name"]) == (["OTTER-ECB"], None)
    assert [made[f"{way}_cycles_per_byte"] for way in ("encrypt", "decrypt")] == [None, None]


@pytest.mark.parametrize(("listed", "cipher"), [pytest.param(*each, id=each[0].name) for each in RUNS])
def test_what_is_said_to_run_gives_the_bytes_of_openssl(listed: Listed, cipher: Cipher) -> None:
    rng = random.Random(listed.name)
    assert libcrypto.key_bytes(listed.name) == cipher.key_bits // 8
    halves = OF_HALF_BLOCKS if cipher.unit_bytes == 8 else ()
    sizes = sorted({*SIZES, *halves, *(ANY_SIZES if cipher.partial or cipher.kind.name == "kwp" else ())})
    # Bit by bit the long messages would take as long as those of all others.
    for size in (n for n in sizes if n <= LONGEST_BY_BIT or not cipher.to_the_bit):
        if size < cipher.least_bytes or (cipher.wraps_keys and not 16 <= size <= longest_key(cipher)):
            continue
        if cipher.kind.name == "siv" and not size:  # which OpenSSL's SIV refuses
            continue
        key, data = rng.randbytes(cipher.key_bits // 8), rng.randbytes(size)
        iv = rng.randbytes(nonce_bytes(listed, cipher))
        aad = rng.randbytes(rng.randrange(40)) if cipher.is_aead else b""
        expected = libcrypto.crypt(listed.name, True, key, iv, data, (aad,) if aad else ())
        made = through(cipher, "encrypt", key, iv, data, aad)
        if cipher.kind.name == "cmskw":  # OpenSSL draws an IV each time
            assert libcrypto.crypt(listed.name, False, key, b"", made) == data, size
        else:
            assert made == expected, size
        assert through(cipher, "decrypt", key, iv, expected, aad) == data, size


def test_the_list_has_what_openssl_says_and_no_name_twice() -> None:
    """Each name is one that OpenSSL knows, and no compound with a MAC is among them."""
    names = [name.lower() for each in LIST for name in (each.name, *each.others)]
    assert len(names) == len(set(names)) > 100
    for each in LIST:
        assert libcrypto.fetched(each.name)
        assert "hmac" not in each.name.lower()


def test_every_name_that_a_manifest_gives_openssl_is_one() -> None:
    """A name by the rule may be of a cipher that OpenSSL lacks; one that is stated may not."""
    stated = [c for c in catalogue().ciphers if c.openssl and c.openssl != c.name]
    assert [c.name for c in stated if not any(each.is_called(c.openssl) for each in LIST)] == []


def test_names_are_those_that_are_no_alias() -> None:
    text = """\
Legacy:
  aes128 => AES-128-CBC
  sm4 => SM4-CBC
Provided:
  { 2.16.840.1.101.3.4.1.2, AES-128-CBC, AES128 } @ default
  { 1.2.156.10197.1.104.2, SM4, SM4-CBC } @ default
  NULL @ default
  AES-128-CBC-HMAC-SHA1 @ default
  ChaCha20 @ default
"""
    assert openssl.parsed(text) == (
        Listed("AES-128-CBC", ("AES128",)),
        Listed("ChaCha20", ()),
        Listed("SM4-CBC", ("SM4",)),
    )


@pytest.mark.parametrize(
    ("name", "ours"),
    [
        ("bf-cbc", "blowfish-128-cbc"),
        ("BF-CBC", "blowfish-128-cbc"),
        ("AES-256-CBC", "aes-256-cbc"),
        ("des-ede3-cbc", "3des-192-cbc"),
        ("id-aes128-wrap", "aes-128-wrap"),
        ("id-aes256-GCM", "aes-256-gcm"),
        ("aes128", "aes-128-cbc"),
    ],
)
def test_an_algorithm_goes_by_every_name_that_openssl_has_for_it(name: str, ours: str) -> None:
    assert catalogue().cipher(name).name == ours


def test_every_name_of_the_list_is_the_algorithm_that_serves_it() -> None:
    for listed, cipher in RUNS:
        assert {catalogue().cipher(name).name for name in (listed.name, *listed.others)} == {cipher.name}


def test_names_of_openssl_itself_are_unknown_where_it_is_absent(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    openssl_names.same_as.cache_clear()
    assert catalogue().cipher("bf-cbc").name == "blowfish-128-cbc"
    with pytest.raises(FirmwareError, match="unknown cipher 'id-aes128-wrap'"):
        catalogue().cipher("id-aes128-wrap")
    openssl_names.same_as.cache_clear()


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("aes-128", "unknown cipher 'aes-128'; name its mode: aes-128-ecb, aes-128-cbc, "),
        ("aes", "unknown cipher 'aes'; choose from aes-128, aes-192, aes-256 in their modes: see `lutra ciphers`"),
        ("aes-128-ctx", "unknown cipher 'aes-128-ctx'; did you mean aes-128-ctr?"),
        ("ase-128-ctr", "unknown cipher 'ase-128-ctr'; did you mean aes-128-ctr?"),
        ("present-80-ecb", "unknown cipher 'present-80-ecb'; choose from 128-eea, "),
    ],
)
def test_an_unknown_name_says_what_may_be_meant(name: str, text: str) -> None:
    with pytest.raises(FirmwareError) as caught:
        catalogue().cipher(name)
    assert str(caught.value).startswith(text)
