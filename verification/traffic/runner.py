"""Shards by processes or by Dask. A shard that the folder has is not run again."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import msgspec

import lutra.soc._model
from lutra.cosim import cluster, pool
from lutra.soc.cluster.host import ClusterError
from traffic.shard import DeviceName, Result, Todo, rtl, run
from variant import ROOT

SOURCES = ("soc/firmware/*", "soc/lutra/soc/cluster/*.py", "verification/traffic/*.py", "firmware/*/*.inc")

# A value of --dask that starts workers on this machine.
LOCAL = "local:"


class TrafficError(Exception):
    """The campaign cannot run; one line with the remedy."""


def shards(seed: int, packets: int, count: int, device: DeviceName = "model") -> list[Todo]:
    """So many packets in `count` shards of about the same size."""
    return [Todo(seed, n, packets * (n + 1) // count - packets * n // count, device) for n in range(count)]


def made_from(device: DeviceName) -> str:
    """A digest of firmware, device and campaign: what a result depends on besides its seed.

    TrafficError where the device is not built.
    """
    library = lutra.soc._model.__file__
    if device == "rtl":
        try:
            library = str(rtl().__file__)
        except ClusterError as error:
            raise TrafficError(str(error)) from error
    found = hashlib.sha256(Path(library).read_bytes())
    for pattern in SOURCES:
        for path in sorted(ROOT.glob(pattern)):
            if path.is_file():
                found.update(path.read_bytes())
    return found.hexdigest()[:12]


def campaign(
    todo: Sequence[Todo],
    folder: Path,
    jobs: int = 1,
    scheduler: str = "",
    progress: Callable[[int, Result], None] = lambda done, result: None,
) -> Result:
    """The sum of all shards. Each is written to the folder when it is done. progress: shards done, and their sum.

    TrafficError where the folder or the scheduler cannot be used.
    """
    digest = made_from(todo[0].device)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise TrafficError(f"{folder}: {error.strerror}; give another folder to --out") from error

    def path(one: Todo) -> Path:
        return folder / f"{digest}-{one.seed}-{one.number}-{one.packets}.json"

    whole, done = Result(), 0
    missing = []
    for one in todo:
        if (found := _read(path(one))) is None:
            missing.append(one)
        else:
            whole.add(found)
            done += 1
    progress(done, whole)
    for one, result in zip(missing, _results(missing, jobs, scheduler), strict=True):
        # A run that ends while it writes leaves no half of a file.
        written = path(one).with_suffix(".new")
        written.write_bytes(msgspec.json.encode(result))
        written.replace(path(one))
        whole.add(result)
        done += 1
        progress(done, whole)
    return whole


def _read(path: Path) -> Result | None:
    try:
        return msgspec.json.decode(path.read_bytes(), type=Result)
    except FileNotFoundError:
        return None
    except (OSError, msgspec.MsgspecError) as error:
        raise TrafficError(f"{path}: {error}; delete it, and its shard runs again") from error


def _results(todo: Sequence[Todo], jobs: int, scheduler: str) -> Iterator[Result]:
    if not scheduler:
        yield from pool.results(run, todo, jobs)
        return
    try:
        if not scheduler.startswith(LOCAL):
            yield from cluster.results(run, todo, scheduler)
            return
        with _workers(scheduler.removeprefix(LOCAL)) as address:
            yield from cluster.results(run, todo, address)
    except cluster.ClusterError as error:
        raise TrafficError(str(error)) from error


@contextmanager
def _workers(count: str) -> Iterator[str]:
    """The address of a scheduler with so many worker processes on this machine."""
    if not count.isdecimal() or not int(count):
        raise TrafficError(f"--dask {LOCAL}{count}: give a number of processes, such as {LOCAL}2")
    try:
        from distributed import LocalCluster
    except ImportError as error:
        raise cluster.ClusterError("Dask is not installed; install lutra-asip[dask]") from error
    options = {"n_workers": int(count), "threads_per_worker": 1, "processes": True, "dashboard_address": None}
    with LocalCluster(**options) as local:  # type: ignore[no-untyped-call]
        yield local.scheduler_address
