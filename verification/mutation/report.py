"""Results of a run: score by file and layer, survivors with their reasons, as JSON and as a page."""

from __future__ import annotations

import tomllib
from collections import Counter, defaultdict
from collections.abc import Collection, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from mutation.runner import LAYERS, Verdict
from mutation.schemata import Mutant

REASONS = Path(__file__).parent / "survivors.toml"
# The minimum share of mutants that the tests must kill.
REQUIRED = 0.95
PARTS = {".sv": "RTL", ".py": "packets"}


@dataclass(frozen=True)
class Reason:
    """Why mutants survive. line: the source line without its indentation; changes: `column: original -> mutated`."""

    file: str
    line: str
    changes: tuple[str, ...]
    reason: str


def read_reasons(path: Path = REASONS) -> list[Reason]:
    """The list of explained survivors."""
    entries = tomllib.loads(path.read_text()).get("survivor", [])
    return [Reason(e["file"], e["line"], tuple(e["changes"]), e["reason"]) for e in entries]


def change(mutant: Mutant) -> str:
    """Name of a change within its line, as in survivors.toml."""
    return f"{mutant.column}: {mutant.original} -> {mutant.mutated}"


class Explained:
    """Finds the reason of a mutant and keeps track of unused ones."""

    def __init__(self, reasons: list[Reason], lines: dict[str, list[str]]) -> None:
        self.lines = lines
        self.known = {(r.file, r.line, c): r for r in reasons for c in r.changes}
        self.used: set[tuple[str, str, str]] = set()

    def reason(self, mutant: Mutant) -> str:
        """The reason of a survivor, "" if there is none."""
        key = (mutant.file, self.lines[mutant.file][mutant.line - 1].strip(), change(mutant))
        if key not in self.known:
            return ""
        self.used.add(key)
        return self.known[key].reason

    def unused(self) -> list[str]:
        """Entries of the list without a survivor."""
        return [f"{file}: {line}: {what}" for file, line, what in self.known if (file, line, what) not in self.used]


@dataclass(frozen=True)
class Result:
    """A whole run, ready to be written."""

    mutants: dict[int, Mutant]
    verdicts: list[Verdict]
    reasons: dict[int, str]
    unused: list[str]

    @property
    def survivors(self) -> list[Verdict]:
        """Mutants that no test killed."""
        return [v for v in self.verdicts if not v.killed]

    @property
    def unexplained(self) -> list[Verdict]:
        """Survivors that survivors.toml does not explain."""
        return [v for v in self.survivors if not self.reasons[v.number]]

    @property
    def score(self) -> float:
        """Share of the mutants that were killed, 0 to 1."""
        return 1 - len(self.survivors) / len(self.verdicts)


def result(mutants: list[Mutant], verdicts: list[Verdict], root: Path, reasons_of: Path = REASONS) -> Result:
    """Verdicts with the reasons of the survivors, from a file of them."""
    lines = {m.file: (root / m.file).read_text().splitlines() for m in mutants}
    explained = Explained(read_reasons(reasons_of), lines)
    by_number = {m.number: m for m in mutants}
    reasons = {v.number: explained.reason(by_number[v.number]) for v in verdicts if not v.killed}
    return Result(by_number, sorted(verdicts, key=lambda v: v.number), reasons, explained.unused())


def as_json(found: Result) -> dict[str, object]:
    """The whole result, for programs."""
    return {
        "score": found.score,
        "mutants": len(found.verdicts),
        "survivors": len(found.survivors),
        "unexplained": len(found.unexplained),
        "unused_reasons": found.unused,
        "verdicts": [
            {**asdict(found.mutants[v.number]), **asdict(v), "reason": found.reasons.get(v.number, "")}
            for v in found.verdicts
        ],
    }


def table(header: Sequence[str], rows: Sequence[Sequence[object]]) -> list[str]:
    """The lines of a Markdown table."""
    lines: list[Sequence[object]] = [header, ["---"] * len(header), *rows]
    return ["| " + " | ".join(str(cell) for cell in line) + " |" for line in lines]


def code(text: str) -> str:
    """Source as Markdown."""
    return "`" + text.replace("|", "\\|").replace("`", "'") + "`"


def as_page(found: Result, layer_names: Collection[str] = LAYERS.keys()) -> str:
    """The report as Markdown."""
    groups: dict[str, list[Verdict]] = defaultdict(list)
    for verdict in found.verdicts:
        name = found.mutants[verdict.number].file
        groups[name].append(verdict)
        groups[PARTS.get(Path(name).suffix, "simulator")].append(verdict)
    groups["all"] = found.verdicts
    rows: list[list[object]] = []
    for name, verdicts in groups.items():
        layers = Counter(v.layer for v in verdicts)
        killed = sum(v.killed for v in verdicts)
        share = f"{100 * killed / len(verdicts):.1f} %"
        rows.append([name, len(verdicts), *(layers[layer] for layer in layer_names), layers[""], share])
    by = Counter(v.by for v in found.verdicts if v.killed)
    out = [
        "# Mutation",
        "",
        f"{len(found.verdicts)} mutants, {100 * found.score:.1f} % killed.",
        "",
        *table(["file", "mutants", *layer_names, "survived", "killed"], rows),
        "",
        "## Killed by",
        "",
        *table(["what", "mutants"], [[what, n] for what, n in by.most_common()]),
        "",
        "## Survivors",
        "",
    ]
    for verdict in found.survivors:
        m = found.mutants[verdict.number]
        reason = found.reasons[verdict.number] or "**not explained**"
        out.append(f"- {m.file}:{m.line}:{m.column}, {m.operator}: {code(m.original)} to {code(m.mutated)}: {reason}")
    if found.unused:
        out += ["", "## Reasons without a survivor", "", *(f"- {code(entry)}" for entry in found.unused)]
    return "\n".join([*out, ""])
