"""`lutra profile`: show where the cycles of a program go."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from lutra.cli.checks import usage_checks
from lutra.cli.errors import CliError, UsageError
from lutra.cli.files import STANDARD, distinct
from lutra.cli.jobs import IMAGE_HELP, ProgramOptions
from lutra.cli.options import JsonOption, ManifestOption, core_rounds, own_files, served
from lutra.cli.output import print_json, whole_files
from lutra.cli.report import Outcome
from lutra.cli.request import takes
from lutra.firmware.ciphers import Direction
from lutra.firmware.errors import InputError
from lutra.iss import engine as engines
from lutra.iss.traps import explain

if TYPE_CHECKING:
    from lutra.profile import Profile

# Instructions in the pipeline logs: as many as their viewers show without delay.
WINDOW = 20_000
# Forms, each with an option that names its file.
_FORMS = ("html", "svg", "speedscope", "perfetto", "konata", "lcov")
# Forms that contain the pipeline.
_OF_WINDOW = ("--konata", "--perfetto")


@dataclass(frozen=True, kw_only=True)
class CipherOptions:
    """Options for a message of a cipher."""

    cipher: Annotated[
        str, typer.Option("--cipher", metavar="NAME", help="Profile a message with this cipher instead of FILE.")
    ] = ""
    decrypt: Annotated[bool, typer.Option("--decrypt", help="With --cipher: profile decryption.")] = False
    size: Annotated[
        int | None,
        typer.Option(
            "--bytes",
            metavar="N",
            min=1,
            help="With --cipher: length of the message in bytes; default: what fits into memory.",
        ),
    ] = None
    aad: Annotated[
        int,
        typer.Option(
            "--aad", metavar="N", min=0, help="With --cipher: length of the associated data in bytes (AEAD); default 0."
        ),
    ] = 0
    manifest: ManifestOption = None


@dataclass(frozen=True, kw_only=True)
class FormOptions:
    """Options for the forms of a profile. window: instructions of the pipeline, from a cycle on."""

    top: Annotated[int, typer.Option("--top", metavar="N", min=1, help="Show N rows per table; default 10.")] = 10
    annotate: Annotated[
        Path | None, typer.Option("--annotate", metavar="DIR|-", help="Write the sources with the cost of each line.")
    ] = None
    html: Annotated[
        Path | None, typer.Option("--html", metavar="FILE", help="Write an HTML page with charts and source.")
    ] = None
    svg: Annotated[Path | None, typer.Option("--svg", metavar="FILE", help="Write the flame graph.")] = None
    speedscope: Annotated[
        Path | None,
        typer.Option("--speedscope", metavar="FILE", help="Write a profile for https://www.speedscope.app."),
    ] = None
    perfetto: Annotated[
        Path | None,
        typer.Option("--perfetto", metavar="FILE", help="Write calls and pipeline for https://ui.perfetto.dev."),
    ] = None
    konata: Annotated[
        Path | None, typer.Option("--konata", metavar="FILE", help="Write a pipeline log for Konata.")
    ] = None
    lcov: Annotated[Path | None, typer.Option("--lcov", metavar="FILE", help="Write line and branch coverage.")] = None
    window_from: Annotated[
        int,
        typer.Option(
            "--from", metavar="CYCLE", min=0, help="First cycle of the pipeline in --konata and --perfetto; default 0."
        ),
    ] = 0
    window: Annotated[
        int,
        typer.Option("--window", metavar="N", min=1, max=1_000_000, help="Number of instructions in that pipeline."),
    ] = WINDOW
    json: JsonOption = False

    @property
    def files(self) -> dict[str, Path | None]:
        """Return the file of each form, by the name of the form."""
        return {name: getattr(self, name) for name in _FORMS}

    @property
    def written(self) -> dict[str, Path | None]:
        """Return all outputs by their options."""
        return {f"--{form}": file for form, file in self.files.items()} | {"--annotate": self.annotate}

    @property
    def printed(self) -> list[str]:
        """Return the options that write to standard output."""
        return [option for option, file in self.written.items() if str(file) == STANDARD] + ["--json"] * self.json


@dataclass(frozen=True, kw_only=True)
class Request(FormOptions, ProgramOptions, CipherOptions):
    """Options of the command."""

    image: Annotated[Path | None, typer.Argument(metavar="FILE", help=IMAGE_HELP)] = None


@takes(Request)
def command(request: Request) -> None:
    """Show where the cycles of a program go, by line, routine and loop, and why it stalls.

    Options from --engine to -D are those of `lutra run`. Every cycle counts once: for the instruction that issues or
    waits, or, for a bubble, for the transfer that causes it. All outputs are written even if the program traps or
    reaches the limit; the exit code is then 1.

    \b
    Example:
      lutra profile cipher.s --load key=hex:000102.. --entry key_schedule --entry encrypt
      lutra profile first.elf --html profile.html --annotate -
      lutra profile --cipher aes-128-ctr --engine rtl --speedscope aes.json
    """
    _check(request)
    run = _of_cipher(request) if request.image is None else _of_job(request, request.image)
    _show(request, run)
    if run.error:
        raise CliError(run.error)


@dataclass(frozen=True)
class _Run:
    """A run with its profile. read: files that no output may be. error: why the run failed, or ""."""

    name: str
    profile: Profile
    read: Mapping[str, Path | None]
    error: str = ""


def _check(request: Request) -> None:
    """Refuse options that do not fit together."""
    if len(request.printed) > 1:
        both = " and ".join(request.printed)
        raise UsageError(f"{both} would both write to standard output; give one of them a file")
    if (request.image is None) != bool(request.cipher):
        raise UsageError("give either an image or assembly to run, or --cipher")
    if request.image is not None:
        options: dict[str, object] = {"--decrypt": request.decrypt, "--bytes": request.size, "--aad": request.aad}
        _unused("with --cipher", options | {"--manifest": request.manifest})
    else:
        options = {"--load": request.load, "--entry": request.entry, "--resume": request.resume}
        options |= {"--past-traps": request.past_traps, "-I": request.include, "-D": request.define}
        _unused("with FILE", options)


def _of_job(request: Request, image: Path) -> _Run:
    from lutra.profile import gather  # imported here, because other commands do not need it

    machine = engines.make(request.engine, core_rounds(request.rounds))
    program = request.program(image)
    asked = request.asked(machine, program)
    read = {"FILE": image} | {file: Path(file) for file in program.files} | asked.read
    distinct(read, request.written)
    profile, stops = gather.of_job(machine, asked.job, request.window_from, request.window)
    error = Outcome(asked.job, machine, asked.entries, stops, machine.registers(), explain(machine), "").error
    return _Run(image.name, profile, read, error)


def _of_cipher(request: Request) -> _Run:
    from lutra.profile import gather

    machine = engines.make(request.engine, core_rounds(request.rounds))
    known = served(request.manifest)
    read = own_files(known)
    distinct(read, request.written)
    with usage_checks():
        chosen = known.cipher(request.cipher)
    direction: Direction = "decrypt" if request.decrypt else "encrypt"
    if direction not in chosen.default.entries:
        raise UsageError(f"--decrypt: {chosen.name} has no decryption; leave it out")
    window = request.window_from, request.window
    try:
        profile, _ = gather.of_cipher(machine, chosen, direction, request.size, request.aad, *window)
    except InputError as wrong:
        option = f"--aad {request.aad}" if request.size is None else f"--bytes {request.size}"
        raise UsageError(f"{option}: {wrong}") from wrong
    return _Run(f"{chosen.name}{', decrypting' if request.decrypt else ''}", profile, read)


def _show(request: Request, run: _Run) -> None:
    """Write all forms, and print the report."""
    from lutra.profile import text
    from lutra.profile.document import document
    from lutra.profile.forms import FORMS

    profile, rounds = run.profile, core_rounds(request.rounds)
    empty = [option for option in _OF_WINDOW if request.written[option] is not None]
    if request.window_from and not profile.counts.window and empty:
        ends = f"the program ends in cycle {profile.stop.cycles}, so {empty[0]} would be empty"
        raise UsageError(f"--from {request.window_from}: {ends}")
    about = f"engine {request.engine}, {rounds} {'round' if rounds == 1 else 'rounds'} per instruction"
    notes = _annotated(profile, request.annotate)
    forms = {form: file for form, file in request.files.items() if file is not None}
    distinct({**run.read, **{f"--{form}": file for form, file in forms.items()}}, {f"--annotate {n}": n for n in notes})
    _write({file: FORMS[form](profile, run.name, about) for form, file in forms.items()} | notes, notes)
    if request.json:
        print_json({"profiled": run.name, "engine": request.engine, "error": run.error or None} | document(profile))
    elif not request.printed:
        print(text.report(profile, request.top))


def _unused(what_for: str, options: Mapping[str, object]) -> None:
    for option, value in options.items():
        if value:
            raise UsageError(f"{option} works only {what_for}; leave it out")


def _annotated(profile: Profile, folder: Path | None) -> dict[Path, str]:
    """Return the annotated sources by file; in one piece for standard output."""
    if folder is None:
        return {}
    from lutra.profile.annotate import annotated, name_of

    found = profile.files
    if str(folder) == STANDARD:
        return {folder: "\n".join(annotated(profile, file) for file in found)}
    if folder.exists() and not folder.is_dir():
        raise CliError(f"--annotate {folder}: is not a folder; give a folder or -")
    return {folder / name_of(file, found): annotated(profile, file) for file in found}


def _write(made: Mapping[Path, str], notes: Mapping[Path, str]) -> None:
    """Write all files or none; create the folders of annotated sources."""
    for path in notes:
        path.parent.mkdir(parents=True, exist_ok=True)
    with whole_files(*made) as opened:
        for file, text in zip(opened, made.values(), strict=True):
            file.write(text.encode("utf-8", "replace"))
