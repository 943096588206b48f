"""The description grows by records: what CONTRIBUTING.md says of the places to touch, on a copy with more records."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import pytest

from lutra.isa import load
from support.description import generate, generator, isagen, lint, python

ISA = Path(__file__).parents[2] / "isa"
ENDS = re.findall(r"EndpointFunction<RES, ", (ISA / "datapath.td").read_text())
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

# A path that ends in the rows of t1 which its value has, and a hazard of its own.
NEW_END = f"""
let At = StageX2 in
def Spill      : EndpointFunction<RES, {len(ENDS)}, "spill", "t1 = Scatter(t1, x, c)">;
def Spilled    : Access<"spill", TableBanks, (cell 1), [(does Spill)], "rows of t1 by a spill">;
def HazardSpill : Hazard<{len(load().stalls) - 1}, "spill", [Spilled], StageWB, [PathT1], StageT1Addr, 0,
  "a spill on its way">;
def : RetireEnable<"spill_en", Bit, "spill:t1[{{spill_rows}}]={{spill_value}}", "an entry of each lane is stored">;
let Enables = ["spill_en"] in {{
  def : RetireField<"spill_rows", Vector, "byte i is the row of lane i">;
  def : RetireField<"spill_value", Vector, "byte i is stored in lane i">;
}}
def : RetireScatter<"spill_en", Bank1, "spill_rows">;
let Group = GenericInsns, Extension = BaseExtension, ks = 0, w = 0, rd = NONE.Code, n = 0, sb = 0, ss = 0 in
def NEW : FmtVectorThird<0x3f, "spill", (ops SrcA:$rows, SrcB:$more, SrcC:$entries),
  [(L0 Xor, B), (RES Spill, C)], "new">;
