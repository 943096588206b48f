"""Cycles of short programs, worked out from docs/microarchitecture.md; the lock-step holds the RTL to them too."""

from __future__ import annotations

import pytest

import lutra
from lutra.isa import load
from support.run import Run

# Program, rounds an instruction, cycles from start to halt. A lone halt issues in cycle 1 and retires 6 (5) later.
CASES = [
    ("", 2, 8),
    ("", 1, 7),
    ("nop", 2, 9),
    ("nop\nnop\nnop", 2, 11),
    # Results of the first half are ready for the next instruction, those of the second and of the chain of X1 and M1
    # one slot later.
    ("xor v0, v0, v1\nxor v0, v0, v1", 2, 10),
    ("tbl0 v0, v0\ntbl0 v0, v0", 2, 10),
    ("aesimc v0, v0\naesimc v0, v0", 2, 11),
    ("tbl1 v0, v0\ntbl1 v0, v0", 2, 11),
    ("tbl1 v0, v0\ntbl1 v1, v1\ntbl1 v0, v0\ntbl1 v1, v1", 2, 12),
    ("tbl0 v0, v0\ntbl0 v1, v1\ntbl0 v0, v0\ntbl0 v1, v1", 2, 12),
    ("tbl0 v0, v0\ntbl0 v0, v0", 1, 9),
    ("tbl1 v0, v0\ntbl1 v0, v0", 1, 9),
    # What does more than XOR with its sources before X1 needs them one slot earlier; so does an address register.
    ("xor v0, v0, v1\nand v2, v0, v1", 2, 11),
    ("xor v0, v0, v1\nand v2, v0, v1", 1, 10),
    ("xor v0, v0, v1\nnop\nandn v2, v1, v0", 2, 11),
    ("tbl0 v0, v0\nor v2, v0, v1", 2, 11),
    ("aesimc v0, v0\nor v2, v0, v1", 2, 12),
    ("tbl1 v0, v0\nor v2, v1, v0", 2, 12),
    ("tbl1 v0, v0\nor v2, v0, v1", 1, 10),
    ("tbl1 v0, v0\nnop\nnop\nor v2, v0, v1", 2, 12),
    ("xor v0, v0, v1\nvtoar ar0, v0, 7", 2, 11),
    ("xor v0, v0, v1\nmovl m3[0], v0, 7", 2, 10),
    ("xor v0, v0, v1\ncmp v0, v1", 2, 10),
    ("cam2 {v0, v1}, v0, v1, m0:m1[0]\ncamfl {v2, v3}, v0, v1, m0:m1[0]", 2, 12),
    ("cam2 {v0, v1}, v0, v1, m0:m1[0]\ncam2fl {v2, v3}, v0, v1, m0:m1[0]", 2, 12),
    ("camw {v0, v1}, v0\ncamfl {v2, v3}, v0, v1, m0:m1[0]", 2, 11),
    # Both results of a pair are ready at the same time; what a move stores is read where it has been written.
    ("camw {v0, v1}, v0\ncamo v1, v0, v1, m0[0]\ncame v0, v1, v0, m1[0]", 2, 12),
    ("camw {v0, v1}, v0\ncamo v1, v0, v1, m0[0]\ncame v0, v1, v0, m1[0]", 1, 10),
    ("cam2 {v0, v1}, v0, v1, m0:m1[0]\nmov v2, v1", 2, 11),
    ("cam2 {v0, v1}, v0, v1, m0:m1[0]\nmov v2, v2", 2, 10),
    ("mov v3, v0\ncam2 {v0, v1}, v0, v1, m0:m1[0], {m3[0], v3}", 2, 10),
    ("cam2 {v2, v3}, v0, v1, m0:m1[0]\ncam2 {v0, v1}, v0, v1, m0:m1[0], {m3[0], v3}", 2, 10),
    ("mov ctr, v0\ncam2 {v0, v1}, v0, v1, m0:m1[0], {hold, ctr++}", 2, 9 + 4),
    ("cam2 {v0, v1}, v0, v1, m0:m1[0], {hold, ctr++}\nmov v2, hold", 2, 10),
    # Through storage.
    ("mov m2[0], v0\nmov v1, m2[0x100]", 2, 9 + 6),
    ("mov m2[0], v0\nmov v1, m2[0x100]", 1, 8 + 5),
    ("mov m2[0], v0\nmov v1, m3[0]", 2, 10),
    ("mov wk, v0\nmov v1, v1 ^ wk", 2, 9 + 4),
    ("mov wk, v0\nmov v1, v1 ^ wk", 1, 8 + 3),
    ("mov ctr, v0\nmov v1, ctr++", 2, 9 + 4),
    ("mov t0[0], v0\ntbl0 v1, v1", 2, 9 + 4),
    ("mov t1[0], v0\ntbl1 v1, v1", 2, 9 + 3),
    ("mov t1[0], v0\ntbl1 v1, v1", 1, 8 + 3),
    ("mov t0[0], v0\ntbl1 v1, v1", 2, 10),
    ("vtoar ar0, v0, 7\nmov v1, m2[ar0]", 2, 9 + 3),
    ("vtoar ar0, v0, 7\nmov v1, m2[ar0]", 1, 8 + 3),
    ("vtoar ar0, v0, 7\nmov v1, m2[ar1]", 2, 10),
    ("vtoar ar5, v0, 7\nmov m3[ar5], v1", 2, 9 + 3),
    ("vtoar ar5, v0, 7\naesencf v1, v1, m0[ar5]", 2, 9 + 3),
    ("vtoar ar5, v0, 7\nvtoar ar5, v0, 6", 2, 9 + 3),
    ("vtoar ar5, v0, 7\naradd ar1, ar5, 1", 2, 9 + 3),
    # A move that stores nothing waits for no register to store.
    ("mov v0, v1\ncam2 {v2, v3}, v4, v5, m0:m1[0], {hold, ctr++}", 2, 10),
    # A register that is written while the lane is on its way to it: the later value stays.
    ("vtoar ar5, v0, 7\narset ar5, 1", 2, 9 + 3),
    ("cmp v0, v1\nbf .L\n.L:", 2, 9 + 6 + 1),
    ("cmp v0, v1\nbf .L\n.L:", 1, 8 + 5 + 1),
    # A clock of a stream context a cycle, whichever; its buffer is bypassed like any result of the first half.
    ("snow c0\nsnow c0\nzuc c0\nzuci c0", 2, 8 + 4 + 1),
    ("zucf c0\nzucl c0\nzucf c0:c1\nzucli c0", 2, 8 + 4),
    ("snow c0:c1\nsnow c1\nsnowi c0\nsnow c0:c1", 2, 8 + 4),
    ("snow c0:c1\nsnow c1\nsnowi c0\nsnow c0:c1", 1, 7 + 4),
    ("ctxld c0, 3, v0\nsnowx v1, c0, c0\nxor v2, v1, v1\nctxst v3, c0, 5\nxor v2, v3, v3", 2, 8 + 5),
    ("snowx m3[0], c0, c0, m2[0]\nsnowx m3[0x10], c0:c1, c1, m2[0x10]", 2, 8 + 2),
    # Port of t1: a chained look-up presents its address a cycle later than a clock of c1.
    ("tbl1 v0, v0\nsnow c1", 2, 8 + 2 + 1),
    ("tbl1 v0, v0\nsnow c0", 2, 8 + 2),
    ("tbl1 v0, v0\nnop\nsnow c1", 2, 8 + 3),
    ("tbl1 v0, v0\nsnow c1", 1, 7 + 2),
    ("snow c1\ntbl1 v0, v0", 2, 8 + 2),
    ("tbl0 v0, v0\nsnow c0:c1", 2, 8 + 2),
    ("mov t0[0], v0\nzuc c0", 2, 8 + 2 + 3),
    ("mov t0[0], v0\nzuc c1", 2, 8 + 2),
    ("mov t1[0], v0\nzuc c1", 2, 8 + 2 + 3),
    ("mov t1[0], v0\nzuc c0:c1", 1, 7 + 2 + 2),
    # A taken transfer costs one cycle, one that is not taken none, a loop of two instructions none.
    ("jmp .L\n.L:", 2, 10),
    ("bnz ar0, .L\n.L:", 2, 9),
    ("call .L\n.L:", 2, 10),
    ("repeat 5, .L\nnop\nnop\n.L:", 2, 9 + 2 * 5),
    ("repeat 0, .L\nnop\n.L:", 2, 10),
    # The first pass of a body of one instruction waits for the loop, and so does a repeat after a repeat.
    ("repeat 5, .L\nnop\n.L:", 2, 9 + 1 + 5),
    ("repeat 5, .L\nnop\n.L:", 1, 8 + 1 + 5),
    ("repeat 3, .L\nrepeat 4, .L2\nnop\nnop\n.L2:\nnop\n.L:", 2, 9 + 1 + 3 * (1 + 8 + 1)),
    ("repeat 3, .L\nrepeat 4, .L2\nnop\n.L2:\nnop\n.L:", 2, 9 + 1 + 3 * (1 + 1 + 4 + 1)),
    ("repeat 3, .L\nnop\nrepeat 4, .L2\nnop\nnop\n.L2:\nnop\n.L:", 2, 9 + 3 * (1 + 1 + 8 + 1)),
    ("repeat 0, .L\nrepeat 4, .L2\nnop\n.L2:\nnop\n.L:", 2, 10),
]


