"""Programs that a command line asks to run: an image or assembly, its initial data, and where to start."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from lutra.asm import Image, read_elf
from lutra.cli.checks import usage_checks
from lutra.cli.errors import UsageError
from lutra.cli.options import EngineOption, RoundsOption, existing
from lutra.cli.places import Load, loads
from lutra.cli.sources import DefineOption, IncludeOption, assembled
from lutra.iss.engine import Engine
from lutra.iss.job import Job
from lutra.iss.places import address
from lutra.iss.trace import Names

# Ends an endless program after seconds on the simulator, minutes on the core; real jobs take far fewer cycles.
MAX_CYCLES = 100_000_000

IMAGE_HELP = "Image from `lutra asm`, or assembly (.s)."
LoadOption = Annotated[
    list[str] | None,
    typer.Option(
        "--load", metavar="PLACE=FILE|hex:DIGITS", help="Load a file or bytes into a memory before the run; repeatable."
    ),
]
EntryOption = Annotated[
    list[str] | None,
    typer.Option(
        "--entry", metavar="LABEL|PC", help="Start here instead of at the image's entry; repeatable, run in order."
    ),
]
CyclesOption = Annotated[
    int,
    typer.Option("--max-cycles", metavar="N", min=0, help="Stop after N cycles per entry; 0 for no limit."),
]
PastTrapsOption = Annotated[bool, typer.Option("--past-traps", help="Run the remaining entries even after a trap.")]
ResumeOption = Annotated[bool, typer.Option("--resume", help="Continue after every wait.")]


@dataclass(frozen=True)
class Asked:
    """A job as given by the options. entries: names of the places where it starts."""

    job: Job
    entries: Sequence[str]
    loads: Sequence[Load]

    @property
    def read(self) -> dict[str, Path | None]:
        """Return the files that --load options name."""
        return {part.option: part.file for part in self.loads}


@dataclass(frozen=True, kw_only=True)
class ProgramOptions:
    """Options for how a program is assembled and run, of `run`, `debug` and `profile`."""

    engine: EngineOption = "iss"
    load: LoadOption = None
    entry: EntryOption = None
    max_cycles: CyclesOption = MAX_CYCLES
    rounds: RoundsOption = None
    resume: ResumeOption = False
    past_traps: PastTrapsOption = False
    include: IncludeOption = None
    define: DefineOption = None

    def program(self, file: Path) -> Image:
        """Return the image in a file, or assembled from it. Raises CliError."""
        return program(file, self.include, self.define)

    def asked(self, engine: Engine, image: Image) -> Asked:
        """Return the job that these options describe. Raises UsageError."""
        given = loads(engine, image, self.load or ())
        entries = self.entry or [Names(image).label(image.entry) or f"{image.entry:#06x}"]
        with usage_checks("--entry"):
            starts = tuple(address(image, name) for name in self.entry) if self.entry else (image.entry,)
        data = tuple((part.place, part.data) for part in given)
        job = Job(image, starts, data, self.resume, self.max_cycles or None, self.past_traps)
        return Asked(job, entries, given)


def program(file: Path, include: list[Path] | None, define: list[str] | None) -> Image:
    """Return the image in a file, or assembled from it. Raises CliError."""
    if existing(file).suffix == ".s":
        return assembled([file], include, define)
    if include or define:
        raise UsageError(f"-I and -D are for assembly, but {file} is an image; leave them out")
    return read_elf(file)
