"""DMA of lutra_axi: the bus protocol, the bytes that it accesses, and one answer for every string."""

from __future__ import annotations

from collections.abc import Iterator

from formal.control import Property, judge
from formal.hdl import Sources
from formal.model_check import Model
from formal.proof import Proof, Refuted
from isagen.model import Isa

GROUP = "DMA"

# An assertion of the checker fails in the cycle after the one that it checks, and the cycle before that is what it
# compares with.
WRITE = Model("formal_dma_write", depth=3, reach=10)
READ = Model("formal_dma_read", depth=3, reach=9)

PROTOCOL = Property(
    "protocol",
    "the manager keeps all rules of the AXI checker that are its own, if the subordinate keeps the others",
    (r"u_checker\..*", r"lutra_axi_checker\..*"),
)
BYTES = Property(
    "bytes",
    "only bytes of the string are accessed, all of them within the ring's window, and elements of lists within it, too",
    (
        "elements_in_window",
        "bursts_in_window",
        "bursts_in_string",
        "address_as_asked",
        "only_its_bytes",
        "all_its_bytes",
    ),
)
ANSWERS = Property(
    "answers",
    "a string that is accepted has exactly one answer: never a second one, and as long as it has none, it is held",
    ("strings_counted", "done_has_string", "row_has_string"),
)
# What the units hold, which makes the others inductive; and the units' own assertions.
HELD = Property("held", "", (r".*",))

MODELS = {"write": WRITE, "read": READ}
ROWS = (PROTOCOL, BYTES, ANSWERS)


def proofs(_isa: Isa) -> Iterator[Proof]:
    """The proofs of this group."""
    for name, model in MODELS.items():
        for p in ROWS:

            def run(sources: Sources, model: Model = model, p: Property = p) -> Refuted | None:
                return judge(sources, model, (*ROWS, HELD), p)

            yield Proof(f"{p.name}, {name}", GROUP, p.statement, f"{model.depth - 1}-induction", run, f"{model}")
