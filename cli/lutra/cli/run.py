"""`lutra run`: an image on an engine."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, TextIO

import typer

from lutra.asm import Image, assemble, read_elf
from lutra.asm.dwarf import WORD_BYTES
from lutra.cli.errors import CliError, UsageError, usage_checks
from lutra.cli.files import distinct, read_bounded
from lutra.cli.options import EngineOption, JsonOption, RoundsOption, existing, number
from lutra.cli.output import growing_file, print_json, whole_files
from lutra.firmware.errors import nearest
from lutra.isa import load as isa_tables
from lutra.iss import engine as engines
from lutra.iss.retire import source_line

# Less than a second on the slowest engine.
SLICE_CYCLES = 200_000
# An endless program ends, after seconds on the simulator and minutes on the core; no job on full memories comes near.
MAX_CYCLES = 100_000_000


@dataclass(frozen=True)
class _Place:
    """A part of a memory space and the file that it goes to or comes from."""

    space: str
    offset: int
    length: int
    file: Path


@dataclass(frozen=True)
class _Limits:
    """When a run is over: at a number of cycles, if any; at a wait, unless it is resumed."""

    max_cycles: int | None
    resume: bool

    def go_on(self, machine: engines.Engine, state: str) -> bool:
        """Whether the machine waits no longer."""
        if not self.resume or state != "waiting":
            return False
        machine.resume(0)
        return True


def command(
    image: Annotated[Path, typer.Argument(metavar="FILE", help="Image made by `lutra asm`, or assembly (.s).")],
    engine: EngineOption = "iss",
    load: Annotated[
        list[str] | None, typer.Option("--load", metavar="m2@0x000=FILE", help="Put a file into a memory first.")
    ] = None,
    dump: Annotated[
        list[str] | None,
        typer.Option("--dump", metavar="m3@0x000:LEN=FILE", help="Write a part of a memory to a file."),
    ] = None,
    entry: Annotated[
        str | None, typer.Option("--entry", metavar="SYMBOL", help="Where to start, if not at the image's entry.")
    ] = None,
    max_cycles: Annotated[
        int, typer.Option("--max-cycles", metavar="N", min=0, help="Give up after N cycles; 0 for no limit.")
    ] = MAX_CYCLES,
    trace: Annotated[
        Path | None, typer.Option("--trace", metavar="FILE", help="A line for every instruction that retires.")
    ] = None,
    wave: Annotated[Path | None, typer.Option("--wave", metavar="FILE", help="Waves in FST (rtl, cosim).")] = None,
    rounds: RoundsOption = 2,
    resume: Annotated[bool, typer.Option("--resume", help="Go on after every wait.")] = False,
    json: JsonOption = False,
) -> None:
    """Run an image until it halts.

    In lock-step, all memories are compared at the end. A trap is an error, and so is the cycle limit.

    \b
    Example:
      lutra run first.elf --load m2@0x000=in.bin --dump m3@0x000:256=out.bin
    """
    dumps = [_dump(text) for text in dump or ()]
    loads = [_load(text) for text in load or ()]
    distinct(
        {"FILE": image} | {f"--load {place.file}": place.file for place in loads},
        {"--trace": trace, "--wave": wave} | {f"--dump {n}": place.file for n, place in enumerate(dumps)},
    )
    program = assemble([image]) if existing(image).suffix == ".s" else read_elf(image)
    machine = engines.make(engine, rounds)
    for place in (*loads, *dumps):
        _check(machine, place)
    contents = [_contents(machine, place) for place in loads]
    start = _entry(program, entry)
    machine.load(program)
    for place, data in zip(loads, contents, strict=True):
        machine.write(place.space, place.offset, data)
    if wave is not None:
        if not wave.parent.is_dir():
            raise CliError(f"--wave {wave}: the folder does not exist")
        with usage_checks():
            machine.trace(wave)
    limits = _Limits(max_cycles or None, resume)
    try:
        stop = _traced(machine, program, start, trace, limits) if trace else _plain(machine, start, limits)
        if engine == "cosim" and stop.state != "running":
            _compare(machine)
    finally:
        machine.close()
    if json:
        print_json(_status(machine, program, stop))
    if stop.state in ("trapped", "running"):
        raise CliError(_failure(program, stop, max_cycles))
    with whole_files(*(place.file for place in dumps)) as files:
        for place, file in zip(dumps, files, strict=True):
            file.write(machine.read(place.space, place.offset, place.length))
    if not json:
        print(_summary(program, stop))


def _plain(machine: engines.Engine, start: int, limits: _Limits) -> engines.Stop:
    """Run in slices, so that an interrupt ends the program."""
    machine.start(start)
    limit, max_cycles = 0, limits.max_cycles
    while True:
        limit += SLICE_CYCLES
        stop = machine.go(limit if max_cycles is None else min(limit, max_cycles))
        if limits.go_on(machine, stop.state):
            continue
        if stop.state != "running" or (max_cycles is not None and limit >= max_cycles):
            return stop


def _compare(machine: engines.Engine) -> None:
    """Reading in lock-step compares."""
    for space in isa_tables().spaces:
        if len(space.blocks) + len(space.banks) == 1:
            machine.read(space.name, 0, machine.size(space.name))


def _traced(machine: engines.Engine, program: Image, start: int, path: Path, limits: _Limits) -> engines.Stop:
    """Run step by step, one line per retirement; the trace of a run that fails is kept, since it shows why."""
    with growing_file(path) as file:
        machine.start(start)
        _write_trace(machine, program, file, limits)
        while limits.go_on(machine, machine.stop().state):
            _write_trace(machine, program, file, limits)
    return machine.stop()


def _write_trace(machine: engines.Engine, program: Image, file: TextIO, limits: _Limits) -> None:
    labels = program.labels("pm")
    for record in machine.records():
        print(record.line(labels), file=file)
        if limits.max_cycles is not None and record.cycle + 1 >= limits.max_cycles:
            break


def _load(text: str) -> _Place:
    match = re.fullmatch(r"([^@]+)@([^=:]+)=(.+)", text)
    if match is None:
        raise UsageError(f"--load {text}: write SPACE@OFFSET=FILE, as in m2@0x000=in.bin")
    return _Place(match[1], number(match[2], f"--load {text}"), 0, Path(match[3]))


def _dump(text: str) -> _Place:
    match = re.fullmatch(r"([^@]+)@([^=:]+):([^=:]+)=(.+)", text)
    if match is None:
        raise UsageError(f"--dump {text}: write SPACE@OFFSET:LENGTH=FILE, as in m3@0x000:256=out.bin")
    what = f"--dump {text}"
    place = _Place(match[1], number(match[2], what), number(match[3], what), Path(match[4]))
    if not place.length:
        raise UsageError(f"{what}: a length of 0 dumps nothing")
    return place


def _check(machine: engines.Engine, place: _Place) -> None:
    """That the place exists: whoever dumps learns it before a long run, not after."""
    try:
        machine.read(place.space, place.offset, place.length)
    except engines.EngineError as error:
        raise UsageError(f"{place.file}: {error}") from error
    if place.space == isa_tables().program.name and (place.offset % WORD_BYTES or place.length % WORD_BYTES):
        raise UsageError(
            f"{place.file}: offset and length in {place.space} are multiples of {WORD_BYTES} bytes, a word"
        )


def _contents(machine: engines.Engine, place: _Place) -> bytes:
    """The file of a place, no more than fits."""
    room = machine.size(place.space) - place.offset
    data = read_bounded(place.file, room, f"{place.space} from {place.offset:#x} on")
    if place.space == isa_tables().program.name and len(data) % WORD_BYTES:
        raise CliError(f"{place.file}: has {len(data)} bytes, and the words of {place.space} have {WORD_BYTES} each")
    return data


def _entry(program: Image, name: str | None) -> int:
    if name is None:
        return program.entry
    labels = {s.name: s.value for s in program.symbols if s.space == "pm"}
    if name not in labels:
        raise UsageError(f"--entry {name}: the image has no such program label{nearest(name, labels)}")
    return labels[name]


def _status(machine: engines.Engine, program: Image, stop: engines.Stop) -> dict[str, object]:
    return {
        "state": stop.state,
        "pc": stop.pc,
        "source": source_line(program, stop.pc),
        "trap": stop.trap or None,
        "engine": machine.name,
        "rounds": machine.rounds,
        "cycles": stop.cycles,
        "instructions": stop.instructions,
        "stalls": stop.stalls,
        "notified": stop.notified,
    }


def _where(program: Image, pc: int) -> str:
    line = source_line(program, pc)
    return f"pc {pc:#06x}" + (f", {line}" if line else "")


def _failure(program: Image, stop: engines.Stop, max_cycles: int) -> str:
    where = _where(program, stop.pc)
    if stop.state == "trapped":
        text = next(t.text for t in isa_tables().traps if t.name == stop.trap)
        return f"trap at {where}: {stop.trap}: {text}"
    return f"no halt within the {max_cycles} cycles that --max-cycles allows, stopped at {where}"


def _summary(program: Image, stop: engines.Stop) -> str:
    stalls = ", ".join(f"{name} {count}" for name, count in stop.stalls.items() if count)
    lost = f"; stalls: {stalls}" if stalls else ""
    told = f"; notified {stop.notified}" if stop.notified else ""
    place = _where(program, stop.pc)
    return f"{stop.state} at {place}: {stop.cycles} cycles, {stop.instructions} instructions{told}{lost}"
