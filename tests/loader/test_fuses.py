"""Fuses: only upwards, only for what is confirmed, and to the end although power was lost."""

from __future__ import annotations

import pytest

from support.loader import FUSE_COUNTER, FUSE_MARK, Board
from support.packs import FIRST_ROOT, ROOT_KEY, Key, Pack, Root

SECOND = Root(2, [ROOT_KEY], [Key("pack 2")])
ROTATED = Pack(version=(2, 0, 0), counter=9, roots=[FIRST_ROOT, SECOND], signers=[Key("pack 2")])


def counter(board: Board) -> bytes:
    return board.fuses[FUSE_COUNTER:]


def place(board: Board, n: int) -> bytes:
    return board.fuses[32 * n : 32 * n + 32]


def test_counter_is_a_row_of_burnt_bits(board: Board) -> None:
    for number in (0, 3, 8, 255):
        board.install(Pack(version=(1, number, 0), counter=number).bytes)
        assert int.from_bytes(counter(board), "little") == (1 << number) - 1
        assert board.status().counter == number


def test_counter_beyond_what_a_pack_can_have_refuses_all(board: Board) -> None:
    board.memory.fuses[FUSE_COUNTER + 31] = 0x80
    assert board.status().counter == 255
    assert board.check(Pack(counter=255).bytes) == "COUNTER"


def test_root_goes_to_the_next_place_and_is_marked(board: Board) -> None:
    board.install(ROTATED.bytes)
    assert (place(board, 1), board.fuses[FUSE_MARK + 1]) == (SECOND.digest, 0xFF)
    assert board.status().roots == 2


def test_place_that_a_lost_burn_has_spoiled_is_passed_over(board: Board) -> None:
    spoiled = bytes(~byte & 0xFF for byte in SECOND.digest)
    board.burn_root(1, spoiled, mark=0)
    board.install(ROTATED.bytes)
    assert (place(board, 1), place(board, 2), board.status().roots) == (spoiled, SECOND.digest, 3)


@pytest.mark.parametrize("kept", [0x00, 0x0F, 0xAA, 0xFF])
def test_burn_of_the_same_root_that_was_cut_short_is_finished(board: Board, kept: int) -> None:
    board.burn_root(1, bytes(byte & kept for byte in SECOND.digest), mark=0)
    board.install(ROTATED.bytes)
    assert (place(board, 1), board.status().roots) == (SECOND.digest, 2)


def test_boot_burns_what_was_left_when_power_went_after_confirmation(board: Board) -> None:
    fuses = board.fuses
    board.install(ROTATED.bytes)
    burnt = board.fuses
    for left in (fuses, fuses[:FUSE_COUNTER] + bytes([0x05]) + fuses[FUSE_COUNTER + 1 :]):
        board.memory.fuses[:] = list(left)
        assert board.boot() == "OK"
        assert board.fuses[:FUSE_COUNTER] == burnt[:FUSE_COUNTER]
        assert board.status().counter == 9
    changes = board.fuses
    board.memory.fuses_stuck = 1  # nothing is burnt twice
    assert board.boot() == "OK"
    assert board.fuses == changes


def test_burn_that_is_lost_is_noticed(board: Board) -> None:
    assert [board.apply(ROTATED.bytes), board.boot()] == ["OK", "OK"]
    board.memory.fuses_stuck = 1
    assert board.confirm() == "FUSES"
    board.memory.fuses_stuck = 0
    assert [board.boot(), board.status().counter, board.status().roots] == ["OK", 9, 2]


def test_confirmation_without_a_place_for_the_root_changes_nothing(board: Board) -> None:
    assert [board.apply(ROTATED.bytes), board.boot()] == ["OK", "OK"]
    for n in range(1, 8):
        board.memory.fuses[32 * n : 32 * n + 32] = [0xFF] * 32
    before = board.everything
    assert board.confirm() == "ROOT_FUSES"
    assert board.everything == before
