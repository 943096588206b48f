"""Random programs that end by construction.

A program is straight-line code, loops with bounded counts, branches forward, and calls of subroutines placed after
that call only earlier ones. What an instruction may touch is known where it is written (`addresses`), so that nothing
traps but what is meant to. It is started several times without a reset, each time at another entry, and finds what the
start before has left. Everything follows from the seed.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from lutra.isa import Insn, Isa, load
from lutra.random.addresses import Addresses, Register
from lutra.random.control import Control
from lutra.random.forms import Form, Picker, form, instructions, picker_of, weight_of
from lutra.random.modes import MODES, SHAPES, defaults, mode_of, weights_of
from lutra.random.pairs import Pair, pair, pairs
from lutra.random.traps import ending
from lutra.random.unstructured import CYCLES, LENGTH, STARTS, picker, random_words
from lutra.random.words import VectorWords

# Instructions that a program retires at most, about; pieces of its main part and words of each, before loops.
RETIRED = 24_000
PIECES = (2, 10)
PIECE = 40
SUBROUTINES = 4
WAITS = 3
# Starts after the first; words of each, and instructions that each retires, about.
AGAIN = (1, 3)
AGAIN_WORDS = (4, 24)
AGAIN_RETIRED = 300
# Of so many starts after the first one ends in a trap.
AGAIN_FOR_ONE_TRAP = 2
# Of so many rows of a memory about one ends in ones.
ROWS_FOR_ONE_OF_ONES = 8


@dataclass(frozen=True)
class Target:
    """A word's field that takes the address `of` + `offset`, counted in words of the program."""

    lsb: int
    of: int
    offset: int = 0


@dataclass(frozen=True)
class Start:
    """A start of a program without a reset before it.

    at: the word where it begins. ends: `halted`, the name of the trap, or "" where it may end in anything or go on, so
    that it is given up after `cycles`; 0 where it has to end.
    """

    at: int
    ends: str
    cycles: int = 0


@dataclass(frozen=True)
class Program:
    """A program, its place, the state that it begins with, and its starts, one after the other.

    words: without their targets, which are in `targets` by the word's index. base: program address of the first word,
    the entry of the first start. memory: contents of spaces from address 0 on.
    """

    seed: int
    mode: str
    rounds: int
    base: int
    words: tuple[int, ...]
    targets: Mapping[int, Target]
    starts: tuple[Start, ...]
    memory: Mapping[str, bytes]

    @property
    def ends(self) -> str:
        """The end of the first start."""
        return self.starts[0].ends

    def code(self) -> list[int]:
        """The words with their targets."""
        words = list(self.words)
        for at, target in self.targets.items():
            words[at] |= (self.base + target.of + target.offset) << target.lsb
        return words


@dataclass
class Routine:
    """A subroutine: its code, and what a call of it costs and leaves."""

    words: list[int]
    targets: dict[int, Target]
    calls: dict[int, int]
    cost: int
    loops: int
    depth: int
    after: list[Register]


@dataclass(frozen=True)
class Tables:
    """The parts independent of the seed: pickers by the weights of a mode, for a value of ROUNDS_PER_INSTR."""

    isa: Isa
    weights: Mapping[str, float]
    rounds: int
    body: int
    trap: bool
    structured: bool
    pairs: Sequence[Pair]
    forms: Mapping[str, Form]
    plain: Picker[Insn]
    shapes: Picker[str]
    control: Control = field(repr=False)


def tables(isa: Isa, mode: str, rounds: int, weights: Mapping[str, float]) -> Tables:
    """The tables of a mode."""
    chosen = MODES[mode]
    found = weights_of(chosen, weights)
    control = Control(isa, found)
    plain = instructions(isa, lambda i: (rounds == 2 or not i.facts.two_rounds) and control.is_plain(i), found)
    shapes = picker_of([(name, f"shape:{name}") for name in SHAPES], found)
    forms = {i.name: form(isa, i) for i in isa.instructions if i.vector}
    met = pairs(isa, rounds, found)
    traps, structured = chosen.trap, chosen.structured
    return Tables(isa, found, rounds, chosen.body, traps, structured, met, forms, plain, shapes, control)


