"""Mutant schemata: all mutants of a file in one text, selected when the program runs.

A site is a span of the source with the texts that mutants put there. The text written has the original and every
alternative, chosen by a selector, so that one build serves all mutants (Untch, Offutt, Harrold 1993). One mutant is
active at a time: an alternative is the plain source with one change; only the original branch has the inner sites.
"""

from __future__ import annotations

import bisect
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal

Kind = Literal["expression", "statement"]


@dataclass(frozen=True)
class Mutant:
    """One change. number: the value that the selector compares with; line and column count from 1."""

    number: int
    file: str
    line: int
    column: int
    operator: str
    original: str
    mutated: str


@dataclass
class Site:
    """A span of the source, in characters, and what may be there instead: (operator, text)."""

    start: int
    end: int
    kind: Kind
    alternatives: list[tuple[str, str]] = field(default_factory=list)


@dataclass(frozen=True)
class Language:
    """The form of a choice; each takes the selector's text, the alternative and the original."""

    selector: str
    expression: str
    statement: str
    deletion: str

    def choose(self, kind: Kind, number: int, alternative: str, original: str) -> str:
        """The text that is the alternative when the mutant is active, and the original otherwise."""
        form = self.expression if kind == "expression" else self.statement if alternative else self.deletion
        selector = self.selector.replace("#", str(number))
        # No str.format: the texts are full of braces.
        parts = {"SELECTOR": selector, "ALTERNATIVE": alternative, "ORIGINAL": original}
        return "".join(parts.get(word, word) for word in form.split("|"))


SYSTEMVERILOG = Language(
    selector='$c1("lutra_mutant(#)")',  # Verilator's: an expression in the C++ that it writes
    expression="(|SELECTOR| ? (|ALTERNATIVE|) : (|ORIGINAL|))",
    statement="begin if (|SELECTOR|) begin |ALTERNATIVE| end else begin |ORIGINAL| end end",
    deletion="begin if (!|SELECTOR|) begin |ORIGINAL| end end",
)
CPLUSPLUS = Language(
    selector="lutra_mutant(#)",
    expression="(|SELECTOR| ? (|ALTERNATIVE|) : (|ORIGINAL|))",
    statement="{ if (|SELECTOR|) { |ALTERNATIVE| } else { |ORIGINAL| } }",
    deletion="{ if (!|SELECTOR|) { |ORIGINAL| } }",
)


def merged(sites: list[Site]) -> list[Site]:
    """Sites in order, outer before inner; those with the same span and kind are merged."""
    by_span: dict[tuple[int, int, Kind], Site] = {}
    for site in sites:
        known = by_span.setdefault((site.start, site.end, site.kind), Site(site.start, site.end, site.kind))
        known.alternatives += [a for a in site.alternatives if a not in known.alternatives]
    return sorted(by_span.values(), key=lambda s: (s.start, -s.end, s.kind == "expression"))


def alike(one: str, other: str) -> int:
    """Return the length of the common prefix of two texts."""
    return next((i for i, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))


def contrast(original: str, mutated: str, around: int = 24) -> tuple[str, str]:
    """Both texts in one line each; long ones are cut to the part that differs and its surroundings."""
    one, other = " ".join(original.split()), " ".join(mutated.split()) or "(nothing)"
    first = alike(one, other)
    last = min(alike(one[::-1], other[::-1]), len(one) - first, len(other) - first)
    if max(len(one), len(other)) <= 4 * around:
        return one, other

    def part(text: str) -> str:
        start, end = max(0, first - around), min(len(text), len(text) - last + around)
        body = text[start:end] if end - start <= 6 * around else text[start : start + 6 * around] + " ..."
        return ("... " if start else "") + body + (" ..." if end < len(text) else "")

    return part(one), part(other)


class Writer:
    """Numbers the mutants of all files and writes the texts that contain them."""

    def __init__(self) -> None:
        self.mutants: list[Mutant] = []

    def write(self, name: str, source: str, sites: list[Site], language: Language) -> str:
        """The source of file `name` with all its sites; ValueError if two of them cross."""
        self._source, self._name, self._language = source, name, language
        self._lines = [0, *(i + 1 for i, c in enumerate(source) if c == "\n")]
        self._sites = merged(sites)
        self._next = 0
        return self._render(0, len(source))

    def _render(self, start: int, end: int) -> str:
        out, at = [], start
        while self._next < len(self._sites) and self._sites[self._next].start < end:
            site = self._sites[self._next]
            self._next += 1
            if site.end > end or site.start < at:
                raise ValueError(f"{self._name}: sites cross at character {site.start}")
            out += [self._source[at : site.start], self._site(site)]
            at = site.end
        return "".join([*out, self._source[at:end]])

    def _site(self, site: Site) -> str:
        original = self._source[site.start : site.end]
        line = bisect.bisect_right(self._lines, site.start)
        numbers = []
        for operator, text in site.alternatives:
            before, after = contrast(original, text)
            mutant = Mutant(
                number=len(self.mutants) + 1,
                file=self._name,
                line=line,
                column=site.start - self._lines[line - 1] + 1,
                operator=operator,
                original=before,
                mutated=after,
            )
            self.mutants.append(mutant)
            numbers.append(mutant.number)
        text = self._render(site.start, site.end)
        for number, (_, alternative) in zip(numbers, site.alternatives, strict=True):
            text = self._language.choose(site.kind, number, alternative, text)
        return text


def every(sites: list[Site], step: int) -> Iterator[Site]:
    """Every step-th alternative of the sites, in the order of the source."""
    count = 0
    for site in merged(sites):
        kept = []
        for alternative in site.alternatives:
            if count % step == 0:
                kept.append(alternative)
            count += 1
        if kept:
            yield Site(site.start, site.end, site.kind, kept)
