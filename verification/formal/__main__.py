"""`python -m formal`: prove everything, or the proofs whose names contain a word; print the table."""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from itertools import groupby
from pathlib import Path

from formal import cluster, control, decoder, dma, functions, hash_unit, multiplier, streams, wiring
from formal.hdl import PRISTINE, ROOT, ElaborationError
from formal.proof import Proof, UndecidedError
from isagen import configuration, reader
from isagen.errors import IsaError
from isagen.model import Isa
from lutra.isa import load

GROUPS = (functions, wiring, streams, hash_unit, multiplier, decoder, control, dma, cluster)


def description() -> Isa:
    """The instruction set of the active configuration."""
    isa = reader.read(reader.dump(ROOT / "isa" / "lutra.td", "llvm-tblgen-19"))
    return configuration.reduced(isa, {}, load().configuration)


def all_proofs(isa: Isa) -> list[Proof]:
    """Every row of the table."""
    return [p for group in GROUPS for p in group.proofs(isa)]


def table(proofs: list[Proof]) -> str:
    """The table of docs/formal.md, one section per group."""
    out = ""
    for group, rows in groupby(proofs, lambda p: p.group):
        out += f"### {group}\n\n| proof | statement | method |\n| --- | --- | --- |\n"
        cells = [(p.name, p.statement, p.method) for p in rows]
        out += "".join("| " + " | ".join(c.replace("|", "\\|") for c in row) + " |\n" for row in cells) + "\n"
    return out


def outcomes(names: list[str]) -> list[tuple[str, str, float]]:
    """Run some proofs in this process."""
    return [outcome(p) for p in all_proofs(_isa()) if p.name in names]


def outcome(proof: Proof) -> tuple[str, str, float]:
    """`proven`, `refuted` or `undecided`, details, seconds."""
    start = time.monotonic()
    try:
        found = proof.check(PRISTINE)
        result, detail = ("refuted", str(found)) if found else ("proven", "")
    except (UndecidedError, ElaborationError) as error:
        result, detail = "undecided", str(error)
    return result, detail, time.monotonic() - start


_KNOWN: list[Isa] = []


def _isa() -> Isa:
    if not _KNOWN:
        _KNOWN.append(description())
    return _KNOWN[0]


def run(proofs: list[Proof], jobs: int) -> Iterator[tuple[Proof, str, str, float]]:
    """All proofs, in order; those of one run of the model checker stay in one process."""
    batches = [list(rows) for _, rows in groupby(proofs, lambda p: p.shared or p.name)]
    with ProcessPoolExecutor(jobs) as pool:
        for batch, results in zip(batches, pool.map(outcomes, [[p.name for p in b] for b in batches]), strict=True):
            for proof, result in zip(batch, results, strict=True):
                yield proof, *result


def main() -> int:
    """Prove what the command line names and print the results; 1 if a proof is missing."""
    parser = argparse.ArgumentParser(
        prog="python -m formal", description=__doc__, epilog="example: make formal FORMAL_ARGS='hash_step'"
    )
    parser.add_argument("words", nargs="*", help="prove only what has one of these words in its name")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the results there as well")
    parser.add_argument("--table", action="store_true", help="print the table for docs/formal.md and stop")
    args = parser.parse_args()
    try:
        proofs = all_proofs(_isa())
    except IsaError as error:
        print("\n".join(error.findings), file=sys.stderr)
        return 1
    if args.table:
        print(table(proofs), end="")
        return 0
    if args.words:
        proofs = [p for p in proofs if any(w in p.name for w in args.words)]
    if not proofs:
        print(f"no proof has {' or '.join(args.words)} in its name; make formal shows all names", file=sys.stderr)
        return 1
    width = max(len(p.name) for p in proofs)
    rows, failed = [], 0
    for number, (proof, result, detail, seconds) in enumerate(run(proofs, args.jobs), 1):
        print(
            f"[{number:3}/{len(proofs)}] {proof.name:{width}}  {result:9} {seconds:6.1f} s  {proof.method}", flush=True
        )
        if detail:
            print(detail, file=sys.stderr, flush=True)
        failed += result != "proven"
        rows.append({"name": proof.name, "group": proof.group, "result": result, "seconds": round(seconds, 2)})
    print(f"{len(rows) - failed} of {len(rows)} proven")
    if args.json:
        args.json.parent.mkdir(parents=True, exist_ok=True)
        new = args.json.with_suffix(".new")
        new.write_text(json.dumps(rows, indent=1) + "\n")
        new.replace(args.json)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
