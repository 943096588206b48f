"""From pack to pack: apply, trial, confirm, revert, and what a device does that finds a slot damaged."""

from __future__ import annotations

from typing import Any

import pytest

from support.loader import CONFIRMED, EMPTY, NO_SLOT, SLOT, TEST, TEXTS, TRIAL, Algorithm, Board, Info, Library
from support.packs import (
    FIRST_ROOT,
    INPUT,
    OUTPUT,
    PROGRAM,
    ROOT_KEY,
    TABLE,
    TOY_ENDLESS,
    TOY_IDLE,
    TOY_LATE,
    TOY_WAIT,
    TOY_XOR,
    Key,
    Pack,
    Root,
    algorithm,
    digest,
    encode,
    toy_word,
)

ONE, TWO, THREE = (Pack(version=(n, 0, 0)).bytes for n in (1, 2, 3))


def states(board: Board) -> tuple[int, int]:
    status = board.status()
    return status.state[0], status.state[1]


def is_cleared(board: Board) -> bool:
    return board.core == bytes(len(board.core))


def test_new_device_has_no_firmware(board: Board) -> None:
    assert board.boot() == "NO_FIRMWARE"
    assert board.confirm() == "NO_TRIAL"
    assert board.revert() == "NO_OTHER"
    assert [board.load(0), board.self_test(), board.find("toy-ecb")] == ["NO_FIRMWARE"] * 3
    status = board.status()
    assert (status.primary, status.running, status.counter, status.roots, status.sequence) == (0xFF, 0xFF, 0, 1, 0)
    assert TEXTS[status.check[0]] == "no slot holds firmware that may run: apply a pack"


def test_pack_is_tried_at_the_next_boot_and_stays_once_confirmed(board: Board) -> None:
    board.install(ONE)
    assert (states(board), board.status().primary) == ((CONFIRMED, EMPTY), 0)
    assert board.apply(TWO) == "OK"
    assert (states(board), board.status().primary, is_cleared(board)) == ((CONFIRMED, TEST), 0, True)
    assert board.boot() == "OK"
    assert (states(board), board.status().running) == ((CONFIRMED, TRIAL), 1)
    assert board.confirm() == "OK"
    assert (states(board), board.status().primary) == ((CONFIRMED, CONFIRMED), 1)
    assert board.confirm() == "NO_TRIAL"
    board.reset()
    assert [board.boot(), board.status().running] == ["OK", 1]
    assert board.apply(THREE) == "OK"
    assert states(board) == (TEST, CONFIRMED)


def test_trial_that_nobody_confirms_is_emptied(board: Board) -> None:
    board.install(ONE)
    assert [board.apply(TWO), board.boot()] == ["OK", "OK"]
    board.reset()
    assert board.confirm() == "NO_TRIAL"  # it does not run any more
    assert board.boot() == "OK"
    assert (states(board), board.status().running) == ((CONFIRMED, EMPTY), 0)
    assert board.confirm() == "NO_TRIAL"


def test_first_trial_that_nobody_confirms_leaves_nothing(board: Board) -> None:
    assert [board.apply(ONE), board.boot()] == ["OK", "OK"]
    board.reset()
    assert board.boot() == "NO_FIRMWARE"
    assert is_cleared(board)


def test_pack_is_refused_while_another_is_pending(board: Board) -> None:
    assert board.apply(ONE) == "OK"
    assert board.apply(TWO) == "PENDING"
    assert board.boot() == "OK"
    assert board.apply(TWO) == "PENDING"
    assert [board.revert(), board.apply(TWO)] == ["OK", "OK"]


def test_revert_drops_what_is_pending(board: Board) -> None:
    board.install(ONE)
    assert [board.apply(TWO), board.revert()] == ["OK", "OK"]
    assert states(board) == (CONFIRMED, EMPTY)
    assert [board.boot(), board.apply(TWO), board.boot(), board.revert()] == ["OK"] * 4
    assert (states(board), board.status().running, is_cleared(board)) == ((CONFIRMED, EMPTY), NO_SLOT, True)
    assert [board.boot(), board.status().running] == ["OK", 0]


def test_revert_of_a_pack_that_does_not_run_leaves_the_core(board: Board) -> None:
    board.install(ONE)
    assert [board.apply(TWO), board.boot()] == ["OK", "OK"]
    board.memory.device.running = 0
    core = board.core
    assert board.revert() == "OK"
    assert (board.core, board.memory.device.running) == (core, 0)


def test_revert_goes_back_and_forth_between_what_was_confirmed(board: Board) -> None:
    board.install(ONE)
    assert board.revert() == "NO_OTHER"
    board.install(TWO)
    for slot in (0, 1):
        assert board.revert() == "OK"
        assert (board.status().primary, board.status().running) == (slot, NO_SLOT)
        assert [board.boot(), board.status().running] == ["OK", slot]


def test_revert_below_the_counter_is_refused(board: Board) -> None:
    board.install(ONE)
    board.install(Pack(version=(2, 0, 0), counter=1).bytes)
    before = board.everything
    assert board.revert() == "COUNTER"
    assert board.everything == before


