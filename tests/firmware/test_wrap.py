"""Key wrap (SP 800-38F): lengths, initial values and damaged keys, against OpenSSL's library."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from lutra.cli.main import main
from lutra.firmware import crypt, wrap
from lutra.firmware.ciphers import Cipher
from lutra.firmware.errors import FirmwareError, InputError
from lutra.firmware.manifest import assembled, catalogue
from lutra.iss.engine import EngineName
from support import libcrypto
from support.only import only
from support.sessions import damaged, session

CIPHERS = only(catalogue().ciphers, lambda c: c.kind.name in ("kw", "kwp"))
KW = only(CIPHERS, lambda c: c.kind.name == "kw")
KWP = only(CIPHERS, lambda c: c.kind.name == "kwp")
KEY = bytes(range(32))


def check(cipher: Cipher, data: bytes, engine: EngineName, iv: bytes = b"") -> None:
    """Both directions."""
    key = KEY[: cipher.key_bits // 8]
    expected = libcrypto.crypt(cipher.openssl, True, key, iv, data)
    assert wrap.process(session(engine), cipher, "encrypt", key, data, iv) == expected
    assert wrap.process(session(engine), cipher, "decrypt", key, expected, iv) == data


@pytest.mark.parametrize("engine", ["iss", "cosim"])
@pytest.mark.parametrize("cipher", CIPHERS, ids=lambda c: c.name)
def test_keys_of_all_lengths_are_wrapped_as_openssl_does(cipher: Cipher, engine: EngineName) -> None:
    padded = cipher.kind.name == "kwp"
    sizes = [*range(1, 50), 4041, 4048] if padded else [*range(16, 72, 8), 4040, 4048]
    for size in sizes if engine == "iss" else sizes[:34:3]:
        check(cipher, random.Random(f"{cipher.name} {size}").randbytes(size), engine)


@pytest.mark.parametrize("cipher", [KW[0], KWP[0]], ids=lambda c: c.name)
def test_another_initial_value_is_that_of_the_caller(cipher: Cipher) -> None:
    iv = bytes(range(8 if cipher.kind.name == "kw" else 4))
    check(cipher, KEY, "iss", iv)
    wrapped = wrap.process(session("iss"), cipher, "encrypt", KEY[:16], KEY, iv)
    with pytest.raises(wrap.WrongKeyError):
        wrap.process(session("iss"), cipher, "decrypt", KEY[:16], wrapped)
    with pytest.raises(InputError, match=f"takes an iv of {len(iv)} bytes, or the standard's without one, not of 3"):
        wrap.process(session("iss"), cipher, "encrypt", KEY[:16], KEY, bytes(3))


@pytest.mark.parametrize("size", [8, 16, 24, 40])
@pytest.mark.parametrize("cipher", CIPHERS, ids=lambda c: c.name)
def test_a_damaged_bit_anywhere_is_found_and_nothing_is_released(cipher: Cipher, size: int) -> None:
    size = max(size, 16) if cipher.kind.name == "kw" else size
    key = KEY[: cipher.key_bits // 8]
    wrapped = wrap.process(session("iss"), cipher, "encrypt", key, bytes(size))
    for each in damaged(wrapped, 7):
        with pytest.raises(wrap.WrongKeyError, match="what was unwrapped is not right"):
            wrap.process(session("iss"), cipher, "decrypt", key, each)


def wrapped_as(first: bytes, text: bytes) -> bytes:
    """AES-128-KWP with any first half of the first block, and any padding."""
    if len(text) == 8:
        return libcrypto.crypt("AES-128-ECB", True, KEY[:16], b"", first + text)
    return libcrypto.crypt("AES-128-WRAP", True, KEY[:16], first, text)


@pytest.mark.parametrize("semiblocks", [1, 2, 3, 5])
def test_kwp_takes_each_length_with_its_padding_and_no_other(semiblocks: int) -> None:
    """SP 800-38F 6.3: the constant, a length that fits, zeros after it; each stands alone in being wrong."""
    cipher, most = KWP[0], 8 * semiblocks
    for length in [0, *range(max(0, most - 17), most + 10), most + 256, most << 8, most + (1 << 31)]:
        text = b"\x55" * min(length, most) + bytes(max(0, most - length))
        data = wrapped_as(wrap.of(KWP[0]).iv + length.to_bytes(4, "big"), text)
        if most - 8 < length <= most:
            assert wrap.process(session("iss"), cipher, "decrypt", KEY[:16], data) == text[:length]
            padding = [text[:at] + b"\x80" + text[at + 1 :] for at in range(length, most)]
            wrong = [wrapped_as(wrap.of(KWP[0]).iv + length.to_bytes(4, "big"), t) for t in padding]
            wrong += [wrapped_as(bytes.fromhex("a65959a7") + length.to_bytes(4, "big"), text)]
        else:
            wrong = [data]
        for each in wrong:
            with pytest.raises(wrap.WrongKeyError):
                wrap.process(session("iss"), cipher, "decrypt", KEY[:16], each)


@pytest.mark.parametrize("cipher", [KW[0], KWP[0]], ids=lambda c: c.name)
def test_the_check_takes_the_same_time_whether_a_key_is_right_or_wrong(cipher: Cipher) -> None:
    """And whichever length is the right one."""
    s, taken = session("iss"), set()
    for size in range(17, 25) if cipher.kind.name == "kwp" else [24]:
        wrapped = wrap.process(s, cipher, "encrypt", KEY[:16], KEY[:size])
        for data in (wrapped, bytes(len(wrapped))):
            accepted = True
            try:
                wrap.process(s, cipher, "decrypt", KEY[:16], data)
            except wrap.WrongKeyError:
                accepted = False
            assert accepted is (data == wrapped)
            image = assembled(cipher.default.image)
            routine = image.symbol(cipher.default.entries["decrypt"].others["check"]).value
            s.engine.write("m3", 0, bytes(16))
            taken.add(s.engine.run(routine).cycles)
            assert (s.engine.read("m3", 0, 16) == wrap.ACCEPTED) is accepted
    assert len(taken) == 1


@pytest.mark.parametrize(
    ("name", "direction", "size", "message"),
    [
        ("aes-128-wrap", "encrypt", 8, "wraps 16 to 4048 bytes in steps of 8, the input has 8"),
        ("aes-128-wrap", "encrypt", 17, "wraps 16 to 4048 bytes in steps of 8, the input has 17"),
        ("aes-128-wrap", "encrypt", 4056, "wraps 16 to 4048 bytes in steps of 8, the input has 4056"),
        ("aes-128-wrap", "decrypt", 16, "unwraps 24 to 4056 bytes in steps of 8, the input has 16"),
        ("aes-128-wrap-pad", "encrypt", 0, "wraps 1 to 4048 bytes, the input has 0"),
        ("aes-128-wrap-pad", "encrypt", 4049, "wraps 1 to 4048 bytes, the input has 4049"),
        ("aes-128-wrap-pad", "decrypt", 8, "unwraps 16 to 4056 bytes in steps of 8, the input has 8"),
        ("aes-128-wrap-pad", "decrypt", 20, "unwraps 16 to 4056 bytes in steps of 8, the input has 20"),
    ],
)
def test_a_length_that_is_not_wrapped_is_refused(name: str, direction: str, size: int, message: str) -> None:
    with pytest.raises(InputError, match=message):
        wrap.process(
            session("iss"),
            catalogue().cipher(name),
            "encrypt" if direction == "encrypt" else "decrypt",
            KEY[:16],
            bytes(size),
        )


def test_a_key_is_no_stream_and_is_not_padded() -> None:
    with pytest.raises(FirmwareError, match=r"aes-128-wrap has a tag or an integrity check; use lutra\.firmware\.wrap"):
        crypt.encrypt("aes-128-wrap", KEY[:16], KEY)
    with pytest.raises(FirmwareError, match="aes-128-wrap wraps keys and does not use PKCS#7 padding; leave out --pad"):
        crypt.check_padding(catalogue().cipher("aes-128-wrap"), True)


def test_the_command_wraps_and_writes_nothing_of_a_wrong_key(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """RFC 3394 4.1."""
    plain, out, back = tmp_path / "plain", tmp_path / "out", tmp_path / "back"
    plain.write_bytes(bytes.fromhex("00112233445566778899aabbccddeeff"))
    options = ["crypt", "--cipher", "aes-128-wrap", "--key", KEY[:16].hex()]
    assert main([*options, str(plain), str(out)]) == 0
    assert out.read_bytes().hex() == "1fa68b0a8112b447aef34bd8fb5a7b829d3e862371d2cfe5"
    assert main([*options, "--decrypt", str(out), str(back)]) == 0
    assert back.read_bytes() == plain.read_bytes()
    back.unlink()
    assert main([*options, "--decrypt", "--iv", "00" * 8, str(out), str(back)]) == 1
    assert not back.exists()
    assert "what was unwrapped is not right: the key is wrong, or the data is damaged" in capsys.readouterr().err
    assert main([*options, "--iv", "00" * 16, str(plain), str(out)]) == 2
    assert main([*options, "--pad", str(plain), str(out)]) == 2
    assert main([*options, "--aad", "00", str(plain), str(out)]) == 2
