"""The pipeline as records tell it, against the core's own stages, stall causes and fetches in its waves."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from pathlib import Path

import pytest
import pywellen

import lutra
from lutra.cosim.runner import prepare
from lutra.isa import load
from lutra.iss.engine import Engine
from lutra.iss.pipeline import InStage, Occupancy, Passage, Pipeline, passages, stages
from lutra.random import Generator, structured

CORE = "lutra_core.lutra_core."
MORE = pytest.mark.nightly("more random programs in waves")
SEEDS = [0, *(pytest.param(n, marks=MORE) for n in range(1, 6))]


class Waves:
    """Signals of the core in the cycles in which it runs, by the cycle's number."""

    def __init__(self, path: Path) -> None:
        variables = {var.full_name: var for var in pywellen.Waveform(str(path)).all_vars()}
        self._signals: dict[str, pywellen.Signal] = {}
        self._variables = variables

    def value(self, name: str, time: int) -> int:
        if name not in self._signals:
            self._signals[name] = self._variables[CORE + name].signal
        value = self._signals[name].value_at(time)
        return 0 if value is None else int(value)

    def cycles(self, count: int) -> list[tuple[int, int]]:
        """(time, cycle) of the first cycles in which the core runs; the clock is low at even times."""
        running = next(s.code for s in load().states if s.name == "running")
        found: list[tuple[int, int]] = []
        time = 0
        while len(found) < count:
            if self.value("u_control.state_q", time) == running:
                found.append((time, self.value("perf.cycles", time)))
            time += 2
        return found

    def stage(self, number: int, time: int) -> int | None:
        """The program address in a stage after ID."""
        if not self.value("valid_q", time) >> (number - 1) & 1:
            return None
        # From AG on it is in the record that retires, which AG makes.
        return self.value("ag_pc" if number == 1 else f"u_retire.gen_port.record_q.[{number}].pc", time)

    def in_id(self, time: int) -> int | None:
        """The program address in ID; None for what a transfer or a trap in AG kills."""
        kept = self.value("id_valid", time) and not self.value("u_sequencer.kill", time)
        return self.value("pc_o", time) if kept else None

    def cause(self, time: int) -> str | None:
        """Cause that holds the instruction in ID, by the name of its counter."""
        if self.in_id(time) is None:
            return None
        if self.value("id_wait", time):
            return load().stalls[-1].name
        return load().stalls[self.value("id_cause", time)].name if self.value("id_stall", time) else None


def followed(engine: Engine) -> list[Passage]:
    """The ways of all that retires, the host resuming after every wait."""
    pipeline = Pipeline(engine.rounds)
    pipeline.reset()
    ways: list[Passage] = []
    while True:
        ways += map(pipeline.retired, engine.records())
        if engine.stop().state != "waiting":
            return ways
        engine.resume(0)


def pc_of(entry: InStage | None) -> int | None:
    return None if entry is None else entry.passage.pc


def lost(ways: list[Passage]) -> Mapping[str, int]:
    """Stall cycles by cause."""
    found = Counter({stall.name: 0 for stall in load().stalls})
    for way in ways:
        found[load().stalls[-1].name] += way.bubbles
        for wait in way.waits:
            found[wait.cause] += wait.cycles
        assert sum(wait.cycles for wait in way.waits) == way.stalled
    return found


