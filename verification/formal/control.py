"""Invariants of control: the core, the sequencer's REPEAT, the host's port, the counters, and the memories."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from formal.hdl import GENERATED, ROOT, Sources
from formal.model_check import Model, check
from formal.proof import Proof, Refuted
from isagen.model import Isa

GROUP = "Control"

# Results of the datapath and of memories are unconstrained: `perm_a` may become an address, `wb_value` the flag.
# Induction needs the cycle in which an instruction issues, its whole way through the pipeline, the cycle after it, and
# one more, because an assertion fails in the cycle after the one that it checks.
CORES = {
    (rounds, contexts): Model(
        "formal_core",
        depth=10,
        reach=13,
        cut=("u_core.wb_value", "u_core.perm_a"),
        elsewhere=(("lutra_execute.sv", "parts"), ("lutra_datapath.sv", "fast")),
        black_boxes=("lutra_sram",),
        parameters=(("ROUNDS_PER_INSTR", rounds), ("STREAM_CONTEXTS", contexts)),
    )
    for rounds in (2, 1)
    for contexts in (2, 1)
}


@dataclass(frozen=True)
class Property:
    """Assertions that together make one statement, by patterns of their names."""

    name: str
    statement: str
    assertions: tuple[str, ...]


OF_CORE = (
    Property(
        "one writer",
        "in no cycle an address register or ctr has two writers (the other registers have one write port), or the key"
        " slot's way to the address registers two readers",
        (r"u_agu\.(gen_ar\[\d\]\.one_writer|one_reader)", r"u_counter\.one_writer", r"(.*u_|lutra_)execute\.cleared"),
    ),
    Property(
        "single port",
        "no data memory, table bank or program memory sees two accesses in a cycle",
        (r"lutra_(memory|table|program)\.single_port", r".*u_table\.(single_port|host_waits)", r".*\.bank_once"),
    ),
    Property(
        "host waits",
        "the host is granted no data memory that the core uses in that cycle, and no table or program memory while a"
        " program runs",
        ("core_first", "closed"),
    ),
    Property(
        "interrupt",
        "it stands from the cycle after a notify, wait, halt or trap until the host clears it; an event in the cycle of"
        " the clear wins",
        ("irq_is_event",),
    ),
    Property(
        "start and resume",
        "a start from any state but running fetches its entry in the next cycle, with counters and trap cleared, also"
        " where a resume comes with it; a resume goes on after the wait; else the core does not begin to run, and the"
        " trap stays",
        ("start_first", "resumes", "not_started", "trap_stays"),
    ),
    Property(
        "branch on zero",
        "the zero that a branch sees is that of the value which the address unit computes or keeps",
        (r"(u_agu|lutra_agu)\.zero",),
    ),
    Property(
        "no deadlock",
        "an instruction waits in ID at most as many cycles as there are stages from AG to WB, and in a running core at"
        " most one cycle more passes between two issues",
        ("wait_ends", "progress"),
    ),
    Property(
        "nothing after a stop",
        "no instruction retires after a halt, a wait or a trap before the host starts or resumes; the state says so",
        ("nothing_after", "stopped_stays", "stop_is_last", "runs_only"),
    ),
    Property(
        "stacks and fetch",
        "the stacks keep their bounds, a loop is pushed or counted, nothing issues that was not fetched",
        (
            r"u_sequencer\.(redirect_is_empty|starts_empty|transfer_has_no_slots|loop_one_change|loop_bound|call_bound)",
            "(rounds|contexts|shadow|reset)_known",
            r"(lutra_datapath|.*u_datapath\.\w+)\.(one_half|first_source)",
            "idle_at_start",
        ),
    ),
)

REPEAT = Model("formal_repeat", depth=5, reach=14)
OF_REPEAT = (
    Property(
        "REPEAT n times",
        "a body's last instruction is executed n times, whatever else the body does, and then the loop is left",
        (
            *("entry_kept", "entry_right", "not_yet", "exactly", "again", "leaves", r"u_sequencer\..*"),
            *("counts_left", "seen(_last|_next|_nests)?", "follows"),
        ),
    ),
    Property(
        "REPEAT in order",
        "a body without transfers and loops is executed in its order n times, then what follows it; none for n = 0",
        ("level_top", "in_order", "fetched"),
    ),
)

# Rows of the table that each take their own run of the model checker.
ALONE = {
    "host port": (
        Model("formal_host", depth=3, reach=5),
        GROUP,
        "a request is granted exactly when the core leaves its memory free (tables, program: stands) and is not wiped;"
        " a row beyond the last, and any of a locked core, reaches no memory and reads zero; a read is answered in the"
        " next cycle by its memory",
    ),
    "key rows": (
        Model("formal_host", depth=3, reach=5, parameters=(("KEY_ROWS", 16),)),
        GROUP,
        "the same of a port with 16 key rows, which read zero and are written as others",
    ),
    "wipe": (
        Model("formal_wipe", depth=4, reach=268),
        GROUP,
        "in at most 300 cycles after a reset, a request, a fault or an escalation every byte of the data memories and"
        " table banks is zero, and the registers' reset stands meanwhile; a core that is locked stays so until a reset",
    ),
    "wiped": (
        Model(
            "formal_wiped",
            depth=4,
            reach=6,
            black_boxes=("lutra_sram",),
            more=(str(GENERATED.parent / "sim" / "lutra_state_pkg.sv"), str(ROOT / "rtl" / "sim" / "lutra_state.sv")),
            alone=True,
        ),
        GROUP,
        "while a core is wiped, every register of isa/state.td and all that the host sees is zero, from the third cycle"
        " on; once it is locked nothing retires or is stored, and the host reads zeros, is granted and starts nothing",
    ),
    "fault": (
        Model(
            "formal_fault",
            depth=4,
            reach=14,
            cut=("u_core.x1_context_fault",),
            black_boxes=("lutra_sram",),
            more=(str(GENERATED.parent / "sim" / "lutra_state_pkg.sv"), str(ROOT / "rtl" / "sim" / "lutra_state.sv")),
            alone=True,
        ),
        GROUP,
        "once a context differs from its shadow, no register, memory or loop changes by the instruction that found it"
        " or by a later one; all contexts are zero; earlier instructions retire, then the core is faulted and starts"
        " nothing until the alert is cleared",
    ),
    "counters": (
        Model("formal_perf", depth=4, reach=8),
        GROUP,
        "each is the number of its events since reset or start, modulo 2^40 (stalls: 2^32)",
    ),
    "lookup": (
        Model("formal_table", depth=3, reach=5),
        "Memories",
        "every lane's look-up gives what was written last to its row",
    ),
    "memory": (
        Model("formal_memory", depth=3, reach=5),
        "Memories",
        "16 bytes read at any address are what was written last to each of them, at any alignment",
    ),
}


def owner(properties: tuple[Property, ...], assertion: str) -> Property | None:
    """The property that an assertion belongs to, by its name."""
    return next((p for p in properties if any(re.fullmatch(a, assertion) for a in p.assertions)), None)


def judge(sources: Sources, model: Model, properties: tuple[Property, ...], wanted: Property) -> Refuted | None:
    """The outcome for one property of a run that proves several."""
    found = check(sources, model)
    for assertion in found.assertions:
        if owner(properties, assertion) is None:
            return Refuted(f"the assertion {assertion} belongs to no row of the table")
    if not any(owner(properties, a) is wanted for a in found.assertions):
        return Refuted("none of its assertions is in the design")
    return found.refuted


def proofs(isa: Isa) -> Iterator[Proof]:
    """The proofs of this group."""
    for (rounds, contexts), model in CORES.items():
        for p in OF_CORE:

            def run(sources: Sources, model: Model = model, p: Property = p) -> Refuted | None:
                return judge(sources, model, OF_CORE, p)

            name = f"{p.name} R={rounds} C={contexts}"
            yield Proof(name, GROUP, p.statement, f"{model.depth - 1}-induction", run, f"{model}")
    for p in OF_REPEAT:

        def run_repeat(sources: Sources, p: Property = p) -> Refuted | None:
            return judge(sources, REPEAT, OF_REPEAT, p)

        yield Proof(p.name, GROUP, p.statement, f"{REPEAT.depth - 1}-induction", run_repeat, f"{REPEAT}")
    for name, (model, group, statement) in ALONE.items():

        def run_alone(sources: Sources, model: Model = model) -> Refuted | None:
            return check(sources, model).refuted

        yield Proof(name, group, statement, f"{model.depth - 1}-induction", run_alone)
