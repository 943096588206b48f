"""Two texts of a core are the same netlist, or the first difference is named; figures go with what is the same."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from ppa import netlist, provenance, unchanged
from ppa.design import Design
from ppa.differences import Comparison, compare
from ppa.tools import ROOT, PpaError

OTTER = """
module otter #(parameter bit [3:0] Start = 4'd2) (
  input logic clk_i, rst_ni, en_i, input logic [3:0] x_i, output logic [3:0] y_o);
  logic [3:0] q, d;
  assign d = en_i ? q + x_i : q ^ x_i;
  always_ff @(posedge clk_i or negedge rst_ni) if (!rst_ni) q <= Start; else q <= d;
  assign y_o = q & {4{en_i}};
endmodule
"""
# Other names, another order, a constant that goes, a port that does nothing each way.
SAME = """
module otter #(parameter bit [3:0] Start = 4'd2) (
  input logic clk_i, rst_ni, en_i, alarm_i, input logic [3:0] x_i, output logic [3:0] y_o, output logic alarm_o);
  logic [3:0] q, next, sum;
  always_comb begin
    next = q ^ x_i;
    if (en_i) next = sum;
    if (alarm_o) next = '0;
  end
  assign sum = q + x_i;
  assign alarm_o = 1'b0 && alarm_i;
  assign y_o = q & {4{en_i}};
  always_ff @(posedge clk_i or negedge rst_ni) if (!rst_ni) q <= Start; else q <= next;
endmodule
"""


def compared(tmp_path: Path, before: str, after: str, **parameters: int) -> Comparison:
    netlists = []
    for name, text in (("before", before), ("now", after)):
        source = tmp_path / f"{name}.sv"
        source.write_text(text)
        netlists.append(netlist.elaborate(Design("otter", (source,), parameters), tmp_path / name))
    return compare(*netlists)


def test_another_text_of_the_same_gates_is_the_same(tmp_path: Path) -> None:
    found = compared(tmp_path, OTTER, SAME)
    assert found.difference == ""
    assert found.idle == ("new input alarm_i: not read", "new output alarm_o: always 0")


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("q + x_i", "q - x_i", "q[0] < D[0] mux < B[0]: add (A of 4, B of 4) before, sub (A of 4, B of 4) now"),
        ("q ^ x_i", "x_i ^ q", "q[0] < D[0] mux < A[0] xor < A[0]: q[0] before, x_i[0] now"),
        ("Start = 4'd2", "Start = 4'd3", "q[0]: "),
        ("posedge clk_i", "negedge clk_i", "q[0]: "),
        ("rst_ni, en_i", "rst_ni, en_i, dive_i", ""),
        ("{4{en_i}};", "{4{en_i}} ^ 4'(q[3]);", "y_o[0] < D[0]: and "),
        ("assign y_o", "logic w_q; always_ff @(posedge clk_i) w_q <= en_i;\n  assign y_o", ""),
        (
            "assign y_o = q &",
            "logic w_q; always_ff @(posedge clk_i) w_q <= en_i;\n  assign y_o = q & {4{w_q}} &",
            "w_q",
        ),
    ],
)
def test_the_first_difference_is_named(old: str, new: str, message: str, tmp_path: Path) -> None:
    assert old in OTTER
    difference = compared(tmp_path, OTTER, OTTER.replace(old, new)).difference
    assert difference.startswith(message) and bool(difference) is bool(message)


def test_a_new_input_that_is_read_is_a_difference(tmp_path: Path) -> None:
    after = OTTER.replace("en_i, input", "en_i, dive_i, input").replace("en_i ?", "en_i && dive_i ?")
    assert compared(tmp_path, OTTER, after).difference == "input dive_i is new"


def test_figures_go_with_a_text_that_is_the_same(tmp_path: Path) -> None:
    designs = []
    for name, text in (("before", OTTER), ("now", SAME)):
        source = tmp_path / f"{name}.sv"
        source.write_text(text)
        designs.append(Design("otter", (source,)))
    old, new = map(provenance.digest, designs)
    recorded = {"inputs": old, "gates": 99}
    assert "carried over" in unchanged.carried("otter", recorded, *designs)
    assert recorded == {"inputs": new, "gates": 99}
    assert "already" in unchanged.carried("otter", recorded, *designs)
    with pytest.raises(PpaError, match=r"^otter: its figures are not of that commit's text"):
        unchanged.carried("otter", {"inputs": "0"}, *designs)


def test_a_commit_that_is_not_there_is_told() -> None:
    command = [sys.executable, "-m", "ppa.unchanged", "--against", "nowhere"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith("ppa: --against nowhere: ") and "Traceback" not in done.stderr
