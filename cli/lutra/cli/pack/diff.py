"""`lutra pack diff`: compare two packs."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from lutra.cli.options import JsonOption
from lutra.cli.output import print_json
from lutra.cli.pack import files
from lutra.firmware import pack
from lutra.firmware.pack import difference


def command(
    before: Annotated[Path, typer.Argument(metavar="A.pack", help="Pack.")],
    after: Annotated[Path, typer.Argument(metavar="B.pack", help="Pack to compare with.")],
    json: JsonOption = False,
) -> None:
    """Show the changes from one pack to another: version, algorithms, instructions, cycles, known answers.

    The exit code is 0 if the packs are equal and 1 if they differ, as with diff.

    \b
    Example:
      lutra pack diff otter-1.0.0.pack otter-1.1.0.pack
    """
    sides = []
    for file in (before, after):
        made = files.envelope(file)
        with files.about(file):
            sides.append((made, pack.contents(made)))
    (old_pack, old), (new_pack, new) = sides
    changes = [*difference.envelope(old_pack, new_pack), *difference.contents(old, new)]
    if json:
        print_json({"same": not changes, "changes": [vars(change) for change in changes]})
    else:
        print("\n".join(line for change in changes for line in change.lines()) or "no difference")
    if changes:
        raise typer.Exit(1)
