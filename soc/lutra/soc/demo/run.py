"""Runs the demo's system and follows what its program reports."""

from __future__ import annotations

import subprocess
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from lutra.firmware._loader import Result
from lutra.soc import maps
from lutra.soc.demo.errors import DemoError
from lutra.soc.system import Mark

CYCLES = 1_000_000_000


@dataclass(frozen=True)
class Step:
    """The end of a step: its name, result and detail; the system's cycle, the host's instructions, and seconds since
    the simulation began."""

    name: str
    result: int
    detail: int
    cycle: int
    instructions: int
    seconds: float


@dataclass
class Encrypted:
    """A file that was encrypted: the marks around it, and the result in RAM."""

    marks: list[Mark] = field(default_factory=list)
    result: bytes = b""

    @property
    def cycles(self) -> int:
        return self.marks[1].cycle - self.marks[0].cycle


@dataclass
class Outcome:
    """All that a run has reported."""

    steps: dict[str, Step] = field(default_factory=dict)
    encrypted: list[Step] = field(default_factory=list)  # one for each file
    files: list[Encrypted] = field(default_factory=list)


def follow(simulator: Path, ram: Path, trace: Path, outcome: Outcome, memory: int = 0) -> Iterator[Step]:
    """Run the system to its end; yield each step, and note everything in `outcome`. DemoError where it fails.

    memory: cycles more that the DMA's memory takes.
    """
    command = [str(simulator), f"+ram={ram}", f"+trace={trace}", f"+memory={memory}", f"+cycles={CYCLES}"]
    begin = time.monotonic()
    status, rest = None, ""
    try:
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    except OSError as error:
        raise DemoError(f"{simulator}: does not start: {error.strerror}") from error
    with process:
        assert process.stdout is not None
        try:
            for line in process.stdout:
                word, _, values = line.rstrip("\n").partition(" ")
                if word.startswith("@"):
                    yield _step(outcome, word[1:], values, time.monotonic() - begin)
                elif word == "mark":
                    _mark(outcome, Mark(*map(int, values.split())))
                elif word == "dump":
                    outcome.files[-1].result = bytes.fromhex(values)
                elif word == "exit":
                    status = int(values)
                elif not (word == "-" and "$finish" in values):
                    rest += line
            process.wait()
        except BaseException:  # such as the caller's end
            process.kill()
            raise
    if process.returncode < 0:
        raise DemoError(f"the simulation was ended by signal {-process.returncode}")
    if status != 0:
        raise DemoError(_failed(outcome, rest))


def _step(outcome: Outcome, name: str, values: str, seconds: float) -> Step:
    result, detail, cycle, instructions = map(int, values.split())
    step = Step(name, result, detail, cycle, instructions, seconds)
    outcome.steps[name] = step
    if name == "file":
        outcome.encrypted.append(step)
    return step


def _mark(outcome: Outcome, mark: Mark) -> None:
    if not outcome.files or len(outcome.files[-1].marks) == 2:
        outcome.files.append(Encrypted())
    outcome.files[-1].marks.append(mark)


# Steps whose result is one of the loader; the others have one of the driver.
LOADER_STEPS = ("boot", "refused", "apply", "trial", "confirm")


def meaning(step: Step) -> str:
    """The name of a step's result."""
    if step.name in LOADER_STEPS:
        return Result(step.result).name.lower().replace("_", " ")
    names = {code: name for name, code in maps.load().status.items()}
    return names.get(step.result, f"driver error {step.result}")


def _failed(outcome: Outcome, rest: str) -> str:
    if rest.strip():
        return f"the simulation failed: {rest.strip().splitlines()[-1]}"
    if not outcome.steps:
        return "the simulation ended before the host reported anything"
    last = list(outcome.steps.values())[-1]
    return f"the host stopped at step {last.name!r}: {meaning(last)}, detail {last.detail}"
