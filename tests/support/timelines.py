"""Reference for a timeline: a plain run of the same program, forwards and once."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

import lutra
from lutra.cosim.runner import prepare
from lutra.isa import load
from lutra.iss.engine import Engine, Stop
from lutra.iss.registers import Registers
from lutra.iss.retire import Record
from lutra.iss.timeline import Cell, Timeline
from lutra.random import Generator, Program, structured

ISA = load()
ROW = ISA.machine["VectorBytes"]
NAMES = {v.code: v.name for v in ISA.vectors}
MEMORIES = [s.name for s in ISA.spaces if ":" not in s.name]
SPACES = {s.code: s for s in ISA.spaces}
STOPS = ("halt", "wait", "trap")


@dataclass(frozen=True)
class Moment:
    """The state at a time. stop: of the engine that is asked about; all else is the simulator's."""

    stop: Stop
    registers: Registers
    memories: dict[str, bytes]


@dataclass
class Run:
    """A program's whole run. records: of time 1 on. moments: of some times."""

    program: Program
    records: list[Record] = field(default_factory=list)
    moments: dict[int, Moment] = field(default_factory=dict)

    @property
    def end(self) -> int:
        return len(self.records)


def stepped(engine: Engine, program: Program) -> Iterator[Record | None]:
    """None before every instruction, then its record; the host goes on after every wait."""
    prepare(engine, program)
    engine.start(program.base)
    while True:
        yield None
        record = engine.step()
        if record is None:
            return
        yield record
        if engine.stop().state == "waiting":
            engine.resume(0)


def made(source: str, name: str = "iss") -> Timeline:
    """A machine with a program, before its start."""
    engine = lutra.make_engine(name)
    engine.load(lutra.assemble_text(source, warnings=["no-all"]))
    return Timeline(engine)


def memories(engine: Engine) -> dict[str, bytes]:
    return {space: engine.backend.read(engine.space_code(space), 0, engine.size(space)) for space in MEMORIES}


def fresh(name: str, program: Program, samples: int, seed: int = 0) -> Run:
    """A program on an engine that has no timeline, with moments at random times and at the ends."""
    run = Run(program, [r for r in stepped(lutra.make_engine("iss", program.rounds), program) if r is not None])
    rng = random.Random(seed)
    starts = rng.sample(range(run.end), min(samples, run.end))
    times = {0, run.end, *starts, *(start + 1 for start in starts)}
    engine, simulator = lutra.make_engine(name, program.rounds), lutra.make_engine("iss", program.rounds)
    time = 0
    for ours, theirs in zip(stepped(engine, program), stepped(simulator, program), strict=True):
        if ours is not None and theirs is not None:
            assert ours == theirs
            time += 1
        elif time in times:
            run.moments[time] = Moment(engine.stop(), simulator.registers(), memories(simulator))
    return run


def program(seed: int, rounds: int = 0) -> Program:
    return Generator(structured(ISA), rounds=rounds).program(seed)


def travelled(name: str, of: Program) -> Timeline:
    """A timeline at the end of the program."""
    engine = lutra.make_engine(name, of.rounds)
    prepare(engine, of)
    timeline = Timeline(engine)
    timeline.start(of.base)
    while timeline.run() == "wait":
        timeline.resume()
    return timeline


def assert_same(timeline: Timeline, moment: Moment, but: tuple[str, ...] = ()) -> None:
    """Hold a timeline to a moment. but: memories that are not compared."""
    assert timeline.engine.stop() == moment.stop
    assert timeline.cycle == moment.stop.cycles
    assert dict(timeline.registers()) == dict(moment.registers)
    for space, data in moment.memories.items():
        assert space in but or timeline.read(space, 0, len(data)) == data, space


# ---------------------------------------------------------------- what a record says, told by its fields


def touched(record: Record, before: Record | None) -> Iterator[Cell]:
    """The cells that an instruction touched; before: the instruction before it."""
    f = record.fields
    yield ("pm", record.pc)
    if "rd" in f:
        yield NAMES[f["rd"]]
    if "partner_value" in f:
        yield NAMES[f["rd"] + 1]
    if "hold_value" in f:
        yield "hold"
    if "ctr_value" in f or "width_en" in f:
        yield "ctr"
    for n in {*f.get("ar_value", ()), *([f["config_ar"]] if "config_ar" in f else [])}:
        yield f"ar{n}"
    for n in f.get("context_state", ()):
        yield f"c{n}"
    for name, key in (("flag", "flag_en"), ("notify", "notify_en")):
        if key in f:
            yield name
    if "store_en" in f:
        lanes = [n for n in range(ROW) if f["store_lanes"] >> n & 1]
        rows = {(f["store_address"] + lane) // ROW * ROW for lane in lanes}
        for name in SPACES[f["store_space"]].name.split(":"):
            yield from ((name, row) for row in rows)

    if "scatter_en" in f:
        yield from (("t0", ROW * row) for row in f["scatter_rows"])

    def stacks(of: Record | None, *keys: str) -> list[int]:
        return [of.fields.get(key, 0) if of else 0 for key in keys]

    for name, keys in (("loops", ("loop_depth", "loop_remaining")), ("calls", ("call_depth",))):
        if stacks(record, *keys) != stacks(before, *keys):
            yield name


@dataclass
class Scan:
    """All that happened, found by looking at every record in turn."""

    records: list[Record]
    touches: list[set[Cell]] = field(init=False)

    def __post_init__(self) -> None:
        before: list[Record | None] = [None, *self.records]
        self.touches = [set(touched(record, old)) for record, old in zip(self.records, before, strict=False)]

    def times(self, cells: Iterable[Cell]) -> list[int]:
        wanted = set(cells)
        return [time for time, there in enumerate(self.touches, 1) if there & wanted]

    def depth(self, time: int) -> int:
        return int(self.records[time - 1].fields.get("call_depth", 0)) if time else 0

    def stops_at(self, time: int, breaks: set[int], touches: set[Cell], depth: int | None, notify: bool) -> bool:
        """Whether a run would stop at a time for what is given."""
        follows = self.records[time].pc if time < len(self.records) else None
        if follows in breaks or (depth is not None and self.depth(time) <= depth):
            return True
        there = self.touches[time - 1] if time else set()
        return bool(there & touches) or (notify and "notify" in there)

    def stopped(self, time: int) -> str:
        f = self.records[time - 1].fields
        return next((why for why in STOPS if f"{why}_en" in f or why in f), "")
