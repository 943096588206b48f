"""The tools of `make mutation` and `make seeded-bugs` themselves, without their builds."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from mutation import build, cplusplus, packets, python, report, runner, systemverilog
from mutation.schemata import CPLUSPLUS, SYSTEMVERILOG, Mutant, Writer
from seeded_bugs import __main__ as seeded
from seeded_bugs.layers import LAYERS
from variant import ROOT


def changes(mutants: list[Mutant]) -> set[tuple[str, str]]:
    return {(m.original, m.mutated) for m in mutants}


def test_systemverilog_has_its_operators() -> None:
    source = "module m; always_ff @(posedge c) if (!rst_ni) q <= '0; else if (a && b[3:1] == 2'd1) q <= d; endmodule"
    writer = Writer()
    text = writer.write("m.sv", source, systemverilog.sites(source), SYSTEMVERILOG)
    assert changes(writer.mutants) == {
        ("q <= '0;", "(nothing)"),
        ("'0", "'1"),
        ("a && b[3:1] == 2'd1", "!(a && b[3:1] == 2'd1)"),
        ("a && b[3:1] == 2'd1", "a || b[3:1] == 2'd1"),
        ("b[3:1] == 2'd1", "b[3:1] != 2'd1"),
        ("b[3:1]", "b[2:0]"),
        ("2'd1", "2'h0"),
        ("q <= d;", "(nothing)"),
    }
    for mutant in writer.mutants:
        assert text.count(f'$c1("lutra_mutant({mutant.number})")') == 1


def test_python_has_its_operators() -> None:
    source = "N = 3\ndef f(x: int = 1) -> int:\n"
    source += "    if not x:\n        raise E(2)\n    g(x)\n    return x + 0 if x < 2 else -x\n"
    writer = Writer()
    text = writer.write("f.py", source, list(python.sites(source)), python.PYTHON)
    assert changes(writer.mutants) == {
        ("not x", "(x)"),
        ("raise E(2)", "(nothing)"),
        ("g(x)", "(nothing)"),
        ("x + 0", "(x) - (0)"),
        ("0", "1"),
        ("x < 2", "not (x < 2)"),
        ("x < 2", "(x) <= (2)"),
        ("x < 2", "(x) >= (2)"),
        ("2", "1"),
        ("-x", "(x)"),
    }
    named = {(m.original, m.mutated): m.number for m in writer.mutants}
    active = packets.Active()
    scope = {"lutra_mutant": active, "g": lambda x: None, "E": ValueError}
    exec(compile(text, "f.py", "exec"), scope)
    f: Any = scope["f"]
    assert [f(x) for x in (1, 2)] == [1, -2]
    active.select(named["x < 2", "(x) <= (2)"])
    assert [f(x) for x in (1, 2)] == [1, 2]
    active.select(named["raise E(2)", "(nothing)"])
    assert f(0) == 0


def test_the_protocols_of_packets_have_mutants_that_compile(tmp_path: Path) -> None:
    mutants = packets.build(tmp_path)
    assert {m.file for m in mutants} >= {
        f"soc/lutra/soc/packets/{name}.py" for name in ("esp", "macsec", "pdcp", "srtp")
    }
    for path in tmp_path.iterdir():
        compile(path.read_text(), str(path), "exec")
    assert [m.number for m in mutants] == [*range(1, len(mutants) + 1)]


def test_every_reason_of_a_packet_names_a_mutant(tmp_path: Path) -> None:
    mutants = packets.build(tmp_path)
    lines = {path: (ROOT / path).read_text().splitlines() for path in {m.file for m in mutants}}
    known = {(m.file, lines[m.file][m.line - 1].strip(), report.change(m)) for m in mutants}
    reasons = {(r.file, r.line, c) for r in report.read_reasons(packets.REASONS) for c in r.changes}
    assert not reasons - known


def test_constants_of_elaboration_have_no_site() -> None:
    source = (
        "module m #(parameter int W = 8) (input logic [W-1:0] a); localparam int N = 3;\n"
        "if (N == 3) begin : g always_comb assert (a == 8'd1) else $error; end endmodule"
    )
    assert systemverilog.sites(source) == []


def test_cplusplus_has_its_operators() -> None:
    source = "int f(int x) { if constexpr (N == 1) return 0x10; if (x < 2) x += 1; return x; }"
    writer = Writer()
    writer.write("f.cpp", source, cplusplus.sites(source), CPLUSPLUS)
    assert changes(writer.mutants) == {
        ("0x10", "15"),
        ("x < 2", "!(x < 2)"),
        ("x < 2", "x <= 2"),
        ("x < 2", "x >= 2"),
        ("2", "1"),
        ("x += 1;", "x -= 1;"),
        ("x += 1;", "(nothing)"),
        ("1", "0"),
    }


def test_a_mutant_changes_one_place_only() -> None:
    """Within an alternative nothing else is mutated; the original holds the sites within."""
    source = "int f(int x) { return x + 1 - 2; }"
    text = Writer().write("f.cpp", source, cplusplus.sites(source), CPLUSPLUS)
    assert text == (
        "int f(int x) { return (lutra_mutant(1) ? (x + 1 + 2) : ((lutra_mutant(2) ? (x - 1) : "
        "(x + (lutra_mutant(3) ? (0) : (1)))) - (lutra_mutant(4) ? (1) : (2)))); }"
    )


def test_every_source_file_has_mutants() -> None:
    """At least a thousand of the core, three hundred of the simulator."""
    _, mutants = build.mutate()
    files = Counter(m.file for m in mutants)
    # A buffer has nothing to change.
    assert {f for f in files if f.startswith("rtl/")} == {
        p.relative_to(ROOT).as_posix() for p in (ROOT / "rtl").glob("*.sv")
    } - {"rtl/lutra_buffer.sv"}
    assert sum(n for f, n in files.items() if f.endswith(".sv")) >= 1000
    assert sum(n for f, n in files.items() if not f.endswith(".sv")) >= 300
    assert [m.number for m in mutants] == list(range(1, len(mutants) + 1))


def test_reasons_are_found_and_unused_ones_named() -> None:
    mutant = Mutant(1, "a.sv", 2, 5, "operator", "a + b", "a - b")
    reasons = [
        report.Reason("a.sv", "x = a + b;", ("5: a + b -> a - b", "9: b -> c"), "because"),
        report.Reason("a.sv", "y = 1;", ("5: 1 -> 0",), "never"),
    ]
    explained = report.Explained(reasons, {"a.sv": ["", "  x = a + b;"]})
    assert explained.reason(mutant) == "because"
    assert explained.unused() == ["a.sv: x = a + b;: 9: b -> c", "a.sv: y = 1;: 5: 1 -> 0"]


def test_reasons_name_mutants_that_are_made() -> None:
    """Only some mutants of the decoder are; which ones changes with the description."""
    _, mutants = build.mutate()
    lines = {m.file: (ROOT / m.file).read_text().splitlines() for m in mutants}
    made = {(m.file, lines[m.file][m.line - 1].strip(), report.change(m)) for m in mutants}
    for reason in report.read_reasons():
        for change in reason.changes:
            assert (reason.file, reason.line, change) in made


def test_the_page_counts_killed_and_unexplained_mutants() -> None:
    mutants = [Mutant(n, "rtl/lutra_agu.sv", n, 1, "operator", "a", "b") for n in (1, 2)]
    found = report.result(mutants, [runner.Verdict(1, "random", "t", "divergence"), runner.Verdict(2)], ROOT)
    assert found.score == 0.5
    assert [v.number for v in found.unexplained] == [2]
    page = report.as_page(found)
    assert "| RTL | 2 | 1 | 0 | 0 | 0 | 1 | 50.0 % |" in page
    assert "**not explained**" in page


@pytest.mark.parametrize("path", sorted(seeded.HERE.glob("*.patch")), ids=lambda p: p.stem)
def test_seeded_bug_has_its_header_and_applies(path: Path) -> None:
    bug = seeded.read(path)
    assert seeded.layer_name(bug) in LAYERS
    for name, data in seeded.changed(bug).items():
        assert data != (ROOT / name).read_bytes()


def test_a_patch_that_does_not_apply_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "stale.patch"
    bug = next(seeded.HERE.glob("rtl_key_pair_swapped.patch")).read_text()
    path.write_text(bug.replace("assign perm_low", "assign perm_gone"))
    with pytest.raises(seeded.PatchError, match="no longer applies"):
        seeded.changed(seeded.read(path))
    path.write_text(bug.replace("lock-step", "luck"))
    with pytest.raises(seeded.PatchError, match="is none of lock-step"):
        seeded.layer_name(seeded.read(path))
    path.write_text(bug.replace("lock-step", "proof"))
    with pytest.raises(seeded.PatchError, match="needs a line `Run"):
        seeded.layer_name(seeded.read(path))
    path.write_text("What: nothing\n")
    with pytest.raises(seeded.PatchError, match="no line `Mistake"):
        seeded.read(path)
