"""Order of packets in a cluster."""

from __future__ import annotations

from collections.abc import Iterator

from formal.control import Property, judge
from formal.hdl import Sources
from formal.model_check import Model
from formal.proof import Proof, Refuted
from isagen.model import Isa

GROUP = "Cluster"

REORDER = Model("formal_reorder", depth=2, reach=32)
ORDER = Property(
    "order of packets",
    "completions are posted in the order of the ring, whatever core did a packet and whenever it was done: each packet"
    " once, when its core has completed it, as the core completed it but for the phase, and at its place in the ring",
    (
        *("in_order", "taken_before", "posted_once", "when_complete", "as_completed", "at_its_place"),
        "head_is_posted",
    ),
)
# What makes these inductive, and the unit's own assertions.
HELD = Property("held", "", (r".*",))


def proofs(_isa: Isa) -> Iterator[Proof]:
    """The proofs of this group."""

    def run(sources: Sources) -> Refuted | None:
        return judge(sources, REORDER, (ORDER, HELD), ORDER)

    yield Proof(ORDER.name, GROUP, ORDER.statement, f"{REORDER.depth - 1}-induction", run, f"{REORDER}")
