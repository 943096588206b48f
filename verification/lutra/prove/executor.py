"""Execution of a program on the symbolic machine, for all lengths: one path after the other."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Protocol

from lutra.prove import control
from lutra.prove.affine import Affine
from lutra.prove.atoms import CONSTANTS, Bit, current
from lutra.prove.control import Induction, Revealed
from lutra.prove.errors import Refuted, Unprovable
from lutra.prove.machine import Machine
from lutra.prove.splits import GROUPS, Split, few
from lutra.prove.values import Mark
from lutra.prove.words import decode

# Words of a path: no routine without a loop over lengths has more.
MOST_WORDS = 200_000
# Passes of a loop, where these are known: more may be done by induction.
MOST_PASSES = 24


class Path(Protocol):
    """A machine, and what a proof knows about it."""

    machine: Machine

    def copy(self) -> Path: ...
    def restrict(self, name: str, value: Affine) -> None: ...


def step(machine: Machine, program: Sequence[int]) -> bool:
    """Execute a word; whether the program goes on."""
    if not 0 <= machine.pc < len(program):
        raise Refuted(f"the program counter leaves the program: {machine.pc:#06x}")
    word = decode(program[machine.pc])
    if not word.insn.vector:
        return control.execute(machine, word)
    machine.execute(word)
    machine.pc = control.after(machine)
    return True


@dataclass(frozen=True)
class Case:
    """A value that a symbol may have, with a new symbol and its range if it has several, and the other ones that the
    value depends on. last: long loops of the one value are done by induction."""

    value: Affine
    symbol: str = ""
    range: tuple[int, int] = (0, 0)
    last: bool = False
    others: tuple[tuple[str, tuple[int, int]], ...] = ()


def cases(split: Split, ranges: dict[str, tuple[int, int]]) -> Iterator[Case]:
    """Yield what a symbol may be where it matters."""
    name = split.name
    low, high = ranges[name]
    if few(name, ranges):
        yield from (Case(Affine(value)) for value in range(low, high + 1))
    elif split.last:
        yield Case(Affine(high), last=True)
        yield Case(Affine(low) + Affine.symbol(f"{name}<"), f"{name}<", (0, high - low - 1))
    elif split.remainder:
        yield from _divided(split, low, high)
    elif split.quotient_with is not None:
        by, more = split.divisor, split.quotient_with
        for quotient in range((low + more) // by, (high + more) // by + 1):
            least, most = max(low, quotient * by - more), min(high, quotient * by + by - 1 - more)
            new = f"{name}%{by}"
            more_than_one = Case(Affine(least) + Affine.symbol(new), new, (0, most - least))
            yield more_than_one if least < most else Case(Affine(least))
    elif split.divisor:
        for rest in range(split.divisor):
            new = f"{name}{split.sign}{split.divisor}"
            least, most = -(-max(low - rest, 0) // split.divisor), (high - rest) // split.divisor
            if least < most:
                yield Case(Affine(rest) + Affine.symbol(new) * split.divisor, new, (least, most))
            elif least == most:
                yield Case(Affine(rest + least * split.divisor))
    else:
        yield Case(Affine(low))
        yield Case(Affine(low + 1) + Affine.symbol(f"{name}-"), f"{name}-", (0, high - low - 1))


def _divided(split: Split, low: int, high: int) -> Iterator[Case]:
    """Yield what a symbol may be, by quotient and remainder, of which each is known or a symbol. The quotient of the
    symbol and a number depends on its own only."""
    by, more = split.divisor, split.quotient_with or 0
    bottom, top = low // by, high // by
    parts = [(bottom, top, low % by, high % by)] if bottom == top else []
    if not parts:
        if low % by:
            parts.append((bottom, bottom, low % by, by - 1))
        if (high + 1) % by:
            parts.append((top, top, 0, high % by))
        bottom, top = bottom + (low % by > 0), top - ((high + 1) % by > 0)
        parts += [(bottom, top, 0, by - 1)] if bottom <= top else []
    for least, most, lowest, highest in parts:
        number, others = Affine(least * by), tuple[tuple[str, tuple[int, int]], ...]()
        if least < most:
            name = f"{split.name}{GROUPS}"
            number, others = number + Affine.symbol(name) * by, ((name, (0, most - least)),)
        for quotient in range((lowest + more) // by, (highest + more) // by + 1):
            a, b = max(lowest, quotient * by - more), min(highest, quotient * by + by - 1 - more)
            name = f"{split.name}{GROUPS}{by}"
            if a < b:
                yield Case(number + a + Affine.symbol(name), name, (0, b - a), others=others)
            else:
                yield Case(number + a, others=others)


def taken(path: Path, case: Case, name: str) -> Path:
    """The path for one of the cases."""
    out = path.copy()
    out.machine.ranges |= dict(case.others)
    if case.symbol:
        out.machine.ranges[case.symbol] = case.range
    out.restrict(name, case.value)
    if case.last:
        out.machine.inductive = MOST_PASSES
    return out


def _each(path: Path, split: Split) -> list[Callable[[], Path]]:
    """Return what makes the path for each case, which may name words."""
    return [partial(taken, path, case, split.name) for case in cases(split, path.machine.ranges)]


def _revealed(path: Path, bit: Bit, value: Bit) -> Path:
    """The path where a bit has a value."""
    out = path.copy()
    out.machine.revealed[bit] = value
    return out


def paths(
    path: Path,
    program: Sequence[int],
    loop: Callable[[Path, Induction], Path],
) -> Iterator[Path]:
    """Execute from a path's program counter, and yield every way to a halt.

    loop: what makes the path after a loop of the one before it. Atoms of a path are forgotten when those that split off
    before it go on.
    """
    open_: list[tuple[Callable[[], Path], Mark]] = []

    def later(*of: Callable[[], Path]) -> None:
        open_.extend((each, current().mark()) for each in of)

    later(lambda: path)
    while open_:
        make, mark = open_.pop()
        current().forget(mark)
        now = make()
        try:
            words = 0
            while step(now.machine, program):
                words += 1
                if words > MOST_WORDS:
                    raise Refuted(f"the program does not halt within {MOST_WORDS} instructions")
            yield now
        except Split as split:
            later(*_each(now, split))
        except Revealed as about:
            later(*(partial(_revealed, now, about.bit, value) for value in CONSTANTS))
        except Induction as induction:
            try:
                later(loop(now, induction).copy)
            except Split as split:
                later(*_each(now, split))


def run(machine: Machine, program: Sequence[int]) -> Machine:
    """Execute a routine that takes no lengths."""
    try:
        while step(machine, program):
            pass
    except (Split, Induction, Revealed) as error:
        raise Unprovable(f"a set-up {error}") from None
    return machine
