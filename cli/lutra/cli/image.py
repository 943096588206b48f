"""`lutra image`: an image as hardware and C take it."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Annotated, Literal

import typer

from lutra.asm import Image
from lutra.asm.formats import export
from lutra.cli import jobs
from lutra.cli.errors import CliError, UsageError
from lutra.cli.files import STANDARD, distinct
from lutra.cli.jobs import IMAGE_HELP
from lutra.cli.output import output, whole_files
from lutra.cli.sources import DefineOption, IncludeOption

# Formats of several files, one for each memory or SRAM.
FOLDERS: Mapping[str, Callable[[Image], Mapping[str, str]]] = {"hex": export.rows, "lanes": export.lanes}


def command(
    image: Annotated[Path, typer.Argument(metavar="FILE", help=IMAGE_HELP)],
    form: Annotated[
        Literal["hex", "lanes", "c", "json"],
        typer.Option("--format", help="hex, lanes: files for $readmemh; c: a header; json: a document."),
    ],
    out: Annotated[
        Path,
        typer.Option("-o", metavar="OUT", help="File of c and json, folder of hex and lanes; - for standard output."),
    ] = Path(STANDARD),
    name: Annotated[
        str, typer.Option("--name", metavar="NAME", help="What all names in C begin with; default: that of FILE.")
    ] = "",
    include: IncludeOption = None,
    define: DefineOption = None,
) -> None:
    """Export an image for hardware or C, with a map of its symbols.

    hex writes pm.hex, m0.hex, ... with a row per line, byte 0 first; lanes a file for each SRAM of rtl/, such as
    m0.3.hex. Both have all rows of a memory.

    \b
    Example:
      lutra image first.elf --format c -o first.h
      lutra image first.elf --format hex -o first.hex.d
    """
    if name and form != "c":
        raise UsageError(f"--name is for --format c; leave it out of {form}")
    if form in FOLDERS and str(out) == STANDARD:
        raise UsageError(f"--format {form} writes several files; name their folder with -o")
    program = jobs.program(image, include, define)
    read = {str(image): image} | {file: Path(file) for file in program.files}
    if form in FOLDERS:
        texts = FOLDERS[form](program)
        files = {out / f"{memory}.hex": text for memory, text in texts.items()}
        distinct(read, {f"-o {out}: {file.name}": file for file in files})
        if out.exists() and not out.is_dir():
            raise CliError(f"-o {out}: not a folder; --format {form} writes several files")
        out.mkdir(exist_ok=True)
        with whole_files(*files) as opened:
            for file, text in zip(opened, files.values(), strict=True):
                file.write(text.encode())
        return
    distinct(read, {"-o": out})
    text = json.dumps(export.document(program), indent=2) + "\n" if form == "json" else _header(program, image, name)
    with output(out) as file:
        file.write(text.encode())


def _header(program: Image, file: Path, name: str) -> str:
    try:
        return export.c_header(program, name or _identifier(file.stem))
    except ValueError as error:
        raise UsageError(f"--name: {error}") from error


def _identifier(stem: str) -> str:
    """A name for C that is like that of a file."""
    text = re.sub(r"[^A-Za-z0-9_]", "_", stem)
    return text if export.IDENTIFIER.fullmatch(text) else f"image_{text}"
