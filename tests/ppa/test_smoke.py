"""One function and one module through the whole flow, and that a slower or larger one is seen."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from ppa import design, functions, sram
from ppa.design import Design
from ppa.measure import Point, measure
from ppa.synthesis import Recipe
from ppa.tools import ROOT, PpaError, Tools

FAST = Recipe("mix")
ACCUMULATOR = """
module accumulator #(parameter int unsigned Width = 8) (
  input logic clk_i, rst_ni, en_i, input logic [Width-1:0] x_i, output logic [Width-1:0] sum_o);
  always_ff @(posedge clk_i or negedge rst_ni)
    if (!rst_ni) sum_o <= '0;
    else if (en_i) sum_o <= sum_o + x_i;
endmodule
"""


def accumulator(tools: Tools, folder: Path, width: int) -> Point:
    source = folder / "accumulator.sv"
    source.write_text(ACCUMULATOR)
    return measure(Design("accumulator", (source,), {"Width": width}), tools, FAST, folder / f"w{width}")


def test_a_wider_adder_has_more_gates_and_more_nanoseconds(found: Tools, tmp_path: Path) -> None:
    narrow, wide = (accumulator(found, tmp_path, width) for width in (8, 32))
    assert (narrow.total.flops, wide.total.flops) == (8, 32)
    assert wide.total.gates > 3 * narrow.total.gates
    assert 0.1 < narrow.period < wide.period < 2


def test_an_inverter_at_a_register_is_its_inverted_output(found: Tools, tmp_path: Path) -> None:
    source = tmp_path / "both.sv"
    source.write_text(
        "module both (input logic clk_i, d_i, a_i, b_i, output logic q_o, n_o, x_o);\n"
        "always_ff @(posedge clk_i) q_o <= d_i;\nassign n_o = ~q_o;\nassign x_o = ~q_o & a_i & b_i;\nendmodule\n"
    )
    measure(Design("both", (source,)), found, FAST, tmp_path / "b")
    netlist = (tmp_path / "b" / "net.v").read_text()
    assert ".QN(n_o)" in netlist
    assert not re.search(r"INV_X1 \S+ \(\s+\.A\(q_o\)", netlist)


def test_a_block_is_mapped_on_its_own_and_timed_in_the_whole(found: Tools, tmp_path: Path) -> None:
    source, top = tmp_path / "around.sv", "around"
    source.write_text(
        f"{ACCUMULATOR}module {top} (input logic clk_i, rst_ni, x_i, output logic [31:0] sum_o);\n"
        "logic x_q; always_ff @(posedge clk_i) x_q <= x_i;\n"
        "accumulator #(.Width(32)) u_block (.clk_i, .rst_ni, .en_i(1'b1), .x_i({31'd0, x_q}), .sum_o);\nendmodule\n"
    )
    own, flat = (
        measure(Design(top, (source,), blocks=blocks), found, FAST, tmp_path / f"b{len(blocks)}")
        for blocks in (("accumulator",), ())
    )
    assert own.total.flops == flat.total.flops == 33
    # Alone the block adds any number, not only a bit.
    assert own.total.gates > flat.total.gates
    assert sum("sum_o" in arc.end for arc in own.arcs) == 32
    assert (tmp_path / "b1" / "net.v").read_text().count("endmodule") == 1


def test_a_path_says_in_which_files_it_starts_and_ends(found: Tools, tmp_path: Path) -> None:
    point = accumulator(found, tmp_path, 8)
    assert point.arcs[0].modules == ("accumulator", "accumulator")
    assert point.arcs[0].ns == point.ns["reg_reg"]


def test_a_module_of_the_core_is_measured_alone(found: Tools, tmp_path: Path) -> None:
    point = measure(design.of_checkout(sram.write(tmp_path)[0], "lutra_counter"), found, FAST, tmp_path / "counter")
    assert point.total.gates > point.total.sequential > 0
    assert 0 < point.period < 2


def test_a_function_is_measured_alone(found: Tools, tmp_path: Path) -> None:
    files = design.core_files(ROOT, sram.write(tmp_path)[0])
    wanted = [f for f in functions.find(files) if f.name == "aria_diffusion"]
    ((name, by_script),) = functions.measure(wanted, files, found, tmp_path / "f", lambda _: None).items()
    assert name == "aria_diffusion"
    # 128 bits; each is the XOR of seven.
    assert 128 * 4 < by_script["area"]["gates"] < by_script["mix"]["gates"]
    assert by_script["mix"]["ns"] < by_script["area"]["ns"]


def test_an_error_of_the_front_end_is_shown(found: Tools, tmp_path: Path) -> None:
    source = tmp_path / "wrong.sv"
    source.write_text("module wrong (output logic q); assign q = nothing; endmodule\n")
    with pytest.raises(PpaError, match="use of undeclared identifier 'nothing'"):
        measure(Design("wrong", (source,)), found, FAST, tmp_path / "w")


def test_a_memory_of_another_shape_is_refused(found: Tools, tmp_path: Path) -> None:
    source = tmp_path / "odd.sv"
    source.write_text(
        "module odd (input logic clk_i, input logic [4:0] i, input logic [6:0] d, output logic [6:0] q);\n"
        "lutra_sram #(.Depth(32), .Width(7)) u_sram (.clk_i, .req_i(1'b1), .we_i(1'b0), .index_i(i), .wdata_i(d),"
        " .rdata_o(q));\nendmodule\n"
    )
    with pytest.raises(PpaError, match="no macro of this shape"):
        measure(Design("odd", (sram.write(tmp_path)[0], source)), found, FAST, tmp_path / "o")
