"""docs/ciphers.md: how fast each algorithm is, next to published hardware, as a page of Markdown."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from lutra.cli.bench_page import COMMAND, DECRYPTION, line, table
from lutra.cli.errors import CliError
from lutra.firmware.bench import Result
from lutra.firmware.ciphers import Cipher

BEHIND = "▼"
WIDTH = 120
HEADING = f"""<!-- Written by `{COMMAND}`; do not edit. -->
# Ciphers

How fast is an algorithm on one core, and how fast is published hardware?
`{COMMAND}` measures the algorithms on the Verilated core with
the core's own counters and writes this page. The same run writes [Benchmarks](benchmarks.md), which has every variant,
set-up, and short messages.

*Cycles per byte* and *bits per cycle* are the rate of the fastest encryption in the middle of a long message, with
loads, round keys, XOR and stores: [*steady*](benchmarks.md#cycles-per-unit). *All-in*, also in bits per cycle, is the
rate of a whole job that fills the data memories, from start to halt. *Variant* says what is interleaved; see
[Variants](benchmarks.md#variants). *One message* is the rate for a single message, and *decryption* the rate of the
fastest decryption; a table has these columns only where they differ. Algorithms with the same rates share a row, which
shows the lowest *all-in*.

*Published* is in bits per cycle of the other design's own clock, which may be faster or slower than [this core's
clock](ppa.md); the sources are at the end. {BEHIND} marks the rows where one message is slower here. [Published
figures](published-figures.md) lists them all, in Gb/s as well, with what the designs cost.
"""
BLOCK, STREAM, AUTHENTICATED, CHECKS = TITLES = (
    "Block ciphers",
    "Stream ciphers",
    "Authenticated encryption and key wrap",
    "MACs and CRCs",
)


@dataclass(frozen=True)
class Rate:
    """A measured variant of an algorithm."""

    cipher: Cipher
    result: Result

    @property
    def bits(self) -> float:
        """Return the steady rate in bits per cycle."""
        return self.of_cycles(self.result.steady)

    @property
    def all_in(self) -> float:
        return self.of_cycles(self.result.all_in)

    @property
    def published(self) -> Iterator[tuple[float, str]]:
        """Return the published bits per cycle and their source."""
        if same_work := self.result.literature:
            yield self.of_cycles(same_work.cycles_per_unit), same_work.source
        yield from ((design.bits_per_cycle, design.source) for design in self.cipher.hardware)

    def of_cycles(self, cycles_per_unit: float) -> float:
        return 8 * self.cipher.unit_bytes / cycles_per_unit


@dataclass
class Algorithm:
    """All variants of an algorithm, including those that interleave several messages."""

    encryptions: list[Rate] = field(default_factory=list)
    decryptions: list[Rate] = field(default_factory=list)

    @property
    def best(self) -> Rate:
        return _fastest(self.encryptions)

    @property
    def one_message(self) -> float:
        """Return the rate of one message; without a routine for one message, its share of interleaved ones."""
        alone = [rate for rate in self.encryptions if rate.cipher.streams == 1]
        return _fastest(alone).bits if alone else self.best.bits / self.best.cipher.streams

    @property
    def decryption(self) -> float:
        """Return the decryption; where it is not measured separately, encryption, which is the same routine."""
        return _fastest(self.decryptions or self.encryptions).bits


def page(results: Sequence[Result], ciphers: Sequence[Cipher]) -> str:
    """Return the whole page, with every variant of the ciphers."""
    known = {c.name: c for c in ciphers}
    blocks = {c.manifest for c in ciphers if c.kind.is_plain and c.mode}
    groups: dict[str, dict[str, Algorithm]] = {title: {} for title in TITLES}
    for result in results:
        rate = Rate(known[result.cipher], result)
        group = groups[_title(rate.cipher, rate.cipher.manifest in blocks)]
        algorithm = group.setdefault(rate.cipher.base_name, Algorithm())
        (algorithm.decryptions if result.variant.endswith(DECRYPTION) else algorithm.encryptions).append(rate)
    tables = [text for title, group in groups.items() if group for text in (f"\n## {title}\n\n", *_table(group))]
    return "".join([HEADING, *tables, *_sources([a for group in groups.values() for a in group.values()])])


def _title(cipher: Cipher, is_of_block_cipher: bool) -> str:
    if not cipher.kind.encrypts:
        return CHECKS
    if not cipher.kind.is_plain:
        return AUTHENTICATED
    return BLOCK if is_of_block_cipher else STREAM


def _table(group: dict[str, Algorithm]) -> Iterator[str]:
    """Return one row for the algorithms of a manifest whose figures are the same."""
    has_streams = any(a.one_message != a.best.bits for a in group.values())
    has_decryption = any(a.decryptions for a in group.values())
    heads = ["algorithm", "variant", "cycles per byte", "bits per cycle", "all-in"]
    heads += ["one message"] * has_streams + ["decryption"] * has_decryption
    yield from table(*heads, "published")
    rows: dict[tuple[object, ...], list[str]] = {}
    for name, a in group.items():
        more = [_figure(a.one_message)] * has_streams + [_figure(a.decryption)] * has_decryption
        published = ", ".join(_published(bits, source, a.one_message) for bits, source in a.best.published) or "-"
        best = a.best
        speed = (best.result.variant, _figure(8 / best.bits), _figure(best.bits))
        rows.setdefault((best.cipher.manifest, *speed, *more, published), []).append(name)
    for (_, variant, cycles, bits, *rest), names in rows.items():
        all_in = min(group[name].best.all_in for name in names)
        yield line(", ".join(names), variant, cycles, bits, _figure(all_in), *rest)


def _sources(algorithms: Sequence[Algorithm]) -> Iterator[str]:
    sources = dict.fromkeys(source for a in algorithms for _, source in a.best.published)
    yield "\n## Sources\n\n"
    labels: dict[str, str] = {}
    for source in sources:
        if (other := labels.setdefault(_label(source), source)) != source:
            raise CliError(f"literature.toml: {source!r} and {other!r} have the same text before the colon")
        yield textwrap.fill(f"- {source}", WIDTH, subsequent_indent="  ") + "\n"


def _published(bits: float, source: str, one_message: float) -> str:
    """Return a figure and its design, marked where one message is slower here."""
    sign = f" {BEHIND}" if float(_figure(one_message)) < float(_figure(bits)) else ""
    return f"{_figure(bits)} ({_label(source)}){sign}"


def _label(source: str) -> str:
    """Return the short name of a source for a table."""
    return source.partition(":")[0]


def _fastest(rates: Sequence[Rate]) -> Rate:
    return max(rates, key=lambda rate: rate.bits)


def _figure(number: float) -> str:
    """Format with three significant digits, or with all digits before the point."""
    return f"{number:.3g}" if number < 100 else f"{number:.0f}"
