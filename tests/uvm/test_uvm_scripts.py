"""Checks without a bench: that it elaborates, what it is told to do, how it is built and what it reports."""

from __future__ import annotations

import os
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from uvm.runner import benches, build, regress, scripts

VECTORS = regress.VECTORS


def starts(file: Path) -> int:
    return scripts.firmware(file).count("\nstart ")


def test_a_long_file_of_vectors_ends_early_and_a_short_one_does_not(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = starts(VECTORS / "aes_fips197.json")
    long = starts(VECTORS / "rc4_rfc6229.json")
    monkeypatch.setattr(scripts, "ENOUGH_CYCLES", 1)
    assert 0 < starts(VECTORS / "aes_fips197.json") < whole
    monkeypatch.setattr(scripts, "ENOUGH_CYCLES", 10**7)
    assert starts(VECTORS / "aes_fips197.json") == whole
    assert starts(VECTORS / "rc4_rfc6229.json") > long


@pytest.mark.skipif(os.environ.get("LUTRA_UVM") == "0", reason="LUTRA_UVM=0: without the UVM library")
def test_the_bench_elaborates() -> None:
    build.elaborate()


@pytest.mark.skipif(os.environ.get("LUTRA_UVM") == "0", reason="LUTRA_UVM=0: without the UVM library")
def test_a_bench_that_names_what_the_core_lacks_does_not_elaborate(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    extra = tmp_path / "extra.sv"
    extra.write_text("module extra; initial $display(tb_top.no_such_signal); endmodule\n")
    monkeypatch.setattr(
        build, "sources", lambda library, bench, of=build.sources: [*of(library, bench), "--top", "extra", str(extra)]
    )
    with pytest.raises(build.BuildError, match="slang refuses the bench"):
        build.elaborate()
    assert "no_such_signal" in capfd.readouterr().err


def test_a_run_without_an_end_is_a_failure_that_says_so(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(benches, "ROOT", tmp_path)
    monkeypatch.setattr(regress, "TIMEOUT", 0.1)
    program = benches.CORE.program
    program.parent.mkdir(parents=True)
    program.write_text("#!/bin/sh\nexec sleep 60\n")
    program.chmod(0o755)
    result = regress.simulate(regress.Run("memory"))
    assert not result.passed and result.errors == ("no end after 0.1 seconds",)


def test_junit_tells_of_a_failure(tmp_path: Path) -> None:
    run = regress.Run("random", seed=7)
    regress.write_junit([regress.Result(run, False, 1.0, ("UVM_ERROR @ 5: wrong",))], tmp_path / "r.xml")
    suite = ET.parse(tmp_path / "r.xml").getroot()
    assert suite.get("failures") == "1"
    failure = suite.find("testcase/failure")
    assert failure is not None and failure.get("message") == "UVM_ERROR @ 5: wrong"


def test_sources_that_stay_the_same_keep_their_time(tmp_path: Path) -> None:
    new, old = tmp_path / "new", tmp_path / "old"
    for folder, text in ((new, "b"), (old, "a")):
        folder.mkdir()
        (folder / "same.cpp").write_text("same")
        (folder / "other.cpp").write_text(text)
    (old / "gone.cpp").write_text("")
    (old / "gone.o").write_text("")
    before = (old / "same.cpp").stat().st_mtime_ns
    assert build.take_over(new, old) == 1
    assert (old / "other.cpp").read_text() == "b"
    assert (old / "same.cpp").stat().st_mtime_ns == before
    assert sorted(p.name for p in old.iterdir()) == ["other.cpp", "same.cpp"]
