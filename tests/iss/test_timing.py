"""Cycles of short programs, worked out from docs/microarchitecture.md; the lock-step holds the RTL to them too."""

from __future__ import annotations

import pytest

import lutra
from lutra.isa import load
from support.run import Run

# Program, rounds an instruction, cycles from start to halt. A lone halt issues in cycle 1 and retires 5 (4) later.
CASES = [
    ("", 2, 7),
    ("", 1, 6),
    ("nop", 2, 8),
    ("nop\nnop\nnop", 2, 10),
    # Results of the first half are ready for the next instruction, of the second one slot later.
    ("xor v0, v0, v1\nxor v0, v0, v1", 2, 9),
    ("tbl0 v0, v0\ntbl0 v0, v0", 2, 9),
    ("tbl1 v0, v0\ntbl1 v0, v0", 2, 10),
    ("tbl1 v0, v0\ntbl1 v1, v1\ntbl1 v0, v0\ntbl1 v1, v1", 2, 11),
    ("tbl1 v0, v0\ntbl1 v0, v0", 1, 8),
    # Both results of a pair are ready at the same time; what a move stores comes from the register file.
    ("camw {v0, v1}, v0\ncamo v1, v0, v1, m0[0]\ncame v0, v1, v0, m1[0]", 2, 10),
    ("camw {v0, v1}, v0\ncamo v1, v0, v1, m0[0]\ncame v0, v1, v0, m1[0]", 1, 9),
    ("cam2 {v0, v1}, v0, v1, m0:m1[0]\nmov v2, v1", 2, 10),
    ("cam2 {v0, v1}, v0, v1, m0:m1[0]\nmov v2, v2", 2, 9),
    ("mov v3, v0\ncam2 {v0, v1}, v0, v1, m0:m1[0], {m3[0], v3}", 2, 10),
    ("cam2 {v2, v3}, v0, v1, m0:m1[0]\ncam2 {v0, v1}, v0, v1, m0:m1[0], {m3[0], v3}", 2, 10),
    ("mov ctr, v0\ncam2 {v0, v1}, v0, v1, m0:m1[0], {hold, ctr++}", 2, 8 + 4),
    ("cam2 {v0, v1}, v0, v1, m0:m1[0], {hold, ctr++}\nmov v2, hold", 2, 9),
    # Through storage.
    ("mov m2[0], v0\nmov v1, m2[0x100]", 2, 8 + 6),
    ("mov m2[0], v0\nmov v1, m2[0x100]", 1, 7 + 5),
    ("mov m2[0], v0\nmov v1, m3[0]", 2, 9),
    ("mov wk, v0\nmov v1, v1 ^ wk", 2, 8 + 4),
    ("mov ctr, v0\nmov v1, ctr++", 2, 8 + 4),
    ("mov t0[0], v0\ntbl0 v1, v1", 2, 8 + 4),
    ("mov t1[0], v0\ntbl1 v1, v1", 2, 8 + 3),
    ("mov t1[0], v0\ntbl1 v1, v1", 1, 7 + 3),
    ("mov t0[0], v0\ntbl1 v1, v1", 2, 9),
    ("vtoar ar0, v0, 7\nmov v1, m2[ar0]", 2, 8 + 3),
    ("vtoar ar0, v0, 7\nmov v1, m2[ar1]", 2, 9),
    ("vtoar ar5, v0, 7\nmov m3[ar5], v1", 2, 8 + 3),
    ("vtoar ar5, v0, 7\naesencf v1, v1, m0[ar5]", 2, 8 + 3),
    ("vtoar ar5, v0, 7\nvtoar ar5, v0, 6", 2, 8 + 3),
    ("vtoar ar5, v0, 7\naradd ar1, ar5, 1", 2, 8 + 3),
    # A move that stores nothing waits for no register to store.
    ("mov v0, v1\ncam2 {v2, v3}, v4, v5, m0:m1[0], {hold, ctr++}", 2, 9),
    # A register that is written while the lane is on its way to it: the later value stays.
    ("vtoar ar5, v0, 7\narset ar5, 1", 2, 8 + 3),
    ("cmp v0, v1\nbf .L\n.L:", 2, 8 + 6 + 1),
    # A clock of a stream context a cycle, whichever; its buffer is bypassed like any result of the first half.
    ("snow c0\nsnow c0\nzuc c0\nzuci c0", 2, 7 + 4),
    ("zucf c0\nzucl c0\nzucf c0:c1\nzucli c0", 2, 7 + 4),
    ("snow c0:c1\nsnow c1\nsnowi c0\nsnow c0:c1", 2, 7 + 4),
    ("snow c0:c1\nsnow c1\nsnowi c0\nsnow c0:c1", 1, 6 + 4),
    ("ctxld c0, 3, v0\nsnowx v1, c0, c0\nxor v2, v1, v1\nctxst v3, c0, 5\nxor v2, v3, v3", 2, 7 + 5),
    ("snowx m3[0], c0, c0, m2[0]\nsnowx m3[0x10], c0:c1, c1, m2[0x10]", 2, 7 + 2),
    # Port of t1: a chained look-up presents its address a cycle later than a clock of c1.
    ("tbl1 v0, v0\nsnow c1", 2, 7 + 2 + 1),
    ("tbl1 v0, v0\nsnow c0", 2, 7 + 2),
    ("tbl1 v0, v0\nnop\nsnow c1", 2, 7 + 3),
    ("tbl1 v0, v0\nsnow c1", 1, 6 + 2),
    ("snow c1\ntbl1 v0, v0", 2, 7 + 2),
    ("tbl0 v0, v0\nsnow c0:c1", 2, 7 + 2),
    ("mov t0[0], v0\nzuc c0", 2, 7 + 2 + 3),
    ("mov t0[0], v0\nzuc c1", 2, 7 + 2),
    ("mov t1[0], v0\nzuc c1", 2, 7 + 2 + 3),
    ("mov t1[0], v0\nzuc c0:c1", 1, 6 + 2 + 2),
    # A taken transfer costs one cycle, one that is not taken none, a loop none.
    ("jmp .L\n.L:", 2, 9),
    ("bnz ar0, .L\n.L:", 2, 8),
    ("call .L\n.L:", 2, 9),
    ("repeat 5, .L\nnop\n.L:", 2, 8 + 5),
    ("repeat 0, .L\nnop\n.L:", 2, 9),
    ("repeat 3, .L\nrepeat 4, .L2\nnop\n.L2:\nnop\n.L:", 2, 8 + 3 * (1 + 4 + 1)),
]


