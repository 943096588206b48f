"""A failing seed is found, shrunk and reproduced: the RTL alone has another byte in a table."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

import lutra
from lutra.cosim import CosimEngine, Work, run, work
from lutra.cosim.shrink import shrink, without
from lutra.cosim.source import labels, text
from lutra.isa import load
from lutra.iss.job import Job
from lutra.random import Generator, Program, structured
from support.sampling import sampled

BYTE = 16 * 0x53 + 2


class OtherTable(CosimEngine):
    """A lock-step whose core has one bit of t0 wrong, which only a look-up shows: the bank itself is not compared."""

    def __init__(self, rounds: int) -> None:
        super().__init__(rounds)
        self.backend.compare_state = False

    def start(self, entry: int) -> None:
        (byte,) = super().read("t0", BYTE, 1)
        self.core.write(self.isa.space_by_name["t0"].code, BYTE, bytes([byte ^ 0x10]))
        super().start(entry)

    def read(self, space: str, offset: int, length: int) -> bytes:
        return bytes(length) if space == "t0" else super().read(space, offset, length)


def test_a_wrong_table_is_found_shrunk_and_reproduced(tmp_path: Path) -> None:
    result = work(Work(1, 2, mode="tables"), OtherTable)
    assert [(f.seed, f.rounds) for f in result.failures] == [(1, 2)]
    for failed in result.failures:
        assert failed.divergence
        assert failed.words <= 5, failed.source
        # What `lutra run FILE.s` does: assemble, load, run.
        source = tmp_path / "failed.s"
        source.write_text(failed.source)
        image = lutra.assemble([source])
        engine = OtherTable(failed.rounds)
        engine.load(image)
        with pytest.raises(lutra.Divergence):
            engine.run(image.entry, 1000)
        sound = lutra.make_engine("cosim", failed.rounds)
        sound.load(image)
        sound.run(image.entry, 1000)


class OtherTableAgain(OtherTable):
    """The same from the second start after a reset on, and not in the first."""

    def reset(self) -> None:
        super().reset()
        self.starts = 0

    def clear(self) -> None:
        super().clear()
        self.starts = 0

    def start(self, entry: int) -> None:
        self.starts += 1
        if self.starts == 2:
            super().start(entry)
        else:
            CosimEngine.start(self, entry)


def test_what_needs_a_second_start_is_reproduced_with_both(tmp_path: Path) -> None:
    engine = OtherTableAgain(2)

    def fails(candidate: Program) -> bool:
        failure = run(engine, candidate, 5000)[1]
        return failure is not None and failure.divergence

    programs = map(Generator(mode="words", rounds=2).program, range(32))
    program = shrink(next(program for program in programs if fails(program)), fails, 150)
    assert len(program.starts) in (2, 3)
    source = tmp_path / "failed.s"
    source.write_text(text(program))
    image = lutra.assemble([source])
    value = {s.name: s.value for s in image.symbols}
    # What `lutra run FILE.s --entry main --entry again1 --past-traps` does.
    job = Job(image, tuple(value[name] for name in labels(program)), max_cycles=5000, past_traps=True)
    job.prepare(engine)
    with pytest.raises(lutra.Divergence):
        list(job.run(engine))
    first = replace(job, entries=job.entries[:1])
    first.prepare(engine)
    assert len(list(first.run(engine))) == 1


def test_targets_follow_what_they_lead_to() -> None:
    program = Generator(mode="loops").program(3)
    size = len(program.words)
    for first in range(0, size, 7):
        shorter = without(program, first, 3)
        kept = [*range(first), *range(min(first + 3, size), size)]
        assert shorter.words == tuple(program.words[n] for n in kept)
        for at, target in shorter.targets.items():
            before = program.targets[kept[at]]
            moved = next((n for n, old in enumerate(kept) if old >= before.of), len(kept))
            assert target.of == moved


def test_shrinking_needs_no_engine() -> None:
    """The shortest program with two instructions of a kind, by a predicate on the program alone."""
    program = Generator(mode="mixed").program(0)
    kind = program.words[0] >> 56

    def fails(candidate: Program) -> bool:
        return sum(w >> 56 == kind for w in candidate.words) >= 2

    small = shrink(program, fails)
    assert len(small.words) == 2 and fails(small)
    assert not any(any(data) for data in small.memory.values())


@pytest.mark.parametrize("seed", sampled(range(8), 3, pytest.mark.nightly("five more programs of eight")))
def test_a_program_as_source_runs_as_the_program_does(seed: int) -> None:
    program = Generator(structured(load())).program(seed)
    image = lutra.assemble_text(text(program))
    engine = lutra.make_engine("iss", program.rounds)
    stops, failure = run(engine, program)
    assert failure is None
    contents = {space: engine.read(space, 0, engine.size(space)) for space in program.memory}
    again = lutra.make_engine("iss", program.rounds)
    again.load(image)
    entries = tuple(s.value for s in image.symbols if s.is_global and s.space == "pm")
    assert list(Job(image, entries, resume=True, past_traps=True).run(again)) == stops
    assert {space: again.read(space, 0, again.size(space)) for space in program.memory} == contents


@pytest.mark.parametrize("seed", range(3))
def test_words_without_structure_have_a_source_too(seed: int) -> None:
    """`text` compares what its source assembles to."""
    assert "again1:" in text(Generator(mode="words").program(seed))
