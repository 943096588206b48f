"""The options that say what runs: an image or assembly, what is in its memories, and where it starts."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from lutra.asm import Image, read_elf
from lutra.cli.errors import UsageError, usage_checks
from lutra.cli.options import existing
from lutra.cli.sources import assembled
from lutra.iss.places import address

# An endless program ends, after seconds on the simulator and minutes on the core; no job on full memories comes near.
MAX_CYCLES = 100_000_000
LoadOption = Annotated[
    list[str] | None,
    typer.Option("--load", metavar="PLACE=FILE|hex:DIGITS", help="Put a file or bytes into a memory first."),
]
EntryOption = Annotated[
    list[str] | None,
    typer.Option("--entry", metavar="LABEL|PC", help="Where to start, if not at the image's entry; in this order."),
]
MaxCyclesOption = Annotated[
    int, typer.Option("--max-cycles", metavar="N", min=0, help="Give up after N cycles of an entry; 0 for no limit.")
]
ResumeOption = Annotated[bool, typer.Option("--resume", help="Go on after every wait.")]


def program(file: Path, include: list[Path] | None, define: list[str] | None) -> Image:
    """An image, or what assembly comes to. Raises CliError and AsmError."""
    if existing(file).suffix == ".s":
        return assembled([file], include, define)
    if include or define:
        raise UsageError(f"-I and -D are for assembly; {file} is an image")
    return read_elf(file)


def addresses(image: Image, entries: list[str] | None) -> tuple[int, ...]:
    """The program addresses of --entry, or the image's own entry. Raises UsageError."""
    with usage_checks("--entry"):
        return tuple(address(image, name) for name in entries) if entries else (image.entry,)
