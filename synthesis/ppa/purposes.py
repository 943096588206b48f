"""Purpose of each module of the core, and the longest path into it: docs/where-the-gates-go.md."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ppa.tools import PpaError

# Purpose -> its modules, as a pattern of the whole name.
PURPOSES = {
    "sources and results": r"lutra_(operands|counter)",
    "blocks before t0 and of the first half": r"lutra_(first_half|[xml]1(_\w+)?|[pl]0(_\w+)?)",
    "blocks of the second half": r"lutra_[pxmlaf]2(_\w+)?|lutra_merged_half",
    "registers between the blocks": r"lutra_(execute|datapath|second_half)",
    "control down the stages": r"lutra_(core|control|retire)",
    "stream unit": r"lutra_stream\w*",
    "hash unit": r"lutra_hash",
    "multiplier": r"lutra_(multiplier|add3)",
    "addresses, loops, calls": r"lutra_(agu|address|sequencer)",
    "decoder and interlock": r"lutra_(decode\w*|interlock|hazard\w*)",
    "beside the memories": r"lutra_(memories|memory|table|program|host)",
    "wipe and release": r"lutra_(wipe|release)",
    "checks": r"lutra_(second_control|alert|compare|row_check|word_check|buffer)",
    "performance counters": r"lutra_perf",
}

Rows = Iterator[Sequence[object]]


def purpose(module: str) -> str:
    """Return the purpose of a module. Raises PpaError if none is stated."""
    found = [name for name, pattern in PURPOSES.items() if re.fullmatch(pattern, module)]
    if len(found) != 1:
        raise PpaError(f"ppa/purposes.py says {len(found)} times what {module} is for")
    return found[0]


def gates(core: Mapping[str, Any]) -> Rows:
    """Gates and registers by purpose, of the run that keeps the hierarchy."""
    sums = {name: [0, 0] for name in PURPOSES}
    for part in core["modules"]:
        of = sums[purpose(part["module"])]
        of[0] += part["gates"]
        of[1] += part["sequential"]
    yield "purpose", "GE", "of it registers", "%"
    for name, (whole, registers) in sorted(sums.items(), key=lambda item: -item[1][0]):
        if not whole:
            continue  # of another configuration
        yield name, f"{whole:,}", f"{registers:,}", f"{100 * whole / core['kept_gates']:.1f}"


def into(core: Mapping[str, Any]) -> Rows:
    """The longest path into the registers and memories of each module."""
    yield "into", "ns", "from", "to"
    for module, path in core["into"].items():
        yield f"`{module}`", f"{path['ns']:.2f}", f"`{path['start']}`", f"`{path['end']}`"
