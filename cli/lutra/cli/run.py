"""`lutra run`: run an image on an engine."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from lutra.cli import trace as tracing
from lutra.cli.checks import usage_checks
from lutra.cli.errors import CliError, UsageError
from lutra.cli.files import STANDARD, distinct
from lutra.cli.jobs import IMAGE_HELP, Asked, ProgramOptions
from lutra.cli.options import JsonOption, core_rounds
from lutra.cli.output import growing_file, print_json, whole_files
from lutra.cli.places import Dump, dumps
from lutra.cli.report import GOOD, Outcome
from lutra.cli.request import takes
from lutra.isa import load as isa_tables
from lutra.iss import engine as engines
from lutra.iss.engine import Engine, EngineError, Stop
from lutra.iss.job import Job
from lutra.iss.trace import Line, Trace
from lutra.iss.traps import explain

# Suffixes of other waveform formats.
OTHER_WAVES = (".vcd", ".evcd", ".lxt", ".lxt2", ".vzt", ".ghw", ".fsdb", ".vpd", ".wlf")


@dataclass(frozen=True, kw_only=True)
class Request(tracing.TraceOptions, ProgramOptions):
    """Options of the command."""

    image: Annotated[Path, typer.Argument(metavar="FILE", help=IMAGE_HELP)]
    dump: Annotated[
        list[str] | None,
        typer.Option(
            "--dump",
            metavar="PLACE:LEN=[hex:]FILE",
            help="Write part of a memory to a file or to - after the run; repeatable.",
        ),
    ] = None
    registers: Annotated[bool, typer.Option("--registers", help="Print all registers after the run.")] = False
    history: Annotated[
        int,
        typer.Option(
            "--history", metavar="N", min=0, max=1000, help="Show the last N instructions before a trap or the limit."
        ),
    ] = 8
    wave: Annotated[Path | None, typer.Option("--wave", metavar="FILE", help="Write an FST waveform (rtl, cosim).")] = (
        None
    )
    json: JsonOption = False


@takes(Request)
def command(request: Request) -> None:
    """Run an image until it halts.

    PLACE is SYMBOL, SYMBOL+OFFSET or SPACE@OFFSET, with offsets in bytes. Several entries run one after another; each
    starts with the registers and memories that the previous one has left. In lock-step, all memories are compared at
    the end. A trap is an error, and so is reaching the cycle limit.

    \b
    Example:
      lutra run first.elf --load m2@0x000=in.bin --dump m3@0x000:256=out.bin
      lutra run cipher.s --load key=hex:000102.. --entry key_schedule --entry encrypt --dump rk:176=hex:-
    """
    do(request)


@dataclass(frozen=True)
class _Checked:
    """A run whose options fit together. printed: options that write to standard output."""

    machine: Engine
    given: Asked
    parts: Sequence[Dump]
    selection: tracing.Selection | None
    printed: Sequence[str]


def do(request: Request) -> None:
    """Run as the options say. Raises CliError."""
    todo = _check(request)
    try:
        outcome = _run(request, todo)
        contents = [part.read(todo.machine) for part in todo.parts] if outcome.last.state in GOOD else []
    finally:
        todo.machine.close()
    if request.json:
        print_json(outcome.document())
    if outcome.error:
        if not request.json and (report := outcome.report(request.registers)):
            print(report, file=sys.stderr)
        raise CliError(outcome.error)
    with whole_files(*(part.file for part in todo.parts)) as files:
        for file, held in zip(files, contents, strict=True):
            file.write(held)
    if not request.json:
        # Leave standard output to dumps and trace if they are written there.
        to = sys.stderr if todo.printed else sys.stdout
        print(outcome.summary(), file=to)
        if request.registers:
            print(outcome.registers, file=to)


def _check(request: Request) -> _Checked:
    """Read the program and its data, and refuse options that do not fit together."""
    machine = engines.make(request.engine, core_rounds(request.rounds))
    program = request.program(request.image)
    given = request.asked(machine, program)
    parts = dumps(machine, program, request.dump or ())
    printed = [part.option for part in parts if part.printed] + ["--trace"] * (str(request.trace) == STANDARD)
    if printed and request.json:
        raise UsageError(f"--json and {printed[0]} would both write to standard output; give one of them a file")
    selection = tracing.Selection.of(program, request)
    written: dict[str, Path | None] = {"--trace": request.trace, "--wave": request.wave}
    written |= {part.option: part.file for part in parts}
    distinct(
        {"FILE": request.image} | given.read,
        {option: file for option, file in written.items() if option not in printed},
    )
    if request.wave is not None:
        _check_wave(request.wave)
    return _Checked(machine, given, parts, selection, printed)


def _check_wave(path: Path) -> None:
    """Refuse a waveform name that cannot be written, or whose suffix belongs to another format."""
    if path.suffix.lower() in OTHER_WAVES:
        name = path.with_suffix(".fst").name
        raise UsageError(
            f"--wave {path}: waveforms are written in FST; use {name} (GTKWave's fst2vcd converts it to VCD)"
        )
    if not path.parent.is_dir():
        raise CliError(f"--wave {path}: the folder does not exist")


def _run(request: Request, todo: _Checked) -> Outcome:
    machine, job = todo.machine, todo.given.job
    job.prepare(machine)
    if request.wave is not None:
        with usage_checks():
            machine.trace(request.wave)
    stops = _stops(job, machine, todo.selection)
    if request.engine == "cosim" and stops[-1].state != "running":
        _compare(machine)
    return _outcome(job, machine, todo.given.entries, stops, request.history)


def _stops(job: Job, machine: Engine, selection: tracing.Selection | None) -> list[Stop]:
    """Run all entries; keep the trace of a failed run, since it shows why."""
    if selection is None:
        return list(job.run(machine))
    with nullcontext(sys.stdout) if str(selection.path) == STANDARD else growing_file(selection.path) as file:
        stops = list(job.run(machine, tracing.Writer(selection, file, Trace.of(machine)).write))
        # Flush now, before standard error says how the run ended.
        file.flush()
        return stops


def _outcome(job: Job, machine: Engine, entries: Sequence[str], stops: Sequence[Stop], length: int) -> Outcome:
    lines: Sequence[Line] | str = ()
    if stops[-1].state not in GOOD and length:
        try:
            lines = job.history(stops, machine.rounds, length)
        except EngineError as error:
            lines = str(error)
    return Outcome(job, machine, entries, stops, machine.registers(), explain(machine), lines)


def _compare(machine: Engine) -> None:
    """Read all memories: in lock-step, reading compares them."""
    for space in isa_tables().spaces:
        if len(space.blocks) + len(space.banks) == 1:
            machine.read(space.name, 0, machine.size(space.name))
