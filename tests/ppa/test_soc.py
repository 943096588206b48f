"""Options of `python -m ppa.soc`, and the boxes that a cluster has for its cores."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from ppa import soc


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (("--cluster", "0"), "a cluster has 1 to 8 cores"),
        (("--cluster", "9"), "a cluster has 1 to 8 cores"),
        (("--cluster", "3", "--pairs", "2"), "a lock-step pair for two cores at most"),
        (("--pairs", "1"), "a lock-step pair for two cores at most"),
        (("--cluster", "2", "--period"), "not allowed with argument"),
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
