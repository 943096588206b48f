"""The description grows by records: what CONTRIBUTING.md says of the places to touch, on a copy with more records."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ISA = Path(__file__).parents[2] / "isa"
NEW_INSTRUCTION = """
let Group = GenericInsns, Extension = BaseExtension, ks = 0 in
def NEW : FmtVector<0x3f, "nandrot", (ops Dst:$dst, Sum:$src), [(L0 And, B, W), (X1 ShiftRows), (L2 Xor)], "new">;
"""
NEW_KIND = """
def HoldsQuad : Holds<"n"> { let Low = 1; let High = 13; let Step = 4; let Forbidden = [5]; }
def KindQuad  : OperandKind<"quad", "value", [HoldsQuad]>;
def Quad      : Operand<KindQuad, ["n"], "a quad">;
let Group = GenericInsns, Extension = BaseExtension, ks = 0, rb = ZERO.Code, w = 0 in
def NEW : FmtVectorImm<0x3f, "quadcast", (ops Dst:$dst, SrcA:$a, Quad:$n), [(X1 Broadcast, N)], "new">;
"""


@pytest.fixture
def grown(tmp_path: Path, request: pytest.FixtureRequest) -> Path:
    """Generated files of the description with more records."""
    for file in ISA.glob("*.td"):
        shutil.copy(file, tmp_path)
    with (tmp_path / "lutra.td").open("a") as top:
        top.write(request.param)
    out = tmp_path / "out"
    run = subprocess.run(
        [sys.executable, "-m", "isagen", "--td", str(tmp_path / "lutra.td"), "--out", str(out)],
        capture_output=True,
        text=True,
        check=False,
        env=os.environ | {"PYTHONPATH": str(ISA)},
    )
    assert (run.returncode, run.stderr) == (0, "")
    return out


def test_an_operand_of_an_extension_goes_with_it(tmp_path: Path) -> None:
    for file in ISA.glob("*.td"):
        shutil.copy(file, tmp_path)
    operand = (
        'def Turn : Operand<KindNumber, ["n"], "x"> { let Optional = 1; let High = 7; let Extension = AesExtension; }'
    )
    insn = NEW_INSTRUCTION.replace("FmtVector<", "FmtVectorImm<").replace("Sum:$src)", "Sum:$src, Turn:$turn)")
    with (tmp_path / "lutra.td").open("a") as top:
        top.write(f"{operand}\n{insn}")
    chosen = tmp_path / "mine.toml"
    fields = []
    for extensions in ('["base"]', '["base", "aes"]'):
        chosen.write_text(f'text = "mine"\nextensions = {extensions}\nrounds = [1, 2]\ncontexts = 1\n')
        command = [sys.executable, "-m", "isagen", "--td", str(tmp_path / "lutra.td"), "--configuration", str(chosen)]
        environment = os.environ | {"PYTHONPATH": str(ISA)}
        subprocess.run([*command, "--out", str(tmp_path / "out")], check=True, env=environment)
        data = json.loads((tmp_path / "out/python/lutra/isa/tables.json").read_text())
        insn_of = {i["name"]: i for i in data["instructions"]}
        fields.append(("n" in insn_of["NEW"]["fields"], insn_of["NEW"]["mask"] & 0xF, len(insn_of["NEW"]["operands"])))
    assert fields == [(False, 0xF, 2), (True, 0, 3)]


def python(grown: Path, code: str) -> subprocess.CompletedProcess[str]:
    """A program that sees the grown instruction set."""
    tables = grown / "python" / "lutra" / "isa" / "tables.json"
    environment = os.environ | {"LUTRA_ISA_TABLES": str(tables)}
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, env=environment)


def row(text: str, opcode: int) -> str:
    """An opcode's row of the generated decoder."""
    start = text.index(f"8'h{opcode:02x}: begin")
    return text[start : text.index("      end\n", start)]


@pytest.mark.parametrize("grown", [NEW_INSTRUCTION], indirect=True)
def test_an_instruction_is_one_record(grown: Path) -> None:
    code = """
from lutra.asm import assemble_text, disassemble
from lutra.isa import reference
word = assemble_text("nandrot {v3, m2[ar1++]}, v1 ^ m3[0x20] ^ wk").program[0]
print(hex(word >> 56), disassemble(word))
print(reference("nandrot"))
"""
    run = python(grown, code)
    assert run.stdout.startswith("0x3f nandrot {v3, m2[ar1++]}, v1 ^ m3[0x20] ^ wk\n"), run.stderr
    assert "(x & b) ^ w" in run.stdout and "ShiftRows(x); FIPS 197 5.1.2" in run.stdout
    decoder = row((grown / "sv" / "lutra_decoder.sv").read_text(), 0x3F)
    assert "ctl.l0 = LogicAnd;" in decoder and "ctl.half2 = 1'b1;" in decoder and "ROUNDS_PER_INSTR < 2" in decoder
    executor = (grown / "cpp" / "lutra_exec.inc").read_text()
    assert "X(NEW)" in executor and "fn::logic_and(x, o.b, o.w)" in executor
    assert ".op = Op::NEW" in (grown / "cpp" / "lutra_isa.hpp").read_text()
    points = json.loads((grown / "python" / "lutra" / "isa" / "coverage.json").read_text())["points"]
    assert all("NEW" in d["labels"] for p in points for d in p["dimensions"] if d["name"] == "instruction")


@pytest.mark.parametrize("grown", [NEW_KIND], indirect=True)
def test_what_a_new_kind_may_hold_is_checked_by_both_decoders(grown: Path) -> None:
    decoder = row((grown / "sv" / "lutra_decoder.sv").read_text(), 0x3F)
    for condition in ("< 4'd1", "> 4'd13", "(insn_i[3:0] - 4'd1) % 4'd4 != '0", "insn_i[3:0] == 4'd5"):
        assert condition in decoder
    table = (grown / "cpp" / "lutra_isa.hpp").read_text()
    assert ".n = {.bits = {0, 4}, .low = 0x1, .high = 0xd, .step = 0x4, .forbidden = 0x20}" in table
    run = python(grown, "from lutra.isa import load; print(load().lookup('quadcast')[0].facts.holds('n').codes)")
    assert run.stdout == "[1, 9, 13]\n", run.stderr


@pytest.mark.parametrize("grown", [NEW_KIND], indirect=True)
def test_a_kind_that_the_assembler_lacks_is_named(grown: Path) -> None:
    run = python(grown, "from lutra.asm import assemble_text; assemble_text('nop')")
    assert "operand kinds unknown to the assembler: quad" in run.stderr


def test_the_table_of_places_has_all_kinds_of_change() -> None:
    text = (ISA.parent / "CONTRIBUTING.md").read_text().partition("## Checklists")[2]
    rows = [line.split("|")[1:3] for line in text.splitlines() if line.startswith("| ")]
    places = {name.strip(): int(count) for name, count in rows if count.strip().isdigit()}
    assert places == {
        "instruction from existing functions": 1,
        "block function": 6,
        "operand kind": 4,
        "hazard": 2,
        "addressing delta": 3,
        "register of the programmer's model": 3,
        "retirement field": 3,
    }


def test_no_line_of_the_description_is_too_long_to_read() -> None:
    lines = [line for file in ISA.glob("*.td") for line in file.read_text().splitlines()]
    assert max(map(len, lines)) <= 160
