"""`lutra test`: check the vectors, headers and constant time of firmware in any folder."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal

import typer

from lutra.asm.analysis.corrections import Correction, corrected
from lutra.asm.passes.sources import decoded
from lutra.cli import proofs
from lutra.cli.errors import UsageError
from lutra.cli.files import distinct
from lutra.cli.options import JsonOption, LcovOption, core_rounds
from lutra.cli.output import lcov_file, output, print_json, progress, whole_files
from lutra.cli.request import takes
from lutra.firmware import kat, testing
from lutra.firmware.testing import Check
from lutra.firmware.testing.outcome import Kind, State

KINDS: Mapping[Kind, str] = {
    "file": "reading",
    "assembly": "assembly",
    "header": "headers",
    "time": "constant time",
    "vector": "vectors",
    "routine": "routines",
    "proof": "proofs",
}
SHOWN: Mapping[State, str] = {"failed": "FAILED", "skipped": "skipped", "warned": "warning"}


@dataclass(frozen=True, kw_only=True)
class Request:
    """Options of the command."""

    paths: Annotated[
        list[Path] | None,
        typer.Argument(metavar="[FOLDER|MANIFEST|FILE.s]...", help="Firmware to test; default: the current folder."),
    ] = None
    engine: Annotated[
        Literal["iss", "rtl", "cosim"] | None,
        typer.Option("--engine", help="Engine; default: cosim, or iss if the core is not installed."),
    ] = None
    rounds: Annotated[
        str | None,
        typer.Option("--rounds", metavar="1|2|1,2", help="Rounds per instruction, one or both; default: the greatest."),
    ] = None
    only: Annotated[
        str, typer.Option("-k", metavar="TEXT", help="Run only checks whose `FILE: NAME` contains TEXT.")
    ] = ""
    strict: Annotated[bool, typer.Option("-Werror", help="Treat warnings as failures.")] = False
    runs: Annotated[
        int, typer.Option("--runs", metavar="N", min=2, help="Number of runs with different secrets for constant time.")
    ] = testing.RUNS
    vectors: Annotated[
        list[Path] | None,
        typer.Option("--vectors", metavar="FILE", help="Add a file or a folder of vectors; repeatable."),
    ] = None
    fix: Annotated[bool, typer.Option("--fix", help="Correct Clobbers and Cycles in the headers first.")] = False
    prove: Annotated[
        bool, typer.Option("--prove", help="Prove also what has a specification, as `lutra prove` does.")
    ] = False
    junit: Annotated[Path | None, typer.Option("--junit", metavar="FILE", help="Write a JUnit report.")] = None
    lcov: LcovOption = None
    json: JsonOption = False

    @property
    def options(self) -> testing.Options:
        """Options of the checks. Raises UsageError."""
        engine = self.engine or testing.best_engine()
        return testing.Options(
            engine, _rounds(self.rounds), self.only, self.strict, self.runs, kat.files(self.vectors or ())
        )


@takes(Request)
def command(request: Request) -> None:
    """Test firmware: vectors and tests of routines next to the sources, headers, constant time.

    The exit code is 1 if anything fails. A folder stands for all folders in it that have a manifest, vectors or tests
    of routines. `lutra new` creates an example.

    \b
    Example:
      lutra test
      lutra test otter --engine iss -k "constant time"
      lutra test otter --fix
      lutra test otter --prove
      lutra test --rounds 1,2 -Werror --junit results.xml
      lutra test firmware/chacha20 --vectors tests/vectors
    """
    options = request.options
    units = testing.find(request.paths or [Path()])
    inputs = [file for unit in units for file in unit.files] + list(options.vectors)
    distinct({str(file): file for file in inputs}, {"--junit": request.junit, "--lcov": request.lcov})
    if request.fix:
        _fix(testing.corrections(units, options), quiet=request.json)
    report = _checked(request, units, options)
    if request.json:
        print_json({"engine": options.engine, "rounds": options.rounds} | report.as_json())
    else:
        rounds = " and ".join(map(str, options.rounds))
        print(f"{testing.summary(report.checks)} ({options.engine}, rounds {rounds})")
    if not report.good:
        raise typer.Exit(1)


def _checked(request: Request, units: Sequence[testing.Unit], options: testing.Options) -> testing.Report:
    """Run the checks and print their lines; write the reports in files."""
    shown = _Lines(quiet=request.json)
    with (
        output(request.junit) if request.junit else nullcontext() as file,
        lcov_file(request.lcov),
        progress("testing", None, at_once=True) as done,
    ):
        report = testing.run(units, options, lambda check: done(shown.add(check)))
        if request.prove:
            for check in proofs.checks(units, options):
                report = testing.Report((*report.checks, check))
                done(shown.add(check))
        shown.end()
        if file is not None:
            file.write(testing.junit(report))
    return report


def _rounds(given: str | None) -> list[int]:
    """Parse --rounds."""
    text = str(core_rounds(None)) if given is None else given
    found = list(dict.fromkeys(text.split(",")))
    if not set(found) <= {"1", "2"}:
        raise UsageError(f"--rounds {shlex.quote(text)}: write 1, 2 or 1,2")
    return [int(value) for value in found]


def _fix(corrections: Sequence[Correction], *, quiet: bool) -> None:
    """Write the corrected headers into their files, all or none."""
    files = list(dict.fromkeys(right.file for right in corrections))
    texts = [decoded(file, file.read_bytes()) for file in files]
    with whole_files(*files) as opened:
        for file, text, written in zip(files, texts, opened, strict=True):
            written.write(corrected(text, [right for right in corrections if right.file == file]).encode())
    for right in () if quiet else corrections:
        print(f"fixed {right.file}:{right.line}: {right.field}: {right.text}")


class _Lines:
    """Print one line per check that has not passed, and one per file and kind of check."""

    def __init__(self, quiet: bool) -> None:
        self._quiet = quiet
        self._count = 0
        self._checks: list[Check] = []

    def add(self, check: Check) -> int:
        """Show a finished check, grouped by file and kind; return the number of checks so far."""
        self._count += 1
        self._show(check)
        return self._count

    def _show(self, check: Check) -> None:
        if self._checks and (self._checks[-1].file, self._checks[-1].kind) != (check.file, check.kind):
            self.end()
        self._checks.append(check)
        if self._quiet or check.state == "passed":
            return
        # The assembler's messages start with file and line, where editors look for them.
        if check.kind == "assembly" and check.text:
            print(check.text)
        if check.kind != "assembly" or check.state == "failed":
            more = check.text.replace("\n", "\n    ")
            text = f": {more}" if more and check.kind != "assembly" else ""
            print(f"{SHOWN[check.state]} {check.place}: {check.name}{text}")

    def end(self) -> None:
        """Print the line of the current group."""
        if self._checks and not self._quiet:
            first = self._checks[0]
            print(f"{first.file}: {KINDS[first.kind]}: {testing.summary(self._checks)}")
        self._checks = []
