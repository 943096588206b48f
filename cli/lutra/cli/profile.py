"""`lutra profile`: show where the cycles of a program go."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from lutra.cli import jobs
from lutra.cli.checks import usage_checks
from lutra.cli.errors import CliError, UsageError
from lutra.cli.files import STANDARD, distinct
from lutra.cli.jobs import IMAGE_HELP, MAX_CYCLES, CyclesOption, EntryOption, LoadOption, ResumeOption
from lutra.cli.options import EngineOption, JsonOption, ManifestOption, RoundsOption, core_rounds, own_files, served
from lutra.cli.output import print_json, whole_files
from lutra.cli.report import Outcome
from lutra.cli.sources import DefineOption, IncludeOption
from lutra.firmware.ciphers import Direction
from lutra.firmware.errors import InputError
from lutra.iss import engine as engines
from lutra.iss.traps import explain

if TYPE_CHECKING:
    from lutra.profile import Profile

# Instructions in the pipeline logs: as many as their viewers show without delay.
WINDOW = 20_000
# Forms that contain the pipeline.
_OF_WINDOW = ("--konata", "--perfetto")


def command(
    image: Annotated[Path | None, typer.Argument(metavar="FILE", help=IMAGE_HELP)] = None,
    cipher: Annotated[
        str, typer.Option("--cipher", metavar="NAME", help="Profile a message with this cipher instead of FILE.")
    ] = "",
    decrypt: Annotated[bool, typer.Option("--decrypt", help="With --cipher: profile decryption.")] = False,
    size: Annotated[
        int | None,
        typer.Option(
            "--bytes",
            metavar="N",
            min=1,
            help="With --cipher: length of the message in bytes; default: what fits into memory.",
        ),
    ] = None,
    aad: Annotated[
        int,
        typer.Option(
            "--aad", metavar="N", min=0, help="With --cipher: length of the associated data in bytes (AEAD); default 0."
        ),
    ] = 0,
    manifest: ManifestOption = None,
    engine: EngineOption = "iss",
    load: LoadOption = None,
    entry: EntryOption = None,
    max_cycles: CyclesOption = MAX_CYCLES,
    rounds: RoundsOption = None,
    resume: ResumeOption = False,
    include: IncludeOption = None,
    define: DefineOption = None,
    top: Annotated[int, typer.Option("--top", metavar="N", min=1, help="Show N rows per table; default 10.")] = 10,
    annotate: Annotated[
        Path | None, typer.Option("--annotate", metavar="DIR|-", help="Write the sources with the cost of each line.")
    ] = None,
    html: Annotated[
        Path | None, typer.Option("--html", metavar="FILE", help="Write an HTML page with charts and source.")
    ] = None,
    svg: Annotated[Path | None, typer.Option("--svg", metavar="FILE", help="Write the flame graph.")] = None,
    speedscope: Annotated[
        Path | None,
        typer.Option("--speedscope", metavar="FILE", help="Write a profile for https://www.speedscope.app."),
    ] = None,
    perfetto: Annotated[
        Path | None,
        typer.Option("--perfetto", metavar="FILE", help="Write calls and pipeline for https://ui.perfetto.dev."),
    ] = None,
    konata: Annotated[
        Path | None, typer.Option("--konata", metavar="FILE", help="Write a pipeline log for Konata.")
    ] = None,
    lcov: Annotated[Path | None, typer.Option("--lcov", metavar="FILE", help="Write line and branch coverage.")] = None,
    window_from: Annotated[
        int,
        typer.Option(
            "--from", metavar="CYCLE", min=0, help="First cycle of the pipeline in --konata and --perfetto; default 0."
        ),
    ] = 0,
    window: Annotated[
        int,
        typer.Option("--window", metavar="N", min=1, max=1_000_000, help="Number of instructions in that pipeline."),
    ] = WINDOW,
    json: JsonOption = False,
) -> None:
    """Show where the cycles of a program go, by line, routine and loop, and why it stalls.

    Options up to -D are those of `lutra run`. Every cycle counts once: for the instruction that issues or waits, or,
    for a bubble, for the transfer that causes it. All outputs are written even if the program traps or reaches the
    limit; the exit code is then 1.

    \b
    Example:
      lutra profile cipher.s --load key=hex:000102.. --entry key_schedule --entry encrypt
      lutra profile first.elf --html profile.html --annotate -
      lutra profile --cipher aes-128-ctr --engine rtl --speedscope aes.json
    """
    rounds = core_rounds(rounds)
    # Imported here, because other commands do not need it.
    from lutra.profile import gather, text
    from lutra.profile.document import document
    from lutra.profile.forms import FORMS

    forms = {"html": html, "svg": svg, "speedscope": speedscope, "perfetto": perfetto, "konata": konata, "lcov": lcov}
    written = {f"--{form}": file for form, file in forms.items()} | {"--annotate": annotate}
    printed = [option for option, file in written.items() if str(file) == STANDARD] + ["--json"] * json
    if len(printed) > 1:
        raise UsageError(f"{' and '.join(printed)} would both write to standard output; give one of them a file")
    machine = engines.make(engine, rounds)
    if image is not None and not cipher:
        _unused("with --cipher", {"--decrypt": decrypt, "--bytes": size, "--aad": aad, "--manifest": manifest})
        program = jobs.program(image, include, define)
        asked = jobs.asked(machine, program, load, entry, max_cycles, resume)
        read = {"FILE": image} | {file: Path(file) for file in program.files} | asked.read
        distinct(read, written)
        name = image.name
        profile, stops = gather.of_job(machine, asked.job, window_from, window)
        error = Outcome(asked.job, machine, asked.entries, stops, machine.registers(), explain(machine), "").error
    elif cipher and image is None:
        own = {"--load": load, "--entry": entry, "--resume": resume, "-I": include, "-D": define}
        _unused("with FILE", own)
        known = served(manifest)
        read = own_files(known)
        distinct(read, written)
        with usage_checks():
            chosen = known.cipher(cipher)
        name, error = f"{chosen.name}{', decrypting' if decrypt else ''}", ""
        direction: Direction = "decrypt" if decrypt else "encrypt"
        if direction not in chosen.default.entries:
            raise UsageError(f"--decrypt: {chosen.name} has no decryption; leave it out")
        try:
            profile, stops = gather.of_cipher(machine, chosen, direction, size, aad, window_from, window)
        except InputError as wrong:
            option = f"--aad {aad}" if size is None else f"--bytes {size}"
            raise UsageError(f"{option}: {wrong}") from wrong
    else:
        raise UsageError("give either an image or assembly to run, or --cipher")

    if window_from and not profile.counts.window and (empty := [o for o in _OF_WINDOW if written[o] is not None]):
        cycles = profile.stop.cycles
        raise UsageError(f"--from {window_from}: the program ends in cycle {cycles}, so {empty[0]} would be empty")
    about = f"engine {engine}, {rounds} {'round' if rounds == 1 else 'rounds'} per instruction"
    notes = _annotated(profile, annotate)
    distinct(read | {f"--{form}": file for form, file in forms.items()}, {f"--annotate {file}": file for file in notes})
    made = {file: FORMS[form](profile, name, about) for form, file in forms.items() if file is not None}
    _write(made | notes, notes)
    if json:
        print_json({"profiled": name, "engine": engine, "error": error or None} | document(profile))
    elif not printed:
        print(text.report(profile, top))
    if error:
        raise CliError(error)


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
