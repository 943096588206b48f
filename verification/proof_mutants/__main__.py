"""`python -m proof_mutants`: no mutant that changes a result may be proved."""

from __future__ import annotations

import argparse
import random
import sys
from collections import Counter
from itertools import islice

from lutra.firmware.manifest import catalogue
from lutra.prove import Claim, Limits, Outcome, claims, named, outcomes
from lutra.prove.counterexample import search
from lutra.prove.registry import specification
from proof_mutants.mutants import Mutant, mutants

# One algorithm of every kind of set-up and loop.
ALGORITHMS = (
    *("aes-128-ctr", "aes-256-cbc", "aes-128-cfb", "aria-128-ofb", "camellia-128-ctr", "sm4-128-cbc"),
    "des-64-cbc",
    *("snow3g", "zuc-128", "chacha20", "aes-128-gcm"),
)


def judged(mutant: Mutant, outcome: Outcome) -> str:
    """Return `refuted` with a message as evidence, `not proved`, `equal` where it changes no result, or `missed`."""
    if outcome.state == "refuted":
        return "refuted"
    if outcome.state == "open":
        return "not proved"
    spec = specification(mutant.claim.cipher, mutant.claim.direction)
    assert spec is not None
    encryption = specification(mutant.claim.cipher, "encrypt")
    found = search(mutant.claim.cipher, mutant.claim.direction, mutant.claim.implementation, spec, encryption)
    return "missed" if found else "equal"


def chosen(names: list[str], image: str = "") -> list[Claim]:
    """The claims of algorithms that are mutated: their implementations by an image, or else the default ones."""
    known = claims(named(catalogue(), names))
    if image:
        return [c for c in known if c.implementation.image.name == image]
    return [c for c in known if c.implementation is c.cipher.default]


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m proof_mutants", description=__doc__)
    parser.add_argument("--count", type=int, default=500, help="mutants (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="of their choice (default: %(default)s)")
    parser.add_argument("--jobs", type=int, default=1, help="processes (default: %(default)s)")
    parser.add_argument("--image", default="", help="image that is mutated (default: that of each algorithm)")
    parser.add_argument("algorithms", nargs="*", default=list(ALGORITHMS), help="default: one of every kind")
    args = parser.parse_args()
    if args.count < 1:
        parser.error("--count is at least 1")
    todo = chosen(args.algorithms, args.image)
    if not todo:
        parser.error(f"no algorithm of these is in the image {args.image}")
    counts: Counter[tuple[str, str]] = Counter()
    for n, claim in enumerate(todo):
        share = args.count // len(todo) + (n < args.count % len(todo))
        tried = list(islice(mutants(claim, random.Random(f"{args.seed} {claim.name}")), share))
        for mutant, outcome in zip(tried, outcomes([m.claim for m in tried], Limits(), args.jobs), strict=True):
            verdict = judged(mutant, outcome)
            counts[mutant.kind, verdict] += 1
            if verdict == "missed":
                print(f"proved, but it is wrong: {claim.name}: {mutant.text}", flush=True)
        print(f"{claim.name}: {share} mutants", flush=True)
    for (kind, verdict), count in sorted(counts.items()):
        print(f"{kind}: {count} {verdict}")
    return int(any(verdict == "missed" for _, verdict in counts))


if __name__ == "__main__":
    sys.exit(main())
