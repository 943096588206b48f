"""The tables of docs/cluster.md are those of the recorded figures, and a host's words are those of the registers."""

from __future__ import annotations

import json

import pytest

from lutra.soc import maps
from lutra.soc.cluster.__main__ import PAGE, RECORD, filled
from lutra.soc.cluster.host import COMPLETIONS, DATA, DESCRIPTOR, FLOWS, LOG2, ROW, Flow, Packet, control
from lutra.soc.cluster.traffic import FLOWS as COUNT
from lutra.soc.cluster.traffic import IMIX

DOCUMENT = json.loads(RECORD.read_text())


def test_the_page_of_the_cluster_has_the_recorded_figures() -> None:
    assert filled(PAGE.read_text(), DOCUMENT) == PAGE.read_text(), "run: python -m lutra.soc.cluster --page"


def test_the_page_names_the_mix() -> None:
    text = " ".join(PAGE.read_text().split())
    assert ", ".join(map(str, IMIX)) in text
    assert (IMIX.count(64), IMIX.count(570), IMIX.count(1518), len(IMIX)) == (7, 4, 1, 12)


def test_the_cycles_of_snow_3g_are_those_of_the_mix() -> None:
    """Pairs in the order of the mix: a row of both takes four cycles, and so does one of the longer packet alone."""
    rows = [-(-size // ROW) for size in IMIX]
    pairs = list(zip(rows[::2], rows[1::2], strict=True))
    fixed, shared, alone = 105 * len(pairs), 2 * sum(rows), sum(2 * abs(a - b) for a, b in pairs)
    assert (fixed, shared, alone) == (630, 534, 438)
    assert fixed + shared + alone == 1602 and round(sum(IMIX) / 1602, 2) == 2.65
    assert round(4 * sum(IMIX) / 18.75) == 906 and (906 - shared) // len(pairs) == 62
    assert round(sum(IMIX) / (fixed + shared), 2) == 3.65


@pytest.mark.parametrize("title", DOCUMENT["rates"])
def test_cores_add_up(title: str) -> None:
    """At least 93 % of as many times the rate of one core; 5 % are keys, which every core fetches once within a run."""
    found = {int(n): row["rate"] for n, row in DOCUMENT["rates"][title].items()}
    assert all(rate >= 0.93 * n * found[1] for n, rate in found.items())


def test_places_in_memory_do_not_overlap() -> None:
    assert COMPLETIONS + (ROW << LOG2) <= FLOWS
    assert FLOWS + COUNT * DESCRIPTOR <= DATA


def test_the_first_word_of_a_packet_is_as_described() -> None:
    packet = Packet(3, Flow(1023, 63), 0x1000, 0x2000, 100, group=5, cookie=7)
    word = maps.cluster("lutra_cluster_control").unpack(packet.descriptor()[:4])
    assert word == {
        "control.operation": 3,
        "control.group": 5,
        "control.flags": 0,
        "control.flow": 1023,
        "control.generation": 63,
    }
    assert control(3, Flow(1023, 63), group=5) == packet.descriptor()[:4]
