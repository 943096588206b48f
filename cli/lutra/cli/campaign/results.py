"""Reports of a campaign: text or JSON, a JUnit file, and the shrunk programs of failing seeds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from lutra.cli.errors import CliError, UsageError
from lutra.cli.files import distinct
from lutra.cli.options import JsonOption
from lutra.cli.output import output, print_json
from lutra.cosim.campaign import Failed
from lutra.cosim.report import CampaignReport, as_json, junit


@dataclass(frozen=True, kw_only=True)
class ResultOptions:
    """Options for the results of a campaign."""

    out: Annotated[
        Path, typer.Option("--out", metavar="DIR", help="Write the shrunk programs of failing seeds to DIR.")
    ] = Path("cosim-failures")
    junit: Annotated[Path | None, typer.Option("--junit", metavar="FILE", help="Write a JUnit report.")] = None
    json: JsonOption = False

    def check(self, inputs: dict[str, Path | None], outputs: dict[str, Path | None]) -> None:
        """Refuse outputs that are inputs or each other. Raises UsageError."""
        distinct(inputs, {"--out": self.out, "--junit": self.junit} | outputs)
        if self.out.exists() and not self.out.is_dir():
            raise UsageError(f"--out {self.out}: is a file; give a folder")


def finish(whole: CampaignReport, options: ResultOptions) -> None:
    """Write and print the results. Raises CliError if a program has failed."""
    failures = whole.result.failures
    places = [_written(failed, options.out) for failed in failures]
    if options.junit is not None:
        with output(options.junit) as file:
            file.write(junit(whole))
    if options.json:
        print_json(as_json(whole))
    else:
        print(_summary(whole))
        _tell(failures, places)
    if failures:
        where = f"{len(failures)} of {whole.result.programs} programs"
        raise CliError(f"{where} failed, the first with seed {failures[0].seed}: {places[0]}")


def _written(failed: Failed, out: Path) -> Path:
    """Write the program of a failure; return the file."""
    out.mkdir(parents=True, exist_ok=True)
    place = out / f"seed-{failed.seed}-rounds-{failed.rounds}.s"
    with output(place) as file:
        file.write(failed.source.encode())
    return place


def _tell(failures: Sequence[Failed], places: Sequence[Path]) -> None:
    """Print each failure, and how to repeat it."""
    for failed, place in zip(failures, places, strict=True):
        print(f"\nseed {failed.seed}, mode {failed.mode}, {failed.words} instructions: {failed.report}")
        options = f"{place} --engine cosim --rounds {failed.rounds} --resume"
        if len(failed.entries) > 1:
            options += "".join(f" --entry {entry}" for entry in failed.entries) + " --past-traps"
        print(f"to repeat: lutra run {options}")
        print(f"to debug at the first difference: lutra debug {options} -c continue")


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
