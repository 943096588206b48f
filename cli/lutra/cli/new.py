"""`lutra new`: create a folder to start firmware in."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from lutra.cli.checks import usage_checks
from lutra.firmware.new import check_name, make


def command(
    name: Annotated[str, typer.Argument(metavar="NAME", help="Name of the folder and the cipher, e.g. otter.")],
    into: Annotated[
        Path, typer.Option("--into", metavar="DIR", help="Create the folder in DIR; default: the current folder.")
    ] = Path(),
) -> None:
    """Create a folder with a small working cipher: source, manifest, model, vectors and tests.

    \b
    Example:
      lutra new otter
      lutra test otter
    """
    with usage_checks():
        check_name(name)
    files = make(name, into)
    for file in files:
        print(file)
    print(f"next: lutra test {into / name}; then change model.py and {name}.s (README.md)")
