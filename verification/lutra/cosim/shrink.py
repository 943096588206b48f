"""The shortest program that still shows a divergence, by delta debugging (Zeller, Hildebrandt, 2002)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from lutra.asm import disassemble
from lutra.isa import load
from lutra.iss.fault import Fault
from lutra.random import Program, Target

# A run of the predicate takes a few milliseconds.
MOST_TESTS = 3000

Fails = Callable[[Program], bool]


def shrink(program: Program, fails: Fails, most_tests: int = MOST_TESTS) -> Program:
    """Remove what is not needed for `fails` to hold: starts first, then instructions, operands and counts, then
    contents of memories. The given program must fail."""
    search = _Search(program, fails, most_tests)
    _code(search)
    # Memories take the most tests, so they wait until little of the program is left; it may then get shorter still.
    for space in program.memory:
        _zeroed(search, space, 0, len(program.memory[space]))
    _code(search)
    return search.best


def _code(search: _Search) -> None:
    size = None
    while search.left and size != (now := _size(search.best)):
        size = now
        _starts(search)
        _instructions(search)
        _operands(search)
    if search.best.base:
        search.better(replace(search.best, base=0))


class _Search:
    """The best program so far, and how many tests are left."""

    def __init__(self, program: Program, fails: Fails, left: int) -> None:
        self.best = program
        self.left = left
        self._fails = fails

    def better(self, candidate: Program) -> bool:
        """Take a candidate if it fails."""
        if not self.left:
            return False
        self.left -= 1
        if not self._fails(candidate):
            return False
        self.best = candidate
        return True


def _size(program: Program) -> tuple[int, int, int]:
    return len(program.starts), len(program.words), sum(w.bit_count() for w in program.words)


def without(program: Program, first: int, count: int) -> Program:
    """The program without some words; targets and starts follow the words that they lead to, or the next one left."""
    last = first + count

    def moved(n: int) -> int:
        return n if n <= first else max(first, n - count)

    targets = {
        moved(at): Target(t.lsb, moved(t.of), t.offset) for at, t in program.targets.items() if not first <= at < last
    }
    starts = tuple(replace(start, at=moved(start.at)) for start in program.starts)
    return replace(program, words=program.words[:first] + program.words[last:], targets=targets, starts=starts)


def _starts(search: _Search) -> None:
    """Remove the starts and the faults that are not needed, from the last on."""
    for at in reversed(range(len(search.best.starts))):
        starts = search.best.starts[:at] + search.best.starts[at + 1 :]
        if starts:
            search.better(replace(search.best, starts=starts))
    for at, start in enumerate(search.best.starts):
        for fault in start.faults:
            _without_fault(search, at, fault)


def _without_fault(search: _Search, at: int, fault: Fault) -> None:
    starts = list(search.best.starts)
    starts[at] = replace(starts[at], faults=tuple(f for f in starts[at].faults if f != fault))
    search.better(replace(search.best, starts=tuple(starts)))


def _instructions(search: _Search) -> None:
    count = max(1, len(search.best.words) // 2)
    while count:
        at = len(search.best.words) - count
        while at >= 0:
            if len(search.best.words) > count:
                search.better(without(search.best, at, count))
            at = min(at, len(search.best.words)) - count
        count //= 2


def _operands(search: _Search) -> None:
    for at in range(len(search.best.words)):
        for word in _simpler(search.best, at):
            if word == search.best.words[at]:
                continue
            words = (*search.best.words[:at], word, *search.best.words[at + 1 :])
            candidate = replace(search.best, words=words)
            if _legal(candidate, at) or not _legal(search.best, at):
                search.better(candidate)


def _legal(program: Program, at: int) -> bool:
    pc = program.base + at
    return not disassemble(program.code()[at], pc=pc).startswith(".insn")


def _simpler(program: Program, at: int) -> Iterator[int]:
    """Simplify one field of the word at a time, each from the best so far."""
    insn = load().decode(program.words[at])
    if insn is None:
        return
    word = program.words[at]
    for name in (name for name in insn.fields if at not in program.targets or name != "e"):
        value = insn.get(word, name)
        slot = name in ("ks", "ds", "ss")
        tries = [0, 1 << load().slot.row_flag] if slot else [0, 1, 2, value // 16, value // 2, value - 1]
        for n in tries:
            if 0 <= n < value:
                yield insn.insert(word, **{name: n})


def _zeroed(search: _Search, space: str, at: int, length: int) -> None:
    """Zero as much of a part as possible: all of it, or as much as possible of its halves, down to rows."""
    data, row = search.best.memory[space], load().machine["VectorBytes"]
    if not any(data[at : at + length]):
        return
    contents = data[:at] + bytes(length) + data[at + length :]
    if search.better(replace(search.best, memory={**search.best.memory, space: contents})) or length <= row:
        return
    for half in (at, at + length // 2):
        _zeroed(search, space, half, length // 2)
