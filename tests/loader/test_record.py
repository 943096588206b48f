"""The boot record: the newest entry that is whole counts, and what was cut short is skipped."""

from __future__ import annotations

import pytest

from support.loader import CONFIRMED, EMPTY, ENTRY, NO_SLOT, SECTOR, TEST, TRIAL, Board, Library, entry
from support.packs import Pack

ONE, TWO = (Pack(version=(n, 0, 0)).bytes for n in (1, 2))
PLACES = SECTOR // ENTRY
SIZES = (len(ONE), len(TWO))
GOOD = (CONFIRMED, EMPTY)


def entries(board: Board, sector: int = 0) -> list[bytes]:
    """Bytes of a sector that are not erased."""
    data = board.flash[sector * SECTOR : (sector + 1) * SECTOR]
    rows = [data[at : at + ENTRY] for at in range(0, SECTOR, ENTRY)]
    return [row for row in rows if row != b"\xff" * ENTRY]


def append(board: Board, data: bytes) -> None:
    """To sector 0, after what is there."""
    board.write_flash(len(entries(board)) * ENTRY, data)


def test_entries_are_as_described(board: Board) -> None:
    assert board.apply(ONE) == "OK"
    assert entries(board) == [entry(1, NO_SLOT, (TEST, EMPTY), (len(ONE), 0))]
    assert board.boot() == "OK"
    assert entries(board)[1:] == [entry(2, NO_SLOT, (TRIAL, EMPTY), (len(ONE), 0))]
    assert board.confirm() == "OK"
    assert entries(board)[2:] == [entry(3, 0, GOOD, (len(ONE), 0))]


def test_sectors_take_turns(board: Board) -> None:
    board.install(ONE)  # three entries
    assert [board.apply(TWO), board.boot()] == ["OK", "OK"]
    assert (len(entries(board, 0)), len(entries(board, 1))) == (PLACES, 1)
    for _ in range(3):
        assert [board.revert(), board.apply(TWO)] == ["OK", "OK"]
    assert board.status().sequence == 11
    assert (len(entries(board, 0)), len(entries(board, 1))) == (3, PLACES)


@pytest.mark.parametrize("cut", [1, 4, 8, 11, 20, 56, 57, 63])
@pytest.mark.parametrize("rest", [b"\xff", b"\0", b"\x5a"])
def test_entry_that_was_cut_short_is_skipped(board: Board, cut: int, rest: bytes) -> None:
    board.install(ONE)
    lost = entry(4, NO_SLOT, (EMPTY, EMPTY))
    append(board, (lost[:cut] + rest * ENTRY)[:ENTRY])
    assert board.status().sequence == 3
    assert board.boot() == "OK"
    assert [board.apply(TWO), board.boot(), board.status().running] == ["OK", "OK", 1]
    assert board.status().sequence == 5
    assert len(entries(board, 1)) == 2  # sector 0 was full


def test_write_that_left_nothing_is_written_again(board: Board) -> None:
    board.install(ONE)
    append(board, b"\xff" * ENTRY)
    assert board.apply(TWO) == "OK"
    assert len(entries(board)) == PLACES


@pytest.mark.parametrize("junk", [b"\0" * SECTOR, b"\x5a" * SECTOR, b"\xff" * (SECTOR - 1) + b"\0"])
def test_erasure_that_was_cut_short_leaves_the_newest(board: Board, junk: bytes) -> None:
    board.install(ONE)
    append(board, entry(4, 0, GOOD, (len(ONE), 0)))
    board.write_flash(SECTOR, junk)
    assert board.status().sequence == 4
    assert [board.apply(TWO), board.boot(), board.confirm()] == ["OK"] * 3
    assert [board.status().sequence, board.status().primary] == [7, 1]
    assert len(entries(board, 1)) == 3


def test_newest_of_both_sectors_counts_wherever_it_is(board: Board) -> None:
    board.install(ONE)
    board.write_flash(SECTOR + 2 * ENTRY, entry(9, NO_SLOT, (EMPTY, EMPTY)))
    assert (board.status().sequence, board.status().primary) == (9, NO_SLOT)
    board.write_flash(SECTOR + 3 * ENTRY, entry(5, 0, GOOD, (len(ONE), 0)))
    assert board.status().sequence == 9


def test_record_of_nothing_but_junk_is_an_empty_one(board: Board) -> None:
    board.write_flash(0, b"\x5a" * 2 * SECTOR)
    assert (board.status().sequence, board.boot()) == (0, "NO_FIRMWARE")
    assert board.apply(ONE) == "OK"
    assert entries(board, 1) == [entry(1, NO_SLOT, (TEST, EMPTY), (len(ONE), 0))]


@pytest.mark.parametrize(
    "impossible",
    [
        entry(4, 2, GOOD, SIZES),
        entry(4, 0, (TRIAL, EMPTY), SIZES),
        entry(4, 1, GOOD, SIZES),
        entry(4, 0, (CONFIRMED, 4), SIZES),
        entry(4, 0, GOOD, (4097, 0)),
        entry(4, 0, GOOD, (0, 4097)),
        entry(4, 0, GOOD, SIZES).replace(b"LBR1", b"LBR2"),
    ],
    ids=["slot", "state of primary", "state of the other", "no state", "size 0", "size 1", "magic"],
)
def test_entry_that_says_what_cannot_be_is_skipped(board: Board, impossible: bytes) -> None:
    board.install(ONE)
    append(board, impossible)
    assert board.status().sequence == 3
    assert board.boot() == "OK"


def test_write_that_is_lost_is_noticed(board: Board) -> None:
    board.install(ONE)
    board.memory.stuck = 1
    assert board.apply(TWO) == "VERIFY"
    board.memory.stuck = 0
    assert [board.apply(TWO), board.boot(), board.confirm()] == ["OK"] * 3
    board.memory.stuck = 1
    assert board.apply(Pack(version=(3, 0, 0)).bytes) == "VERIFY"
    assert board.revert() == "VERIFY"
    assert board.status().running == 1


def test_boot_that_cannot_write_its_record_runs_nothing(board: Board) -> None:
    board.install(ONE)
    assert board.apply(TWO) == "OK"
    board.memory.stuck = 1
    assert (board.boot(), board.memory.device.running) == ("VERIFY", NO_SLOT)
    board.memory.stuck = 0
    assert [board.boot(), board.status().running] == ["OK", 1]


def test_larger_sectors_hold_more_entries(library: Library) -> None:
    with library.device(sector=1024, slot=4096) as board:
        for n in range(1, 6):
            board.install(Pack(version=(n, 0, 0)).bytes)
        assert board.flash[: 16 * ENTRY].count(b"LBR1") == 16
