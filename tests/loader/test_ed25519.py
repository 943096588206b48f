"""The device's verifier follows the strict rule; tests/pack/test_ed25519.py holds the tools to the same."""

from __future__ import annotations

import hashlib

import pytest

from support import ed25519
from support.loader import Library
from support.packs import PACK_KEY


def is_right(library: Library, key: bytes, signature: bytes, message: bytes) -> bool:
    assert len(signature) == ed25519.SIGNATURE_BYTES
    return bool(library.c.lutra_ed25519_check(signature, key, message, len(message)) & 0xFF)


# A pack cannot hold signatures of other lengths.
CASES = [case for case in ed25519.cases() if len(case.signature) == ed25519.SIGNATURE_BYTES]


def test_the_device_gives_the_results_of_the_strict_rule(library: Library) -> None:
    assert {case.right for case in CASES} == {True, False}
    wrong = [c.name for c in CASES if is_right(library, c.key, c.signature, c.message) is not c.right]
    assert not wrong


def test_the_device_takes_no_signature_of_a_key_of_small_order(library: Library) -> None:
    """For S = 0 and R = 1 the equation holds wherever [h]A is the identity; so it does for S = 1 and R = B."""
    base = bytes([0x58, *[0x66] * 31])
    for key in ed25519.SMALL_ORDER:
        for r, s in ((bytes([1]).ljust(32, b"\0"), 0), (base, 1)):
            signature = r + s.to_bytes(32, "little")
            assert not any(is_right(library, key, signature, bytes([n])) for n in range(64))


def test_key_that_is_not_a_point_has_no_signature(library: Library) -> None:
    assert not is_right(library, (2).to_bytes(32, "little"), bytes(64), b"")


@pytest.mark.parametrize("size", [0, 1, 80, 300])
def test_signatures_that_openssl_makes_are_right(library: Library, size: int) -> None:
    for n in range(8):
        message = hashlib.shake_128(bytes([n])).digest(size)
        signature = PACK_KEY.private.sign(message)
        assert is_right(library, PACK_KEY.public, signature, message)
        assert not is_right(library, PACK_KEY.public, signature, message + b"\0")
