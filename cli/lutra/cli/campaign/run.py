"""`lutra campaign run`: random programs on simulator and core in lock-step."""

from __future__ import annotations

import re
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated

import typer

from lutra import coverage
from lutra.cli.campaign.results import ResultOptions, finish
from lutra.cli.campaign.weights import file_of, weights
from lutra.cli.errors import CliError, UsageError
from lutra.cli.options import CoverageOption, RtlLibraryOption, existing, use_rtl_library
from lutra.cli.output import output, progress
from lutra.cli.request import takes
from lutra.cosim import campaign, cluster
from lutra.cosim.campaign import Result, Work
from lutra.cosim.report import CampaignReport, report
from lutra.coverage.closing import close
from lutra.coverage.steer import weights as steered
from lutra.isa import load
from lutra.iss import engine as engines
from lutra.random import MODES, WeightsError, defaults

MOST_FAILURES = 10
MOST_JOBS = 256


@dataclass(frozen=True, kw_only=True)
class SeedOptions:
    """Options for the programs, and for how they run."""

    seeds: Annotated[str, typer.Option("--seeds", metavar="A:B", help="Run seeds A to B-1, one program per seed.")] = (
        "0:100"
    )
    mode: Annotated[
        str, typer.Option("--mode", metavar="NAME", help=f"Run only this mode: {', '.join(MODES)}; default all.")
    ] = ""
    rounds: Annotated[
        int | None,
        typer.Option(
            "--rounds", min=1, max=2, help="Rounds per instruction; default: alternate between all that are built."
        ),
    ] = None
    weights: Annotated[
        str,
        typer.Option(
            "--weights", metavar="FILE|NAME=N,..", help="Change weights: a JSON file of names and numbers, or pairs."
        ),
    ] = ""
    jobs: Annotated[
        int, typer.Option("--jobs", metavar="N", min=1, max=MOST_JOBS, help="Run N processes; default 1.")
    ] = 1
    scheduler: Annotated[
        str, typer.Option("--scheduler", metavar="ADDRESS", help="Run on the Dask cluster at this address instead.")
    ] = ""
    coverage: CoverageOption = None
    steer: Annotated[
        Path | None,
        typer.Option("--steer", metavar="FILE", help="Aim at the bins that these counts have not hit."),
    ] = None
    rtl_library: RtlLibraryOption = None


@dataclass(frozen=True, kw_only=True)
class Request(ResultOptions, SeedOptions):
    """Options of the command."""


@takes(Request)
def command(request: Request) -> None:
    """Run random programs on simulator and core in lock-step, which are compared at every retirement.

    Each seed gives one program, the same on every machine. A failing program is shrunk and written as assembly for
    `lutra run FILE.s --engine cosim`. The exit code is 1 if any seed fails.

    \b
    Example:
      lutra campaign run --seeds 0:1000 --jobs 2
      lutra campaign run --seeds 0:50 --mode loops --rounds 1 --json > shard.json
      lutra campaign run --seeds 0:1000 --coverage counts.json
    """
    read = {"--steer": request.steer, "--rtl-library": request.rtl_library, "--weights": file_of(request.weights)}
    request.check(read, {"--coverage": request.coverage})
    if request.steer is not None and request.coverage is None:
        raise UsageError("--steer needs a file for the new counts; add --coverage FILE")
    use_rtl_library(request.rtl_library)
    todo = _work(request)
    before = None if request.steer is None else coverage.read([existing(request.steer)])
    if before is not None:
        holes = coverage.report(before, _rounds(request)).holes
        todo = replace(todo, weights=tuple(steered(holes, dict(todo.weights) or defaults(load())).items()))
    whole = _run(todo, request)
    if request.coverage is not None:
        _cover(request.coverage, whole.result.coverage, before, todo.first, _rounds(request))
    finish(whole, request)


def _rounds(request: Request) -> tuple[int, ...]:
    return (request.rounds,) if request.rounds else coverage.ROUNDS


def _work(request: Request) -> Work:
    """Return the seeds and how to make their programs. Raises UsageError and CliError."""
    match = re.fullmatch(r"(\d{1,18}):(\d{1,18})", request.seeds)
    if match is None or int(match[1]) >= int(match[2]):
        raise UsageError(f"--seeds {request.seeds}: write A:B with A less than B, e.g. 0:1000")
    if request.mode and request.mode not in MODES:
        raise UsageError(f"--mode {request.mode}: no such mode; choose from {', '.join(MODES)}")
    known = defaults(load())
    return Work(
        int(match[1]),
        int(match[2]),
        request.mode,
        request.rounds or 0,
        tuple((known | weights(request.weights, known)).items()) if request.weights else (),
        "" if request.rtl_library is None else str(request.rtl_library.resolve()),
        covered=request.coverage is not None,
    )


def _run(todo: Work, request: Request) -> CampaignReport:
    """Run the seeds until all are done or enough have failed."""
    begun = time.perf_counter()
    result = Result()
    last = todo.first
    with progress("random programs in lock-step", todo.last - todo.first) as done:
        for piece, part in zip(todo.chunks(), _results(todo, request), strict=False):
            result.add(part)
            last = piece.last
            done(last - todo.first)
            if len(result.failures) >= MOST_FAILURES:
                break
    return report(todo.first, last, time.perf_counter() - begun, result)


def _results(todo: Work, request: Request) -> Iterator[Result]:
    try:
        if request.scheduler:
            yield from cluster.results(campaign.work, todo.chunks(), request.scheduler)
        else:
            yield from campaign.results(todo, request.jobs)
    except WeightsError as error:
        raise UsageError(f"no program can be generated with these weights: {error}") from error
    except cluster.ClusterError as error:
        raise CliError(str(error)) from error


def _cover(
    path: Path, counts: coverage.Counts, before: coverage.Counts | None, seed: int, rounds: tuple[int, ...]
) -> None:
    """Run the programs aimed at the bins that earlier counts missed, and write the sum of all counts."""
    left: list[coverage.Hole] = []
    with progress("programs aimed at holes", None) as done:
        for r in () if before is None else rounds:
            machine = engines.make("cosim", r)
            collector = coverage.Collector(machine)
            known = coverage.Counts()
            known.add(before or known)
            known.add(counts)
            left += close(machine, collector, known, seed, done)
            counts.add(collector.counts())
    if before is not None:
        print(f"{len(left)} bins are still not hit", file=sys.stderr)
    if stray := counts.unexpected():
        raise coverage.CoverageError(f"bin {stray[0]} was hit, but the plan excludes it as impossible")
    with output(path) as file:
        coverage.write(file, counts)
