"""The coverpoints: what is counted, and which bins the description makes possible.

A coverpoint is a cross of dimensions. Its bins are those combinations that a legal program of the machine can reach;
all others are impossible, and reaching one is an error. The collector computes what it sees
(verification/collector/coverage.cpp); what there is to see is here, made from the description alone. The programs that
reach a bin are in `lutra.coverage.aimed`, under the same names.
"""

from __future__ import annotations

from isagen.coverage import flow, hazards, instructions, memory, state
from isagen.coverage.coverpoint import Coverpoint
from isagen.coverage.dimension import ABSENT, Dimension
from isagen.coverage.view import View
from isagen.model import Isa

__all__ = ["ABSENT", "POINTS", "Coverpoint", "Dimension", "Plan"]

# In the order of the collector's table.
POINTS: tuple[type[Coverpoint], ...] = (
    instructions.Operands,
    instructions.Results,
    instructions.Addressing,
    instructions.Immediate,
    instructions.Move,
    instructions.Beside,
    hazards.InsnHazard,
    hazards.InsnBypass,
    instructions.LoopEnd,
    hazards.Distance,
    hazards.Bypass,
    memory.Alignment,
    memory.Ports,
    memory.Lane,
    memory.Window,
    memory.Carry,
    memory.Shared,
    memory.AddressRegister,
    state.VectorRegister,
    state.Counter,
    state.Compare,
    state.Clock,
    state.Row,
    state.Switch,
    flow.Depth,
    flow.Repeat,
    flow.Branch,
    flow.TrapCause,
    flow.TrapSlot,
    flow.TrapNesting,
    flow.TrapMeeting,
    flow.HostEffect,
    flow.HostControl,
    flow.TrapFault,
)


class Plan(View):
    """All coverpoints of a description."""

    def __init__(self, isa: Isa) -> None:
        super().__init__(isa)
        self.points = tuple(point(self) for point in POINTS)

    def dimensions(self) -> list[Dimension]:
        """Return every dimension once, in the order of first use."""
        return list(dict.fromkeys(d for p in self.points for d in p.dimensions))
