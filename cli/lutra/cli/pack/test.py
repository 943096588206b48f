"""`lutra pack test`: run the known answers of a pack."""

from __future__ import annotations

import typer

from lutra.cli.files import distinct
from lutra.cli.options import CoverageOption, EngineOption, JsonOption, RoundsOption, core_rounds
from lutra.cli.output import coverage_file, print_json, progress
from lutra.cli.pack import files
from lutra.cli.pack.files import PackArgument
from lutra.firmware import pack
from lutra.iss import engine as engines


def command(
    file: PackArgument,
    engine: EngineOption = "iss",
    rounds: RoundsOption = None,
    coverage: CoverageOption = None,
    json: JsonOption = False,
) -> None:
    """Run the known answers of a pack, and compare their cycles with those that the pack promises.

    Signatures are not checked; see `lutra pack verify`. The exit code is 1 if an answer is wrong or takes too long.

    \b
    Example:
      lutra pack test otter.pack --engine cosim
    """
    rounds = core_rounds(rounds)
    distinct(files.named([file]), {"--coverage": coverage})
    made = files.envelope(file)
    with files.about(file):
        contents = pack.contents(made)
    if rounds < (least := contents.manifest.core.rounds):
        raise pack.PackError(f"{file}: needs a core with {least} rounds per instruction; --rounds is {rounds}")
    with coverage_file(coverage), progress("known answers", len(contents.answers)) as done, files.about(file):
        outcomes = pack.run(contents, engines.make(engine, rounds), done)
    failed = sum(not outcome.good for outcome in outcomes)
    if json:
        print_json({"engine": engine, "rounds": rounds, "failed": failed, "answers": [o.as_json() for o in outcomes]})
    else:
        width = max(len(outcome.name) for outcome in outcomes)
        for outcome in outcomes:
            verdict = f"{outcome.cycles} of {outcome.promised} cycles" if outcome.good else f"FAILED: {outcome.error}"
            print(f"{outcome.name:{width}}  {verdict}")
        print(f"{len(outcomes) - failed} passed, {failed} failed ({engine}, rounds {rounds})")
    if failed:
        raise typer.Exit(1)
