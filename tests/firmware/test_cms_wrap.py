"""Key wrap of CMS by 3DES (RFC 3217): lengths, damaged keys, and its SHA-1, against OpenSSL's library and hashlib."""

from __future__ import annotations

import hashlib
import random
from pathlib import Path

import pytest

from lutra.cli.main import main
from lutra.firmware import message, wrap
from lutra.firmware.errors import InputError
from lutra.firmware.manifest import assembled, catalogue
from lutra.firmware.request import Request
from lutra.iss.engine import EngineName
from support import libcrypto
from support.sessions import damaged, session

CIPHER = catalogue().cipher("3des-192-wrap")
LONGEST = CIPHER.default.image.job_bytes - 16
IV2 = bytes.fromhex("4adda22c79e82105")
KEY = bytes(range(24))


def cbc(encrypt: bool, key: bytes, iv: bytes, data: bytes) -> bytes:
    return libcrypto.crypt("DES-EDE3-CBC", encrypt, key, iv, data)


def wrapped_as(key: bytes, iv: bytes, text: bytes, checksum: bytes) -> bytes:
    """RFC 3217 3.1, with any checksum."""
    return cbc(True, key, IV2, (iv + cbc(True, key, iv, text + checksum))[::-1])


def wrap_model(key: bytes, iv: bytes, text: bytes) -> bytes:
    return wrapped_as(key, iv, text, hashlib.sha1(text).digest()[:8])


@pytest.mark.parametrize("engine", ["iss", "cosim"])
def test_keys_of_all_lengths_are_wrapped_by_cms_as_openssl_does(engine: EngineName) -> None:
    """Both ways, with IVs of OpenSSL's, of ours and of the host's."""
    sizes = [*range(8, 200, 8), 1016, 1024, LONGEST - 8, LONGEST] if engine == "iss" else [8, 16, 24, 32, 48, 56]
    for size in sizes:
        rng = random.Random(f"cms {size}")
        key, iv, text = rng.randbytes(24), rng.randbytes(8), rng.randbytes(size)
        ours = wrap.process(session(engine), CIPHER, "encrypt", key, text, iv)
        assert ours == wrap_model(key, iv, text)
        assert libcrypto.crypt(CIPHER.openssl, False, key, b"", ours) == text
        theirs = libcrypto.crypt(CIPHER.openssl, True, key, b"", text)
        assert wrap.process(session(engine), CIPHER, "decrypt", key, theirs) == text


@pytest.mark.parametrize("engine", ["iss", "cosim"])
def test_its_sha1_is_that_of_hashlib(engine: EngineName) -> None:
    """All twenty bytes, which both the job and the check leave; of which wrapped keys have eight."""
    s, image = session(engine), assembled(CIPHER.default.image)
    place = image.symbol("sha1_hash")
    for size in [*range(0, 200, 8), 504, 512, LONGEST] if engine == "iss" else [0, 8, 48, 56, 64, 120]:
        text = random.Random(f"sha1 {size}").randbytes(size)
        wanted = hashlib.sha1(text).digest()
        s.set_up(CIPHER, "encrypt", KEY, bytes(8))
        s.job(text)
        assert s.engine.read(place.space, place.value, len(wanted)) == wanted
        wrapped = wrap_model(KEY, bytes(8), text)
        s.engine.write(place.space, place.value, bytes(len(wanted)))
        s.set_up(CIPHER, "decrypt", KEY, bytes(8))
        s.job(wrapped)
        assert s.call("check", wrapped, 16) == wrap.ACCEPTED
        assert s.engine.read(place.space, place.value, len(wanted)) == wanted


def test_without_an_iv_each_wrapping_draws_one() -> None:
    wrapped = {wrap.process(session("iss"), CIPHER, "encrypt", KEY, KEY) for _ in range(3)}
    assert len(wrapped) == 3
    assert {wrap.process(session("iss"), CIPHER, "decrypt", KEY, each) for each in wrapped} == {KEY}


