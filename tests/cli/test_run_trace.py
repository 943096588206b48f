"""`lutra run --trace`: what a line has, which lines are written, and as what."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

import lutra.iss.engine
from lutra.cli import trace as tracing
from support.cli import Lutra

ENGINES = lutra.engine.names()
KEY = bytes(range(16)).hex()

SOURCE = """\
        .section m0
        .org    0x20
key:    .row    "000102030405060708090a0b0c0d0e0f"
next:   .zero   16

        .section text
        .global main, sum
main:   mov     v0, m0[key]
        mov     v1, m0[next + 16]
        arset   ar1, 0x100
        repeat  3, last
        xor     m3[ar1++], v0, m2[ar0++]
last:   nop
        call    sum
        jmp     sum + 2
sum:    cmp     v0, v1
        ret
        bf      main
        ret
"""


@pytest.fixture
def source(folder: Path) -> Path:
    """A loop and a routine, and a trap at the end."""
    Path("sum.s").write_text(SOURCE)
    return Path("sum.s")


def traced(lutra: Lutra, *options: object) -> list[str]:
    result = lutra("run", "sum.s", "--trace", "trace", *options)
    assert result.failure.startswith("trap at pc 0x000b, sum.s:19: call-stack-underflow")
    return Path("trace").read_text().splitlines()


@pytest.mark.parametrize("engine", ENGINES)
def test_a_line_has_place_names_inputs_and_effects(engine: str, lutra: Lutra, source: Path) -> None:
    lines = traced(lutra, "--engine", engine, "--load", f"m2@0x10=hex:{'a1' * 16}")
    fields = [re.split(r"  +", line.strip()) for line in lines]
    assert fields[0] == ["7", "0000", "mov v0, m0[key]", "sum.s:8 main", f"m0[0x0020]={KEY} -> data@0x0020 rd:v0={KEY}"]
    assert fields[1][2:4] == ["mov v1, m0[next+0x10]", "sum.s:9 main+1"]
    assert fields[3][2:] == ["repeat 3, last", "sum.s:11 main+3", "-> loop=1,3"]
    second = next(f for f in fields if f[3:4] == ["sum.s:12 main+4"] and "m2[0x0010]" in f[4])
    result = bytes(0xA1 ^ n for n in range(16)).hex()
    assert second[4] == (
        f"v0={KEY} m2[0x0010]={'a1' * 16} -> data@0x0010 store:m3[0x0110]={result} ar:ar0=0x0020,ar1=0x0120 loop=1,1"
    )
    compared = next(f for f in fields if f[2].startswith("cmp"))
    assert compared[3:] == ["sum.s:16 sum", f"v0={KEY} v1={'00' * 16} -> flag=0 calls=1"]
    assert next(f for f in fields if f[2].startswith("bf"))[2:] == ["bf main", "sum.s:18 sum+2", "flag=0"]
    assert fields[-1][2:] == ["ret", "sum.s:19 sum+3", "-> trap=call-stack-underflow"]


def test_the_engines_write_the_same_trace(lutra: Lutra, source: Path) -> None:
    assert traced(lutra, "--engine", "iss") == traced(lutra, "--engine", "rtl") == traced(lutra, "--engine", "cosim")


def test_a_trace_goes_on_with_the_next_entry_and_after_waits(lutra: Lutra, folder: Path) -> None:
    Path("two.s").write_text(" .global a, b\na: arset ar1, 5\n wait\n halt\nb: artov v0, ar1\n halt\n")
    result = lutra("run", "two.s", "--entry", "a", "--entry", "b", "--resume", "--trace", "trace")
    assert result.code == 0, result.err
    lines = Path("trace").read_text().splitlines()
    assert [line.split()[2] for line in lines] == ["arset", "wait", "halt", "artov", "halt"]
    assert "ar1=0x0005 -> " in lines[3]


def test_a_trace_begins_at_a_label_or_an_address(lutra: Lutra, source: Path) -> None:
    every = traced(lutra)
    begin = next(n for n, line in enumerate(every) if " sum.s:16 sum " in line)
    assert traced(lutra, "--trace-from", "sum") == every[begin:]
    assert traced(lutra, "--trace-from", "0x0008") == every[begin:]
    assert traced(lutra, "--trace-from", "main+0x8") == every[begin:]
    assert traced(lutra, "--trace-from", "1023") == []


@pytest.mark.parametrize(
    ("pattern", "count"),
    [(r"sum\.s:12 ", 3), (r"ar1=0x01[12]0", 2), (r"^ *\d+  000[01] ", 2), (r" sum(\+\d)? ", 5), ("nothing", 0)],
)
def test_a_trace_has_the_lines_that_match(pattern: str, count: int, lutra: Lutra, source: Path) -> None:
    every = traced(lutra)
    chosen = traced(lutra, "--trace-only", pattern)
    assert chosen == [line for line in every if re.search(pattern, line)]
    assert len(chosen) == count


@pytest.mark.parametrize("engine", ENGINES)
def test_a_trace_has_no_more_lines_than_asked_for_and_the_run_goes_on(engine: str, lutra: Lutra, elf: Path) -> None:
    run = ["run", elf, "--entry", "spin", "--max-cycles", 5000, "--engine", engine, "--trace", "trace", "--trace-limit"]
    result = lutra(*run, 7, "--json")
    assert (result.json["state"], result.json["cycles"] >= 5000) == ("running", True)
    assert len(Path("trace").read_text().splitlines()) == 7


def test_a_trace_without_a_limit_ends_with_a_note(lutra: Lutra, elf: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tracing, "LINES", 7)
    run = ["run", elf, "--entry", "spin", "--max-cycles", 5000, "--trace", "trace"]
    result = lutra(*run)
    assert "note: trace ends after 7 lines; set another number with --trace-limit" in result.err
    assert len(Path("trace").read_text().splitlines()) == 7
    assert "note:" not in lutra(*run, "--trace-limit", 7).err


def test_from_only_and_limit_work_together(lutra: Lutra, source: Path) -> None:
    every = traced(lutra)
    options = ["--trace-from", "sum", "--trace-only", "ret", "--trace-limit", 1]
    assert traced(lutra, *options) == [next(line for line in every if " ret " in line)]


def test_json_lines_have_what_the_text_has(lutra: Lutra, source: Path) -> None:
    text = traced(lutra, "--trace-only", r"sum\.s:12 ")
    documents = [json.loads(line) for line in traced(lutra, "--trace-only", r"sum\.s:12 ", "--trace-format", "jsonl")]
    assert len(documents) == len(text) == 3
    for line, document in zip(text, documents, strict=True):
        assert (document["source"], document["label"], document["pc"]) == ("sum.s:12", "main+4", 4)
        assert line.split()[0] == str(document["cycle"])
        assert document["instruction"] in line
        assert all(f"{name}={value}" in line for name, value in document["inputs"].items())
        assert line.endswith("-> " + " ".join(document["effects"]))
    fields = documents[0]["fields"]
    assert (fields["store_value"], fields["store_address"]) == (KEY, 0x100)
    assert fields["ar_value"] == {"0": 0x10, "1": 0x110}


def test_a_trace_to_standard_output_is_alone_there(lutra: Lutra, source: Path) -> None:
    every = traced(lutra)
    result = lutra("run", "sum.s", "--trace", "-")
    assert result.out.splitlines() == every
    halted = lutra("run", "sum.s", "--trace", "-", "--entry", "sum", "--max-cycles", 7)
    assert len(halted.out.splitlines()) == 1
    assert not Path("-").exists()


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        (["--trace", "-", "--json"], "--json and --trace would both write to standard output; give one of them a file"),
        (["--trace-from", "main"], "--trace-from works only with --trace FILE; give that too"),
        (["--trace-to", "main"], "--trace-to works only with --trace FILE; give that too"),
        (["--trace-only", "x"], "--trace-only works only with --trace FILE; give that too"),
        (["--trace-limit", "1"], "--trace-limit works only with --trace FILE; give that too"),
        (["--trace-format", "jsonl"], "--trace-format works only with --trace FILE; give that too"),
        (["--trace", "t", "--trace-from", "mian"], "--trace-from: the image has no program label mian"),
        (["--trace", "t", "--trace-only", "("], "--trace-only (: not a regular expression: missing ), unterminated"),
        (["--trace", "t", "--trace-limit", "0"], "--trace-limit"),
        (["--trace", "t", "--trace-format", "xml"], "'xml' is not one of 'text', 'jsonl'"),
    ],
)
def test_wrong_options_of_a_trace_are_usage(arguments: list[str], text: str, lutra: Lutra, source: Path) -> None:
    result = lutra("run", "sum.s", *arguments)
    assert (result.code, text in result.error) == (2, True), result.err
    assert not Path("t").exists()


MACRO = """\
        .macro  add reg
        xor     \\reg, \\reg, v1
        .endm
        .macro  twice reg
        add     \\reg
        .endm
        .global main
