"""Random packets through the model of a cluster against other implementations, and that mistakes of it are found."""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from distributed import LocalCluster

from lutra.cosim import cluster
from lutra.soc import operations
from lutra.soc.cluster.host import Flow, Packet
from lutra.soc.cluster.parts import Handle, Keys, Reorder
from support.cluster import RTL
from traffic import peers, shard
from traffic.__main__ import main
from traffic.packets import Sent, wrong
from traffic.runner import shards
from traffic.shard import Result, Todo, run

# Shards of seed 1 and their packets: three that have all operations together; one that draws an error of writing for an
# operation that writes nothing, and so meets none.
FEW = ((27, 120), (11, 120), (34, 120), (6, 300))


@pytest.mark.parametrize(("number", "packets"), FEW)
def test_packets_are_in_order_and_as_the_peers_have_them(number: int, packets: int) -> None:
    result = run(Todo(1, number, packets))
    assert (result.failures, result.packets) == ([], packets)


@pytest.mark.skipif(RTL is None, reason="lutra_cluster is not compiled: make soc-cluster")
def test_packets_go_through_the_rtl() -> None:
    result = run(Todo(1, 0, 60, "rtl"))
    assert (result.failures, result.packets) == ([], 60)


def test_rtl_that_is_not_built_is_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "lutra.soc._cluster", None)
    assert main(["--packets", "1", "--shards", "1", "--device", "rtl", "--out", str(tmp_path)]) == 1
    assert "traffic: lutra_cluster is not compiled: make soc-cluster" in capsys.readouterr().err


def test_every_operation_has_a_peer() -> None:
    found = {name for image in peers.IMAGES for name in peers.packet_operations(operations.load(image))}
    assert found == peers.KINDS.keys()


def test_errors_are_met_and_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shard, "EVENTS", 1.0)
    monkeypatch.setattr(shard, "BATCH", 100)
    result = run(Todo(1, 10, 600))
    assert not result.failures
    assert result.stopped and result.patched
    assert result.statuses.keys() >= {"ok", "bad_key", "bad_operation", "read_error", "write_error", "tag_mismatch"}


def _any_is_next(self: Reorder) -> bytearray | None:
    packet = next(iter(self._done), None)
    if packet is None:
        return None
    self._flying.remove(packet)
    return self._done.pop(packet)


def _any_key(self: Keys, handle: Handle) -> int | None:
    return 0 if any(self._held) else None


@pytest.mark.parametrize(
    ("number", "owner", "name", "mistake", "text"),
    [
        (0, Reorder, "pop", _any_is_next, "completes where"),  # in the order of the ring
        (10, Reorder, "pop", _any_is_next, "completes where"),  # within flows
        (10, Keys, "find", _any_key, "ended with "),
        (10, Reorder, "pop", lambda self: None, "no more come"),
    ],
)
def test_a_mistake_of_the_cluster_is_found(
    monkeypatch: pytest.MonkeyPatch, number: int, owner: type, name: str, mistake: Callable[..., object], text: str
) -> None:
    monkeypatch.setattr(owner, name, mistake)
    monkeypatch.setattr(shard, "PATIENCE", 4000)
    failures = run(Todo(1, number, 120)).failures
    assert failures and all(line.startswith(f"seed 1, shard {number}: ") for line in failures)
    assert text in failures[0]


def test_bytes_that_are_wrong_or_elsewhere_are_found() -> None:
    packet = Packet(2, Flow(1), 0, 100 + 16, 4)
    sent = [Sent(packet, "aes128-ctr", b"good", 4), Sent(packet, "aes128-gcm-decrypt", b"good", 4, "tag_mismatch")]
    before, good = bytes(64), bytes(16) + b"good" + bytes(44)
    assert not list(wrong(sent[:1], ["ok"], before, good, 100))
    assert "is not what the peer makes" in next(wrong(sent[:1], ["ok"], before, before, 100))
    assert list(wrong(sent[:1], ["ok"], before, good[:-1] + b"x", 100)) == [
        "0xa3 was written, which is not in any result"
    ]
    assert "and has written" in next(wrong(sent[1:], ["tag_mismatch"], before, good, 100))
    assert not list(wrong(sent[1:], ["tag_mismatch"], before, before, 100))


