"""Run the UVM tests of `lutra_axi` (`make soc-uvm`) and add up their coverage.

    python -m uvm.runner.soc --seeds 4
    python -m uvm.runner.soc --test errors --seed 7 --waves

Each run has a folder under build/soc-uvm/runs with its script, log, coverage and waves. The regression writes
build/soc-uvm/results.xml (JUnit) and build/soc-uvm/coverage.json.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import sys
import time
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from lutra.asm import Image
from lutra.isa import load as load_isa
from lutra.soc import operations
from uvm.runner import benches, regress

# The firmware of most runs is that of the engine's tests: a cipher of three lines in all kinds of operations, and
# routines that misbehave.
TOY = "toy"
TOY_MANIFEST = benches.BENCH / "soc" / "toy" / "toy.toml"
MISBEHAVING = ("toy_trap", "toy_hang", "toy_silent", "toy_wait")
INLINE_KEY_BYTES = 16
KEYS_OF_16 = ("aes128", "snow3g", "zuc")
RESULTS = benches.SOC.out / "results.xml"
COVERAGE = benches.SOC.out / "coverage.json"


@dataclass(frozen=True)
class Kind:
    """A test. seeded: whether it runs with every seed of the regression, on the toy firmware, instead of only the
    first; others: images of soc/firmware that it runs with once."""

    seeded: bool = True
    others: tuple[str, ...] = ()


KINDS = {
    "registers": Kind(seeded=False),
    "traffic": Kind(others=tuple(operations.manifest())),
    "wrong": Kind(others=("aes",)),
    "errors": Kind(),
    "abort": Kind(others=("aes",)),
    "reset": Kind(),
    "trap": Kind(seeded=False),
}


def segments(image: Image) -> Iterable[tuple[int, int, bytes]]:
    """Code of the space, first row and contents of what an image has; a word of the program is in the first 8 bytes."""
    codes = {space.name: space.code for space in load_isa().spaces}
    yield codes["pm"], 0, b"".join(word.to_bytes(8, "little") + bytes(8) for word in image.program)
    for name, runs in image.memory.items():
        for at, data in runs:
            row, skipped = divmod(at, 16)
            padded = bytes(skipped) + data
            yield codes[name], row, padded.ljust(-(-len(padded) // 16) * 16, b"\0")


def script(name: str) -> str:
    """The firmware's rows and table of operations, as sequences/lutra_soc_firmware.svh reads them."""
    firmware = operations.load(name, TOY_MANIFEST) if name == TOY else operations.load(name)
    lines = [f"reset {firmware.stream_reset:x}"]
    for space, row, data in segments(firmware.image):
        for at in range(0, len(data), 16):
            lines.append(f"row {space:x} {row + at // 16:x} {data[at : at + 16].hex()}")
    words = firmware.registers()
    for operation in firmware.operations.values():
        lines.append(f"operation {operation.number:x} {words[operation.number]:x} {key_bytes(operation):x}")
        if operation.name in MISBEHAVING:
            lines.append(f"misbehaves {operation.number:x}")
    return "\n".join(lines) + "\n"


def key_bytes(operation: operations.Operation) -> int:
    """Length of the keys that an operation takes."""
    if operation.has("inline_key"):
        return INLINE_KEY_BYTES
    return 16 if operation.name.startswith(KEYS_OF_16) else 32


@dataclass(frozen=True)
class Run(regress.Run):
    """One simulation. variant: the firmware."""

    @property
    def bench(self) -> benches.Bench:
        return benches.SOC

    @property
    def uvm_test(self) -> str:
        return f"lutra_soc_{self.test}_test"

    def script(self) -> str:
        return script(self.variant)


def regression(seeds: int) -> list[Run]:
    """Every test with every firmware; seeded ones with seeds 1 to `seeds`."""
    toys = [
        Run(test, TOY, seed) for test, kind in KINDS.items() for seed in range(1, (seeds if kind.seeded else 1) + 1)
    ]
    return toys + [Run(test, name) for test, kind in KINDS.items() for name in kind.others]


def coverage(path: Path) -> Counter[str]:
    """Hits of each bin in a run, by covergroup, coverpoint and bin."""
    hits: Counter[str] = Counter()
    for line in path.read_text(errors="replace").splitlines():
        found = re.fullmatch(r"C '(.*)' (\d+)", line)
        if not found:
            continue
        keys = dict(part.partition("\x02")[::2] for part in found[1].split("\x01") if part)
        if keys.get("t") == "covergroup":
            hits[keys["h"]] += int(found[2])
    return hits


def total(results: Iterable[regress.Result]) -> Counter[str]:
    """The coverage of all runs."""
    hits: Counter[str] = Counter()
    for result in results:
        data = result.run.folder / "coverage.dat"
        if data.exists():
            # Bins without a hit count too, which `+` of counters drops.
            hits.update(coverage(data))
    return hits


def by_group(hits: Counter[str]) -> dict[str, tuple[int, int]]:
    """Bins that were reached, and all, by covergroup."""
    groups: dict[str, tuple[int, int]] = {}
    for name, count in hits.items():
        reached, bins = groups.get(group_of(name), (0, 0))
        groups[group_of(name)] = (reached + (count > 0), bins + 1)
    return groups


def group_of(name: str) -> str:
    """The covergroup of a bin's name."""
    return name.partition(".")[0].removeprefix("__vlAnonCG_")


def write_coverage(hits: Counter[str], runs: int, seconds: float) -> None:
    """Record bins by group, those that no run reached, and how long it took."""
    missed = sorted(name.removeprefix("__vlAnonCG_") for name, count in hits.items() if not count)
    groups = {name: {"reached": reached, "bins": bins} for name, (reached, bins) in sorted(by_group(hits).items())}
    record = {"runs": runs, "seconds": round(seconds), "groups": groups, "missed": missed}
    COVERAGE.write_text(json.dumps(record, indent=1) + "\n")


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--test", choices=KINDS, help="this test only")
    parser.add_argument("--firmware", choices=(TOY, *operations.manifest()), default=TOY, help="of `--test`")
    parser.add_argument("--seed", type=int, default=1, help="of `--test`")
    parser.add_argument("--seeds", type=int, default=4, help="seeds of the regression (default: 4)")
    parser.add_argument("--waves", action="store_true", help="of `--test`: write waves.fst")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="simulations at a time")
    parser.add_argument("--json", action="store_true", help="the summary as JSON")
    return parser.parse_args()


def main() -> int:
    args = arguments()
    start = time.monotonic()
    runs = [Run(args.test, args.firmware, args.seed, args.waves)] if args.test else regression(args.seeds)
    results: list[regress.Result] = []
    for n, result in enumerate(regress.simulate_all(runs, args.jobs), 1):
        results.append(result)
        if not args.json:
            verdict = "ok" if result.passed else "FAILED"
            print(f"[{n:3}/{len(runs)}] {result.run.name:<32} {verdict:<6} {result.seconds:6.1f} s", flush=True)
    seconds = time.monotonic() - start
    regress.report(results, seconds, args.json)
    if not args.test:
        regress.write_junit(results, RESULTS)
        hits = total(results)
        write_coverage(hits, len(runs), seconds)
        if not args.json:
            reached = sum(count > 0 for count in hits.values())
            print(f"{reached} of {len(hits)} bins reached, see {COVERAGE.relative_to(benches.ROOT)}")
    return 0 if all(result.passed for result in results) else 1


if __name__ == "__main__":
    sys.exit(main())
