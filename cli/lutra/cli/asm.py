"""`lutra asm`: assembly to ELF."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import Annotated

import typer

from lutra.asm import assemble
from lutra.asm import listing as listing_of
from lutra.asm.elf import elf_bytes
from lutra.cli.errors import CliError, UsageError
from lutra.cli.files import distinct
from lutra.cli.options import number
from lutra.cli.output import whole_files


def command(
    sources: Annotated[list[Path], typer.Argument(metavar="SRC...", help="Assembly sources.")],
    output: Annotated[Path, typer.Option("-o", metavar="OUT.elf", help="The image to write.")],
    include: Annotated[
        list[Path] | None, typer.Option("-I", metavar="DIR", help="Folder to look for includes in.")
    ] = None,
    define: Annotated[list[str] | None, typer.Option("-D", metavar="NAME=VALUE", help="Define a symbol.")] = None,
    listing: Annotated[Path | None, typer.Option("--listing", metavar="FILE", help="Write a listing as well.")] = None,
) -> None:
    """Assemble sources into one image.

    \b
    Example:
      lutra asm first.s -o first.elf --listing first.lst
    """
    distinct({str(source): source for source in sources}, {"-o": output, "--listing": listing})
    for folder in include or ():
        if not folder.is_dir():
            raise CliError(f"-I {folder}: no such folder")
    image = assemble(sources, include_dirs=include or [], defines=dict(_definition(d) for d in define or ()))
    for warning in image.warnings:
        print(warning.render(), file=sys.stderr)
    with whole_files(output, *([listing] if listing else [])) as files:
        files[0].write(elf_bytes(image))
        for file in files[1:]:
            file.write(listing_of(image).encode("utf-8", "surrogateescape"))


def _definition(text: str) -> tuple[str, int]:
    name, equals, value = text.partition("=")
    if not equals or not re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]*", name):
        raise UsageError(f"-D {text}: write NAME=VALUE, as in -D BLOCKS=16")
    negative = value.startswith("-")
    magnitude = number(value.removeprefix("-"), f"-D {text}")
    return name, -magnitude if negative else magnitude
