"""`lutra cosim`: simulator and core in lock-step, on random programs or on one image."""

from __future__ import annotations

import os
import re
import sys
import time
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from lutra import coverage
from lutra.asm.files import DOCUMENT_BYTES, read_json
from lutra.cli import run
from lutra.cli.errors import CliError, UsageError
from lutra.cli.files import distinct, read_bounded
from lutra.cli.options import CoverageOption, JsonOption, existing
from lutra.cli.output import output, print_json, progress
from lutra.cosim import campaign, cluster
from lutra.cosim.campaign import Result, Work
from lutra.cosim.report import CampaignReport, ReportError, as_json, junit, merge, parse, report
from lutra.coverage.closing import close
from lutra.coverage.steer import weights as steered
from lutra.firmware.errors import nearest
from lutra.isa import load
from lutra.iss import engine as engines
from lutra.random import MODES, WeightsError, defaults
from lutra.rtl import RTL_LIBRARY

MOST_FAILURES = 10
MOST_JOBS = 256


def command(
    files: Annotated[
        list[Path] | None,
        typer.Argument(metavar="[FILE...]", help="Image or source to run; with --merge, reports to merge."),
    ] = None,
    random: Annotated[
        bool, typer.Option("--random", help="Run random programs generated from the ISA tables.")
    ] = False,
    seeds: Annotated[
        str, typer.Option("--seeds", metavar="A:B", help="Run seeds A to B-1, one program per seed.")
    ] = "0:100",
    mode: Annotated[
        str, typer.Option("--mode", metavar="NAME", help=f"Run only this mode: {', '.join(MODES)}; default all.")
    ] = "",
    rounds: Annotated[
        int | None,
        typer.Option(
            "--rounds",
            min=1,
            max=2,
            help="Rounds per instruction; default: alternate between all that are built, or the greatest for an image.",
        ),
    ] = None,
    weights: Annotated[
        str,
        typer.Option(
            "--weights", metavar="FILE|NAME=N,..", help="Change weights: a JSON file of names and numbers, or pairs."
        ),
    ] = "",
    jobs: Annotated[
        int, typer.Option("--jobs", metavar="N", min=1, max=MOST_JOBS, help="Run N processes; default 1.")
    ] = 1,
    scheduler: Annotated[
        str, typer.Option("--scheduler", metavar="ADDRESS", help="Run on the Dask cluster at this address instead.")
    ] = "",
    out: Annotated[
        Path, typer.Option("--out", metavar="DIR", help="Write the shrunk programs of failing seeds to DIR.")
    ] = Path("cosim-failures"),
    junit_file: Annotated[Path | None, typer.Option("--junit", metavar="FILE", help="Write a JUnit report.")] = None,
    merge_reports: Annotated[bool, typer.Option("--merge", help="Merge the --json reports of several runs.")] = False,
    coverage_file: CoverageOption = None,
    steer: Annotated[
        Path | None,
        typer.Option("--steer", metavar="FILE", help="Aim at the bins that these counts have not hit."),
    ] = None,
    rtl_library: Annotated[
        Path | None, typer.Option("--rtl-library", metavar="FILE", help="Use another build of the module _rtl.")
    ] = None,
    json: JsonOption = False,
) -> None:
    """Compare simulator and core in lock-step, at every retirement.

    With --random, each seed gives one program, the same on every machine. A failing program is shrunk and written as
    assembly for `lutra run FILE.s --engine cosim`. The exit code is 1 if any seed fails.

    \b
    Example:
      lutra cosim --random --seeds 0:1000 --jobs 2
      lutra cosim --random --seeds 0:50 --mode loops --rounds 1 --json > shard.json
      lutra cosim --random --seeds 0:1000 --coverage counts.json
      lutra cosim --merge shard-*.json --junit cosim.xml
      lutra cosim program.elf
    """
    named = {str(file): file for file in files or ()} | {"--steer": steer, "--rtl-library": rtl_library}
    named["--weights"] = None if "=" in weights or not weights else Path(weights)
    distinct(named, {"--out": out, "--coverage": coverage_file, "--junit": junit_file})
    if out.exists() and not out.is_dir():
        raise UsageError(f"--out {out}: is a file; give a folder")
    if steer is not None and coverage_file is None:
        raise UsageError("--steer needs a file for the new counts; add --coverage FILE")
    if rtl_library is not None:
        os.environ[RTL_LIBRARY] = str(existing(rtl_library).resolve())
    if merge_reports:
        whole = _merged(files or [])
    elif random:
        if files:
            raise UsageError(f"{files[0]}: --random generates its programs; leave out the file")
        todo = replace(_work(seeds, mode, rounds, weights, rtl_library), covered=coverage_file is not None)
        before = None if steer is None else coverage.read([existing(steer)])
        if before is not None:
            holes = coverage.report(before, (rounds,) if rounds else coverage.ROUNDS).holes
            todo = replace(todo, weights=tuple(steered(holes, dict(todo.weights) or defaults(load())).items()))
        whole = _random(todo, jobs, scheduler)
        if coverage_file is not None:
            _cover(coverage_file, whole.result.coverage, before, todo.first, rounds)
    elif files is None or len(files) != 1:
        raise UsageError("nothing to do: give --random, one image or source, or --merge with reports")
    else:
        run.command(files[0], engine="cosim", rounds=rounds, json=json)
        return
    _finish(whole, out, junit_file, json)


