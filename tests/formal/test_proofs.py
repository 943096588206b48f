"""The proofs for the default parameters; `make formal` proves those for the others too."""

from __future__ import annotations

import re
from itertools import groupby

import pytest

from formal.__main__ import all_proofs, description, table
from formal.hdl import PRISTINE, ROOT
from formal.proof import Proof
from isagen.emit_blocks import stateless

ISA = description()
PROOFS = all_proofs(ISA)
OTHER = re.compile("R=1|C=1")
BATCHES = [list(rows) for _, rows in groupby(PROOFS, lambda p: p.shared or p.name)]
DEFAULT = [batch for batch in BATCHES if not OTHER.search(batch[0].name)]
HALF = pytest.mark.nightly("a half of the datapath is 40 seconds; the parts that it is made of are proved")
ONE = pytest.mark.nightly("a quarter of a minute; random programs would compare both values of a register")
PLACES = pytest.mark.nightly("half a minute; the bench of the DMA compares every access")
FAULT = pytest.mark.nightly("a minute; the attack of tests/faults and random programs have faults, too")
WIPED = pytest.mark.nightly("half a minute; wipes of each kind are in tests/faults, and the wipe's unit is proved")
FUNCTION = pytest.mark.nightly("seconds each; other functions of the block are proved, random programs run all")
UNIT = pytest.mark.nightly("seconds each; other functions of the unit are proved, random programs run all")
ORDER = pytest.mark.nightly("half a minute; test_cluster_mutants.py breaks it, and random packets have both orders")
DECODER = pytest.mark.nightly("35 seconds; test_mutants.py finds a decoder that is not total")
CONTROL = pytest.mark.nightly("seconds each; the host port is proved, and test_mutants.py breaks each of the others")
BUS = pytest.mark.nightly("seconds each; benches run DMA and cluster, and test_mutants.py breaks each proof")
LONG = {
    "bytes": PLACES,
    "fault": FAULT,
    "wiped": WIPED,
    "first half R=2": HALF,
    "second half R=2": HALF,
    "one writer R=2 C=2": ONE,
    "total R=2 C=2": DECODER,
    **dict.fromkeys(
        ("sum_turned", "sum_rotated", "right_bytes", "left_bytes", "rotate_bytes", "rotate_bits"), FUNCTION
    ),
    **dict.fromkeys(("add8", "add16", "add64", "sub8", "sub16", "sub64", "sub128", "logic_and", "logic_or"), FUNCTION),
    **dict.fromkeys(("inv_shift_rows", "inv_mix_columns", "broadcast", "spread_word", "fold_words"), FUNCTION),
    **dict.fromkeys(("pair_split", "pair_join", "words_rotated", "pass"), FUNCTION),
    **dict.fromkeys(("logic_andn", "add128", "left_bits", "right_bits", "pair_pack", "pair_fl", "double128"), FUNCTION),
    **dict.fromkeys(("context_save", "zuc_lfsr_work", "to_input", "clear", "hash_step", "zuc_work: sum"), UNIT),
    **dict.fromkeys(("context_load", "zuc_lfsr_work: sum", "to_reversed", "prime_add", "prime_last"), UNIT),
    **dict.fromkeys(("zuc_f", "crc", "snow_init", "snow_work", "zuc_init", "zuc_work", "zuc_lfsr_init"), UNIT),
    **dict.fromkeys(("zuc_init: sum", "zuc_lfsr_init: sum"), UNIT),
    **dict.fromkeys(("beside", "to_factor", "add_input", "window_next", "window_step", "product"), UNIT),
    **dict.fromkeys(("field_add", "field_fold", "field_step", "prime_step"), UNIT),
    **dict.fromkeys(("lookup", "wipe", "counters", "key rows", "REPEAT n times", "memory"), CONTROL),
    **dict.fromkeys(("reads on the bus", "completed once", "completions of packets", "choice of a core"), BUS),
    "order of packets": ORDER,
    **dict.fromkeys(("writes of a pair", "completions of a pair"), BUS),
}


@pytest.mark.parametrize(
    "batch", [pytest.param(b, id=b[0].name, marks=[LONG[n] for n in {b[0].name} & set(LONG)]) for b in DEFAULT]
)
def test_every_proof_holds(batch: list[Proof]) -> None:
    for proof in batch:
        found = proof.check(PRISTINE)
        assert found is None, f"{proof.name}: {found}"


def test_every_function_has_a_proof() -> None:
    names = {p.name for p in PROOFS}
    # A table's look-up is a memory; its proof is with those of the memories.
    symbols = {f.symbol for f in ISA.functions.values()}
    used = {f for b in ISA.blocks.values() for f in b.functions}
    assert symbols <= names
    assert used == set(ISA.functions), "a function of no block would have no proof"
    assert {b.kind for b in ISA.blocks.values() if b not in stateless(ISA)} == {"Lookup", "Stream"}


def test_what_is_left_to_the_night_is_a_proof() -> None:
    assert set(LONG) <= {batch[0].name for batch in DEFAULT}


def test_names_of_proofs_differ() -> None:
    assert len({p.name for p in PROOFS}) == len(PROOFS)


def test_the_manual_has_the_table() -> None:
    text = (ROOT / "docs" / "formal.md").read_text()
    assert table(PROOFS).strip() in text, "run: ./lutra --with python -m formal --table"
