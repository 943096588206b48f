"""The engine of fault campaigns against the same netlist evaluated one fault at a time, in the plainest way."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from faults import record, runner
from faults.classes import WRONG, Shard, count
from faults.errors import FaultsError
from faults.netlist import Netlist, make
from faults.record import Roles, Row
from faults.runner import Choice
from support import small_machine
from support.guarded_sum import WITH_ALERT, Simple, design, rows

CYCLES, BEGIN = 40, 12
ROWS = rows(CYCLES)
# Those that this processor has instructions for.
FLAGS = Path("/proc/cpuinfo").read_text().split() if Path("/proc/cpuinfo").exists() else []
LANES = [64, *(lanes for lanes, flag in ((256, "avx2"), (512, "avx512f")) if flag in FLAGS)]


def campaign(folder: Path, netlist: Netlist, roles: Roles, choice: Choice, size: int = CYCLES) -> list[Shard]:
    folder.mkdir(parents=True, exist_ok=True)
    record.write(folder / "record.txt", netlist, roles, ROWS, BEGIN)
    ranges = runner.shards((0, CYCLES - BEGIN), size)
    return runner.run(netlist, folder / "record.txt", folder, choice, ranges)


def classes(shards: list[Shard]) -> dict[tuple[str, int], list[int]]:
    return {(t.kind, t.cycle): list(t.classes) for shard in shards for t in shard.tried() if t.kind != "memory"}


def outcome(netlist: Simple, flips: set[tuple[int, int]], stuck: dict[int, int]) -> set[int]:
    """Return the classes that a fault may have; only the engine tells masked from latent."""
    wrong = False
    golden = netlist.run(ROWS, (), {}, BEGIN)
    for good, bad in zip(golden, netlist.run(ROWS, flips, stuck, BEGIN), strict=True):
        alert = netlist.outputs["alert_o"][0]
        if bad[alert] and not good[alert]:
            return {5} if wrong else {3}
        wrong |= any(good[net] != bad[net] for net in netlist.outputs["sum_o"])
    return {6} if wrong else {1, 2}


@pytest.mark.parametrize("guarded", [True, False])
def test_a_fault_has_the_class_of_a_simulation_of_it_alone(tmp_path: Path, guarded: bool) -> None:
    netlist = make(design(guarded))
    found = classes(campaign(tmp_path, netlist, WITH_ALERT, Choice(("flip", "stuck"))))
    assert len(found) == CYCLES - BEGIN + 2
    assert all(len(given) == len(netlist.sites) and 0 not in given for given in found.values())
    simple = Simple(netlist)
    faults = [(key, site) for key in found for site in range(len(simple.sites))]
    for (kind, cycle), site in random.Random(guarded).sample(faults, 100):
        net = simple.sites[site]
        flips = {(net, BEGIN + cycle)} if kind == "flip" else set()
        stuck = {} if kind == "flip" else {net: int(kind == "stuck-at-1")}
        assert found[kind, cycle][site] in outcome(simple, flips, stuck), (kind, cycle, netlist.sites[site])


@pytest.mark.parametrize("window", [0, 3])
def test_two_flips_have_the_class_of_a_simulation_of_both(tmp_path: Path, window: int) -> None:
    netlist = make(design(True))
    drawn = Choice((), pairs=60, window=window)
    shards = [
        *campaign(tmp_path / "whole", netlist, WITH_ALERT, drawn),
        *campaign(tmp_path, netlist, WITH_ALERT, drawn, 14),
    ]
    simple = Simple(netlist)
    for shard in shards:
        shown = shard.head["pairs"]["shown"]
        assert len(shown) == 60 and shard.pairs() == Counter(one for *_, one in shown)
        for first, begins, second, then, one in shown:
            assert shard.head["first"] <= begins < shard.head["last"]
            assert begins <= then < (begins + window if window else CYCLES)
            flips = {(simple.sites[first], BEGIN + begins), (simple.sites[second], BEGIN + then)}
            assert one in outcome(simple, flips, {}), (netlist.sites[first], begins, netlist.sites[second], then)
    assert {3, 6} <= set(sum((shard.pairs() for shard in shards), Counter()))


def test_any_number_of_lanes_gives_the_same(tmp_path: Path) -> None:
    netlist = make(design(True))
    every = [
        [
            t
            for shard in campaign(tmp_path / str(lanes), netlist, WITH_ALERT, Choice(lanes=lanes))
            for t in shard.tried()
        ]
        for lanes in LANES
    ]
    assert every[1:] == every[:-1]


def test_a_shadow_leaves_no_silent_error_in_the_sum(tmp_path: Path) -> None:
    silent = {}
    for guarded in (True, False):
        netlist = make(design(guarded))
        found = classes(campaign(tmp_path / str(guarded), netlist, WITH_ALERT, Choice(("flip",))))
        silent[guarded] = {
            (cycle, name)
            for (_, cycle), given in found.items()
            for (_, name), one in zip(netlist.sites, given, strict=True)
            if one == 6 and name.startswith("sum_o[")
        }
    assert not silent[True]
    assert len(silent[False]) > 100


def test_flips_of_memory_bits_are_those_of_reads(tmp_path: Path) -> None:
    netlist = make(design(True))
    shard = campaign(tmp_path, netlist, WITH_ALERT, Choice(("memory",)))[0]
    reads = [row.inputs["row_i"] for row in ROWS[BEGIN:] if row.inputs["load_i"] and not row.inputs["store_i"]]
    tried = list(shard.tried())
    assert sorted(t.place for t in tried) == sorted(f"0:{row}" for row in reads)
    # The sum and its shadow take the wrong row together: no alert, and every bit shows, but for a read at the end.
    assert all(set(t.classes) == {6} for t in tried if t.cycle < CYCLES - BEGIN - 2)
    assert sum(t.weight for t in tried) <= 8 * (CYCLES - BEGIN)


def test_shards_and_samples_find_what_the_whole_finds(tmp_path: Path) -> None:
    netlist = make(design(True))
    whole = classes(campaign(tmp_path / "whole", netlist, WITH_ALERT, Choice(("flip",))))
    assert classes(campaign(tmp_path / "shards", netlist, WITH_ALERT, Choice(("flip",)), 5)) == whole
    part = classes(campaign(tmp_path / "part", netlist, WITH_ALERT, Choice(("flip",), part=0.2, seed=7), 5))
    chosen = [(key, i) for key, given in part.items() for i, one in enumerate(given) if one]
    assert 0.1 < len(chosen) / sum(map(len, whole.values())) < 0.3
    assert all(part[key][i] == whole[key][i] for key, i in chosen)


def test_a_lane_that_is_used_again_begins_as_a_new_one(tmp_path: Path) -> None:
    """Few faults in a run of two jobs: lanes whose host has stopped in the first one are idle before the next fault."""
    netlist, place = make(small_machine.DESIGN), tmp_path / "record.txt"
    ran, begin = small_machine.session()
    record.write(place, netlist, small_machine.ROLES, ran, begin)

    def tried(choice: Choice) -> dict[tuple[str, int], list[int]]:
        folder = tmp_path / str(choice.seed)
        folder.mkdir(exist_ok=True)
        return classes(runner.run(netlist, place, folder, choice, [(0, runner.check(netlist, place)["cycles"])]))

    whole = tried(Choice(("flip",), lanes=64))
    for seed in range(1, 16):
        for key, given in tried(Choice(("flip",), part=0.005, seed=seed, lanes=64)).items():
            assert all(one in (0, right) for one, right in zip(given, whole[key], strict=True)), (seed, key)


def test_a_host_that_reads_twice_sees_what_differs(tmp_path: Path) -> None:
    netlist = make(small_machine.DESIGN)
    silent: dict[bool, Counter[str]] = {}
    for checked in (False, True):
        folder = tmp_path / str(checked)
        folder.mkdir()
        place = folder / "record.txt"
        ran, begin = small_machine.session(checked)
        record.write(place, netlist, small_machine.ROLES, ran, begin)
        cycles = runner.check(netlist, place)["cycles"]
        found = runner.run(netlist, place, folder, Choice(("flip",)), [(0, cycles)])
        silent[checked] = Counter(
            name.partition("[")[0]
            for one in found[0].tried()
            for (_, name), value in zip(netlist.sites, one.classes, strict=True)
            if value == WRONG
        )
    # What the host writes and reads, and the state that it polls; a sum is computed once.
    assert silent[False]["host_rdata_o"] > silent[True]["host_rdata_o"] == 0
    assert silent[True]["sum_q"] > 0
    assert silent[True].total() < silent[False].total()


@pytest.mark.parametrize("line", ["again", "maybe", "first x"])
def test_a_record_that_cannot_be_read_names_its_row(tmp_path: Path, line: str) -> None:
    netlist, place = make(small_machine.DESIGN), tmp_path / "record.txt"
    ran, begin = small_machine.session()
    record.write(place, netlist, small_machine.ROLES, [*ran[:-1], replace(ran[-1], look=line)], begin)
    with pytest.raises(FaultsError, match=r"record\.txt:\d+: (a number is missing|unknown word maybe)"):
        runner.check(netlist, place)


def test_a_shard_that_is_there_is_not_run_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    netlist = make(design(True))
    before = campaign(tmp_path, netlist, WITH_ALERT, Choice(("flip",)), 5)
    before[2].path.unlink()
    times = {shard.path: shard.path.stat().st_mtime_ns for shard in before if shard.path.exists()}
    after = campaign(tmp_path, netlist, WITH_ALERT, Choice(("flip",)), 5)
    assert [shard.path for shard in after] == [shard.path for shard in before]
    assert times == {shard.path: shard.path.stat().st_mtime_ns for shard in after if shard.path in times}


def test_a_netlist_that_differs_from_the_rtl_is_refused(tmp_path: Path) -> None:
    netlist = make(design(True))
    right = ROWS[20].outputs
    assert right is not None
    wrong = [*ROWS[:20], Row(ROWS[20].inputs, {**right, "sum_o": right["sum_o"] ^ 4}), *ROWS[21:]]
    record.write(tmp_path / "record.txt", netlist, WITH_ALERT, wrong, BEGIN)
    with pytest.raises(FaultsError, match=r"after cycle 20 in sum_o\[2\]"):
        runner.check(netlist, tmp_path / "record.txt")
    # A gate that computes something else.
    broken = Netlist(tmp_path)
    lines = netlist.file.read_text().splitlines()
    at = next(i for i, line in enumerate(lines) if line.startswith("gate"))
    kind, out, table, *ins = lines[at].split()
    lines[at] = " ".join([kind, out, str(255 - int(table)), *ins])
    broken.file.write_text("\n".join(lines) + "\n")
    record.write(tmp_path / "record.txt", netlist, WITH_ALERT, ROWS, BEGIN)
    with pytest.raises(FaultsError, match="without a fault, the netlist differs from the RTL"):
        runner.check(broken, tmp_path / "record.txt")


def test_counts_leave_out_what_was_not_tried() -> None:
    assert count(bytes([0, 0, 1, 6, 6])) == {1: 1, 6: 2}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("nets 4\ngate 2 1 3\n", "net 3 is not driven"),
        ("nets 4\ngate 2 1 3\ngate 3 1 2\n", "loop of gates"),
        ("nets 4\ngate 2 1 0\ngate 2 1 1\n", "net 2 is driven twice"),
        ("nets 4\nlatch 2 1\n", ":2: unknown kind of line: latch"),
        ("nets 4\ngate 2 1\n", ":2: a gate has one to three inputs"),
    ],
)
def test_a_netlist_that_cannot_be_read_names_what_is_wrong(tmp_path: Path, text: str, message: str) -> None:
    netlist = Netlist(tmp_path)
    netlist.file.write_text(text)
    (tmp_path / "record.txt").write_text("begin 0\n")
    with pytest.raises(FaultsError, match=message):
        runner.check(netlist, tmp_path / "record.txt")
