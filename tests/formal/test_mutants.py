"""Every kind of proof fails on a design with a fault, and says with which values."""

from __future__ import annotations

import pytest

from formal.__main__ import all_proofs, description
from formal.hdl import PRISTINE
from formal.proof import Proof

# What is broken: file, text, other text; the proof that must find it, and what it must name.
MUTANTS = {
    "xtime of the wrong operand": (
        "lutra_functions_pkg.sv",
        "return next_row(x) ^ opposite_row(pair) ^ xtime(pair);",
        "return next_row(x) ^ opposite_row(pair) ^ xtime(x);",
        "mix_columns",
        "x_i",
    ),
    "one bit of a matrix": (
        "lutra_functions_pkg.sv",
        "8'b1011_0111, 8'b1101_1011",
        "8'b1011_0110, 8'b1101_1011",
        "camellia_p",
        "x_i",
    ),
    "no reduction's term": ("lutra_functions_pkg.sv", "^ {2'd0, over, 5'd0}", "", "hash_step", "gy"),
    "five times too little": ("lutra_multiplier.sv", "top, 2'b0} + {3'd0, top}", "top, 2'b0}", "prime_sum", "u_last"),
    "a carry that is lost": ("lutra_add3.sv", "(a_i & b_i) | (a_i & c_i)", "(a_i & b_i)", "product", "u_low"),
    "the digit before": (
        "lutra_hash.sv",
        "valid_i && prime ? gx_q[7:0] : gt_q",
        "1'b0 ? gx_q[7:0] : gt_q",
        "digit",
        "x1_digit_i",
    ),
    "another control bit": ("lutra_functions_pkg.sv", "y[8*(15-i)+7]", "y[8*(15-i)+6]", "permute", "y_i"),
    "no sum": ("lutra_functions_pkg.sv", "sum = a + b + ", "sum = (a | b) + ", "add32", "x_i"),
    "a carry out of its lane": (
        "lutra_functions_pkg.sv",
        "if ((i + 1) % 4 != 0)",
        "if ((i + 1) % 8 != 0)",
        "sub32",
        "x_i",
    ),
    "a shift that rotates": (
        "lutra_functions_pkg.sv",
        "(fn == CrossbarLeftBytes && wraps)",
        "1'b0",
        "left_bytes",
        "x_i",
    ),
    "a front that counts twice": (
        "lutra_functions_pkg.sv",
        "&& (4'(i) & lane) == '0 && moves_lanes(n)",
        "&& (4'(i) & lane) == '0 && 1'b0",
        "right_bits",
        "x_i",
    ),
    "the wrong rotation": (
        "lutra_functions_pkg.sv",
        "for (int k = 0; k < 8; k++) by_bits",
        "for (int k = 0; k < 7; k++) by_bits",
        "sum_turned",
        "y_i",
    ),
    "a third register that does not turn": (
        "lutra_second_half.sv",
        "assign x2_third = rotate_third(x2_c_i, imm_t'(x2_ctl_i.n));",
        "assign x2_third = x2_c_i;",
        "second half R=2",
        "arx",
    ),
    "a function at the wrong code": (
        "lutra_blocks.sv",
        "MixPrefixXor32: x_o = prefix_xor32(x_i);",
        "MixPrefixXor32: x_o = double128(x_i);",
        "prefix_xor32",
        "x_i",
    ),
    "a way parallel to the chain that is not taken": (
        "lutra_first_half.sv",
        "{MixPrefixXor32, MixDouble128, MixSpreadWord}",
        "{MixPrefixXor32, MixSpreadWord}",
        "first half R=2",
        "dbl",
    ),
    "another value in what is forwarded": (
        "lutra_second_half.sv",
        "x2_core_o = x2_mixed;",
        "x2_core_o = x2_crossed;",
        "second half R=2",
        "core and side",
    ),
    "a row without the key's second half": (
        "lutra_second_half.sv",
        "x2_q = x2_x_q ^ {2{x2_k1_q[127:64]}}",
        "x2_q = x2_x_q ^ {2{x2_k1_q[63:0]}}",
        "second half R=2",
        "cam2",
    ),
    "no end-around carry": (
        "lutra_stream_sum.sv",
        "carry = around_i && generates[30];",
        "carry = 1'b0;",
        "stream_sum",
        "a",
    ),
    "another polynomial": ("lutra_stream_context.sv", "8'h69", "8'h68", "snow_work", "design"),
    "the wrong bank": (
        "lutra_stream.sv",
        ".table_i(table_i[i])",
        ".table_i(table_i[0])",
        "zuc_work",
        "design",
    ),
    "an addend that a work clock has not": (
        "lutra_stream_context.sv",
        "step.init ? (step.zuc_f ? f_sum[31:1] : q.r3[31:1]) : '0",
        "step.zuc_f ? f_sum[31:1] : q.r3[31:1]",
        "zuc_work: sum",
        "design",
    ),
    "a look-up of what is loaded into another row": (
        "lutra_stream_context.sv",
        "return changes ? next : now;",
        "return next | when(!changes, now);",
        "snow_init",
        "design",
    ),
    "a block without its slot": (
        "lutra_decode_slots.sv",
        "f.d.bad || (!f.d.en && f.d_block != '0)",
        "f.d.bad",
        "total R=2 C=2",
        "word",
    ),
    "two slots that modify one register": (
        "lutra_decode_slots.sv",
        "modifies_same(f.d, f.s)",
        "1'b0",
        "total R=2 C=2",
        "word",
    ),
    "a read too early after a store": (
        "lutra_hazards_pkg.sv",
        "5, 6,  // memory",
        "4, 5,  // memory",
        "single port R=2 C=2",
        "single_port",
    ),
    "an address register too early after vtoar": (
        "lutra_hazards_pkg.sv",
        "3, 3,  // address",
        "2, 2,  // address",
        "one writer R=2 C=2",
        "one_writer",
    ),
    "waiting for a bubble": (
        "lutra_interlock.sv",
        "valid_i[s] && |clash[s]",
        "1'b1 && |clash[s]",
        "no deadlock R=2 C=2",
        "progress",
    ),
    "issue after a stop": (
        "lutra_sequencer.sv",
        "!held && !id_stops && !id_trapped_i;",
        "!held && !id_trapped_i;",
        "nothing after a stop R=2 C=2",
        "stop_is_last",
    ),
    "a loop once too few": (
        "lutra_sequencer.sv",
        "(counting && i == 0 ? 16'd2 : 16'd1)",
        "(counting && i == 0 ? 16'd3 : 16'd2)",
        "REPEAT n times",
        "seen",
    ),
    "the outer loop's end, right after a repeat": (
        "lutra_sequencer.sv",
        " && !(ag_valid_i && ag_q.repeats);",
        ";",
        "REPEAT n times",
        "seen",
    ),
    "no wait for a loop's entry": (
        "lutra_sequencer.sv",
        "((id_legal_i && id_repeats) || pc_q == ag_ctl_i.e)",
        "(id_legal_i && id_repeats)",
        "REPEAT n times",
        "seen",
    ),
    "a table that the host may write at any time": (
        "lutra_host.sv",
        "== '0 : !running_i);",
        "== '0 : !running_i || (we_i && space_i != SpaceProgram));",
        "host port",
        "granted",
    ),
    "one row more for the host": (
        "lutra_host.sv",
        "32'(row_i) < depth",
        "32'(row_i) <= depth",
        "host port",
        "nothing_beyond",
    ),
    "a key row that is read": (
        "lutra_host.sv",
        "32'(row_i) < KEY_ROWS;",
        "32'(row_i) < KEY_ROWS - 1;",
        "key rows",
        "right_answer",
    ),
    "a locked core that the host reads": (
        "lutra_host.sv",
        "gnt_o && !locked_i && ",
        "gnt_o && (!locked_i || !we_i) && ",
        "host port",
        "nothing_beyond",
    ),
    "a wipe that leaves the last row": (
        "lutra_wipe.sv",
        "write: 32'(row_q) < Rows",
        "write: 32'(row_q) < Rows - 1",
        "wipe",
        "swept",
    ),
    "a lock that a wipe opens": (
        "lutra_wipe.sv",
        "assign locked = locked_q || !open_q;",
        "assign locked = (locked_q || !open_q) && !wipe_i;",
        "wipe",
        "sticky",
    ),
    "an instruction with a fault that goes on": (
        "lutra_core.sv",
        "if (x1_fault) live[X1:1] = '0;",
        "if (x1_fault) live[X1-1:1] = '0;",
        "fault",
        "nothing_younger",
    ),
    "a start that clears a fault": (
        "lutra_control.sv",
        "!(ALERT && state_q == StateFaulted) && !stands",
        "!stands",
        "fault",
        "alert",
    ),
    "a register that is not wiped": (
        "lutra_core.sv",
        ".data_rst_ni(data_rst_n),\n    .set_width_i",
        ".data_rst_ni(1'b1),\n    .set_width_i",
        "wiped",
        "registers_zero",
    ),
    "a program that is stored after the lock": (
        "lutra_core.sv",
        "assign run_rst_n = data_rst_n;",
        "assign run_rst_n = rst_ni;",
        "wiped",
        "",
    ),
    "a counter of stalls that is too short": (
        "lutra_perf.sv",
        "stalls_q[i] + StallBits'(1)",
        "StallBits'(16'(stalls_q[i]) + 16'd1)",
        "counters",
        "stalls",
    ),
    "a lane that looks up a neighbouring row": (
        "lutra_table.sv",
        "& lookup_i[Byte+:8]) | other;",
        "& (lookup_i[Byte+:8] ^ 8'(l == 7))) | other;",
        "lookup",
        "reads_back",
    ),
    "a lane that scatters to a neighbouring row": (
        "lutra_table.sv",
        "other = scatter_rows_i[Byte+:8];",
        "other = scatter_rows_i[Byte+:8] ^ 8'(l == 3);",
        "lookup",
        "held",
    ),
    "a segment beyond its window": (
        "lutra_segments.sv",
        "    else permitted &= end_q <= limit;\n",
        "",
        "bytes",
        "window",
    ),
    "a burst across a block": (
        "lutra_segments.sv",
        "room = count_t'(BlockBytes) - count_t'(address[BlockBits-1:0]);",
        "room = count_t'(BlockBytes);",
        "bytes",
        "burst_in_block",
    ),
    "a string that is not checked": (
        "lutra_segments.sv",
        "strung.list ? StateCut : StateCheck",
        "StateCut",
        "bytes",
        "segment_permitted",
    ),
    "elements that are not checked": (
        "lutra_segments.sv",
        "permitted ? StateNext : now.one ? StateCut : StateLine",
        "StateNext",
        "bytes",
        "line_permitted",
    ),
    "an entry beyond its window": (
        "lutra_entries.sv",
        "fault_q || !permitted_i",
        "fault_q",
        "bytes",
        "in_window",
    ),
    "a completion before the message is done": (
        "lutra_complete.sv",
        "slot_q != filled_i && done_i[slot_q]",
        "slot_q != filled_i",
        "completed once",
        "at_work",
    ),
    "a slot that is in use": (
        "lutra_fetch.sv",
        "assign full = message_slot_t'(next_q + 4'd1) == oldest_i;",
        "assign full = 1'b0;",
        "completed once",
        "asks_with_room",
    ),
    "a message of the other ring": (
        "lutra_messages.sv",
        "ring_d[s] = begin_ring_i;",
        "ring_d[s] = 1'b0;",
        "completed once",
        "ring",
    ),
    "a size that changes while it waits": (
        "lutra_read_port.sv",
        "assign arsize_o = 3'(LaneBits);",
        "assign arsize_o = 3'(LaneBits) - 3'(arready_i);",
        "reads on the bus",
        "arsize",
    ),
    "the next row is not taken": (
        "lutra_memory.sv",
        "index[l] = row + index_t'(next_row[l])",
        "index[l] = row + index_t'(0)",
        "memory",
        "held",
    ),
}