@pytest.mark.parametrize(("program", "rounds", "cycles"), CASES)
def test_a_program_takes_the_cycles_worked_out_by_hand(program: str, rounds: int, cycles: int, run: Run) -> None:
    assert run(f"{program}\nhalt", rounds=rounds).stop.cycles == cycles


@pytest.mark.parametrize("access", ["aesencf v1, v1, m0[{}]", "mov v1, m2[{}]", "mov m3[{}], v1"])
@pytest.mark.parametrize("register", load().address_registers)
def test_every_slot_waits_for_every_address_register(register: str, access: str, run: Run) -> None:
    assert run(f"vtoar {register}, v0, 7\n{access.format(register)}\nhalt").stop.cycles == 9 + 3


# How v{n} is written, v{even} and v{odd} being the pair that it is in: ready at the end of X1 or of X2, alone and as
# one of a pair; or joined from halves.
READY_X1 = ["mov v{n}, v{e}", "tbl0 v{n}, v{e}", "camw {{v{even}, v{odd}}}, v{e}"]
READY_X2 = ["aesimc v{n}, v{e}", "tbl1 v{n}, v{e}", "cam2 {{v{even}, v{odd}}}, v{e}, v{f}, m0:m1[0]"]
JOINED = "cam2l {{v{even}, v{odd}}}, v{e}, v{f}, m0:m1[0]"
# How it is read by an instruction of the other registers v{e} and v{f}; the cycles that are lost next to the writer.
STORED = "cam2 {{v{e}, v{f}}}, v{e}, v{f}, m0:m1[0], {{m3[0], v{n}}}"
LATE = ["xor v{e}, v{n}, v{f}", "xor v{e}, v{f}, v{n}"]
EARLY = ["and v{e}, v{n}, v{f}", "and v{e}, v{f}, v{n}"]
LOST = [
    *((write, read, 0) for write in READY_X1 for read in (*LATE, STORED)),
    *((write, read, 1) for write in READY_X1 for read in EARLY),
    *((write, read, 1) for write in READY_X2 for read in LATE),
    *((write, read, 2) for write in READY_X2 for read in EARLY),
    *((write, STORED, 0) for write in (*READY_X2, JOINED)),
    *((JOINED, read, 2) for read in (*LATE, *EARLY)),
]


