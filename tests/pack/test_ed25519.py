"""The tools' verifier follows the strict rule; tests/loader/test_ed25519.py holds the device to the same."""

from __future__ import annotations

import hashlib

import pytest

from lutra.firmware import pack
from lutra.firmware.pack import ed25519, keys, roots
from lutra.firmware.pack import format as layout
from support import ed25519 as published
from support import small_pack as packs


def test_the_tools_give_the_results_of_the_strict_rule() -> None:
    cases = published.cases()
    assert {case.right for case in cases} == {True, False}
    assert [c.name for c in cases if ed25519.is_right(c.key, c.signature, c.message) is not c.right] == []


def test_the_tools_take_no_signature_of_a_key_of_small_order() -> None:
    for key in published.SMALL_ORDER:
        signature = bytes([1]).ljust(64, b"\0")
        assert not any(ed25519.is_right(key, signature, bytes([n])) for n in range(64))


def test_keys_that_are_made_have_no_flaw() -> None:
    assert keys.flaw([keys.public(packs.key(str(n))) for n in range(8)]) == ""


def torsion(key: bytes) -> list[bytes]:
    """A key and the seven that differ by a point of small order, for all of which one secret signs."""
    eighth, point = (ed25519._decode(each) for each in (published.SMALL_ORDER[10], key))
    assert eighth and point
    found = []
    for _ in range(8):
        inverse = pow(point[2], -1, published.FIELD)
        x, y = (each * inverse % published.FIELD for each in point[:2])
        found.append((y | x % 2 << 255).to_bytes(32, "little"))
        point = ed25519._sum(point, eighth)
    return found


def sign(secret: bytes, key: bytes, message: bytes) -> bytes:
    """A signature that is right for a key of a secret, whatever point of small order was added to it.

    Deterministic, and not for use: R is tried until it does not depend on the point, one time in eight.
    """
    digest = hashlib.sha512(secret).digest()
    scalar = int.from_bytes(digest[:32], "little") & (1 << 254) - 8 | 1 << 254
    base = ed25519._decode(bytes([0x58, *[0x66] * 31]))
    assert base
    for r in range(1, 200):
        x, y, z, _ = ed25519._times(r, base)
        inverse = pow(z, -1, published.FIELD)
        encoded = (y * inverse % published.FIELD | x * inverse % published.FIELD % 2 << 255).to_bytes(32, "little")
        h = int.from_bytes(hashlib.sha512(encoded + key + message).digest(), "little") % published.ORDER
        if h % 8 == 0:
            return encoded + ((r + h * scalar) % published.ORDER).to_bytes(32, "little")
    raise AssertionError


def test_one_secret_signs_for_keys_that_differ_by_small_order() -> None:
    """So the equation alone does not keep two signers apart."""
    secret = packs.key("one").private_bytes_raw()
    for key in torsion(keys.public(packs.key("one"))):
        assert ed25519.is_right(key, sign(secret, key, b"root"), b"root")


@pytest.mark.parametrize("other", range(1, 8))
def test_a_root_names_no_key_that_shares_its_secret_by_small_order(other: int) -> None:
    good, bad = (torsion(keys.public(packs.key("one")))[n] for n in (0, other))
    with pytest.raises(pack.PackError, match=f"pack keys: {bad.hex()[:16]} is not a key .* signs for other keys"):
        roots.role("pack keys", [good, bad], 2)


def negated(key: bytes) -> bytes:
    return key[:31] + bytes([key[31] ^ 0x80])


def test_a_root_names_no_key_and_its_negative() -> None:
    key = keys.public(packs.key("one"))
    with pytest.raises(pack.PackError, match=r"the owner of .* can sign for"):
        roots.role("pack keys", [key, negated(key)], 2)


def test_a_root_names_no_key_that_is_not_a_point() -> None:
    with pytest.raises(pack.PackError, match="nobody can sign for it"):
        roots.role("root keys", [(2).to_bytes(32, "little")], 1)


@pytest.mark.parametrize("more", [torsion, lambda key: [key, negated(key)], lambda _: published.SMALL_ORDER[:1]])
def test_roots_with_such_keys_are_not_read(more: object) -> None:
    """Neither as a file nor in a pack, though a device takes the pack: only this key has signed it."""
    assert callable(more)
    odd = tuple(sorted({*more(keys.public(packs.key("spare")))[:7], keys.public(packs.key("pack"))}))
    unsigned = pack.SignedRoot(layout.ROOT.write(pack.Root(1, packs.role("root"), pack.Role(1, odd))))
    chain = roots.sign((unsigned,), packs.key("root"))
    with pytest.raises(pack.PackError, match=r"roots\[0\].root.pack_keys"):
        roots.decode(roots.encode(chain))
    made = pack.signed(packs.unsigned(), chain, [packs.key("pack")])
    with pytest.raises(pack.PackError, match=r"roots\[0\].root.pack_keys"):
        pack.verify(pack.encode(made), roots.trusted(chain))
