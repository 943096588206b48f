"""A failing seed is found, shrunk and reproduced: the RTL alone has another byte in a table."""

from __future__ import annotations

from pathlib import Path

import pytest

import lutra
from lutra.cosim import CosimEngine, Work, run, work
from lutra.cosim.shrink import shrink, without
from lutra.cosim.source import text
from lutra.random import Generator, Program

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
    result = work(Work(0, 2, mode="tables"), OtherTable)
    assert [(f.seed, f.rounds) for f in result.failures] == [(0, 1), (1, 2)]
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


@pytest.mark.parametrize("seed", range(20))
def test_a_program_as_source_runs_as_the_program_does(seed: int) -> None:
    program = Generator().program(seed)
    image = lutra.assemble_text(text(program))
    engine = lutra.make_engine("iss", program.rounds)
    stop, failure = run(engine, program)
    assert failure is None
    contents = {space: engine.read(space, 0, engine.size(space)) for space in program.memory}
    again = lutra.make_engine("iss", program.rounds)
    again.load(image)
    second = again.run(image.entry)
    while second.state == "waiting":
        second = again.resume()
    assert second == stop
    assert {space: again.read(space, 0, again.size(space)) for space in program.memory} == contents
