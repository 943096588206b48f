"""`lutra kat`: run known-answer tests on the firmware."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
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
from lutra.firmware import kat
from lutra.firmware.published import VECTORS
from lutra.firmware.session import Session
from lutra.iss import engine as engines


def command(
    paths: Annotated[
        list[Path] | None,
        typer.Argument(
            metavar="FILE_OR_DIR", help="Vector files or folders of them; default: the examples of the standards."
        ),
    ] = None,
    manifest: ManifestOption = None,
    engine: EngineOption = "iss",
    limit: Annotated[
        int | None, typer.Option("--limit", metavar="N", min=1, help="Run only the first N tests of each file.")
    ] = None,
    coverage: CoverageOption = None,
    lcov: LcovOption = None,
    json: JsonOption = False,
) -> None:
    """Run known-answer vectors through the firmware.

    A vector file is JSON as the manual describes it, JSON of Project Wycheproof, or a response file (.rsp) of NIST's
    AESAVS. Without a file, the examples printed in the standards run, which are part of Lutra. The exit code is 1 if a
    test fails or if none ran.

    \b
    Example:
      lutra kat --engine cosim
    """
    known = served(manifest)
    files = kat.files(paths or [VECTORS])
    distinct({str(file): file for file in files} | own_files(known), {"--coverage": coverage, "--lcov": lcov})
    tests = {file: kat.read(file, known, limit) for file in files}
    reports: list[kat.Report] = []
    before = 0
    of_all = sum(kat.runs(t) for t in tests.values())
    with coverage_file(coverage), lcov_file(lcov), progress("known answers", of_all) as done:
        session = Session(engines.make(engine))
        for file, inside in tests.items():
            report = kat.run(session, known, inside, progress=_offset(before, done))
            reports.append(report)
            before += kat.runs(inside)
            if not json:
                _print_file(file, report)
    total = kat.total(reports)
    if json:
        print_json(_document(total, engine))
    else:
        for reason, count in _by_reason(total).items():
            print(f"skipped: {reason} ({count})")
        print(total)
    if not total.good:
        raise typer.Exit(1)


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
    """Print the skipped tests by reason; several modes may share one."""
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
