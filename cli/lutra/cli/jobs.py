"""Programs that a command line asks to run: an image or assembly, what is loaded first, and where to start."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from lutra.asm import Image, read_elf
from lutra.cli.checks import usage_checks
from lutra.cli.errors import UsageError
from lutra.cli.options import existing
from lutra.cli.places import Load, loads
from lutra.cli.sources import assembled
from lutra.iss.engine import Engine
from lutra.iss.job import Job
from lutra.iss.places import address
from lutra.iss.trace import Names

# An endless program ends, after seconds on the simulator and minutes on the core; no job on full memories comes near.
MAX_CYCLES = 100_000_000

IMAGE_HELP = "Image made by `lutra asm`, or assembly (.s)."
LoadOption = Annotated[
    list[str] | None,
    typer.Option("--load", metavar="PLACE=FILE|hex:DIGITS", help="Put a file or bytes into a memory first."),
]
EntryOption = Annotated[
    list[str] | None,
    typer.Option("--entry", metavar="LABEL|PC", help="Where to start, if not at the image's entry; in this order."),
]
CyclesOption = Annotated[
    int,
    typer.Option("--max-cycles", metavar="N", min=0, help="Give up after N cycles of an entry; 0 for no limit."),
]
PastTrapsOption = Annotated[bool, typer.Option("--past-traps", help="Start the next entry after a trap, too.")]
ResumeOption = Annotated[bool, typer.Option("--resume", help="Go on after every wait.")]


@dataclass(frozen=True)
class Asked:
    """A job as the options say it. entries: the names of the places where it starts."""

    job: Job
    entries: Sequence[str]
    loads: Sequence[Load]

    @property
    def read(self) -> dict[str, Path | None]:
        """The files that the options of loads name."""
        return {part.option: part.file for part in self.loads}


def program(file: Path, include: list[Path] | None, define: list[str] | None) -> Image:
    """The image in a file, or of its assembly. Raises CliError."""
    if existing(file).suffix == ".s":
        return assembled([file], include, define)
    if include or define:
        raise UsageError(f"-I and -D are for assembly; {file} is an image")
    return read_elf(file)


def asked(
    engine: Engine,
    image: Image,
    load: list[str] | None,
    entry: list[str] | None,
    max_cycles: int,
    resume: bool,
    past_traps: bool = False,
) -> Asked:
    """The job of the options of these names. Raises UsageError."""
    given = loads(engine, image, load or ())
    entries = entry or [Names(image).label(image.entry) or f"{image.entry:#06x}"]
    with usage_checks("--entry"):
        starts = tuple(address(image, name) for name in entry) if entry else (image.entry,)
    data = tuple((part.place, part.data) for part in given)
    return Asked(Job(image, starts, data, resume, max_cycles or None, past_traps), entries, given)
