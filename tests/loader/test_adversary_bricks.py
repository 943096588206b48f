"""A pessimist's device: power cuts, spoiled fuses, and sequences of calls after which it must still take a repair."""

from __future__ import annotations

import itertools
from collections.abc import Callable

import pytest

from support.loader import CONFIRMED, EMPTY, FUSE_COUNTER, TEST, TRIAL, Board, Library, entry
from support.packs import FIRST_ROOT, OUTPUT, PROGRAM, ROOT_KEY, Key, Pack, Root

ONE, TWO, THREE = (Pack(version=(n, 0, 0)).bytes for n in (1, 2, 3))
SECOND, SIBLING = (Root(2, [ROOT_KEY], [Key(name)]) for name in ("pack 2", "sibling"))
ROTATED = Pack(version=(2, 0, 0), counter=3, roots=[FIRST_ROOT, SECOND], signers=[Key("pack 2")])
FORKED = Pack(version=(3, 0, 0), counter=3, roots=[FIRST_ROOT, SIBLING], signers=[Key("sibling")])


def states(board: Board) -> tuple[int, ...]:
    return tuple(board.status().state)


def version(board: Board) -> int:
    """Slot of the running firmware."""
    status = board.status()
    return int(status.info[status.running].version[0])


def rot(board: Board) -> None:
    """A byte of manifest or parts in the second slot."""
    at = board.slot_at(1) + 450
    board.write_flash(at, bytes([board.flash[at] ^ 1]))


CALLS: dict[str, Callable[[Board], object]] = {
    "apply": lambda board: board.apply(TWO),
    "boot": Board.boot,
    "confirm": Board.confirm,
    "revert": Board.revert,
    "off": Board.reset,
    "rot": rot,
}


THREE_CALLS = pytest.mark.nightly("all sequences of three calls; those of two begin in each state that a third meets")


@pytest.mark.parametrize("count", [2, pytest.param(3, marks=THREE_CALLS)])
@pytest.mark.parametrize("first", [[], ["apply"], ["apply", "boot"]], ids=["confirmed", "applied", "on trial"])
def test_no_sequence_of_calls_confirms_what_did_not_run_or_loses_all(
    board: Board, first: list[str], count: int
) -> None:
    """All sequences of so many more calls; after each the device boots, and takes the next pack."""
    board.install(ONE)
    for name in first:
        assert CALLS[name](board) == "OK"
    start = board.save()
    repair = Pack(version=(9, 0, 0)).bytes
    for names in itertools.product(CALLS, repeat=count):
        board.restore(start)
        tried = False
        for name in names:
            before, running = states(board), board.memory.device.running
            result = CALLS[name](board)
            if name == "confirm" and result == "OK":
                assert (before[1], running) == (TRIAL, 1), names
                tried = True
        assert tried or states(board)[1] != CONFIRMED, names
        board.reset()
        assert (board.boot(), board.memory.device.running in (0, 1)) == ("OK", True), names
        if TRIAL in states(board):
            assert board.revert() == "OK"
        assert [board.apply(repair), board.boot(), board.confirm(), version(board)] == ["OK"] * 3 + [9], names


def test_half_written_slot_is_never_what_the_device_falls_back_to(library: Library) -> None:
    """Each callback of an apply fails in turn, then the firmware that runs rots.

    Not the last one, which reads the entry back that says that the slot is whole.
    """
    with library.device() as board:
        board.install(ONE)
        board.install(TWO)
        board.memory.calls = 0
        installed = board.save()
        assert board.apply(THREE) == "OK"
        calls = board.memory.calls
        for at in range(1, calls, 23):
            board.restore(installed)
            board.memory.fail_at = at
            assert board.apply(THREE) != "OK"
            board.memory.fail_at = 0
            standby = states(board)[0]
            assert standby in (CONFIRMED, EMPTY)
            rot(board)
            board.reset()
            assert board.boot() == ("OK" if standby == CONFIRMED else "NO_FIRMWARE")
            assert [board.apply(THREE), board.boot(), board.confirm()] == ["OK"] * 3


