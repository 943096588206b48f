"""`lutra image`: what C compiles and what hardware loads is what the image has."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from lutra.asm import Image, read_elf
from lutra.isa import load
from support.cli import Lutra
from support.documents import ROOT

SOURCE = """\
        .section m0
        .global key
key:    .row    "000102030405060708090a0b0c0d0e0f"
        .org    0x30
odd:    .byte   0xaa, 0xbb, 0xcc
        .section t1
        .org    0x1f
        .byte   1, 2
        .section text
        .global main
        nop
main:   mov     v0, m0[key]
        mov     m3[0], v0
        halt
"""
# Reads what a host reads through the ports of a memory and of the program memory.
BENCH = """\
module bench import lutra_isa_pkg::*, lutra_pkg::*; ();
  logic clk = 0;
  addr_t row;
  vec_t data;
  insn_t word;
  lutra_memory u_memory (
    .clk_i(clk), .read_en_i(0), .read_address_i('0), .write_en_i(0), .write_address_i('0), .write_lanes_i('0),
    .write_data_i('0), .host_req_i(1), .host_we_i(0), .host_row_i(row), .host_wdata_i('0), .rdata_o(data));
  lutra_program u_program (
    .clk_i(clk), .fetch_en_i(0), .fetch_pc_i('0), .host_req_i(1), .host_we_i(0), .host_index_i(row),
    .host_wdata_i('0), .rdata_o(word));
  for (genvar l = 0; l < VectorBytes; l++) begin : gen_load
    initial $readmemh($sformatf("lanes/m0.%0d.hex", l), u_memory.gen_lane[l].u_sram.mem_q);
  end
  initial begin
    $readmemh("lanes/pm.hex", u_program.u_sram.mem_q);
    for (int r = 0; r < 5; r++) begin
      row = addr_t'(r);
      #1 clk = 1; #1 clk = 0;
      $display("%h %h", data, word);
    end
    $finish;
  end
endmodule
"""


@pytest.fixture
def made(folder: Path, lutra: Lutra) -> Image:
    (folder / "first.s").write_text(SOURCE)
    assert lutra("asm", "first.s", "-o", "first.elf", "-W", "no-all").code == 0
    return read_elf(Path("first.elf"))


def test_files_for_readmemh_have_all_rows_of_each_memory(made: Image, lutra: Lutra) -> None:
    assert lutra("image", "first.elf", "--format", "hex", "-o", "out").code == 0
    isa = load()
    spaces = [s for s in isa.spaces if s.is_single or s.is_program]
    assert {p.name for p in Path("out").iterdir()} == {f"{s.name}.hex" for s in spaces}
    program, keys = (Path(f"out/{name}.hex").read_text().split() for name in ("pm", "m0"))
    assert [int(word, 16) for word in program] == made.program + [0] * (isa.machine["ProgramWords"] - 4)
    assert keys[:5] == [bytes(range(16)).hex(), *["00" * 16] * 2, "aabbcc" + "00" * 13, "00" * 16]
    assert len(keys) == isa.machine["MemoryRows"]
    assert Path("out/t1.hex").read_text().split()[1:3] == ["00" * 15 + "01", "02" + "00" * 15]


@pytest.mark.nightly(
    "a bench of the memories is compiled; the rows that its files have are compared here with the image"
)
def test_the_core_s_memories_load_the_files_of_their_srams(made: Image, lutra: Lutra) -> None:
    assert lutra("image", "first.elf", "--format", "lanes", "-o", "lanes").code == 0
    assert lutra("image", "first.elf", "--format", "hex", "-o", "rows").code == 0
    Path("bench.sv").write_text(BENCH)
    checks = ("lutra_check_pkg", "lutra_buffer", "lutra_row_check", "lutra_word_check")
    files = [f"rtl/{name}.sv" for name in ("lutra_pkg", *checks, "lutra_sram", "lutra_memory", "lutra_program")]
    command: list[str | Path] = [
        "verilator_bin",
        "--binary",
        "--quiet",
        "--timing",
        "-Wno-fatal",
        "-O0",
        "-CFLAGS",
        "-O0",
        "-j",
        "2",
    ]
    command += ["-F", ROOT / "build/gen/sv/lutra_packages.f", *(ROOT / file for file in files), "bench.sv"]
    built = subprocess.run(
        [ROOT / "lutra", "--with", *command, "--top-module", "bench"], capture_output=True, text=True, check=False
    )
    assert built.returncode == 0, built.stdout + built.stderr
    shown = subprocess.run(["obj_dir/Vbench"], capture_output=True, text=True, check=True).stdout
    rows, words = (Path(f"rows/{name}.hex").read_text().split()[:5] for name in ("m0", "pm"))
    assert [line.split() for line in shown.splitlines()[:5]] == [list(pair) for pair in zip(rows, words, strict=True)]


def test_what_c_compiles_is_the_image(made: Image, lutra: Lutra) -> None:
    assert lutra("image", "first.elf", "--format", "c", "-o", "first.h").code == 0
    assert lutra("image", "first.s", "--format", "c", "--name", "other", "-o", "other.h").code == 0
    Path("main.c").write_text("""\
#include <stdio.h>
#include "first.h"
#include "other.h"
int main(void) {
    for (int i = 0; i < first_program_words; i++) printf("%016llx ", (unsigned long long)first_program[i]);
    for (int i = 0; i < first_part_count; i++) {
        printf("\\n%d %d %d ", first_parts[i].space, first_parts[i].row, first_parts[i].rows);
        for (int b = 0; b < 16 * first_parts[i].rows; b++) printf("%02x", first_parts[i].bytes[b]);
    }
    printf("\\n%d %d %d %d", first_entry, first_at_main, first_at_odd, other_at_key);
}
""")
    compiler = ["cc", "-std=c99", "-Wall", "-Wextra", "-Werror", "-pedantic", "-o", "show", "main.c"]
    subprocess.run(compiler, check=True)
    shown = subprocess.run(["./show"], capture_output=True, text=True, check=True).stdout.splitlines()
    codes = {s.name: s.code for s in load().spaces}
    assert shown[0].split() == [f"{word:016x}" for word in made.program]
    assert shown[1:3] == [
        f"{codes['m0']} 0 4 {bytes(range(16)).hex()}{'00' * 32}aabbcc{'00' * 13}",
        f"{codes['t1']} 1 2 {'00' * 15}0102{'00' * 15}",
    ]
    assert shown[3].split() == ["0", "1", "48", "0"]


def test_json_has_parts_and_the_map_of_symbols(made: Image, lutra: Lutra) -> None:
    found = lutra("image", "first.elf", "--format", "json").json
    assert [int(word, 16) for word in found["program"]] == made.program
    assert [(p["space"], p["row"], len(p["data"]) // 32) for p in found["parts"]] == [
        ("m0", 0, 4),
        ("t1", 1, 2),
    ]
    assert {"name": "main", "space": "pm", "value": 1, "global": True} in found["symbols"]
    assert {"name": "odd", "space": "m0", "value": 48, "global": False} in found["symbols"]


def test_an_image_without_contents_compiles_as_well(lutra: Lutra) -> None:
    Path("1.s").write_text("        .section m0\n")
    assert lutra("image", "1.s", "--format", "c", "-o", "1.h").code == 0
    Path("main.c").write_text('#include "1.h"\nint main(void) { return image_1_part_count + image_1_program_words; }\n')
    subprocess.run(["cc", "-std=c99", "-Wall", "-Werror", "-pedantic", "-fsyntax-only", "main.c"], check=True)


@pytest.mark.parametrize(
    ("code", "arguments", "text"),
    [
        (2, ["--format", "hex"], "--format hex writes several files; give a folder with -o"),
        (
            2,
            ["--format", "hex", "-o", "new", "--name", "x"],
            "--name works only with --format c, not hex; leave it out",
        ),
        (2, ["--format", "c", "--name", "a-b"], "--name: 'a-b' is not a C identifier; give another with --name"),
        (2, ["--format", "c", "-o", "first.elf"], "-o first.elf: is the same file as first.elf"),
        (2, ["--format", "srec"], "'srec' is not one of 'hex', 'lanes', 'c', 'json'"),
        (1, ["--format", "lanes", "-o", "first.s"], "-o first.s: not a folder; --format lanes writes several files"),
        (1, ["--format", "hex", "-o", "none/new"], "none/new: No such file or directory"),
    ],
)
def test_an_export_that_cannot_be_is_one_line(
    made: Image, lutra: Lutra, code: int, arguments: list[str], text: str
) -> None:
    before = {p: p.read_bytes() for p in Path().iterdir()}
    done = lutra("image", "first.elf", *arguments)
    assert (done.code, done.out) == (code, "")
    assert text in done.error
    assert {p: p.read_bytes() for p in Path().iterdir()} == before
