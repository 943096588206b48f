"""docs/benchmarks.md: every row of `lutra bench` and `lutra bench --switch` as a page of Markdown."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from lutra.asm.files import DOCUMENT_BYTES
from lutra.cli.errors import CliError
from lutra.cli.files import read_bounded
from lutra.cli.output import whole_files
from lutra.firmware.bench import Result
from lutra.firmware.switch import Switch

COMMAND = "lutra bench --page docs/benchmarks.md --cipher-page docs/ciphers.md"
DECRYPTION = "-decrypt"
# Explanations of the variants; a name ends in `-decrypt` where decryption is measured separately.
VARIANTS = {
    "fused": "two rounds per instruction",
    "interleaved": "one message, two blocks at a time",
    "packed": "two blocks share registers; Camellia: two rounds of both per instruction",
    "groups": "one message, four or eight blocks at a time, spread over registers by words",
    "unpacked": "one block in a pair of registers, two rounds per instruction",
    "single-stream": "one message in a feedback mode: each block waits for the previous one",
    "one-stream": "one message, a word or less per instruction",
    "two-passes": "one message, read twice: the counter begins with the tag",
    "two-streams": "two interleaved messages",
    "four-streams": "four messages under four keys, a word of each at a time",
    "six-streams": "six interleaved messages",
    "eight-streams": "eight messages under one key, a word of each at a time",
    "sixteen-streams": "sixteen messages under sixteen keys, a byte of each at a time",
    "multiplier": "one message, on a core with the multiplier",
    "pairs": "one message, two blocks at a time in the lanes of a register",
    "four-subtrees": "one message, four subtrees of the keystream at a time",
    "three-words": "one message, three words at a time",
    "bitsliced": "128 messages, a bit of each at a time",
    "generic": "one message, with general-purpose instructions only",
    "64-bit": "eight bytes per instruction",
    "baseline": "one round per instruction, CP-ASIP-style except for SM4; ZUC: two instructions per word",
}
HEADING = f"""<!-- Written by `{COMMAND}`; do not edit. -->
# Benchmarks

`{COMMAND}` measures all rows on the Verilated core and writes
this page and [Ciphers](ciphers.md), which compares the fastest variants with published hardware. With `--check` it
compares the pages with the measurements instead. The cycles come from the core's own counters and do not depend on
keys or data.

## Cycles per unit

*Steady* is the cost of one more unit: two jobs of different length run, and the difference of their cycles is divided
by the difference of their lengths. *All-in* is a whole job that fills the data memories, from start to halt, divided
by its units: loads, keys, XOR and stores are included.
*64 bytes* is a whole message of that length with the key already set up, including all routines that the host calls
for it, where the algorithm takes such a message. For authenticated encryption it includes the start with a 12-byte
nonce, the text and the tag, but no associated data (`lutra bench --bytes 64 --aad 13` adds some); for a MAC, text and
tag; for key wrap, the integrity check; with ciphertext stealing, the end of the message. *Steady* and *all-in* of
authenticated encryption count the text only, without nonce, associated data and tag.
*Bound* is the number of steady cycles that no order of the same instructions can beat, with any number of registers:
one instruction issues per cycle, and the longest chain of results takes its time. Where the cycles reach it, they are
*optimal*.
*Published* is the figure of another processor for the same work. *Tables* and *key* are the cycles of set-up on the
core: filling the tables, and expanding the key; for a stream cipher *key* includes starting with an IV, which happens
once per message. *Words* are the program words of the routine.

The `baseline` variants run on a core with one round per instruction. Where a figure is published, they interleave
blocks as that processor does, and take the same number of cycles.

"""
SWITCHING = """
## From one algorithm to another

Clock cycles of the core from the end of a job of one algorithm (rows) until a job of another can start (columns). The
host writes the program, constants and parameters at one row or word per cycle; the core fills its tables and expands
the key. A CRC gets its tables from the host.

"""


def page(results: Sequence[Result], switches: Sequence[Switch]) -> str:
    """Return the whole page."""
    return "".join([HEADING, *_cycles(results), *_variants(results), SWITCHING, *_matrix(switches)])


def settle(pages: Mapping[Path, str], check: bool) -> None:
    """Write all pages or none, or compare them with the files and name the first line that differs."""
    if check:
        for file, text in pages.items():
            _compare(file, text)
        return
    with whole_files(*pages) as streams:
        for stream, text in zip(streams, pages.values(), strict=True):
            stream.write(text.encode())


def _compare(file: Path, text: str) -> None:
    found, expected = _lines(file), text.split("\n")
    for number, (is_line, should) in enumerate(zip(found, expected, strict=False), 1):
        if is_line != should:
            raise CliError(f"{file}:{number}: is {is_line!r}, measured {should!r}; run: {COMMAND}")
    if len(found) != len(expected):
        raise CliError(f"{file}: has {len(found)} lines, the measured page has {len(expected)}; run: {COMMAND}")


def _lines(file: Path) -> list[str]:
    return read_bounded(file, DOCUMENT_BYTES, "a page").decode("utf-8", "replace").split("\n")


def _cycles(results: Sequence[Result]) -> Iterator[str]:
    heads = "cipher", "variant", "unit", "steady", "bound", "all-in", "64 bytes", "published", "tables", "key", "words"
    yield from table(*heads)
    for r in results:
        digits = 3 if r.unit == "byte" else 2
        published = f"{r.literature.cycles_per_unit:g}" if r.literature else "-"
        figures = (
            f"{r.steady:.{digits}f}",
            _bound(r, digits),
            f"{r.all_in:.{digits}f}",
            "-" if r.message_cycles is None else r.message_cycles,
            published,
        )
        yield line(r.cipher, r.variant, r.unit, *figures, r.tables, r.key_schedule, r.code_words)
    yield "\n"
    yield from (
        f"Published: {source}.\n" for source in dict.fromkeys(r.literature.source for r in results if r.literature)
    )


def _bound(r: Result, digits: int) -> str:
    if r.bound is None:
        return "-"
    return "optimal" if r.optimal else f"{r.bound:.{digits}f}"


def _variants(results: Sequence[Result]) -> Iterator[str]:
    yield f"\n## Variants\n\nA name that ends in `{DECRYPTION}` is the decryption of that variant.\n\n"
    yield from table("variant", "what")
    yield from (line(name, VARIANTS[name]) for name in _meant(r.variant for r in results))


def check_variants(names: Iterable[str]) -> None:
    """Raise CliError for a variant that the page cannot explain, before hours of measurements."""
    for name in _meant(names):
        if name not in VARIANTS:
            raise CliError(f"lutra.cli.bench_page has no explanation of the variant {name!r}; add one to VARIANTS")


def _meant(names: Iterable[str]) -> Iterable[str]:
    return dict.fromkeys(name.removesuffix(DECRYPTION) for name in names)


def _matrix(switches: Sequence[Switch]) -> Iterator[str]:
    cycles = {(s.source, s.target): s.clocks for s in switches}
    names = dict.fromkeys(s.source for s in switches)
    yield from table("from, to", *names)
    for source in names:
        yield line(source, *(cycles.get((source, target), "-") for target in names))


def table(*heads: str) -> Iterator[str]:
    yield line(*heads)
    yield line(*["---"] * len(heads))


def line(*cells: object) -> str:
    return f"| {' | '.join(map(str, cells))} |\n"
