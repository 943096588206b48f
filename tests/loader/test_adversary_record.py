"""An attacker who writes the boot record, and records as power cuts and wear leave them: the device goes on."""

from __future__ import annotations

import itertools

import pytest

from support.loader import CONFIRMED, EMPTY, ENTRY, NO_SLOT, SECTOR, TEST, TRIAL, Board, entry
from support.packs import Pack

ONE, TWO = (Pack(version=(n, 0, 0)).bytes for n in (1, 2))
LAST = (1 << 32) - 1
SIZES = (len(ONE), len(TWO))
PLACES = SECTOR // ENTRY


def still_takes_packs(board: Board) -> bool:
    """Two packs in a row, confirmed and booted after a reset, and a trial that is dropped."""
    for major in (8, 9):
        board.install(Pack(version=(major, 0, 0)).bytes)
        board.reset()
        assert board.boot() == "OK"
        status = board.status()
        if status.info[status.running].version[0] != major:
            return False
    assert [board.apply(Pack(version=(10, 0, 0)).bytes), board.boot(), board.boot()] == ["OK"] * 3
    status = board.status()
    return bool(status.info[status.running].version[0] == 9)


@pytest.mark.parametrize("sequence", [LAST - 5, LAST - 1, LAST])
@pytest.mark.parametrize("sector", [0, 1])
@pytest.mark.parametrize("beside", [True, False], ids=["beside others", "alone"])
def test_planted_entry_with_the_last_sequences_does_not_end_updates(
    board: Board, sequence: int, sector: int, beside: bool
) -> None:
    board.install(ONE)
    board.write_flash(0, b"\xff" * 2 * SECTOR * (not beside))
    board.write_flash(sector * SECTOR + (PLACES - 1) * ENTRY, entry(sequence, 0, (CONFIRMED, EMPTY), SIZES))
    assert still_takes_packs(board)


def test_sequence_goes_on_from_its_end(board: Board) -> None:
    board.install(ONE)
    board.write_flash(0, b"\xff" * SECTOR)
    board.write_flash(SECTOR, entry(LAST, 0, (CONFIRMED, EMPTY), SIZES))
    assert [board.apply(TWO), board.status().sequence] == ["OK", 0]
    assert [board.boot(), board.status().sequence, board.status().running] == ["OK", 1, 1]


def test_planted_pack_on_trial_is_not_tried_for_ever(board: Board) -> None:
    board.install(ONE)
    board.install(TWO)
    board.write_flash(0, b"\xff" * 2 * SECTOR)
    board.write_flash(SECTOR + (PLACES - 1) * ENTRY, entry(LAST, 0, (CONFIRMED, TEST), SIZES))
    assert [board.boot(), board.status().running] == ["OK", 1]
    assert [board.boot(), board.status().running] == ["OK", 0]


STATES = (EMPTY, TEST, TRIAL, CONFIRMED)


@pytest.mark.parametrize("primary", [0, 1, NO_SLOT])
@pytest.mark.parametrize("states", list(itertools.product(STATES, STATES)))
def test_every_record_that_can_be_planted_comes_to_rest_and_takes_packs(
    board: Board, primary: int, states: tuple[int, int]
) -> None:
    board.install(ONE)
    board.install(TWO)
    board.write_flash(SECTOR + (PLACES - 1) * ENTRY, entry(50, primary, states, SIZES))
    for _ in range(3):
        assert board.boot() in ("OK", "NO_FIRMWARE")
    rest = board.everything
    assert board.boot() in ("OK", "NO_FIRMWARE")
    assert board.everything == rest
    assert not {TEST, TRIAL} & set(board.status().state)
    assert still_takes_packs(board)


def test_switch_of_sectors_that_is_cut_anywhere_keeps_the_newest(board: Board) -> None:
    """In the erasure, which leaves old entries that are whole, and in the first entry after it."""
    board.install(ONE)
    while board.status().sequence < 2 * PLACES:  # sector 1 is full, sector 0 is next
        assert (board.apply(TWO) if board.status().state[1] == EMPTY else board.revert()) == "OK"
    old, saved = board.flash[:SECTOR], board.save()
    assert old.count(b"LBR1") == PLACES
    first = entry(2 * PLACES + 1, 0, (CONFIRMED, EMPTY), SIZES)
    erased = [b"\xff" * n + old[n:] for n in range(0, SECTOR, 32)] + [
        old[:n] + b"\xff" * (SECTOR - n) for n in (8, 200)
    ]
    torn = [(first[:n] + b"\xff" * SECTOR)[:SECTOR] for n in range(8, ENTRY, 8)]
    for left in erased + torn:
        board.restore(saved)
        board.write_flash(0, left)
        assert board.status().sequence == 2 * PLACES
        assert board.boot() == "OK"
        assert board.status().state[1] == EMPTY or board.revert() == "OK"
        assert still_takes_packs(board)


def test_sector_full_of_torn_entries_does_not_hide_the_newest(board: Board) -> None:
    board.install(ONE)
    torn = entry(99, NO_SLOT, (EMPTY, EMPTY))[:-8] + bytes(8)
    board.write_flash(3 * ENTRY, torn)
    board.write_flash(SECTOR, torn * PLACES)
    assert (board.status().sequence, board.boot()) == (3, "OK")
    assert still_takes_packs(board)
