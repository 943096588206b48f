"""`lutra coverage`: compare the counts of runs with the coverage plan."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from lutra import coverage
from lutra.cli.files import distinct
from lutra.cli.options import JsonOption, existing
from lutra.cli.output import print_json, whole_files
from lutra.coverage.page import page


def command(
    files: Annotated[
        list[Path], typer.Argument(metavar="COUNTS.json...", help="Counts written by --coverage of other commands.")
    ],
    merged: Annotated[
        Path | None, typer.Option("-o", "--out", metavar="FILE", help="Write the sum of all counts to FILE.")
    ] = None,
    page_file: Annotated[
        Path | None, typer.Option("--page", metavar="FILE.md", help="Write the report as a Markdown page.")
    ] = None,
    holes: Annotated[bool, typer.Option("--holes", help="List every bin that was not hit.")] = False,
    rounds: Annotated[
        int | None,
        typer.Option("--rounds", min=1, max=2, help="Report only this number of rounds per instruction; default both."),
    ] = None,
    complete: Annotated[bool, typer.Option("--complete", help="Fail if a bin was not hit.")] = False,
    json: JsonOption = False,
) -> None:
    """Merge functional coverage counts and compare them with the plan.

    The coverpoints of the plan are generated from the instruction set; docs/coverage.md explains each.

    \b
    Example:
      lutra coverage counts.json more.json -o all.json --page coverage.md

    Counts come from other commands:
      lutra campaign run --seeds 0:1000 --coverage counts.json
      lutra campaign run --seeds 1000:1100 --steer counts.json --coverage more.json
    """
    distinct({str(file): file for file in files}, {"--out": merged, "--page": page_file})
    counts = coverage.read([existing(f) for f in files])
    found = coverage.report(counts, coverage.ROUNDS if rounds is None else (rounds,))
    with whole_files(*(path for path in (merged, page_file) if path is not None)) as written:
        if merged is not None:
            coverage.write(written[0], counts)
        if page_file is not None:
            written[-1].write(page(found).encode())
    if json:
        print_json(_document(found))
    else:
        _print(found, holes)
    if complete and found.holes:
        raise coverage.CoverageError(f"{len(found.holes)} bins of the plan were not hit; --holes lists them")


def _print(found: coverage.CoverageReport, holes: bool) -> None:
    width = max(len(p.name) for p in found.points)
    for p in found.points:
        print(f"R={p.rounds}  {p.name:{width}}  {p.hit:>5} of {p.bins - p.excluded:>5}  {p.percent:6.2f} %")
    if holes:
        for hole in found.holes:
            print(f"hole: R={hole.rounds} {hole}")
    print(f"{found.hit} of {found.bins - found.excluded} bins, {found.percent:.2f} %; {found.excluded} excluded")


def _document(found: coverage.CoverageReport) -> dict[str, object]:
    return {
        "percent": found.percent,
        "bins": found.bins,
        "excluded": found.excluded,
        "hit": found.hit,
        "points": [
            {"rounds": p.rounds, "name": p.name, "bins": p.bins, "excluded": p.excluded, "hit": p.hit, "count": p.count}
            for p in found.points
        ],
        "holes": [{"rounds": h.rounds, "point": h.point, "bin": h.bin} for h in found.holes],
        "exclusions": [{"bins": e.pattern, "reason": e.reason, "excluded": n} for e, n in found.exclusions],
    }
