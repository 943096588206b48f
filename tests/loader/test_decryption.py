"""An algorithm that another image decrypts: what the loader finds and loads in each direction, and what it refuses."""

from __future__ import annotations

from typing import Any

import pytest

from lutra.firmware import pack as packs
from lutra.firmware.pack.roots import trusted
from support.loader import Algorithm, Board
from support.packs import INPUT, OUTPUT, PROGRAM, TABLE, TOY_XOR, Pack, algorithm, toy_word

# The second image has its word, its key and its input elsewhere; it works with the same table, so its answer is known.
CALL = [1, [1, 32], [], [1, 48], [2, 16, 4080], [3, 16]]
SECOND = [[4, 0, TABLE], [PROGRAM, 8, toy_word(TOY_XOR) * 2]]
MAP = [[4, 0, 16], [PROGRAM, 8, 16]]
STEPS = [[0, 2, 0, INPUT], [1, 0, 5], [2, 3, 0, OUTPUT]]
TWO: dict[str, Any] = {"images": [Pack().images[0], SECOND], "maps": [Pack().maps[0], MAP]}
ROUTINES: dict[str, Any] = {"encrypt": [["job", 0]], "decrypt": [["job", 2], ["open", 1]]}


def two(format: int = 2, **changes: Any) -> Pack:
    """A pack with an algorithm of two images. changes: to the algorithm."""
    answers = [["e", 0, STEPS], ["d", 1, [STEPS[0], [1, 1, 5], STEPS[2]]]]
    rows = [algorithm("a"), algorithm("b", **(ROUTINES | {"decryption": CALL} | changes))]
    return Pack(algorithms=rows, answers=answers, format=format, **TWO)


def parts(number: int, format: int) -> bytes:
    """A pack with so many parts."""
    return Pack(images=Pack().images * (number - 1), maps=Pack().maps * (number - 1), format=format).bytes


def test_each_direction_is_found_with_its_image_its_places_and_its_routines(board: Board) -> None:
    board.install(two().bytes)
    found = Algorithm()
    assert board.find("b", found) == "OK"
    assert (found.image, found.key.space, found.key.offset, found.job_bytes) == (0, 0, 0, 4096)
    assert board.find("b", found, decrypt=True) == "OK"
    assert (found.image, found.key.space, found.key.offset, found.job_bytes) == (1, 1, 32, 4080)
    assert (found.iv.space, found.length.offset, found.input.offset, found.output.offset) == (0xFF, 48, 16, 16)
    assert (found.key_bits, found.unit_bytes, found.partial) == (128, 16, False)
    assert board.find_routine("b", "open", decrypt=True) == ("OK", 1)
    assert board.find_routine("b", "open")[0] == "NO_ROUTINE"
    assert board.find("a", decrypt=True) == "NO_DIRECTION"


def test_the_image_of_a_direction_is_what_the_loader_loads(board: Board) -> None:
    board.install(two().bytes)
    found = Algorithm()
    for decrypt, words in ((True, [bytes(8), toy_word(TOY_XOR)]), (False, [toy_word(TOY_XOR), bytes(8)])):
        assert board.find("b", found, decrypt=decrypt) == "OK"
        assert board.load(found.image) == "OK"
        assert [board.row(PROGRAM, n)[:8] for n in range(2)] == words


def test_known_answers_of_both_images_decide(board: Board) -> None:
    board.install(two().bytes)
    answers = [["e", 0, STEPS], ["d", 1, [STEPS[0], [1, 1, 5], [2, 3, 0, bytes(16)]]]]
    assert board.apply(two().but(answers=answers, version=(2, 0, 0)).bytes) == "ANSWER"
    assert board.error.answer == 1


def test_a_flipped_bit_of_the_second_image_is_found(board: Board) -> None:
    data = two().bytes
    at = data.rindex(toy_word(TOY_XOR) * 2)
    assert board.check(data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :]) == "DIGEST"
    assert board.check(data) == "OK"


def test_a_second_image_that_is_damaged_in_the_flash_does_not_run(board: Board) -> None:
    """Neither at the next boot nor when a host loads it."""
    data = two().bytes
    board.install(data)
    board.write_flash(board.slot_at(0) + data.rindex(toy_word(TOY_XOR) * 2), b"\0")
    assert board.load(1) == "DIGEST"
    assert board.boot() == "NO_FIRMWARE"


REFUSED = {
    "in format 1": ("FORMAT", two(format=1).bytes),
    "format 2 without need": ("FORMAT", Pack(format=2).bytes),
    "format 2 without algorithms": ("FORMAT", Pack(format=2, algorithms=[]).bytes),
    "in format 3": ("FORMAT", two(format=3).bytes),
    "the same image": ("BOUNDS", two(decryption=[0, *CALL[1:]]).bytes),
    "no image": ("BOUNDS", two(decryption=[2, *CALL[1:]]).bytes),
    "no routines": ("BOUNDS", two(decrypt=[]).bytes),
    "an empty call": ("BOUNDS", two(decryption=[]).bytes),
    "a call of five items": ("BOUNDS", two(decryption=CALL[:5]).bytes),
    "a call of seven items": ("BOUNDS", two(decryption=[*CALL, []]).bytes),
    "an algorithm of 22 items": ("BOUNDS", two(more=[]).bytes),
    "a key beyond the memory": ("BOUNDS", two(decryption=[1, [1, 4096], *CALL[2:]]).bytes),
    "an output in both banks": ("BOUNDS", two(decryption=[*CALL[:5], [6, 0]]).bytes),
    "a routine beyond the program memory": ("BOUNDS", two(decrypt=[["open", 1024]]).bytes),
    "a larger core": ("CONFIGURATION", two().but(core=(1, 1025, 1, 1)).bytes),
    "16 parts in format 2": ("FORMAT", parts(16, 2)),
    "17 parts in format 1": ("BOUNDS", parts(17, 1)),
    "25 parts in format 2": ("BOUNDS", parts(25, 2)),
}


@pytest.mark.parametrize(("result", "data"), REFUSED.values(), ids=REFUSED)
def test_both_readers_refuse_what_is_not_in_the_format(board: Board, result: str, data: bytes) -> None:
    board.install(Pack(name="other").bytes)
    before = board.everything
    assert (board.check(data), board.apply(data)) == (result, result)
    assert board.everything == before
    with pytest.raises(packs.PackError) as found:
        packs.verify(data, trusted_root())
    assert "\n" not in str(found.value)


@pytest.mark.parametrize("data", [two().bytes, parts(16, 1), parts(17, 2), parts(24, 2)])
def test_both_readers_take_what_is_in_the_format(board: Board, data: bytes) -> None:
    assert board.check(data) == "OK"
    packs.verify(data, trusted_root())


def trusted_root() -> bytes:
    """The digest that the device has."""
    return trusted(packs.decode(Pack().bytes).roots)