def registers(n: int) -> dict[str, int]:
    """The fields of the templates above: another pair is written or read than that of v{n}."""
    even = n & ~1
    return {"n": n, "even": even, "odd": even + 1, "e": even ^ 2, "f": (even ^ 2) + 1}


@pytest.mark.parametrize("n", range(load().machine["VectorRegs"]))
@pytest.mark.parametrize(("write", "read", "lost"), LOST)
def test_every_register_is_waited_for(write: str, read: str, lost: int, n: int, run: Run) -> None:
    for nops in range(3):
        program = "\n".join([write, *["nop"] * nops, read, "halt"]).format(**registers(n))
        assert run(program).stop.cycles == 10 + nops + max(0, lost - nops)


@pytest.mark.parametrize("n", range(load().machine["VectorRegs"]))
@pytest.mark.parametrize("write", [*READY_X1, *READY_X2, JOINED])
@pytest.mark.parametrize("operation", ["and", "xor"])
def test_no_other_register_is_waited_for(operation: str, write: str, n: int, run: Run) -> None:
    fields = registers(n)
    written = {fields["even"], fields["odd"]} if "{even}" in write else {n}
    for other in set(range(load().machine["VectorRegs"])) - written:
        program = f"{write}\n{operation} v{{e}}, v{{other}}, v{{f}}\nhalt"
        assert run(program.format(**fields, other=other)).stop.cycles == 10, f"v{other}"