"""
# It enters L1 by the port that the first change below adds it to.
NEW_SIDE = """let Made = "low_twice", Of = [K1] in
def K1L : SideOperand<"k1l", "low half of K1, twice", [1]>;
"""
USES_SIDE = """
let Group = GenericInsns, Extension = BaseExtension in
def NEW : FmtVector<0x3f, "lowkey", (ops Dst:$dst, Sum:$src, Key1:$key), [(L0 Xor, B, W), (L1 Xor, K1L)], "new">;
"""
NEW_EXTENSION = """
def NewExtension : Extension<"novelty", "what is new">;
""" + NEW_INSTRUCTION.replace("BaseExtension", "NewExtension")


@pytest.fixture(scope="module")
def grown(tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest) -> Path:
    """Generated files of the description with more records."""
    folder = tmp_path_factory.mktemp("grown")
    for file in ISA.glob("*.td"):
        shutil.copy(file, folder)
    with (folder / "lutra.td").open("a") as top:
        top.write(request.param)
    out = folder / "out"
    run = isagen(folder / "lutra.td", "--out", str(out))
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
        made = generator("--td", tmp_path / "lutra.td", "--configuration", chosen, "--out", tmp_path / "out")
        assert made.returncode == 0, made.stderr
        data = json.loads((tmp_path / "out/python/lutra/isa/tables.json").read_text())
        insn_of = {i["name"]: i for i in data["instructions"]}
        fields.append(("n" in insn_of["NEW"]["fields"], insn_of["NEW"]["mask"] & 0xF, len(insn_of["NEW"]["operands"])))
    assert fields == [(False, 0xF, 2), (True, 0, 3)]


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


def test_a_path_end_is_its_records_to_all_that_is_generated(tmp_path: Path) -> None:
    made = generate(tmp_path, NEW_END)
    assert (made.returncode, made.stderr) == (0, "")
    out = tmp_path / "gen"
    assert "ctl.res = ResSpill;" in row((out / "sv/lutra_decoder.sv").read_text(), 0x3F)
    assert ".res = Res::Spill" in (out / "cpp/lutra_isa.hpp").read_text()
    assert "spilled = ctl.res == ResSpill;" in (out / "sv/lutra_hazards.sv").read_text()
    # Who looks for the writer of a row finds it, here and in the simulator.
    record = "{'spill_en': True, 'spill_rows': bytes([3] * 15 + [4])}"
    run = python(
        out,
        "from lutra.isa import load; isa = load(); bank = isa.space_by_name['t1'].code; "
        f"print([(s.space == bank, s.address, s.lanes) for s in isa.stored({record})][-2:], "
        "isa.lookup('spill')[0].path[-1].stages)",
    )
    assert run.stdout == "[(True, 48, 16384), (True, 64, 32768)] ('X2', 'X1')\n", run.stderr
    stores = re.search(r"void each_store\(.*?\n}", (out / "cpp/lutra_retire.hpp").read_text(), re.S)
    assert stores and "if (r.spill_en)" in stores[0] and "Space::Bank1" in stores[0]
    assert lint(tmp_path) == ""


def test_a_store_names_fields_that_its_effect_enables(tmp_path: Path) -> None:
    made = generate(tmp_path, NEW_END.replace('Bank1, "spill_rows"', 'Bank1, "scatter_rows"'))
    assert made.returncode == 1
    assert "spill_en: its store names scatter_rows, which it does not enable" in made.stderr
    made = generate(tmp_path, NEW_END.replace('RetireScatter<"spill_en"', 'RetireScatter<"spill"'))
    assert made.stderr == "retire.td: a store is enabled by spill, which is not an enable\n"


def test_a_side_operand_that_is_made_of_others_is_its_record(tmp_path: Path) -> None:
    before = "// A block of the datapath:"
    made = generate(tmp_path, USES_SIDE, (("[D, K1H, GY]", "[D, K1H, GY, K1L]"), (before, NEW_SIDE + before)))
    assert (made.returncode, made.stderr) == (0, "")
    executor = (tmp_path / "gen/cpp/lutra_exec.inc").read_text()
    assert "x = fn::logic_xor(x, Value{}, fn::low_twice(o.k1));" in executor
    decoder = row((tmp_path / "gen/sv/lutra_decoder.sv").read_text(), 0x3F)
    assert "ctl.k1_en = 1'b1;" in decoder and "ctl.l1_z = L1ZK1L;" in decoder
    assert "| K1L | low half of K1, twice |" in (tmp_path / "gen/docs/isa-reference.md").read_text()


def test_an_extension_is_its_record_and_its_name_in_configurations(tmp_path: Path) -> None:
    has = []
    for extensions in ('["base"]', '["base", "novelty"]'):
        chosen = tmp_path / "mine.toml"
        chosen.write_text(f'text = "mine"\nextensions = {extensions}\nrounds = [1, 2]\ncontexts = 1\n')
        made = generate(tmp_path, NEW_EXTENSION, options=("--configuration", str(chosen)))
        assert (made.returncode, made.stderr) == (0, "")
        package = (tmp_path / "gen/sv/lutra_isa_pkg.sv").read_text()
        page = (tmp_path / "gen/docs/isa-reference.md").read_text()
        assert "| novelty | what is new | `nandrot` |" in page
        decoder = (tmp_path / "gen/sv/lutra_decoder.sv").read_text()
        has.append((re.findall(r"HasNovelty = (\d);", package), "nandrot" in decoder, "not have" in page))
    assert has == [(["0"], False, True), (["1"], True, True)]


def test_the_table_of_places_has_all_kinds_of_change() -> None:
    text = (ISA.parent / "CONTRIBUTING.md").read_text().partition("## Checklists")[2]
    rows = [line.split("|")[1:3] for line in text.splitlines() if line.startswith("| ")]
    places = {name.strip(): int(count) for name, count in rows if count.strip().isdigit()}
    assert places == {
        "instruction from existing functions": 1,
        "block function": 6,
        "operand kind": 4,
        "path end": 6,
        "side operand": 6,
        "extension": 2,
        "hazard": 2,
        "addressing delta": 3,
        "coverage point": 4,
        "structure of random programs": 1,
        "register of the programmer's model": 4,
        "retirement field": 3,
    }


def test_no_line_of_the_description_is_too_long_to_read() -> None:
    lines = [line for file in ISA.glob("*.td") for line in file.read_text().splitlines()]
    assert max(map(len, lines)) <= 160
