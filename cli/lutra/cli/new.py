"""`lutra new`: a folder to begin firmware in."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from lutra.cli.checks import usage_checks
from lutra.firmware.new import check_name, make


def command(
    name: Annotated[str, typer.Argument(metavar="NAME", help="Of the folder and the cipher, such as otter.")],
    into: Annotated[Path, typer.Option("--into", metavar="DIR", help="Where to make the folder.")] = Path(),
) -> None:
    """Make a folder with a small cipher that works: source, manifest, model, vectors and tests.

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
