"""Simulator and core in lock-step as an engine."""

from __future__ import annotations

from typing import Any

from lutra.cosim import _lockstep
from lutra.iss.engine import EngineError
from lutra.iss.trace import divergence_report
from lutra.rtl import RtlEngine


class Divergence(EngineError):  # noqa: N818 - the name says what it is
    """Simulator and core disagree; the text is the whole report.

    state: all retirements agreed, but the state after a stop or reset does not.
    """

    def __init__(self, report: str, state: bool = False) -> None:
        super().__init__(report)
        self.state = state


class CosimEngine(RtlEngine):
    """The core, and the simulator that follows each of its retirements. The host sees the core.

    Runs, steps and reads raise Divergence where the two differ: in a retirement, in the registers and memories after a
    stop, in the registers after a reset, in what is read.
    """

    def __init__(self, rounds: int) -> None:
        super().__init__(rounds)
        self.name = "cosim"
        self.backend = _lockstep.Cosim(self.core)

    @property
    def machines(self) -> tuple[Any, ...]:
        return (self.backend.iss, self.backend.rtl)

    def check(self) -> None:
        """Raise the first difference, if there is one."""
        if (found := self.backend.divergence) is not None:
            what, at, differences, history, state = found
            raise Divergence(divergence_report(what, at, differences, history, self.image), state)
