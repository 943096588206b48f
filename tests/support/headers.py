"""The headers of firmware routines (firmware/README.md), as data."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from lutra.asm import Image

FIRMWARE = Path(__file__).parents[2] / "firmware"
NEEDED = ("Inputs", "Outputs", "Clobbers", "Time", "Cycles")
FIELDS = ("Inputs", "Outputs", "Clobbers", "Memory", "Time", "Cycles")
# What the places in a header's names stand for.
PLACES = {"c": "[a-z][a-z0-9]*?", "bits": "128|192|256", "v": "(?:_[a-z]+)?"}
FORMULA = re.compile(r"[0-9nb ()+*/-]+")


def words(name: str) -> set[str]:
    """The words of a routine's name, by which a header tells routines apart: `aes`, `128`, `gcm`, `key`."""
    first = re.match(r"([a-z]+)(\d{3})_", name)
    return {*name.split("_"), *(first.groups() if first else ())}


@dataclass(frozen=True)
class Header:
    """One header: the routines that it stands over, by names or patterns, and its fields."""

    file: Path
    line: int
    names: tuple[str, ...]
    fields: Mapping[str, str]

    @property
    def place(self) -> str:
        return f"{self.file.relative_to(FIRMWARE)}:{self.line}"

    def _items(self, field: str, name: str) -> list[tuple[str, int]]:
        """Items of a field that hold for a routine, and how many words of its name they ask for: `62 (snow3g)`, one."""
        found = []
        for item in self.fields[field].split(", "):
            of = re.fullmatch(r"(.+) \(([a-z0-9 ]+)\)", item)
            if of is None:
                found.append((item, 0))
            elif set(of[2].split()) <= words(name):
                found.append((of[1], len(of[2].split())))
        return found

    def clobbers(self, name: str) -> set[str]:
        """Registers by name; `v0-v2` is three."""
        registers: set[str] = set()
        for item, _ in self._items("Clobbers", name):
            span = re.fullmatch(r"([a-z]+)(\d+)-\1(\d+)", item)
            if span:
                registers |= {f"{span[1]}{n}" for n in range(int(span[2]), int(span[3]) + 1)}
            elif item != "none":
                registers.add(item)
        return registers

    def cycles(self, name: str, n: int, image: Image) -> int | None:
        """What the Cycles field says for routine `name` and n units; None where it does not cover n.

        b in a formula is the number of instructions of a block, the symbol `{c}{bits}_steps` of the image.
        """
        text = self.fields["Cycles"]
        if "even n" in text and n % 2:
            return None
        if (least := re.search(r"from (\d+)", text)) and n < int(least[1]):
            return None
        if (multiple := re.search(r", n a multiple of (\d+)", text)) and n % int(multiple[1]):
            return None
        items = sorted((i for i in self._items("Cycles", name) if FORMULA.fullmatch(i[0])), key=lambda i: -i[1])
        assert items, f"{self.place}: Cycles says nothing of {name}"
        text = items[0][0]
        values = {"n": n}
        if "b" in text:
            values["b"] = image.symbol(f"{name.split('_')[0]}_steps").value
        formula = re.sub(r"(?<=[0-9nb)])\s*(?=[nb(])", "*", text).replace("/", "//")
        return int(eval(formula, {"__builtins__": {}}, values))


@cache
def headers(file: Path) -> tuple[Header, ...]:
    """All headers of a file: comment blocks that begin with `name, name: purpose` and have an Inputs field."""
    found = []
    lines = file.read_text().splitlines()
    number = 0
    while number < len(lines):
        block = []
        start = number
        while number < len(lines) and lines[number].startswith("//"):
            block.append(lines[number][2:].rstrip())
            number += 1
        number += not block
        if not any(line.startswith(" Inputs:") for line in block):
            continue
        rows: list[str] = []
        for line in block[block.index("") + 1 :]:
            if re.match(r" [A-Z][a-z]+: ", line):
                rows.append(line.strip())
            elif line.startswith(" " * 10) and rows:
                rows[-1] += " " + line.strip()
            else:
                break
        names = re.match(r" ([\w{}, ]+): ", block[0])
        assert names, f"{file}:{start + 1}: a header begins with the names of its routines"
        fields = {row.split(":")[0]: row.split(":", 1)[1].strip() for row in rows}
        found.append(Header(file, start + 1, tuple(n.strip() for n in names[1].split(",")), fields))
    return tuple(found)


def all_headers() -> list[Header]:
    """The headers of all sources and includes."""
    return [header for file in sorted([*FIRMWARE.glob("*/*.s"), *FIRMWARE.glob("*/*.inc")]) for header in headers(file)]


def pattern(name: str) -> re.Pattern[str]:
    """What a name in a header matches."""
    return re.compile(re.sub(r"\{(\w+)\}", lambda place: f"(?:{PLACES[place[1]]})", name))


def names_of(routine: str) -> list[tuple[Header, str]]:
    """The headers and names that a routine goes by, of those that match it the ones with the fewest places."""
    found = [(h, n) for h in all_headers() for n in h.names if pattern(n).fullmatch(routine)]
    least = min((n.count("{") for _, n in found), default=0)
    return [(h, n) for h, n in found if n.count("{") == least]


@cache
def header_of(routine: str) -> Header:
    """The header that a routine stands under."""
    found = names_of(routine)
    assert len(found) == 1, f"{routine}: {[h.place for h, _ in found]} instead of one header"
    return found[0][0]
