"""Registers that are not set, unreachable instructions, results that are overwritten: found, and not found.

That all firmware of the project is free of them is in test_checks.py; that of the documents in tests/docs.
"""

from __future__ import annotations

from pathlib import Path

import pytest

import lutra
from lutra.asm import Diagnostic, assemble, assemble_text
from lutra.asm.analysis.graph import Graph
from lutra.asm.analysis.lengths import Job, fitted
from lutra.asm.analysis.uses import effects
from lutra.cosim.runner import prepare
from lutra.firmware.manifest import assembled
from lutra.firmware.testing.observe import written
from lutra.random import STRUCTURED, Generator
from support.firmware import IMPLEMENTATIONS, RUN_ONLY

START = ".global start\nstart: "


def findings(text: str, name: str) -> tuple[Diagnostic, ...]:
    """Findings of a check in a text."""
    return assemble_text(text, "x.s", warnings=["no-all", name]).warnings


def places(text: str, name: str) -> list[str]:
    """The same, as `line:column message`."""
    return [f"{d.line}:{d.column} {d.message}" for d in findings(text, name)]


UNSET = [
    # Vectors, the counter and the key, the flag, address registers and what belongs to them.
    ("mov m3[0], v1\nhalt", ["2:20 v1 is read before it is set, on a path from 'start'"]),
    ("xor v0, v2, v2\nhalt", ["2:20 v2 is read before it is set, on a path from 'start'"]),
    ("mov v0, zero ^ wk\nhalt", ["2:24 wk is read before it is set, on a path from 'start'"]),
    ("bf l\nl: halt", ["2:8 flag is read before it is set, on a path from 'start'"]),
    (
        "cmp v0, v1\nhalt",
        [f"2:{c} v{n} is read before it is set, on a path from 'start'" for n, c in ((0, 12), (1, 16))],
    ),
    ("camw {v0, v1}, zero\nmov v2, v1\nhalt", []),
    ("mov ctr, zero\nctrw 128\nmov v0, ctr++\nhalt", []),
    ("mov ctr, zero\nmov v0, ctr++\nhalt", ["3:9 the width of ctr is read before it is set, on a path from 'start'"]),
    ("cam2 {v0, v1}, v0, v1, m0:m1[0], {hold, ctr++}\nhalt", 3),
    # On one of two ways.
    ("mov v0, zero\ncmp v0, v0\nbf l\nmov v1, zero\nl: mov m3[0], v1\nhalt", 1),
    ("mov v0, zero\ncmp v0, v0\nbf l\nmov v1, zero\njmp m\nl: mov v1, v0\nm: mov m3[0], v1\nhalt", []),
    # A loop that may have no turn sets nothing for what follows it.
    ("vtoar ar0, m1[0], 7\nrepeat ar0, l\nmov v1, zero\nl: mov m3[0], v1\nhalt", 1),
    ("repeat 2, l\nmov v1, zero\nl: mov m3[0], v1\nhalt", []),
    ("repeat 3, l\nmov v0, v1\nmov v1, zero\nl: halt", 1),
    # What a routine sets is set after its call, and what is set at all its calls is set in it.
    ("call r\nmov m3[0], v1\nhalt\nr: mov v1, zero\nret", []),
    ("call r\nhalt\nr: mov m3[0], v1\nret", 1),
    ("mov v1, zero\ncall r\nhalt\nr: mov m3[0], v1\nret", []),
    ("call r\nmov v1, zero\ncall r\nhalt\nr: mov m3[0], v1\nret", 1),
    ("call r\nmov m3[0], v1\nhalt\nr: bz ar0, s\nmov v1, zero\ns: ret", 2),
    ("call r\nmov m3[0], v1\nhalt\nr: call s\nret\ns: mov v1, zero\nret", []),
    # What was read is known, and said once.
    ("mov m3[0], v1\nmov m3[16], v1\nhalt", 1),
    # An address register is said rather than what belongs to it; that of a slot is read, too.
    ("mov v0, m2[ar3++]\nhalt", ["2:19 ar3 is read before it is set, on a path from 'start'"]),
    ("mov v0, m2[ar3+=s%]\nhalt", ["2:19 ar3 is read before it is set, on a path from 'start'"]),
    (
        "arset ar3, 0\nmov v0, m2[ar3+=s]\nhalt",
        ["3:12 the step of ar3 is read before it is set, on a path from 'start'"],
    ),
    ("arset ar3, 0\narstep ar3, 16\nmov v0, m2[ar3-=s%]\nhalt", 1),
    ("arset ar3, 0\narstep ar3, 16\narwin ar3, 0, 64\nmov v0, m2[ar3+=s%]\nhalt", []),
    # Contexts keep what an earlier entry has left there.
    ("snowx m3[0], c0, c0\nhalt", []),
    # Zero is a value, and what only the encoding names is not read.
    ("mov v0, zero\nbcast v1, v0, 3\nhalt", []),
]


