"""The tables of docs/speed.md, from the figures of a measurement."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from statistics import median
from typing import Any

from speed.commands import ROOT
from speed.errors import SpeedError
from speed.simulator import RECORDED, Row

PAGE = ROOT / "docs" / "speed.md"
COMMAND = "python -m speed --page"
HEADLINE = "aes-128-ctr"
_TABLE = re.compile(r"(<!-- table: (\w+) -->\n).*?(<!-- end -->)", re.S)

Document = Mapping[str, Any]
Rows = Iterator[Sequence[object]]


def rows(document: Document) -> list[Row]:
    """The rows of the simulator."""
    return [Row(**row) for row in document["rows"]]


def _modes(document: Document) -> list[str]:
    return [*document["machine"]["levels"], RECORDED]


def _machine(document: Document) -> Rows:
    yield "what", "value"
    machine = document["machine"]
    yield "processor", f"{machine['cpu']}, {machine['cores']} cores"
    yield "load at the beginning and at the end", " and ".join(str(load) for load in document["load"])
    yield "commit", f"`{machine['commit'] or 'unknown'}`"
    yield "Python", machine["python"]
    yield "CPU time per figure", f"{document['seconds']:g} s"


def _summary(document: Document) -> Rows:
    yield "mode", "least MIPS", "of", "median MIPS", f"{HEADLINE}, MIPS", "Gb/s", "million cycles per second"
    found = rows(document)
    if not found:
        return
    headline = next((row for row in found if row.cipher == HEADLINE), None)
    for mode in _modes(document):
        least = min(found, key=lambda row: row.mips(mode))
        shown: tuple[str, ...] = ("-", "-", "-")
        if headline is not None:
            cycles = headline.cycles_per_second(mode) / 1e6
            shown = f"{headline.mips(mode):.1f}", f"{headline.gbits(mode):.2f}", f"{cycles:.1f}"
        middle = median(row.mips(mode) for row in found)
        yield mode, f"{least.mips(mode):.1f}", f"{least.cipher}, {least.variant}", f"{middle:.1f}", *shown


def _rows(document: Document) -> Rows:
    modes = _modes(document)
    best = document["machine"]["levels"][-1]
    yield "cipher", "variant", *(f"MIPS, {mode}" for mode in modes), f"Gb/s, {best}"
    for row in rows(document):
        yield row.cipher, row.variant, *(f"{row.mips(mode):.1f}" for mode in modes), f"{row.gbits(best):.3f}"


def _crypt(document: Document) -> Rows:
    yield "`lutra crypt` with aes-128-ctr", "CPU seconds", "most memory, MB"
    if found := document.get("crypt"):
        yield f"{found['bytes'] / 1e6:g} MB", f"{found['seconds']:.2f}", f"{found['memory_bytes'] / 1e6:.0f}"
        yield "16 bytes: start-up", f"{found['start_up_seconds']:.2f}", f"{found['start_up_memory_bytes'] / 1e6:.0f}"


def _core(document: Document) -> Rows:
    yield "engine", "million cycles per second", "million instructions per second"
    names = {"rtl": "the Verilated core", "cosim": "core and simulator in lock-step"}
    for name, found in document.get("core", {}).items():
        both = (found[key] / 1e6 for key in ("cycles_per_second", "instructions_per_second"))
        yield names[name], *(f"{rate:.3f}" for rate in both)


def _others(document: Document) -> Rows:
    yield "command", "CPU seconds"
    for what, seconds in document.get("others", {}).items():
        yield what, f"{seconds:.2f}"


def _spike(document: Document) -> Rows:
    yield "simulator", "program", "instructions", "MIPS"
    if (found := document.get("spike")) is None:
        return
    yield f"Spike {found['version']}", "a loop of table look-ups, RV64", f"{found['instructions']:,}", found["mips"]
    best = document["machine"]["levels"][-1]
    for row in rows(document):
        if row.cipher == HEADLINE:
            yield f"Lutra's, {best}", f"{row.cipher}, {row.variant}", "-", f"{row.mips(best):.1f}"


TABLES: Mapping[str, Callable[[Document], Rows]] = {
    "machine": _machine,
    "summary": _summary,
    "crypt": _crypt,
    "core": _core,
    "others": _others,
    "spike": _spike,
    "rows": _rows,
}
# Measured in any case; without figures, the others are left out of what is printed.
_EMPTY = "Not measured yet.\n"


def _markdown(heads: Sequence[object], lines: Sequence[Sequence[object]]) -> str:
    if not lines:
        return _EMPTY
    table = [heads, ["---"] * len(heads), *lines]
    return "".join(f"| {' | '.join(map(str, line))} |\n" for line in table)


def table(name: str, document: Document) -> str:
    """A table as Markdown."""
    heads, *lines = TABLES[name](document)
    return _markdown(heads, lines)


def printed(document: Document) -> str:
    """All tables that have figures, as Markdown for the terminal."""
    texts = (table(name, document) for name in TABLES)
    return "\n".join(text for text in texts if text != _EMPTY)


def filled(text: str, document: Document) -> str:
    """The page with its tables written anew. Raises SpeedError where page and tables do not fit each other."""
    odd = {name for _, name, _ in _TABLE.findall(text)} ^ set(TABLES)
    if odd:
        raise SpeedError(f"{PAGE.name}: the tables of the page and of speed/page.py differ: {', '.join(sorted(odd))}")
    return _TABLE.sub(lambda found: found[1] + table(found[2], document) + found[3], text)
