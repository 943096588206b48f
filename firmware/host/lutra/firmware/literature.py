"""Published figures next to ours, from firmware/literature.toml: cycles of processors and rates of designs."""

from __future__ import annotations

import functools
from collections.abc import Iterator

from msgspec import field

from lutra.firmware.ciphers import BenchCase, Direction, Hardware, Literature
from lutra.firmware.errors import FirmwareError
from lutra.firmware.schema import Positive, Strings, Table, convert, one_of
from lutra.firmware.tables import SOURCES, read

FILE = "literature.toml"


class Processor(Table, frozen=True):
    """Another processor. cycles_per_unit: by cipher and key size. rows: ours on docs/published-figures.md."""

    source: str
    cycles_per_unit: dict[str, Positive]
    rows: dict[str, Strings] = field(default_factory=dict)
    mhz: Positive | None = None
    gates: Positive | None = None
    area: str | None = None
    technology: str | None = None


class Figure(Table, frozen=True):
    """A design. algorithms: those that show it, by their names."""

    paper: str
    work: str
    design: str | None = None
    area: str | None = None
    technology: str | None = None
    power: str | None = None
    where: str | None = None
    note: str | None = None
    bits_per_cycle: Positive | None = None
    cycles_per_unit: Positive | None = None
    gbps: Positive | None = None
    mhz: Positive | None = None
    algorithms: tuple[str, ...] = ()
    rows: Strings | None = None

    def rate(self, unit_bytes: int) -> float | None:
        """Bits per cycle for an algorithm of that unit; None if the figure has none."""
        if self.bits_per_cycle is None and self.cycles_per_unit is not None:
            return 8 * unit_bytes / self.cycles_per_unit
        return self.bits_per_cycle


class Document(Table, frozen=True):
    """The whole file. aes: designs of AES, which only docs/published-figures.md shows."""

    papers: dict[str, str]
    processors: dict[str, Processor]
    figure: list[Figure]
    aes: list[dict[str, object]] = field(default_factory=list)


@functools.cache
def document() -> Document:
    """Return the file. FirmwareError naming it where it is wrong."""
    return convert(FILE, read(SOURCES / FILE), Document)


def bench_case(where: str, variant: str, source: str, work: str) -> BenchCase:
    """A line of `bench` and the figure that a processor has for the same work, if it has one."""
    direction: Direction = "decrypt" if variant.endswith("-decrypt") else "encrypt"
    if not source:
        return BenchCase(variant, direction, None)
    processors = document().processors
    published = processors[one_of(where, "literature", source, processors)]
    figure = published.cycles_per_unit.get(work)
    return BenchCase(variant, direction, None if figure is None else Literature(published.source, figure))


def hardware(name: str, with_bits: str, unit_bytes: int) -> Iterator[Hardware]:
    """Published rates of an algorithm, by its name in the manifest without streams, and by that of its key size."""
    papers = document().papers
    names = {name, with_bits}
    for figure in document().figure:
        if names.isdisjoint(figure.algorithms):
            continue
        where = f"{FILE}: {name}"
        paper = papers[one_of(where, "paper", figure.paper, papers)]
        rate = figure.rate(unit_bytes)
        if figure.design is None or rate is None:
            raise FirmwareError(f"{where}: {'cycles_per_unit' if figure.design else 'design'} is missing")
        yield Hardware(f"{figure.design}: {paper}", rate)
