"""`lutra image`: export an image for hardware or C."""

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

# Formats that write several files, one per memory or SRAM.
FOLDERS: Mapping[str, Callable[[Image], Mapping[str, str]]] = {"hex": export.rows, "lanes": export.lanes}


def command(
    image: Annotated[Path, typer.Argument(metavar="FILE", help=IMAGE_HELP)],
    form: Annotated[
        Literal["hex", "lanes", "c", "json"],
        typer.Option("--format", help="hex or lanes: files for $readmemh; c: a C header; json: a JSON document."),
    ],
    out: Annotated[
        Path,
        typer.Option(
            "-o", metavar="OUT", help="File (c, json) or folder (hex, lanes) to write; - for standard output."
        ),
    ] = Path(STANDARD),
    name: Annotated[
        str, typer.Option("--name", metavar="NAME", help="Prefix of all names in C; default: the name of FILE.")
    ] = "",
    include: IncludeOption = None,
    define: DefineOption = None,
) -> None:
    """Export an image for hardware or C, with a map of its symbols.

    hex writes pm.hex, m0.hex, ... with one row per line, byte 0 first; lanes writes one file per SRAM of rtl/, e.g.
    m0.3.hex. Both contain all rows of each memory.

    \b
    Example:
      lutra image first.elf --format c -o first.h
      lutra image first.elf --format hex -o first.hex.d
    """
    if name and form != "c":
        raise UsageError(f"--name works only with --format c, not {form}; leave it out")
    if form in FOLDERS and str(out) == STANDARD:
        raise UsageError(f"--format {form} writes several files; give a folder with -o")
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
    """Return a C identifier made from the name of a file."""
    text = re.sub(r"[^A-Za-z0-9_]", "_", stem)
    return text if export.IDENTIFIER.fullmatch(text) else f"image_{text}"
