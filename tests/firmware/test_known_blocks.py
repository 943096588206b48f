"""The known answers in firmware that computes AES twice are those of FIPS 197."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest

from models import aes
from support.documents import ROOT

FOLDER = ROOT / "firmware" / "aes"
KEY = bytes.fromhex("2b7e151628aed2a6abf7158809cf4f3c")  # of the example in FIPS 197 A.1


def _row(file: str, label: str, index: int = 0) -> bytes:
    rows = re.search(rf"^{label}:.*\n((?:\s+\.row.*\n)+)", (FOLDER / file).read_text(), re.M)
    assert rows
    return bytes.fromhex(re.findall(r'"(\w{32})"', rows[1])[index])


def _sbox() -> bytes:
    """FIPS 197 5.1.1."""
    found = bytearray()
    for a in range(256):
        inverse = next((b for b in range(256) if aes.multiply(a, b) == 1), 0)
        value = 0x63
        for shift in (0, 4, 5, 6, 7):
            value ^= inverse * 0x101 >> shift & 0xFF
        found.append(value)
    return bytes(found)


SBOX = _sbox()
ROWS = [SBOX[i : i + 16] for i in range(0, 256, 16)]


def _xor(a: bytes, b: bytes) -> bytes:
    return bytes(x ^ y for x, y in zip(a, b, strict=True))


def _encrypt(state: bytes, key: bytes, last: bool) -> bytes:
    state = aes.shift_rows(bytes(SBOX[b] for b in state))
    return _xor(state if last else aes.mix_columns(state), key)


def _decrypt(state: bytes, key: bytes, last: bool) -> bytes:
    """The equivalent inverse cipher (5.3.5)."""
    state = aes.inv_shift_rows(bytes(SBOX.index(b) for b in state))
    return _xor(state if last else aes.inv_mix_columns(state), key)


@pytest.mark.parametrize(("way", "step"), [("enc", _encrypt), ("dec", _decrypt)])
def test_known_blocks_of_firmware_that_computes_twice(way: str, step: Callable[[bytes, bytes, bool], bytes]) -> None:
    """Six rounds under the key of the example and row 14 of the S-box, which m1 has at the address of the key."""
    ones = bytes.fromhex("ff" * 16)
    # Row 1 enters the first one, and then its inverse; only this the second one.
    for index, (text, entering) in enumerate(((ROWS[1], ones), (ROWS[2], _xor(ones, ROWS[1])))):
        state = _xor(text, ROWS[0])
        for number in range(6):
            state = step(state, (KEY, ROWS[14])[number % 2], number == 5)
        assert _xor(state, entering) == _row("twice.inc", f"known_{way}", index)


def test_the_known_key_schedule_is_the_example_of_the_standard() -> None:
    assert _row("twice_schedule.inc", "known_keys") == KEY
    words = [KEY[i : i + 4] for i in range(0, 16, 4)]
    constant = 1
    for i in range(4, 44):
        word = words[-1]
        if i % 4 == 0:
            word = bytes(SBOX[b] for b in word[1:] + word[:1])
            word = bytes([word[0] ^ constant]) + word[1:]
            constant = aes.multiply(constant, 2)
        words.append(_xor(words[-4], word))
    assert b"".join(words[40:]) == _row("twice_schedule.inc", "known_schedule")
