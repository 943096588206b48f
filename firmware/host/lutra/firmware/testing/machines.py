"""The machines that tests run on: an engine for each value of ROUNDS_PER_INSTR."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

from lutra.firmware.errors import FirmwareError
from lutra.firmware.session import Session
from lutra.firmware.testing.observe import MAX_CYCLES
from lutra.firmware.testing.outcome import Check, Kind
from lutra.iss import engine as engines

BEST = ("cosim", "iss")


class Machine:
    """An engine and the session on it. suffix: appended to the names of its tests if there are several machines."""

    def __init__(self, name: engines.EngineName, rounds: int, suffix: str) -> None:
        self._name, self.rounds, self.suffix = name, rounds, suffix
        self.renew()

    def renew(self) -> None:
        """Another engine: of one that has failed nothing is known."""
        self.session = Session(engines.make(self._name, self.rounds), max_cycles=MAX_CYCLES)

    def check(self, kind: Kind, file: str, name: str, work: Callable[[Session], list[str]], cannot: str = "") -> Check:
        """Run a check on the session; the check returns or raises what is wrong.

        cannot: why it is not to run at all.
        """
        if cannot:
            return Check(kind, file, name + self.suffix, "skipped", cannot)
        begun = time.perf_counter()
        try:
            wrong = work(self.session)
        except (FirmwareError, engines.EngineError) as error:
            wrong = [str(error)]
        seconds = time.perf_counter() - begun
        if wrong:
            self.renew()
        return Check(kind, file, name + self.suffix, "failed" if wrong else "passed", "\n".join(wrong), seconds=seconds)


def best_engine() -> engines.EngineName:
    """Lock-step, or the simulator where the core is not installed."""
    for name in BEST:
        try:
            engines.make(name)
        except engines.EngineError:
            continue
        return name
    raise engines.EngineError("no engine is installed")


def machines(name: engines.EngineName, rounds: Sequence[int]) -> list[Machine]:
    """A machine for each value of ROUNDS_PER_INSTR."""
    return [Machine(name, value, f" (rounds {value})" if len(rounds) > 1 else "") for value in rounds]
