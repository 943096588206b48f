"""The headers of firmware routines (firmware/README.md), as data."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

FIELDS = ("Inputs", "Outputs", "Clobbers", "Memory", "Time", "Cycles")


@dataclass(frozen=True)
class Header:
    """One header: the routines below it, and its fields."""

    file: Path
    line: int
    names: tuple[str, ...]
    fields: dict[str, str]

    @property
    def clobbers(self) -> set[str]:
        """Registers by name; `v0-v2` is three."""
        registers: set[str] = set()
        for item in self.fields["Clobbers"].split(","):
            word = item.strip()
            span = re.fullmatch(r"([a-z]+)(\d+)-\1(\d+)", word)
            if span:
                registers |= {f"{span[1]}{n}" for n in range(int(span[2]), int(span[3]) + 1)}
            elif word != "none":
                registers.add(word)
        return registers

    def cycles(self, name: str, n: int) -> int | None:
        """What the Cycles field says for routine `name` and n units; None where it does not cover n."""
        text = self.fields["Cycles"]
        if "even n" in text and n % 2:
            return None
        if (least := re.search(r"from (\d+)", text)) and n < int(least[1]):
            return None
        if (multiple := re.search(r", n a multiple of (\d+)", text)) and n % int(multiple[1]):
            return None
        terms = text.split(", even n")[0].split(", n a ")[0].split(", ")
        size = re.search(r"\d+", name)
        chosen = next((t for t in terms if size and t.endswith(f"({size[0]})")), terms[0])
        formula = re.fullmatch(r"(?:(\d*)n(?:/(\d+))? \+ )?(\d+)(?: \(\d+\))?", chosen)
        assert formula, f"{self.file}:{self.line}: Cycles not understood: {chosen}"
        per_unit = 0 if formula[1] is None else int(formula[1] or 1)
        return per_unit * n // int(formula[2] or 1) + int(formula[3])


def headers(file: Path) -> list[Header]:
    """All headers of a file: comment blocks whose first line is `name, name: purpose` and that have an Inputs field."""
    found = []
    lines = file.read_text().splitlines()
    number = 0
    while number < len(lines):
        block = []
        start = number
        while number < len(lines) and lines[number].startswith("//"):
            block.append(lines[number][2:].strip())
            number += 1
        number += not block
        text = [line for line in block if line]
        if not any(line.startswith("Inputs:") for line in text):
            continue
        first = text[0].split(":")[0]
        rows = [line for line in text if re.match(r"[A-Z][a-z]+: ", line)]
        fields = {row.split(":")[0]: row.split(":", 1)[1].strip() for row in rows}
        found.append(Header(file, start + 1, tuple(n.strip() for n in first.split(",")), fields))
    return found


def routines(file: Path) -> set[str]:
    """Global program labels of a file."""
    return set(re.findall(r"^\s*\.global\s+(\w+)$", file.read_text(), re.M))