def _work(seeds: str, mode: str, rounds: int | None, weights: str, library: Path | None) -> Work:
    match = re.fullmatch(r"(\d{1,18}):(\d{1,18})", seeds)
    if match is None or int(match[1]) >= int(match[2]):
        raise UsageError(f"--seeds {seeds}: write A:B with A less than B, e.g. 0:1000")
    if mode and mode not in MODES:
        raise UsageError(f"--mode {mode}: no such mode; choose from {', '.join(MODES)}")
    known = defaults(load())
    chosen = known | _weights(weights, known) if weights else {}
    path = "" if library is None else str(library.resolve())
    return Work(int(match[1]), int(match[2]), mode, rounds or 0, tuple(chosen.items()), path)


def _weights(text: str, known: Mapping[str, float]) -> dict[str, float]:
    """Return the weights of --weights, checked."""
    wrong = UsageError if "=" in text else CliError
    if "=" in text:
        pairs = [item.partition("=") for item in text.split(",")]
        found: object = {name.strip(): value for name, _, value in pairs}
    else:
        try:
            found = read_json(existing(Path(text)), "a file of weights")
        except ValueError as error:
            raise CliError(f"--weights {text}: is not JSON: {error}") from error
    if not isinstance(found, dict):
        raise wrong(f"--weights {text}: must be one JSON object of names and numbers")
    weights = {}
    for name, value in found.items():
        if name not in known:
            raise wrong(f"--weights: no weight {name!r}{nearest(name, known)}")
        try:
            weights[name] = float(value)
        except (TypeError, ValueError) as error:
            raise wrong(f"--weights: {name} is {value!r}; must be a number, 0 or more") from error
        if not 0 <= weights[name] < float("inf"):
            raise wrong(f"--weights: {name} is {value!r}; must be a number, 0 or more")
    return weights


def _cover(path: Path, counts: coverage.Counts, before: coverage.Counts | None, seed: int, rounds: int | None) -> None:
    """Run the programs aimed at the bins that earlier counts missed, and write the sum of all counts."""
    left: list[coverage.Hole] = []
    with progress("programs aimed at holes", None) as done:
        for r in () if before is None else (rounds,) if rounds else coverage.ROUNDS:
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


def _random(todo: Work, jobs: int, scheduler: str) -> CampaignReport:
    """Run the seeds until all are done or enough have failed."""
    begun = time.perf_counter()
    result = Result()
    last = todo.first
    with progress("random programs in lock-step", todo.last - todo.first) as done:
        for piece, part in zip(todo.chunks(), _results(todo, jobs, scheduler), strict=False):
            result.add(part)
            last = piece.last
            done(last - todo.first)
            if len(result.failures) >= MOST_FAILURES:
                break
    return report(todo.first, last, time.perf_counter() - begun, result)


def _results(todo: Work, jobs: int, scheduler: str) -> Iterator[Result]:
    try:
        yield from cluster.results(todo, scheduler) if scheduler else campaign.results(todo, jobs)
    except WeightsError as error:
        raise UsageError(f"no program can be generated with these weights: {error}") from error
    except cluster.ClusterError as error:
        raise CliError(str(error)) from error


def _merged(files: list[Path]) -> CampaignReport:
    if not files:
        raise UsageError("--merge: give the reports to merge")
    shards = {}
    for file in files:
        try:
            shards[str(file)] = parse(read_bounded(file, DOCUMENT_BYTES, "a report"))
        except ReportError as error:
            raise CliError(f"{file}: {error}") from error
    try:
        return merge(shards)
    except ReportError as error:
        raise CliError(str(error)) from error


def _finish(whole: CampaignReport, out: Path, junit_file: Path | None, json: bool) -> None:
    failures = whole.result.failures
    places = []
    for failed in failures:
        out.mkdir(parents=True, exist_ok=True)
        place = out / f"seed-{failed.seed}-rounds-{failed.rounds}.s"
        with output(place) as file:
            file.write(failed.source.encode())
        places.append(place)
    if junit_file is not None:
        with output(junit_file) as file:
            file.write(junit(whole))
    if json:
        print_json(as_json(whole))
    else:
        print(_summary(whole))
        for failed, place in zip(failures, places, strict=True):
            print(f"\nseed {failed.seed}, mode {failed.mode}, {failed.words} instructions: {failed.report}")
            options = f"{place} --engine cosim --rounds {failed.rounds} --resume"
            if len(failed.entries) > 1:
                options += "".join(f" --entry {entry}" for entry in failed.entries) + " --past-traps"
            print(f"to repeat: lutra run {options}")
            print(f"to debug at the first difference: lutra debug {options} -c continue")
    if failures:
        where = f"{len(failures)} of {whole.result.programs} programs"
        raise CliError(f"{where} failed, the first with seed {failures[0].seed}: {places[0]}")


def _summary(whole: CampaignReport) -> str:
    result = whole.result
    seeds = ", ".join(f"{first}:{last}" for first, last in whole.seeds)
    rows = [
        f"  {mode:<10} rounds {rounds}  {programs:>7} programs  {retired:>12,} instructions"
        for (mode, rounds), (programs, retired) in sorted(result.parts.items())
    ]
    speed = result.retired / whole.seconds if whole.seconds else 0.0
    rows.append(
        f"seeds {seeds}: {result.programs} programs, {result.retired:,} instructions, {result.cycles:,} cycles "
        f"in {whole.seconds:.1f} s ({speed:,.0f} instructions/s)"
    )
    return "\n".join(rows)
