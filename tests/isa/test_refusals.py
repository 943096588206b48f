"""The generator refuses a description that is not sound, with file, line and record; one test a reason."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from lutra.isa import load
from support.description import described, isagen, refusal
from support.sampling import sampled

VECTOR = 'def BAD : FmtVector<{opcode}, "bad", ({operands}), [{path}], "bad">;'

REFUSED = {
    "overlapping_encodings": (
        "let ks = 0 in " + VECTOR.format(opcode="0x20", operands="ops Dst:$dst, Sum:$src", path="(L0 Xor, B, W)"),
        "encoding overlaps",
    ),
    "unassigned_bits": (
        'def BAD : Insn<0xf0, "bad", (ops), [], "bad">;',
        "unassigned bits 55:0",
    ),
    "field_without_operand": (
        VECTOR.format(opcode="0xf0", operands="ops Dst:$dst, Sum:$src", path="(L0 Xor, B, W)"),
        "no operand fills field ks",
    ),
    "operand_without_field": (
        "let ks = 0, rd = 15 in "
        + VECTOR.format(opcode="0xf0", operands="ops Dst:$dst, Sum:$src", path="(L0 Xor, B, W)"),
        "operand dst (Dst) fills field rd, which the encoding lacks or fixes",
    ),
    "out_of_range_operand": (
        'def Wide : Operand<KindNumber, ["n"], "wide"> { let High = 99; }\n'
        "let ks = 0, rb = 11, w = 0 in "
        'def BAD : FmtVectorImm<0xf0, "bad", (ops Dst:$dst, SrcA:$a, Wide:$n), [(X1 Broadcast, N)], "bad">;',
        "operand n: range 0..99 does not fit field n of 4 bits",
    ),
    "block_used_twice": (
        "let ks = 0 in "
        + VECTOR.format(opcode="0xf0", operands="ops Dst:$dst, Sum:$src", path="(L0 Xor, B), (L0 Xor, W)"),
        "the path uses block L0 twice",
    ),
    "block_out_of_order": (
        "let ks = 0 in "
        + VECTOR.format(opcode="0xf0", operands="ops Dst:$dst, Sum:$src", path="(X1 ShiftRows), (T0 SubBytes)"),
        "the path names block T0 out of order",
    ),
    "function_of_another_block": (
        "let ks = 0 in " + VECTOR.format(opcode="0xf0", operands="ops Dst:$dst, Sum:$src", path="(L2 Add32)"),
        "block L2 cannot do Add32",
    ),
    "look_up_before_a_way_that_has_none": (
        VECTOR.format(opcode="0xf0", operands="ops Dst:$dst, Sum:$src", path="(T0 SubBytes), (M1 PrefixXor32)"),
        "PrefixXor32 of block M1 stands beside SubBytes of block T0 (WayField)",
    ),
    "layer_after_a_function_beside_it": (
        VECTOR.format(opcode="0xf0", operands="ops Dst:$dst, Sum:$src", path="(X1 Permute, B), (M1 MixColumns)"),
        "Permute of block X1 stands beside MixColumns of block M1 (WayBytes)",
    ),
    "rows_before_a_rotation": (
        "let ks = 0 in "
        'def BAD : FmtVectorRotate<0xf0, "bad", (ops Dst:$dst, Sum:$src, Rotation128:$n),'
        ' [(X1 ShiftRows), (M1 RotateBits, N)], "bad">;',
        "RotateBits of block M1 stands beside ShiftRows of block X1 (WayBytes)",
    ),
    "stream_unit_before_a_layer": (
        VECTOR.format(opcode="0xf0", operands="ops Dst:$dst, Sum:$src", path="(ST SnowWork), (M1 MixColumns)"),
        "SnowWork of block ST stands beside MixColumns of block M1 (WayStream)",
    ),
    "carries_after_a_layer": (
        VECTOR.format(opcode="0xf0", operands="ops Dst:$dst, Sum:$src", path="(M1 MixColumns), (L1 Add32, B)"),
        "Add32 of block L1 stands beside MixColumns of block M1 (WaySum)",
    ),
    "way_beside_blocks_apart": (
        'def BAD : Way<"bad", [T0, X1], [ShiftRows], "bad">;',
        "BAD: blocks T0, X1 do not follow one another",
    ),
    "way_beside_several_halves": (
        'def BAD : Way<"bad", [M1, L1, T1], [MixColumns], "bad">;',
        "BAD: blocks M1, L1, T1 are of several halves",
    ),
    "way_in_the_second_half": (
        'def BAD : Way<"bad", [M2], [MixColumns], "bad">;',
        "BAD: block M2 is none of the first half",
    ),
    "way_of_a_partner": (
        'def BAD : Way<"bad", [P2], [PairXor], "bad">;',
        "BAD: block P2 has a partner",
    ),
    "way_with_a_function_of_others": (
        'def BAD : Way<"bad", [X1], [MixColumns], "bad">;',
        "BAD: MixColumns is not a function of X1",
    ),
    "two_ways_of_a_function": (
        'def BAD : Way<"bad", [X1], [Permute], "bad">;',
        "Permute goes the way ",
    ),
    "second_half_of_a_way": (
        "def BAD : Block<Mix, 2, [Double128]>;",
        "BAD: Double128 is not a function of the first half's block in the chain",
    ),
    "not_linear_after_the_chain": (
        'def BAD : Function<Logic, 9, "bad", 2, "(x & {y}){ ^ z}">;\ndef : Joins<L1, BAD>;',
        "BAD: block L1 comes after the chain of X1, M1, and is not linear",
    ),
    "branch_on_what_is_late": (
        'def BAD : FmtControl<0xf0, "bad", (ops), [(AU AuAnd), (CC CcZero), (SQ SqJump)], "bad">;',
        "CcZero asks whether what AuAnd computes is zero, which is not known early enough",
    ),
    "side_operand_without_port": (
        VECTOR.format(opcode="0xf0", operands="ops Dst:$dst, Sum:$src, KeyPair:$k", path="(L0 Xor, K0)"),
        "side operand K0 cannot enter block L0",
    ),
    "two_side_operands_by_one_port": (
        VECTOR.format(opcode="0xf0", operands="ops Dst:$dst, Sum:$src, Key0:$k", path="(L1 Xor, K0, B)"),
        "side operands B and K0 enter block L1 by one port",
    ),
    "two_accesses_to_one_memory_block": (
        'def K0Twin : SideOperand<"k0", "again m0", [0]>;\n'
        "def L1Twin : Block<Logic, 1, [Xor], [K0], [K0Twin]>;\n"
        + VECTOR.format(opcode="0xf0", operands="ops Dst:$dst, Sum:$src, Key0:$k", path="(L1Twin Xor, K0, K0Twin)"),
        "two accesses to one memory block: K0Twin and K0 both read m0",
    ),
    "two_accesses_by_one_slot": (
        VECTOR.format(opcode="0xf0", operands="ops Dst:$dst, Sum:$src, Key0:$k", path="(L1 Xor, K0, D)"),
        "two accesses by one slot",
    ),
    "lanes_that_go_out_without_a_shift": (
        'let n = 1 in def BAD : FmtVectorRotate<0xf0, "bad", (ops Dst:$dst, SumReg:$src, Key0:$k, Row:$row), '
        '[(L0 Xor, B, W), (L1 Xor, K0G, D)], "bad">;',
        "side operand K0G: the path has no shift of lanes by a constant of one bit in the first half",
    ),
    "lanes_that_go_out_of_a_shift_by_nine": (
        'let n = 233 in def BAD : FmtVectorRotate<0xf0, "bad", (ops Dst:$dst, SumReg:$src, Key0:$k, Row:$row), '
        '[(L0 Xor, B, W), (M1 LeftBits, N), (L1 Xor, K0G, D)], "bad">;',
        "side operand K0G: the path has no shift of lanes by a constant of one bit in the first half",
    ),
    "pair_to_one_register": (
        "let ks = 0 in "
        + VECTOR.format(opcode="0xf0", operands="ops Dst:$dst, Sum:$src", path="(P0 PairSplit, B, W), (RES WritePair)"),
        "WritePair and a destination of two registers belong together",
    ),
    "pair_without_partner": (
        "let ks = 0, sb = 0, ss = 0 in "
        + VECTOR.format(opcode="0xf0", operands="ops DstPair:$dst, Sum:$src", path="(L0 Xor, B, W), (RES WritePair)"),
        "WritePair, but no block of the path makes a partner",
    ),
    "partner_not_named": (
        "let ks = 0, sb = 0, ss = 0 in "
        + VECTOR.format(
            opcode="0xf0", operands="ops DstPair:$dst, Sum:$src", path="(P0 PairSplit, W), (RES WritePair)"
        ),
        "partner B must be named with block P0",
    ),
    "two_round_block_in_one_round": (
        "let sb = 0, ss = 0 in "
        + VECTOR.format(
            opcode="0xf0",
            operands="ops DstPair:$dst, Sum:$src, KeyPair:$k",
            path="(L0 Xor, B, W), (P2 PairXor, Q, KL), (RES WritePair)",
        ),
        "block P2 is there for two rounds only",
    ),
    "first_source_that_is_lost": (
        "let sb = 0, ss = 0 in "
        + VECTOR.format(
            opcode="0xf0",
            operands="ops DstPair:$dst, Sum:$src, KeyPair:$k",
            path="(L0 Xor, B, K0H), (L1 Xor, K1H), (P2 PairXor, Q, A), (RES WritePair)",
        ),
        "block P2 takes A, which is found again only where L0 is (L0 Xor, K0H)",
    ),
    "key_slot_without_key": (
        VECTOR.format(opcode="0xf0", operands="ops Dst:$dst, Sum:$src, Key0:$k", path="(L0 Xor, B, W)"),
        "the key slot and the path disagree",
    ),
    "missing_immediate": (
        "let ks = 0, rb = 11, w = 0 in "
        'def BAD : FmtVectorImm<0xf0, "bad", (ops Dst:$dst, SrcA:$a, ByteIndex:$n), [(X1 Broadcast)], "bad">;',
        "Broadcast needs immediate N",
    ),
    "control_block_in_a_vector_instruction": (
        "let ks = 0 in " + VECTOR.format(opcode="0xf0", operands="ops Dst:$dst, Sum:$src", path="(SQ SqHalt)"),
        "the path names SQ, which is not a block of a FmtVector",
    ),
    "code_used_twice": (
        'def BAD : Function<Logic, 4, "bad", 0, "x">;',
        "same code as ",
    ),
    "name_used_twice": (
        'def BAD : Function<Logic, 9, "add32", 2, "(x + {y}){ ^ z}">;',
        "same name as ",
    ),
    "code_of_a_trap_twice": ('def BAD : Trap<"bad", 3, "bad">;', "same code as "),
    "gap_before_a_trap": ('def BAD : Trap<"bad", 14, "bad">;', "BAD: code 14, but 12 is not given to any"),
    "unknown_value_of_a_trap": (
        'def BAD : Trap<"bad", 12, "bad", "{ProgramWords} {nothing}">;',
        "BAD: its text shows nothing, which is not a value of a trap",
    ),
    "code_of_a_state_twice": ('def BAD : CoreState<"bad", 2, "bad">;', "same code as "),
    "code_of_a_space_twice": ('def BAD : Space<"bad", 7, "bad">;', "same code as "),
    "name_of_a_space_twice": ('def BAD : Space<"m0", 8, "bad">;', "same name as "),
    "space_beyond_its_field": ('def BAD : Space<"bad", 8, "bad">;', "BAD: code 8 does not fit field sb of 3 bits"),
    "code_of_a_move_twice": ('def BAD : SideMove<"bad", 3, "bad">;', "same code as "),
    "move_beyond_its_field": ('def BAD : SideMove<"bad", 4, "bad">;', "BAD: code 4 does not fit field mv of 2 bits"),
    "code_of_a_delta_twice": ('def BAD : Delta<"bad", 4, 0, 0>;', "same code as "),
    "gap_before_a_delta": ('def BAD : Delta<"bad", 7, 0, 0>;', "BAD: code 7, but 5 is not given to any"),
    "code_of_a_wrap_twice": ('def BAD : Wrap<"bad", 2>;', "same code as "),
    "code_of_a_counter_width_twice": ("def BAD : CounterWidth<16, 2>;", "same code as "),
    "counter_width_twice": ("def BAD : CounterWidth<32, 3>;", "same name as "),
    "function_that_is_not_linear": (
        'let Linear = 1 in def BAD : Function<Logic, 5, "bad", 2, "(x & {y}){ ^ z}">;',
        "BAD: it is said to be linear, and its formula is not the XOR of what enters",
    ),
    "order_of_a_hazard_twice": (
        'def BAD : Hazard<7, "bad", [Compare], StageWB, [Branch], StageID, 0, "bad">;',
        "same code as ",
    ),
    "gap_in_the_order_of_hazards": (
        'def BAD : Hazard<99, "bad", [Compare], StageWB, [Branch], StageID, 0, "bad">;',
        f"BAD: code 99, but {len(load().stalls) - 1} is not given to any",
    ),
    "code_of_a_pattern_twice": ('def BAD : Pattern<7, "+=1", DeltaNone, WrapNone>;', "same code as "),
    "syntax_of_a_pattern_twice": ('def BAD : Pattern<8, "++", DeltaNone, WrapNone>;', "same name as "),
    "pattern_beyond_its_field": (
        'def BAD : Pattern<8, "+=1", DeltaNone, WrapNone>;',
        "BAD: code 8 does not fit field of a slot's pattern of 3 bits",
    ),
    "code_of_a_register_twice": ('def BAD : VectorName<"bad", 5, "bad">;', "same code as "),
    "register_beyond_its_field": ('def BAD : VectorName<"bad", 16, "bad">;', "BAD: code 16 does not fit field rd"),
    "code_of_a_condition_twice": ('def BAD : ControlFunction<CC, 4, "bad", "", "bad">;', "same code as "),
    "gap_before_an_end_of_the_path": (
        'def BAD : EndpointFunction<RES, 20, "bad", "dst = x">;',
        "BAD: code 20, but 19 is not given to any",
    ),
    "opcode_of_an_empty_memory": (
        'def BAD : FmtControl<0x00, "bad", (ops), [], "bad">;',
        "BAD: opcode 0x00 is reserved (Empty of ReservedOpcodes)",
    ),
    "opcode_of_the_next_page": (
        'def BAD : FmtControl<0xff, "bad", (ops), [], "bad">;',
        "BAD: opcode 0xff is reserved (Extension of ReservedOpcodes)",
    ),
    "way_of_writing_that_is_none": (
        'def BAD : OperandKind<"bad", "smoke">;',
        "BAD: written as smoke, which is none of number, label, address register, value",
    ),
    "kind_of_an_operand_twice": ('def BAD : OperandKind<"sum", "value">;', "same name as "),
    "role_that_is_none": (
        'def BAD : Holds<"ra"> { let Role = "Third"; }\ndef BADKind : OperandKind<"bad", "value", [BAD]>;',
        "BAD: role Third is none of Source, SecondSource, Destination",
    ),
    "step_of_zero": (
        'def BAD : Holds<"ra"> { let Step = 0; }\ndef BADKind : OperandKind<"bad", "value", [BAD]>;',
        "BAD: step 0 is not positive",
    ),
    "forbidden_code_beyond_the_mask": (
        'def BAD : Holds<"n"> { let Forbidden = [64]; }\ndef BADKind : OperandKind<"bad", "value", [BAD]>;',
        "BAD: codes of 64 and more cannot be forbidden one by one",
    ),
    "contents_beyond_their_field": (
        'def Wide : Holds<"rd"> { let High = 16; }\ndef KindWide : OperandKind<"wide", "value", [Wide]>;\n'
        'def WideDst : Operand<KindWide, ["rd", "sb", "ss"], "wide">;\nlet ks = 0 in '
        + VECTOR.format(opcode="0xf0", operands="ops WideDst:$dst, Sum:$src", path="(L0 Xor, B, W)"),
        "operand dst: what field rd of 4 bits may hold does not fit it: 0..16",
    ),
    "contents_of_nothing": (
        'def Less : Holds<"rd"> { let Low = 3; let High = 3; let Forbidden = [3]; }\n'
        'def KindLess : OperandKind<"less", "value", [Less]>;\n'
        'def LessDst : Operand<KindLess, ["rd", "sb", "ss"], "less">;\nlet ks = 0 in '
        + VECTOR.format(opcode="0xf0", operands="ops LessDst:$dst, Sum:$src", path="(L0 Xor, B, W)"),
        "operand dst: what field rd of 4 bits may hold is nothing",
    ),
    "range_of_a_slot": (
        'def Part : Holds<"ss"> { let High = 255; }\ndef KindPart : OperandKind<"part", "value", [Part]>;\n'
        'def PartDst : Operand<KindPart, ["rd", "sb", "ss"], "part">;\nlet ks = 0 in '
        + VECTOR.format(opcode="0xf0", operands="ops PartDst:$dst, Sum:$src", path="(L0 Xor, B, W)"),
        "operand dst: what field ss of 9 bits may hold is not a range: it is a memory slot",
    ),
    "formula_without_a_port": (
        'def BAD : Function<Logic, 9, "bad", 1, "x ^ {y} ^ {z}">;',
        "BAD: the formula has a place {z}, the function no such port",
    ),
    "port_without_a_place": (
        'def BAD : Function<Logic, 9, "bad", 2, "x ^ {y}">;',
        "BAD: the formula lacks a place for the input at port z",
    ),
    "formula_with_a_word_in_braces": (
        'def BAD : Function<Logic, 9, "bad", 1, "x ^ {yes}">;',
        "BAD: braces of `x ^ {yes}` are not places such as {y} or { ^ y}",
    ),
    "formula_without_its_immediate": (
        'let Immediate = 1 in def BAD : Function<Logic, 9, "bad", 0, "x">;',
        "BAD: the formula lacks the immediate n",
    ),
    "formula_of_a_pair_without_partner": (
        'def BAD : Function<Pairing, 9, "bad", 0, "(x, x)">;',
        "BAD: the formula lacks a place for the input at port p",
    ),
    "no_group": (
        "let ks = 0 in " + VECTOR.format(opcode="0x3f", operands="ops Dst:$dst, Sum:$src", path="(L0 And, B, W)"),
        "no group; put `let Group = ... in` around it",
    ),
    "no_extension": (
        "let Group = MoveInsns, ks = 0 in "
        + VECTOR.format(opcode="0x3f", operands="ops Dst:$dst, Sum:$src", path="(L0 And, B, W)"),
        "no extension; put `let Extension = ... in` around it",
    ),
    "opcode_of_extensions_from_outside": (
        "let Group = MoveInsns, Extension = BaseExtension, ks = 0 in "
        + VECTOR.format(opcode="0xe0", operands="ops Dst:$dst, Sum:$src", path="(L0 And, B, W)"),
        "BAD: an extension here has none of opcodes 0xe0 to 0xfe",
    ),
    "group_called_as_an_instruction": (
        'def BAD : InsnGroup<"xor", "bad">;',
        "a group is called as an instruction, xor",
    ),
    "neither_formula_nor_remark": (
        'def BAD : ControlFunction<CC, 5, "bad", "">;',
        "BAD: neither formula nor remark",
    ),
}


MORE = pytest.mark.nightly("two of three reasons to refuse a record, each a test of the generator alone")


@pytest.mark.parametrize("reason", sampled(REFUSED, 3, MORE))
def test_a_bad_record_is_refused_with_its_place(reason: str, tmp_path: Path) -> None:
    record, message = REFUSED[reason]
    findings = refusal(tmp_path, record + "\n")
    assert message in findings
    assert "BAD" in findings
    assert all(re.match(r"\S+\.td:\d+: \w+: ", line) for line in findings.splitlines())
    if message.startswith("same"):
        assert re.search(message + r"\w+ \(\S+\.td:\d+\)", findings)


def test_accepts_the_copy_without_a_bad_record(tmp_path: Path) -> None:
    run = isagen(described(tmp_path, ""))
    assert (run.returncode, run.stderr) == (0, "")


def test_all_findings_are_reported_in_one_run(tmp_path: Path) -> None:
    records = [
        REFUSED[r][0].replace("BAD", f"BAD{n}") for n, r in enumerate(["block_used_twice", "block_out_of_order"])
    ]
    findings = refusal(tmp_path, "\n".join(records))
    assert "BAD0" in findings and "BAD1" in findings


def test_syntax_error_keeps_tablegens_message(tmp_path: Path) -> None:
    assert "added.td:1" in refusal(tmp_path, "def X : ;\n")


def test_missing_tool_names_the_remedy(tmp_path: Path) -> None:
    run = isagen(described(tmp_path, ""), "--tblgen", "no-such-tblgen")
    assert run.returncode == 1 and "llvm-19" in run.stderr


def test_old_tool_names_the_remedy(tmp_path: Path) -> None:
    old = tmp_path / "old-tblgen"
    old.write_text("#!/bin/sh\necho 'Debian LLVM version 14.0.6'\n")
    old.chmod(0o755)
    run = isagen(described(tmp_path, ""), "--tblgen", str(old))
    assert run.returncode == 1 and "14.0.6" in run.stderr and "llvm-19" in run.stderr
