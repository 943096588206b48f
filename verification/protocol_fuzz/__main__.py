"""`python -m protocol_fuzz`: clients that are broken, hostile or mad, for the debug adapter and the language server.

python -m protocol_fuzz --seconds 3600                       # all targets together
python -m protocol_fuzz --target dap --cases 500 --seed 2
python -m protocol_fuzz --target dap --again build/protocol_fuzz/dap-1-77.input
"""

from __future__ import annotations

import argparse
import itertools
import sys
import time
from collections import Counter
from pathlib import Path

from protocol_fuzz.cases import KINDS, Case, case
from protocol_fuzz.process import FindingError, run
from protocol_fuzz.target import Target
from protocol_fuzz.targets import TARGETS
from protocol_fuzz.targets import target as make

WORK = Path(__file__).parents[2] / "build" / "protocol_fuzz"
# A server that fails on everything has been seen to.
MOST_FINDINGS = 20


def campaign(target: Target, seed: int, cases: int | None, seconds: float | None, kinds: tuple[str, ...]) -> int:
    """So many cases, or as many as fit into the time; prints what they came to, returns the number of findings."""
    begin = time.monotonic()
    counted, answers, memory, findings = Counter[str](), 0, 0, 0
    for number in itertools.count():
        if number == cases or findings == MOST_FINDINGS:
            break
        if seconds is not None and time.monotonic() - begin >= seconds:
            break
        made = case(target, seed, number, kinds)
        counted[made.kind] += 1
        try:
            result = run(target, made)
            answers, memory = answers + result.answers, max(memory, result.memory)
        except FindingError as finding:
            findings += 1
            print(f"{target.name} {number}, {made.kind}: {finding}\n    again: {_kept(target, seed, number, made)}")
    kinds_text = ", ".join(f"{counted[kind]:,} {kind}" for kind in KINDS if counted[kind])
    print(f"{target.name}: {sum(counted.values()):,} cases ({kinds_text}), {answers:,} answers, ", end="")
    print(f"at most {memory >> 20} MiB, {time.monotonic() - begin:.0f} s, {findings or 'no'} findings", flush=True)
    return findings


def _kept(target: Target, seed: int, number: int, made: Case) -> str:
    """Keep the input of a finding; the command that sends it again."""
    WORK.mkdir(parents=True, exist_ok=True)
    path = WORK / f"{target.name}-{seed}-{number}.input"
    path.write_bytes(made.data)
    whole = " --whole" if made.whole else ""
    return f"./lutra --with python -m protocol_fuzz --target {target.name} --again {path}{whole}"


def again(target: Target, path: Path, whole: bool) -> int:
    """Send one input, and say what the server does."""
    try:
        result = run(target, Case("again", path.read_bytes(), whole))
    except FindingError as finding:
        print(f"{target.name}: {finding}")
        return 1
    print(f"{target.name}: {result.answers} answers, {result.memory >> 20} MiB, exit code {result.code}")
    return 0


def main() -> int:
    """0 without a finding."""
    parser = argparse.ArgumentParser(prog="python -m protocol_fuzz", description="Fuzzing of lutra's servers.")
    parser.add_argument("--target", default=",".join(TARGETS), metavar="A,B", help=f"some of {', '.join(TARGETS)}")
    parser.add_argument("--kind", default=",".join(KINDS), metavar="A,B", help=f"some of {', '.join(KINDS)}")
    limit = parser.add_mutually_exclusive_group()
    limit.add_argument("--cases", type=int, metavar="N", help="cases of each target (1000)")
    limit.add_argument("--seconds", type=float, metavar="N", help="of all targets together instead")
    parser.add_argument("--seed", type=int, default=1, help="of the cases (1)")
    parser.add_argument("--again", type=Path, metavar="FILE", help="send the input of a finding to the one target")
    parser.add_argument("--whole", action="store_true", help="with --again: its framing is right, so that it is probed")
    options = parser.parse_args()
    names, kinds = options.target.split(","), tuple(options.kind.split(","))
    for known, given, what in ((TARGETS, names, "target"), (KINDS, kinds, "kind")):
        if unknown := [name for name in given if name not in known]:
            parser.error(f"no {what} {', '.join(unknown)}; choose from {', '.join(known)}")
    if options.again and len(names) > 1:
        parser.error("--again needs one --target")
    cases = None if options.seconds else options.cases or 1000
    findings = 0
    for name in names:
        target = make(name)
        if options.again:
            return again(target, options.again, options.whole)
        seconds = options.seconds / len(names) if options.seconds else None
        findings += campaign(target, options.seed, cases, seconds, kinds)
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
