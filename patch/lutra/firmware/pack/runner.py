"""Known answers of a pack on an engine."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from lutra.asm import Image
from lutra.firmware.pack.opened import images
from lutra.firmware.pack.records import Answer, Compare, Contents, Run, Write
from lutra.firmware.pack.space import codes
from lutra.iss.engine import Engine, EngineError
from lutra.iss.traps import explain

# A late run continues up to this multiple of its promised cycles, to report how long it takes.
PATIENCE = 8


@dataclass(frozen=True)
class Outcome:
    """The outcome of a known answer.

    error: what is wrong, or empty. promised, cycles: of the runs that came to their halt.
    """

    name: str
    image: str
    error: str
    promised: int
    cycles: int

    @property
    def good(self) -> bool:
        return not self.error

    def as_json(self) -> dict[str, object]:
        """An object of `lutra pack test --json`."""
        return {
            "name": self.name,
            "image": self.image,
            "error": self.error or None,
            "promised_cycles": self.promised,
            "cycles": self.cycles,
        }


def run(contents: Contents, engine: Engine, progress: Callable[[int], None] = lambda _: None) -> tuple[Outcome, ...]:
    """Each known answer on its image in memories that are otherwise zero. progress: called with the number done."""
    loaded = images(contents)
    outcomes = []
    for n, answer in enumerate(contents.answers):
        outcomes.append(_outcome(answer, contents.manifest.parts[answer.image].name, loaded[answer.image], engine))
        progress(n + 1)
    return tuple(outcomes)


def _outcome(answer: Answer, name: str, image: Image, engine: Engine) -> Outcome:
    engine.reset()
    for space in codes():
        engine.write(space, 0, bytes(engine.size(space)))
    engine.load(image)
    promised = cycles = 0
    error = ""
    for n, step in enumerate(answer.steps):
        try:
            if isinstance(step, Write):
                engine.write(step.space, step.offset, step.data)
            elif isinstance(step, Run):
                took, error = _run(step, engine)
                promised, cycles = promised + step.cycles, cycles + took
            else:
                error = _difference(step, engine)
        except EngineError as found:
            error = str(found)
        if error:
            error = f"step {n}: {error}"
            break
    return Outcome(answer.name, name, error, promised, cycles)


def _run(step: Run, engine: Engine) -> tuple[int, str]:
    """Return the cycles of a run, and its error."""
    stop = engine.run(step.entry, PATIENCE * (step.cycles + 1))
    where = f"the run from {step.entry:#06x}"
    if stop.state == "running":
        engine.reset()
        return stop.cycles, f"{where} does not halt within {stop.cycles} cycles, promised are {step.cycles}"
    if stop.state != "halted":
        reason = f": {explain(engine)}" if stop.trap else ""
        return stop.cycles, f"{where} ended {stop.state} at pc {stop.pc:#06x}{reason}"
    if stop.cycles > step.cycles:
        return stop.cycles, f"{where} takes {stop.cycles} cycles, promised are {step.cycles}"
    return stop.cycles, ""


def _difference(step: Compare, engine: Engine) -> str:
    got = engine.read(step.space, step.offset, len(step.data))
    if got == step.data:
        return ""
    at = next(n for n, (a, b) in enumerate(zip(got, step.data, strict=True)) if a != b)
    end = at + 16
    expected, found = step.data[at:end].hex(), got[at:end].hex()
    return f"wrong answer at {step.space}@{step.offset + at:#05x}: expected {expected}, got {found}"
