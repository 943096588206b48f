"""Options of `python -m ppa.soc`, and the boxes that a cluster has for its cores."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from ppa import soc, synthesis, timing, tools
from ppa.timing import Arc


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (("--cluster", "0"), "a cluster has 1 to 8 cores"),
        (("--cluster", "9"), "a cluster has 1 to 8 cores"),
        (("--cluster", "3", "--pairs", "2"), "a lock-step pair for two cores at most"),
        (("--pairs", "1"), "a lock-step pair for two cores at most"),
        (("--flat",), "--flat is for the period of lutra_axi"),
        (("--flat", "--period", "--cluster", "2"), "--flat is for the period of lutra_axi"),
    ],
)
def test_what_cannot_be_measured_is_refused(
    given: tuple[str, ...], message: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["ppa.soc", *given])
    with pytest.raises(SystemExit):
        soc.main()
    assert message in capsys.readouterr().err


def test_each_core_of_a_cluster_is_a_box(tmp_path: Path) -> None:
    made = soc.cluster(tmp_path, cores=3, pairs=1)
    assert made.parameters == {"CORES": 3, "LOCKSTEP_PAIRS": 1}
    (box,) = (path for path in made.files if path.stem == "lutra_axi")
    assert box.parent == tmp_path
    text = box.read_text()
    assert text.startswith("(* blackbox *)\nmodule lutra_axi")
    assert "output logic" in text and "assign" not in text
    assert len({path.stem for path in made.files}) == len(made.files)


def test_the_period_of_a_cluster_is_timed_around_its_boxes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made, nets = soc.cluster(tmp_path, cores=1, pairs=0), list[str]()
    box = "  lutra_axi #(\n    .WIPE(1'b0)\n  ) \\u_axi  (\n    .clk_i(clk_i)\n  );\n"

    def synthesize(*_: object) -> None:
        (tmp_path / "net.v").write_text(f"module lutra_cluster;\n{box}  DFF_X1 \\u_q  (\n  );\nendmodule\n")

    def time(*_: object) -> list[Arc]:
        nets.append((tmp_path / "net.v").read_text())
        return [Arc("a", "b", 1.5, ()), Arc("c", "d", 1.0, ())]

    monkeypatch.setattr(synthesis, "run", synthesize)
    monkeypatch.setattr(timing, "paths", time)
    monkeypatch.setattr(tools, "find", lambda: None)
    assert soc.cluster_period(made, tmp_path).ns == 1.5
    assert "lutra_axi \\u_axi  (" in nets[0] and "#(" not in nets[0]
    assert "cell (sram_64x128)" in (tmp_path / "sram.lib").read_text()