@pytest.mark.parametrize(("body", "expected"), UNSET)
def test_a_register_that_is_read_before_it_is_set_is_found(body: str, expected: list[str] | int) -> None:
    found = places(f"{START}nop\n{body}\n.global other\nother: halt".replace("nop\n", "", 1), "unset-register")
    if isinstance(expected, int):
        assert len(found) == expected
    else:
        assert [text.split(" ", 1)[1] for text in found] == [text.split(" ", 1)[1] for text in expected]


def test_an_unset_register_is_shown_where_it_stands_with_a_way_out() -> None:
    (found,) = findings(".global start, other\nother: halt\nstart:\tmov\tm3[0], v1 // c", "unset-register")
    assert found.render() == (
        "x.s:3:19: warning: v1 is read before it is set, on a path from 'start' [unset-register]\n"
        "    start:\tmov\tm3[0], v1 // c\n"
        "          \t   \t       ^~\n"
        "    hint: set it on every path to here, or name it in Inputs of the header of 'start'"
    )


def test_after_a_reset_address_registers_are_zero_and_vectors_are_not_meant() -> None:
    """A program with one start begins after a reset; of several, one runs after another."""
    assert places(f"{START}mov v0, m2[ar0++]\nhalt", "unset-register") == []
    assert len(places(f"{START}mov v0, m2[ar0++]\nhalt\n.global b\nb: halt", "unset-register")) == 1
    assert len(places(f"{START}mov v0, m2[ar0++]\ncall r\nhalt\n.global r\nr: ret", "unset-register")) == 0
    assert len(places(f"{START}mov m3[0], v0\nhalt", "unset-register")) == 1


def test_a_program_that_names_no_start_is_taken_as_it_is() -> None:
    assert places("mov m3[0], v0\nhalt", "unset-register") == []
    assert len(places("mov m3[0], v0\nhalt\n.entry l\nl: jmp 0", "unset-register")) == 1


def test_a_word_that_traps_is_no_finding_and_no_traceback() -> None:
    for word in (0, 0x2803_0000_0000_0000, 0x20C8_0000_8000_0000, (1 << 64) - 1):
        assemble_text(f"{START}.insn {word:#x}\nhalt", warnings=["all"])


def test_the_inputs_of_a_header_are_set() -> None:
    header = "// start: P.\n//\n// Inputs:   v1, P in m2\n// Outputs:  m3\n"
    text = ".global start, other\nother: halt\n{}start: mov m3[0], v1\nmov m3[16], v2\nhalt"
    assert [d.line for d in findings(text.format(header), "unset-register")] == [8]
    assert [d.line for d in findings(text.format(""), "unset-register")] == [3, 4]


def test_a_routine_that_returns_is_not_started_by_the_host() -> None:
    assert places(".global r\nr: mov m3[0], v1\nret", "unset-register") == []


UNREACHABLE = [
    ("halt\nnop\nhalt", ["2:1 this instruction and the 1 after it cannot be reached"]),
    ("jmp l\nnop\nl: halt", ["2:1 this instruction cannot be reached"]),
    ("call r\nhalt\nr: ret\nnop", ["4:1 this instruction cannot be reached"]),
    (".global a\na: halt\nb: nop\nhalt", ["3:4 this instruction and the 1 after it cannot be reached"]),
    (".global a, b\na: halt\nb: nop\nhalt", []),
    ("l: jmp l\nnop", ["2:1 this instruction cannot be reached"]),
    ("bz ar0, l\nhalt\nl: halt", []),
    # The start of an image is one, whatever is global.
    ("call r\nhalt\n.global r\nr: ret", []),
    # A loop of no turn may have a count that is a symbol; what is not an instruction may be data.
    ("repeat 0, l\nnop\nl: halt", []),
    ("halt\n.insn 0x1234", []),
    ("halt\n.macro m\nnop\n.endm\nm\nm", ["3:1 this instruction and the 1 after it cannot be reached"]),
    (".macro m\nhalt\n.endm\nm\nm", []),  # one of them is the end
]


