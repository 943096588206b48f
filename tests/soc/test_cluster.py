"""A cluster of cores: order, keys, faults, and all results against a peer; on the model, and on the RTL where it is
built (`make soc-cluster`)."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import replace

import pytest

from lutra.soc import operations
from lutra.soc.cluster import traffic
from lutra.soc.cluster.host import NO_FLOW, ClusterError, Done, Flow, Host, core_registers
from lutra.soc.cluster.traffic import AES_KINDS, KINDS, Sent
from support.cluster import AES, BUILT, CORES, Make


def cookies(done: Sequence[Done]) -> list[int]:
    return [one.cookie for one in done]


def run(host: Host, sent: Sequence[Sent]) -> list[Done]:
    """All packets; they complete in order, and well."""
    done = host.run([one.packet for one in sent])
    order = traffic.Order([one.packet for one in sent], by_flow=host.by_flow)
    for cookie in cookies(done):
        order.complete(cookie)
    assert {one.status for one in done} == {"ok"}
    assert not traffic.wrong(host, sent)
    return done


def cookies_of(sent: Sequence[Sent]) -> list[int]:
    return [one.packet.cookie for one in sent]


@pytest.mark.parametrize(
    ("latency", "stalls", "flows", "count", "by_flow"),
    [(0, 0, 8, 300, False), (0, 0, 8, 300, True), (100, 0, 1024, 200, False), (30, 30, 100, 200, True)],
)
def test_random_packets_of_many_flows(
    cluster: Make, latency: int, stalls: int, flows: int, count: int, by_flow: bool
) -> None:
    draw = random.Random(f"{latency} {stalls}")
    host = cluster(latency, stalls, by_flow=by_flow)
    made = traffic.keyed_flows(host, [*AES_KINDS.values()], flows, draw)
    run(host, list(traffic.any_sizes(host, made, count, draw)))
    assert sum(host.get(f"packets[{core}].value") for core in CORES) == count
    assert all(host.get(f"packets[{core}].value") > count / len(CORES) / 2 for core in CORES)


def test_saved_keys_are_those_of_their_flows(cluster: Make) -> None:
    draw = random.Random(11)
    host = cluster(30, 10)
    made = traffic.keyed_flows(host, [*AES_KINDS.values()], 120, draw)
    traffic.save(host, made[:90])
    assert host.get("keys_fetched.value") == 90
    run(host, list(traffic.any_sizes(host, made, 200, draw)))
    assert host.get("keys_fetched.value") > 200


def test_a_saved_key_that_cannot_be_read_is_no_key_for_its_packets(cluster: Make) -> None:
    """Other packets in the core may fail with it; none is encrypted with what came instead."""
    draw = random.Random(12)
    host = cluster()
    made = traffic.keyed_flows(host, [KINDS["aes128-gcm"]], 60, draw)
    at = host.next
    traffic.save(host, made)
    # Another generation, so that no core has the key from before.
    made[5] = replace(made[5], flow=made[5].flow._replace(generation=2))
    host.set_saved(made[5].flow, traffic.image(host, made[5].kind), "aes128-restore-key", at + 5 * 256)
    host.device.fail_reads(at + 5 * 256 + 128, at + 5 * 256 + 136)
    sent = [traffic.send(host, made[n % 60], draw.randbytes(100), b"", draw, n) for n in range(180)]
    done = host.run([one.packet for one in sent])
    assert cookies(done) == cookies_of(sent)
    failed = {one.cookie for one in done if one.status != "ok"}
    bad = {n for n in range(180) if n % 60 == 5}
    assert bad <= failed
    assert {done[n].status for n in failed} <= {"read_error", "bad_key"}
    assert len(failed) <= 3 * 16
    assert not traffic.wrong(host, [one for one in sent if one.packet.cookie not in failed])
    for one in (sent[n] for n in bad):
        assert not any(host.memory[one.packet.destination : one.packet.destination + len(one.wanted)])
    host.device.heal()
    run(host, [traffic.send(host, made[n % 60], draw.randbytes(100), b"", draw, n) for n in range(60)])


@pytest.mark.skipif(len(CORES) < 3, reason="a firmware each needs three cores: SOC_CLUSTER_CORES=4")
def test_packets_of_three_firmwares_stay_in_the_order_of_the_ring(cluster: Make) -> None:
    """Each goes to a core with its firmware, however long those before it take."""
    draw = random.Random(2)
    names = (AES.name, "snow3g", "zuc")
    images = {core: operations.load(name) for core, name in enumerate(names)}
    host = cluster(20, 10, 3, images)
    made = traffic.keyed_flows(host, [kind for kind in KINDS.values() if kind.firmware in names], 60, draw)
    sent = list(traffic.any_sizes(host, made, 150, draw))
    run(host, sent)
    groups = [one.packet.group for one in sent]
    assert [host.get(f"packets[{core}].value") for core in images] == [groups.count(core) for core in images]


def test_one_flow_uses_all_cores_and_stays_in_order(cluster: Make) -> None:
    draw = random.Random(1)
    host = cluster()
    made = traffic.keyed_flows(host, [KINDS["aes128-gcm"]], 1, draw)
    run(host, list(traffic.mix(host, made, 120, draw, esp=True)))
    assert all(host.get(f"packets[{core}].value") > 15 for core in CORES)
    assert host.get("keys_fetched.value") == len(CORES)


def test_small_packets_overtake_a_large_one_of_another_flow_only(cluster: Make) -> None:
    """And the order of the ring is that of one flow. Both begin where nothing is in flight."""
    draw = random.Random(13)
    host = cluster(30)
    made = traffic.keyed_flows(host, [KINDS["aes128-gcm"]], 3, draw)
    sizes = {0: (2, 2000), 1: (2, 100), **{n: (n % 2, 64) for n in range(2, 40)}}
    sent = [traffic.send(host, made[flow], bytes(size), b"", draw, n) for n, (flow, size) in sizes.items()]
    assert cookies(run(host, sent)) == cookies_of(sent)
    late = host.get("order_cycles.value")
    assert late > 100
    host.order(by_flow=True)
    done = cookies(run(host, sent))
    assert done.index(0) > 3
    assert done.index(1) > done.index(0)
    assert host.get("order_cycles.value") - late < late
    host.order(by_flow=False)
    assert cookies(run(host, sent)) == cookies_of(sent)


def test_an_order_does_not_change_while_packets_are_in_flight(cluster: Make) -> None:
    host = cluster()
    made = traffic.keyed_flows(host, [KINDS["aes128-ctr"]], 1, random.Random(14))
    host.post([traffic.send(host, made[0], bytes(64), b"", random.Random(14), 0).packet])
    with pytest.raises(ClusterError, match="1 packet in flight: the order cannot change now"):
        host.order(by_flow=True)


def test_one_flow_in_order_within_flows_is_in_order(cluster: Make) -> None:
    """More packets than may be in flight, of which each waits for the one before."""
    draw = random.Random(15)
    host = cluster(30, 10, by_flow=True)
    made = traffic.keyed_flows(host, [KINDS["aes128-ctr"]], 1, draw)
    sent = list(traffic.any_sizes(host, made, 300, draw))
    assert cookies(run(host, sent)) == cookies_of(sent)


def test_a_key_is_fetched_again_only_where_others_took_its_place(cluster: Make) -> None:
    draw = random.Random(2)
    host = cluster()
    keys = host.get("capabilities.keys")
    made = traffic.keyed_flows(host, [KINDS["aes128-ctr"]], 2 * keys, draw)
    run(host, list(traffic.mix(host, made[:keys], 200, draw)))
    few = host.get("keys_fetched.value")
    assert keys <= few <= keys * len(CORES)
    run(host, [traffic.send(host, one, bytes(64), b"", draw, n) for n, one in enumerate(made)])
    assert host.get("keys_fetched.value") >= few + keys


def _with_record_of(host: Host, change: Callable[[bytearray], None]) -> tuple[list[Sent], list[Done]]:
    """Packets of three flows, where the record of the second one is changed."""
    draw = random.Random(3)
    made = traffic.keyed_flows(host, [KINDS["aes128-gcm"]], 3, draw)
    change(host.memory)
    sent = [traffic.send(host, made[n % 3], draw.randbytes(100), b"", draw, n) for n in range(30)]
    return sent, host.run([one.packet for one in sent])


def _others(sent: Sequence[Sent]) -> list[Sent]:
    return [one for one in sent if one.packet.cookie % 3 != 1]


def test_a_stale_handle_is_refused_and_never_uses_another_key(cluster: Make) -> None:
    host = cluster()

    def renew(memory: bytearray) -> None:
        host.set_flow(Flow(1, 9), AES, "aes128-set-key", bytes(16))

    sent, done = _with_record_of(host, renew)
    assert [one.status for one in done] == ["ok", "bad_key", "ok"] * 10
    assert cookies(done) == cookies_of(sent)
    assert not traffic.wrong(host, _others(sent))
    for one in sent[1::3]:
        assert not any(host.memory[one.packet.destination : one.packet.destination + len(one.wanted)])


def test_a_record_that_cannot_be_read_fails_its_packets_only(cluster: Make) -> None:
    host = cluster()
    sent, done = _with_record_of(host, lambda _: host.device.fail_reads(0x20000 + 64 + 32, 0x20000 + 64 + 40))
    assert [one.status for one in done] == ["ok", "bad_key", "ok"] * 10
    assert not traffic.wrong(host, _others(sent))


def test_a_core_that_stops_reports_its_packets_and_the_others_go_on(cluster: Make) -> None:
    draw = random.Random(4)
    host = cluster()
    made = traffic.keyed_flows(host, [KINDS["aes128-gcm"]], 4, draw)
    sent = list(traffic.mix(host, made, 160, draw))
    host.post([one.packet for one in sent])
    host.device.run(600)
    host.core_write(1, "control", 1 << 3 | 1)  # its firmware stops in the middle of a packet
    host.core_write(1, "ring[1].control", 3)  # and the host takes back what is in it
    host.enable([0, 2, 3])
    done: list[Done] = []
    for _ in range(3000):
        host.device.run(20)
        done += host.poll()
    assert cookies(done) == cookies_of(sent)
    failed = {one.cookie for one in done if one.status != "ok"}
    assert 0 < len(failed) <= 16
    assert {one.status for one in done} <= {"ok", "aborted", "timeout", "core_trap", "bad_key"}
    assert not traffic.wrong(host, [one for one in sent if one.packet.cookie not in failed])


def test_firmware_of_a_core_is_replaced_while_the_others_work(cluster: Make) -> None:
    draw = random.Random(5)
    host = cluster()
    made = traffic.keyed_flows(host, [KINDS["aes128-ctr"]], 4, draw)
    sent = list(traffic.mix(host, made, 100, draw))
    host.post([one.packet for one in sent])
    host.enable([0, 1, 3])
    done: list[Done] = []
    while host.get("state.busy") >> 2 & 1:
        done += host.poll()
        host.device.run(10)
    before = len(done)
    host.load(2, operations.load("zuc"))
    done += host.poll()
    assert before < len(done)
    host.load(2, AES)
    host.enable([*CORES])
    for _ in range(1000):
        host.device.run(20)
        done += host.poll()
    assert cookies(done) == cookies_of(sent)
    assert not traffic.wrong(host, sent)
    again = [replace(one.packet, cookie=1000 + n) for n, one in enumerate(sent)]
    taken = host.get("packets[2].value")
    assert {one.status for one in host.run(again)} == {"ok"}
    assert host.get("packets[2].value") > taken


def test_packets_go_to_cores_with_their_firmware(cluster: Make) -> None:
    draw = random.Random(6)
    host = cluster(images={0: AES, 1: operations.load("zuc")})
    made = traffic.keyed_flows(host, [KINDS["aes128-ctr"]], 4, draw)
    run(host, list(traffic.mix(host, made, 40, draw)))
    assert [host.get(f"packets[{core}].value") for core in (0, 1)] == [40, 0]


def test_a_packet_without_cores_of_its_group_is_refused(cluster: Make) -> None:
    host = cluster()
    made = traffic.keyed_flows(host, [KINDS["aes128-ctr"]], 1, random.Random(7))
    one = traffic.send(host, made[0], bytes(64), b"", random.Random(7), 5).packet
    done = host.run([replace(one, group=7), one, replace(one, flow=NO_FLOW)])
    assert [d.status for d in done] == ["bad_operation", "ok", "bad_key"]


def test_faults_of_data_are_those_of_the_packet_that_met_them(cluster: Make) -> None:
    draw = random.Random(8)
    host = cluster()
    made = traffic.keyed_flows(host, [KINDS["aes128-gcm"]], 4, draw)
    sent = [traffic.send(host, made[n % 4], draw.randbytes(200), b"", draw, n) for n in range(40)]
    bad = sent[17].packet
    host.device.fail_reads(bad.source + 64, bad.source + 72)
    done = host.run([one.packet for one in sent])
    assert [one.cookie for one in done if one.status != "ok"] == [17]
    assert done[17].status == "read_error"
    assert not traffic.wrong(host, [one for one in sent if one.packet.cookie != 17])


def test_the_ring_stops_where_its_memory_fails_and_begins_again(cluster: Make) -> None:
    draw = random.Random(9)
    host = cluster()
    made = traffic.keyed_flows(host, [KINDS["aes128-ctr"]], 2, draw)
    sent = [traffic.send(host, made[n % 2], bytes(64), b"", draw, n) for n in range(8)]
    host.device.fail_reads(0x10000 + 64 * 4, 0x10000 + 64 * 5)
    host.post([one.packet for one in sent])
    host.device.run(2000)
    assert cookies(list(host.poll())) == [0, 1, 2, 3]
    assert (host.get("state.stopped"), host.get("state.reason")) == (1, 8)
    host.device.heal()
    host.restart()
    run(host, sent)


def test_a_ring_that_is_kept_full_does_not_stop(cluster: Make) -> None:
    """The host sees a completion before the device has the bus's answer, and writes the next descriptor at once."""
    draw = random.Random(10)
    host = cluster(latency=60)
    made = traffic.keyed_flows(host, [KINDS["aes128-ctr"]], 2, draw)
    sent = [traffic.send(host, made[n % 2], bytes(16), b"", draw, n) for n in range(330)]
    done: list[Done] = []
    waiting = [one.packet for one in sent]
    while len(done) < len(sent):
        while waiting and host.free:
            host.post([waiting.pop(0)])
        host.device.run(4)
        done += host.poll()
        assert not host.get("state.stopped")
    assert cookies(done) == cookies_of(sent)


def test_registers_of_the_cluster_and_of_its_cores(cluster: Make) -> None:
    host = cluster()
    assert host.get("id.magic") == int.from_bytes(b"LC", "big")
    assert host.get("capabilities.cores") == BUILT
    for core in CORES:
        assert host.core_read(core, "id") >> 16 == int.from_bytes(b"LU", "big")
    assert host.device.read(core_registers(BUILT)) == 0
