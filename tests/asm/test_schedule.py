"""The static schedule against the simulator: cycle by cycle and cause by cause, for firmware and random programs."""

from __future__ import annotations

import itertools
import random
from collections import Counter

import pytest

import lutra
from lutra.asm.analysis import formulas
from lutra.asm.analysis.cycles import Load, cycles
from lutra.asm.analysis.decoded import CALL, JUMP, RETURN, WAIT, decode
from lutra.asm.analysis.graph import Graph, starts
from lutra.asm.analysis.interlock import Interlock, Issue, Wait
from lutra.asm.analysis.schedule import pieces, program, straight
from lutra.cosim.runner import prepare
from lutra.firmware.manifest import assembled
from lutra.firmware.session import Session
from lutra.firmware.testing.cases import Case
from lutra.firmware.testing.timing import is_variable
from lutra.isa import load
from lutra.iss.engine import Engine
from lutra.iss.retire import Record
from lutra.random import STRUCTURED, Generator
from support.firmware import IMPLEMENTATIONS, RUN_ONLY, is_typical
from support.sampling import sampled

UNITS = 5
MORE_PROGRAMS = pytest.mark.nightly("more random programs of each mode")
ONE_ROUND = pytest.mark.nightly("the same with one round; a core with two has the longer distances")
SEEDS = pytest.mark.parametrize(
    "seeds", [range(1), pytest.param(range(1, 4), marks=MORE_PROGRAMS)], ids=["one", "more"]
)


class Replay:
    """A run's instructions through the interlock: where transfers are taken follows from the records before."""

    def __init__(self, rounds: int) -> None:
        self.interlock = Interlock(rounds)
        self.stalls: Counter[str] = Counter()
        self._registers: dict[int, int] = {}
        self._flag = 0

    def start(self, engine: Engine) -> None:
        """The host starts a program on an engine."""
        self.interlock = Interlock(engine.rounds)
        self.stalls.clear()
        registers = engine.registers()
        self._registers = {n: int(registers[name].value) for n, name in enumerate(load().address_registers)}
        self._flag = int(registers["flag"].value)

    def retired(self, record: Record) -> Issue:
        """The issue of the next instruction."""
        found = self.interlock.issue(record.insn, record.pc)
        # A taken transfer is counted when it is known: nothing may come after it.
        self.stalls.update({wait.cause: wait.cycles for wait in found.waits if wait.cell})
        if "trap" not in record.fields:
            self._go_on(record)
        return found

    def _go_on(self, record: Record) -> None:
        word = decode(load(), record.insn)
        assert word is not None
        source = self._registers[word.insn.get(record.insn, "as")] if word.insn.facts.reads_address else 0
        none = word.is_loop and (source if word.turns is None else word.turns) == 0
        transfer = (
            word.does in (JUMP, CALL, RETURN) and formulas.computed(word.insn, record.insn, source, self._flag)[1]
        )
        if none or transfer:
            self.interlock.taken()
            self.stalls["transfer"] += 1
        if word.does == WAIT:
            self.interlock.resume()
        self._registers |= record.fields.get("ar_value", {})
        self._flag = record.fields.get("flag", self._flag) if "flag_en" in record.fields else self._flag


def compared(engine: Engine, replay: Replay, most: int | None = None) -> None:
    """Let a started engine run; hold its first `most` retirements to the replay, and its stalls where that is all."""
    left = most
    while True:
        for record in itertools.islice(engine.records(), left):
            assert replay.retired(record).cycle + replay.interlock.depth == record.cycle, hex(record.pc)
            left = left and left - 1
        stop = engine.go() if left == 0 else engine.stop()
        if left != 0:
            assert {cause: count for cause, count in stop.stalls.items() if count} == dict(+replay.stalls)
        if stop.state != "waiting":
            return
        engine.backend.resume()


def by_routine() -> list[Case]:
    """Cases of typical key sizes that together run each of their routines."""
    seen: set[str] = set()
    found = []
    for case in IMPLEMENTATIONS:
        if is_typical(case) and not {*case.set_up, *case.jobs} <= seen:
            seen |= {*case.set_up, *case.jobs}
            found.append(case)
    return found