@pytest.mark.parametrize(("text", "expected"), UNREACHABLE)
def test_instructions_that_nothing_leads_to_are_found(text: str, expected: list[str]) -> None:
    assert places(text, "unreachable") == expected


def test_what_an_included_file_has_for_others_is_no_finding(tmp_path: Path) -> None:
    (tmp_path / "common.inc").write_text("one: mov v0, zero\nret\ntwo: mov v1, zero\nret\n")
    (tmp_path / "a.s").write_text('call one\nhalt\n.include "common.inc"\n')
    assert assemble([tmp_path / "a.s"]).warnings == ()


OVERWRITTEN = [
    ("mov v0, zero\nmov v0, m2[0]\nhalt", ["1:1 v0 is overwritten before it is read"]),
    ("mov v0, zero\nmov v0, v0\nhalt", []),
    ("mov v0, zero\nhalt", []),  # the host may look at it
    ("arset ar0, 1\narset ar0, 2\nhalt", ["1:1 ar0 is overwritten before it is read"]),
    ("arstep ar0, 1\narstep ar0, 2\nhalt", ["1:1 ar0.step is overwritten before it is read"]),
    ("cmp v0, v1\ncmp v0, v2\nbf l\nl: halt", ["1:1 flag is overwritten before it is read"]),
    # On all ways, or not.
    ("mov v0, zero\nbz ar0, l\nmov v0, m2[0]\nl: halt", []),
    (
        "mov v0, zero\nbz ar0, l\nmov v0, m2[0]\nhalt\nl: mov v0, m2[16]\nhalt",
        ["1:1 v0 is overwritten before it is read"],
    ),
    ("mov v0, zero\nrepeat ar0, l\nmov m3[0], v0\nl: mov v0, zero\nhalt", []),
    # A call may read it; a routine leaves it to its caller.
    ("mov v0, zero\ncall r\nmov v0, zero\nhalt\nr: ret", []),
    ("call r\nmov v0, zero\nhalt\nr: mov v0, m2[0]\nret", []),
    # It does more than that: a pair, a parallel row, an address that moves, a clock.
    ("camw {v0, v1}, zero\nmov v0, v1\nhalt", []),
    ("mov {v0, m3[0]}, zero\nmov v0, zero\nhalt", []),
    ("mov v0, m2[ar0++]\nmov v0, m2[ar0++]\nhalt", []),
    ("mov v0, ctr++\nmov v0, ctr\nhalt", []),
    ("snowx v0, c0, c0\nsnowx v0, c0, c0\nhalt", []),
    # Rows with a fixed address.
    ("mov m3[0], v0\nmov m3[0], v1\nhalt", ["1:1 m3[0] is overwritten before it is read"]),
    ("mov m3[0x10], v0\nmov v1, m3[0x10]\nmov m3[0x10], v1\nhalt", []),
    ("mov m3[0x10], v0\nmov v1, m3[ar0]\nmov m3[0x10], v1\nhalt", []),
    (
        "mov m3[0x10], v0\nmov v1, m2[ar0]\nmov m3[0x10], v1\nhalt",
        ["1:1 m3[0x10] is overwritten before it is read"],
    ),
    ("mov m0[0x10], v0\naesencf v1, v0, m0[0x10]\nmov m0[0x10], v1\nhalt", []),
    ("mov m3[0], v0\nnotify 1\nmov m3[0], v1\nhalt", []),
    ("mov m3[0], v0\nwait\nmov m3[0], v1\nhalt", []),
    ("mov m3[0], v0\nmovl m3[0], v1, 2\nhalt", []),
    ("movl m3[0], v0, 1\nmov m3[0], v1\nhalt", []),
    ("mov m3[ar0], v0\nmov m3[ar0], v1\nhalt", []),
    # Rows of tables, which any look-up may read.
    ("mov t0[0], v0\nmov t0[0], v1\nhalt", ["1:1 t0[0] is overwritten before it is read"]),
    ("mov t0[0], v0\ntbl0 v2, v1\nmov t0[0], v1\nhalt", []),
    ("mov t0[0], v0\nsnow c0\nmov t0[0], v1\nhalt", []),
    ("mov t0[0], v0\nsnow c1\nmov t0[0], v1\nhalt", ["1:1 t0[0] is overwritten before it is read"]),
    ("mov t0:t1[0], v0\nmov t0[0], v1\nhalt", []),
    ("mov t0[0], v0\nmov t0:t1[0], v1\nhalt", ["1:1 t0[0] is overwritten before it is read"]),
]