@pytest.mark.parametrize("rounds", [1, 2])
@pytest.mark.parametrize("seed", SEEDS)
def test_stages_fetches_and_stall_causes_are_those_of_the_cores_signals(seed: int, rounds: int, tmp_path: Path) -> None:
    engine = lutra.make_engine("rtl", rounds)
    program = Generator(structured(load()), rounds=rounds).program(seed)
    prepare(engine, program)
    engine.trace(tmp_path / "wave.fst")
    engine.start(program.base)
    ways = followed(engine)
    engine.close()
    stop = engine.stop()
    assert lost(ways) == stop.stalls
    waves, table = Waves(tmp_path / "wave.fst"), Occupancy(ways, rounds)
    seen = waves.cycles(stop.cycles)
    assert [cycle for _, cycle in seen] == list(range(stop.cycles))
    for (time, cycle), (after, _) in zip(seen, [*seen[1:], (seen[-1][0] + 2, 0)], strict=True):
        fetch, in_id, *issued = table.at(cycle).values()
        assert pc_of(in_id) == waves.in_id(time), cycle
        assert [pc_of(entry) for entry in issued] == [waves.stage(n, time) for n in range(1, len(issued) + 1)], cycle
        assert (in_id.wait and in_id.wait.cause if in_id else None) == waves.cause(time), cycle
        # What is fetched after a transfer or a stop is dropped: it is killed in ID, or nothing is there.
        kept = waves.value("fetch_en", time) and waves.in_id(after) is not None
        assert pc_of(fetch) == (waves.value("fetch_pc", time) if kept else None), cycle


@pytest.mark.parametrize("rounds", [1, 2])
@pytest.mark.parametrize("seed", [*range(100, 103), *(pytest.param(n, marks=MORE) for n in range(103, 112))])
def test_waits_and_bubbles_are_the_simulators_stall_counters(seed: int, rounds: int) -> None:
    engine = lutra.make_engine("iss", rounds)
    program = Generator(structured(load()), rounds=rounds).program(seed)
    prepare(engine, program)
    engine.start(program.base)
    assert lost(followed(engine)) == engine.stop().stalls


def ran(source: str, rounds: int = 2) -> list[Passage]:
    engine = lutra.make_engine("iss", rounds)
    image = lutra.assemble_text(source, warnings=["no-all"])
    engine.load(image)
    engine.start(image.entry)
    return followed(engine)


def test_an_instruction_names_whom_it_waits_for() -> None:
    store, load_, *_ = ran("mov m2[0], v0\nmov v1, m2[0]\nhalt")
    assert [(w.cause, w.cycles, w.pc, w.issue) for w in load_.waits] == [("memory", 5, store.pc, store.issue)]
    assert load_.waits_in(load_.decode) == load_.waits[0]
    assert load_.waits_in(load_.issue) is None


def test_the_nearest_of_several_is_waited_for() -> None:
    *_, reader, _ = ran("tbl1 v0, v2\nnop\ntbl1 v1, v2\nxor v3, v0, v1\nhalt")
    assert [(w.cause, w.pc) for w in reader.waits] == [("vector_x2", 2)]


# A branch to where the program goes on anyway: the gap after it can be its own or that of a hazard.
@pytest.mark.parametrize(("value", "lost_by"), [(0, {"memory": 3}), (1, {"transfer": 1, "memory": 2})])
def test_a_taken_branch_to_the_next_instruction_is_told_from_one_that_is_not_taken(
    value: int, lost_by: dict[str, int]
) -> None:
    ways = ran(f"arset ar0, {value}\nmov m2[0], v0\nnop\nbnz ar0, .L\n.L: mov v1, m2[0]\nhalt")
    assert {cause: cycles for cause, cycles in lost(ways).items() if cycles} == lost_by
    assert ways[3].taken == bool(value)


def test_from_the_middle_of_a_run_on_all_but_the_first_instructions_are_known() -> None:
    engine = lutra.make_engine("iss")
    program = Generator(structured(load()), rounds=2).program(7)
    prepare(engine, program)
    engine.start(program.base)
    records = list(engine.records())[:3000]
    whole = list(passages(records, 2))
    for begin in range(1, 2000, 37):
        part = list(passages(records[begin:], 2))
        known = [way for way in part[8:] if way.taken is not None]
        assert known == [way for way, of in zip(whole[begin + 8 :], part[8:], strict=True) if of.taken is not None]


def test_stages_are_those_of_the_description() -> None:
    assert stages(2)[0] == load().fetch
    assert len(stages(2)) == len(stages(1)) + 1
    assert set(stages(1)) < set(stages(2))
