"""All checks of units: they assemble, headers and time are right, vectors and tests of routines pass."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from lutra.asm.analysis.corrections import Correction
from lutra.firmware.errors import FirmwareError
from lutra.firmware.session import Session
from lutra.firmware.testing import code, routines, vectors
from lutra.firmware.testing.loaded import Loaded, load, too_few
from lutra.firmware.testing.machines import Machine, machines
from lutra.firmware.testing.outcome import Check, Report
from lutra.firmware.testing.routines import Routine
from lutra.firmware.testing.units import Unit
from lutra.iss import engine as engines

RUNS = 64


@dataclass(frozen=True)
class Options:
    """Options of a test run.

    engine, rounds: of vectors and tests of routines. only: a text that `file: name` of a check must have. strict:
    warnings are failures. runs: of each routine, with other secrets, to see that its time is constant. vectors: files
    in addition to those next to the sources, which may have tests of other ciphers too.
    """

    engine: engines.EngineName
    rounds: Sequence[int] = (2,)
    only: str = ""
    strict: bool = False
    runs: int = RUNS
    vectors: Sequence[Path] = ()

    def wants(self, file: str, name: str) -> bool:
        return self.only in f"{file}: {name}"


def run(units: Sequence[Unit], options: Options, told: Callable[[Check], None] = lambda _: None) -> Report:
    """Every check of the units; `told` of each as it ends. FirmwareError where `only` leaves nothing to run."""
    made = machines(options.engine, options.rounds)
    done: list[Check] = []
    for unit in units:
        for check in _checks(unit, options, made):
            if options.strict and check.state == "warned":
                check = replace(check, state="failed")
            done.append(check)
            told(check)
    if not done:
        raise FirmwareError(f"-k {options.only}: no check has this in its file or name")
    return Report(tuple(done))


def corrections(units: Sequence[Unit], options: Options) -> list[Correction]:
    """Return the corrections of wrong headers of all units that can be assembled."""
    found = (code.corrections(load(unit)[0], options.wants) for unit in units)
    return list(dict.fromkeys(right for of_unit in found for right in of_unit))


def _checks(unit: Unit, options: Options, made: Sequence[Machine]) -> Iterator[Check]:
    """Yield the checks of one unit, in the order in which a mistake is easiest to find."""
    loaded, found = load(unit)
    # An error in a file affects every check of it.
    yield from (c for c in found if c.state == "failed" or options.wants(c.file, c.name))
    if not loaded.images and any(c.state == "failed" for c in found):
        return
    yield from code.headers(loaded, options.wants)
    for rounds in options.rounds:
        suffix = f" (rounds {rounds})" if len(options.rounds) > 1 else ""
        yield from code.time(loaded, options.wants, options.runs, rounds, suffix)
    tested: set[str] = set()
    for file in dict.fromkeys((*unit.vectors, *options.vectors)):
        yield from vectors.of_file(file, loaded, made, options.wants, tested)
    yield from (c for c in vectors.untested(loaded, tested) if options.wants(c.file, c.name))
    for routine in loaded.routines:
        yield from _routine(routine, loaded, options, made)


def _routine(routine: Routine, loaded: Loaded, options: Options, made: Sequence[Machine]) -> Iterator[Check]:
    """A test of a single routine on every machine."""
    file = str(loaded.unit.routines)

    def work(session: Session) -> list[str]:
        session.forget()
        return routines.run(session.engine, routine, routines.image_of(routine, loaded.images))

    for machine in made:
        if options.wants(file, routine.name):
            yield machine.check("routine", file, routine.name, work, _cannot(routine, loaded, machine.rounds))


def _cannot(routine: Routine, loaded: Loaded, rounds: int) -> str:
    """Return why a test of a routine should not run; errors in the test itself are found when it runs."""
    try:
        return too_few(rounds, routines.image_of(routine, loaded.images))
    except FirmwareError:
        return ""