@pytest.mark.parametrize(("text", "expected"), OVERWRITTEN)
def test_results_and_rows_that_are_overwritten_unread_are_found(text: str, expected: list[str]) -> None:
    assert places(text, "overwritten") == expected


def test_a_result_that_is_overwritten_is_shown_with_what_overwrites_it() -> None:
    (found,) = findings("mov v0, zero\nnop\nmov v0, m2[0]\nhalt", "overwritten")
    assert (found.line, found.hint, found.notes) == (1, "remove it", ("x.s:3: note: overwritten here",))


MACRO = """
        .macro  step_ to
        mov     \\to, zero
        mov     \\to, m2[0]
        .endm
        .macro  last to
        mov     m3[0], \\to
        mov     \\to, zero
        .endm
        step_   v0
        last    v0
        {}
        halt
"""


def test_in_a_macro_the_line_and_the_call_are_shown() -> None:
    (found,) = findings(MACRO.format(""), "overwritten")
    assert (found.line, found.notes) == (
        3,
        ("x.s:4: note: overwritten here", "x.s:10: note: in expansion of macro 'step_'"),
    )


def test_the_last_result_of_a_macro_may_be_for_its_other_calls() -> None:
    assert [d.line for d in findings(MACRO.format("mov v0, m2[0]\nlast v0"), "overwritten")] == [3]


def test_in_a_repetition_the_turn_is_shown() -> None:
    (found,) = findings(".rept 3\nmov v0, zero\nmov v0, m2[0]\nmov m3[0], v0\n.endr\nhalt", "overwritten")[:1]
    assert (found.line, found.notes[-1]) == (2, "x.s:1: note: in repetition 0 of .rept")


@pytest.mark.parametrize("name", ["unset-register", "overwritten"])
def test_in_an_included_file_its_place_is_shown_and_the_source_can_allow_it(name: str, tmp_path: Path) -> None:
    (tmp_path / "part.inc").write_text(".global s\ns: mov m3[0], v1\n mov v2, zero\n mov v2, v1\n halt\n")
    source = tmp_path / "a.s"
    source.write_text('.include "part.inc"\n')
    (found,) = assemble([source], warnings=["no-all", name]).warnings
    line = {"unset-register": 2, "overwritten": 3}[name]
    assert (Path(found.file).name, found.line, found.notes[-1]) == (
        "part.inc",
        line,
        f"{source}:1: note: included from here",
    )
    source.write_text(f'.allow "{name}"\n.include "part.inc"\n')
    assert assemble([source], warnings=["no-all", name]).warnings == ()


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("unset-register", ".global s\ns: mov m3[0], v1\nhalt"),
        ("unreachable", "halt\nhalt"),
        ("overwritten", "mov v0, zero\nmov v0, m2[0]\nhalt"),
        ("stalls", "mov m2[0], v0\nmov v0, m2[0]\nhalt"),
    ],
)
def test_each_can_be_left_out_by_option_and_by_the_source(name: str, text: str) -> None:
    assert [d.name for d in assemble_text(text, warnings=["no-all", name]).warnings] == [name]
    assert [d for d in assemble_text(text, warnings=[f"no-{name}"]).warnings if d.name == name] == []
    assert [d for d in assemble_text(f'.allow "{name}"\n{text}', warnings=["all"]).warnings if d.name == name] == []


STALLS = [
    (
        "mov m2[0], v0\nmov v1, m2[0x100]\nhalt",
        ["2:1 5 cycles lost: m2 is read before the store in line 1 is done"],
    ),
    ("mov m2[0], v0\nmov v1, m3[0]\nhalt", []),
    ("tbl1 v0, v0\ntbl1 v1, v0\nhalt", ["2:1 1 cycle lost: v0 of line 1 is used before it is ready"]),
    ("tbl1 v0, v0\nnop\ntbl1 v1, v0\nhalt", []),
    ("repeat 3, l\ntbl1 v0, v0\nl: halt", ["2:1 1 cycle lost in each pass: v0 of line 2 is used before it is ready"]),
    ("vtoar ar1, v0, 0\nmov v1, m2[ar1]\nhalt", ["2:1 2 cycles lost: ar1 of line 1 is used before it is ready"]),
    ("mov t0[0], v0\ntbl0 v1, v1\nhalt", ["2:1 3 cycles lost: t0 is read before the store in line 1 is done"]),
    ("tbl1 v0, v0\nsnow c1\nhalt", 1),
    # A transfer costs what it costs.
    ("jmp l\nl: halt", []),
]