def test_stalls_are_counted_under_their_cause(run: Run) -> None:
    stalls = run("mov m2[0], v0\nmov v1, m2[0]\nvtoar ar0, v1, 0\nmov v1, m3[ar0]\njmp .L\n.L:\nhalt").stop.stalls
    assert {name: n for name, n in stalls.items() if n} == {
        "memory": 5,
        "vector_x1_early": 1,
        "address": 2,
        "transfer": 1,
    }


def test_the_address_unit_stalls_under_address(run: Run) -> None:
    stalls = run("vtoar ar5, v0, 7\naradd ar1, ar5, 1\nhalt").stop.stalls
    assert {name: n for name, n in stalls.items() if n} == {"address": 2}


def test_a_clock_of_c1_stalls_under_causes_of_its_own(run: Run) -> None:
    stalls = run("mov t1[0], v0\nsnow c1\ntbl1 v0, v0\nsnow c1\nhalt").stop.stalls
    assert {name: n for name, n in stalls.items() if n} == {"table1_parallel": 3, "table1_port": 1}


@pytest.mark.parametrize(
    ("program", "stalls"),
    [
        ("snow c0\nzuc c0", 1),
        ("snowi c0:c1\nzucf c1", 1),
        ("crc c0, v0\nzuci c0", 1),
        ("snow c0\nnop\nzuc c0", 0),
        ("snow c0\nzuc c1", 0),
        ("snow c0\nzucl c0", 0),
        ("crc c0:c1, v0\nzuc c1", 0),
        ("zuc c0\nsnow c0\ncrc c0, v0\nsnow c0", 0),
        ("ctxld c0, 0, v0\nzuc c0\nzuc c0\nzuci c0\nzuci c0", 0),
    ],
)
def test_zuc_after_another_cipher_on_its_context_waits_a_cycle(program: str, stalls: int, run: Run) -> None:
    assert run(f"{program}\nhalt").stop.stalls["stream_cipher"] == stalls


def test_resume_fetches_again(run: Run) -> None:
    ran = run("wait\nhalt")
    assert ran.stop.cycles == 8
    assert ran.engine.resume().cycles == 16


@pytest.mark.parametrize("cover", [False, True])
def test_a_run_in_pieces_takes_the_same_instructions(cover: bool) -> None:
    engine = lutra.make_engine("iss")
    if cover:
        lutra.coverage.Collector(engine)
    engine.load(lutra.assemble_text("nop\n" * 9 + "halt"))
    engine.start(0)
    # One instruction alone takes 8 cycles, each after it one more; the limit is of the whole program.
    assert [engine.backend.run(limit) for limit in (8, 8, 10, 100)] == [1, 0, 2, 7]


def test_a_stall_counts_under_a_cause_of_its_own_instruction(run: Run) -> None:
    # Stores to m0 and a write of ar0 are on their way, but the last instruction of each waits for a table only.
    stalls = run("mov m0[0], v0\nmov t0[0], v0\ntbl0 v1, v0\nhalt").stop.stalls
    assert {name: n for name, n in stalls.items() if n} == {"table0": 3}
    stalls = run("vtoar ar0, v0, 7\ntbl1 v1, v0\nsnowx v2, c1, c1\nhalt").stop.stalls
    assert {name: n for name, n in stalls.items() if n} == {"table1_port": 1}


def test_a_repeats_entry_counts_as_a_transfer(run: Run) -> None:
    stalls = run("repeat 3, .L\nrepeat 4, .L2\nnop\n.L2:\nnop\n.L:\nhalt").stop.stalls
    assert {name: n for name, n in stalls.items() if n} == {"transfer": 1 + 3}


def test_in_the_cycle_of_a_repeats_entry_no_hazard_counts(run: Run) -> None:
    stalls = run("tbl1 v0, v0\nrepeat 1, .L\nor v1, v0, v0\n.L:\nhalt").stop.stalls
    assert {name: n for name, n in stalls.items() if n} == {"transfer": 1}
    stalls = run("mov m2[0], v0\nrepeat 1, .L\nmov v1, m2[0]\n.L:\nhalt").stop.stalls
    assert {name: n for name, n in stalls.items() if n} == {"transfer": 1, "memory": 3}


@pytest.mark.parametrize("body", [".insn 0", "ret"])
def test_what_traps_as_the_only_instruction_of_a_body_comes_as_late(body: str, run: Run) -> None:
    assert run("nop\nret").stop.cycles + 1 == run(f"repeat 2, .L\n{body}\n.L:\nhalt").stop.cycles
