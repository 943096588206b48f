"""Forgeries without the keys: weak and doubled keys, malleable signatures, signatures of the one for the other."""

from __future__ import annotations

from typing import Any

import pytest

from support.loader import Board, Library
from support.packs import FIRST_ROOT, PACK_KEY, ROOT_KEY, Key, Pack, Root, digest, encode, signatures

ORDER = (1 << 252) + 27742317777372353535851937790883648493
PACK, ROOT = b"lutra pack v1", b"lutra root v1"


def with_root(roles: list[Any], signers: list[Key], pack_signatures: Any = None) -> tuple[bytes, list[Any]]:
    """Digest of a root of these roles, and an envelope under it."""
    root = encode(["lutra-root", 1, *roles])
    keys: list[bytes] = roles[0][1]
    by_own = sorted([keys.index(key.public), key.sign(ROOT, root)] for key in signers)
    envelope = Pack().envelope()
    envelope[2] = [[root, [], by_own]]
    if pack_signatures is not None:
        envelope[4] = pack_signatures
    return digest(root), envelope


def test_signature_with_a_scalar_beyond_the_order_is_refused(board: Board) -> None:
    envelope = Pack().envelope()
    key, signature = envelope[4][0]
    scalar = int.from_bytes(signature[32:], "little") + ORDER
    while scalar < 1 << 256:
        envelope[4] = [[key, signature[:32] + scalar.to_bytes(32, "little")]]
        assert board.check(encode(envelope)) == "SIGNATURE"
        scalar += ORDER


def test_key_that_stands_twice_in_a_role_is_refused(board: Board) -> None:
    key = PACK_KEY.public
    trusted, envelope = with_root([[1, [ROOT_KEY.public]], [2, [key, key]]], [ROOT_KEY])
    signed = envelope[4][0][1]
    envelope[4] = [[0, signed], [1, signed]]
    board.burn_root(0, trusted)
    assert board.check(encode(envelope)) == "ORDER"


@pytest.mark.parametrize("indices", [(0, 0), (1, 0)])
def test_one_key_does_not_count_twice_for_a_threshold(board: Board, indices: tuple[int, int]) -> None:
    keys = sorted([PACK_KEY.public, Key("other").public])
    trusted, envelope = with_root([[1, [ROOT_KEY.public]], [2, keys]], [ROOT_KEY])
    board.burn_root(0, trusted)
    signature = envelope[4][0][1]
    own = keys.index(PACK_KEY.public)
    envelope[4] = [[own, signature]]
    assert board.check(encode(envelope)) == "THRESHOLD"
    envelope[4] = [[each, signature] for each in indices]
    assert board.check(encode(envelope)) == "ORDER"
    envelope[4] = [[0, signature], [1, signature]]
    assert board.check(encode(envelope)) == "SIGNATURE"


def test_one_key_in_both_roles_signs_for_each_with_a_purpose_of_its_own(library: Library) -> None:
    """A signature of a root is none of a manifest, and the other way round, even of the same bytes."""
    root = Root(1, [PACK_KEY], [PACK_KEY])
    pack = Pack(roots=[root])
    with library.device() as board:
        board.burn_root(0, root.digest)
        assert board.check(pack.bytes) == "OK"
        envelope = pack.envelope()
        envelope[4] = signatures([PACK_KEY], [PACK_KEY], ROOT, envelope[3])
        assert board.check(encode(envelope)) == "SIGNATURE"
        envelope = pack.envelope()
        envelope[2][0][2] = signatures([PACK_KEY], [PACK_KEY], PACK, root.bytes)
        assert board.check(encode(envelope)) == "ROOT_SIGNATURE"


def test_root_of_pack_keys_is_refused(board: Board) -> None:
    """Whoever has only pack keys cannot bring a root, nor one who has only the new root's keys."""
    mine = Root(2, [Key("mine")], [Key("mine")])
    for signers in ([PACK_KEY], [Key("mine")]):
        envelope = Pack(roots=[FIRST_ROOT, mine], signers=[Key("mine")]).envelope()
        envelope[2][1][1] = [[0, signers[0].sign(ROOT, mine.bytes)]]
        assert board.check(encode(envelope)) == "ROOT_SIGNATURE"
        envelope[2][1][1] = []
        assert board.check(encode(envelope)) == "ROOT_SIGNATURE"


def test_other_roots_before_the_trusted_one_gain_nothing(board: Board) -> None:
    """Anybody can sign those: they say nothing of the pack, whose keys are those of the trusted root and after it."""
    second = Root(2, [ROOT_KEY], [Key("pack 2")])
    board.install(Pack(version=(2, 0, 0), roots=[FIRST_ROOT, second], signers=[Key("pack 2")]).bytes)
    mine = Root(1, [Key("mine")], [Key("mine")])
    pack = Pack(version=(3, 0, 0), roots=[mine, second])
    assert board.check(pack.but(signers=[Key("pack 2")]).bytes) == "OK"
    envelope = pack.but(signers=[]).envelope()
    assert board.check(encode(envelope)) == "THRESHOLD"
    envelope[4] = [[0, Key("mine").sign(PACK, envelope[3])]]
    assert board.check(encode(envelope)) == "SIGNATURE"


def test_forged_roots_before_the_trusted_one_take_no_time(board: Board) -> None:
    """They are neither read nor are their signatures checked; from the trusted one on all is."""
    second = Root(2, [ROOT_KEY], [Key("pack 2")])
    board.install(Pack(version=(2, 0, 0), roots=[FIRST_ROOT, second], signers=[Key("pack 2")]).bytes)
    pack = Pack(version=(3, 0, 0), roots=[FIRST_ROOT, second], signers=[Key("pack 2")])
    forged = [[n, bytes(64)] for n in range(8)]
    envelope = pack.envelope()
    envelope[2][0] = [b"no root", [], forged]
    envelope[2][1][1] = forged
    assert board.check(encode(envelope)) == "OK"
    envelope[2][1][2] = [[0, bytes(64)]]
    assert board.check(encode(envelope)) == "ROOT_SIGNATURE"
    envelope[2][1][2] = []
    assert board.check(encode(envelope)) == "ROOT_SIGNATURE"


def test_trusted_root_in_the_place_of_another_version_is_refused(board: Board) -> None:
    envelope = Pack().envelope()
    envelope[2] = [[b"no root", [], []], *envelope[2]]
    assert board.check(encode(envelope)) == "ROOT_VERSION"
