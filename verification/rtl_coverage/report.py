"""Code coverage of the core: line, branch, toggle and expression by module, from the counts that Verilator wrote.

    python -m rtl_coverage.report build/coverage/data --page build/coverage/rtl.md

A point that several instances of a module have, or the cores of both ROUNDS_PER_INSTR, is one point, hit if one of them
hits it. Waivers are in waivers.toml next to this file.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
import tomllib
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

KINDS = ("line", "branch", "toggle", "expr")
# Percent of what is not waived, of the whole core. The toggles that no run makes are upper bits of stall counters and
# of return addresses of deep calls.
LEAST = {"line": 100.0, "branch": 100.0, "toggle": 99.7, "expr": 100.0}
WAIVERS = Path(__file__).with_name("waivers.toml")
BATCH = 50


class ReportError(Exception):
    """Description of the failure, in one line."""


@dataclass(frozen=True, order=True)
class CodePoint:
    """A place that is counted. what: Verilator's comment: the block, the signal's bit, the term of an expression."""

    module: str
    kind: str
    file: str
    line: int
    column: int
    what: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.module}: {self.kind} {self.what}"


@dataclass(frozen=True)
class Waiver:
    """Points that need not be hit: by kind, and regular expressions of the whole module's name and of `what`."""

    kinds: tuple[str, ...]
    module: str
    what: str
    reason: str

    def matches(self, point: CodePoint) -> bool:
        """Whether the waiver is for this point."""
        return (
            point.kind in self.kinds
            and re.fullmatch(self.module, point.module) is not None
            and re.fullmatch(self.what, point.what) is not None
        )


def merge(folder: Path, out: Path) -> Path:
    """All files of a folder as one, by verilator_coverage, some at a time."""
    files = sorted(folder.glob("*.dat"))
    if not files:
        raise ReportError(f"{folder}: no .dat file; run `make coverage`")
    merged: list[Path] = []
    for start in range(0, len(files), BATCH):
        part = files[start : start + BATCH]
        new = out.with_suffix(f".{start % 2}")
        command = ["verilator_coverage", "--write", str(new), *map(str, merged), *map(str, part)]
        run = subprocess.run(command, capture_output=True, text=True, check=False)
        if run.returncode:
            raise ReportError(f"verilator_coverage: {(run.stderr or run.stdout).strip().splitlines()[0]}")
        merged = [new]
    return merged[0].replace(out)


def read(path: Path) -> Counter[CodePoint]:
    """Counts by point."""
    counts: Counter[CodePoint] = Counter()
    for line in path.read_text(encoding="utf-8", errors="replace").splitlines():
        match = re.fullmatch(r"C '(.*)' (\d+)", line)
        if match is None:
            continue
        keys = dict(part.split("\x02", 1) for part in match[1].split("\x01") if part)
        kind, _, module = keys["page"].removeprefix("v_").partition("/")
        point = CodePoint(
            module.partition("__")[0], kind, Path(keys["f"]).name, int(keys["l"]), int(keys["n"]), keys.get("o", "")
        )
        counts[point] += int(match[2])
    return counts


def waivers(path: Path) -> list[Waiver]:
    """The list of waivers."""
    raw = tomllib.loads(path.read_text(encoding="utf-8"))
    return [Waiver(tuple(w["kinds"]), w["module"], w["what"], w["reason"]) for w in raw.get("waive", [])]


@dataclass
class Sum:
    """Points of a module and kind."""

    points: int = 0
    waived: int = 0
    hit: int = 0

    @property
    def percent(self) -> float:
        """Rounded down: 100 means all."""
        whole = self.points - self.waived
        return 100.0 if not whole else self.hit * 10000 // whole / 100


def sums(
    counts: Counter[CodePoint], rules: list[Waiver]
) -> tuple[dict[tuple[str, str], Sum], list[CodePoint], Counter[Waiver]]:
    """Sums by (module, kind), the points that are missing, and how many each waiver takes out."""
    found: dict[tuple[str, str], Sum] = {}
    missing: list[CodePoint] = []
    used: Counter[Waiver] = Counter()
    for point, count in sorted(counts.items()):
        row = found.setdefault((point.module, point.kind), Sum())
        row.points += 1
        if count:
            row.hit += 1
            continue
        rule = next((w for w in rules if w.matches(point)), None)
        if rule is None:
            missing.append(point)
        else:
            used[rule] += 1
            row.waived += 1
    return found, missing, used


def _cell(row: Sum | None) -> str:
    if row is None:
        return ""
    waived = f" ({row.waived} waived)" if row.waived else ""
    return f"{row.hit}/{row.points - row.waived} {row.percent:.2f} %{waived}"


def totals(found: dict[tuple[str, str], Sum]) -> dict[str, Sum]:
    """The sums of the whole core by kind."""
    total = {kind: Sum() for kind in KINDS}
    for (_, kind), row in found.items():
        total[kind].points += row.points
        total[kind].waived += row.waived
        total[kind].hit += row.hit
    return total


def too_low(total: dict[str, Sum]) -> list[str]:
    """Describe what is below LEAST."""
    return [
        f"{k} coverage is {total[k].percent:.2f} %, below {least} %"
        for k, least in LEAST.items()
        if total[k].percent < least
    ]


def table(found: dict[tuple[str, str], Sum]) -> str:
    """Markdown: one row per module, and the whole."""
    total = totals(found)
    lines = [f"| module | {' | '.join(KINDS)} |", "| --- | --- | --- | --- | --- |"]
    for module in sorted({m for m, _ in found}):
        lines.append(f"| {module} | " + " | ".join(_cell(found.get((module, k))) for k in KINDS) + " |")
    lines.append("| all | " + " | ".join(_cell(total[k]) for k in KINDS) + " |")
    return "\n".join(lines) + "\n"


def _reasons(rules: Iterable[Waiver], used: Counter[Waiver]) -> str:
    return "".join(f"- {used[w]} {'/'.join(w.kinds)} of `{w.module}`, `{w.what}`: {w.reason}\n" for w in rules)


def main() -> int:
    """Merge, judge and print; 1 where the data cannot be read, a waiver has no point, or the coverage is too low."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, help="where the .dat files lie")
    parser.add_argument("--page", type=Path, help="write the report there as Markdown")
    parser.add_argument("--missing", action="store_true", help="list every point that is missing")
    args = parser.parse_args()
    try:
        counts = read(merge(args.folder, args.folder.parent / "merged.dat"))
        rules = waivers(WAIVERS)
        found, missing, used = sums(counts, rules)
        unused = next((w for w in rules if not used[w]), None)
        if unused is not None:
            raise ReportError(f"{WAIVERS.name}: waiver {unused.module} {unused.what!r} matches nothing that is missing")
    except (ReportError, OSError) as error:
        print(f"coverage: error: {error}", file=sys.stderr)
        return 1
    text = f"# Code coverage of the core\n\n{table(found)}\n## Waivers\n\n{_reasons(rules, used)}"
    if args.page is not None:
        new = args.page.with_suffix(".new")
        new.write_text(text, encoding="utf-8")
        new.replace(args.page)
    print(table(found), end="")
    if args.missing:
        for point in missing:
            print(f"missing: {point}")
    print(f"{len(missing)} points missing")
    low = too_low(totals(found))
    for fault in low:
        print(f"coverage: error: {fault}; --missing lists the points", file=sys.stderr)
    return 1 if low else 0


if __name__ == "__main__":
    sys.exit(main())