@pytest.mark.parametrize(("text", "expected"), STALLS)
def test_cycles_that_are_lost_are_found_with_their_reason(text: str, expected: list[str] | int) -> None:
    found = places(text, "stalls")
    assert len(found) == expected if isinstance(expected, int) else found == expected


def test_what_is_waited_for_is_shown_through_macros() -> None:
    (found,) = findings(".macro get to\ntbl1 \\to, \\to\n.endm\nget v0\nmov v1, v0\nhalt", "stalls")
    assert found.notes == ("x.s:2: note: it waits for this instruction, expanded from x.s:4",)


HEADED = """        .section m1
        .global x_length
x_length: .zero 16
        .section text
// x_run: m3[i] = m2[i], n rows.
//
// Inputs:   x_length
// Outputs:  m3
// Clobbers: {clobbers}
// Time:     constant
// Cycles:   {cycles}
        .global x_run
x_run:  vtoar   ar7, m1[x_length], 7
        arset   ar0, 0
        arset   ar1, 0
        repeat  ar7, done
        mov     m3[ar1++], m2[ar0++]
done:   halt
"""


def headed(clobbers: str = "ar0, ar1, ar7", cycles: str = "n + 13") -> list[str]:
    image = assemble_text(HEADED.format(clobbers=clobbers, cycles=cycles), "x.s")
    return [f"{d.line}:{d.column} {d.message} [{d.name}]" for d in image.warnings]


def test_a_header_that_is_right_is_no_finding() -> None:
    assert headed() == []


def test_clobbers_are_the_registers_that_the_routine_can_write() -> None:
    wrong = "9:4 Clobbers is wrong for 'x_run': it "
    assert headed("ar0, ar7") == [f"{wrong}can also write ar1 [header-clobbers]"]
    assert headed("v2, ar0, ar1, ar7") == [f"{wrong}never writes v2 [header-clobbers]"]
    assert headed("v0-v1, ar1, ar7") == [f"{wrong}can also write ar0 and it never writes v0, v1 [header-clobbers]"]


def test_cycles_are_those_of_the_schedule_for_several_lengths() -> None:
    text = "11:4 Cycles is wrong for 'x_run': it says {}; it takes {} [header-cycles]"
    assert headed(cycles="n + 12") == [text.format("n + 12, which is 13 for n = 1", 14)]
    assert headed(cycles="2n + 12") == [text.format("2n + 12, which is 16 for n = 2", 15)]
    assert headed(cycles="14") == [text.format("14 for n = 2", 15)]
    assert headed(cycles="n + 13, from 4") == []
    assert headed(cycles="as the weather") == []


def test_a_header_is_found_through_an_included_macro_and_its_family(tmp_path: Path) -> None:
    (tmp_path / "f.inc").write_text(
        "// x{bits}_run: a row.\n//\n// Inputs:   none\n// Outputs:  m3\n// Clobbers: v0, v1 (256)\n"
        "        .macro  family bits\n        .global x\\bits\\()_run\n"
        "x\\bits\\()_run: mov v0, zero\n"
        "        .if \\bits == 256\n        mov v1, zero\n        .endif\n        halt\n        .endm\n"
    )
    source = tmp_path / "a.s"
    source.write_text('.include "f.inc"\nfamily 128\nfamily 256\n')
    assert assemble([source]).warnings == ()
    (tmp_path / "f.inc").write_text((tmp_path / "f.inc").read_text().replace(", v1 (256)", ""))
    (found,) = assemble([source]).warnings
    assert (Path(found.file).name, found.line) == ("f.inc", 5)


