"""Rates of a cluster on its RTL: bytes per cycle and latencies of the mix, by the number of cores.

    python -m lutra.soc.cluster          # measure, record in soc/cluster/rates.json, and do the next
    python -m lutra.soc.cluster --page   # write the tables of docs/cluster.md
    python -m lutra.soc.cluster --case saved   # the same for cases with this in their title; others keep their figures
    python -m lutra.soc.cluster --pair   # only compare lock-step pairs with as many cores
    python -m lutra.soc.cluster --random 10000 --seed 7   # only run packets of any kind, and compare them

The RTL is `lutra.soc._cluster` (`make soc-cluster` builds it). Every packet is compared with what `cryptography` makes
of it, and its place in the order of the ring is checked.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from pathlib import Path
from typing import Any

from lutra.asm.errors import plural
from lutra.soc.cluster.host import ClusterError
from lutra.soc.cluster.measure import CASES, CORES, cores, pair_rates, random_traffic, record

ROOT = Path(__file__).parents[4]
RECORD = ROOT / "soc" / "cluster" / "rates.json"
PAGE = ROOT / "docs" / "cluster.md"
TABLE = re.compile(r"(<!-- table: (\w+) -->\n).*?(<!-- end -->)", re.DOTALL)
# Clocks at which Gb/s are given, in ns: the second one is the period of the whole device, docs/integrate.md.
PERIODS = (1.0, 1.31)


def _lines(head: list[str], rows: list[list[str]]) -> str:
    cells = [head, ["---"] * len(head), *rows]
    return "".join("| " + " | ".join(row) + " |\n" for row in cells)


def rates(document: dict[str, Any]) -> str:
    """Bytes per cycle by the number of cores, and how much of as many times one core's rate that is."""
    rows = []
    for case in CASES:
        found = {int(n): row["rate"] for n, row in document["rates"][case.title].items()}
        most = max(found)
        targets = ", ".join(f"{n} cores: {rate}" for n, rate in (case.target or {}).items())
        cells = (f"{found[n]:.2f}" if n in found else "" for n in CORES)
        rows.append([case.title, *cells, f"{100 * found[most] / (most * found[1]):.0f} %", targets])
    return _lines(["traffic", *(f"{n} cores" if n > 1 else "1 core" for n in CORES), "of linear", "target"], rows)


def gigabits(document: dict[str, Any]) -> str:
    """The same in Gb/s."""
    rows = []
    for case in CASES:
        found = document["rates"][case.title]
        most = str(max(int(n) for n in found))
        rows.append([f"{case.title}, {most} cores", *(f"{8 * found[most]['rate'] / ns:.1f}" for ns in PERIODS)])
    return _lines(["traffic", *(f"at {ns} ns" for ns in PERIODS)], rows)


def latencies(document: dict[str, Any]) -> str:
    """Cycles from doorbell to completion."""
    rows = []
    for case in CASES:
        for n, row in document["rates"][case.title].items():
            rows.append([case.title, n, *(str(row[name]) for name in ("median", "p99", "worst", "keys_fetched"))])
    return _lines(["traffic", "cores", "p50", "p99", "worst", "keys fetched"], rows)


TABLES = {"rates": rates, "gigabits": gigabits, "latencies": latencies}


def filled(text: str, document: dict[str, Any]) -> str:
    """The page with its tables."""
    return TABLE.sub(lambda found: found[1] + TABLES[found[2]](document) + found[3], text)


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="python -m lutra.soc.cluster", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--page", action="store_true", help="write the tables from the recorded figures")
    parser.add_argument("--case", metavar="TEXT", default="", help="measure only cases with this in their title")
    parser.add_argument("--latency", type=int, default=30, help="cycles until the memory answers (default: 30)")
    parser.add_argument("--random", metavar="N", type=int, default=0, help="run N random packets, and measure nothing")
    parser.add_argument(
        "--pair", action="store_true", help="compare lock-step pairs with as many cores, and record nothing"
    )
    parser.add_argument("--seed", type=int, default=1, help="of random packets and of stalls (default: 1)")
    parser.add_argument("--stalls", type=int, default=0, help="of 100 cycles, how many a channel of the bus stalls in")
    options = parser.parse_args()
    try:
        if options.random:
            cycles = random_traffic(options.random, options.seed, options.latency, options.stalls)
            print(f"{options.random} packets in {cycles} cycles: all in order, and as cryptography has them")
            return 0
        if options.pair:
            for case in (case for case in CASES if not case.by_flow):
                for pairs in range(1, cores()[-1] // 2 + 1):
                    alone, paired = pair_rates(case, options.latency, pairs)
                    of = f"{plural(pairs, 'core')} {alone:.2f}, {plural(pairs, 'pair')} {paired:.2f}"
                    print(f"{case.title}: bytes per cycle of {of}", flush=True)
            return 0
        if not options.page:
            before = json.loads(RECORD.read_text()) if options.case else {}
            RECORD.write_text(json.dumps(record(options.latency, options.case, before), indent=1) + "\n")
    except (ClusterError, ImportError) as error:
        print(f"lutra.soc.cluster: {error}; see make soc-cluster-rates", file=sys.stderr)
        return 1
    PAGE.write_text(filled(PAGE.read_text(), json.loads(RECORD.read_text())))
    return 0


if __name__ == "__main__":
    sys.exit(main())
