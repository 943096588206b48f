"""`lutra kat`: run known-answer tests on the firmware."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from lutra.cli.files import distinct
from lutra.cli.options import (
    CoverageOption,
    EngineOption,
    JsonOption,
    LcovOption,
    ManifestOption,
    own_files,
    served,
)
from lutra.cli.output import coverage_file, lcov_file, print_json, progress
from lutra.cli.request import takes
from lutra.firmware import kat
from lutra.firmware.ciphers import Catalogue
from lutra.firmware.published import VECTORS
from lutra.firmware.session import Session
from lutra.iss import engine as engines


@dataclass(frozen=True, kw_only=True)
class Request:
    """Options of the command."""

    paths: Annotated[
        list[Path] | None,
        typer.Argument(
            metavar="FILE_OR_DIR", help="Vector files or folders of them; default: the examples of the standards."
        ),
    ] = None
    manifest: ManifestOption = None
    engine: EngineOption = "iss"
    limit: Annotated[
        int | None, typer.Option("--limit", metavar="N", min=1, help="Run only the first N tests of each file.")
    ] = None
    coverage: CoverageOption = None
    lcov: LcovOption = None
    json: JsonOption = False


@takes(Request)
def command(request: Request) -> None:
    """Run known-answer vectors through the firmware.

    A vector file is JSON as the manual describes it, JSON of Project Wycheproof, or a response file (.rsp) of NIST's
    AESAVS. Without a file, the examples printed in the standards run, which are part of Lutra. The exit code is 1 if a
    test fails or if none ran.

    \b
    Example:
      lutra kat --engine cosim
    """
    known = served(request.manifest)
    files = kat.files(request.paths or [VECTORS])
    inputs = {str(file): file for file in files} | own_files(known)
    distinct(inputs, {"--coverage": request.coverage, "--lcov": request.lcov})
    tests = {file: kat.read(file, known, request.limit) for file in files}
    total = kat.total(_reports(request, known, tests))
    if request.json:
        print_json(_document(total, request.engine))
    else:
        for reason, count in _by_reason(total).items():
            print(f"skipped: {reason} ({count})")
        print(total)
    if not total.good:
        raise typer.Exit(1)


def _reports(request: Request, known: Catalogue, tests: Mapping[Path, Sequence[kat.Test]]) -> list[kat.Report]:
    """Run the tests of each file and print its results; return the reports."""
    reports: list[kat.Report] = []
    before, runs = 0, sum(kat.runs(inside) for inside in tests.values())
    with coverage_file(request.coverage), lcov_file(request.lcov), progress("known answers", runs) as done:
        session = Session(engines.make(request.engine))
        for file, inside in tests.items():
            reports.append(kat.run(session, known, inside, progress=_offset(before, done)))
            before += kat.runs(inside)
            if not request.json:
                _print_file(file, reports[-1])
    return reports


def _offset(before: int, done: Callable[[int], None]) -> Callable[[int], None]:
    """Return the progress callback of a part that follows `before` runs."""
    return lambda runs: done(before + runs)


def _print_file(file: Path, report: kat.Report) -> None:
    for f in report.failures:
        direction = f" ({f.direction})" if f.direction else ""
        print(f"FAILED {f.file}: {f.id}{direction}: {f.reason}")
    if report.passed or report.rejected or report.failures:
        print(f"{file}: {report}")


def _by_reason(report: kat.Report) -> Counter[str]:
    """Count the skipped tests by reason; several modes may share one."""
    counts = Counter[str]()
    for (_, _, reason), count in report.unserved.items():
        counts[reason] += count
    return counts


def _document(report: kat.Report, engine: str) -> dict[str, object]:
    return {
        "engine": engine,
        "passed": report.passed,
        "failed": report.failed,
        "rejected": report.rejected,
        "skipped": report.skipped,
        "unserved": [
            {"algorithm": algorithm, "mode": mode, "reason": reason, "count": count}
            for (algorithm, mode, reason), count in report.unserved.items()
        ],
        "failures": [
            {
                "file": f.file,
                "id": f.id,
                "direction": f.direction,
                "message": f.message,
                "expected": f.expected.hex(),
                "got": f.got.hex(),
            }
            for f in report.failures
        ],
    }