@pytest.mark.parametrize(("kept", "mark"), [(0x00, 0), (0x11, 0), (0xEE, 0), (0xFF, 0), (0xFF, 1), (0xFF, 0xFF)])
def test_root_that_was_burnt_in_part_gives_way_to_another(board: Board, kept: int, mark: int) -> None:
    """Power fails in the burn, the slot rots, and the next pack has another root of the same version."""
    board.install(ONE)
    fuses = board.fuses
    board.install(ROTATED.bytes)
    board.memory.fuses[:] = list(fuses)
    board.burn_root(1, bytes(each & kept for each in SECOND.digest), mark)
    rot(board)
    board.reset()
    if mark:  # the rotation counts: the sibling is none of its successors
        assert [board.boot(), board.apply(FORKED.bytes)] == ["NO_FIRMWARE", "ROOT_UNKNOWN"]
        board.install(ROTATED.but(version=(4, 0, 0)).bytes)
        return
    assert [board.boot(), version(board)] == ["OK", 1]
    board.install(FORKED.bytes)
    board.reset()
    assert [board.boot(), version(board)] == ["OK", 3]
    assert board.apply(ROTATED.but(version=(9, 0, 0)).bytes) == "ROOT_UNKNOWN"


def test_fuse_that_cannot_be_burnt_leaves_a_way_back(board: Board) -> None:
    board.install(ONE)
    assert [board.apply(ROTATED.bytes), board.boot()] == ["OK", "OK"]
    board.memory.fuses_stuck = 1
    assert [board.confirm(), board.boot()] == ["FUSES", "FUSES"]
    assert [board.revert(), board.boot(), version(board)] == ["OK", "OK", 1]
    assert [board.apply(THREE), board.boot(), board.confirm(), version(board)] == ["OK"] * 3 + [3]


def test_fallback_of_an_earlier_root_never_boots_and_leaves_room_for_a_repair(board: Board) -> None:
    board.install(ONE)
    board.install(ROTATED.bytes)
    rot(board)
    assert [board.boot(), board.revert()] == ["NO_FIRMWARE", "ROOT_UNKNOWN"]
    board.install(ROTATED.bytes)
    assert version(board) == 2


def test_counter_at_its_end_still_takes_packs(board: Board) -> None:
    board.install(Pack(counter=255).bytes)
    assert board.apply(Pack(version=(2, 0, 0), counter=254).bytes) == "COUNTER"
    for major in (2, 3):
        board.install(Pack(version=(major, 0, 0), counter=255).bytes)
    assert board.status().counter == 255


def test_counter_that_was_burnt_in_part_never_passes_what_was_confirmed(board: Board) -> None:
    board.install(Pack(counter=2).bytes)
    fuses = board.fuses
    target = Pack(version=(2, 0, 0), counter=20)
    board.install(target.bytes)
    for bits in (1 << 19, 1 << 10, 0x55555, 1 << 2):
        board.memory.fuses[:] = list(fuses)
        left = int.from_bytes(fuses[FUSE_COUNTER:], "little") | bits
        board.memory.fuses[FUSE_COUNTER:] = list(left.to_bytes(32, "little"))
        board.reset()
        assert [board.boot(), board.status().counter] == ["OK", 20]


def test_planted_confirmation_burns_no_more_than_the_pack_is_signed_for(board: Board) -> None:
    """Whoever writes the flash confirms what is signed, and nothing else."""
    board.install(ONE)
    fuses = board.fuses
    unsigned = Pack(version=(7, 0, 0), counter=200, signers=[]).bytes
    sizes = (len(ONE), len(unsigned))
    board.write_flash(board.slot_at(1), unsigned)
    board.write_flash(3 * 64, entry(4, 1, (CONFIRMED, CONFIRMED), sizes))
    assert [board.boot(), version(board), board.fuses == fuses] == ["OK", 1, True]


