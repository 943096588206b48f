"""Loops, branches, calls, host handshake, and every trap with its place."""

from __future__ import annotations

import pytest

import lutra
from lutra.isa import load
from support.run import Run

COUNT = "aradd ar0, ar0, 1"  # what the bodies below do


def counted(run: Run, source: str, expected: int) -> None:
    ran = run(f"{source}\nartov m3[0], ar0\nhalt")
    assert (ran.stop.state, ran.stop.trap) == ("halted", "")
    assert int.from_bytes(ran.row("m3"), "big") == expected


@pytest.mark.parametrize("count", [0, 1, 2, 3, 1000])
@pytest.mark.parametrize("body", [1, 2, 3])
def test_repeat_does_its_body_so_often(count: int, body: int, run: Run) -> None:
    counted(run, f"repeat {count}, .L_end\n" + f"{COUNT}\n" * body + ".L_end:", count * body)


@pytest.mark.parametrize("count", [0, 1, 5])
def test_repeat_takes_its_count_from_a_register(count: int, run: Run) -> None:
    counted(run, f"arset ar3, {count}\nrepeat ar3, .L_end\n{COUNT}\n.L_end:", count)


def test_four_loops_nest(run: Run) -> None:
    source = ""
    for n in range(4):
        source += f"repeat {n + 2}, .L_end{n}\n"
    source += f"{COUNT}\n"
    for n in reversed(range(4)):
        source += f".L_end{n}:\nnop\n"
    counted(run, source, 2 * 3 * 4 * 5)


def test_repeat_of_none_needs_no_room_on_the_loop_stack(run: Run) -> None:
    loops = "".join(f"repeat 2, .L_end{n}\n" for n in range(4))
    ends = "".join(f".L_end{n}:\nnop\n" for n in reversed(range(4)))
    counted(run, f"{loops}{COUNT}\nrepeat 0, .L_none\n{COUNT}\n.L_none:\nnop\n{ends}", 16)


def test_a_loop_may_call_a_routine_with_a_loop(run: Run) -> None:
    counted(
        run,
        f"""
        jmp start
routine:
        repeat 3, .L_inner
        {COUNT}
.L_inner:
        ret
start:
        repeat 4, .L_outer
        call routine
.L_outer:
        """,
        12,
    )


def test_taken_branch_at_a_loops_end_counts_the_loop(run: Run) -> None:
    # The branch leaves the second of three turns to the loop, which goes on when its end is reached again.
    counted(
        run,
        f"""
        repeat 3, .L_end
        {COUNT}
        bz ar7, .L_out
.L_end:
        nop
.L_out:
        """,
        1,
    )


def test_branches_follow_register_and_flag(run: Run) -> None:
    counted(
        run,
        f"""
        arset ar1, 5
.L_loop:
        {COUNT}
        djnz ar1, .L_loop
        bnz ar1, .L_wrong
        bz ar1, .L_right
.L_wrong:
        arset ar0, 99
.L_right:
        cmp zero, zero
        bnf .L_wrong
        bf .L_done
        jmp .L_wrong
.L_done:
        """,
        5,
    )


def test_nested_calls_return_in_order(run: Run) -> None:
    counted(
        run,
        f"""
        call one
        jmp .L_done
one:    {COUNT}
        call two
        ret
two:    {COUNT}
        call three
        call three
        ret
three:  {COUNT}
        ret
.L_done:
        """,
        4,
    )


def test_notify_and_wait_are_seen_and_resume_goes_on(run: Run) -> None:
    ran = run(f"{COUNT}\nnotify 0x5a\nwait\n{COUNT}\nartov m3[0], ar0\nhalt")
    assert (ran.stop.state, ran.stop.notified, ran.stop.pc) == ("waiting", 0x5A, 2)
    stop = ran.engine.resume()
    assert stop.state == "halted"
    assert int.from_bytes(ran.row("m3"), "big") == 2


def test_a_call_after_a_wait_happens_after_resume(run: Run) -> None:
    # The call is decoded while the core waits, and must not have happened before it resumes.
    ran = run(f"wait\ncall .L\nartov m3[0], ar0\nhalt\n.L: {COUNT}\nret")
    assert ran.stop.state == "waiting"
    stop = ran.engine.resume()
    assert (stop.state, stop.trap) == ("halted", "")
    assert int.from_bytes(ran.row("m3"), "big") == 1


TRAPS = {
    "an empty program memory": ("nop", "illegal-instruction", 1),
    "a raw word": (".insn 0xff00000000000000", "illegal-instruction", 0),
    "a set bit that must be zero": (".insn 0x0100000000000001", "illegal-instruction", 0),
    "running off the program": (
        ".section pm\n.org 1023\n.global last\nlast: nop\n.entry last",
        "fetch-out-of-range",
        1024,
    ),
    "load beyond the memory": ("arset ar0, 4081\nmov v0, m2[ar0]", "address-out-of-range", 1),
    "store beyond the memory": ("arset ar0, 4081\nmov m2[ar0++], v0", "address-out-of-range", 1),
    "key beyond the memory": ("arset ar0, 0xffff\naesencf v0, v0, m0[ar0]", "address-out-of-range", 1),
    "table row beyond the bank": ("arset ar0, 4096\nmov t0[ar0], v0", "address-out-of-range", 1),
    "table row off its boundary": ("arset ar0, 8\nmov t0[ar0], v0", "table-misaligned", 1),
    "fifth loop": (
        "".join(f"repeat 1, .L{n}\n" for n in range(5))
        + "nop\n"
        + "".join(f".L{n}:\nnop\n" for n in reversed(range(5))),
        "loop-stack-overflow",
        4,
    ),
    "two loops with one end": ("repeat 2, .L\nrepeat 2, .L\nnop\n.L:", "loop-nesting", 1),
    "a loop as last instruction of a loop": ("repeat 2, .L\nnop\nrepeat 2, .L2\n.L:\nnop\n.L2:", "loop-nesting", 2),
    "fifth call": (".L: call .L", "call-stack-overflow", 0),
    "return without a call": ("ret", "call-stack-underflow", 0),
}


