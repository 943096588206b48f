"""`lutra debug`: a program under the debugger."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from lutra.asm.files import MIB
from lutra.cli.errors import CliError, UsageError
from lutra.cli.files import read_bounded
from lutra.cli.jobs import ProgramOptions
from lutra.cli.options import ManifestOption, core_rounds, own_manifests
from lutra.cli.request import takes
from lutra.firmware.manifest import catalogue
from lutra.iss import engine as engines
from lutra.iss.engine import EngineError

if TYPE_CHECKING:
    from lutra.debug import Session

# Value of --against for the installed firmware.
INSTALLED = "installed"


@dataclass(frozen=True, kw_only=True)
class AnswerOptions:
    """Options that choose a known answer."""

    kat: Annotated[
        Path | None,
        typer.Option("--kat", metavar="VECTORS", help="Debug the first failing test of VECTORS instead of FILE."),
    ] = None
    test: Annotated[
        str | None, typer.Option("--test", metavar="ID", help="Debug this test of VECTORS, failing or not.")
    ] = None
    manifest: ManifestOption = None
    against: Annotated[
        str | None,
        typer.Option(
            "--against",
            metavar="MANIFEST|installed",
            help="Stop where the test first differs from this known-good firmware.",
        ),
    ] = None


CounterexampleOption = Annotated[
    Path | None,
    typer.Option(
        "--counterexample",
        metavar="FILE",
        help="Debug the message that `lutra prove --counterexample` has written, at the first wrong instruction.",
    ),
]


@dataclass(frozen=True, kw_only=True)
class Target(AnswerOptions, ProgramOptions):
    """The thing to debug: a program or a known answer, for `debug` and `dap`."""

    image: Annotated[
        Path | None, typer.Argument(metavar="[FILE]", help="Image from `lutra asm`, or assembly (.s).")
    ] = None

    counterexample: CounterexampleOption = None

    def check(self) -> None:
        """Raise UsageError for options that do not belong together."""
        of_answer = {"--test": self.test, "--manifest": self.manifest, "--against": self.against}
        of_file: dict[str, object] = {"--load": self.load, "--entry": self.entry, "--resume": self.resume}
        of_file |= {"--past-traps": self.past_traps, "-I": self.include, "-D": self.define}
        if self.counterexample:
            others = {"FILE": self.image, "--kat": self.kat, **of_answer, **of_file}
            _refuse(others, "does not work with --counterexample, which sets up its own run")
            return
        if (self.image is None) == (self.kat is None):
            raise UsageError("give FILE or --kat VECTORS, not both" if self.image else "give FILE or --kat VECTORS")
        if self.image:
            _refuse(of_answer, "works only with --kat VECTORS; give that instead of FILE")
        else:
            _refuse(of_file, "works only with FILE; a test of VECTORS sets up its own run")

    def open(self) -> Session:
        """Open the session. Raises CliError, EngineError, FirmwareError."""
        rounds = core_rounds(self.rounds)
        if self.counterexample is not None:
            from lutra.debug import counterexamples

            return counterexamples.opened(self.counterexample, self.engine, rounds, self.max_cycles or None)
        if self.image is None:
            return self._answer(rounds)
        from lutra.debug import Session

        found = self.program(self.image)
        wanted = self.asked(engines.make("iss", rounds), found)
        return Session.open(wanted.job, self.engine, rounds, [self.image.parent])

    def _answer(self, rounds: int) -> Session:
        from lutra.debug import known_answers

        assert self.kat is not None
        named, limit = own_manifests(self.manifest), self.max_cycles or None
        own = known_answers.only(named) if named else catalogue()
        answer = known_answers.chosen(self.kat, self.test, own, rounds, limit)
        if self.against is None:
            return known_answers.opened(answer, self.engine, rounds)
        known = catalogue() if self.against == INSTALLED else known_answers.only([Path(self.against)])
        reference = known_answers.same(self.kat, answer, known, rounds, limit)
        return known_answers.opened_against(answer, reference, self.engine, rounds)


@dataclass(frozen=True, kw_only=True)
class Request(Target):
    """Options of the command."""

    script: Annotated[
        list[Path] | None,
        typer.Option("-x", "--script", metavar="FILE", help="Run the debugger commands in FILE first."),
    ] = None
    commands: Annotated[
        list[str] | None,
        typer.Option("-c", "--command", metavar="COMMAND", help="Run a debugger command, after -x; repeatable."),
    ] = None
    batch: Annotated[bool, typer.Option("--batch", help="Exit after the commands of -x and -c.")] = False
    plain: Annotated[bool, typer.Option("--plain", help="Use the line mode, even on a terminal.")] = False


@takes(Request)
def command(request: Request) -> None:
    """Debug a program, forwards and backwards in time.

    FILE runs exactly as `lutra run` runs it with the same options. On a terminal, a full-screen view opens; otherwise
    the debugger reads commands from standard input. The command `help` lists all commands.

    \b
    Example:
      lutra debug cipher.s --load key=hex:000102.. --entry key_schedule --entry encrypt
      lutra debug first.s -c "watch m3[0x10]" -c continue -c "last v0" --batch
      lutra debug --kat vectors.json --manifest mycipher/firmware.toml
      lutra debug --counterexample wrong.json
    """
    request.check()
    lines = [*_lines(request.script or ()), *((f"-c {line}", line) for line in request.commands or ())]
    _use(request.open(), lines, request.batch, request.plain)


def _refuse(options: Mapping[str, object], why: str) -> None:
    """Raise UsageError for the first option that is given."""
    if stray := next((name for name, value in options.items() if value), None):
        raise UsageError(f"{stray} {why}")


def _lines(scripts: Sequence[Path]) -> Iterator[tuple[str, str]]:
    """Return the lines of scripts, each with the name that its errors show."""
    for file in scripts:
        text = read_bounded(file, MIB, "a file of commands").decode("utf-8", "replace")
        yield from ((f"{file}:{number}", line) for number, line in enumerate(text.splitlines(), 1) if line.strip())


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
