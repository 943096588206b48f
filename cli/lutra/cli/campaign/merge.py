"""`lutra campaign merge`: one report of several runs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from lutra.asm.files import DOCUMENT_BYTES
from lutra.cli.campaign.results import ResultOptions, finish
from lutra.cli.errors import CliError
from lutra.cli.files import read_bounded
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