def loops(*ends: int) -> lutra.Image:
    """REPEATs with these last instructions, one after the other; the assembler refuses them where they would trap."""
    repeat = next(i for i in load().instructions if i.name == "REPEAT")
    nops = lutra.assemble_text("nop\n" * 16).program
    return lutra.Image([*(repeat.insert(repeat.match, n=2, e=end) for end in ends), *nops])


# Where two traps apply to one instruction: the one that is reported, the other, and what meets them.
MEETINGS: dict[str, tuple[str, str, str | lutra.Image]] = {
    "beyond a bank and off its boundary": (
        "address-out-of-range",
        "table-misaligned",
        "arset ar0, 0x1008\nmov t0[ar0], v0",
    ),
    "a row beyond its memory, for a place off a bank's boundary": (
        "address-out-of-range",
        "table-misaligned",
        "arset ar0, 8\narset ar1, 4081\nmov t0[ar0], m2[ar1]",
    ),
    "a key beyond its memory, for a place off both banks' boundary": (
        "address-out-of-range",
        "table-misaligned",
        "arset ar0, 8\narset ar1, 4081\naesencl t0:t1[ar0], v0, m0[ar1]",
    ),
    "a fifth loop with the end of the fourth": ("loop-stack-overflow", "loop-nesting", loops(9, 8, 7, 6, 6)),
    "a fifth loop at the end of the fourth": ("loop-stack-overflow", "loop-nesting", loops(9, 8, 7, 4, 6)),
    "a fifth loop that ends before its body": ("loop-stack-overflow", "loop-nesting", loops(9, 8, 7, 6, 0)),
}


@pytest.mark.parametrize("engine", ["iss", "cosim"])
@pytest.mark.parametrize("case", MEETINGS)
def test_of_two_traps_that_meet_the_one_with_the_lower_code_is_reported(case: str, engine: str) -> None:
    reported, other, source = MEETINGS[case]
    machine = lutra.make_engine(engine)
    machine.load(lutra.assemble_text(source, warnings=["no-all"]) if isinstance(source, str) else source)
    assert machine.run(0).trap == reported
    codes = {t.name: t.code for t in load().traps}
    assert codes[reported] < codes[other]


def test_every_pair_of_traps_that_can_meet_does_above() -> None:
    described = {(first, t.name) for t in load().traps for first in t.yields_to}
    assert described == {(reported, other) for reported, other, _ in MEETINGS.values()}


def test_a_loop_of_none_at_the_end_of_the_fourth_has_the_wrong_place_only(run: Run) -> None:
    # A full stack does not matter to it.
    none = "repeat 2, .L0\nrepeat 2, .L1\nrepeat 2, .L2\nrepeat 2, .L3\nrepeat 0, .L4\n.L3: nop\n.L4: nop\n"
    assert run(none + ".L2: nop\n.L1: nop\n.L0: nop").stop.trap == "loop-nesting"


@pytest.mark.parametrize("branch", ["bz", "bnz", "djnz"])
def test_every_bit_of_a_register_decides_a_branch(branch: str, run: Run) -> None:
    # 1 for each register of one bit that is not taken for zero.
    value = "" if branch != "djnz" else "aradd ar1, ar1, 1\n"
    source = ""
    for bit in range(16):
        source += f"arset ar1, {1 << bit}\n{value}{branch} ar1, .L_{bit}\n{COUNT}\n.L_{bit}:\n"
    counted(run, source, 16 if branch == "bz" else 0)


@pytest.mark.parametrize("case", TRAPS)
def test_a_trap_has_its_cause_and_address(case: str, run: Run) -> None:
    source, trap, pc = TRAPS[case]
    ran = run(source)
    assert (ran.stop.state, ran.stop.trap, ran.stop.pc) == ("trapped", trap, pc)


def test_trapping_instruction_has_no_effect(run: Run) -> None:
    ran = run("arset ar0, 0x10\narset ar1, 5000\nmov m3[ar1++], m2[ar0++]", m3=bytes(4096))
    assert ran.stop.trap == "address-out-of-range"
    after = ran.then("artov m3[0], ar0\nartov m3[0x10], ar1\nhalt")
    assert int.from_bytes(after.row("m3", 0), "big") == 0x10
    assert int.from_bytes(after.row("m3", 1), "big") == 5000


def test_start_empties_the_stacks_after_a_trap_and_after_a_wait(run: Run) -> None:
    ran = run("repeat 2, .L_end\nwait\nnop\n.L_end:\nret")
    assert ran.stop.state == "waiting"
    stop = ran.engine.run(0)  # empties the loop stack: the loop begins again
    assert stop.state == "waiting"
    assert ran.engine.resume().state == "waiting"
    stop = ran.engine.resume()
    assert (stop.state, stop.trap) == ("trapped", "call-stack-underflow")
    assert ran.engine.run(0).state == "waiting"
