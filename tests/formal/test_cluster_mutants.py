"""The proofs of clusters fail on a design with a fault, and say with which values."""

from __future__ import annotations

import pytest

from formal import cluster
from formal.__main__ import description
from formal.hdl import PRISTINE

# A fault by its name: file, text, other text; the proof that must find it, and what the proof must name.
MUTANTS = {
    "a packet that does not wait": (
        "lutra_cluster_order.sv",
        "ready: done_q[n] && !waits_q[n]",
        "ready: done_q[n]",
        "order of packets",
        "offers",
    ),
    "a packet that waits for another flow": (
        "lutra_cluster_order.sv",
        "flying_q[earlier] && earlier_flow == flow_q",
        "flying_q[earlier]",
        "order of packets",
        "follower_behind",
    ),
    "a packet that waits for one that has gone": (
        "lutra_cluster_order.sv",
        " && !(post_i && posted_packet_i == earlier);",
        ";",
        "order of packets",
        "",
    ),
    "a packet that is forgotten": (
        "lutra_cluster_order.sv",
        "if (followed_q[posted_packet_i]) waits_d",
        "if (followed_q[posted_packet_i] && posted_packet_i != '1) waits_d",
        "order of packets",
        "awaits_one",
    ),
    "a packet that is posted twice": (
        "lutra_cluster_reorder.sv",
        "if (ready) state_d = ReorderRequest;",
        "if (ready || chosen_q == '1) state_d = ReorderRequest;",
        "completions of packets",
        "busy_when_done",
    ),
    "who waits is read while another one is taken": (
        "lutra_cluster_reorder.sv",
        "!done_valid_i && !take_i && beat_ready_i",
        "!done_valid_i && beat_ready_i",
        "completions of packets",
        "reads_alone",
    ),
    "a half of another completion": (
        "lutra_cluster_reorder.sv",
        "req_i(done_valid_i ? done_half_i == h : read)",
        "req_i(done_valid_i || read)",
        "completions of packets",
        "stored",
    ),
    "a key that the core has lost meanwhile": (
        "lutra_cluster_place.sv",
        "(state_q == PlaceSearch ? hit_i : hit_q) & ~keys_clear_i",
        "(state_q == PlaceSearch ? hit_i : hit_q)",
        "choice of a core",
        "hits_hold",
    ),
    "the place of a key that the core does not hold": (
        "lutra_cluster_place.sv",
        "hit_q[core_q] ? place_q[core_q] : free_i[core_q]",
        "place_q[core_q]",
        "choice of a core",
        "place_held",
    ),
    "the core with the most work": (
        "lutra_cluster_place.sv",
        "candidates[2*n+1].cost < candidates[2*n].cost",
        "candidates[2*n+1].cost > candidates[2*n].cost",
        "choice of a core",
        "least",
    ),
    "a byte of one core": (
        "lutra_cluster_join.sv",
        "wdata_i[0][8*b+:8] != wdata_i[1][8*b+:8]) w_same",
        "wdata_i[0][8*b+:7] != wdata_i[1][8*b+:7]) w_same",
        "writes of a pair",
        "both_have_the_byte",
    ),
    "an address that differs in its burst": (
        "lutra_cluster_join.sv",
        "{awid_i[1], awaddr_i[1], awlen_i[1]};",
        "{awid_i[1], awaddr_i[1], awlen_i[0]};",
        "writes of a pair",
        "as_agreed",
    ),
    "a beat that comes twice": (
        "lutra_cluster_join.sv",
        "w_taken_d = wvalid_i & ~wready_o & (w_taken_q | (bus_wvalid_o & bus_wready_i));",
        "w_taken_d = wvalid_i & ~wready_o & bus_wvalid_o & bus_wready_i;",
        "writes of a pair",
        "sent_w",
    ),
    "a completion of one core": (
        "lutra_cluster_agree.sv",
        "(here == '1 || (here != '0 && (broken_i || !half_q)))",
        "here != '0",
        "completions of a pair",
        "waits_for_both",
    ),
    "an entry that is completed twice": (
        "lutra_cluster_agree.sv",
        "assign found_o = again || (shows_q && differs_o);",
        "assign found_o = shows_q && differs_o;",
        "completions of a pair",
        "twice_is_found",
    ),
    "a status that only one core has": (
        "lutra_cluster_agree.sv",
        "differs_d = differs_q || !same;",
        "differs_d = differs_q;",
        "completions of a pair",
        "alike",
    ),
}
ANOTHER = pytest.mark.nightly("seconds each; `make test` has another fault of the same proof")
LONG = {
    *("a packet that does not wait", "a packet that waits for one that has gone", "a packet that is forgotten"),
    *("a half of another completion", "the place of a key that the core does not hold"),
    "who waits is read while another one is taken",
    *("an address that differs in its burst", "a beat that comes twice", "a status that only one core has"),
    "an entry that is completed twice",
}


def test_faults_left_to_the_night_are_of_a_cluster() -> None:
    assert set(MUTANTS) > LONG


@pytest.mark.parametrize("fault", [pytest.param(name, marks=[ANOTHER] if name in LONG else []) for name in MUTANTS])
def test_a_fault_of_a_cluster_is_found(fault: str) -> None:
    file, old, new, name, told = MUTANTS[fault]
    proof = next(p for p in cluster.proofs(description()) if p.name == name)
    found = proof.check(PRISTINE.with_change(file, old, new))
    assert found is not None
    assert found.values, found.what
    assert told in str(found)
