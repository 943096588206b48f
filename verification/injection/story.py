"""An attack by faults on SNOW 3G: it finds the key in a core without a shadow, and nothing in one that has it.

python -m injection.story                 both cores, on the simulator
python -m injection.story --engine cosim  the core of this build, in lock-step with the simulator
"""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Callable
from dataclasses import dataclass

from injection.attack import STRUCK, Attack
from injection.programs import CIPHERS, OUTPUT, faulty, prepare
from lutra.isa import load
from lutra.iss.engine import Engine, Simulator, make
from lutra.iss.fault import Fault

SNOW, CONTEXT = CIPHERS[0], 0
CYCLE = 60  # of a clock of the keystream; whoever attacks sees which one
MOST, BATCH = 480, 80  # faults of an IV; keystreams between two tries to find the key
IVS = 10


@dataclass
class Told:
    """Outcome of an attack. wrong: keystreams that are not the right one; leaked: runs that were faulted too late."""

    runs: int = 0
    faulted: int = 0
    wrong: int = 0
    leaked: int = 0
    found: tuple[bytes, bytes] | None = None


def attack(make_engine: Callable[[], Engine], key: bytes, rng: random.Random) -> Told:
    """Faults until the key is found, with one IV after the other; none is tried again where nothing comes out."""
    told = Told()
    for _ in range(IVS):
        engine = prepare(make_engine(), SNOW, CONTEXT, key, rng.randbytes(16))
        right = faulty(engine)[1]
        tries = Attack(_words(right))
        for n in range(1, MOST + 1):
            word = rng.randrange(STRUCK)
            state, got = faulty(engine, Fault(CYCLE, f"c{CONTEXT}", f"s{word}", rng.randrange(1, 2**32)))
            told.runs += 1
            if state == "faulted":
                told.faulted += 1
                told.leaked += not _only_right(got, right)
                continue
            if got[:OUTPUT] != right[:OUTPUT]:
                told.wrong += 1
                tries.add(_words(got))
            if n % BATCH == 0 and (found := tries.key()):
                told.found = found
                return told
        if told.faulted:
            return told
    return told


def _words(rows: bytes) -> list[int]:
    """The keystream."""
    return [int.from_bytes(rows[i : i + 4], "big") for i in range(0, OUTPUT, 4)]


def _only_right(got: bytes, right: bytes) -> bool:
    """Whether all rows are right up to one, and nothing was written from there on."""
    rows = [got[i : i + 16] for i in range(0, len(got), 16)]
    done = rows.index(bytes(16)) if bytes(16) in rows else len(rows)
    return got[: 16 * done] == right[: 16 * done] and not any(got[16 * done :])


def tell(words: int, told: Told, key: bytes) -> bool:
    """Print it; whether it is as it has to be."""
    print(f"core with {words or 'no'} shadow words: {told.runs} runs with a fault")
    if not words:
        print(f"  {told.wrong} wrong keystreams")
        print(f"  key found:  {told.found[0].hex() if told.found else 'none'}")
        print(f"  key loaded: {key.hex()}")
        return told.found is not None and told.found[0] == key
    print(f"  {told.faulted} faulted, {told.wrong + told.leaked} gave a word that is wrong")
    return told.faulted == told.runs and not told.leaked


def main() -> int:
    """1 where the plain core kept its key, or the other one gave a wrong word."""
    parser = argparse.ArgumentParser(
        prog="python -m injection.story", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--engine", choices=("iss", "rtl", "cosim"), default="iss")
    parser.add_argument("--seed", type=int, default=0, help="of key, IVs and faults (default: 0)")
    options = parser.parse_args()
    chosen = load().configuration
    rounds = max(chosen.rounds)
    cores: dict[int, Callable[[], Engine]]
    if options.engine == "iss":
        cores = {words: lambda words=words: Simulator(rounds, words) for words in (0, STRUCK)}  # type: ignore[misc]
    else:
        cores = {chosen.shadow_words: lambda: make(options.engine, rounds)}
    good = True
    for words, make_engine in cores.items():
        rng = random.Random(options.seed)
        key = rng.randbytes(16)
        good &= tell(words, attack(make_engine, key, rng), key)
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
