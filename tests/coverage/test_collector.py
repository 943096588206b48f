"""The collector against small programs whose bins are worked out by hand, on all three engines."""

from __future__ import annotations

import struct
from collections import Counter

import pytest

import lutra
from lutra.iss.engine import EngineName, Stop

Bins = dict[str, Counter[str]]


@pytest.fixture(params=["iss", "rtl", "cosim"])
def engine_name(request: pytest.FixtureRequest) -> EngineName:
    name: EngineName = request.param
    return name


def covered(name: EngineName, source: str, rounds: int = 2) -> tuple[Bins, Stop]:
    """Bins that a program hits, and how it stops."""
    engine = lutra.make_engine(name, rounds)
    collector = lutra.coverage.Collector(engine)
    engine.load(lutra.assemble_text(source))
    stop = engine.run(0, 10_000)
    counts = collector.counts()
    assert counts.unexpected() == []
    return counts.rounds[rounds], stop


def test_each_operand_result_and_access_hits_its_bin(engine_name: EngineName) -> None:
    bins, _ = covered(engine_name, "arset ar2, 0x25\nmov v1, m2[ar2++] ^ wk\nmov m3[0x20], v1\nhalt")
    # One source is the row; the assembler gives the other place of a sum to zero.
    assert bins["insn.operands"]["MOV/row/zero/wk"] == 1
    assert bins["insn.operands"]["MOV/register/zero/-"] == 1
    assert bins["insn.results"] == {"MOV/register/-": 1, "MOV/none/m3": 1}
    assert bins["insn.addressing"] == {"MOV/data/ar++": 1, "MOV/store/row": 1}
    assert bins["memory.alignment"] == {"data/m2/5": 1, "store/m3/0": 1}
    assert bins["memory.ports"] == {"-/m2/-": 1, "-/-/m3": 1}
    assert bins["address.carry"] == {"ar++/data/none": 1}
    assert bins["address.register"] == {"destination/ar2": 1, "data/ar2": 1}


@pytest.mark.parametrize("nops", range(4))
def test_distance_and_source_of_a_result_that_is_ready_in_x1(engine_name: EngineName, nops: int) -> None:
    bins, stop = covered(engine_name, "mov v1, v0\n" + "nop\n" * nops + "xor v2, v0, v1\nhalt")
    # vector_x1 has the least distance 1 (isa/pipeline.td): never a stall, and 2 is as far as any.
    assert bins["insn.hazard"] == {f"XOR/b/vector_x1/{min(nops + 1, 2)}": 1}
    assert bins["hazard.distance"] == {f"vector_x1/result/b/{min(nops + 1, 2)}": 1}
    assert bins["insn.bypass"] == {f"XOR/b/{['X1_late', 'X1', 'X2', 'file'][nops]}": 1}
    assert bins["hazard.bypass"] == {f"b/X1/result/{['X1_late', 'X1', 'X2', 'file'][nops]}": 1}
    assert sum(stop.stalls.values()) == 0


def test_an_early_source_comes_from_the_end_of_a_later_stage(engine_name: EngineName) -> None:
    bins, stop = covered(engine_name, "mov v1, v0\nand v2, v0, v1\ntbl1 v3, v0\nandn v4, v3, v0\nhalt")
    assert {cause: n for cause, n in stop.stalls.items() if n} == {"vector_x1_early": 1, "vector_x2_early": 2}
    assert bins["insn.bypass"] == {"AND/b/X1": 1, "ANDN/a/X2": 1}


def test_the_source_is_named_after_the_stall_and_the_distance_before_it(engine_name: EngineName) -> None:
    bins, stop = covered(engine_name, "tbl1 v1, v0\nmov v2, v1\nhalt")
    assert stop.stalls["vector_x2"] == 1
    assert bins["insn.hazard"] == {"MOV/a/vector_x2/1": 1}
    assert bins["insn.bypass"] == {"MOV/a/X2_late": 1}


def test_with_one_round_both_halves_share_a_stage(engine_name: EngineName) -> None:
    bins, stop = covered(engine_name, "tbl1 v1, v0\nmov v2, v1\nmov v4, v1\nmov v3, v1\nhalt", rounds=1)
    assert stop.stalls["vector_x2"] == 0
    assert bins["insn.bypass"] == {"MOV/a/X1_late": 1, "MOV/a/X1": 1, "MOV/a/file": 1}


