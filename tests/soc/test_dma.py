"""The DMA units between strings, rows and an AXI memory with latency, back-pressure and errors (tests/soc/dma)."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from support.documents import ROOT
from support.programs import kept

BENCH = ROOT / "tests" / "soc" / "dma"
RTL = ROOT / "soc" / "rtl"
WIDTHS = [
    pytest.param(64, id="64"),
    pytest.param(128, id="128", marks=pytest.mark.nightly("a wider bus is another model, ten seconds of compilation")),
]
STRING = 4096
# Fetching, checking, the registers on the way: cycles of a string that are not beats or latency.
OVERHEAD = 12

# An expression of a unit, and one in its place that the bench has to find.
FAULTS = {
    "a byte after the window": ("lutra_segments", "end_q <= limit", "end_q <= limit + 1"),
    "an element is not checked": (
        "lutra_segments",
        "permitted ? StateNext : now.one ? StateCut : StateLine",
        "StateNext",
    ),
    "reserved bits": ("lutra_segments", "flags.reserved_31 != '0", "1'b0"),
    "a string of no bytes is checked": ("lutra_segments", "bytes != '0 && !permitted", "!permitted"),
    "a burst across 4 KB": (
        "lutra_segments",
        "count_t'(BlockBytes) - count_t'(address[BlockBits-1:0])",
        "count_t'(BlockBytes)",
    ),
    "a fault does not stay": ("lutra_segments", "begins ? FaultNone : side_q[i].fault", "FaultNone"),
    "the rest of a segment": ("lutra_segments", "accept && !keeps", "accept"),
    "an element with an error": ("lutra_segments", "now.error[now.element]", "1'b0"),
    "an error of an element that nobody needs": ("lutra_segments", "now.error[now.element]", "now.error != '0"),
    "elements after the window": ("lutra_segments", "now.one || !permitted", "1'b0"),
    "elements of another line": ("lutra_segments", "!now.one && now.element != '1", "1'b1"),
    "big-endian elements": ("lutra_segments", "response_data_i[8*(b^3)+:8]", "response_data_i[8*b+:8]"),
    "a row is overwritten": ("lutra_pack", "!row_valid_q || (Lanes == RowBytes && row_ready_i)", "1'b1"),
    "zeros after the string": ("lutra_pack", "flush_q || zero_i", "zero_i"),
    "the first fault": ("lutra_pack", "(fault_q == FaultNone)", "(1'b1)"),
    "lanes before the string": ("lutra_dma_read", "started_q ? '0 : head.first_lane", "head.first_lane"),
    "lanes after the string": ("lutra_dma_read", "last_beat ? head.last_lane : '1", "'1"),
    "a beat while zeros come": ("lutra_dma_read", "beat_ready && !absent", "beat_ready"),
    "strobes": ("lutra_unpack", "i <= 32'(last_lane_i)", "1'b1"),
    "bytes without strobe": ("lutra_unpack", "strobe_o[i] ? rotated[i] : '0", "rotated[i]"),
    "a row is dropped": ("lutra_unpack", "last_i ? row_used : row_ends || keep", "row_ends || keep"),
    "a byte that is kept": ("lutra_unpack", "32'(next[IndexBits-1:0]) >= FirstKept", "next > FirstKept"),
    "done before the responses": ("lutra_dma_write", "response_valid_i || !awaited.access", "1'b1"),
    "error of a response": ("lutra_dma_write", "(awaited.fault == FaultNone && bus_error)", "(1'b0)"),
    "too many bursts": ("lutra_queue", "32'(count_q) != Depth", "1'b1"),
    "order of the data": ("lutra_write_port", "beat_taken && beat_last_i[turn]", "beat_taken"),
    "an address is not held": ("lutra_write_port", "(!awvalid_q || awready_i)", "(1'b1)"),
    "data wait for the address": (
        "lutra_write_port",
        "turn_valid && (!wvalid_q || wready_i)",
        "turn_valid && !awvalid_q && (!wvalid_q || wready_i)",
    ),
    "an error of BRESP": ("lutra_write_port", "bresp_i != 2'b00", "bresp_i == 2'b11"),
    "an error of RRESP": ("lutra_read_port", "rresp_i != 2'b00", "rresp_i == 2'b11"),
    "a client": ("lutra_read_port", "rid_i == IdWidth'(c)", "rid_i[0] == 1'(c)"),
}


def build(width: int, folder: Path, rtl: Path = RTL) -> Path:
    """Verilate the units with the bench and return the program."""
    units = [ROOT / "build/gen/soc/lutra_layout_pkg.sv"]
    units += [rtl / line for line in (RTL / "lutra_dma.f").read_text().split()]
    units.append(ROOT / "rtl" / "lutra_sram.sv")
    command = ["verilator_bin", "--cc", "--exe", "--build", "-j", "1", "--assert", "--no-timing", "--quiet", "-Wall"]
    command += ["--top-module", "dma_bench", f"-GDATA_WIDTH={width}", "--x-initial", "unique", "--x-assign", "unique"]
    command += ["--Mdir", str(folder), "-O3", "-MAKEFLAGS", "OPT_FAST=-O1 OPT_SLOW=-O0 OPT_GLOBAL=-O0"]
    command += ["-CFLAGS", f"-DDATA_WIDTH={width} -std=c++20 -Wall -Wextra -Werror"]
    command += [str(ROOT / "rtl" / "lint.vlt"), str(RTL / "lint.vlt")]
    command += [*map(str, units), str(BENCH / "dma_bench.sv"), str(BENCH / "dma_bench.cpp")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return folder / "Vdma_bench"


@pytest.fixture(scope="module", params=WIDTHS)
def width(request: pytest.FixtureRequest) -> int:
    """Bits of the data bus."""
    return int(request.param)


@pytest.fixture(scope="module")
def bench(width: int) -> Path:
    """The program of a width."""
    made_from = (BENCH, RTL, ROOT / "rtl", ROOT / "build/gen/soc/lutra_layout_pkg.sv", Path(__file__))
    return kept(f"dma{width}", made_from, lambda folder: build(width, folder))


def scenarios(program: Path, first: int, last: int, fault: int = 0) -> subprocess.CompletedProcess[str]:
    """Run the scenarios of these seeds; the last line of standard error is what was wrong."""
    command = [str(program), "random", str(first), str(last), str(fault)]
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


@pytest.mark.parametrize(("segment", "latency", "gap"), [(1000, 0, 11), (256, 0, 8), (1000, 30, 28)])
def test_segments_of_a_list_follow_closely(bench: Path, width: int, segment: int, latency: int, gap: int) -> None:
    ideal = STRING * 8 // width + 2 * latency + OVERHEAD
    (found,) = cycles(bench, (3, 5, STRING, segment, latency))
    assert max(found) <= ideal + gap * -(-STRING // segment)


@pytest.fixture(scope="module")
def faulty(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A program with all faults, of which fault_i chooses one."""
    folder = tmp_path_factory.mktemp("faulty")
    for file in RTL.glob("*.sv"):
        text = file.read_text()
        for number, (unit, right, wrong) in enumerate(FAULTS.values(), 1):
            if file.stem == unit:
                assert text.count(right) == 1, right
                text = text.replace(right, f"(dma_bench.fault_i == {number} ? {wrong} : ({right}))")
        (folder / file.name).write_text("// verilator lint_off WIDTH\n" + text)
    return build(64, folder / "model", folder)


@pytest.mark.nightly("a model of its own")
def test_without_a_fault_the_faulty_units_work(faulty: Path) -> None:
    assert scenarios(faulty, 0, 100).returncode == 0


@pytest.mark.nightly("a model of its own")
@pytest.mark.parametrize("name", FAULTS)
def test_the_bench_finds_a_fault(faulty: Path, name: str) -> None:
    done = scenarios(faulty, 0, 400, 1 + list(FAULTS).index(name))
    assert done.returncode != 0
