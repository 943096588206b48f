"""`lutra optimize`: order and registers of loops by constraint solving, with a proof."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from lutra.cli.errors import CliError, UsageError
from lutra.cli.files import STANDARD, distinct
from lutra.cli.options import JsonOption
from lutra.cli.output import print_json, progress, whole_files
from lutra.cli.request import takes
from lutra.cli.sources import DefineOption, IncludeOption, definitions
from lutra.optimize.errors import OptimizeError
from lutra.optimize.loops import Loop
from lutra.optimize.program import Program
from lutra.prove.optimized import Outcome, optimize

SECONDS = 60.0


@dataclass(frozen=True, kw_only=True)
class Request:
    """Options of the command."""

    source: Annotated[Path, typer.Argument(metavar="FILE", help="Assembly source.")]
    output: Annotated[
        Path | None, typer.Option("-o", metavar="OUT.s", help="Source to write, - for standard output; default: none.")
    ] = None
    loop: Annotated[
        list[int] | None,
        typer.Option("--loop", metavar="LINE", min=1, help="Line of a `repeat` to optimise; repeatable; default: all."),
    ] = None
    seconds: Annotated[
        float,
        typer.Option("--seconds", metavar="N", min=1, max=3600, help="Seconds of search per loop; default 60."),
    ] = SECONDS
    include: IncludeOption = None
    define: DefineOption = None
    json: JsonOption = False


@takes(Request)
def command(request: Request) -> None:
    """Reorder loops so that they wait less, and give their values registers.

    Every `repeat` whose body has no transfer gets the order of fewest cycles, with passes that overlap where that
    helps. A new order is proved equal to the old one, for all data and any number of passes; without a proof nothing is
    written. The bound is the number of cycles below which no order of these instructions is possible. Needs OR-tools:
    pip install 'lutra-asip[optimize]'.

    \b
    Example:
      lutra optimize cipher.s -o cipher_fast.s
      lutra optimize cipher.s --loop 31 --seconds 20 --json
    """
    if request.json and str(request.output) == STANDARD:
        raise UsageError("--json and -o - would both write to standard output; give one of them a file")
    distinct({"FILE": request.source}, {"-o": request.output})
    include, defines = request.include or [], definitions(request.define)
    for folder in include:
        if not folder.is_dir():
            raise CliError(f"-I {folder}: no such folder")
    program = Program(request.source, include, defines)
    loops = list(_chosen(program, request.loop))
    with _shown(len(loops)) as tell, _told():
        text, outcomes = optimize(
            program, loops, request.seconds, tell, lambda new: Program(request.source, include, defines, new)
        )
    if request.output is not None:
        with whole_files(request.output) as (file,):
            file.write(text.encode())
    if request.json:
        print_json({"file": str(request.source), "loops": [outcome.as_json() for outcome in outcomes]})
    elif str(request.output) != STANDARD:
        for outcome in outcomes:
            print(_line(outcome))


@contextmanager
def _told() -> Iterator[None]:
    try:
        yield
    except OptimizeError as error:
        raise CliError(str(error)) from error


@contextmanager
def _shown(loops: int) -> Iterator[Callable[[str], None]]:
    """Show what is done now, where there is a terminal."""
    with progress("optimizing", loops, at_once=True) as done:
        seen: set[str] = set()

        def tell(text: str) -> None:
            place, found, _ = text.partition(": ")
            seen.update([place] if found else [])
            done(max(0, len(seen) - 1))

        yield tell


def _chosen(program: Program, lines: Sequence[int] | None) -> Iterator[Loop]:
    """The loops of these lines, or all. UsageError where there is none."""
    known = program.loops()
    if not known:
        raise CliError(f"{program.path}: has no `repeat` whose body can be reordered")
    at = {program.allocation.locals[loop.repeat].item.line.root.number: loop for loop in known}
    for line in lines or at:
        if line not in at:
            raise UsageError(f"--loop {line}: no such loop; choose from {', '.join(map(str, at))}")
        yield at[line]


def _line(outcome: Outcome) -> str:
    """The result of a loop, in one line."""
    bound = "optimal" if outcome.optimal else f"bound {outcome.bound}"
    if outcome.kept:
        why = "" if outcome.optimal else f": {outcome.kept}"
        return f"{outcome.name}: {outcome.before} cycles per pass, {bound}{why}"
    flight = f", {outcome.stages} passes overlap" if outcome.stages > 1 else ""
    return (
        f"{outcome.name}: {outcome.before} -> {outcome.after} cycles per pass, {bound}, proved equal{flight} "
        f"({outcome.seconds:.1f} s)"
    )
