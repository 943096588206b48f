"""The page of a night: the findings of every part, and its tree."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from nightly.outcome import Outcome, Tree, changed_since
from nightly.parts import PARTS

HEAD = "| part | result | commit | older than the tree by | time | last line | output |\n" + "| --- " * 7 + "|\n"


def page(root: Path, outcomes: Mapping[str, Outcome], now: Tree, seeds: str) -> str:
    """The newest outcome of every part as Markdown; outcomes of a tree other than `now` are marked."""
    ages = {name: changed_since(root, outcome, now) for name, outcome in outcomes.items()}
    passed = [name for name, o in outcomes.items() if o.result == "passed" and ages[name] == []]
    older = [name for name in outcomes if ages[name] != []]
    missing = [name for name in PARTS if name not in outcomes]
    out = f"# Nightly: {len(passed)} of {len(PARTS)} parts passed on this tree"
    out += f"; of another tree: {', '.join(older)}" if older else ""
    out += f"; not run: {', '.join(missing)}" if missing else ""
    out += f"\n\nCommit {now.commit or 'unknown'}, seeds {seeds}.\n\n{HEAD}"
    for name, o in outcomes.items():
        last = o.last.replace("|", "\\|")
        out += f"| {name}: {PARTS[name].text} | {o.result} | {o.commit or 'unknown'} | {_age(ages[name])} "
        out += f"| {o.seconds:.0f} s | {last} | `{o.log}` |\n"
    return out


def _age(changed: list[str] | None) -> str:
    if changed is None:
        return "unknown"
    return f"{len(changed)} file{'s' if len(changed) > 1 else ''}" if changed else ""
