"""Lock-step pairs of a cluster on its RTL (`make soc-cluster` builds it), with and without faults."""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from dataclasses import replace

import pytest

from lutra.soc import operations
from lutra.soc.cluster import traffic
from lutra.soc.cluster.host import ClusterError, Done, Host
from lutra.soc.cluster.measure import CASES, pair_rates
from lutra.soc.cluster.traffic import AES_KINDS, KINDS, Sent
from lutra.soc.operations import Firmware

rtl = pytest.importorskip("lutra.soc._cluster", reason="lutra_cluster is not compiled: make soc-cluster")
if rtl.CORES < 4:
    pytest.skip("this needs four cores: make soc-cluster SOC_CLUSTER_CORES=4", allow_module_level=True)
AES = operations.load("aes-packets")
MEMORY_BYTES = 1 << 22
# Far less than the watchdog of a core, which is about a million cycles.
SOON = 60_000


def cluster(cores: Iterable[int] = range(4), latency: int = 0, stalls: int = 0) -> Host:
    memory = bytearray(MEMORY_BYTES)
    host = Host(rtl.Cluster(memory, latency, stalls, 1), memory, dict.fromkeys(cores, AES))
    host.couple(0)
    return host


def taken(host: Host) -> list[int]:
    return [host.get(f"packets[{core}].value") for core in range(4)]


def run(host: Host, sent: Sequence[Sent]) -> None:
    """All packets; they complete in order, and well."""
    done = host.run([one.packet for one in sent])
    assert [(one.cookie, one.status) for one in done] == [(one.packet.cookie, "ok") for one in sent]
    assert not traffic.wrong(host, sent)


def collect(host: Host, sent: Sequence[Sent], cycles: int = SOON) -> list[Done]:
    """Return what is posted, in order, within a time."""
    done: list[Done] = []
    begin = host.device.cycles
    while len(done) < len(sent) and host.device.cycles - begin < cycles:
        host.device.run(20)
        done += host.poll()
    assert [one.cookie for one in done] == [one.packet.cookie for one in sent]
    return done


def nothing_wrong_in_memory(host: Host, sent: Sequence[Sent]) -> None:
    """Each byte of a destination, zero before, is right or still zero."""
    for one in sent:
        at = one.packet.destination
        for found, wanted in zip(host.memory[at : at + len(one.wanted)], one.wanted, strict=True):
            assert found in {0, wanted}


def flipped(firmware: Firmware, address: int, bit: int) -> Firmware:
    """Firmware with another bit in a word of its program."""
    program = list(firmware.image.program)
    program[address] ^= 1 << bit
    image = replace(firmware.image, program=program)
    return Firmware(firmware.name, image, firmware.operations)


def with_wrong_table(firmware: Firmware) -> Firmware:
    """Firmware with a wrong bit in each entry of one lane of an S-box: it takes the same way to another text."""
    (at, table), *rest = firmware.image.memory["t0"]
    wrong = bytes(byte ^ (place % 16 == 3) for place, byte in enumerate(table))
    image = replace(firmware.image, memory={**firmware.image.memory, "t0": [(at, wrong), *rest]})
    return Firmware(firmware.name, image, firmware.operations)


def load(host: Host, core: int, firmware: Firmware) -> None:
    """Load other firmware into one core of the pair, which stays coupled."""
    host.enable([2, 3])
    while host.get("state.busy") & 3:
        host.device.run(10)
    for one in (0, 1):
        host.load(one, firmware if one == core else AES)
    host.enable([0, 2, 3])


