"""The pieces that need no tools: memories, paths, functions, points."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from ppa import functions, hierarchy, report, sram, timing
from ppa.area import Module, total
from ppa.measure import Point
from ppa.synthesis import Recipe

STA = """
Startpoint: _1_ (rising edge-triggered flip-flop clocked by clk)
Endpoint: u_program.u_sram.gen_1024x64.u_macro (rising edge-triggered flip-flop clocked by clk)
Path Group: clk
   0.000    0.000 ^ _1_/CK (DFFR_X1)
   0.110    0.110 ^ _1_/Q (DFFR_X1)
   0.300    0.410 v _2_/ZN (NAND2_X1)
            0.410   data arrival time
   2.000    2.000   clock clk (rise edge)
  -0.050    1.950   library setup time
            1.950   data required time
            1.540   slack (MET)
"""
NET = """
  DFFR_X1 _1_ (
    .CK(clk_i),
    .Q(\\u_agu.ar_q[3] ),
    .QN(_9_)
  );
"""
REGISTERS = r"""
  attribute \src "../rtl/lutra_agu.sv:112.3"
  cell \DFFR_X1 $auto$1
    connect \CK \clk_i
    connect \Q \u_agu.ar_q[3]
  end
"""


def point(ns: float, gates: float) -> Point:
    return Point(Recipe(), Module(logic=gates), {}, {"reg_reg": ns}, [], 0.0)


def test_the_papers_memories_are_99_kgates() -> None:
    found = sram.gates(Counter({"sram_256x8": 96, "sram_1024x64": 1}))
    assert found["bits"] == 96 * 256 * 8 + 1024 * 64
    assert found["by_unit_without_program"] == pytest.approx(96 * 1031)
    assert found["by_unit"] == pytest.approx((96 + 32) * 1031)
    assert found["by_bit"] == pytest.approx(0.97 * found["bits"])


def test_a_path_has_its_setup_and_its_modules(tmp_path: Path) -> None:
    (tmp_path / "net.v").write_text(NET)
    (tmp_path / "registers.txt").write_text(REGISTERS)
    (arc,) = timing.read(STA, tmp_path)
    assert arc.ns == pytest.approx(0.46)  # arrival and setup
    assert arc.cells == ("DFFR_X1", "DFFR_X1", "NAND2_X1")
    assert arc.modules == ("lutra_agu", "lutra_program")
    assert (timing.group(arc.start), timing.group(arc.end)) == ("u_agu.ar_q[]", "u_program.u_sram")


def test_paths_between_the_same_registers_are_one_row() -> None:
    arcs = [timing.Arc(f"a_q[{i}]", "b_q[0]", 1.0 - i / 10, ()) for i in range(3)]
    assert timing.worst([*arcs, timing.Arc("c_q", "b_q[0]", 0.1, ())], 20) == [
        (arcs[0], 3),
        (timing.Arc("c_q", "b_q[0]", 0.1, ()), 1),
    ]


def test_a_point_that_another_beats_in_both_is_not_pareto() -> None:
    points = [point(1.0, 100), point(2.0, 50), point(2.0, 100), point(1.0, 100)]
    assert [report.is_pareto(p, points) for p in points] == [True, True, False, True]


def test_the_headline_has_the_most_work_by_gate() -> None:
    points = [point(1.0, 100), point(2.0, 49), point(1.5, 70)]
    assert report.best(points) is points[1]


def test_functions_that_modules_call_are_found(tmp_path: Path) -> None:
    package, module = tmp_path / "a_pkg.sv", tmp_path / "m.sv"
    package.write_text(
        "package a_pkg;\n  import t_pkg::*;\n"
        "  function automatic vec_t used(vec_t x, imm_t n);\n  endfunction\n"
        "  function automatic vec_t helper(vec_t x);\n  endfunction\nendpackage\n"
    )
    module.write_text("module m; assign y = used(x, 3); endmodule\n")
    (found,) = functions.find([package, module])
    assert found.wrapper() == (
        "module f_used import t_pkg::*; import a_pkg::*; (input vec_t x, input imm_t n, output vec_t q_o);\n"
        "  assign q_o = a_pkg::used(x, n);\nendmodule\n"
    )


def test_a_module_counts_all_below_it() -> None:
    modules = {
        "top": Module(1, 2, 1, parts=Counter({"leaf$top.u_a": 1, "leaf$top.u_b": 1})),
        "leaf$top.u_a": Module(10, 20, 5, Counter({"sram_256x8": 2})),
        "leaf$top.u_b": Module(100, 200, 50),
    }
    whole = total(modules, "top")
    assert (whole.sequential, whole.logic, whole.flops, dict(whole.memories)) == (111, 222, 56, {"sram_256x8": 2})
    assert [(p.instance, p.module) for p in hierarchy.parts(modules)] == [
        ("u_b", "leaf"),
        ("u_a", "leaf"),
        ("", "top"),
    ]
