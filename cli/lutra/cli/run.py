"""`lutra run`: run an image on an engine."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from contextlib import nullcontext
from pathlib import Path
from typing import Annotated

import typer

from lutra.cli import jobs
from lutra.cli import trace as tracing
from lutra.cli.checks import usage_checks
from lutra.cli.errors import CliError, UsageError
from lutra.cli.files import STANDARD, distinct
from lutra.cli.jobs import IMAGE_HELP, MAX_CYCLES, CyclesOption, EntryOption, LoadOption, PastTrapsOption, ResumeOption
from lutra.cli.options import EngineOption, JsonOption, RoundsOption, core_rounds
from lutra.cli.output import growing_file, print_json, whole_files
from lutra.cli.places import dumps
from lutra.cli.report import GOOD, Outcome
from lutra.cli.sources import DefineOption, IncludeOption
from lutra.isa import load as isa_tables
from lutra.iss import engine as engines
from lutra.iss.engine import Engine, EngineError, Stop
from lutra.iss.job import Job
from lutra.iss.trace import Line, Trace
from lutra.iss.traps import explain

# Suffixes of other waveform formats.
OTHER_WAVES = (".vcd", ".evcd", ".lxt", ".lxt2", ".vzt", ".ghw", ".fsdb", ".vpd", ".wlf")


def command(
    image: Annotated[Path, typer.Argument(metavar="FILE", help=IMAGE_HELP)],
    engine: EngineOption = "iss",
    load: LoadOption = None,
    dump: Annotated[
        list[str] | None,
        typer.Option(
            "--dump",
            metavar="PLACE:LEN=[hex:]FILE",
            help="Write part of a memory to a file or to - after the run; repeatable.",
        ),
    ] = None,
    entry: EntryOption = None,
    max_cycles: CyclesOption = MAX_CYCLES,
    registers: Annotated[bool, typer.Option("--registers", help="Print all registers after the run.")] = False,
    history: Annotated[
        int,
        typer.Option(
            "--history", metavar="N", min=0, max=1000, help="Show the last N instructions before a trap or the limit."
        ),
    ] = 8,
    trace: Annotated[
        Path | None,
        typer.Option("--trace", metavar="FILE", help="Write one line per retired instruction; - for standard output."),
    ] = None,
    trace_from: tracing.FromOption = None,
    trace_to: tracing.ToOption = None,
    trace_only: tracing.OnlyOption = None,
    trace_limit: tracing.LimitOption = None,
    trace_format: tracing.FormOption = None,
    wave: Annotated[
        Path | None, typer.Option("--wave", metavar="FILE", help="Write an FST waveform (rtl, cosim).")
    ] = None,
    rounds: RoundsOption = None,
    resume: ResumeOption = False,
    past_traps: PastTrapsOption = False,
    include: IncludeOption = None,
    define: DefineOption = None,
    json: JsonOption = False,
) -> None:
    """Run an image until it halts.

    PLACE is SYMBOL, SYMBOL+OFFSET or SPACE@OFFSET, with offsets in bytes. Several entries run one after another; each
    starts with the registers and memories that the previous one has left. In lock-step, all memories are compared at
    the end. A trap is an error, and so is reaching the cycle limit.

    \b
    Example:
      lutra run first.elf --load m2@0x000=in.bin --dump m3@0x000:256=out.bin
      lutra run cipher.s --load key=hex:000102.. --entry key_schedule --entry encrypt --dump rk:176=hex:-
    """
    rounds = core_rounds(rounds)
    program = jobs.program(image, include, define)
    machine = engines.make(engine, rounds)
    given = jobs.asked(machine, program, load, entry, max_cycles, resume, past_traps)
    job = given.job
    parts = dumps(machine, program, dump or ())
    printed = [part.option for part in parts if part.printed] + ["--trace"] * (str(trace) == STANDARD)
    if printed and json:
        raise UsageError(f"--json and {printed[0]} would both write to standard output; give one of them a file")
    selection = tracing.Selection.of(program, trace, trace_from, trace_to, trace_only, trace_limit, trace_format)
    written: dict[str, Path | None] = {"--trace": trace, "--wave": wave} | {part.option: part.file for part in parts}
    distinct(
        {"FILE": image} | given.read,
        {option: file for option, file in written.items() if option not in printed},
    )
    if wave is not None:
        _check_wave(wave)
    try:
        job.prepare(machine)
        if wave is not None:
            with usage_checks():
                machine.trace(wave)
        stops = _run(job, machine, selection)
        if engine == "cosim" and stops[-1].state != "running":
            _compare(machine)
        outcome = _outcome(job, machine, given.entries, stops, history)
        contents = [part.read(machine) for part in parts] if stops[-1].state in GOOD else []
    finally:
        machine.close()
    if json:
        print_json(outcome.document())
    if outcome.error:
        if not json and (report := outcome.report(registers)):
            print(report, file=sys.stderr)
        raise CliError(outcome.error)
    with whole_files(*(part.file for part in parts)) as files:
        for file, held in zip(files, contents, strict=True):
            file.write(held)
    if not json:
        # Leave standard output to dumps and trace if they are written there.
        to = sys.stderr if printed else sys.stdout
        print(outcome.summary(), file=to)
        if registers:
            print(outcome.registers, file=to)


def _check_wave(path: Path) -> None:
    """Refuse a waveform name that cannot be written, or whose suffix belongs to another format."""
    if path.suffix.lower() in OTHER_WAVES:
        name = path.with_suffix(".fst").name
        raise UsageError(
            f"--wave {path}: waveforms are written in FST; use {name} (GTKWave's fst2vcd converts it to VCD)"
        )
    if not path.parent.is_dir():
        raise CliError(f"--wave {path}: the folder does not exist")


def _run(job: Job, machine: Engine, selection: tracing.Selection | None) -> list[Stop]:
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