def test_a_shard_depends_on_its_seed_alone() -> None:
    assert run(Todo(3, 4, 40)) == run(Todo(3, 4, 40))
    assert run(Todo(3, 4, 40)) != run(Todo(4, 4, 40))


def test_shards_have_all_packets() -> None:
    made = shards(1, 1000, 7)
    assert [one.number for one in made] == [*range(7)]
    assert sum(one.packets for one in made) == 1000


def test_the_time_that_a_part_of_the_packets_did_not_exceed() -> None:
    result = Result(waits={100: 98, 200: 1, 4000: 1})
    assert [result.wait(part) for part in (0.5, 0.98, 0.99, 1.0)] == [100, 100, 200, 4000]
    result.add(Result(waits={100: 2, 5000: 1}))
    assert result.waits == {100: 100, 200: 1, 4000: 1, 5000: 1}


def test_what_is_done_is_not_run_again_wherever_it_ran(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    arguments = ["--packets", "60", "--shards", "3", "--out", str(tmp_path / "here"), "--json"]
    assert main(arguments) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["packets"], found["failures"]) == (60, [])

    def threads(**options: Any) -> Any:
        return LocalCluster(**{**options, "processes": False})  # type: ignore[no-untyped-call]

    monkeypatch.setattr("distributed.LocalCluster", threads)
    assert main([*arguments[:5], str(tmp_path / "there"), "--json", "--dask", "local:1"]) == 0
    assert {**json.loads(capsys.readouterr().out), "seconds": 0} == {**found, "seconds": 0}
    monkeypatch.setattr("traffic.runner.run", lambda todo: pytest.fail("it runs again"))
    assert main(arguments) == 0
    assert "shard 3 of 3" in capsys.readouterr().err


def where(_: int) -> int:
    """The process of a piece of work, which takes as long as others need to come."""
    time.sleep(0.2)
    return os.getpid()


@pytest.mark.nightly("two processes start, twelve seconds; threads of a scheduler share the shards by day")
def test_two_processes_at_a_scheduler_share_the_shards(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """As `dask worker --nworkers 2` starts them."""
    options = {"n_workers": 2, "threads_per_worker": 1, "processes": True, "dashboard_address": None}
    with LocalCluster(**options) as local:  # type: ignore[no-untyped-call]
        processes = set(cluster.results(where, range(4), local.scheduler_address))
        assert len(processes) == 2 and os.getpid() not in processes
        arguments = ["--packets", "10", "--shards", "2", "--out", str(tmp_path), "--json"]
        assert main([*arguments, "--dask", local.scheduler_address]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["packets"], found["failures"]) == (10, [])
    here = Result()
    for todo in shards(1, 10, 2):
        here.add(run(todo))
    assert found["statuses"] == here.statuses and found["cycles"] == here.cycles


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        (["--dask", "local:0"], "--dask local:0: give a number of processes, such as local:2"),
        (["--dask", "local:two"], "--dask local:two: give a number of processes, such as local:2"),
        (["--dask", "tcp://127.0.0.1:9"], "tcp://127.0.0.1:9: no Dask scheduler answers there"),
        (["--out", "/dev/null/x"], "/dev/null/x: Not a directory; give another folder to --out"),
    ],
)
def test_a_campaign_that_cannot_run_is_one_line(
    arguments: list[str], text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cluster, "CONNECT_SECONDS", 1)
    assert main(["--packets", "1", "--shards", "1", "--out", str(tmp_path), *arguments]) == 1
    assert f"traffic: {text}" in capsys.readouterr().err


def test_a_result_that_is_damaged_is_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["--packets", "1", "--shards", "1", "--out", str(tmp_path)]
    assert main(arguments) == 0
    (file,) = tmp_path.iterdir()
    file.write_text("{")
    assert main(arguments) == 1
    assert "delete it, and its shard runs again" in capsys.readouterr().err


@pytest.mark.parametrize("arguments", [["--packets", "0"], ["--shards", "9", "--packets", "8"], ["--shard", "256"]])
def test_wrong_arguments_are_refused(arguments: list[str]) -> None:
    with pytest.raises(SystemExit, match="2"):
        main(arguments)
