"""Order of packets in a cluster, and the choice of a core."""

from __future__ import annotations

from collections.abc import Iterator

from formal.control import Property, judge
from formal.hdl import Sources
from formal.model_check import Model
from formal.proof import Proof, Refuted
from isagen.model import Isa

GROUP = "Cluster"

# Numbers and flows are parameters of the unit; more than these take hours.
ORDER = Model("formal_order", depth=2, reach=16, parameters=(("PACKETS", 16), ("FLOW_BITS", 4)), each=True)
IN_ORDER = Property(
    "order of packets",
    "of 16 packets in flight and 16 flows: no packet is posted before one of its flow that was taken before it, in the"
    " order of the ring before any one, whenever cores have done them; one that is done and waits for none is offered,"
    " and the oldest one waits for none, so all are posted",
    (
        *("in_order", "posted_in_flight", "offers_what_is_ready", "offers_one_that_is", "oldest_never_waits"),
        "number_is_free",
    ),
)
REORDER = Model("formal_reorder", depth=2, reach=32, black_boxes=("lutra_cluster_order",))
POSTED = Property(
    "completions of packets",
    "each packet that may be posted is posted once, when its core has completed it, as the core completed it but for"
    " the phase, and at the next place in the ring; the choice is told of it as its proof assumes",
    (
        *("posted_once", "when_complete", "as_completed", "at_its_place", "head_is_posted"),
        *("reads_alone", "posts_what_is_read", "same_packet", "posts_what_is_ready", "not_twice", "done_once"),
    ),
)
PLACE = Model("formal_place", depth=2, reach=24)
CHOICE = Property(
    "choice of a core",
    "a packet goes to one core, which has room and the packet's firmware, and of those the least work, the lower one of"
    " equals; with the place of its key, which the core holds or is given first, or as a job that no core does; the"
    " packet before it of its flow was looked up two cycles before or earlier",
    (
        *(r"gen_choice\[\d\]\.(usable|none|gen_other\[\d\]\.least)", "to_one", "entries_of_one", "asks"),
        *("looked_up", "looks_once"),
        *("of_its_flow", "has_key", "key_once", "with_its_key", "refused", "to_the_same"),
    ),
)
JOIN = Model("formal_join", depth=2, reach=90)
WRITES = Property(
    "writes of a pair",
    "memory gets a byte only if both cores of a pair write it, at an address that both have shown; beats and addresses"
    " are on a bus once and stay there until they are taken; what is left out is noticed; a core alone is not changed",
    (
        *("both_have_the_byte", "both_have_the_address", "second_writes_nothing", "left_out_is_noticed"),
        *("(addresses|beats)_together", "(address|beat)_(on_the_bus|once|stays_on_the_bus)", "strobes_stay", "apart"),
    ),
)
AGREE = Model("formal_agree", depth=2, reach=16)
COMPLETIONS = Property(
    "completions of a pair",
    "they leave in the order of the entries, when both cores have completed one, as a core did; a difference between"
    " the cores, or an entry that a core completes twice, is reported; a core waits one cycle at most",
    (
        *("in_turn", "last_half_first", "of_both", "waits_for_both", "one_is_enough", "alike", "as_completed"),
        *("from_one_that_did", "waits_a_cycle", "difference_is_found", "twice_is_found"),
    ),
)
STATEMENTS = ((ORDER, IN_ORDER), (REORDER, POSTED), (PLACE, CHOICE), (JOIN, WRITES), (AGREE, COMPLETIONS))
# What makes these inductive, and the unit's own assertions.
HELD = Property("held", "", (r".*",))


def proofs(_isa: Isa) -> Iterator[Proof]:
    """The proofs of this group."""

    for model, statement in STATEMENTS:

        def run(sources: Sources, model: Model = model, statement: Property = statement) -> Refuted | None:
            return judge(sources, model, (statement, HELD), statement)

        yield Proof(statement.name, GROUP, statement.statement, f"{model.depth - 1}-induction", run, f"{model}")