def test_damaged_primary_gives_way_to_the_firmware_before(board: Board) -> None:
    board.install(ONE)
    board.install(TWO)
    board.write_flash(board.slot_at(1) + 200, b"\0")
    assert board.boot() == "OK"
    status = board.status()
    assert (status.running, status.primary, states(board)) == (0, 0, (CONFIRMED, EMPTY))


def test_damaged_primary_without_another_leaves_nothing_running(board: Board) -> None:
    board.install(ONE)
    board.write_flash(board.slot_at(0) + 200, b"\0")
    assert (board.boot(), is_cleared(board)) == ("NO_FIRMWARE", True)
    assert board.apply(ONE) == "OK"  # nothing that verifies is as new
    assert board.boot() == "OK"


def test_firmware_before_does_not_return_below_the_counter(board: Board) -> None:
    board.install(ONE)
    board.install(Pack(version=(2, 0, 0), counter=1).bytes)
    board.write_flash(board.slot_at(1) + 200, b"\0")
    assert board.boot() == "NO_FIRMWARE"


@pytest.mark.parametrize(
    ("word", "cycles", "result"),
    [
        (toy_word(TOY_XOR, 6), 5, "CYCLES"),
        (toy_word(TOY_LATE, 6), 5, "CYCLES"),
        (toy_word(TOY_ENDLESS), 5, "CYCLES"),
        (toy_word(TOY_WAIT), 5, "STOPPED"),
        (toy_word(TOY_IDLE), 5, "STOPPED"),
        (toy_word(0), 5, "STOPPED"),
        (toy_word(TOY_XOR), 5, "OK"),
    ],
)
def test_known_answers_are_demanded_before_anything_is_marked(
    board: Board, word: bytes, cycles: int, result: str
) -> None:
    board.install(ONE)
    good = ["xor", 0, [[0, 2, 0, INPUT], [2, 2, 0, INPUT]]]
    bad = ["run", 0, [[0, 2, 0, INPUT], [0, 2, 0, INPUT], [1, 0, cycles], [2, 3, 0, OUTPUT]]]
    pack = Pack(version=(2, 0, 0), images=[[[4, 0, TABLE], [PROGRAM, 0, word]]], answers=[good, bad])
    assert board.apply(pack.bytes) == result
    if result != "OK":
        assert (board.error.answer, board.error.step) == (1, 2)
        assert (states(board), board.memory.device.running, is_cleared(board)) == ((CONFIRMED, EMPTY), NO_SLOT, True)
        assert [board.boot(), board.status().running] == ["OK", 0]


def test_answer_that_does_not_come_out_is_named(board: Board) -> None:
    wrong = OUTPUT[:3] + b"\0" + OUTPUT[4:]
    steps = [[0, 2, 0, INPUT], [1, 0, 5], [2, 3, 0, wrong]]
    assert board.apply(Pack(answers=[["a", 0, steps]]).bytes) == "ANSWER"
    assert (board.error.answer, board.error.step) == (0, 2)
    assert board.apply(Pack(answers=[["a", 0, [*steps[:2], [2, 3, 1, OUTPUT[1:3]]]]]).bytes) == "OK"


def test_answers_that_fail_in_the_trial_end_it(board: Board) -> None:
    """As on a core that differs from the one on which they were first run."""
    board.install(ONE)
    assert board.apply(TWO) == "OK"
    board.memory.answers_wrong = 1
    assert board.boot() == "OK"
    assert (states(board), board.status().running) == ((CONFIRMED, EMPTY), 0)


def test_each_answer_starts_from_a_freshly_loaded_image(board: Board) -> None:
    stain = ["a", 0, [[0, 4, 0, bytes(16)], [0, 0, 7, b"x"], [2, 0, 7, b"x"]]]
    fresh = ["b", 0, [[2, 4, 0, TABLE], [2, 0, 7, b"\0"]]]
    assert board.apply(Pack(answers=[stain, fresh]).bytes) == "OK"


SECOND_IMAGE = [[0, 3, b"abcde"], [0, 8, b"f"], [5, 16, bytes(range(32))], [PROGRAM, 8, toy_word(TOY_XOR) * 2]]
IMAGES = Pack(
    images=[Pack().images[0], SECOND_IMAGE],
    maps=[Pack().maps[0], [[0, 3, 6], [5, 16, 32], [PROGRAM, 8, 16]]],
    algorithms=[
        algorithm("a"),
        algorithm(
            "b",
            image=1,
            iv=[1, 16],
            partial=True,
            encrypt=[],
            decrypt=[["end", 2], ["job", 1]],
            polynomial=[16, 4129, 65535, True, False, 0],
            proof=[bytes(range(32))],
        ),
    ],
)


def test_images_are_loaded_into_cleared_memories_byte_by_byte(board: Board) -> None:
    board.install(IMAGES.bytes)
    assert board.row(4, 0) == TABLE
    assert board.load(1) == "OK"
    assert board.row(0, 0) == b"\0\0\0abcdef".ljust(16, b"\0")
    assert board.row(4, 0) == bytes(16)
    assert board.row(5, 1) + board.row(5, 2) == bytes(range(32))
    words = [board.row(PROGRAM, n)[:8] for n in range(4)]
    assert words == [bytes(8), toy_word(TOY_XOR), toy_word(TOY_XOR), bytes(8)]
    core = board.core
    assert board.load(2) == "NO_IMAGE"
    assert (board.core, board.memory.device.running) == (core, 0)
    assert board.load(0) == "OK"
    assert board.row(0, 0) == bytes(16)


