"""The figures of the main branch, figures.json, and the comparison with what is measured now."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ppa.tools import PpaError

FIGURES = Path(__file__).parent / "figures.json"
# As much worse as a figure may be.
TOLERANCE = 0.03
HELD = {"gates": "GE", "ns": "ns"}


def read(path: Path = FIGURES) -> dict[str, Any]:
    """The document. Raises PpaError."""
    try:
        document: dict[str, Any] = json.loads(path.read_text())
    except (OSError, ValueError) as error:
        raise PpaError(f"{path} cannot be read ({error}); `lutra ppa --record` writes it") from error
    return document


def write(document: Mapping[str, Any], path: Path) -> None:
    """The file as a whole or not at all."""
    path.parent.mkdir(parents=True, exist_ok=True)
    new = path.with_suffix(".new")
    new.write_text(json.dumps(document, indent=1) + "\n")
    new.replace(path)


def merged(known: Mapping[str, Any], measured: Mapping[str, Any]) -> dict[str, Any]:
    """Merge known figures with newly measured sections and configurations."""
    out = dict(known)
    for name, section in measured.items():
        old = known.get(name)
        out[name] = {**old, **section} if isinstance(old, dict) and isinstance(section, dict) else section
    return out


def worse(known: Mapping[str, Any], measured: Mapping[str, Any]) -> list[str]:
    """Describe figures that are worse than recorded by more than the tolerance, and unexpected new paths."""
    out = []
    for name, now in measured.get("configurations", {}).items():
        before = known.get("configurations", {}).get(name)
        if before is None:
            out.append(f"{name}: figures.json has no such configuration; `lutra ppa --record` adds it")
            continue
        for key, unit in HELD.items():
            if now[key] > before[key] * (1 + TOLERANCE):
                more = 100 * (now[key] / before[key] - 1)
                out.append(f"{name}: {now[key]:,} {unit}, recorded {before[key]:,}: {more:.1f} % worse")
        recorded = {_ends(path) for path in before["barred"]}
        out += [f"{name}: among the longest paths: {path}" for path in now["barred"] if _ends(path) not in recorded]
    return out


def _ends(path: str) -> str:
    """Start and end of a path, without its time."""
    return path.partition(" ns ")[2]


def better(known: Mapping[str, Any], measured: Mapping[str, Any]) -> list[str]:
    """Describe figures that are better by more than the tolerance and worth recording."""
    out = []
    for name, now in measured.get("configurations", {}).items():
        before = known.get("configurations", {}).get(name, {})
        out += [
            f"{name}: {now[key]:,} {unit}, recorded {before[key]:,}"
            for key, unit in HELD.items()
            if key in before and now[key] < before[key] * (1 - TOLERANCE)
        ]
    return out