class Writer:
    """Writes one routine. scratch: address registers that subroutines may change. alone: nothing has to come after."""

    def __init__(
        self,
        made: Tables,
        rng: random.Random,
        scratch: frozenset[int],
        routines: list[Routine],
        alone: bool = False,
    ) -> None:
        self.made = made
        self.isa = made.isa
        self.rng = rng
        self.rand = rng.random
        self.scratch = scratch
        self.routines = routines
        self.alone = alone and not routines
        self.words: list[int] = []
        self.targets: dict[int, Target] = {}
        self.calls: dict[int, int] = {}
        self.addresses = Addresses(made.isa)
        self.vectors = VectorWords(made.isa, rng, made.weights, self.addresses)
        self.limit = (made.isa.machine["MemoryRows"] - 1) * made.isa.machine["VectorBytes"]
        self.loops = 0  # on the loop stack here, and at most
        self.most_loops = 0
        self.depth = 1  # of calls
        self.nested = 0
        self.waits = WAITS
        self.at_end = False  # the program is to lie at the end of the program memory
        self.joined = -1  # where a branch or loop led last: a body's end must lie after it

    # ------------------------------------------------------------------ pieces

    def emit(self, word: int) -> int:
        """Put a word; returns its index."""
        self.words.append(word)
        return len(self.words) - 1

    def lead(self, at: int, to: int, offset: int = 0) -> None:
        """A transfer's target."""
        self.targets[at] = Target(self.made.control.target, to, offset)

    def block(self, size: int, budget: int) -> int:
        """About `size` words that retire about `budget` instructions; returns how many at most."""
        used = 0
        end = len(self.words) + size
        while len(self.words) < end and used < budget:
            shape = self.made.shapes(self.rand())
            used += _SHAPES[shape](self, end - len(self.words), budget - used) if shape != "plain" else self.plain()
        return used

    def plain(self) -> int:
        """One instruction without a transfer."""
        made = self.made
        while True:
            insn = made.plain(self.rand())
            word = self.vectors.vector(made.forms[insn.name]) if insn.vector else made.control.word(insn, self)
            if word is not None:
                self.emit(word)
                return 1

    def set(self, n: int, value: int) -> int:
        """Set an address register."""
        self.addresses.assign(n, value, value, value % self.addresses.row == 0)
        self.emit(self.made.control.set(n, value))
        return 1

    def between(self) -> int:
        """A few plain instructions, most often none."""
        return sum(self.plain() for _ in range(int(self.rand() ** 3 * 5)))

    # ------------------------------------------------------------------ loops

    def turns(self, size: int, budget: int) -> int:
        """How often a body of `size` words is to run."""
        most = max(1, int(budget * self.rand() / size))
        return int(self.rand() * min(most, 3)) + 1 if self.rand() < 0.3 else most

    def enter(self, turns: int) -> list[Register]:
        """Before a body that runs `turns` times: what may happen to each address register; returns what was."""
        before = [replace(r) for r in self.addresses.registers]
        for n, r in enumerate(self.addresses.registers):
            if n in self.scratch:
                r.low, r.high, r.aligned = 0, self.addresses.top, False
                r.stepped = r.windowed = False
                continue
            outer = before[n]
            self._role(n, r, turns)
            if outer.role == r.role == "drift":
                outer.up -= turns * r.up
                outer.down -= turns * r.down
        self.nested += 1
        return before

    def _role(self, n: int, r: Register, turns: int) -> None:
        r.held |= self.rand() < 0.6
        if not r.held:
            r.stepped = r.windowed = False
        choice = self.rand()
        ring = self.addresses.ring(n, self.limit) if r.held else None
        if r.role == "window" or (ring and choice < 0.6):
            r.role = "window" if ring and (r.role != "window" or choice < 0.8) else "fixed"
            if ring:
                r.low, r.high = ring
                r.aligned &= r.start % self.addresses.row == 0 and r.step % self.addresses.row == 0
        elif r.role == "drift" or (r.role == "free" and choice < 0.5 and r.high <= self.limit):
            up = r.up if r.role == "drift" else self.limit - r.high
            down = r.down if r.role == "drift" else r.low
            forth = self.rand() < 0.5
            r.up, r.down = (up // turns, 0) if forth else (0, down // turns)
            r.low, r.high = r.low - (turns - 1) * r.down, r.high + (turns - 1) * r.up
            r.aligned &= r.role == "drift" or self.rand() < 0.7
            r.role = "drift" if r.up >= self.addresses.row or r.down >= self.addresses.row else "fixed"
        elif r.role == "free" and choice < 0.8:
            r.role = "fixed"
        elif r.role == "free":
            r.low, r.high, r.aligned = 0, self.addresses.top, False

    def leave(self, before: list[Register]) -> None:
        """After the body: the registers may do again what they might before."""
        for r, b in zip(self.addresses.registers, before, strict=True):
            r.role, r.held, r.up, r.down = b.role, b.held, b.up, b.down
        self.nested -= 1

    def body(self, size: int, budget: int) -> int:
        """A body of the loop stack: its last instruction is not a place that a branch or loop within leads to."""
        self.loops += 1
        self.most_loops = max(self.most_loops, self.loops)
        used = self.block(size, budget)
        if self.joined == len(self.words):
            used += self.plain()
        self.loops -= 1
        return used

    def size(self, room: int) -> int:
        """Words of a body."""
        return 1 + int(self.rand() * min(room, self.made.body))

    def repeat(self, room: int, budget: int) -> int:
        """A loop with a number as its count, in a few cases none."""
        if self.loops == self.isa.machine["LoopDepth"]:
            return self.plain()
        size = self.size(room)
        turns = self.turns(size, budget)
        some = self.rand() < 0.95
        at = self.emit(self.made.control.repeat(turns if some else 0))
        known = self.addresses.copy()
        before = self.enter(turns)
        used = self.body(size, budget // turns)
        self.leave(before)
        self.end(at)
        if some:
            return 1 + turns * used
        self.addresses.registers = known.registers
        return 1

    def repeat_ar(self, room: int, budget: int) -> int:
        """A loop with an address register as its count; zero and one path are joined where it may be zero."""
        if self.loops == self.isa.machine["LoopDepth"]:
            return self.plain()
        size = self.size(room)
        turns = self.turns(size, budget)
        used = 0
        ready = [n for n, r in enumerate(self.addresses.registers) if 0 < r.high <= turns]
        if ready:
            n = self.rng.choice(ready)
        else:
            free = self.addresses.free()
            if not free:
                return self.plain()
            n = self.rng.choice(free)
            used += self.set(n, turns if self.rand() < 0.9 else 0) + self.between()
        low, turns = self.addresses.registers[n].low, self.addresses.registers[n].high
        if turns > budget:
            return used  # something in between has changed it
        at = self.emit(self.made.control.repeat_ar(n))
        known = self.addresses.copy()
        before = self.enter(max(turns, 1))
        inside = self.body(size, budget // max(turns, 1))
        self.leave(before)
        self.end(at)
        if turns == 0:
            self.addresses.registers = known.registers
        elif low == 0:
            for r, b in zip(known.registers, before, strict=True):
                r.up, r.down = b.up, b.down
            self.addresses.join(known)
        return used + 1 + turns * inside

    def end(self, at: int) -> None:
        """The loop opened at `at` ends here."""
        self.lead(at, len(self.words), -1)
        self.joined = len(self.words)

    def counted(self, room: int, budget: int) -> int:
        """A loop closed by a branch on a counter that counts down."""
        free = [n for n in self.addresses.free() if n not in self.scratch]
        if not free:
            return self.plain()
        n = self.rng.choice(free)
        size = self.size(room)
        turns = self.turns(size + 2, budget)
        used = self.set(n, turns)
        counter = self.addresses.registers[n]
        before = self.enter(turns)
        counter.role, counter.held = "fixed", True
        counter.low, counter.high, counter.aligned = 1, turns, False
        start = len(self.words)
        inside = self.block(size, budget // turns)
        closer = self.rng.choice(self.made.control.closers(n))
        for word in closer:
            self.emit(word)
        self.lead(len(self.words) - 1, start)
        inside += len(closer)
        self.leave(before)
        self.addresses.assign(n, 0, 0, True)
        return used + turns * inside

    # ------------------------------------------------------------------ branches and calls

    def branch(self, room: int, budget: int) -> int:
        """A branch forward around some instructions."""
        word, always, written = self.made.control.branch(self)
        at = self.emit(word)
        if written >= 0:
            r = self.addresses.registers[written]
            self.addresses.assign(written, r.low - 1, r.high - 1, False)
        known = self.addresses.copy()
        self.nested += 1
        used = self.block(self.size(min(room, 8)), budget // 8)
        self.nested -= 1
        self.lead(at, len(self.words))
        self.joined = len(self.words)
        if always:
            self.addresses.registers = known.registers
            return 1
        self.addresses.join(known)
        return 1 + used

    def call(self, room: int, budget: int) -> int:
        """A call of a subroutine that fits in here."""
        machine = self.isa.machine
        possible = [
            n
            for n, r in enumerate(self.routines)
            if r.cost + 2 <= budget
            and self.loops + r.loops <= machine["LoopDepth"]
            and r.depth + self.depth <= machine["CallDepth"]
        ]
        if not possible:
            return self.plain()
        number = self.rng.choice(possible)
        routine = self.routines[number]
        self.calls[self.emit(self.made.control.call.match)] = number
        for n in self.scratch:
            old, new = self.addresses.registers[n], replace(routine.after[n])
            new.role, new.held, new.up, new.down = old.role, old.held, old.up, old.down
            self.addresses.registers[n] = new
        return 1 + routine.cost

    def derived(self, room: int, budget: int) -> int:
        """An address out of a vector lane, brought into the range of the memories."""
        free = self.addresses.free()
        if not free:
            return self.plain()
        n = self.rng.choice(free)
        word = self.vectors.vector(self.made.control.to_address, {"ad": n})
        assert word is not None
        self.emit(word)
        used = 1 + self.between()
        if self.addresses.registers[n].high == self.addresses.top:
            self.emit(self.made.control.bounded(n, self))
            used += 1
        return used


_SHAPES = {
    "repeat": Writer.repeat,
    "repeat_ar": Writer.repeat_ar,
    "counted": Writer.counted,
    "branch": Writer.branch,
    "call": Writer.call,
    "derived": Writer.derived,
    "pair": pair,
}


def _subroutines(made: Tables, rng: random.Random, scratch: frozenset[int]) -> list[Routine]:
    """Subroutines, each of which may call those before it."""
    routines: list[Routine] = []
    for _ in range(rng.randint(0, SUBROUTINES)):
        writer = Writer(made, rng, scratch, list(routines))
        writer.waits = 0
        for n, r in enumerate(writer.addresses.registers):
            if n not in scratch:
                r.role, r.held = "fixed", True
        cost = writer.block(rng.randint(1, 20), rng.randint(1, 60)) + 1
        writer.emit(made.control.ret)
        callees = [routines[number] for number in writer.calls.values()]
        loops = max([writer.most_loops, *(writer.most_loops + r.loops for r in callees)])
        depth = 1 + max([r.depth for r in callees], default=0)
        after = writer.addresses.registers
        routines.append(Routine(writer.words, writer.targets, writer.calls, cost, loops, depth, after))
    return routines


def _prologue(writer: Writer) -> None:
    """Registers with contents: rows into every vector register, and address registers within the memories."""
    for code in range(writer.isa.machine["AddressRegs"]):
        writer.set(code, writer.rng.randrange(0, writer.limit + 1, writer.addresses.row))
    for word in writer.vectors.loads():
        writer.emit(word)


def _again(made: Tables, rng: random.Random, scratch: frozenset[int], routines: list[Routine]) -> tuple[Writer, str]:
    """Code of a later start, and how it ends; nothing is known of the registers where it begins."""
    writer = Writer(made, rng, scratch, routines)
    for n in rng.sample(range(len(writer.addresses.registers)), rng.randint(2, len(writer.addresses.registers))):
        writer.set(n, rng.randrange(0, writer.limit + 1, writer.addresses.row))
    writer.block(rng.randint(*AGAIN_WORDS), AGAIN_RETIRED)
    ends = ending(writer, rng.randrange(AGAIN_FOR_ONE_TRAP) == 0)
    return writer, ends


def _placed(mains: Sequence[Writer], routines: Sequence[Routine]) -> tuple[list[int], dict[int, Target], list[int]]:
    """Main parts and subroutines one after the other, and the places of the first."""
    words: list[int] = []
    targets: dict[int, Target] = {}
    calls: dict[int, int] = {}
    places = []
    parts: list[Writer | Routine] = [*mains, *routines]
    for part in parts:
        place = len(words)
        places.append(place)
        words += part.words
        targets |= {place + at: Target(t.lsb, place + t.of, t.offset) for at, t in part.targets.items()}
        calls |= {place + at: call for at, call in part.calls.items()}
    lsb = mains[0].made.control.target
    targets |= {at: Target(lsb, places[len(mains) + number]) for at, number in calls.items()}
    return words, targets, places[: len(mains)]


def memory(isa: Isa, rng: random.Random) -> dict[str, bytes]:
    """Random contents of every memory; some rows end in ones, so that counters and sums carry far."""
    row = isa.machine["VectorBytes"]
    contents = {}
    for space in (*isa.memory_by_block.values(), *isa.bank_by_number.values()):
        data = bytearray(rng.randbytes(isa.size(space)))
        for _ in range(len(data) // row // ROWS_FOR_ONE_OF_ONES):
            end = row * rng.randint(1, len(data) // row)
            ones = row >> rng.randrange(3)  # the row, its low half, its low word
            data[end - ones : end] = b"\xff" * ones
        contents[space.name] = bytes(data)
    return contents


class Generator:
    """Makes programs; the tables of a mode are made once. rounds: 0 alternates the values of
    ROUNDS_PER_INSTR that the configuration has."""

    def __init__(self, weights: Mapping[str, float] | None = None, mode: str = "", rounds: int = 0) -> None:
        self._isa = load()
        self._weights = weights or defaults(self._isa)
        self._mode = mode
        self._rounds = rounds
        self._every = self._isa.configuration.rounds
        self._tables: dict[tuple[str, int], Tables] = {}

    def program(self, seed: int) -> Program:
        """The program of a seed."""
        rng = random.Random(seed)
        mode = self._mode or mode_of(seed, self._weights)
        rounds = self._rounds or self._every[seed % len(self._every)]
        if (mode, rounds) not in self._tables:
            self._tables[mode, rounds] = tables(self._isa, mode, rounds, self._weights)
        made = self._tables[mode, rounds]
        if not made.structured:
            return self._unstructured(seed, mode, made, rng)
        scratch = frozenset(rng.sample(range(self._isa.machine["AddressRegs"]), 2))
        routines = _subroutines(made, rng, scratch)
        writer = Writer(made, rng, scratch, routines, alone=True)
        for r in writer.addresses.registers:  # as after reset
            r.low = r.high = 0
            r.aligned = r.stepped = r.windowed = True
        _prologue(writer)
        pieces = rng.randint(*PIECES)
        for _ in range(pieces):
            writer.block(PIECE, RETIRED // pieces)
        parts = [(writer, ending(writer, made.trap))]
        if not writer.at_end:
            parts += [_again(made, rng, scratch, routines) for _ in range(rng.randint(*AGAIN))]
        words, targets, places = _placed([part for part, _ in parts], routines)
        starts = tuple(Start(place, ends) for place, (_, ends) in zip(places, parts, strict=True))
        last = self._isa.machine["ProgramWords"] - len(words)
        base = last if writer.at_end else rng.randint(0, last)
        return Program(seed, mode, rounds, base, tuple(words), targets, starts, memory(self._isa, rng))

    def _unstructured(self, seed: int, mode: str, made: Tables, rng: random.Random) -> Program:
        """Words without structure, started at any of them."""
        insns = picker((i, weight_of(i, made.weights)) for i in self._isa.instructions)
        words, targets = random_words(self._isa, rng, made.rounds, insns), {}
        for at, word in enumerate(words):
            insn = self._isa.decode(word)
            if insn is not None and insn.facts.transfer and "e" in insn.fields:
                targets[at] = Target(insn.fields["e"].lsb, insn.get(word, "e"))
                words[at] = insn.insert(word, e=0)
        base = rng.randint(0, self._isa.machine["ProgramWords"] - LENGTH)
        starts = tuple(Start(rng.randrange(LENGTH), "", CYCLES) for _ in range(STARTS))
        return Program(seed, mode, made.rounds, base, tuple(words), targets, starts, memory(self._isa, rng))