@pytest.mark.parametrize("mode", STRUCTURED)
def test_what_words_write_is_what_the_simulator_sees(mode: str) -> None:
    generator, engine = Generator(mode=mode, rounds=2), lutra.make_engine("iss")
    for seed in range(1):
        made = generator.program(seed)
        prepare(engine, made)
        engine.start(made.base)
        for record in engine.records():
            if "trap" in record.fields:
                continue
            found = effects(record.insn)
            registers = {r for r in found.writes if "." not in r and r != "flag"} | set(found.contexts)
            assert registers == written(record.fields), hex(record.insn)
            assert ("flag" in found.writes) == ("flag_en" in record.fields)
            assert (found.store is not None) == ("store_en" in record.fields)
            assert any(r.endswith(".step") for r in found.writes) == ("step_en" in record.fields)
            assert any(r.endswith(".end") for r in found.writes) == ("window_en" in record.fields)
            assert ("ctr.width" in found.writes) == ("width_en" in record.fields)


IMAGES = {case.implementation.image.name: case.implementation.image for case in IMPLEMENTATIONS}
# Too many steps. Tests of headers count their cycles on the simulator.
LEVIATHAN = {case.entries.start for case in IMPLEMENTATIONS if case.cipher.name.startswith("leviathan-")}
LILI2 = {"lili2", "lili2_start", "lili2_port", "lili2_port_start"}
TOO_LONG = {"a51", "a51_start", "lili128", *LILI2, "kasumi_x8", *LEVIATHAN}
ALL = pytest.mark.nightly("all images, a quarter of a minute; one of five shows what the schedule follows")


@pytest.mark.parametrize("every", [5, pytest.param(1, marks=ALL)])
def test_cycles_of_all_firmware_are_counted_but_of_what_branches_on_data(every: int) -> None:
    """So that a header is compared at all; what the comparison finds would be a warning, which no firmware has."""
    left_out, asked = set[str](), set[str]()
    for source in list(IMAGES.values())[::every]:
        image = assembled(source)
        graph = Graph.of(image)
        for symbol in image.symbols:
            if symbol.is_global and symbol.space == "pm":
                asked.add(symbol.name)
                cycles = Job(graph, symbol.name, symbol.value, image).cycles(12)
                left_out |= {symbol.name} if cycles is None else set()
    # The key schedule of Blowfish is longer than what is followed.
    known = ("_verify", "_verify_x2", "_verify_mul", "_finish_decrypt", "_check", "_key")
    found = {name for name in left_out if not name.endswith(known)}
    assert found == (RUN_ONLY | TOO_LONG) & asked and RUN_ONLY & asked and TOO_LONG & asked


@pytest.mark.parametrize(
    ("routine", "formula"),
    [
        ("aes128_ecb_encrypt", "5n + 17, even n"),
        ("aes128_cbc_encrypt", "10n + 15"),
        ("aes128_cbc_decrypt", "5n + 28, even n from 4"),
        ("aes128_ofb", "10n + 20, n from 2"),
        ("aes128_key_encrypt", "71"),
    ],
)
def test_the_cycles_of_a_job_are_a_formula_of_its_length(routine: str, formula: str) -> None:
    image = assembled(IMAGES["aes"])
    assert Job(Graph.of(image), routine, image.symbol(routine).value, image).formula() == formula


def test_a_slow_routine_has_a_formula_too() -> None:
    """A long job of 900 cycles for each unit is more than what is followed to see whether a header is right."""
    row = "        mov     m3[ar1++], m2[ar0++]\n"
    slow = HEADED.replace(row, f"        repeat  900, .L_turn\n        nop\n.L_turn:\n{row}")
    image = assemble_text(slow.format(clobbers="ar0, ar1, ar7", cycles="7"), "x.s")
    assert [d.hint for d in image.warnings] == ["computed: 903n + 13"]


def test_measured_cycles_are_a_formula() -> None:
    assert fitted({0: 71}) == "71"
    assert fitted({1: 18, 2: 21, 3: 24, 256: 783}) == "3n + 15"
    assert fitted({1: 20, 2: 21, 3: 24, 4: 27}) == "3n + 15, n from 2"
    assert fitted({1: 9, 2: 239, 3: 300, 4: 463, 7: 900, 8: 911, 256: 28687}) == "112n + 15, even n"
    assert fitted({2: 239, 4: 463, 6: 687}, streams=2) == "112n + 15, even n"
    assert fitted({1: 3, 2: 5, 3: 9, 4: 17}) == ""
    assert fitted({1: 3, 2: 5}) == ""


def test_a_wrong_formula_is_reported_with_the_right_one() -> None:
    image = assemble_text(HEADED.format(clobbers="ar0, ar1, ar7", cycles="2n + 11"), "x.s")
    assert [d.hint for d in image.warnings] == ["computed: n + 13"]
