"""The stand-ins for rtl/lutra_sram.sv and rtl/lutra_buffer.sv.

Black boxes of SRAMs with one pin per bit, their Liberty, and their size in gates; a cell of the library.

Timing model: data 0.31 ns after the clock, inputs 0.05 ns before it. Two area conventions: 1,031 gates per unit of 256
x 8 bit (99 kgates for the 96 memories of the processor that this core starts from), and 0.97 gates per bit.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

CLOCK_TO_OUTPUT, SETUP, PIN_CAPACITANCE = 0.31, 0.05, 2.0  # ns, ns, fF
UNIT_BITS, GATES_PER_UNIT, GATES_PER_BIT = 256 * 8, 1031, 0.97
DATA_WIDTH, PROGRAM_WIDTH = 8, 64
DEPTHS = tuple(1 << n for n in range(4, 14))
SHAPES = tuple((depth, width) for width in (DATA_WIDTH, PROGRAM_WIDTH) for depth in DEPTHS)
PARITIES = tuple((depth, 1) for depth in DEPTHS)  # of a protected core, next to the macros of data
# A cluster keeps descriptors, the last packet of each flow, and the flow and the follower of each packet.
CLUSTER = ((64, 128), (1024, 7), (128, 10), (128, 7))

_LIBRARY = """library (sram) {
  delay_model : table_lookup; time_unit : "1ns"; voltage_unit : "1V"; current_unit : "1mA";
  capacitive_load_unit (1, ff); pulling_resistance_unit : "1kohm"; leakage_power_unit : "1nW";
  nom_process : 1; nom_voltage : 1.1; nom_temperature : 25;
  input_threshold_pct_rise : 50; input_threshold_pct_fall : 50;
  output_threshold_pct_rise : 50; output_threshold_pct_fall : 50;
  slew_lower_threshold_pct_rise : 30; slew_lower_threshold_pct_fall : 30;
  slew_upper_threshold_pct_rise : 70; slew_upper_threshold_pct_fall : 70;
"""
_MODULE = """
module lutra_sram #(
  parameter int unsigned Depth = 256,
  parameter int unsigned Width = 8,
  localparam int unsigned IndexBits = Depth > 1 ? $clog2(Depth) : 1
) (
  input  logic clk_i, req_i, we_i,
  input  logic [IndexBits-1:0] index_i,
  input  logic [Width-1:0] wdata_i,
  output logic [Width-1:0] rdata_o
);
"""

_BUFFER = """(* blackbox *)
module BUF_X1 (input logic A, output logic Z);
endmodule
module lutra_buffer (input logic a_i, output logic y_o);
  BUF_X1 u_cell (.A(a_i), .Z(y_o));
