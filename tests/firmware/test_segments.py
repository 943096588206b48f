"""CFB1 (SP 800-38A 6.3) counts bits: messages of any number of them, against OpenSSL's library."""

from __future__ import annotations

import random
from contextlib import redirect_stderr
from functools import cache
from io import BytesIO, StringIO
from pathlib import Path

import pytest

import lutra
from lutra.cli.main import main
from lutra.firmware import crypt
from lutra.firmware.ciphers import Cipher
from lutra.firmware.errors import InputError
from lutra.firmware.manifest import catalogue
from lutra.firmware.session import Session
from support import libcrypto
from support.only import only

# OpenSSL counts the bytes of DES whatever it is told; test_blocks64.py has these.
CIPHERS = only(catalogue().ciphers, lambda c: c.name.endswith("-cfb1") and c.openssl and c.iv_bytes == 16)
# A job has 2016 bytes.
BITS = (0, 1, 2, 7, 8, 9, 127, 128, 129, 8 * 33 - 1, 8 * 2016 - 1, 8 * 2016, 8 * 2016 + 3, 8 * 2017)


@cache
def session() -> Session:
    return Session(lutra.make_engine("iss"))


@pytest.mark.parametrize("bits", BITS)
@pytest.mark.parametrize("cipher", CIPHERS, ids=lambda c: c.name)
def test_any_number_of_bits_gives_those_of_openssl(cipher: Cipher, bits: int) -> None:
    rng = random.Random(f"{cipher.name} {bits}")
    key, iv, data = rng.randbytes(cipher.key_bits // 8), rng.randbytes(cipher.iv_bytes), rng.randbytes((bits + 7) // 8)
    spare = -bits % 8
    expected = bytearray(libcrypto.crypt(cipher.openssl, True, key, iv, data, bits=bits))
    if spare:
        expected[-1] &= 0xFF << spare  # what OpenSSL leaves there is not of the message
        data = data[:-1] + bytes([data[-1] & 0xFF << spare & 0xFF])
    session().set_up(cipher, "encrypt", key, iv)
    encrypted = b"".join(crypt.stream(session(), cipher, "encrypt", BytesIO(data), bits=bits))
    assert encrypted == expected
    session().set_up(cipher, "decrypt", key, iv)
    assert b"".join(crypt.stream(session(), cipher, "decrypt", BytesIO(encrypted), bits=bits)) == data


def command(*arguments: object) -> tuple[int, str]:
    """Exit code and error."""
    error = StringIO()
    with redirect_stderr(error):
        return main([str(a) for a in arguments]), error.getvalue()


def test_the_command_takes_bits_of_cfb1_and_not_of_cfb8(tmp_path: Path) -> None:
    """SP 800-38A F.3.1, and its first eleven bits."""
    plain, out = tmp_path / "plain", tmp_path / "out"
    plain.write_bytes(bytes.fromhex("6bc1"))
    options = ["--key", "2b7e151628aed2a6abf7158809cf4f3c", "--iv", "000102030405060708090a0b0c0d0e0f", plain, out]
    assert command("crypt", "--cipher", "aes-128-cfb1", *options) == (0, "")
    assert out.read_bytes().hex() == "68b3"
    assert command("crypt", "--cipher", "aes-128-cfb1", "--bits", "11", *options) == (0, "")
    assert out.read_bytes().hex() == "68a0"
    refused = "lutra: error: aes-128-cfb8 works on whole bytes; leave out --bits\n"
    assert command("crypt", "--cipher", "aes-128-cfb8", "--bits", "11", *options) == (2, refused)


def test_a_session_refuses_bits_where_a_mode_has_bytes() -> None:
    session().set_up(catalogue().cipher("aes-128-cfb8"), "encrypt", bytes(16), bytes(16))
    with pytest.raises(InputError, match="whole bytes, not on 11 bits"):
        session().put(bytes(2), 11)
