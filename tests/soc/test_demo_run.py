"""The whole demo: a host boots signed firmware on RTL, encrypts, refuses, takes a patch, and encrypts again."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from lutra.soc.demo import __main__ as command
from support.documents import ROOT

pytestmark = pytest.mark.nightly("builds a Verilated system with a host, two minutes, and runs it for one")


def test_the_demo_ends_well(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert command.main(["--json", "--file", str(ROOT / "LICENSE"), "--out", str(tmp_path)]) == 0
    figures = json.loads(capsys.readouterr().out)
    assert [row["cipher"] for row in figures["files"]] == ["AES-128-CTR", "AES-128-CTR", "ChaCha20"]
    assert all(row["equals OpenSSL"] for row in figures["files"])
    assert figures["files"][0]["bytes per cycle"] > 2
    # A slow cipher, for which the host waits.
    assert figures["files"][2]["host instructions per packet"] < 200
    results = {name: step["result"] for name, step in figures["steps"].items()}
    assert results.pop("refused") == "digest"
    assert set(results.values()) == {"ok"}
    assert json.loads((tmp_path / "transfers.json").read_text())["traceEvents"]
    assert "<svg" in (tmp_path / "transfers.svg").read_text()