def test_slot_that_is_exchanged_before_the_confirmation_must_be_signed_too(board: Board) -> None:
    board.install(ONE)
    assert [board.apply(TWO), board.boot()] == ["OK", "OK"]
    board.write_flash(board.slot_at(1), Pack(version=(2, 0, 0), counter=99, signers=[]).bytes)
    before = board.everything
    assert board.confirm() != "OK"
    assert board.everything == before


def test_firmware_for_another_core_does_not_boot_from_a_slot_either(board: Board) -> None:
    board.install(ONE)
    for other in (Pack(core=(2, 65535, 1, 1)), Pack(isa=(1, 0)), Pack(isa=(0, 255))):
        board.write_flash(board.slot_at(1), b"\xff" * 4096)
        board.write_flash(board.slot_at(1), other.bytes)
        sequence = board.status().sequence
        board.write_flash(0, b"\xff" * 256)
        board.write_flash(0, entry(sequence + 1, 1, (CONFIRMED, CONFIRMED), (len(ONE), len(other.bytes))))
        assert [board.boot(), board.status().running] == ["OK", 0]


def test_versions_are_compared_with_what_runs_and_only_the_counter_holds_for_ever(board: Board) -> None:
    """As docs/patching.md says: by a pack of another name, an old version comes back; by no name a lower counter."""
    board.install(Pack(version=(5, 0, 0), counter=1).bytes)
    assert board.apply(Pack(version=(1, 0, 0), counter=1).bytes) == "VERSION"
    board.install(Pack(name="other", counter=1).bytes)
    assert board.check(Pack(version=(1, 0, 0), counter=1).bytes) == "OK"
    for name in ("toy", "other", "toy ", "Toy"):
        assert board.check(Pack(name=name, version=(9, 0, 0), counter=0).bytes) == "COUNTER"


LARGE = (0xFFFFFFFF, 0xFFFFFFF8, 0x80000000, 0x10000, 0x8000)


@pytest.mark.parametrize("offset", LARGE)
@pytest.mark.parametrize("length", [1, 8, 2000])
def test_places_near_the_end_of_32_bits_are_in_no_memory(board: Board, offset: int, length: int) -> None:
    data = bytes(length)
    segment = Pack(images=[[[4, offset, data]]], maps=[[[4, offset, length]]])
    region = Pack(maps=[[[4, 0, 16], [PROGRAM, offset, 0xFFFFFFFF]]])
    steps = [[[kind, 2, offset, data], [2, 3, 0, OUTPUT]] for kind in (0, 2)]
    answers = [Pack(answers=[["a", 0, each]]) for each in steps]
    before = board.everything
    for pack in (segment, region, *answers, Pack(answers=[["a", 0, [[1, min(offset, 65535), 5], [2, 3, 0, OUTPUT]]]])):
        assert board.apply(pack.bytes) == "BOUNDS"
    assert board.everything == before


def test_answers_write_run_and_compare_up_to_the_last_byte_and_no_further(board: Board) -> None:
    memory = board.memory.device.core
    last = memory.memory_rows * 16
    program = memory.program_words * 8
    for space, size in ((2, last), (PROGRAM, program)):
        inside = [[0, space, size - 4, b"last"], [2, space, size - 4, b"last"]]
        assert board.check(Pack(answers=[["a", 0, inside]]).bytes) == "OK"
        for n in (0, 1):
            beyond = [list(step) for step in inside]
            beyond[n][2] += 1
            assert board.check(Pack(answers=[["a", 0, beyond]]).bytes) == "BOUNDS"


def test_slot_that_is_changed_between_its_mark_and_its_trial_is_emptied(library: Library) -> None:
    with library.device() as board:
        board.install(ONE)
        for place in range(0, len(TWO), 97):
            other = TWO[:place] + bytes([TWO[place] ^ 1]) + TWO[place + 1 :]
            board.write_flash(board.slot_at(1), b"\xff" * 4096)
            board.write_flash(board.slot_at(1), other)
            board.write_flash(256, b"\xff" * 256)
            board.write_flash(256, entry(77, 0, (CONFIRMED, TEST), (len(ONE), len(TWO))))
            assert [board.boot(), version(board), states(board)[1]] == ["OK", 1, EMPTY]