endmodule
"""


def name(depth: int, width: int) -> str:
    """Name of the black box."""
    return f"sram_{depth}x{width}"


def names(width: int | None = None) -> list[str]:
    """All black boxes, or those of one width."""
    return [name(d, w) for d, w in (*SHAPES, *PARITIES) if width in (None, w)]


def bits(cell: str) -> int:
    """Size of a black box by its name; 0 for any other cell."""
    shape = re.fullmatch(r"sram_(\d+)x(\d+)", cell)
    return int(shape[1]) * int(shape[2]) if shape else 0


def gates(cells: Mapping[str, int]) -> dict[str, float]:
    """Black boxes and how many of each: bits and gates by both conventions, with and without the program memory."""
    total = sum(bits(cell) * count for cell, count in cells.items())
    program = sum(bits(cell) * count for cell, count in cells.items() if cell.endswith(f"x{PROGRAM_WIDTH}"))
    return {
        "bits": total,
        "program_bits": program,
        "by_unit": total / UNIT_BITS * GATES_PER_UNIT,
        "by_unit_without_program": (total - program) / UNIT_BITS * GATES_PER_UNIT,
        "by_bit": total * GATES_PER_BIT,
    }


def _pins(depth: int, width: int) -> tuple[list[str], list[str], list[str]]:
    address = max(1, (depth - 1).bit_length())
    return [f"A{i}" for i in range(address)], [f"D{i}" for i in range(width)], [f"Q{i}" for i in range(width)]


def _black_box(depth: int, width: int) -> str:
    a, d, q = (", ".join(pins) for pins in _pins(depth, width))
    head = f"(* blackbox *)\nmodule {name(depth, width)} (input logic CLK, REQ, WE, {a}, {d}, output logic {q});"
    return f"{head}\nendmodule\n"


def _instance(depth: int, width: int) -> str:
    ports = zip(_pins(depth, width), ("index_i", "wdata_i", "rdata_o"), strict=True)
    wires = [".CLK(clk_i)", ".REQ(req_i)", ".WE(we_i)"]
    wires += [f".{pin}({port}[{i}])" for pins, port in ports for i, pin in enumerate(pins)]
    begin = f"if (Depth == {depth} && Width == {width}) begin : gen_{depth}x{width}"
    return f"{begin}\n    {name(depth, width)} u_macro ({', '.join(wires)});\n  end else "


def _scalars(kind: str, rise: float, fall: float) -> str:
    return " ".join(f'{edge}_{kind} (scalar) {{ values ("{v}"); }}' for edge, v in (("rise", rise), ("fall", fall)))


def _cell(depth: int, width: int) -> str:
    a, d, q = _pins(depth, width)
    out = f"  cell ({name(depth, width)}) {{\n    area : 0; dont_touch : true; dont_use : true;\n"
    out += f"    pin (CLK) {{ direction : input; clock : true; capacitance : {PIN_CAPACITANCE}; }}\n"
    checks = "".join(
        f'timing () {{ related_pin : "CLK"; timing_type : {kind}_rising; {_scalars("constraint", value, value)} }} '
        for kind, value in (("setup", SETUP), ("hold", 0.0))
    )
    for pin in ["REQ", "WE", *a, *d]:
        out += f"    pin ({pin}) {{ direction : input; capacitance : {PIN_CAPACITANCE}; {checks}}}\n"
    delays = " ".join(
        f'{kind} (scalar) {{ values ("{value}"); }}'
        for kind, value in (
            ("cell_rise", CLOCK_TO_OUTPUT),
            ("cell_fall", CLOCK_TO_OUTPUT),
            ("rise_transition", 0.02),
            ("fall_transition", 0.02),
        )
    )
    arc = f'timing () {{ related_pin : "CLK"; timing_type : rising_edge; {delays} }}'
    return out + "".join(f"    pin ({p}) {{ direction : output; max_capacitance : 100; {arc} }}\n" for p in q) + "  }\n"


def write_liberty(folder: Path, cluster: bool = False) -> Path:
    """The Liberty file of all shapes; cluster: with those that only a cluster has."""
    liberty = folder / "sram.lib"
    shapes = (*SHAPES, *PARITIES, *CLUSTER * cluster)
    liberty.write_text(_LIBRARY + "".join(_cell(*shape) for shape in shapes) + "}\n")
    return liberty


def write(folder: Path, protect: bool = False, cluster: bool = False) -> tuple[Path, Path]:
    """The SystemVerilog and the Liberty file; protect, cluster: with the shapes that only a protected core or a cluster
    has."""
    verilog = folder / "lutra_sram.sv"
    shapes = (*SHAPES, *PARITIES * protect, *CLUSTER * cluster)
    choice = "".join(_instance(*shape) for shape in shapes)
    refuse = 'begin : gen_none\n    $error("ppa/sram.py has no macro of this shape");\n  end\nendmodule\n'
    verilog.write_text("".join(_black_box(*shape) for shape in shapes) + _MODULE + "  " + choice + refuse)
    (folder / "lutra_buffer.sv").write_text(_BUFFER)
    return verilog, write_liberty(folder, cluster)