@pytest.mark.parametrize(("program", "rounds", "cycles"), CASES)
def test_a_program_takes_the_cycles_worked_out_by_hand(program: str, rounds: int, cycles: int, run: Run) -> None:
    assert run(f"{program}\nhalt", rounds=rounds).stop.cycles == cycles


@pytest.mark.parametrize("access", ["aesencf v1, v1, m0[{}]", "mov v1, m2[{}]", "mov m3[{}], v1"])
@pytest.mark.parametrize("register", load().address_registers)
def test_every_slot_waits_for_every_address_register(register: str, access: str, run: Run) -> None:
    assert run(f"vtoar {register}, v0, 7\n{access.format(register)}\nhalt").stop.cycles == 8 + 3


# How v{n} is written, v{even} and v{odd} being the pair that it is in: by either half, alone and as one of a pair.
WRITES = [
    "mov v{n}, v{e}",
    "camw {{v{even}, v{odd}}}, v{e}",
    "tbl1 v{n}, v{e}",
    "cam2 {{v{even}, v{odd}}}, v{e}, v{f}, m0:m1[0]",
]
# How it is read by an instruction of the other registers v{e} and v{f}.
STORED = "cam2 {{v{e}, v{f}}}, v{e}, v{f}, m0:m1[0], {{m3[0], v{n}}}"
SOURCES = ["xor v{e}, v{n}, v{f}", "xor v{e}, v{f}, v{n}"]


