"""Rates and waits of packets that wait for others, by their completions."""

from __future__ import annotations

import pytest

from lutra.soc.cluster.host import Done, Flow, Packet
from lutra.soc.cluster.measure import steady
from lutra.soc.cluster.orders import Waits, delayed, measure
from lutra.soc.cluster.traffic import Sent

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


@pytest.mark.parametrize("burst", [1, 37])
def test_a_rate_hardly_depends_on_bursts_of_completions(burst: int) -> None:
    sent = [Sent(Packet(0, Flow(0, 1), 0, 0, 400), b"", 400)] * 1200
    done = [Done(n, "ok", 400, 0, 100 * burst * (n // burst + 1)) for n in range(1200)]
    assert steady(sent, done) == pytest.approx(4, rel=0.01)
