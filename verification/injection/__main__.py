"""Every single fault of the stream contexts' LFSR, in every cycle of a short run of SNOW 3G and ZUC.

python -m injection --engine cosim           the core of this build in lock-step with the simulator
python -m injection --engine iss --shadow 16 the simulator of a core with another shadow
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial

from injection.programs import CIPHERS, Cipher, faulty, prepare
from lutra.isa import load
from lutra.iss.engine import Engine, Simulator, make
from lutra.iss.fault import WORDS, Fault

# How a run with a fault ends, the last one being what must not be.
CLASSES = ("detected", "without effect", "detected late", "silent")


@dataclass(frozen=True)
class Shard:
    """A word of a context under a cipher, on a core."""

    cipher: Cipher
    context: int
    word: str
    rounds: int


def _engine(name: str, shadow: int | None, rounds: int) -> Engine:
    return Simulator(rounds, shadow) if name == "iss" else make(name, rounds)


def run(shard: Shard, name: str, shadow: int | None, step: int) -> tuple[Shard, Counter[str]]:
    """Every bit of the word in every `step`-th cycle of the program; how often the runs ended how."""
    engine = prepare(_engine(name, shadow, shard.rounds), shard.cipher, shard.context)
    _, right = faulty(engine)
    cycles, found = engine.stop().cycles, Counter[str]()
    for bit in range(32):
        for cycle in range(bit % step, cycles, step):
            state, got = faulty(engine, Fault(cycle, f"c{shard.context}", shard.word, 1 << bit))
            found[_class(state, got, right)] += 1
    return shard, found


def _class(state: str, got: bytes, right: bytes) -> str:
    if state != "faulted":
        return "without effect" if got == right else "silent"
    rows = range(0, len(got), 16)
    return "detected" if all(got[i : i + 16] in (bytes(16), right[i : i + 16]) for i in rows) else "detected late"


def shards(rounds: tuple[int, ...]) -> Iterator[Shard]:
    """All words of both contexts, under both ciphers."""
    for number in rounds:
        for cipher in CIPHERS:
            for context in range(load().configuration.contexts):
                for word in WORDS:
                    yield Shard(cipher, context, word, number)


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
    with multiprocessing.get_context("spawn").Pool(max(1, options.jobs)) as pool:
        for done, (shard, found) in enumerate(pool.imap_unordered(work, todo), 1):
            totals.setdefault(shard.word, Counter()).update(found)
            print(f"\r{done} of {len(todo)} words", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
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
