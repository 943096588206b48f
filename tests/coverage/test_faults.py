"""The collector of a core that looks for faults and can be wiped."""

from __future__ import annotations

from collections import Counter

import pytest

import lutra
from lutra import coverage
from lutra.isa import load
from lutra.iss.engine import Simulator
from lutra.iss.fault import Fault
from support.protected import with_core

# All that faults and wipes change of the plan, as in `make coverage CONFIGURATION=protected`.
PLAN = """
import lutra
from lutra import coverage
from lutra.coverage.closing import close
wanted = ("trap.fault", "host.control", "trap.cause")
points = [point for point in coverage.plan().points if point.name not in wanted]
for rounds in (1, 2):
    before = coverage.Counts()
    before.add_places(rounds, {point.offset + n: 1 for point in points for n in point.bins[rounds]})
    engine = lutra.make_engine("iss", rounds)
    collector = coverage.Collector(engine)
    print(close(engine, collector, before, seed=1), collector.counts().unexpected())
    print(len(collector.counts().rounds[rounds]["trap.fault"]))
"""


def test_traps_by_faults_have_the_highest_codes() -> None:
    """The collector tells them from others by their codes."""
    by_fault = [trap.by_fault for trap in sorted(load().traps, key=lambda trap: trap.code)]
    assert by_fault == sorted(by_fault)


# Sets a register, meets a fault or halts, and stores where the register points to.
PROGRAM = """
begin:  arset   ar2, 0x25
        nop
        nop
        snow    c0
        halt
store:  mov     m3[ar2], zero
        halt
"""


@pytest.mark.parametrize(
    ("faults", "ends", "control"),
    [
        ((), "halt/nothing", {"reset/idle": 1, "start/idle": 2, "wipe/halted": 1}),
        ((Fault(1, "c0", "s3", 1),), "trap/nothing", {"reset/idle": 1, "start/idle": 2, "wipe/faulted": 1}),
    ],
)
def test_faults_and_wipes_are_counted_where_they_belong(
    faults: tuple[Fault, ...], ends: str, control: dict[str, int]
) -> None:
    """The plan of this core has neither, so both are unexpected."""
    engine = Simulator(rounds=2, shadow_words=16, wipe=True)
    collector = coverage.Collector(engine)
    engine.load(lutra.assemble_text(PROGRAM))
    for fault in faults:
        engine.inject(fault)
    engine.run(0, 100)
    engine.wipe()
    if faults:
        engine.clear_alert()
    engine.run(5, 100)
    counts = collector.counts()
    found = counts.rounds[2]
    assert found.get("trap.fault", Counter()) == Counter(["context-fault/elsewhere"] * len(faults))
    assert found["host.control"] == control
    assert found["host.effect"] == Counter([ends, "halt/nothing"])
    assert found["memory.alignment"] == {"store/m3/0": 1}
    assert len(counts.unexpected()) == 1 + len(faults)


@pytest.mark.nightly("the simulator of another configuration is compiled")
def test_aimed_programs_meet_faults_and_wipes() -> None:
    done = with_core("-c", PLAN)
    assert (done.returncode, done.stderr, done.stdout) == (0, "", "() []\n4\n" * 2)
