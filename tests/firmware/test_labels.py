"""A label means one thing in all of the firmware, so that a name in a trace or a debugger needs no image with it."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

from support.firmware import FIRMWARE

LABEL = re.compile(r"([A-Za-z_]\w*):")
MACRO = re.compile(r"\s*\.(macro|endm)\b")


def labels(source: Path) -> Iterator[str]:
    """Labels of a source. Those of macros depend on their arguments and are left out."""
    depth = 0
    for line in source.read_text().splitlines():
        if found := MACRO.match(line):
            depth += 1 if found[1] == "macro" else -1
        elif (label := LABEL.match(line)) and not depth:
            yield label[1]


def test_a_label_is_defined_in_one_file() -> None:
    files = defaultdict(set)
    for source in sorted(FIRMWARE.rglob("*.s")) + sorted(FIRMWARE.rglob("*.inc")):
        for label in labels(source):
            files[label].add(str(source.relative_to(FIRMWARE)))
    assert len(files) > 500
    assert {label: sorted(where) for label, where in files.items() if len(where) > 1} == {}
