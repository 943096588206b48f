"""The DMA units between strings, rows and an AXI memory with latency, back-pressure and errors (tests/soc/dma)."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from support.documents import ROOT

BENCH = ROOT / "tests" / "soc" / "dma"
RTL = ROOT / "soc" / "rtl"
WIDTHS = [
    pytest.param(64, id="64"),
    pytest.param(128, id="128", marks=pytest.mark.nightly("a wider bus is another model, ten seconds of compilation")),
]
STRING = 4096
# Fetching, checking, the registers on the way: cycles of a string that are not beats or latency.
OVERHEAD = 12

# A line of a unit, the same with a fault, and what of the bench finds it.
FAULTS = {
    "window is not checked": ("lutra_segments", "end_address <= limit", "end_address <= limit + 1"),
    "element is not checked": ("lutra_segments", "permitted ? StateRequest : StateCut", "StateRequest"),
    "element with reserved bits": ("lutra_segments", "|| element_flags[31:1] != '0", ""),
    "burst across 4 KB": ("lutra_segments", "if (faulted) room =", "room = BlockBytes; if (faulted) room ="),
    "fault does not stay": ("lutra_segments", "accept && !string_continue_i ? FaultNone", "accept ? FaultNone"),
    "rest of a segment is lost": ("lutra_segments", "accept ? begins || !list_q", "accept ? 1'b1"),
    "words of an element": ("lutra_segments", "8*(i^3)", "8*i"),
    "row is overwritten": ("lutra_pack", "!row_valid_q ||", "1'b1 ||"),
    "end of a row is not zero": ("lutra_pack", "flush_q || zero_i", "zero_i"),
    "error is not kept": ("lutra_pack", "if (fault_q == FaultNone) fault_d = fault_i", "fault_d = fault_i"),
    "lanes before the string": ("lutra_dma_read", "started_q ? '0 : head.first_lane", "'0"),
    "lanes after the string": ("lutra_dma_read", "last_beat ? head.last_lane : '1", "'1"),
    "strobes": ("lutra_unpack", "i <= 32'(last_lane_i)", "i <= 32'(last_lane_i) + 1"),
    "bytes without strobe": ("lutra_unpack", "strobe_o[i] ? rotated[i] : '0", "rotated[i]"),
    "kept bytes": ("lutra_unpack", "last_i ? row_used : row_ends || keep", "row_ends || keep"),
    "done without a response": ("lutra_dma_write", "response_valid_i || !awaited.access", "1'b1"),
    "error of a write": ("lutra_dma_write", "if (awaited.fault == FaultNone && bus_error)", "if (1'b0)"),
    "data of another client": ("lutra_write_port", ".push_i(client)", ".push_i(WriteData)"),
    "address is not held": ("lutra_write_port", "(!awvalid_q || awready_i)", "1'b1"),
    "wrong client": ("lutra_read_port", "rid_i == IdWidth'(c)", "rid_i[0] == 1'(c)"),
    "error of a read": ("lutra_read_port", "rresp_i != 2'b00", "rresp_i == 2'b11"),
}


def build(width: int, folder: Path, rtl: Path = RTL) -> Path:
    """Verilate the units with the bench and return the program."""
    units = [rtl / line for line in (RTL / "lutra_dma.f").read_text().split()]
    command = ["verilator_bin", "--cc", "--exe", "--build", "-j", "1", "--assert", "--no-timing", "--quiet", "-Wall"]
    command += ["--top-module", "dma_bench", f"-GDATA_WIDTH={width}", "--x-initial", "unique", "--x-assign", "unique"]
    command += ["--Mdir", str(folder), "-O3", "-MAKEFLAGS", "OPT_FAST=-O1 OPT_SLOW=-O0 OPT_GLOBAL=-O0"]
    command += ["-CFLAGS", f"-DDATA_WIDTH={width} -std=c++20 -Wall -Wextra -Werror", str(ROOT / "rtl" / "lint.vlt")]
    command += [*map(str, units), str(BENCH / "dma_bench.sv"), str(BENCH / "dma_bench.cpp")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return folder / "Vdma_bench"


@pytest.fixture(scope="module", params=WIDTHS)
def width(request: pytest.FixtureRequest) -> int:
    """Bits of the data bus."""
    return int(request.param)


@pytest.fixture(scope="module")
def bench(width: int, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The program of a width."""
    return build(width, tmp_path_factory.mktemp(f"dma{width}"))


def scenarios(program: Path, first: int, last: int) -> subprocess.CompletedProcess[str]:
    """Run the scenarios of these seeds; the last line of standard error is what was wrong."""
    command = [str(program), "random", str(first), str(last)]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=600)


def cycles(program: Path, *strings: tuple[int, int, int, int, int]) -> list[tuple[int, int]]:
    """Cycles that a read and a write take: address of source and destination, bytes, bytes of a segment, latency."""
    given = "".join(" ".join(map(str, string)) + "\n" for string in strings)
    done = subprocess.run([program, "rate"], input=given, capture_output=True, text=True, check=True, timeout=600)
    return [(int(read), int(write)) for read, write in (line.split() for line in done.stdout.splitlines())]


def test_strings_arrive_whatever_the_bus_does(bench: Path) -> None:
    done = scenarios(bench, 0, 400)
    assert done.returncode == 0, done.stderr[-300:]


@pytest.mark.parametrize("latency", [0, 30, 100])
def test_any_alignment_has_the_rate_of_the_bus(bench: Path, width: int, latency: int) -> None:
    ideal = STRING * 8 // width + latency + OVERHEAD
    places = [(source, 3 * source % 16, STRING, 0, latency) for source in range(16)]
    for place, found in zip(places, cycles(bench, *places), strict=True):
        assert max(found) <= ideal, (place, found)


@pytest.mark.parametrize(("segment", "latency", "gap"), [(1000, 0, 8), (256, 0, 8), (1000, 30, 28)])
def test_segments_of_a_list_follow_closely(bench: Path, width: int, segment: int, latency: int, gap: int) -> None:
    ideal = STRING * 8 // width + 2 * latency + OVERHEAD
    (found,) = cycles(bench, (3, 5, STRING, segment, latency))
    assert max(found) <= ideal + gap * -(-STRING // segment)


@pytest.mark.nightly("each is a model of its own")
@pytest.mark.parametrize("name", FAULTS)
def test_the_bench_finds_a_fault(name: str, tmp_path: Path) -> None:
    unit, line, wrong = FAULTS[name]
    for file in RTL.glob("*.sv"):
        text = file.read_text()
        if file.stem == unit:
            assert line in text
            text = "// verilator lint_off WIDTH\n// verilator lint_off UNUSEDSIGNAL\n" + text.replace(line, wrong)
        (tmp_path / file.name).write_text(text)
    done = scenarios(build(64, tmp_path / "model", tmp_path), 0, 400)
    assert done.returncode != 0
