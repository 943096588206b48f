"""Counts of `lutra profile`: every cycle once, and where it belongs."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

import lutra
from lutra.asm import Image
from lutra.cosim.runner import prepare
from lutra.firmware.manifest import catalogue
from lutra.isa import load
from lutra.iss.job import Job
from lutra.profile import Collector, Profile, of_cipher, of_job
from lutra.random import Generator, structured

ENGINES = lutra.engine.names()
Profiled = Callable[..., Profile]
TRANSFER = load().stalls[-1].name


def check_sums(profile: Profile) -> None:
    """Cycles of lines, routines and stacks are those of the run, stalls by cause its counters."""
    stop, left = profile.stop, profile.unretired
    by_line = [line.own for line in profile.lines.values()]
    for costs in (by_line, [r.cost for r in profile.routines], [cost for _, cost in profile.stacks()]):
        assert sum(cost.cycles for cost in costs) + left.cycles == stop.cycles
        causes = Counter(dict(left.by_cause))
        for cost in costs:
            causes.update(cost.by_cause)
        assert +causes == +Counter(stop.stalls)
    # Under `transfer` count bubbles, which delay no instruction, and waits for the entry of a loop.
    waited = Counter({TRANSFER: 0, **dict.fromkeys(profile.cost.by_cause, 0)})
    waited[TRANSFER] = sum(cell.taken for cell in profile.cells.values())
    for wait in profile.waits:
        waited[wait.cause] += wait.cycles
    assert waited == {TRANSFER: 0, **profile.cost.by_cause}


@pytest.mark.parametrize("rounds", [1, 2])
@pytest.mark.parametrize("engine", ENGINES)
def test_cycles_of_lines_are_those_of_the_run_and_stalls_the_counters(
    engine: str, rounds: int, profiled: Profiled
) -> None:
    profile = profiled(engine, rounds)
    check_sums(profile)
    assert {"address", TRANSFER} <= set(profile.cost.by_cause)
    assert profile.unretired.cycles == 0
    assert profile.cost.issued == profile.stop.instructions


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("seed", range(4))
def test_sums_are_exact_for_random_programs(engine: str, seed: int) -> None:
    machine = lutra.make_engine(engine)
    collector = Collector(machine)
    program = Generator(structured(load()), rounds=2).program(seed)
    prepare(machine, program)
    stop = machine.run(program.base)
    while stop.state == "waiting":
        stop = machine.resume()
    image = Image(program=[0] * program.base + program.code())
    profile = Profile(image, collector.close(), [program.base], stop)
    check_sums(profile)
    assert profile.unretired.cycles == 0


@pytest.mark.parametrize("name", ["aes-128-ctr", "aes-256-gcm", "sm4-128-ctr", "snow3g", "zuc-128", "crc-32"])
def test_a_job_of_a_cipher_is_profiled_with_its_set_up(name: str) -> None:
    cipher = catalogue().cipher(name)
    profile, stops = of_cipher(lutra.make_engine("iss"), cipher)
    check_sums(profile)
    assert profile.stop.cycles == sum(stop.cycles for stop in stops)
    assert cipher.default.entries["encrypt"].run in {r.name for r in profile.routines}


def test_a_job_has_one_profile_on_simulator_and_core() -> None:
    cipher = catalogue().cipher("aes-128-gcm")
    one, *others = [of_cipher(lutra.make_engine(engine), cipher)[0] for engine in ENGINES]
    assert all(other.counts == one.counts and other.stop == one.stop for other in others)


def test_an_image_read_from_elf_has_the_profile_of_its_assembly(source: Path) -> None:
    image = lutra.assemble([source], warnings=["no-all"])
    lutra.asm.write_elf(image, Path("main.elf"))
    machine = lutra.make_engine("iss")
    one, other = [of_job(machine, Job(of, (of.entry,)))[0] for of in (image, lutra.asm.read_elf(Path("main.elf")))]
    assert other.lines == one.lines
    assert list(other.stacks()) == list(one.stacks())


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("limit", range(60, 76))
def test_what_is_on_its_way_when_the_limit_comes_is_charged_to_no_line(
    engine: str, limit: int, profiled: Profiled
) -> None:
    profile = profiled(engine, 2, limit)
    check_sums(profile)
    assert profile.stop.state == "running"
    assert 0 < profile.unretired.cycles < 12


def test_simulator_core_and_lock_step_have_one_profile(profiled: Profiled) -> None:
    one, *others = [profiled(engine) for engine in ENGINES]
    for other in others:
        assert other.counts == one.counts


def line(profile: Profile, file: str, text: str) -> lutra.profile.profile.Line:
    """The line of a text."""
    return next(found for site, found in profile.lines.items() if site[0] == file and found.text.strip() == text)


def test_cycles_within_macros_belong_to_their_lines_and_show_at_the_calls(profiled: Profiled) -> None:
    profile = profiled()
    first = line(profile, "macros.inc", "round   \\x")
    call = line(profile, "main.s", "both    v0, v1")
    assert call.own.cycles == 0
    assert first.own.cycles == 0
    assert call.total.issued == 3 * 4
    assert first.total.issued == 3 * 2
    body = [found for site, found in profile.lines.items() if site[0] == "macros.inc" and found.own.issued]
    assert [found.own.issued for found in body] == [3 * 2 + 3 * 5] * 2


def test_a_bubble_is_the_transfers_own_and_a_wait_the_waiting_lines(profiled: Profiled) -> None:
    profile = profiled()
    assert line(profile, "main.s", "call    rows").own.by_cause == {TRANSFER: 3}
    assert line(profile, "main.s", "bnz     ar0, .L_again").own.by_cause == {TRANSFER: 2}
    assert line(profile, "main.s", "bz      ar0, .L_end").own.by_cause == {TRANSFER: 1}
    assert line(profile, "main.s", "mov     v1, m3[ar1]").own.by_cause == {"address": 2}
    waited = [(w.site[1], w.cause, w.on[1], w.cycles) for w in profile.waits if w.cause == "address"]
    assert waited == [(12, "address", 11, 2)]


def test_loops_of_the_sequencer_and_of_jumps_have_passes_and_all_their_cycles(profiled: Profiled) -> None:
    profile = profiled()
    outer, inner = profile.loops
    assert (outer.site[1], outer.entries, outer.passes, outer.routine) == (10, 1, 3, "main")
    assert (inner.site[1], inner.entries, inner.passes, inner.routine) == (17, 3, 15, "rows")
    body = [found.own.cycles for found in profile.lines.values()]
    # Before the outer loop is only the first instruction, with the first fetch; after it come four.
    after = [line(profile, "main.s", text).own.cycles for text in ("vtoar   ar1, v0, 0", "mov     v1, m3[ar1]")]
    after += [
        line(profile, "main.s", "bz      ar0, .L_end").own.cycles,
        line(profile, "main.s", ".L_end: halt").own.cycles,
    ]
    assert outer.cycles == sum(body) - 2 - sum(after)
    assert inner.cycles_a_pass == inner.cycles / 15


def test_a_routine_has_its_calls_and_its_caller_the_cycles_within(profiled: Profiled) -> None:
    main, rows = sorted(profiled().routines, key=lambda r: r.name)
    assert (main.name, main.calls, rows.name, rows.calls) == ("main", 1, "rows", 3)
    assert main.inside == rows.cost.cycles
    assert rows.inside == 0


def test_a_stack_is_routines_then_macros_then_the_line(profiled: Profiled) -> None:
    stacks = ["/".join(frame.name for frame in stack) for stack, _ in profiled().stacks()]
    assert "main/both/round/macros.inc:2" in stacks
    assert "main/rows/round/macros.inc:3" in stacks
    assert "main/rows/main.s:20" in stacks


def test_waits_for_the_host_are_edges_of_the_line_that_waits(tmp_path: Path) -> None:
    image = lutra.assemble_text("nop\nwait\nnop\nhalt", warnings=["no-all"])
    profile, _ = of_job(lutra.make_engine("iss"), Job(image, (0,), resume=True))
    check_sums(profile)
    assert [profile.cells[pc].edges for pc in range(4)] == [1, 6, 1, 6]


def test_a_trap_is_charged_where_it_happens() -> None:
    image = lutra.assemble_text("nop\nret\nhalt", warnings=["no-all"])
    profile, stops = of_job(lutra.make_engine("cosim"), Job(image, (0,)))
    check_sums(profile)
    assert stops[-1].trap
    assert profile.unretired.cycles == 0


def test_several_entries_add_up(source: Path) -> None:
    image = lutra.assemble([source], warnings=["no-all"])
    job = Job(image, (image.symbol("main").value, image.symbol("main").value))
    profile, stops = of_job(lutra.make_engine("iss"), job)
    check_sums(profile)
    assert len(stops) == 2
    assert line(profile, "main.s", ".L_end: halt").own.issued == 2


def test_ten_million_cycles_take_seconds() -> None:
    source = "arset ar0, 100\n.L_o: repeat 25000, .L_e\ntbl1 v0, v0\ntbl1 v0, v0\n.L_e: aradd ar0, ar0, 0xffff\n"
    image = lutra.assemble_text(f"{source}bnz ar0, .L_o\nhalt", warnings=["no-all"])
    begun = time.process_time()
    profile, _ = of_job(lutra.make_engine("iss"), Job(image, (0,)))
    assert profile.stop.cycles > 9_990_000
    check_sums(profile)
    assert time.process_time() - begun < 10


def test_after_its_end_a_collector_counts_nothing(source: Path) -> None:
    image = lutra.assemble([source], warnings=["no-all"])
    machine = lutra.make_engine("iss")
    collector = Collector(machine)
    machine.load(image)
    machine.run(image.entry)
    counts = collector.close()
    machine.load(image)
    machine.run(image.entry)
    assert collector.close() == counts