def test_a_repeats_entry_adds_to_the_distance(engine_name: EngineName) -> None:
    bins, _ = covered(engine_name, "tbl1 v1, v0\nrepeat 2, l\nor v2, v1, v1\nl: halt")
    # The repeat is next to tbl1, and its only instruction a cycle later: the distance 3 that is asked for.
    assert bins["hazard.distance"]["vector_x2_early/result/a/3"] == 1


def test_memory_hazard_counts_for_each_slot_and_block(engine_name: EngineName) -> None:
    bins, stop = covered(engine_name, "mov m1[0], v0\naesenc2 v1, v2, m0:m1[0]\nmov m2[0], v3\nmov v4, m2[0]\nhalt")
    assert stop.stalls["memory"] == 10
    assert bins["hazard.distance"]["memory/m1/key/1"] == 1
    assert bins["hazard.distance"]["memory/m2/data/1"] == 1
    assert not any(name.startswith("memory/m0") for name in bins["hazard.distance"])


def test_a_taken_transfer_adds_its_bubble_to_the_distance(engine_name: EngineName) -> None:
    bins, _ = covered(engine_name, "vtoar ar1, zero, 0\njmp next\nnext: mov v0, m2[ar1]\nhalt")
    # vtoar issues, jmp one later, its target two after that: 3 of the distance 3 that is asked for.
    assert bins["insn.hazard"]["MOV/data/address/3"] == 1


def test_each_loop_call_and_branch_hits_its_bin(engine_name: EngineName) -> None:
    source = """
        repeat 2, outer
        repeat 1, inner
        nop
        inner: nop
        nop
        outer: call sub
        halt
        sub: ret
    """
    bins, stop = covered(engine_name, source)
    assert stop.state == "halted"
    # The bodies: 4 and 1 instructions; the inner REPEAT comes twice.
    assert bins["loop.repeat"] == {"REPEAT/two/more": 1, "REPEAT/one/one": 2}
    assert bins["insn.loop_end"] == {"NOP/leaves": 3, "NOP/goes_back": 1}
    assert bins["branch.taken"] == {
        "REPEAT/not_taken/elsewhere": 3,
        "CALL/taken/elsewhere": 1,
        "RET/taken/elsewhere": 1,
    }
    assert bins["loop.depth"]["2/0"] == 2 and bins["loop.depth"]["0/1"] == 1


@pytest.mark.parametrize(
    ("step", "end", "where"), [(0x10, 0x130, "inside"), (0x20, 0x120, "at_end"), (0x30, 0x120, "beyond")]
)
def test_a_step_in_a_window_hits_the_bin_of_where_it_ends(
    engine_name: EngineName, step: int, end: int, where: str
) -> None:
    source = f"arset ar0, 0x100\narstep ar0, {step}\narwin ar0, 0x40, {end}\nmov v0, m2[ar0+=s%]\nhalt"
    bins, _ = covered(engine_name, source)
    assert bins["address.window"] == {f"ar+=s%/data/{where}": 1}


def test_an_increment_hits_the_bin_of_its_carry(engine_name: EngineName) -> None:
    engine = lutra.make_engine(engine_name)
    collector = lutra.coverage.Collector(engine)
    engine.load(lutra.assemble_text("ctrw 32\nmov ctr, m2[0]\nmov v0, ctr++\nmov v0, ctr++\nhalt"))
    engine.write("m2", 0, bytes(12) + b"\xff" * 4)
    engine.run(0)
    # ..ffffffff wraps within its 32 bits; the next one carries nowhere.
    assert collector.counts().rounds[2]["counter.increment"] == {"32/operand/wraps": 1, "32/operand/none": 1}


def test_each_trap_and_act_of_the_host_hits_its_bin(engine_name: EngineName) -> None:
    engine = lutra.make_engine(engine_name)
    collector = lutra.coverage.Collector(engine)
    engine.load(lutra.assemble_text("wait\narset ar0, 0xffff\nrepeat 1, l\nmov m3[ar0], v0\nl: halt"))
    engine.run(0)
    assert engine.resume().trap == "address-out-of-range"
    engine.reset()
    bins = collector.counts().rounds[2]
    assert bins["trap.cause"] == {"address-out-of-range/loop_end": 1}
    assert bins["trap.slot"] == {"store/m3": 1}
    assert bins["host.effect"] == {"wait/nothing": 1, "resume/nothing": 1, "trap/loop": 1}
    # `load` resets as well.
    assert bins["host.control"] == {"reset/idle": 1, "start/idle": 1, "reset/trapped": 1}


