"""Orders of completions, and rates of packets that wait for others."""

from __future__ import annotations

import pytest

from lutra.soc.cluster.host import ClusterError, Done, Flow, Packet
from lutra.soc.cluster.measure import steady
from lutra.soc.cluster.parts import Reorder
from lutra.soc.cluster.traffic import Order, Sent

PACKETS = [Packet(0, Flow(flow), 0, 0, 16, cookie=n) for n, flow in enumerate((5, 6, 5, 6))]


@pytest.mark.parametrize(("by_flow", "cookies"), [(False, (0, 1, 2, 3)), (True, (1, 3, 0, 2)), (True, (0, 2, 1, 3))])
def test_packets_in_order(by_flow: bool, cookies: tuple[int, ...]) -> None:
    order = Order(PACKETS, by_flow=by_flow)
    for cookie in cookies:
        order.complete(cookie)


@pytest.mark.parametrize(
    ("by_flow", "cookies", "text"),
    [
        (False, (1,), "packet 1 completes where 0 has to"),
        (True, (1, 2), "packet 2 completes where 0 has to"),
        (True, (0, 0), "packet 0 completes where 2 has to"),
        (True, (0, 2, 2), "packet 2 completes where none has to"),
        (True, (4,), "packet 4 completes where none has to"),
    ],
)
def test_packets_out_of_order(by_flow: bool, cookies: tuple[int, ...], text: str) -> None:
    order = Order(PACKETS, by_flow=by_flow)
    for cookie in cookies[:-1]:
        order.complete(cookie)
    with pytest.raises(ClusterError, match=text):
        order.complete(cookies[-1])


def test_a_packet_waits_for_the_one_before_it_of_its_flow() -> None:
    """The oldest one that may leave comes first; a number comes again once its packet has left."""
    reorder = Reorder(4)
    taken = [reorder.take(flow) for flow in (5, 6, 5, 6)]
    assert (taken, reorder.room) == ([0, 1, 2, 3], False)
    for packet in (3, 2):
        reorder.done(packet, bytearray([packet]))
    assert (reorder.pop(), reorder.late) == (None, True)
    reorder.done(1, bytearray([1]))
    assert (reorder.late, reorder.pop(), reorder.pop(), reorder.pop()) == (False, bytearray([1]), bytearray([3]), None)
    assert not reorder.room
    reorder.done(0, bytearray([0]))
    assert (reorder.pop(), reorder.pop(), reorder.idle, reorder.room) == (bytearray([0]), bytearray([2]), True, True)


@pytest.mark.parametrize("burst", [1, 37])
def test_a_rate_hardly_depends_on_bursts_of_completions(burst: int) -> None:
    sent = [Sent(Packet(0, Flow(0, 1), 0, 0, 400), b"", 400)] * 1200
    done = [Done(n, "ok", 400, 0, 100 * burst * (n // burst + 1)) for n in range(1200)]
    assert steady(sent, done) == pytest.approx(4, rel=0.01)
