"""Throughput, and throughput by gate, from the cycles of docs/benchmarks.md and a measured period.

A test holds that page to the core's own counters, so no cycle is typed here.
"""

from __future__ import annotations

import functools
import math
import tomllib
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from pathlib import Path

from ppa.tools import ROOT, PpaError

BENCHMARKS = ROOT / "docs" / "benchmarks.md"
UNIT_BYTES = {"block": 16, "word": 4, "byte": 1}
# The processor that this core starts from: its clock, and its gates with memories by its own count.
_PAPER = tomllib.loads((ROOT / "firmware" / "literature.toml").read_text(encoding="utf-8"))["processors"]["cp-asip"]
PAPER_NS, PAPER_GATES = 1000 / float(_PAPER["mhz"]), float(_PAPER["gates"])


def unit_bits(unit: str) -> int:
    """Bytes of a unit of the page: a name, or `8-byte block`."""
    return 8 * (UNIT_BYTES.get(unit) or int(unit.removesuffix("-byte block")))


ALL_MEMORIES = "all memories"  # what the paper divides by


@dataclass(frozen=True)
class Job:
    """A row of the page. rounds, contexts: what a core needs for it."""

    cipher: str
    variant: str
    what: str
    rounds: int = 2
    contexts: int = 1


def _block_cipher(what: str, cipher: str, fastest: str) -> tuple[Job, ...]:
    return Job(cipher, fastest, what), Job(cipher, "baseline", what, rounds=1)


def _stream_cipher(what: str, cipher: str) -> tuple[Job, ...]:
    two = Job(f"{cipher}-x2", "two-streams", f"{what}, two streams", rounds=1, contexts=2)
    return two, Job(cipher, "one-stream", what, rounds=1)


# The five ciphers of the geometric mean, by their extension; of the ways to do each a core takes the first it can.
FIVE = {
    "aes": _block_cipher("AES-128 ECB", "aes-128-ecb", "fused"),
    "aria": _block_cipher("ARIA-128 ECB", "aria-128-ecb", "fused"),
    "camellia": _block_cipher("Camellia-128 ECB", "camellia-128-ecb", "packed"),
    "snow3g": _stream_cipher("SNOW 3G", "snow3g"),
    "zuc": _stream_cipher("ZUC", "zuc-128"),
}
OTHERS = (
    Job("aes-128-gcm", "fused", "AES-128 GCM"),
    Job("aes-128-cbc", "single-stream", "AES-128 CBC encryption, one stream"),
    Job("snow3g", "one-stream", "SNOW 3G, one stream"),
    Job("zuc-128", "one-stream", "ZUC, one stream"),
    Job("128-eia1", "one-stream", "128-EIA1"),
    Job("128-eia3", "one-stream", "128-EIA3"),
)
SHORT = (
    Job("aes-128-ctr", "fused", "AES-128 CTR"),
    Job("aes-256-ctr", "fused", "AES-256 CTR"),
    Job("snow3g", "one-stream", "SNOW 3G"),
    Job("zuc-128", "one-stream", "ZUC"),
)


@dataclass(frozen=True)
class Row:
    """A row of the page, per unit. cycles: of a whole job; short: of a message of 64 bytes; published: another
    processor's."""

    unit: str
    steady: float
    cycles: float
    short: int | None
    published: float | None


@dataclass(frozen=True)
class Rate:
    """A job at a period. published: cycles of the paper's processor, if it has the job."""

    job: Job
    unit: str
    cycles: float
    published: float | None
    ns: float

    @property
    def ns_per_unit(self) -> float:
        """Bytes of a block, word or byte."""
        return self.cycles * self.ns

    @property
    def gigabits(self) -> float:
        """A second."""
        return unit_bits(self.unit) / self.ns_per_unit

    def by_gates(self, gates: float) -> float:
        """Mb/s per thousand gates."""
        return self.gigabits * 1e6 / gates

    @property
    def paper(self) -> float | None:
        """The paper's Mb/s per thousand gates, memories included."""
        if self.published is None:
            return None
        return unit_bits(self.unit) / (self.published * PAPER_NS) * 1e6 / PAPER_GATES


@functools.cache
def rows(page: Path = BENCHMARKS) -> dict[tuple[str, str], Row]:
    """All of the page, by cipher and variant. Raises PpaError where it has no such table."""
    lines = [[cell.strip() for cell in line.strip("| ").split("|")] for line in page.read_text().splitlines()]
    heads = next((cells for cells in lines if cells[:3] == ["cipher", "variant", "unit"]), None)
    if heads is None:
        raise PpaError(f"{page.name} has no table of cipher, variant and unit")
    found = {}
    for cells in lines:
        if len(cells) == len(heads) and (cells[2] in UNIT_BYTES or cells[2].endswith("-byte block")):
            row = dict(zip(heads, cells, strict=True))
            short = None if row["64 bytes"] == "-" else int(row["64 bytes"])
            published = None if row["published"] == "-" else float(row["published"])
            found[cells[0], cells[1]] = Row(row["unit"], float(row["steady"]), float(row["all-in"]), short, published)
    return found


def _row(known: Mapping[tuple[str, str], Row], job: Job, page: Path) -> Row:
    if (job.cipher, job.variant) not in known:
        raise PpaError(f"{page.name} has no row {job.cipher}, {job.variant} for ppa/efficiency.py")
    return known[job.cipher, job.variant]


def _rate(job: Job, row: Row, ns: float) -> Rate:
    return Rate(job, row.unit, row.cycles, row.published, ns)


def five(
    ns: float, rounds: int = 2, contexts: int = 2, extensions: Collection[str] = FIVE.keys(), page: Path = BENCHMARKS
) -> list[Rate]:
    """Those of the five that a core has, at a period, as fast as it does them. Raises PpaError for a missing row."""
    known = rows(page)
    there = [ways for name, ways in FIVE.items() if name in extensions]
    wanted = [next(j for j in ways if j.rounds <= rounds and j.contexts <= contexts) for ways in there]
    return [_rate(job, _row(known, job, page), ns) for job in wanted]


def others(ns: float, page: Path = BENCHMARKS) -> list[Rate]:
    """Further jobs at a period. Raises PpaError for a missing row."""
    known = rows(page)
    return [_rate(job, _row(known, job, page), ns) for job in OTHERS]


def short(page: Path = BENCHMARKS) -> dict[str, int]:
    """Cycles of jobs of 64 bytes, from start to halt. Raises PpaError for a missing row."""
    known = rows(page)
    return {job.what: cycles for job in SHORT if (cycles := _row(known, job, page).short) is not None}


def mean(found: list[Rate], gates: float) -> float:
    """Geometric, Mb/s per thousand gates."""
    return math.prod(rate.by_gates(gates) for rate in found) ** (1 / len(found))


def paper_mean(found: list[Rate]) -> float:
    """The paper's."""
    values = [rate.paper for rate in found if rate.paper is not None]
    return math.prod(values) ** (1 / len(values))


def totals(gates: float, memories: Mapping[str, float]) -> dict[str, float]:
    """Divisors: logic alone, and with memories by the two conventions."""
    return {
        "logic": gates,
        "without program": gates + memories["by_unit_without_program"],
        ALL_MEMORIES: gates + memories["by_unit"],
        "by bit": gates + memories["by_bit"],
    }