def test_traps_that_meet_hit_the_bin_of_their_pair(engine_name: EngineName) -> None:
    engine = lutra.make_engine(engine_name)
    collector = lutra.coverage.Collector(engine)
    fifth = "".join(f"repeat 1, .L{n}\n" for n in (0, 1, 2, 3, 3)) + "nop\n"
    fifth += "".join(f".L{n}: nop\n" for n in reversed(range(4)))
    for source in ("arset ar0, 0xffff\nmov t0[ar0], v0", fifth):
        engine.load(lutra.assemble_text(source, warnings=["no-all"]))
        engine.run(0)
    bins = collector.counts().rounds[2]
    assert bins["trap.meeting"] == {
        "address-out-of-range+table-misaligned": 1,
        "loop-stack-overflow+loop-nesting": 1,
    }
    assert bins["trap.nesting"] == {"same_end/overflow": 1}


def test_an_effect_counts_for_its_instruction_only(engine_name: EngineName) -> None:
    bins, _ = covered(engine_name, "cmp v0, v0\nmov v1, v0\nmov m3[0], v0\nhalt")
    assert bins["flag.compare"].total() == 1
    assert bins["vector.register"]["destination/v1"] == 1


def test_each_clock_row_and_switch_of_contexts_hits_its_bin(engine_name: EngineName) -> None:
    bins, _ = covered(engine_name, "snowi c0\nzuci c0:c1\nnop\nctxst v0, c1, 5\nhalt")
    assert bins["stream.clock"] == {"SNOWI/c0/-": 1, "ZUCI/c0:c1/-": 1}
    assert bins["stream.row"] == {"CTXST/c1/5": 1}
    assert bins["stream.switch"] == {"c0:c1/c0/next": 1, "c1/c0:c1/later": 1}


def test_only_what_comes_between_watching_and_closing_is_counted(engine_name: EngineName) -> None:
    engine = lutra.make_engine(engine_name)
    engine.load(lutra.assemble_text("wait\nhalt"))
    collector = lutra.coverage.Collector(engine)
    engine.run(0)
    collector.close()
    engine.resume()
    bins = collector.counts().rounds[2]
    assert bins["host.control"] == {"start/idle": 1}
    assert bins["host.effect"] == {"wait/nothing": 1}


def test_collectors_do_not_disturb_each_other(engine_name: EngineName) -> None:
    engine = lutra.make_engine(engine_name)
    first = lutra.coverage.Collector(engine)
    second = lutra.coverage.Collector(engine)
    engine.load(lutra.assemble_text("halt"))
    engine.run(0)
    second.close()
    engine.run(0)
    assert second.counts().rounds[2]["host.effect"] == {"halt/nothing": 1}
    assert first.counts().rounds[2]["host.effect"] == {"halt/nothing": 2}


def test_sides_of_a_lock_step_that_are_counted_differently_are_an_error() -> None:
    engine = lutra.cosim.CosimEngine(2)
    collector = lutra.coverage.Collector(engine)
    engine.load(lutra.assemble_text("halt"))
    engine.backend.rtl.reset()  # of one side, without the lock-step
    with pytest.raises(lutra.coverage.CoverageError, match=r"host\.control:reset/idle 1 and 2 times"):
        collector.counts()


def test_a_machine_that_is_cleared_has_no_address_of_the_program_before(engine_name: EngineName) -> None:
    engine = lutra.make_engine(engine_name)
    collector = lutra.coverage.Collector(engine)
    engine.load(lutra.assemble_text("arset ar1, 15\nhalt\n"))
    engine.run(0)
    engine.clear()
    store = lutra.assemble_text("mov t0[ar1], zero\nhalt\n", warnings=["no-all"])
    engine.write("pm", 0, struct.pack("<2Q", *store.program))
    assert engine.run(0).state == "halted"
    assert collector.counts().rounds[engine.rounds]["memory.alignment"] == {"store/t0/0": 1}
