"""The headers of routines (firmware/README.md) as data: comment blocks with fields in a fixed order."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path

from lutra.asm.image import Image

FIELDS = ("Inputs", "Outputs", "Clobbers", "Memory", "Time", "Cycles")
NEEDED = ("Inputs", "Outputs", "Clobbers", "Time", "Cycles")
# A comment with one of these is a header.
MARKS = (" Inputs:", " Outputs:", " Clobbers:", " Cycles:")
# Placeholders in the names of a header.
# Sizes of four digits go up to 2048 bits, so that sm4128 is sm4 with 128 bits.
PLACES = {"c": "[a-z][a-z0-9]*?", "bits": "[08]|[1-9][0-9]{1,2}|1[0-9]{3}|20[0-4][0-9]", "v": "(?:_[a-z]+)?"}
FORMULA = re.compile(r"[0-9nb ()+*/-]+")
# Suffix of routines whose time depends on secrets.
VARIABLE = "_var"


class HeaderError(Exception):
    """A malformed header; the text is one line."""


def words(name: str) -> set[str]:
    """The words of a routine's name, by which a header tells routines apart: `aes`, `128`, `gcm`, `key`."""
    first = re.match(r"([a-z][a-z0-9]*?)(\d{3})_", name)
    return {*name.split("_"), *(first.groups() if first else ())}


@dataclass(frozen=True)
class Header:
    """One header: the names or patterns of its routines, its fields, and file and line of each."""

    file: Path
    line: int
    names: tuple[str, ...]
    fields: Mapping[str, str]
    places: Mapping[str, tuple[Path, int]]

    @property
    def place(self) -> str:
        return f"{self.file}:{self.line}"

    def _items(self, field: str, name: str) -> list[tuple[str, int]]:
        """Return the items of a field that apply to a routine, and how many words of its name they require."""
        found = []
        for item in self.fields[field].split(", "):
            of = re.fullmatch(r"(.+) \(([a-z0-9 ]+)\)", item)
            if of is None:
                found.append((item, 0))
            elif set(of[2].split()) <= words(name):
                found.append((of[1], len(of[2].split())))
        return found

    def inputs(self) -> set[str]:
        """The words of Inputs, including register names."""
        return set(re.findall(r"\w+", self.fields.get("Inputs", "")))

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

    def cycles(self, name: str, n: int | None, image: Image) -> int | None:
        """Return what the Cycles field says for routine `name` and n units; n None: an unknown number.

        Returns None if the field does not cover n.

        b in a formula is the number of instructions of a block, the symbol `{c}{bits}_steps` of the image.
        Raises HeaderError if the field has no formula for the routine.
        """
        text = self.fields["Cycles"]
        if n is not None and "even n" in text and n % 2:
            return None
        if n is not None and (least := re.search(r"from (\d+)", text)) and n < int(least[1]):
            return None
        if n is not None and (most := re.search(r"n to (\d+)", text)) and n > int(most[1]):
            return None
        if n is not None and (multiple := re.search(r", n a multiple of (\d+)", text)) and n % int(multiple[1]):
            return None
        items = sorted((i for i in self._items("Cycles", name) if FORMULA.fullmatch(i[0])), key=lambda i: -i[1])
        if not items:
            raise HeaderError(f"Cycles has no formula for {name}: {text!r}; write one such as 6n + 15")
        text = items[0][0]
        if n is None and "n" in text:
            return None
        formula = re.sub(r"(?<=[0-9nb)])\s*(?=[nb(])", "*", text).replace("/", "//")
        try:
            values = {"n": n} | ({"b": image.symbol(f"{name.split('_')[0]}_steps").value} if "b" in text else {})
            return int(eval(formula, {"__builtins__": {}}, values))
        except (SyntaxError, TypeError, ArithmeticError) as error:
            raise HeaderError(f"Cycles is not a formula of n: {text!r}") from error
        except KeyError as error:
            raise HeaderError(f"Cycles has b, and the image {error.args[0]} for it") from error

    def missing(self) -> list[str]:
        """The required fields that are missing."""
        return [f for f in NEEDED if f not in self.fields]

    def outputs(self) -> set[str]:
        """The words of Outputs and Memory."""
        return set(re.findall(r"\w+", self.fields.get("Outputs", "") + " " + self.fields.get("Memory", "")))

    def of(self, name: str, routine: str) -> Header:
        """Return the header for one routine: `{c}` in its fields becomes the routine's cipher."""
        found = pattern(name).fullmatch(routine)
        cipher = found.groupdict().get("c") if found else None
        return replace(self, fields={f: t.replace("{c}", cipher) for f, t in self.fields.items()}) if cipher else self

    def completed(self, shared: Header) -> Header:
        """Return the header with its missing fields taken from a shared one."""
        fields = {**shared.fields, **self.fields}
        ordered = {f: fields[f] for f in sorted(fields, key=lambda f: FIELDS.index(f) if f in FIELDS else len(FIELDS))}
        return replace(self, fields=ordered, places={**shared.places, **self.places})


