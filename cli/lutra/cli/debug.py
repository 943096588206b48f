"""`lutra debug`: a program under the debugger."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from lutra.asm.files import MIB
from lutra.cli.errors import CliError, UsageError
from lutra.cli.files import read_bounded
from lutra.cli.jobs import (
    MAX_CYCLES,
    CyclesOption,
    EntryOption,
    LoadOption,
    PastTrapsOption,
    ResumeOption,
    asked,
    program,
)
from lutra.cli.options import EngineOption, ManifestOption, RoundsOption, core_rounds, own_manifests
from lutra.cli.sources import DefineOption, IncludeOption
from lutra.firmware.manifest import catalogue
from lutra.iss import engine as engines
from lutra.iss.engine import EngineError

if TYPE_CHECKING:
    from lutra.debug import Session

# Value of --against for the installed firmware.
INSTALLED = "installed"
# Options that are only for a FILE, and options that are only for a known answer.
_OF_FILE = ("--load", "--entry", "--resume", "--past-traps", "-I", "-D")
_OF_ANSWER = ("--test", "--manifest", "--against")


def command(
    image: Annotated[
        Path | None, typer.Argument(metavar="[FILE]", help="Image from `lutra asm`, or assembly (.s).")
    ] = None,
    engine: EngineOption = "iss",
    load: LoadOption = None,
    entry: EntryOption = None,
    max_cycles: CyclesOption = MAX_CYCLES,
    rounds: RoundsOption = None,
    resume: ResumeOption = False,
    past_traps: PastTrapsOption = False,
    include: IncludeOption = None,
    define: DefineOption = None,
    kat: Annotated[
        Path | None,
        typer.Option("--kat", metavar="VECTORS", help="Debug the first failing test of VECTORS instead of FILE."),
    ] = None,
    test: Annotated[
        str | None, typer.Option("--test", metavar="ID", help="Debug this test of VECTORS, failing or not.")
    ] = None,
    manifest: ManifestOption = None,
    against: Annotated[
        str | None,
        typer.Option(
            "--against",
            metavar="MANIFEST|installed",
            help="Stop where the test first differs from this known-good firmware.",
        ),
    ] = None,
    script: Annotated[
        list[Path] | None,
        typer.Option("-x", "--script", metavar="FILE", help="Run the debugger commands in FILE first."),
    ] = None,
    commands: Annotated[
        list[str] | None,
        typer.Option("-c", "--command", metavar="COMMAND", help="Run a debugger command, after -x; repeatable."),
    ] = None,
    batch: Annotated[bool, typer.Option("--batch", help="Exit after the commands of -x and -c.")] = False,
    plain: Annotated[bool, typer.Option("--plain", help="Use the line mode, even on a terminal.")] = False,
) -> None:
    """Debug a program, forwards and backwards in time.

    FILE runs exactly as `lutra run` runs it with the same options. On a terminal, a full-screen view opens; otherwise
    the debugger reads commands from standard input. The command `help` lists all commands.

    \b
    Example:
      lutra debug cipher.s --load key=hex:000102.. --entry key_schedule --entry encrypt
      lutra debug first.s -c "watch m3[0x10]" -c continue -c "last v0" --batch
      lutra debug --kat vectors.json --manifest mycipher/firmware.toml
    """
    rounds = core_rounds(rounds)
    of_file = dict(zip(_OF_FILE, (load, entry, resume, past_traps, include, define), strict=True))
    _only({"FILE": image, "--kat": kat}, of_file, dict(zip(_OF_ANSWER, (test, manifest, against), strict=True)))
    lines = [*_lines(script or ()), *((f"-c {line}", line) for line in commands or ())]
    if image is not None:
        from lutra.debug import Session

        found = program(image, include, define)
        wanted = asked(engines.make("iss", rounds), found, load, entry, max_cycles, resume, past_traps)
        session = Session.open(wanted.job, engine, rounds, [image.parent])
    else:
        assert kat is not None
        session = answer(kat, test, manifest, against, engine, rounds, max_cycles or None)
    _use(session, lines, batch, plain)


def _only(what: Mapping[str, Any], of_file: Mapping[str, Any], of_answer: Mapping[str, Any]) -> None:
    """Raise UsageError for options that do not belong together."""
    if (what["FILE"] is None) == (what["--kat"] is None):
        raise UsageError("give FILE or --kat VECTORS, not both" if what["FILE"] else "give FILE or --kat VECTORS")
    if stray := next((name for name, value in of_answer.items() if value), None) if what["FILE"] else None:
        raise UsageError(f"{stray} works only with --kat VECTORS; give that instead of FILE")
    if stray := next((name for name, value in of_file.items() if value), None) if what["--kat"] else None:
        raise UsageError(f"{stray} works only with FILE; a test of VECTORS sets up its own run")


def _lines(scripts: Sequence[Path]) -> Iterator[tuple[str, str]]:
    """Return the lines of scripts, each with the name that its errors show."""
    for file in scripts:
        text = read_bounded(file, MIB, "a file of commands").decode("utf-8", "replace")
        yield from ((f"{file}:{number}", line) for number, line in enumerate(text.splitlines(), 1) if line.strip())


def answer(
    file: Path,
    test: str | None,
    manifests: list[Path] | None,
    against: str | None,
    engine: str,
    rounds: int,
    max_cycles: int | None,
) -> Session:
    """Open the known answer that the options choose. Raises CliError, EngineError, FirmwareError."""
    from lutra.debug import known_answers

    named = own_manifests(manifests)
    own = known_answers.only(named) if named else catalogue()
    answer = known_answers.chosen(file, test, own, rounds, max_cycles)
    if against is None:
        return known_answers.opened(answer, engine, rounds)
    known = catalogue() if against == INSTALLED else known_answers.only([Path(against)])
    reference = known_answers.same(file, answer, known, rounds, max_cycles)
    return known_answers.opened_against(answer, reference, engine, rounds)


def _use(session: Session, lines: Sequence[tuple[str, str]], batch: bool, plain: bool) -> None:
    """Run the commands of the command line, then those of the user."""
    from lutra.debug.console import Console
    from lutra.debug.errors import printable

    on_terminal = sys.stdin is not None and sys.stdin.isatty() and sys.stdout.isatty()
    console = Console(session, sys.stdout)
    if lines or batch or plain or not on_terminal:
        console.opened()
    for name, line in lines:
        try:
            console.command(line)
        except EngineError as error:
            raise CliError(f"{printable(name)}: {error}") from error
        if console.over:
            return
    if batch:
        return
    if not on_terminal:
        if sys.stdin is not None and not console.stream(sys.stdin, sys.stderr):
            raise typer.Exit(1)
    elif plain:
        console.terminal()
    else:
        from lutra.debug.screen import run

        run(session)
