"""Code coverage of the core: line, branch, toggle and expression by module, from the counts that Verilator wrote.

    python -m rtl_coverage.report build/coverage/data --page build/coverage/rtl.md

A point that several instances of a module have, or the cores of both ROUNDS_PER_INSTR, is one point, hit if one of them
hits it. Waivers are in waivers.toml next to this file. LUTRA_CONFIGURATION says which core it is: some are for cores
with a certain parameter only.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
import tomllib
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from lutra.isa import load
from variant import ROOT

KINDS = ("line", "branch", "toggle", "expr")
# Percent of what is not waived, of the whole core. The toggles that no run makes are mostly upper bits of stall
# counters and of return addresses of deep calls, and controls of the second half in a core with one round.
LEAST = {"line": 100.0, "branch": 100.0, "toggle": 99.7, "expr": 100.0}
WAIVERS = Path(__file__).with_name("waivers.toml")
BATCH = 50
GROUPS = ("parameter", "fault", "every core")


class ReportError(Exception):
    """Description of the failure, in one line."""


@dataclass(frozen=True, order=True)
class CodePoint:
    """A place that is counted.

    what: Verilator's comment: the block, the signal's bit, the term of an expression. code: its line of the source,
    without the spaces at its ends.
    """

    module: str
    kind: str
    file: str
    line: int
    column: int
    what: str
    code: str = ""

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.module}: {self.kind} {self.what}"


@dataclass(frozen=True)
class Waiver:
    """Points that need not be hit: by kind, and regular expressions of the whole module's name, `what` and `code`.

    when: parameters of the core, as (name, value), that must all be so; the waiver is for such cores alone, and says
    that they cannot hit its points. tried: where it takes a fault in a gate, the file of the tests or of the campaign
    that put faults there.
    """

    kinds: tuple[str, ...]
    module: str
    what: str
    reason: str
    code: str = ".*"
    when: tuple[tuple[str, int], ...] = ()
    tried: str = ""

    def matches(self, point: CodePoint) -> bool:
        """Whether the waiver is for this point."""
        return (
            point.kind in self.kinds
            and re.fullmatch(self.module, point.module) is not None
            and re.fullmatch(self.what, point.what) is not None
            and re.fullmatch(self.code, point.code) is not None
        )

    @property
    def group(self) -> str:
        """Why its points are not hit."""
        return "fault" if self.tried else "parameter" if self.when else "every core"

    def __str__(self) -> str:
        return f"waiver of {'/'.join(self.kinds)}, {self.module}, {self.what!r}"


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


@cache
def _lines(path: str) -> list[str]:
    return (ROOT / path).read_text(encoding="utf-8").splitlines()


def read(path: Path) -> Counter[CodePoint]:
    """Counts by point."""
    counts: Counter[CodePoint] = Counter()
    for line in path.read_text(encoding="utf-8", errors="replace").splitlines():
        match = re.fullmatch(r"C '(.*)' (\d+)", line)
        if match is None:
            continue
        keys = dict(part.split("\x02", 1) for part in match[1].split("\x01") if part)
        kind, _, module = keys["page"].removeprefix("v_").partition("/")
        name, line_number = Path(keys["f"]).name, int(keys["l"])
        code = _lines(keys["f"])[line_number - 1].strip()
        what = keys.get("o", "")
        point = CodePoint(module.partition("__")[0], kind, name, line_number, int(keys["n"]), what, code)
        counts[point] += int(match[2])
    return counts


def parameters() -> dict[str, int]:
    """The parameters of the core of LUTRA_CONFIGURATION that a waiver may depend on."""
    isa = load()
    core = isa.configuration
    return {
        "PROTECT": int(core.protect),
        "WIPE": int(core.wipe),
        "SHADOW_WORDS": core.shadow_words,
        "KEY_ROWS": core.key_rows,
        "ALERT": int(core.protect or core.shadow_words != 0),  # of lutra_control
        "HasClose": int("close" in core.extensions),
    }


def waivers(path: Path, core: Mapping[str, int]) -> list[Waiver]:
    """The waivers of a core with these parameters. ReportError where one names what there is not."""
    raw = tomllib.loads(path.read_text(encoding="utf-8"))
    rules = []
    for w in raw.get("waive", []):
        when = tuple(w.get("when", {}).items())
        rule = Waiver(
            tuple(w["kinds"]), w["module"], w["what"], w["reason"], w.get("code", ".*"), when, w.get("tried", "")
        )
        if unknown := [name for name, _ in when if name not in core]:
            raise ReportError(f"{path.name}: {rule}: no parameter {unknown[0]}; there are {', '.join(core)}")
        if rule.tried and not (ROOT / rule.tried).is_file():
            raise ReportError(f"{path.name}: {rule}: no file {rule.tried}")
        if all(core[name] == value for name, value in when):
            rules.append(rule)
    return rules


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


@dataclass
class Sums:
    """The result: sums by (module, kind), points that are missing, points by waiver, what is wrong with waivers."""

    by_module: dict[tuple[str, str], Sum] = field(default_factory=dict)
    missing: list[CodePoint] = field(default_factory=list)
    used: Counter[Waiver] = field(default_factory=Counter)
    groups: Counter[tuple[str, str]] = field(default_factory=Counter)  # waived points by (group, kind)
    faults: list[str] = field(default_factory=list)


def sums(counts: Counter[CodePoint], rules: list[Waiver]) -> Sums:
    """Sort the points. A waiver is wrong where it takes out nothing, or what is hit although its core cannot."""
    found = Sums()
    strict = [w for w in rules if w.when]
    for point, count in sorted(counts.items()):
        row = found.by_module.setdefault((point.module, point.kind), Sum())
        row.points += 1
        if count:
            row.hit += 1
            if wrong := next((w for w in strict if w.matches(point)), None):
                found.faults.append(f"{wrong}: its core hits {point}")
            continue
        rule = next((w for w in rules if w.matches(point)), None)
        if rule is None:
            found.missing.append(point)
        else:
            found.used[rule] += 1
            found.groups[rule.group, point.kind] += 1
            row.waived += 1
    found.faults += [f"{w}: nothing that is missing" for w in rules if not found.used[w]]
    return found


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


def reasons(groups: Counter[tuple[str, str]]) -> str:
    """Markdown: waived points by reason and kind."""
    lines = [f"| waived | {' | '.join(KINDS)} |", "| --- | --- | --- | --- | --- |"]
    lines += [f"| {g} | {' | '.join(str(groups[g, k]) for k in KINDS)} |" for g in GROUPS]
    return "\n".join(lines) + "\n"


def _item(rule: Waiver, points: int) -> str:
    code = "" if rule.code == ".*" else f" at `{rule.code}`"
    when = f", {', '.join(f'{name} = {value}' for name, value in rule.when)}" if rule.when else ""
    tried = f" Tried by `{rule.tried}`." if rule.tried else ""
    return f"- {points} {'/'.join(rule.kinds)} of `{rule.module}`, `{rule.what}`{code}{when}: {rule.reason}{tried}\n"


def main() -> int:
    """Merge, judge and print; 1 where the data cannot be read, a waiver is wrong, or the coverage is too low."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, help="where the .dat files lie")
    parser.add_argument("--page", type=Path, help="write the report there as Markdown")
    parser.add_argument("--missing", action="store_true", help="list every point that is missing")
    args = parser.parse_args()
    try:
        rules = waivers(WAIVERS, parameters())
        found = sums(read(merge(args.folder, args.folder.parent / "merged.dat")), rules)
    except (ReportError, OSError) as error:
        print(f"coverage: error: {error}", file=sys.stderr)
        return 1
    tables = f"{table(found.by_module)}\n{reasons(found.groups)}"
    if args.page is not None:
        new = args.page.with_suffix(".new")
        items = "".join(_item(w, found.used[w]) for w in rules)
        new.write_text(f"# Code coverage of the core\n\n{tables}\n## Waivers\n\n{items}", encoding="utf-8")
        new.replace(args.page)
    print(tables, end="")
    if args.missing:
        for point in found.missing:
            print(f"missing: {point}")
    print(f"{len(found.missing)} points missing")
    wrong = [f"{WAIVERS.name}: {fault}" for fault in found.faults]
    wrong += [f"{fault}; --missing lists the points" for fault in too_low(totals(found.by_module))]
    for fault in wrong:
        print(f"coverage: error: {fault}", file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
