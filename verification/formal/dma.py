"""DMA of lutra_axi: where it accesses memory."""

from __future__ import annotations

from collections.abc import Iterator

from formal.control import Property, judge
from formal.hdl import Sources
from formal.model_check import Model
from formal.proof import Proof, Refuted
from isagen.model import Isa

GROUP = "DMA"

PLACES = Model("formal_segments", depth=2, reach=18, black_boxes=("lutra_places",))
BYTES = Property(
    "bytes",
    "every burst has bytes of its string only, all of them within the ring's window and within 128 aligned bytes; so"
    " are the elements of lists within it that are read, and the entries of rings",
    (
        *("one_burst", "burst_in_window", "burst_in_string", "burst_is_last", "burst_in_block", "fault_of_one_beat"),
        *("descriptor_in_window", "completion_in_window", r"gen_side\[\d\]\.elements_in_window"),
    ),
)
COMPLETIONS = Model("formal_completions", depth=2, reach=20)
ONCE = Property(
    "completed once",
    "every descriptor that is fetched ends exactly once, for its ring, in order, and when it is done: with a"
    " completion, or dropped where it could not be read or its ring's completions cannot be written",
    ("one_at_a_time", "begins_once", "begins_for_ring", "ends_(once|when_done|for_ring)", "held"),
)
READS = Model("formal_read_port", depth=3, reach=10)
PROTOCOL = Property(
    "reads on the bus",
    "the read channels keep all rules of the AXI checker that are the manager's, and ask for what a client asked for",
    (r"u_checker\..*", r"lutra_axi_checker\..*", "one_client", "as_asked", "answers_one"),
)
# What makes these inductive, and the units' own assertions.
HELD = Property("held", "", (r".*",))


def proofs(_isa: Isa) -> Iterator[Proof]:
    """The proofs of this group."""
    for p, model in ((BYTES, PLACES), (ONCE, COMPLETIONS), (PROTOCOL, READS)):

        def run(sources: Sources, model: Model = model, p: Property = p) -> Refuted | None:
            return judge(sources, model, (p, HELD), p)

        yield Proof(p.name, GROUP, p.statement, f"{model.depth - 1}-induction", run, f"{model}")
