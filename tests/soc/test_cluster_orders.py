"""Orders of completions: packets that wait for others, and which those are."""

from __future__ import annotations

from lutra.soc.cluster.orders import Waits, delayed, measure

POSTED = (0, 10, 20, 30)
DONE = (400, 50, 60, 410)


def test_a_packet_waits_for_those_of_its_stream_only() -> None:
    assert list(delayed(POSTED, DONE, (0, 0, 0, 0))) == [400, 390, 380, 380]
    assert list(delayed(POSTED, DONE, (0, 1, 1, 0))) == [400, 40, 40, 380]
    assert list(delayed(POSTED, (400, 70, 60, 300), (0, 1, 1, 0))) == [400, 60, 50, 370]


def test_waits_are_of_a_part_of_the_packets() -> None:
    assert Waits.of(range(100, 200)) == Waits(150, 199, 199)


def test_an_order_within_flows_takes_no_longer_than_that_of_the_ring() -> None:
    found = measure(2, packets=24)
    assert found["none"].median <= found["flow"].median <= found["ring"].median
    assert found["flow"].worst == found["ring"].worst
