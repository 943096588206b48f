"""Each callback fails at each of its calls: the call says so, and afterwards the device boots the old or the new."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from support.loader import NO_SLOT, Algorithm, Board, Memory
from support.packs import FIRST_ROOT, ROOT_KEY, Key, Pack, Root

FIRST = Pack(version=(1, 0, 0))
NEXT = Pack(version=(2, 0, 0), counter=2, roots=[FIRST_ROOT, Root(2, [ROOT_KEY], [Key("2")])], signers=[Key("2")])
FAILURES = {"FLASH", "FUSES", "CORE", "SOURCE"}


def prepare(board: Board, *steps: str) -> None:
    board.install(FIRST.bytes)
    for step in steps:
        assert CALLS[step](board) == "OK"


def renew(board: Board) -> str:
    """Firmware after which the first may return."""
    board.install(FIRST.but(version=(1, 1, 0)).bytes)
    return "OK"


def damage(board: Board) -> str:
    """Address of the running firmware's slot."""
    board.write_flash(board.slot_at(1) + 100, b"\0")
    return "OK"


CALLS: dict[str, Callable[[Board], str]] = {
    "check": lambda board: board.check(NEXT.bytes),
    "apply": lambda board: board.apply(NEXT.bytes),
    "boot": lambda board: board.boot(),
    "confirm": lambda board: board.confirm(),
    "revert": lambda board: board.revert(),
    "status": lambda board: board.try_status(),
    "load": lambda board: board.load(0),
    "self-test": lambda board: board.self_test(),
    "find": lambda board: board.find("toy-ecb", Algorithm()),
    "routine": lambda board: board.find_routine("toy-ecb", "job")[0],
    "renew": lambda board: renew(board),
    "damage": lambda board: damage(board),
}
CASES = [
    ("check", ()),
    ("apply", ()),
    ("boot", ()),
    ("boot", ("apply",)),
    ("boot", ("apply", "boot")),
    ("boot", ("apply", "boot", "confirm")),
    ("boot", ("renew", "damage")),
    ("confirm", ("apply", "boot")),
    ("revert", ("apply",)),
    ("revert", ("renew",)),
    ("revert", ("apply", "boot")),
    ("status", ("apply", "boot")),
    ("load", ()),
    ("self-test", ()),
    ("find", ()),
    ("routine", ()),
]


# Which calls fail: of the many equal ones, reads and writes of the core, one in so many. The self-test reads everything
# once: there each read fails.
ONE_IN = {b"x": 1, b"r": 15, b"w": 499}
MORE_READS = pytest.mark.nightly("three times as many reads that fail; one of fifteen by day, in each kind of call")
READ_BY_READ = "self-test"


def run_with_each_failure(board: Board, name: str, steps: tuple[str, ...], reads: int) -> None:
    prepare(board, *steps)
    board.memory.calls = 0
    saved = board.save()
    assert CALLS[name](board) == "OK"
    log = bytes(board.memory)[Memory.log.offset :][: board.memory.calls]
    one_in = ONE_IN | {b"r": 1 if name == READ_BY_READ else reads}
    chosen = [n for n in range(len(log)) if n % one_in[log[n : n + 1]] == 0]
    for n in [*chosen, len(log) - 1]:
        board.restore(saved)
        board.memory.fail_at = n + 1
        result = CALLS[name](board)
        assert result in FAILURES, n
        board.memory.fail_at = 0
        if result == "CORE":
            assert board.memory.device.running == NO_SLOT
        board.reset()
        assert board.boot() == "OK", n
        status = board.status()
        assert status.running in (0, 1)
        # Fuses follow what is confirmed, at the latest now.
        assert status.counter == (2 if status.info[status.primary].version[0] == 2 else 0)


@pytest.mark.parametrize("reads", [ONE_IN[b"r"], pytest.param(5, marks=MORE_READS)])
@pytest.mark.parametrize(
    ("name", "steps"), CASES, ids=lambda case: case if isinstance(case, str) else "-".join(case) or "fresh"
)
def test_failure_of_each_call_is_reported_and_leaves_the_old_or_the_new(
    board: Board, name: str, steps: tuple[str, ...], reads: int
) -> None:
    run_with_each_failure(board, name, steps, reads)
