"""Proof that a loop in another order, with other registers and pipelined, does what it did before.

Both are executed from the same unknown state. Block functions that are not sums are taken as any function of their
operands, tables as any tables: what is proved holds whatever these are. For a pipelined loop with the passes P that
fill it, the loop's body K and the passes E that drain it, and the body B before: P E = B .. B, and K E = E B from any
state, so by induction P K .. K E = B .. B for any number of passes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

from lutra.isa import load
from lutra.prove import atoms, functions
from lutra.prove.affine import Affine
from lutra.prove.bits import Bits, apply
from lutra.prove.control import Induction
from lutra.prove.errors import Refuted, Unprovable
from lutra.prove.executor import step
from lutra.prove.machine import ADDRESSES, Machine, code
from lutra.prove.memory import ROW, Bank, Memory
from lutra.prove.places import everything
from lutra.prove.words import decode

# A loop of a constant count is executed as a whole if it has at most so many passes.
MOST_PASSES = 16


@dataclass(frozen=True)
class Code:
    """A loop in an image: from its first word to the word after it.

    loop: the `repeat`, and the last word of its body. values: registers of the values that both images have, by name.
    keeps_count: the register with the number of passes is used after the loop.
    """

    program: Sequence[int]
    start: int
    loop: tuple[int, int]
    end: int
    values: Mapping[str, int]
    keeps_count: bool = False


class Different(Exception):  # noqa: N818 (an outcome, not an error)
    """The loops are not found equal."""


class _Blocks:
    """Block functions that are not sums, as unknown functions of their operands."""

    def __getattr__(self, name: str) -> Any:
        return getattr(functions, name)

    @staticmethod
    def permute(x: Bits, y: Bits) -> Bits:
        return apply("permute", 128, _unknown, x, y)

    @staticmethod
    def logic_and(x: Bits, y: Bits, z: Bits) -> Bits:
        return apply("and", 128, _unknown, x, y) ^ z

    @staticmethod
    def logic_or(x: Bits, y: Bits, z: Bits) -> Bits:
        return apply("or", 128, _unknown, x, y) ^ z

    @staticmethod
    def logic_andn(x: Bits, y: Bits, z: Bits) -> Bits:
        return apply("andn", 128, _unknown, x, y) ^ z


def _unknown(*_: int) -> int:
    raise AssertionError("a function without values")


class _AnyTable:
    """A lane of a table of which nothing is known."""

    def __init__(self, bank: str, lane: int) -> None:
        self._kind = f"{bank}.{lane}"

    def __getitem__(self, index: Bits) -> Bits:
        return apply(self._kind, 8, _unknown, index)


class _AnyBank(Bank):
    @property
    def tables(self) -> list[Any]:
        """The lanes."""
        if self.rows:
            raise Unprovable("a loop writes a table")
        return [_AnyTable(self.name, lane) for lane in range(ROW)]


class _AnyMachine(Machine):
    """A machine in any state."""

    blocks = _Blocks()

    def _check(self, *_: object) -> None:
        """An access that traps does so in both orders."""

    def wrapped(self, value: Affine) -> Affine:
        """Sums are compared, not their remainders."""
        return Affine(value.constant % ADDRESSES) if value.known else value

    def _increment(self) -> None:
        self.vectors[code("CTR")] = apply("increment", 128, _unknown, self.vector(code("CTR")))

    def public(self, lane: Bits) -> Affine:
        """Lengths are not known here."""
        raise Unprovable("a loop loads an address register")


@dataclass(frozen=True)
class _Setting:
    """Values of address registers, steps and windows that are known, by register."""

    address: Mapping[int, int]
    step: Mapping[int, int]
    window: Mapping[int, tuple[int, int]]


def prove(old: Code, new: Code, progress: Callable[[], None] = lambda: None) -> None:
    """Different where the loops are not found equal; Unprovable where the method ends."""
    try:
        for setting in _settings(old):
            with atoms.fresh():
                _Proof(old, new, setting, progress).prove()
    except Refuted as error:
        raise Different(str(error)) from error


def _settings(code_: Code) -> Iterator[_Setting]:
    """Yield the steps and windows that the program sets, for registers that the loop moves by these."""
    slots: dict[int, bool] = {}
    for pc in range(code_.loop[0] + 1, code_.loop[1] + 1):
        word = decode(code_.program[pc])
        for slot in (word.key, word.data, word.store):
            if slot is not None and slot.pattern is not None:
                wraps = bool(load().wrap(slot.pattern).comparison)
                if wraps or load().delta(slot.pattern).steps:
                    slots[slot.register] = slots.get(slot.register, False) or wraps
    steps: dict[int, set[int]] = {}
    windows: dict[int, set[tuple[int, int]]] = {}
    for bits in set(code_.program):
        insn = load().decode(bits)
        if insn is not None and insn.facts.au in ("AuSetStep", "AuSetWindow"):
            word = decode(bits)
            if insn.facts.au == "AuSetStep":
                steps.setdefault(word["ad"], set()).add(word["n"])
            else:
                windows.setdefault(word["ad"], set()).add((word["n"], word["e"]))
    choices = [sorted(_places(register, wraps, steps, windows)) for register, wraps in slots.items()]
    for chosen in product(*choices):
        by = dict(zip(slots, chosen, strict=True))
        yield _Setting(
            {r: at for r, (at, _, _) in by.items() if at is not None},
            {r: step_ for r, (_, step_, _) in by.items()},
            {r: window for r, (_, _, window) in by.items() if window is not None},
        )


_Place = tuple[Any, int, Any]


def _places(
    register: int, wraps: bool, steps: Mapping[int, set[int]], windows: Mapping[int, set[tuple[int, int]]]
) -> Iterator[_Place]:
    """Yield address, step and window of a register; any address unless it wraps."""
    if register not in steps or (wraps and register not in windows):
        raise Unprovable(f"the program does not set the step or the window of ar{register}")
    for step_ in steps[register]:
        if not wraps:
            yield None, step_, None
            continue
        for start, end in windows[register]:
            for at in range(start, end, step_ or ADDRESSES):
                yield at, step_, (start, end)


class _Proof:
    def __init__(self, old: Code, new: Code, setting: _Setting, progress: Callable[[], None]) -> None:
        self.old, self.new, self.setting, self.progress = old, new, setting, progress
        self.fixed, self.register = self._count()
        kernel = range(new.loop[0] + 1, new.loop[1] + 1)
        self.fill = _Span(new, new.start, new.loop[0])
        self.turn = _Span(new, kernel.start, kernel.stop)
        self.drain = _Span(new, kernel.stop, new.end)
        self.body = _Span(old, old.loop[0] + 1, old.loop[1] + 1)

    def _count(self) -> tuple[int | None, int]:
        """The count of the loop, if it is constant, or its register."""
        word = decode(self.old.program[self.old.loop[0]])
        return (word["n"], -1) if word.insn.facts.sq == "SqRepeat" else (None, word["as"])

    @property
    def _pipelined(self) -> bool:
        return self.drain.first != self.new.end

    def prove(self) -> None:
        if not self._pipelined:
            self._same(self._after(self.body), self._after(self.turn))
            if self.new.start != self.new.loop[0] or self._counts(self.new) != self._counts(self.old):
                raise Different("the loop has another count")
            return
        passes = [self.fixed] if self.fixed is not None else list(range(6))
        for count in passes:
            if count is not None and count <= MOST_PASSES:
                self._same(self._whole(self.old, count), self._whole(self.new, count))
                self.progress()
        self._step()
        if self.fixed is None or self.fixed > MOST_PASSES:
            self._begins()

    def _counts(self, code_: Code) -> tuple[int, int]:
        word = decode(code_.program[code_.loop[0]])
        return word["n"], word["as"]

    def _machine(self, values: Mapping[str, int], count: Affine | None = None) -> _AnyMachine:
        rows = load().machine["MemoryRows"]
        m = _AnyMachine(
            memories=[Memory(f"m{n}", ROW * rows) for n in range(4)], banks=[_AnyBank("t0"), _AnyBank("t1")]
        )
        for name, register in values.items():
            m.vectors[register] = Bits.unknown(("value", name), 128)
        for n in range(len(m.address)):
            known = self.setting.address.get(n)
            m.address[n] = Affine(known) if known is not None else Affine.symbol(f"ar{n}")
            m.ranges[f"ar{n}"] = (0, ADDRESSES - 1)
            m.step[n], m.window[n] = self.setting.step.get(n), self.setting.window.get(n)
        if count is not None and self.register >= 0:
            m.address[self.register] = count
        for context, place in zip(m.contexts, range(len(m.contexts)), strict=True):
            for row in range(6):
                context.load(row, Bits.unknown(("context", place, row), 128))
        m.hash.gh, gx, gy = (Bits.unknown(("hash", name), 128) for name in ("gh", "gx", "gy"))
        m.hash.load(gx, gy)
        return m

    def _run(self, m: _AnyMachine, program: Sequence[int], first: int, end: int) -> _AnyMachine:
        m.pc = first
        for _ in range((MOST_PASSES + 1) * (end - first) + 1):
            if m.pc == end and not m.loops:
                return m
            step(m, program)
        raise Different("the loop has more passes")

    def _whole(self, code_: Code, count: int) -> _View:
        """The loop with a number of passes."""
        m = self._run(self._machine(code_.values, Affine(count)), code_.program, code_.start, code_.end)
        return _View(m, code_.values, -1 if self.old.keeps_count else self.register)

    def _after(self, *spans: _Span) -> _View:
        """Spans one after the other, each with the registers of its image, from any state."""
        values = spans[0].code.values
        m = self._machine(values)
        for span in spans:
            kept = {name: m.vector(register) for name, register in values.items()}
            if span.code.values is not values:
                for register in range(load().machine["VectorRegs"]):
                    m.vectors.pop(register, None)
                values = span.code.values
                m.vectors |= {register: kept[name] for name, register in values.items()}
            m = self._run(m, span.code.program, span.first, span.end)
        return _View(m, values, self.register)

    def _step(self) -> None:
        """K E = E B: where a pass begins, registers hold what it takes over, whatever that is."""
        both = _View, self._after(self.turn, self.drain), self._after(self.drain, self.body)
        self._same(both[1], both[2])
        self.progress()

    def _begins(self) -> None:
        """The loop has as many passes less as are in flight besides it."""
        less = decode(self.old.program[self.old.loop[0]])["n"] - decode(self.new.program[self.new.loop[0]])["n"]
        if self.fixed is not None:
            # What fills and drains are whole passes: with as many passes less, the loop does nothing.
            done = self._after(self.fill, self.drain)
            self._same(done, self._after(*[self.body] * less))
            return
        m = self._machine(self.new.values, Affine.symbol("passes") + 8)
        m.ranges["passes"] = (0, ADDRESSES - 9)
        m.pc = self.new.start
        try:
            while m.pc < self.new.end:
                step(m, self.new.program)
        except Induction as loop:
            if m.pc != self.new.loop[0]:
                raise Different("another loop begins") from None
            skipped = 8 - loop.turns.constant
            self._same(self._whole(self.old, skipped), self._whole(self.new, skipped))
            if loop.turns != Affine.symbol("passes") + (8 - skipped) or not 0 < skipped < 6:
                raise Different("the loop has another count") from None
            return
        raise Different("the loop does not begin")

    def _same(self, a: _View, b: _View) -> None:
        for name, value in a.all.items():
            if b.all.get(name) != value:
                raise Different(f"{name} differs")
        if a.all.keys() != b.all.keys():
            raise Different("other places are written")


@dataclass(frozen=True)
class _Span:
    """Words of an image that are executed once."""

    code: Code
    first: int
    end: int


class _View:
    """The part of a state that is compared: everything but registers, of which the values that both images have."""

    def __init__(self, m: Machine, values: Mapping[str, int], count: int) -> None:
        found: dict[str, Any] = {}
        for place, value in everything(m).items():
            if place[0] != "vector":
                found[" ".join(map(str, place))] = value
        for record in ("CTR", "WK", "HOLD"):
            found[load().vector(record).name] = m.vector(code(record))
        for name, register in values.items():
            found[name] = m.vector(register)
        for n, at in enumerate(m.address):
            if n != count:
                found[f"ar{n}"] = at
        found["loops"] = len(m.loops)
        self.all = found