main:   twice   v0
        twice   v2
        ret
"""


@pytest.mark.parametrize("suffix", ["s", "elf"])
def test_an_instruction_of_a_macro_has_the_outermost_call_and_its_own_line(suffix: str, lutra: Lutra) -> None:
    Path("m.s").write_text(MACRO)
    assert lutra("asm", "m.s", "-o", "m.elf").code == 0
    lutra("run", f"m.{suffix}", "--trace", "trace")
    places = [re.split(r"  +", line.strip())[3] for line in Path("trace").read_text().splitlines()]
    assert places == ["m.s:8 > m.s:2 main", "m.s:9 > m.s:2 main+1", "m.s:10 main+2"]
    lutra("run", f"m.{suffix}", "--trace", "trace", "--trace-format", "jsonl")
    documents = [json.loads(line) for line in Path("trace").read_text().splitlines()]
    assert [d["source"] for d in documents] == ["m.s:8", "m.s:9", "m.s:10"]
    assert [d["chain"] for d in documents] == [["m.s:2", "m.s:5", "m.s:8"], ["m.s:2", "m.s:5", "m.s:9"], ["m.s:10"]]


def test_disassembly_of_a_macro_has_the_outermost_call_and_its_own_line(lutra: Lutra) -> None:
    Path("m.s").write_text(MACRO)
    assert lutra("asm", "m.s", "-o", "m.elf").code == 0
    places = [line.partition("// ")[2] for line in lutra("objdump", "-d", "m.elf").out.splitlines() if "//" in line]
    assert places == ["m.s:8 > m.s:2", "m.s:9 > m.s:2", "m.s:10"]


def test_a_trap_in_a_macro_names_the_outermost_call_and_its_own_line(lutra: Lutra) -> None:
    Path("m.s").write_text(".macro leave\n ret\n.endm\n nop\n leave\n")
    result = lutra("run", "m.s")
    assert result.failure.startswith("trap at pc 0x0001, m.s:5 > m.s:2: call-stack-underflow")
    assert lutra("run", "m.s", "--json").json["source"] == "m.s:5"


def test_a_trace_ends_after_a_label_and_begins_and_ends_at_cycles(lutra: Lutra, source: Path) -> None:
    every = traced(lutra)
    end = next(n for n, line in enumerate(every) if " sum.s:16 sum " in line)
    assert traced(lutra, "--trace-to", "sum") == every[: end + 1]
    assert traced(lutra, "--trace-from", "main+2", "--trace-to", "main+3") == every[2:4]
    cycles = [int(line.split()[0]) for line in every]
    begun = [line for line, cycle in zip(every, cycles, strict=True) if cycle >= 9]
    assert traced(lutra, "--trace-from", "cycle:9") == begun
    # The loop of one instruction is entered a cycle later: none retires in cycle 11, and the next one is meant.
    assert [cycle for cycle in cycles if 9 <= cycle <= 13] == [9, 10, 12, 13]
    for end_cycle, last in ((10, 10), (11, 12), (12, 12)):
        assert traced(lutra, "--trace-from", "cycle:9", "--trace-to", f"cycle:{end_cycle}") == [
            line for line, cycle in zip(every, cycles, strict=True) if 9 <= cycle <= last
        ]
    # The end is looked for from the begin on, and this one is not met any more.
    begin = next(n for n, line in enumerate(every) if " sum.s:13 " in line)
    assert traced(lutra, "--trace-from", "last", "--trace-to", "main+1") == every[begin:]


@pytest.mark.parametrize(("option", "text"), [("--trace-from", "cycle:x"), ("--trace-to", "cycle:")])
def test_a_cycle_of_a_trace_is_a_number(option: str, text: str, lutra: Lutra, source: Path) -> None:
    result = lutra("run", source, "--trace", "t", option, text)
    assert result.code == 2
    assert result.error.startswith(f"{option}: '{text.partition(':')[2]}' is not a number")
