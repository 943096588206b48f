"""`python -m traffic`: random packets through a cluster, on its model or its RTL, each compared with another
implementation.

python -m traffic                                    # 1,000,000 packets, 256 shards
python -m traffic --packets 10000 --shards 16 --seed 3
python -m traffic --dask tcp://192.0.2.1:8786        # by the workers of a Dask cluster, started in this tree
python -m traffic --dask local:2                     # by a Dask cluster of two processes that it starts and ends itself
python -m traffic --shard 17                         # one of them again, as failures name it
python -m traffic --device rtl --packets 10000 --shards 40  # on the RTL that `make soc-cluster` builds

Every shard is a cluster of one to eight cores with random firmware, flows, sizes and load. Half of them meet errors:
changed tags, stale handles, errors of the bus, cores that stop or are patched. A shard whose result is in --out is not
run again.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from pathlib import Path
from typing import Any, get_args

from traffic.runner import TrafficError, campaign, shards
from traffic.shard import MOST_FAILURES, DeviceName, Result
from variant import ROOT

WORK = ROOT / "build" / "traffic"


def arguments(given: list[str] | None = None) -> argparse.Namespace:
    """Parse the command line."""
    parser = argparse.ArgumentParser(
        prog="python -m traffic", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--packets", type=int, default=1_000_000, metavar="N", help="packets of all shards (1000000)")
    parser.add_argument("--shards", type=int, default=256, metavar="N", help="shards (256)")
    parser.add_argument("--shard", type=int, metavar="N", help="only this one, from 0 on (all)")
    parser.add_argument("--seed", type=int, default=1, help="of all shards (1)")
    parser.add_argument("--device", choices=get_args(DeviceName), default="model", help="of the cluster (model)")
    parser.add_argument("--jobs", type=int, default=1, help="processes (1)")
    parser.add_argument(
        "--dask",
        default="",
        metavar="ADDRESS",
        help="scheduler of a Dask cluster, instead of --jobs; local:N starts one of N processes here",
    )
    parser.add_argument("--out", type=Path, default=WORK, metavar="DIR", help="results of shards (build/traffic)")
    parser.add_argument("--json", action="store_true", help="print the result as JSON")
    options = parser.parse_args(given)
    if min(options.packets, options.shards, options.jobs) < 1 or options.shards > options.packets:
        parser.error("--packets, --shards and --jobs take positive numbers, and a shard has a packet at least")
    if options.shard is not None and not 0 <= options.shard < options.shards:
        parser.error(f"--shard {options.shard}: choose from 0 to {options.shards - 1}")
    return options


def as_json(result: Result, options: argparse.Namespace, seconds: float) -> dict[str, Any]:
    """The result, for programs. waits: cycles; those of the model are an estimate."""
    found = {name: getattr(result, name) for name in result.__struct_fields__ if name != "waits"}
    waits = {name: result.wait(part) for name, part in (("p50", 0.5), ("p99", 0.99), ("worst", 1.0))}
    asked = {"device": options.device, "seed": options.seed, "shards": options.shards}
    return {**asked, **found, "waits": waits, "seconds": round(seconds, 1)}


def as_text(found: dict[str, Any]) -> str:
    """The result, for people."""
    statuses, failures = found["statuses"], found["failures"]
    counted = ", ".join(f"{name} {count:,}" for name, count in sorted(statuses.items(), key=lambda s: -s[1]))
    waits = found["waits"]
    clusters = ", ".join(f"{count} of {cores}" for cores, count in found["cores"].items())
    lines = [
        *failures[:MOST_FAILURES],
        f"clusters by cores: {clusters}",
        f"operations: {', '.join(f'{name} {count:,}' for name, count in found['operations'].items())}",
        f"statuses: {counted}",
        f"cores that stopped: {found['stopped']:,}, that were patched: {found['patched']:,}",
        f"cycles on the {found['device']}: {found['cycles']:,}, without a place {found['full_cycles']:,}, "
        f"for the order {found['order_cycles']:,}; keys fetched: {found['keys_fetched']:,}",
        f"from doorbell to completion: p50 {waits['p50']:,}, p99 {waits['p99']:,}, worst {waits['worst']:,} cycles",
        f"{found['packets']:,} packets, {found['bytes']:,} bytes, in {found['seconds']:,} s: "
        + (f"{len(failures)} failures" if failures else "all in order, and as the peers have them"),
    ]
    return "\n".join(lines)


def main(given: list[str] | None = None) -> int:
    """Return 1 if a packet is wrong, or the campaign cannot run."""
    options = arguments(given)
    todo = shards(options.seed, options.packets, options.shards, options.device)
    todo = todo if options.shard is None else [todo[options.shard]]
    begun = time.monotonic()

    def progress(done: int, result: Result) -> None:
        failed = f", {len(result.failures)} failures" if result.failures else ""
        print(f"traffic: shard {done} of {len(todo)}, {result.packets:,} packets{failed}", file=sys.stderr, flush=True)

    try:
        result = campaign(todo, options.out, options.jobs, options.dask, progress)
    except TrafficError as error:
        print(f"traffic: {error}", file=sys.stderr)
        return 1
    found = as_json(result, options, time.monotonic() - begun)
    print(json.dumps(found, indent=1) if options.json else as_text(found))
    return 1 if result.failures else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit("traffic: interrupted; the shards that are done are kept")