def headers(file: Path) -> tuple[Header, ...]:
    """Return all headers of a file; none if it is not text. Raises HeaderError."""
    try:
        return parse(file, file.read_text(encoding="utf-8"))
    except UnicodeDecodeError:
        return ()


def parse(file: Path, text: str) -> tuple[Header, ...]:
    """Return all headers of a source: comment blocks that begin with `name, name: purpose` and have a field of MARKS.

    Raises HeaderError if a block with such a field does not begin with names.
    """
    if not any(mark in text for mark in MARKS):
        return ()
    found = []
    for start, block in _comments(text.splitlines()):
        if not any(line.startswith(MARKS) for line in block):
            continue
        names = re.match(r" ([\w{}, ]+): ", block[0])
        if names is None:
            raise HeaderError(f"{file}:{start}: a header must begin with the names of its routines and a colon")
        rows: list[str] = []
        places: dict[str, tuple[Path, int]] = {}
        first = block.index("") + 1 if "" in block else 1
        for number, line in enumerate(block[first:], start + first):
            if re.match(r" [A-Z][a-z]+:( |$)", line):
                rows.append(line.strip())
                places[rows[-1].split(":")[0]] = file, number
            elif line.startswith(" " * 10) and rows:
                rows[-1] += " " + line.strip()
            else:
                break
        fields = {row.split(":")[0]: row.split(":", 1)[1].strip() for row in rows}
        found.append(Header(file, start, tuple(n.strip() for n in names[1].split(",")), fields, places))
    return tuple(found)


def _comments(lines: list[str]) -> Iterator[tuple[int, list[str]]]:
    """Blocks of comment lines, without their `//`, and the number of the first."""
    block: list[str] = []
    for number, line in enumerate([*lines, ""], 1):
        if line.startswith("//"):
            block.append(line[2:].rstrip())
        elif block:
            yield number - len(block), block
            block = []


@lru_cache(maxsize=1 << 12)
def pattern(name: str) -> re.Pattern[str]:
    """Return the pattern that a name in a header matches."""
    seen: set[str] = set()

    def place(found: re.Match[str]) -> str:
        word = found[1]
        if word not in PLACES:
            raise HeaderError(f"{{{word}}} in {name} is not a placeholder; choose from {', '.join(PLACES)}")
        again = word in seen
        seen.add(word)
        return f"(?P={word})" if again else f"(?P<{word}>{PLACES[word]})"

    return re.compile(re.sub(r"\{(\w+)\}", place, name))


class Headers:
    """The headers of some files."""

    def __init__(self, found: Iterable[Header]) -> None:
        self.all = tuple(found)
        self._matching: dict[str, list[list[tuple[Header, str]]]] = {}
        # Names by number of their header: those that are the name of one routine, and those with placeholders.
        self._plain: dict[str, list[int]] = {}
        self._places: list[tuple[int, str]] = []
        for number, header in enumerate(self.all):
            for name in header.names:
                if "{" in name:
                    self._places.append((number, name))
                else:
                    self._plain.setdefault(name, []).append(number)

    @classmethod
    def of_files(cls, files: Iterable[Path]) -> Headers:
        """Read the headers of some files. Raises HeaderError."""
        return cls(header for file in files for header in headers(file))

    def matching(self, routine: str) -> list[list[tuple[Header, str]]]:
        """The headers of a routine and the names that match: those with the fewest placeholders; then, if these lack
        fields, those with the next fewest.
        """
        if routine not in self._matching:
            by_places: dict[int, list[tuple[Header, str]]] = {}
            if routine in self._plain:
                by_places[0] = [(self.all[number], routine) for number in self._plain[routine]]
            for number, name in self._places:
                if pattern(name).fullmatch(routine):
                    by_places.setdefault(name.count("{"), []).append((self.all[number], name))
            levels = [found for _, found in sorted(by_places.items())]
            lacks = bool(levels) and any(header.missing() for header, _ in levels[0])
            self._matching[routine] = levels[: 1 + lacks]
        return self._matching[routine]

    def of(self, routine: str) -> Header | None:
        """Return the header of a routine, with missing fields from the one that it shares with other routines.

        Raises HeaderError if it has several.
        """
        found = None
        for level in self.matching(routine):
            if len(level) > 1:
                raise HeaderError(f"{routine} has {len(level)} headers: {', '.join(h.place for h, _ in level)}")
            header = level[0][0].of(level[0][1], routine)
            found = found.completed(header) if found else header
        return found
