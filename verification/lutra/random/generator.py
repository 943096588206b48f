"""Random programs that end by construction.

A program is straight-line code, loops with bounded counts, branches forward, and calls of subroutines placed after
that call only earlier ones. What an instruction may touch is known where it is written (`addresses`), so that nothing
traps but what is meant to. It is started several times without a reset, each time at another entry, and finds what the
start before has left. Everything follows from the seed.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence

from lutra.isa import Isa, load
from lutra.random.control import Control, is_plain
from lutra.random.endings import ending
from lutra.random.faults import struck
from lutra.random.forms import form
from lutra.random.modes import MODES, Mode, defaults, mode_of, weights_of
from lutra.random.operands import Choices
from lutra.random.pairs import pairs
from lutra.random.pickers import instructions, picker_of
from lutra.random.program import Program, Start, Target
from lutra.random.shapes import SHAPES
from lutra.random.unstructured import picker, random_words
from lutra.random.weights import (
    AGAIN,
    AGAIN_PER_TRAP,
    AGAIN_RETIRED,
    AGAIN_SETS,
    AGAIN_WORDS,
    CYCLES,
    FAULT,
    LENGTH,
    ONES,
    PIECE,
    PIECES,
    RETIRED,
    ROLES,
    ROWS_PER_ONES,
    SCRATCH,
    STARTS,
    SUBROUTINE_RETIRED,
    SUBROUTINE_WORDS,
    SUBROUTINES,
)
from lutra.random.writer import Routine, Tables, Writer


def tables(isa: Isa, mode: Mode, rounds: int, weights: Mapping[str, float]) -> Tables:
    """Make the tables of a mode."""
    found = weights_of(mode, weights)
    return Tables(
        isa=isa,
        weights=found,
        rounds=rounds,
        body=mode.body,
        pairs=pairs(isa, rounds, found),
        forms={i.name: form(i) for i in isa.instructions if i.vector},
        plain=instructions(isa, lambda i: (rounds == 2 or not i.facts.two_rounds) and is_plain(i), found),
        shapes=picker_of([(shape.write, f"shape:{name}") for name, shape in SHAPES.items()], found),
        roles=picker_of([(name.removeprefix("role:"), name) for name in ROLES], found),
        choices=Choices(isa, found),
        control=Control(isa, found),
    )


class Generator:
    """Makes programs; the tables of a mode are made once.

    rounds: 0 alternates the values of ROUNDS_PER_INSTR that the configuration has.
    """

    def __init__(self, weights: Mapping[str, float] | None = None, mode: str = "", rounds: int = 0) -> None:
        self._isa = load()
        self._weights = weights or defaults(self._isa)
        self._mode = mode
        self._rounds = rounds
        self._every = self._isa.configuration.rounds
        self._tables: dict[tuple[str, int], Tables] = {}

    def program(self, seed: int) -> Program:
        """Return the program of a seed."""
        rng = random.Random(seed)
        mode = self._mode or mode_of(seed, self._weights)
        rounds = self._rounds or self._every[seed % len(self._every)]
        if (mode, rounds) not in self._tables:
            self._tables[mode, rounds] = tables(self._isa, MODES[mode], rounds, self._weights)
        made = self._tables[mode, rounds]
        make = _structured if MODES[mode].structured else _unstructured
        return struck(make(seed, mode, made, rng), self._isa, self._weights.get(FAULT, 0))


# ------------------------------------------------------------------ programs that end by construction


def _structured(seed: int, mode: str, made: Tables, rng: random.Random) -> Program:
    isa = made.isa
    scratch = frozenset(rng.sample(range(isa.machine["AddressRegs"]), SCRATCH))
    routines = _subroutines(made, rng, scratch)
    first = _main(made, rng, scratch, routines)
    parts = [(first, ending(first, MODES[mode].trap))]
    if not first.at_end:
        parts += [_again(made, rng, scratch, routines) for _ in range(rng.randint(*AGAIN))]
    words, targets, places = _placed([part for part, _ in parts], routines)
    starts = tuple(Start(place, ends) for place, (_, ends) in zip(places, parts, strict=True))
    last = isa.machine["ProgramWords"] - len(words)
    base = last if first.at_end else rng.randint(0, last)
    return Program(seed, mode, made.rounds, base, tuple(words), targets, starts, memory(isa, rng))


def _subroutines(made: Tables, rng: random.Random, scratch: frozenset[int]) -> list[Routine]:
    """Write subroutines, each of which may call those before it."""
    routines: list[Routine] = []
    for _ in range(rng.randint(*SUBROUTINES)):
        routines.append(_subroutine(Writer(made, rng, scratch, list(routines))))
    return routines


def _subroutine(writer: Writer) -> Routine:
    rng, routines = writer.rng, writer.routines
    writer.waits = 0
    for n, r in enumerate(writer.addresses.registers):
        if n not in writer.scratch:
            r.role, r.held = "fixed", True
    cost = writer.block(rng.randint(*SUBROUTINE_WORDS), rng.randint(*SUBROUTINE_RETIRED)) + 1
    writer.emit(writer.made.control.ret)
    callees = [routines[number] for number in writer.calls.values()]
    loops = max([writer.most_loops, *(writer.most_loops + r.loops for r in callees)])
    depth = 1 + max([r.depth for r in callees], default=0)
    return Routine(writer.words, writer.targets, writer.calls, cost, loops, depth, writer.addresses.registers)


def _main(made: Tables, rng: random.Random, scratch: frozenset[int], routines: list[Routine]) -> Writer:
    """Write what the first start runs, but for its end."""
    writer = Writer(made, rng, scratch, routines, alone=True)
    for r in writer.addresses.registers:  # as after reset
        r.low = r.high = 0
        r.aligned = r.stepped = r.windowed = True
    _prologue(writer)
    pieces = rng.randint(*PIECES)
    for _ in range(pieces):
        writer.block(PIECE, RETIRED // pieces)
    return writer


def _prologue(writer: Writer) -> None:
    """Give every vector register a row, and every address register an address within the memories."""
    for n in range(writer.isa.machine["AddressRegs"]):
        _set_to_row(writer, n)
    writer.words += writer.vectors.loads()


def _set_to_row(writer: Writer, n: int) -> None:
    writer.set(n, writer.rng.randrange(0, writer.limit + 1, writer.addresses.row))


def _again(made: Tables, rng: random.Random, scratch: frozenset[int], routines: list[Routine]) -> tuple[Writer, str]:
    """Write what another start runs, and return how it ends; nothing is known of the registers where it begins."""
    writer = Writer(made, rng, scratch, routines)
    count = len(writer.addresses.registers)
    for n in rng.sample(range(count), rng.randint(AGAIN_SETS, count)):
        _set_to_row(writer, n)
    writer.block(rng.randint(*AGAIN_WORDS), AGAIN_RETIRED)
    ends = ending(writer, rng.randrange(AGAIN_PER_TRAP) == 0)
    return writer, ends


def _placed(mains: Sequence[Writer], routines: Sequence[Routine]) -> tuple[list[int], dict[int, Target], list[int]]:
    """Put main parts and subroutines one after the other; returns words, targets, and the places of the first."""
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


# ------------------------------------------------------------------ words without structure, memories


def _unstructured(seed: int, mode: str, made: Tables, rng: random.Random) -> Program:
    """Draw words without structure, started at any of them."""
    isa, targets = made.isa, {}
    words = random_words(isa, rng, made.rounds, picker(isa, made.weights), made.weights["chance:general"])
    for at, word in enumerate(words):
        insn = isa.decode(word)
        if insn is not None and insn.facts.transfer and "e" in insn.fields:
            targets[at] = Target(insn.fields["e"].lsb, insn.get(word, "e"))
            words[at] = insn.insert(word, e=0)
    base = rng.randint(0, isa.machine["ProgramWords"] - LENGTH)
    starts = tuple(Start(rng.randrange(LENGTH), "", CYCLES) for _ in range(STARTS))
    return Program(seed, mode, made.rounds, base, tuple(words), targets, starts, memory(isa, rng))


def memory(isa: Isa, rng: random.Random) -> dict[str, bytes]:
    """Draw contents of every memory; some rows end in ones, so that counters and sums carry far."""
    row = isa.machine["VectorBytes"]
    contents = {}
    for space in (*isa.memory_by_block.values(), *isa.bank_by_number.values()):
        data = bytearray(rng.randbytes(isa.size(space)))
        for _ in range(len(data) // row // ROWS_PER_ONES):
            end = row * rng.randint(1, len(data) // row)
            ones = row // rng.choice(ONES)
            data[end - ones : end] = b"\xff" * ones
        contents[space.name] = bytes(data)
    return contents