@pytest.mark.parametrize("size", [8, 24, 40])
def test_a_damaged_bit_anywhere_in_a_key_of_cms_is_found_and_nothing_is_released(size: int) -> None:
    wrapped = wrap.process(session("iss"), CIPHER, "encrypt", KEY, bytes(size))
    for each in damaged(wrapped, 5):
        with pytest.raises(wrap.WrongKeyError, match="what was unwrapped is not right"):
            wrap.process(session("iss"), CIPHER, "decrypt", KEY, each)


def test_each_bit_of_the_checksum_counts_and_takes_the_same_time() -> None:
    """The verdict alone shows an error, and neither its kind nor its place."""
    s, image = session("iss"), assembled(CIPHER.default.image)
    routine = image.symbol(CIPHER.default.entries["decrypt"].others["check"]).value
    right = int.from_bytes(hashlib.sha1(KEY).digest()[:8], "big")
    taken = set()
    for wrong in (0, *(1 << bit for bit in range(64)), (1 << 64) - 1):
        data = wrapped_as(KEY, bytes(8), KEY, (right ^ wrong).to_bytes(8, "big"))
        s.set_up(CIPHER, "decrypt", KEY, bytes(8))
        s.job(data)
        for _ in range(2):  # it leaves what it has checked as it was
            s.engine.write("m3", 0, b"\x55" * 16)
            taken.add(s.engine.run(routine).cycles)
            assert s.engine.read("m3", 0, 16) == (bytes(16) if wrong else wrap.ACCEPTED)
    assert len(taken) == 1


@pytest.mark.parametrize(
    ("direction", "size", "message"),
    [
        ("encrypt", 0, f"wraps 8 to {LONGEST} bytes in steps of 8, the input has 0"),
        ("encrypt", 20, f"wraps 8 to {LONGEST} bytes in steps of 8, the input has 20"),
        ("encrypt", LONGEST + 8, f"wraps 8 to {LONGEST} bytes in steps of 8, the input has {LONGEST + 8}"),
        ("decrypt", 16, f"unwraps 24 to {LONGEST + 16} bytes in steps of 8, the input has 16"),
        ("decrypt", 36, f"unwraps 24 to {LONGEST + 16} bytes in steps of 8, the input has 36"),
    ],
)
def test_a_length_that_cms_does_not_wrap_is_refused(direction: str, size: int, message: str) -> None:
    with pytest.raises(InputError, match=message):
        wrap.process(session("iss"), CIPHER, "encrypt" if direction == "encrypt" else "decrypt", KEY, bytes(size))


def test_unwrapping_finds_the_iv_and_takes_none() -> None:
    wrapped = wrap.process(session("iss"), CIPHER, "encrypt", KEY, KEY, bytes(8))
    with pytest.raises(InputError, match="3des-192-wrap reads the iv from the wrapped key; leave it out"):
        wrap.process(session("iss"), CIPHER, "decrypt", KEY, wrapped, bytes(8))
    with pytest.raises(InputError, match="leave it out"):
        message.check(Request(CIPHER, "decrypt", KEY, bytes(8)))
    with pytest.raises(InputError, match="takes an iv of 8 bytes, or a random without one, not of 7"):
        wrap.process(session("iss"), CIPHER, "encrypt", KEY, KEY, bytes(7))


def test_the_command_wraps_a_key_of_cms_and_writes_nothing_of_a_wrong_one(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    plain, out, back = tmp_path / "plain", tmp_path / "out", tmp_path / "back"
    plain.write_bytes(KEY[::-1])
    options = ["crypt", "--cipher", CIPHER.name, "--key", KEY.hex()]
    assert main([*options, str(plain), str(out)]) == 0
    assert libcrypto.crypt(CIPHER.openssl, False, KEY, b"", out.read_bytes()) == plain.read_bytes()
    assert main([*options, "--decrypt", str(out), str(back)]) == 0
    assert back.read_bytes() == plain.read_bytes()
    back.unlink()
    assert main([*options, "--decrypt", "--iv", "00" * 8, str(out), str(back)]) == 2
    out.write_bytes(out.read_bytes()[::-1])
    assert main([*options, "--decrypt", str(out), str(back)]) == 1
    assert "what was unwrapped is not right: the key is wrong, or the data is damaged" in capsys.readouterr().err
    assert not back.exists()
