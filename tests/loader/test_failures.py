"""Each callback fails at each of its calls: the call says so, and afterwards the device boots the old or the new."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from support.loader import NO_SLOT, Algorithm, Board, Library
from support.packs import FIRST_ROOT, ROOT_KEY, Key, Pack, Root

FIRST = Pack(version=(1, 0, 0))
NEXT = Pack(version=(2, 0, 0), counter=2, roots=[FIRST_ROOT, Root(2, [ROOT_KEY], [Key("2")])], signers=[Key("2")])
FAILURES = {"FLASH", "FUSES", "CORE", "SOURCE"}


def prepare(board: Board, *steps: str) -> None:
    board.install(FIRST.bytes)
    for step in steps:
        assert CALLS[step](board) == "OK"


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
    "damage": lambda board: board.write_flash(board.slot_at(1) + 100, b"\0") or "OK",
}
CASES = [
    ("check", ()),
    ("apply", ()),
    ("boot", ()),
    ("boot", ("apply",)),
    ("boot", ("apply", "boot")),
    ("boot", ("apply", "boot", "confirm")),
    ("confirm", ("apply", "boot")),
    ("revert", ("apply",)),
    ("revert", ("apply", "boot")),
    ("status", ("apply", "boot")),
    ("load", ()),
    ("self-test", ()),
    ("find", ()),
    ("routine", ()),
]


def run_with_each_failure(library: Library, name: str, steps: tuple[str, ...]) -> None:
    with library.device() as board:
        prepare(board, *steps)
        board.memory.calls = 0
        assert CALLS[name](board) == "OK"
        calls = board.memory.calls
    # The core's clearing is thousands of equal calls: each tenth of them.
    for n in [*range(1, min(calls, 700)), *range(700, calls, 97), calls]:
        with library.device() as board:
            prepare(board, *steps)
            board.memory.calls = 0
            board.memory.fail_at = n
            result = CALLS[name](board)
            assert result in FAILURES or (result == "OK" and name == "revert" and steps), (n, result)
            board.memory.fail_at = 0
            if result in ("CORE",):
                assert board.memory.device.running == NO_SLOT or name == "apply"
            board.reset()
            assert board.boot() == "OK", n
            running = board.status().running
            assert running in (0, 1)
            # Fuses follow what is confirmed, at the latest now.
            primary = board.status().primary
            assert board.status().counter == (2 if primary == 1 else 0)
            if running == 1 and primary == 0:
                assert board.confirm() == "OK"


@pytest.mark.parametrize(("name", "steps"), CASES, ids=lambda case: case if isinstance(case, str) else "-".join(case) or "fresh")
def test_failure_of_each_call_is_reported_and_leaves_the_old_or_the_new(
    library: Library, name: str, steps: tuple[str, ...]
) -> None:
    run_with_each_failure(library, name, steps)
