"""An attacker who writes the flash while the loader reads it: what has been verified is what is used."""

from __future__ import annotations

import pytest

from support.adversary import Interposer
from support.loader import NO_SLOT, Board, Library
from support.packs import FIRST_ROOT, INPUT, ROOT_KEY, TABLE, Key, Pack, Root

EVIL_TABLE = bytes(each ^ 0xFF for each in TABLE)
EVIL_ANSWER = [
    "xor",
    0,
    [[0, 2, 0, INPUT], [1, 0, 5], [2, 3, 0, bytes(a ^ b for a, b in zip(EVIL_TABLE, INPUT, strict=True))]],
]
EVIL_IMAGE = [[4, 0, EVIL_TABLE], *Pack().images[0][1:]]
GOOD = Pack(version=(2, 0, 0))
# No attacker has a key of the device; the packs are alike to the byte where they are not what the attacker wants.
EVIL = GOOD.but(
    images=[EVIL_IMAGE], answers=[EVIL_ANSWER], roots=[Root(1, [ROOT_KEY], [Key("evil")])], signers=[Key("evil")]
)
SECOND = Root(2, [ROOT_KEY], [Key("pack 2")])
EVIL_SECOND = Root(2, [ROOT_KEY], [Key("evil")])
ROTATED = GOOD.but(roots=[FIRST_ROOT, SECOND], signers=[Key("pack 2")])
EVIL_ROTATED = EVIL.but(roots=[FIRST_ROOT, EVIL_SECOND], signers=[Key("evil")])


def boot_with_exchange(board: Board, evil: bytes, at: int | None) -> tuple[int, bytes | None]:
    """How often the flash was read, and what the table of the firmware is that runs.

    board: with good firmware in its first slot. at: before this read the whole slot becomes the attacker's, and stays
    so.
    """
    base = board.slot_at(0)

    def answer(read: int, address: int, true: bytes) -> bytes:
        return evil[address - base :][: len(true)] if at and read >= at and address >= base else true

    port = Interposer(board, answer)
    board.reset()
    assert board.boot() in ("OK", "NO_FIRMWARE")
    return port.reads, None if board.memory.device.running == NO_SLOT else board.row(4, 0)


@pytest.mark.parametrize(("good", "evil"), [(GOOD, EVIL), (ROTATED, EVIL_ROTATED)], ids=["one root", "two roots"])
def test_slot_that_is_exchanged_before_any_read_of_a_boot_never_runs(library: Library, good: Pack, evil: Pack) -> None:
    other = evil.bytes
    assert len(good.bytes) == len(other)
    with library.device() as board:
        board.install(good.bytes)
        installed = board.save()
        reads, table = boot_with_exchange(board, other, None)
        assert table == TABLE
        ran = {}
        for at in range(1, reads + 2):
            board.restore(installed)
            ran[at] = boot_with_exchange(board, other, at)[1]
    assert [at for at, table in ran.items() if table == EVIL_TABLE] == []
    assert set(ran.values()) == {None, TABLE}
