"""Constant time: which instruction retires when, and all addresses, are the same for every key, IV and data.

Table look-ups at rows that depend on data take constant time on this machine, so those rows do not count as addresses.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from functools import partial
from itertools import zip_longest
from typing import Any

from lutra.asm import Image, disassemble
from lutra.asm.analysis.headers import VARIABLE
from lutra.firmware.manifest import assembled
from lutra.firmware.session import OUTPUT, ROW, Session
from lutra.firmware.testing.cases import Case
from lutra.firmware.testing.observe import MAX_CYCLES, halted
from lutra.isa import load
from lutra.iss import engine as engines

# Fields of a record for addresses of accesses, other than those of stores.
ADDRESSES = ("key_address", "data_address", "ar_value")
# First row of a routine's output if the tag matches (lutra.firmware.aead).
ACCEPTED = b"\xff" * ROW
UNITS = 5
TAIL = 7
# Cycles of a routine over all of its runs, of which there are some however long it is: traced, and counted only.
MOST_TRACED = 1 << 17
MOST_COUNTED = 1 << 21
LEAST_RUNS = 8

# (cycle, address, instruction, bytes that encode the addresses of its accesses) of a retirement.
Step = tuple[int, int, int, Any]
Trace = list[Step]
# The compared part of a run of a routine: the trace, or a single step with the cycles.
Look = Callable[[engines.Engine, Image, str], Trace]


@dataclass(frozen=True)
class Leak:
    """How a routine's time or addresses depend on secrets.

    file, line: of the instruction that makes it so; empty where only the cycles are known.
    """

    file: str
    line: int
    text: str


def trace(engine: engines.Engine, image: Image, routine: str) -> Trace:
    """Every retirement of a run."""
    stores = [name for store in load().stores for name in store.places]
    return halted(engine, image, routine, partial(engine.retirements, (*ADDRESSES, *stores)))


def cycles(engine: engines.Engine, image: Image, routine: str) -> Trace:
    """The cycles alone: faster than a trace."""
    start = image.symbol(routine).value
    stop = engine.run(start, MAX_CYCLES)
    return [(stop.cycles, stop.pc, 0, stop.state)]


def leak(first: Trace, other: Trace, image: Image) -> Leak | None:
    """The first difference of two runs, and the instruction that made it."""
    if first == other:
        return None
    before: Step | None = None
    for one, two in zip_longest(first, other):
        if one == two:
            before = one
            continue
        # Another instruction, or the same one in another cycle, is the work of the one before it.
        same = one is not None and two is not None and one[:3] == two[:3]
        culprit = one if same else before
        if culprit is None:
            return Leak("", 0, "the number of its cycles depends on key, IV or data")
        _, pc, insn, _ = culprit
        file, line = image.lines.get(pc, ("", 0))
        what = "an address" if same else "what runs next"
        text = disassemble(insn, pc=pc, symbols=image.labels("pm"))
        return Leak(file, line, f"{what} depends on key, IV or data: {text}")
    raise AssertionError("two runs that differ have a first difference")


def inputs(source: random.Random, runs: int, size: int) -> Iterator[bytes]:
    """Values of a secret: zeros, ones, then random ones and, every third time, zeros with a single one."""
    for run in range(runs):
        if run < 2:
            yield bytes([-run & 0xFF]) * size
        elif run % 3 == 2:
            yield (1 << source.randrange(8 * size)).to_bytes(size, "big") if size else b""
        else:
            yield source.randbytes(size)


def is_variable(routine: str) -> bool:
    """Whether the name of a routine says that its time depends on secrets."""
    return routine.endswith(VARIABLE)


def of_case(
    case: Case,
    runs: int,
    source: random.Random,
    rounds: int = 2,
    look: Look = trace,
    only: Collection[str] | None = None,
) -> dict[str, Leak | None]:
    """The leak, if there is one, of every routine of a case whose name does not end in `_var`, or of those of `only`.

    Each runs `runs` times, with other keys, IVs and data and with the same lengths; fewer times where it is long.
    """
    cipher = case.cipher
    image = assembled(case.implementation.image)
    session = Session(engines.make("iss", rounds), max_cycles=MAX_CYCLES)
    sizes = cipher.key_bits // 8, cipher.iv_bytes
    session.set_up(cipher, case.direction, bytes(sizes[0]), bytes(sizes[1]), case.implementation)
    length = min(UNITS * cipher.whole_bytes + (TAIL if cipher.partial else 0), session.job_bytes)
    names = [n for n in (*case.set_up, *case.jobs) if not is_variable(n) and (only is None or n in only)]
    first: dict[tuple[str, bool], Trace] = {}
    found: dict[str, Leak | None] = dict.fromkeys(names)
    spent = dict.fromkeys(names, 0)
    most = MOST_TRACED if look is trace else MOST_COUNTED
    entries = case.entries
    # A key schedule with tables of its own: both are loaded anew, whether they are looked at or not.
    loads = {entries.key_tables, entries.tables} if entries.key_tables != entries.tables else set()
    values = zip(*(inputs(source, runs, size) for size in (*sizes, length)), strict=True)
    for run, (key, iv, data) in enumerate(values):
        due = [name for name in names if run < LEAST_RUNS or spent[name] < most]
        if not due:
            break
        session.set_up(cipher, case.direction, key, iv, case.implementation)
        session.put(data)
        for name in (name for name in (*case.set_up, *case.jobs) if name in loads.union(due)):
            if name not in due:
                cycles(session.engine, image, name)
                continue
            seen = look(session.engine, image, name)
            spent[name] += seen[-1][0]
            accepted = name == case.verdict and session.engine.read(OUTPUT, 0, ROW) == ACCEPTED
            found[name] = found[name] or leak(first.setdefault((name, accepted), seen), seen, image)
    if len({first[at][-1][0] for at in first if at[0] == case.verdict}) > 1:
        found[case.verdict] = found[case.verdict] or Leak("", 0, "its cycles depend on whether the tag is right")
    return found