def test_algorithms_are_found_with_their_places_and_routines(board: Board) -> None:
    board.install(IMAGES.bytes)
    found = Algorithm()
    assert board.find("b", found, decrypt=True) == "OK"
    assert (found.image, found.key_bits, found.unit_bytes, found.streams, found.partial) == (1, 128, 16, 1, True)
    assert (found.key.space, found.key.offset, found.iv.space, found.iv.offset) == (0, 0, 1, 16)
    assert (found.input.space, found.job_bytes, found.output.space) == (2, 4096, 3)
    assert board.find("a", found) == "OK"
    assert (found.iv.space, found.partial) == (0xFF, False)
    assert board.find_routine("b", "job", decrypt=True) == ("OK", 1)
    assert board.find_routine("b", "end", decrypt=True) == ("OK", 2)
    assert board.find_routine("a", "job") == ("OK", 0)
    for name in ("", "c", "ab", "x" * 64, "x" * 65, "x" * 99):
        assert board.find(name) == "NO_ALGORITHM"
    assert board.find_routine("c", "job")[0] == "NO_ALGORITHM"
    for decrypt in (False, True):
        name = "ab"[not decrypt]
        assert board.find(name, decrypt=decrypt) == board.find_routine(name, "job", decrypt)[0] == "NO_DIRECTION"
    for role in ("", "jo", "jobs", "x" * 80):
        assert board.find_routine("b", role, decrypt=True)[0] == "NO_ROUTINE"


def test_check_tells_what_the_pack_says_of_itself(board: Board) -> None:
    info = Info()
    pack = IMAGES.but(name="n" * 64, version=(1, 65535, 0), counter=255)
    assert board.check(pack.bytes, info) == "OK"
    assert (info.name, tuple(info.version), info.counter) == (b"n" * 64, (1, 65535, 0), 255)
    assert (info.root_version, info.images, info.algorithms, info.answers) == (1, 2, 2, 1)
    assert bytes(info.digest) == digest(encode(pack.manifest()))


def test_self_test_runs_the_answers_of_what_runs(board: Board) -> None:
    board.install(ONE)
    assert board.self_test() == "OK"
    assert board.row(4, 0) == TABLE
    assert board.row(3, 0) == bytes(16)
    board.memory.answers_wrong = 1
    assert board.self_test() == "ANSWER"
    assert (is_cleared(board), board.memory.device.running) == (True, NO_SLOT)


def test_status_says_whether_each_slot_could_boot(board: Board) -> None:
    board.install(ONE)
    board.install(TWO)
    board.write_flash(board.slot_at(0) + 300, b"\0")
    status = board.status()
    assert [TEXTS[each] for each in status.check] == [
        "a signature is wrong, or of a key that the root does not have",
        "no error",
    ]
    assert tuple(status.size) == (len(ONE), len(TWO))
    assert tuple(status.info[1].version) == (2, 0, 0)


def test_pack_that_fills_a_slot_to_the_byte_is_applied(library: Library) -> None:
    with library.device(slot=512, granule=1) as board:
        spare = 512 - len(Pack().bytes)
        exact = Pack(name="toy" + "x" * spare).bytes
        assert len(exact) == 512
        board.install(exact)
        assert board.apply(Pack(name="toy" + "x" * (spare + 1), version=(9, 0, 0)).bytes) == "SIZE"


@pytest.mark.parametrize("granule", [1, 2, 8, 64])
def test_granules_of_any_size(library: Library, granule: int) -> None:
    with library.device(granule=granule) as board:
        for pack in (ONE, TWO, THREE):
            board.install(pack)
        assert board.status().running == 0


def test_rotation_beyond_the_last_fuse_is_refused(board: Board) -> None:
    roots = [FIRST_ROOT]
    board.install(Pack().bytes)
    for version in range(2, 9):
        roots.append(Root(version, [ROOT_KEY], [Key(f"pack {version}")]))
        board.install(Pack(version=(version, 0, 0), roots=roots, signers=[Key(f"pack {version}")]).bytes)
        assert board.status().roots == version
    other: list[Any] = [*roots[:7], Root(8, [ROOT_KEY], [Key("other")])]
    pack = Pack(version=(9, 0, 0), roots=other, signers=[Key("other")]).bytes
    assert board.check(pack) == "ROOT_UNKNOWN"
    board.burn_root(7, bytes(32), mark=0)
    board.memory.fuses[7 * 32 : 8 * 32] = [0xFF] * 32
    before = board.everything
    assert [board.check(pack), board.apply(pack)] == ["ROOT_FUSES"] * 2
    assert board.everything == before


def test_slot_size_does_not_matter_to_the_record(board: Board) -> None:
    assert board.status().size[0] == 0
    assert board.memory.device.flash.slot_bytes == SLOT
