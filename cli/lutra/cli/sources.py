"""The options -D and -I, and what they say to the assembler."""

from __future__ import annotations

import re
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from lutra.asm import Image, assemble
from lutra.cli.errors import UsageError
from lutra.cli.options import number

IncludeOption = Annotated[list[Path] | None, typer.Option("-I", metavar="DIR", help="Folder to look for includes in.")]
DefineOption = Annotated[list[str] | None, typer.Option("-D", metavar="NAME=VALUE", help="Define a symbol.")]


def assembled(sources: Sequence[Path], include: Sequence[Path] | None, define: Sequence[str] | None) -> Image:
    """The image of sources; warnings go to standard error."""
    for folder in include or ():
        if not folder.is_dir():
            raise UsageError(f"-I {folder}: no such folder")
    image = assemble(list(sources), include_dirs=list(include or ()), defines=dict(map(definition, define or ())))
    for warning in image.warnings:
        print(warning.render(), file=sys.stderr)
    return image


def definition(text: str) -> tuple[str, int]:
    """The symbol of -D and its value."""
    name, equals, value = text.partition("=")
    if not equals or not re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]*", name):
        raise UsageError(f"-D {text}: write NAME=VALUE, as in -D BLOCKS=16")
    negative = value.startswith("-")
    magnitude = number(value.removeprefix("-"), f"-D {text}")
    return name, -magnitude if negative else magnitude
