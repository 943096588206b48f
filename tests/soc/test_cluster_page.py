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
    """Two packets in the contexts: a row of both takes four cycles, and 33 initialise both."""
    packets = len(IMIX)
    text, initial, pair = 2 * sum(-(-size // ROW) for size in IMIX), 33 * packets // 2, 79
    assert (text, initial, text + initial) == (534, 198, 732)
    assert round(4 * sum(IMIX) / 18.75) == 906 and (906 - text - initial) // packets == 14
    assert (pair - 33) / 2 == 23
    equal = text + pair * packets // 2
    assert equal == 1008 and round(sum(IMIX) / equal, 1) == 4.2
    assert round(sum(IMIX) / 1222, 2) == 3.47


@pytest.mark.parametrize("title", DOCUMENT["rates"])
def test_cores_add_up(title: str) -> None:
    """At least 91 % of as many times the rate of one core; 5 % are keys, which every core fetches once within a run.
    Which packets of SNOW 3G and ZUC meet in a core depends on the number of cores."""
    found = {int(n): row["rate"] for n, row in DOCUMENT["rates"][title].items()}
    assert all(rate >= 0.91 * n * found[1] for n, rate in found.items())


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
