"""A strict reader of lcov's tracefiles, written from the section FILES of `man geninfo` alone."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field


@dataclass
class Covered:
    """Content of a tracefile for a source. branches: by (line, block, branch); None of a line that never ran."""

    lines: dict[int, int] = field(default_factory=dict)
    branches: dict[tuple[int, int, int], int | None] = field(default_factory=dict)
    functions: dict[str, tuple[int, int]] = field(default_factory=dict)


def read(rows: Iterable[str]) -> dict[str, Covered]:
    """By source; AssertionError where the format is not kept or a sum is wrong."""
    found: dict[str, Covered] = {}
    current: Covered | None = None
    starts: dict[str, int] = {}
    for row in rows:
        key, _, value = row.partition(":")
        if key == "TN":
            continue
        if key == "SF":
            assert current is None and value not in found
            current, starts = found.setdefault(value, Covered()), {}
            continue
        assert current is not None, row
        columns = value.split(",")
        match key:
            case "end_of_record":
                current = None
            case "FN":
                starts[columns[1]] = int(columns[0])
            case "FNDA":
                current.functions[columns[1]] = starts[columns[1]], int(columns[0])
            case "DA":
                assert int(columns[0]) not in current.lines
                current.lines[int(columns[0])] = int(columns[1])
            case "BRDA":
                line, block, branch = map(int, columns[:3])
                current.branches[line, block, branch] = None if columns[3] == "-" else int(columns[3])
            case "LF" | "LH" | "BRF" | "BRH" | "FNF" | "FNH":
                assert int(value) == _sum(current, key), row
            case _:
                raise AssertionError(row)
    assert current is None
    return found


def _sum(of: Covered, key: str) -> int:
    counts: Sequence[int | None] = {
        "L": tuple(of.lines.values()),
        "BR": tuple(of.branches.values()),
        "FN": tuple(runs for _, runs in of.functions.values()),
    }[key[:-1]]
    return len(counts) if key.endswith("F") else sum(bool(count) for count in counts)
