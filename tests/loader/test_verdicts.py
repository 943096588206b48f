"""Two verdicts decide over firmware, neither of which a few flipped bits make from another value."""

from __future__ import annotations

import ctypes
import os
import re
import sys
from itertools import combinations
from subprocess import run

from support.loader import LOADER, Library

ENDED = 77
# A device whose core ends the process when it has been reset so often.
CALLER = f"""
import ctypes, sys
from support.loader import Library
library = Library(sys.argv[1])
board = library.device()
resets = 0
@ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p)
def reset(_):
    global resets
    resets += 1
    if resets == 1000:
        ctypes.CDLL(None).exit({ENDED})
    return 1
board.memory.device.core.calls[0] = ctypes.cast(reset, ctypes.c_void_p)
library.c.memory_require(ctypes.byref(board.memory), *map(ctypes.c_uint32, map(int, sys.argv[2:])))
"""


def _required(library: Library, first: int, second: int) -> int:
    command = [sys.executable, "-c", CALLER, library.c._name, str(first), str(second)]
    return run(command, check=False, env={**os.environ, "PYTHONPATH": ":".join(sys.path)}).returncode


def test_only_two_good_verdicts_let_a_pack_into_the_core(library: Library) -> None:
    good = ctypes.c_uint32(library.c.memory_accepted()).value
    assert _required(library, good, good) == 0
    for verdicts in ((0, 0), (good, 0), (0, good), (good ^ 1, good), (good, 0xFFFFFFFF)):
        assert _required(library, *verdicts) == ENDED, "the core is kept in reset"


def test_steps_and_sums_are_far_from_each_other() -> None:
    text = (LOADER / "src" / "internal.h").read_text()
    steps = [int(value, 16) for value in re.findall(r"#define LUTRA_STEP_\w+ (0x\w+)u", text)]
    assert len(steps) == 4
    sums = {sum(some) & 0xFFFFFFFF for n in range(len(steps) + 1) for some in combinations(steps, n)} | {0xFFFFFFFF}
    assert len(sums) == 2 ** len(steps) + 1
    accepted = sum(steps) & 0xFFFFFFFF
    assert min((accepted ^ other).bit_count() for other in sums - {accepted}) >= 12