@pytest.mark.parametrize(("latency", "stalls"), [(0, 0), (30, 30)])
def test_a_pair_is_one_core_of_the_cluster(latency: int, stalls: int) -> None:
    draw = random.Random(f"{latency} {stalls}")
    host = cluster(latency=latency, stalls=stalls)
    assert (host.get("pairs.available"), host.get("pairs.coupled"), host.get("pairs.differs")) == (rtl.CORES // 2, 1, 0)
    made = traffic.keyed_flows(host, [*AES_KINDS.values()], 60, draw)
    run(host, list(traffic.any_sizes(host, made, 150, draw)))
    first, second, *others = taken(host)
    assert first > 20
    assert second == 0
    assert min(others) > 20
    assert host.get("mismatches.value") == 0


def test_a_pair_saves_keys_and_uses_saved_ones() -> None:
    """Memories of both cores begin with other values, none of which may be in what is saved."""
    draw = random.Random(13)
    host = cluster(range(2))
    made = traffic.keyed_flows(host, [*AES_KINDS.values()], 60, draw)
    traffic.save(host, made)
    run(host, list(traffic.any_sizes(host, made, 90, draw)))
    assert host.get("mismatches.value") == 0


def test_a_pair_is_about_as_fast_as_one_core() -> None:
    alone, paired = pair_rates(CASES[3], 30)
    assert paired >= 0.95 * alone


def test_text_may_be_encrypted_where_it_is() -> None:
    """Neither core reads what the other one has written already."""
    draw = random.Random(2)
    host = cluster([0, 1], latency=20, stalls=30)
    made = traffic.keyed_flows(host, [KINDS["aes128-ctr"]], 2, draw)
    sent = [traffic.send(host, made[n % 2], draw.randbytes(draw.randrange(1, 2100)), b"", draw, n) for n in range(30)]
    run(host, [replace(one, packet=replace(one.packet, destination=one.packet.source)) for one in sent])


def test_both_pairs_at_once() -> None:
    draw = random.Random(3)
    host = cluster(latency=30)
    host.couple(1)
    made = traffic.keyed_flows(host, [*AES_KINDS.values()], 8, draw)
    run(host, list(traffic.mix(host, made, 60, draw)))
    assert [count > 0 for count in taken(host)] == [True, False, True, False]


@pytest.mark.parametrize("core", [0, 1])
def test_a_fault_in_the_program_of_one_core_is_never_a_success(core: int) -> None:
    draw = random.Random(core)
    host = cluster()
    made = traffic.keyed_flows(host, [KINDS["aes128-gcm"]], 2, draw)
    begin = AES.entry(AES.operations["aes128-gcm-encrypt"].label)
    met = 0
    for _ in range(6):
        before = host.get("mismatches.value")
        load(host, core, flipped(AES, begin + draw.randrange(40), draw.randrange(32)))
        sent = [traffic.send(host, made[n % 2], draw.randbytes(200), bytes(8), draw, n) for n in range(12)]
        host.post([one.packet for one in sent])
        done = collect(host, sent)
        assert {one.status for one in done} <= {"ok", "mismatch"}
        failed = {one.cookie for one in done if one.status != "ok"}
        assert not traffic.wrong(host, [one for one in sent if one.packet.cookie not in failed])
        nothing_wrong_in_memory(host, sent)
        assert host.get("mismatches.value") == before + len(failed)
        assert host.get("pairs.differs") == (1 if failed else 0)
        if failed:
            met += 1
            host.uncouple(0)
            host.couple(0)
    assert met >= 2


@pytest.mark.parametrize("core", [0, 1])
def test_a_fault_that_changes_only_the_text_is_a_mismatch(core: int) -> None:
    """Status, bytes and time are those of the other core, so only the comparison of what they write can find it."""
    draw = random.Random(core)
    host = cluster()
    made = traffic.keyed_flows(host, [KINDS["aes128-ctr"]], 2, draw)
    load(host, core, with_wrong_table(AES))
    sent = [traffic.send(host, made[n % 2], draw.randbytes(200), b"", draw, n) for n in range(24)]
    host.post([one.packet for one in sent])
    done = collect(host, sent)
    failed = {one.cookie for one in done if one.status == "mismatch"}
    assert failed and {one.status for one in done if one.cookie not in failed} == {"ok"}
    assert not traffic.wrong(host, [one for one in sent if one.packet.cookie not in failed])
    nothing_wrong_in_memory(host, sent)


def test_the_same_faults_in_a_core_alone_are_wrong_packets() -> None:
    draw = random.Random(0)
    host = cluster([0, 1])
    host.uncouple(0)
    made = traffic.keyed_flows(host, [KINDS["aes128-gcm"]], 2, draw)
    begin = AES.entry(AES.operations["aes128-gcm-encrypt"].label)
    wrong = 0
    for _ in range(6):
        host.enable([])
        while host.get("state.busy") & 3:
            host.device.run(10)
        host.load(0, flipped(AES, begin + draw.randrange(40), draw.randrange(32)))
        host.enable([0])
        sent = [traffic.send(host, made[n % 2], draw.randbytes(200), bytes(8), draw, n) for n in range(4)]
        host.post([one.packet for one in sent])
        good = {one.cookie for one in collect(host, sent, 20 * SOON) if one.status == "ok"}
        wrong += len(traffic.wrong(host, [one for one in sent if one.packet.cookie in good]))
    assert wrong > 0


def test_a_pair_that_differs_leaves_packets_to_others_until_it_is_uncoupled() -> None:
    draw = random.Random(4)
    host = cluster()
    made = traffic.keyed_flows(host, [KINDS["aes128-ctr"]], 2, draw)
    load(host, 1, flipped(AES, AES.entry("aes128_ctr"), 0))
    sent = list(traffic.mix(host, made, 40, draw))
    host.post([one.packet for one in sent])
    assert any(one.status == "mismatch" for one in collect(host, sent))
    assert host.get("pairs.differs") == 1
    before = taken(host)
    run(host, list(traffic.mix(host, made, 20, draw)))
    assert taken(host)[0] == before[0]
    host.uncouple(0)
    assert (host.get("pairs.coupled"), host.get("pairs.differs")) == (0, 0)
    run(host, list(traffic.mix(host, made, 40, draw)))
    assert all(after > count for after, count in zip(taken(host), before, strict=True))


@pytest.mark.parametrize("core", [0, 1])
def test_a_core_of_a_pair_that_stops_does_not_stop_the_ring(core: int) -> None:
    draw = random.Random(5 + core)
    host = cluster()
    made = traffic.keyed_flows(host, [KINDS["aes128-gcm"]], 4, draw)
    sent = list(traffic.mix(host, made, 100, draw))
    host.post([one.packet for one in sent])
    host.device.run(500)
    host.core_write(core, "control", 1 << 3 | 1)  # its firmware stops in the middle of a packet
    done = collect(host, sent)
    failed = {one.cookie for one in done if one.status != "ok"}
    assert 0 < len(failed) <= 16
    assert {one.status for one in done} == {"ok", "mismatch"}
    assert not traffic.wrong(host, [one for one in sent if one.packet.cookie not in failed])
    nothing_wrong_in_memory(host, sent)
    host.uncouple(0)
    run(host, list(traffic.mix(host, made, 40, draw)))


def test_a_packet_that_waits_for_a_pair_does_not_keep_it_from_being_replaced() -> None:
    draw = random.Random(6)
    host = cluster([0, 1])
    made = traffic.keyed_flows(host, [KINDS["aes128-ctr"]], 2, draw)
    host.enable([])
    sent = list(traffic.mix(host, made, 20, draw))
    host.post([one.packet for one in sent])
    host.device.run(200)
    assert not list(host.poll())
    host.uncouple(0)
    assert {one.status for one in collect(host, sent)} == {"ok"}
    assert not traffic.wrong(host, sent)


def test_cores_are_coupled_while_they_take_no_packets() -> None:
    host = cluster([0, 1])
    bit = host.registers.fields["pairs.couple"].offset
    host.device.write(bit, host.device.read(bit) & ~1)
    host.device.run(100)
    assert host.get("pairs.coupled") == 1
    host.enable([])
    host.device.run(10)
    assert host.get("pairs.coupled") == 0


def test_what_cannot_be_coupled_is_refused() -> None:
    memory = bytearray(MEMORY_BYTES)
    host = Host(rtl.Cluster(memory), memory, {0: AES, 1: operations.load("zuc"), 2: AES})
    missing = rtl.CORES // 2
    for pair, reason in ((0, "same firmware"), (1, "same firmware"), (missing, f"no pair {missing}")):
        with pytest.raises(ClusterError, match=reason):
            host.couple(pair)
