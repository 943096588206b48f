"""`python -m proof_results`: prove, record the results in docs/proofs.json, and write the tables of docs/proofs.md.

A claim that is tried again replaces its result; all others stay as they were recorded, each with its commit. It fails
if a claim is refuted, or one that was proved is open.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import time
from collections.abc import Sequence

from lutra.firmware.errors import FirmwareError
from lutra.firmware.manifest import catalogue
from lutra.prove import Claim, Limits, claims, named, outcomes
from proof_results.page import PAGE, filled
from proof_results.record import RECORD, ROOT, Record


def commit() -> str:
    """HEAD, with `-dirty` where other files than the results are not as committed; empty without git."""

    def git(*arguments: str) -> str:
        done = subprocess.run(["git", "-C", str(ROOT), *arguments], capture_output=True, text=True, check=False)
        return done.stdout.strip() if done.returncode == 0 else ""

    head = git("rev-parse", "--short=12", "HEAD")
    written = (f":(exclude){file.relative_to(ROOT)}" for file in (PAGE, RECORD))
    return f"{head}-dirty" if head and git("status", "--porcelain", "--", ".", *written) else head


def chosen(words: Sequence[str]) -> list[Claim]:
    """The claims of algorithms or folders that have a specification; of no words, all of them."""
    known = catalogue()
    folders = {cipher.manifest.parent.name for cipher in known.offered}
    names = [word for word in words if word not in folders]
    ciphers = [*named(known, names)] if names else []
    ciphers += [cipher for cipher in known.listed if not words or cipher.manifest.parent.name in words]
    return [claim for claim in claims(ciphers) if claim.specified]


def main() -> int:
    """Prove what is asked for, record each result as it comes, and write the page; exits with 2 for an unknown name."""
    parser = argparse.ArgumentParser(prog="python -m proof_results", description=__doc__)
    parser.add_argument("--jobs", type=int, default=1, help="processes (default: %(default)s)")
    parser.add_argument("--new", action="store_true", help="leave out what has a result already")
    parser.add_argument("--page", action="store_true", help="write the tables only; prove nothing")
    parser.add_argument("what", nargs="*", help="algorithms, or folders of firmware; default: all")
    args = parser.parse_args()
    record, now = Record.read(), commit()
    try:
        todo = [] if args.page else [c for c in chosen(args.what) if not (args.new and c.name in record.results)]
    except FirmwareError as error:
        parser.error(str(error))
    lost = []
    began, proved, spent = time.monotonic(), 0, 0.0
    for outcome in outcomes(todo, Limits(), args.jobs):
        if record.loses(outcome):
            lost.append(outcome.claim.name)
        record.add(outcome, now)
        record.write()
        proved, spent = proved + (outcome.state == "proved"), spent + outcome.seconds
        print(f"{outcome.claim.name}: {outcome.state}, {outcome.seconds:.1f} s", flush=True)
    if todo:
        print(
            f"{proved} of {len(todo)} proved; {spent:.0f} s of the processor, {time.monotonic() - began:.0f} s in all"
        )
    PAGE.write_text(filled(PAGE.read_text(), record))
    if lost:
        print(f"refuted, or no longer proved: {', '.join(lost)}", file=sys.stderr)
    return int(bool(lost))


if __name__ == "__main__":
    sys.exit(main())
