"""The UVM bench of lutra_axi, without building it: that it elaborates, its scripts and its sum of coverage."""

from __future__ import annotations

import os
from collections import Counter
from pathlib import Path

import pytest

from lutra.soc import operations
from uvm.runner import benches, build, soc


@pytest.mark.skipif(os.environ.get("LUTRA_UVM") == "0", reason="LUTRA_UVM=0: without the UVM library")
def test_the_bench_of_the_device_elaborates() -> None:
    build.elaborate(benches.SOC)


def test_a_script_has_all_operations_and_rows_of_a_firmware() -> None:
    firmware = operations.load("aes")
    lines = [line.split() for line in soc.script("aes").splitlines()]
    words = {int(line[1], 16): int(line[2], 16) for line in lines if line[0] == "operation"}
    assert lines[0] == ["reset", f"{firmware.stream_reset:x}"]
    assert words == firmware.registers()
    program = [row for row in lines if row[0] == "row" and row[1] == "7"]
    assert len(program) == len(firmware.image.program)
    assert not any(line[0] == "misbehaves" for line in lines)
    assert sum(line.startswith("misbehaves") for line in soc.script(soc.TOY).splitlines()) == len(soc.MISBEHAVING)


def test_every_firmware_takes_part() -> None:
    names = {run.variant for run in soc.regression(seeds=1)}
    assert names == {soc.TOY, *operations.manifest()}


def test_bins_of_runs_are_added(tmp_path: Path) -> None:
    def line(name: str, hits: int) -> str:
        return f"C '\x01t\x02covergroup\x01page\x02v_covergroup/cg\x01h\x02{name}' {hits}"

    data = tmp_path / "coverage.dat"
    data.write_text("\n".join(["# SystemC::Coverage-3", line("cg.x.a", 2), line("cg.x.b", 0), "C '\x01t\x02user' 7"]))
    hits = soc.coverage(data)
    assert hits == Counter({"cg.x.a": 2, "cg.x.b": 0}) and "cg.x.b" in hits
    assert soc.by_group(hits) == {"cg": (1, 2)}