@pytest.fixture(scope="module")
def proofs() -> dict[str, Proof]:
    return {p.name: p for p in all_proofs(description())}


INTERLOCK = pytest.mark.nightly("its proofs take long; random programs of tests/cosim compare its stalls")
PLACES = pytest.mark.nightly("each takes ten seconds; a segment beyond its window is found without them")
ANOTHER = pytest.mark.nightly("seconds each; `make test` has another fault of the same proof or unit")
HALF = pytest.mark.nightly("ten seconds; the proof of a half is left to the night, and a wrong function is found here")
LONG = {
    **dict.fromkeys(("a read too early after a store", "an address register too early after vtoar"), INTERLOCK),
    **dict.fromkeys(("waiting for a bubble", "issue after a stop", "a start that clears a fault"), INTERLOCK),
    "an instruction with a fault that goes on": INTERLOCK,
    **dict.fromkeys(("a register that is not wiped", "a program that is stored after the lock"), INTERLOCK),
    **dict.fromkeys(
        ("a burst across a block", "a string that is not checked", "elements that are not checked"), PLACES
    ),
    **dict.fromkeys(("a third register that does not turn", "another value in what is forwarded"), ANOTHER),
    "a row without the key's second half": ANOTHER,
    **dict.fromkeys(("an addend that a work clock has not", "the wrong bank"), ANOTHER),
    "a look-up of what is loaded into another row": ANOTHER,
    "two slots that modify one register": ANOTHER,
    **dict.fromkeys(("a key row that is read", "one row more for the host", "no wait for a loop's entry"), ANOTHER),
    "the outer loop's end, right after a repeat": ANOTHER,
    "a lane that looks up a neighbouring row": ANOTHER,
    **dict.fromkeys(("a message of the other ring", "a slot that is in use", "an entry beyond its window"), ANOTHER),
    **dict.fromkeys(("the wrong rotation", "a shift that rotates", "a locked core that the host reads"), ANOTHER),
    **dict.fromkeys(("a lock that a wipe opens", "a carry that is lost", "the digit before"), ANOTHER),
    **dict.fromkeys(("one bit of a matrix", "another control bit", "a front that counts twice"), ANOTHER),
    "a carry out of its lane": ANOTHER,
    "a way parallel to the chain that is not taken": HALF,
}


def test_what_is_left_to_the_night_is_a_fault() -> None:
    assert set(LONG) <= set(MUTANTS)


@pytest.mark.parametrize("fault", [pytest.param(name, marks=[LONG[n] for n in {name} & set(LONG)]) for name in MUTANTS])
def test_a_fault_is_found(proofs: dict[str, Proof], fault: str) -> None:
    file, old, new, name, told = MUTANTS[fault]
    found = proofs[name].check(PRISTINE.with_change(file, old, new))
    assert found is not None
    assert found.values, found.what
    assert told in str(found)
