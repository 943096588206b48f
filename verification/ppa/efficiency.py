"""Throughput, and throughput by gate, from the cycles of docs/benchmarks.md and a measured period.

A test holds that page to the core's own counters, so no cycle is typed here.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from ppa.tools import ROOT, PpaError

BENCHMARKS = ROOT / "docs" / "benchmarks.md"
UNIT_BITS = {"block": 128, "word": 32, "byte": 8}
# CP-ASIP: Huo & Liu, Chinese Journal of Electronics 26(3), 2017: its clock, its logic, its memories by its own count.
PAPER_NS, PAPER_GATES = 1.0, 36_000 + 99_000


@dataclass(frozen=True)
class Job:
    """A row of the page. mean: counts in the geometric mean of the five ciphers."""

    cipher: str
    variant: str
    what: str
    mean: bool = False


JOBS = (
    Job("aes-128-ecb", "fused", "AES-128 ECB", True),
    Job("aria-128-ecb", "fused", "ARIA-128 ECB", True),
    Job("camellia-128-ecb", "packed", "Camellia-128 ECB", True),
    Job("snow3g-x2", "two-streams", "SNOW 3G, two streams", True),
    Job("zuc-128-x2", "two-streams", "ZUC, two streams", True),
    Job("aes-128-gcm", "fused", "AES-128 GCM"),
    Job("aes-128-cbc", "single-stream", "AES-128 CBC encryption, one stream"),
    Job("snow3g", "one-stream", "SNOW 3G, one stream"),
    Job("zuc-128", "one-stream", "ZUC, one stream"),
    Job("128-eia1", "one-stream", "128-EIA1"),
    Job("128-eia3", "one-stream", "128-EIA3"),
)


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
        """Of a block, word or byte."""
        return self.cycles * self.ns

    @property
    def gigabits(self) -> float:
        """A second."""
        return UNIT_BITS[self.unit] / self.ns_per_unit

    def by_gates(self, gates: float) -> float:
        """Mb/s per thousand gates."""
        return self.gigabits * 1e6 / gates

    @property
    def paper(self) -> float | None:
        """The paper's Mb/s per thousand gates, memories included."""
        if self.published is None:
            return None
        return UNIT_BITS[self.unit] / (self.published * PAPER_NS) * 1e6 / PAPER_GATES


def rows(page: Path = BENCHMARKS) -> dict[tuple[str, str], tuple[str, float, float | None]]:
    """Unit, cycles of a whole job per unit, and published ones, by cipher and variant."""
    found = {}
    for line in page.read_text().splitlines():
        cells = [cell.strip() for cell in line.strip("| ").split("|")]
        if len(cells) == 9 and cells[2] in UNIT_BITS:
            published = None if cells[5] == "-" else float(cells[5])
            found[cells[0], cells[1]] = (cells[2], float(cells[4]), published)
    return found


def rates(ns: float, page: Path = BENCHMARKS) -> list[Rate]:
    """All jobs at a period. Raises PpaError where the page lacks one."""
    known = rows(page)
    missing = [job for job in JOBS if (job.cipher, job.variant) not in known]
    if missing:
        raise PpaError(f"{page.name} has no row {missing[0].cipher}, {missing[0].variant} for ppa/efficiency.py")
    return [Rate(job, *known[job.cipher, job.variant], ns) for job in JOBS]


def mean(found: list[Rate], gates: float) -> float:
    """Geometric, of the five ciphers, Mb/s per thousand gates."""
    values = [rate.by_gates(gates) for rate in found if rate.job.mean]
    return math.prod(values) ** (1 / len(values))


def paper_mean(found: list[Rate]) -> float:
    """The paper's."""
    values = [rate.paper for rate in found if rate.job.mean and rate.paper is not None]
    return math.prod(values) ** (1 / len(values))


def totals(gates: float, memories: Mapping[str, float]) -> dict[str, float]:
    """What is divided by: logic alone, and with memories by the two conventions."""
    return {
        "logic": gates,
        "without program": gates + memories["by_unit_without_program"],
        "all memories": gates + memories["by_unit"],
        "by bit": gates + memories["by_bit"],
    }