@pytest.mark.parametrize("n", range(load().machine["VectorRegs"]))
@pytest.mark.parametrize(
    ("write", "read"), [*((w, STORED) for w in WRITES), *((w, r) for w in WRITES[2:] for r in SOURCES)]
)
def test_every_register_is_waited_for(write: str, read: str, n: int, run: Run) -> None:
    even = n & ~1
    e = even ^ 2
    registers = {"n": n, "even": even, "odd": even + 1, "e": e, "f": e + 1}
    program = f"{write}\n{read}\nhalt".format(**registers)
    assert run(program).stop.cycles == 9 + 1
    assert run(program.replace("\n", "\nnop\n", 1)).stop.cycles == 9 + 1


@pytest.mark.parametrize("n", range(load().machine["VectorRegs"]))
@pytest.mark.parametrize("write", WRITES)
def test_no_other_register_is_waited_for(write: str, n: int, run: Run) -> None:
    even = n & ~1
    e = even ^ 2
    written = {even, even + 1} if "{even}" in write else {n}
    for other in set(range(load().machine["VectorRegs"])) - written:
        program = f"{write}\n{STORED}\nhalt".replace("m3[0], v{n}", "m3[0], v{other}")
        cycles = run(program.format(n=n, even=even, odd=even + 1, e=e, f=e + 1, other=other)).stop.cycles
        assert cycles == 9, f"v{other}"


def test_stalls_are_counted_under_their_cause(run: Run) -> None:
    stalls = run("mov m2[0], v0\nmov v1, m2[0]\nvtoar ar0, v1, 0\nmov v1, m3[ar0]\njmp .L\n.L:\nhalt").stop.stalls
    assert {name: n for name, n in stalls.items() if n} == {"memory": 5, "address": 2, "transfer": 1}


def test_the_address_unit_stalls_under_address(run: Run) -> None:
    stalls = run("vtoar ar5, v0, 7\naradd ar1, ar5, 1\nhalt").stop.stalls
    assert {name: n for name, n in stalls.items() if n} == {"address": 2}


def test_a_clock_of_c1_stalls_under_causes_of_its_own(run: Run) -> None:
    stalls = run("mov t1[0], v0\nsnow c1\ntbl1 v0, v0\nsnow c1\nhalt").stop.stalls
    assert {name: n for name, n in stalls.items() if n} == {"table1_parallel": 3, "table1_port": 1}


def test_resume_fetches_again(run: Run) -> None:
    ran = run("wait\nhalt")
    assert ran.stop.cycles == 7
    assert ran.engine.resume().cycles == 14


@pytest.mark.parametrize("cover", [False, True])
def test_a_run_in_pieces_takes_the_same_instructions(cover: bool) -> None:
    engine = lutra.make_engine("iss")
    if cover:
        lutra.coverage.Collector(engine)
    engine.load(lutra.assemble_text("nop\n" * 9 + "halt"))
    engine.start(0)
    assert [engine.backend.run(4) for _ in range(4)] == [4, 4, 2, 0]
    engine.start(0)
    # One instruction alone takes 7 cycles, each after it one more; the limit is of the whole program.
    assert [engine.backend.run_exact(limit) for limit in (7, 7, 9, 100)] == [1, 0, 2, 7]


def test_a_stall_counts_under_a_cause_of_its_own_instruction(run: Run) -> None:
    # Stores to m0 and a write of ar0 are on their way, but the last instruction of each waits for a table only.
    stalls = run("mov m0[0], v0\nmov t0[0], v0\ntbl0 v1, v0\nhalt").stop.stalls
    assert {name: n for name, n in stalls.items() if n} == {"table0": 3}
    stalls = run("vtoar ar0, v0, 7\ntbl1 v1, v0\nsnowx v2, c1, c1\nhalt").stop.stalls
    assert {name: n for name, n in stalls.items() if n} == {"table1_port": 1}