def ready(case: Case, rounds: int) -> tuple[Engine, lutra.Image]:
    """An engine with a job of some units in it, and the image."""
    rng, cipher = random.Random(str(case)), case.cipher
    engine = lutra.make_engine("iss", rounds)
    session = Session(engine)
    key, iv = rng.randbytes(cipher.key_bits // 8), rng.randbytes(cipher.iv_bytes)
    session.set_up(cipher, case.direction, key, iv, case.implementation)
    session.put(rng.randbytes(min(UNITS * cipher.whole_bytes, session.job_bytes)))
    return engine, assembled(case.implementation.image)


def needs_two_rounds(image: lutra.Image) -> bool:
    return any(insn is not None and insn.facts.two_rounds for insn in map(load().decode, image.program))


class Visited:
    """Address and cycle of every issue that it is told of."""

    def __init__(self) -> None:
        self.issued: list[tuple[int, int]] = []

    def __call__(self, pc: int, issue: Issue) -> None:
        self.issued.append((pc, issue.cycle))


CASES = by_routine()
MORE_ROUTINES = pytest.mark.nightly(
    "twenty-nine of thirty routines; the headers of all are compared with the simulator"
)
SOME = list(sampled(CASES, 30, MORE_ROUTINES))
# More steps than are followed. Tests of headers count their cycles on the simulator.
TOO_LONG = {"lili2_start", "lili2_port_start"}
# Of a routine; longer ones are loops, and the cycles of all their turns are counted below.
ENOUGH = 2_000


@pytest.mark.parametrize("case", SOME, ids=str)
def test_real_runs_of_all_firmware_issue_as_the_interlock_says(case: Case) -> None:
    for rounds in (2,) if needs_two_rounds(assembled(case.implementation.image)) else (2, 1):
        engine, image = ready(case, rounds)
        replay = Replay(rounds)
        for routine in (*case.set_up, *case.jobs):
            engine.start(image.symbol(routine).value)
            replay.start(engine)
            compared(engine, replay, ENOUGH)


@pytest.mark.parametrize("case", SOME, ids=str)
def test_cycles_of_all_firmware_are_known_without_running_it(case: Case) -> None:
    """Cycle by cycle and cause by cause; what is loaded into address registers is given, as the engine has it."""
    engine, image = ready(case, 2)
    graph = Graph.of(image)
    for routine in (*case.set_up, *case.jobs):
        if is_variable(routine):
            continue

        def lane(found: Load) -> int | None:
            row = engine.read(found.space, found.address, 16) if found.space else None
            return None if row is None else int.from_bytes(row[2 * found.lane : 2 * found.lane + 2], "big")

        visited = Visited()
        static = cycles(graph, image.symbol(routine).value, 2, lane, visited)
        if routine in RUN_ONLY:
            assert "unknown" in static.reason, routine
            continue
        if routine in TOO_LONG:
            assert "it runs for more than" in static.reason, routine
            continue
        if routine == case.verdict:
            assert static.reason == "the branch depends on an unknown value", routine
            continue
        engine.start(image.symbol(routine).value)
        records = list(engine.records())
        stop = engine.stop()
        assert (static.reason, static.total, static.stalls) == ("", stop.cycles, stop.stalls), routine
        depth = Interlock(2).depth
        assert [(record.pc, record.cycle - depth) for record in records] == visited.issued, routine


def test_the_firmware_that_runs_with_one_round_an_instruction_is_replayed_with_it_too() -> None:
    images = {
        case.implementation.image.name for case in CASES if not needs_two_rounds(assembled(case.implementation.image))
    }
    assert {"aes-baseline", "snow3g", "zuc", "crc"} <= images


# `make test` runs each mode with one of the two numbers of rounds.
BY_ROUNDS = [
    pytest.param(mode, rounds, marks=[MORE_PROGRAMS] * (n % 2 == rounds % 2))
    for n, mode in enumerate(STRUCTURED)
    for rounds in (2, 1)
]


@pytest.mark.parametrize(("mode", "rounds"), BY_ROUNDS)
@SEEDS
def test_random_programs_issue_as_the_interlock_says(seeds: range, mode: str, rounds: int) -> None:
    engine, replay = lutra.make_engine("iss", rounds), Replay(rounds)
    generator = Generator(mode=mode, rounds=rounds)
    for seed in seeds:
        made = generator.program(seed)
        prepare(engine, made)
        engine.start(made.base)
        replay.start(engine)
        compared(engine, replay)


@pytest.mark.parametrize("rounds", [2, pytest.param(1, marks=ONE_ROUND)])
@pytest.mark.parametrize("mode", ["mixed", "loops", "memory"])
@SEEDS
def test_no_word_of_a_random_program_issues_earlier_than_its_piece_says(seeds: range, mode: str, rounds: int) -> None:
    """Pieces whose preceding instructions are unknown, and every turn of a loop but the first two."""
    generator, engine, replay = Generator(mode=mode, rounds=rounds), lutra.make_engine("iss", rounds), Replay(rounds)
    turns = 0
    for seed in seeds:
        made = generator.program(seed)
        prepare(engine, made)
        graph = Graph(dict(enumerate(made.code(), made.base)))
        piece_of = {pc: p for p in pieces(graph, {made.base}, rounds) for pc in range(p.first, p.last + 1)}
        engine.start(made.base)
        replay.start(engine)
        came, run, begin = -1, 0, 0  # the instruction before, and the turns of this loop one after the other
        while (record := engine.step()) is not None:
            issue, piece = replay.retired(record), piece_of[record.pc]
            if record.pc == piece.first:
                run = run + 1 if came == piece.last else 0
                begin = issue.cycle - sum(wait.cycles for wait in issue.waits if wait.cause != "transfer")
            came = record.pc
            static = piece.issue(record.pc)
            if not piece.carried:
                assert issue.cycle - begin >= static.cycle
            elif piece.turn and run > 1:
                turns += 1
                assert [(w.cause, w.cycles) for w in issue.waits] == [(w.cause, w.cycles) for w in static.waits]
    assert turns > 250 * len(seeds)


def test_a_straight_piece_names_the_line_that_it_waits_for() -> None:
    words = lutra.assemble_text("mov m2[0], v0\nnop\nmov v1, m2[0x100]\nhalt").program
    issues = straight(words, first=0x20)
    assert [issue.cycle for issue in issues] == [0, 1, 6, 7]
    assert issues[2].waits == (Wait("memory", 4, 0x20, 2, "m2"),)
    assert [issue.cycle for issue in straight(words, rounds=1)] == [0, 1, 5, 6]


def test_every_stall_cycle_is_named_by_cause_and_producer() -> None:
    """Two causes one after the other: each is named with the cycles in which it is the first that holds."""
    words = lutra.assemble_text("vtoar ar1, v0, 7\nmov m2[0], v1\nmov v2, m2[ar1]\nhalt").program
    assert straight(words)[2].waits == (Wait("memory", 5, 1, 1, "m2"),)
    words = lutra.assemble_text("mov m2[0], v1\nvtoar ar1, v0, 7\nmov v2, m2[ar1]\nhalt", warnings=["no-all"]).program
    assert straight(words)[2].waits == (Wait("memory", 4, 0, 2, "m2"),)


def test_a_loop_is_scheduled_as_a_turn_after_the_first() -> None:
    image = lutra.assemble_text("repeat 9, .L\ntbl1 v0, v0\n.L:\ntbl1 v0, v0\nhalt")
    found = {piece.first: piece for piece in pieces(Graph.of(image), starts(image))}
    assert (found[1].turn, found[1].end, found[1].issues[0].waits) == (True, 2, (Wait("vector_x2", 1, 1, 1, "v0"),))
    assert (found[2].carried, found[2].issues[0].waits) == (True, (Wait("vector_x2", 1, 1, 1, "v0"),))
    assert program(image)[1].stall == 1


def test_rounds_other_than_one_and_two_are_refused() -> None:
    with pytest.raises(ValueError, match="rounds per instruction must be 1 or 2, not 3"):
        Interlock(3)


CONTROL = [
    ("repeat ar0, .L\nnop\n.L: halt", 0, "the loop count is unknown"),
    ("cmp v0, v1\nbf .L\nnop\n.L: halt", 1, "the branch depends on an unknown value"),
    ("ret", 0, "it returns to a caller"),
    ("nop", 1, "there is no instruction at this address"),
    ("l: jmp l", 0, "it runs for more than 100000 instructions"),
    ("l: call l", 0, "the call stack overflows"),
]


@pytest.mark.parametrize(("source", "at", "reason"), CONTROL)
def test_where_control_is_not_static_the_word_and_the_reason_are_named(source: str, at: int, reason: str) -> None:
    found = cycles(Graph.of(lutra.assemble_text(source, warnings=["no-all"])), 0)
    assert (found.total, found.at, found.reason) == (None, at, reason)
