"""Every single fault of the stream contexts' words, in every cycle of a short run of SNOW 3G and ZUC.

python -m injection --engine cosim           the core of this build in lock-step with the simulator
python -m injection --engine iss --shadow 16 the simulator of a core with another shadow
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import sys
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from functools import partial

from injection.campaign import CLASSES, run, shards
from lutra.isa import load
from lutra.iss.fault import WORDS

# Progress.
SHARDS_A_LINE = 23


def main() -> int:
    """Print the table; 1 where a fault of a word with a shadow was not found in time."""
    parser = argparse.ArgumentParser(prog="python -m injection", description=__doc__.split("\n")[0])
    parser.add_argument("--engine", choices=("iss", "rtl", "cosim"), default="cosim")
    parser.add_argument("--shadow", type=int, metavar="WORDS", help="of the simulator; else of the configuration")
    parser.add_argument("--step", type=int, default=1, help="try every so many-th cycle (default: all)")
    parser.add_argument("--jobs", type=int, default=multiprocessing.cpu_count())
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    chosen = load().configuration
    if options.shadow is not None and options.engine != "iss":
        parser.error("--shadow is of the simulator alone; a core has that of its configuration")
    words = chosen.shadow_words if options.shadow is None else options.shadow
    totals: dict[str, Counter[str]] = {}
    todo = list(shards(chosen.rounds))
    work = partial(run, name=options.engine, shadow=options.shadow, step=max(1, options.step))
    # A core does not live through a fork.
    spawn = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(max(1, options.jobs), spawn) as pool:
        for done, (shard, found) in enumerate(pool.map(work, todo), 1):
            totals.setdefault(shard.word, Counter()).update(found)
            if done % SHARDS_A_LINE == 0 or done == len(todo):
                print(f"{done} of {len(todo)} words of a context", file=sys.stderr, flush=True)
    shadowed = WORDS[:words]
    missed = sum(totals[w]["silent"] + totals[w]["detected late"] for w in shadowed)
    if options.json:
        print(json.dumps({"shadow_words": words, "words": {w: totals[w] for w in WORDS}, "missed": missed}))
    else:
        print(f"{'word':<6}" + "".join(f"{c:>16}" for c in CLASSES))
        for word in WORDS:
            print(f"{word:<6}" + "".join(f"{totals[word][c]:>16,}" for c in CLASSES))
        tried = sum(found.total() for found in totals.values())
        print(f"{tried:,} faults; {missed:,} in words with a shadow that were not found in time")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
