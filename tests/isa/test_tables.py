"""The tables at run time are what the generator made, and its facts are those of the description."""

from __future__ import annotations

import json
import re
from dataclasses import asdict
from pathlib import Path

import pytest

from lutra.isa import Bits, Contents, InsnFacts, IsaTablesError, Source, Version, generated, load, parse

ISA = load()


def facts(mnemonic: str) -> InsnFacts:
    insn, *_ = ISA.lookup(mnemonic)
    return insn.facts


def test_tables_come_back_as_they_were_written() -> None:
    assert parse(json.dumps({"generated": ""} | asdict(ISA))) == ISA


@pytest.mark.parametrize("change", [{"traps": "none"}, {"bits": []}, {"slot": 9}, {"machine": {"x": "1"}}])
def test_tables_of_another_version_are_refused(change: dict[str, object]) -> None:
    with pytest.raises(IsaTablesError, match="not the generated ISA tables of this version"):
        parse(json.dumps({"generated": ""} | asdict(ISA) | change))


def test_the_picture_of_the_datapath_shows_the_blocks_in_their_order() -> None:
    reference = generated("isa-reference.md").read_text()
    (line,) = (line for line in reference.splitlines() if line.startswith("`operands -> "))
    path = line.strip("`").split(" -> ")
    picture = (Path(__file__).parents[2] / "docs/dataflow.svg").read_text()
    assert [word for word in re.findall(r'"middle">([^<]+)<', picture) if word in path] == path


def test_the_reference_names_the_free_opcodes() -> None:
    said = re.search(
        r"^Free: (.*?)\. Extensions from outside .* have (\S+) to", generated("isa-reference.md").read_text(), re.M
    )
    assert said
    ranges = [[int(code, 16) for code in part.split(" to ")] for part in said[1].split(", ")]
    free = {code for ends in ranges for code in range(ends[0], ends[-1] + 1)}
    # Of all configurations; opcode 0 is not assigned.
    taken = {0, *(insn.opcode for insn in (*ISA.instructions, *ISA.absent))}
    assert free == set(range(int(said[2], 16))) - taken


def test_a_field_is_put_where_it_is_read() -> None:
    place = Bits(11, 4)
    assert (place.width, place.top) == (8, 255)
    assert place.insert(0xFFFF, 0x35) == 0xF35F
    assert place.of(0xF35F) == 0x35
    (insn,) = ISA.lookup("arshr")
    assert {name: insn.get(insn.insert(insn.match, ad=3, as_=5, n=15), name) for name in insn.fields} == {
        "ad": 3,
        "as": 5,
        "n": 15,
    }


def test_facts_of_two_rounds_with_a_sum_and_both_keys() -> None:
    f = facts("aesenc2")
    assert f.sources == (Source("ra", row=True, enters=True), Source("rb", row=True, enters=True))
    assert (f.whitening, f.key_blocks, f.data, f.store) == ((False, True), (0, 1), "source", "may")
    assert (f.destination, f.halves, f.lookups, f.two_rounds) == ("vector", (1, 2), (0, 1), True)
    assert (f.x2_ready, f.early) == (True, False)


def test_facts_of_a_pair_with_a_move() -> None:
    f = facts("cam2fl")
    assert (f.destination, f.move, f.data, f.store) == ("pair", True, "move", "move")
    assert f.source("ra") == Source("ra", row=False, enters=True)


@pytest.mark.parametrize(
    ("mnemonic", "x2_ready", "early"),
    [
        ("xor", False, False),
        ("and", False, True),
        ("cmp", False, False),
        ("vtoar", False, True),
        ("movl", False, False),
        ("add32", False, False),
        ("tbl0", False, False),
        ("perm", False, False),  # its function is parallel to the chain
        ("aesimc", True, False),  # it uses the chain of the first half
        ("aesencm", True, False),
        ("tbl1", True, False),  # it uses the second half
        ("snowx", False, False),  # its look-ups are not part of the path
        ("camw", False, True),
        ("camo", True, False),
        ("cam2", True, False),
        ("cam2fl", True, True),
    ],
)
def test_facts_of_when_sources_are_needed_and_the_result_is_ready(mnemonic: str, x2_ready: bool, early: bool) -> None:
    f = facts(mnemonic)
    assert (f.x2_ready, f.early) == (x2_ready, early)


def test_facts_of_an_address_register_as_source() -> None:
    f = facts("artov")
    assert (f.src, f.reads_address, f.writes_address, f.reads("ra"), f.halves) == (
        "FromAddress",
        True,
        False,
        False,
        (),
    )


def test_facts_of_a_row_that_is_added_to_the_result() -> None:
    assert (facts("tblp").data, facts("tblp").sources[0].row) == ("path", False)


def test_facts_of_a_store_that_must_be() -> None:
    assert (facts("movl").store, facts("movl").destination, facts("movl").holds("n")) == (
        "must",
        "",
        Contents("n", 0, 15, 1, ()),
    )


def test_facts_of_control_instructions() -> None:
    f = facts("djnz")
    assert (f.au, f.cc, f.sq, f.conditional, f.transfer) == ("AuAdd", "CcNonZero", "SqJump", True, True)
    assert f.reads_address and f.writes_address and not f.reads_flag
    assert facts("bf").reads_flag and facts("cmp").writes_flag
    assert facts("ctrw").holds("n") == Contents("n", 0, 2, 1, ())


def test_facts_of_the_stream_unit() -> None:
    assert facts("zucx").clocks and facts("zucx").context and facts("zucx").stream
    assert facts("ctxld").context and not facts("ctxld").clocks


def test_what_fields_may_hold() -> None:
    assert list(facts("cam2").holds("rd").codes) == [0, 2, 4, 6]
    row, none = ISA.vector("ROW").code, ISA.vector("NONE").code
    assert row in facts("xor").holds("ra").codes and row not in facts("tblp").holds("ra").codes
    assert ISA.vector("CTRINC").code not in facts("xor").holds("rb").codes
    assert none in facts("xor").holds("rd").codes and none not in facts("xor").holds("ra").codes
    assert 0 not in facts("crc").holds("c").codes and 0 not in facts("aesenc2").holds("ks").codes


def test_a_machine_runs_what_needs_its_version_or_an_older_one() -> None:
    machine = Version(2, 3)
    assert [machine.runs(Version(*v)) for v in ((2, 0), (2, 3), (2, 4), (1, 3), (3, 0))] == [
        True,
        True,
        False,
        False,
        False,
    ]
    assert str(ISA.version).count(".") == 1


@pytest.mark.parametrize("rounds", [2, 1])
def test_a_step_works_in_no_earlier_stage_than_the_step_before_it(rounds: int) -> None:
    numbers = {stage.name: (stage.two_rounds, stage.one_round)[2 - rounds] for stage in ISA.stages}
    for insn in ISA.instructions:
        steps = [numbers[step.stages[2 - rounds]] for step in insn.path]
        assert steps == sorted(steps), insn.name


def test_halves_share_a_stage_where_an_instruction_has_one_round() -> None:
    assert {step.stages for i in ISA.instructions for step in i.path if step.block == "T1"} == {("X2", "X1")}
    assert {step.stages for i in ISA.instructions for step in i.path if step.block == "T0"} == {("X1", "X1")}
