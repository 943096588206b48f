"""Results of shards as JSON, which can be read back and merged, and as JUnit."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.metadata import version
from itertools import pairwise
from typing import Any
from xml.etree import ElementTree

from msgspec import Struct
from msgspec.structs import asdict

from lutra.cosim.campaign import Failed, Result
from lutra.firmware.errors import FirmwareError
from lutra.firmware.schema import convert


class ReportError(Exception):
    """A document that is not a report, or does not fit the others; one line."""


@dataclass(frozen=True)
class CampaignReport:
    """A result: its seeds (ranges of the first and the one after the last), version, and duration."""

    seeds: tuple[tuple[int, int], ...]
    version: str
    seconds: float
    result: Result


def report(first: int, last: int, seconds: float, result: Result) -> CampaignReport:
    """Report on a shard that ran here."""
    return CampaignReport(((first, last),), version("lutra-asip"), seconds, result)


def as_json(shard: CampaignReport) -> dict[str, Any]:
    """The object of `lutra campaign run --json`."""
    result = shard.result
    return {
        "version": shard.version,
        "seeds": [f"{first}:{last}" for first, last in shard.seeds],
        "programs": result.programs,
        "retired": result.retired,
        "cycles": result.cycles,
        "seconds": round(shard.seconds, 3),
        "parts": [
            {"mode": mode, "rounds": rounds, "programs": programs, "retired": retired}
            for (mode, rounds), (programs, retired) in sorted(result.parts.items())
        ],
        "stalls": dict(result.stalls),
        "ends": dict(sorted(result.ends.items())),
        "failures": [asdict(f) for f in result.failures],
    }


class _Part(Struct, frozen=True):
    mode: str
    rounds: int
    programs: int
    retired: int


class _Document(Struct, frozen=True):
    """A report without its sums, which follow from the parts."""

    version: str
    seeds: tuple[str, ...]
    cycles: int
    seconds: float
    parts: tuple[_Part, ...]
    stalls: dict[str, int]
    ends: dict[str, int]
    failures: tuple[Failed, ...]


def parse(document: object) -> CampaignReport:
    """The report of a JSON document. Raises ReportError."""
    if not isinstance(document, dict):
        raise ReportError("it is not a JSON object")
    try:
        found = convert("", document, _Document)
    except FirmwareError as error:
        raise ReportError(str(error).removeprefix(": ")) from error
    parts = {(p.mode, p.rounds): (p.programs, p.retired) for p in found.parts}
    result = Result(found.cycles, parts, Counter(found.stalls), Counter(found.ends), list(found.failures))
    return CampaignReport(tuple(map(_range, found.seeds)), found.version, found.seconds, result)


def _range(text: str) -> tuple[int, int]:
    """Seeds `FIRST:LAST`."""
    found = re.fullmatch(r"([0-9]{1,20}):([0-9]{1,20})", text)
    if found is None:
        raise ReportError(f"seeds must be FIRST:LAST, not {text!r}")
    return int(found[1]), int(found[2])


def merge(shards: Mapping[str, CampaignReport]) -> CampaignReport:
    """Merge several reports, by their names; ReportError if a seed is in two, or versions differ."""
    whole = Result()
    ranges: list[tuple[int, int, str]] = []
    for name, shard in shards.items():
        whole.add(shard.result)
        ranges += [(first, last, name) for first, last in shard.seeds]
    ranges.sort()
    for (_, last, one), (first, _, other) in pairwise(ranges):
        if first < last:
            raise ReportError(f"{one} and {other} both have seed {first}; merge every shard once")
    versions = {shard.version for shard in shards.values()}
    if len(versions) > 1:
        raise ReportError(f"the shards are of different versions: {', '.join(sorted(versions))}")
    joined: list[tuple[int, int]] = []
    for first, last, _ in ranges:
        if joined and joined[-1][1] == first:
            first = joined.pop()[0]
        joined.append((first, last))
    return CampaignReport(tuple(joined), versions.pop(), sum(s.seconds for s in shards.values()), whole)


def junit(shard: CampaignReport) -> bytes:
    """JUnit's XML: a case for each mode and value of ROUNDS_PER_INSTR, and one for each seed that failed."""
    result = shard.result
    suite = ElementTree.Element(
        "testsuite",
        name="lutra campaign run",
        tests=str(len(result.parts) + len(result.failures)),
        failures=str(len(result.failures)),
        errors="0",
        time=f"{shard.seconds:.3f}",
    )
    for (mode, rounds), (programs, retired) in sorted(result.parts.items()):
        case = ElementTree.SubElement(suite, "testcase", classname=f"random.{mode}", name=f"rounds {rounds}")
        ElementTree.SubElement(case, "system-out").text = f"{programs} programs, {retired} retired instructions"
    for f in result.failures:
        case = ElementTree.SubElement(suite, "testcase", classname=f"random.{f.mode}", name=f"seed {f.seed}")
        ElementTree.SubElement(case, "failure", message=f.report.splitlines()[0]).text = f"{f.report}\n\n{f.source}"
    return bytes(ElementTree.tostring(suite, encoding="utf-8", xml_declaration=True))
