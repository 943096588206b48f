"""`lutra campaign merge`: one report of several runs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from lutra.asm.files import read_json
from lutra.cli.campaign.results import ResultOptions, finish
from lutra.cli.errors import CliError
from lutra.cli.options import existing
from lutra.cli.request import takes
from lutra.cosim.report import CampaignReport, ReportError, merge, parse


@dataclass(frozen=True, kw_only=True)
class Request(ResultOptions):
    """Options of the command."""

    files: Annotated[
        list[Path], typer.Argument(metavar="REPORT...", help="Reports of `lutra campaign run --json` to merge.")
    ]


@takes(Request)
def command(request: Request) -> None:
    """Merge the reports of several runs into one, as if one run had done all seeds.

    The programs of failing seeds are written again. The exit code is 1 if any seed failed.

    \b
    Example:
      lutra campaign merge shard-*.json --junit cosim.xml
    """
    request.check({str(file): file for file in request.files}, {})
    finish(merged(request.files), request)


def merged(files: Sequence[Path]) -> CampaignReport:
    """Return the sum of all reports. Raises CliError."""
    shards = {str(file): _report(file) for file in files}
    try:
        return merge(shards)
    except ReportError as error:
        raise CliError(str(error)) from error


def _report(file: Path) -> CampaignReport:
    """Return the report in a file. Raises CliError."""
    try:
        return parse(read_json(existing(file), "a report"))
    except (ReportError, ValueError) as error:
        fault = error if isinstance(error, ReportError) else f"it is not JSON: {error}"
        kind = "a report of `lutra campaign run --json`"
        raise CliError(f"{file}: is not {kind}: {fault}; give a file that this command wrote") from error
