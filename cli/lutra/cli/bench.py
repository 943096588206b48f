"""`lutra bench`: cycles of the firmware next to published figures."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal

import typer

from lutra.cli import bench_page, cipher_page
from lutra.cli.checks import usage_checks
from lutra.cli.errors import UsageError
from lutra.cli.files import distinct
from lutra.cli.options import JsonOption, ManifestOption, served
from lutra.cli.output import print_json, progress
from lutra.cli.request import takes
from lutra.firmware import bench, switch
from lutra.firmware.ciphers import Cipher, Hardware
from lutra.firmware.errors import nearest
from lutra.firmware.manifest import Catalogue, catalogue


@dataclass(frozen=True, kw_only=True)
class Request:
    """Options of the command."""

    cipher: Annotated[
        list[str] | None,
        typer.Option("--cipher", metavar="NAME", help="Measure only this cipher, MAC or CRC; repeatable."),
    ] = None
    variant: Annotated[
        list[str] | None,
        typer.Option("--variant", metavar="NAME", help="Measure only this variant, e.g. baseline; repeatable."),
    ] = None
    switching: Annotated[
        bool, typer.Option("--switch", help="Measure the cycles to switch between algorithms, one per cipher.")
    ] = False
    engine: Annotated[
        Literal["rtl", "iss", "cosim"],
        typer.Option("--engine", help="Count on the core, on the simulator, or on both in lock-step."),
    ] = "rtl"
    size: Annotated[
        int | None,
        typer.Option(
            "--bytes", metavar="N", min=0, max=1 << 20, help="Length of the short message in bytes; default 64."
        ),
    ] = None
    aad: Annotated[
        int | None,
        typer.Option(
            "--aad", metavar="N", min=0, help="Associated data of the short message in bytes (AEAD); default 0."
        ),
    ] = None
    page: Annotated[
        Path | None,
        typer.Option("--page", metavar="FILE.md", help="Write all rows and switches as a Markdown page."),
    ] = None
    of_ciphers: Annotated[
        Path | None,
        typer.Option("--cipher-page", metavar="FILE.md", help="Write a Markdown page that compares with hardware."),
    ] = None
    check: Annotated[bool, typer.Option("--check", help="Compare the pages instead of writing them.")] = False
    manifest: ManifestOption = None
    json: JsonOption = False

    @property
    def has_pages(self) -> bool:
        """Whether a page is written or compared."""
        return self.page is not None or self.of_ciphers is not None

    @property
    def has_sizes(self) -> bool:
        """Whether the short message has sizes of its own."""
        return self.size is not None or self.aad is not None

    @property
    def short(self) -> bench.Message:
        """The short message."""
        usual = bench.Message()
        return bench.Message(
            usual.size if self.size is None else self.size, usual.aad if self.aad is None else self.aad
        )


@takes(Request)
def command(request: Request) -> None:
    """Measure cycles per block, next to published figures.

    Jobs fill the data memories and run from start to halt, so loads, keys, XOR and stores are included. The column "64
    bytes" counts one whole message of that length with the key already set up; for AEAD that includes the nonce, the
    associated data and the tag. Without --cipher, all ciphers are measured; with --manifest, all in your manifests.

    \b
    Example:
      lutra bench --cipher aes-128-ctr --cipher aes-256-cbc
      lutra bench --variant baseline
      lutra bench --cipher aes-128-gcm --bytes 1500 --aad 13
      lutra bench --page docs/benchmarks.md --cipher-page docs/ciphers.md --check --engine iss
    """
    _check(request)
    known = catalogue() if request.has_pages else served(request.manifest)
    if request.switching:
        _switch(known, request.cipher or [c.name for c in known.own] or switch.NAMES, request.json)
        return
    with usage_checks():
        chosen = [known.cipher(name) for name in request.cipher or ()] or known.listed
    results = _measured(request, chosen)
    if request.has_pages:
        bench_page.settle(_pages(request, known, chosen, results), request.check)
    elif request.json:
        print_json([r.as_json() for r in results])
    else:
        print(table(results))


def _check(request: Request) -> None:
    """Refuse options that do not fit together. Raises UsageError."""
    others = request.cipher or request.variant or request.switching or request.json or request.manifest
    if request.has_pages and (others or request.has_sizes):
        raise UsageError(
            "a page has every row; with --page or --cipher-page, give no other options than --check and --engine"
        )
    if request.has_pages and request.engine != "rtl" and not request.check:
        raise UsageError(
            "pages are written from the core's counters; leave out --engine, or add --check to compare only"
        )
    if request.check and not request.has_pages:
        raise UsageError("--check compares a page; name it with --page or --cipher-page")
    distinct({}, {"--page": request.page, "--cipher-page": request.of_ciphers})
    if request.switching and (request.variant or request.engine != "rtl" or request.has_sizes):
        raise UsageError("--switch measures clock cycles of the core; leave out --variant, --engine, --bytes and --aad")


def _measured(request: Request, chosen: Sequence[Cipher]) -> list[bench.Result]:
    """Measure the chosen variants of the chosen ciphers."""
    wanted, lines = request.variant or (), [v for cipher in chosen for v in bench.variants(cipher)]
    if stray := next((name for name in wanted if name not in lines), ""):
        hint = nearest(stray, lines) or f"; choose from {', '.join(dict.fromkeys(lines))}"
        raise UsageError(f"no variant {stray!r}{hint}")
    if request.page is not None:
        bench_page.check_variants(lines)
    results: list[bench.Result] = []
    with progress("measuring", sum(v in wanted for v in lines) if wanted else len(lines)) as done:
        found = bench.measure(
            chosen,
            request.engine,
            wanted,
            speeds=not request.has_pages,
            short=request.short,
            bounds=request.json or request.page is not None,
        )
        for result in found:
            results.append(result)
            done(len(results))
    return results


def _pages(
    request: Request, known: Catalogue, chosen: Sequence[Cipher], results: list[bench.Result]
) -> dict[Path, str]:
    """Return the pages by their files."""
    pages: dict[Path, str] = {}
    if request.page is not None:
        switches = list(switch.measure([known.cipher(name) for name in switch.NAMES]))
        pages[request.page] = bench_page.page(results, switches)
    if request.of_ciphers is not None:
        pages[request.of_ciphers] = cipher_page.page(results, chosen)
    return pages


def _switch(known: Catalogue, names: Sequence[str], json: bool) -> None:
    with usage_checks():
        chosen = [known.cipher(name) for name in dict.fromkeys(names)]
    if len(chosen) < 2:
        raise UsageError("--switch needs two algorithms; give --cipher twice, or leave it out for all")
    found: list[switch.Switch] = []
    with progress("switching", len(chosen) * (len(chosen) - 1)) as done:
        for result in switch.measure(chosen):
            found.append(result)
            done(len(found))
    if json:
        print_json({"engine": "rtl", "switches": [s.as_json() for s in found]})
    else:
        print(matrix(found))


def matrix(switches: list[switch.Switch]) -> str:
    """Return the cycles by source (lines) and target (columns), and their parts."""
    cycles = {(s.source, s.target): str(s.clocks) for s in switches}
    names = list(dict.fromkeys(s.source for s in switches))
    rows = [["from, to", *names], *([a, *(cycles.get((a, b), "-") for b in names)] for a in names)]
    by_target = sorted(switches, key=lambda s: names.index(s.target))
    parts = dict.fromkeys((s.target, s.clocks, s.host, s.tables, s.key_schedule, s.start) for s in by_target)
    of = [["to", "cycles", "host port", "tables", "key", "start"], *([str(p) for p in part] for part in parts)]
    heading = "cycles from the end of a job of one algorithm until a job of the other can start; of these:"
    return "\n".join([*_aligned(rows, left=(0,)), "", heading, *_aligned(of, left=(0,))])


def _aligned(rows: list[list[str]], left: Collection[int]) -> list[str]:
    """Lay out rows in columns: numbers to the right, the columns of `left` to the left."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return [
        "  ".join(
            c.ljust(w) if n in left else c.rjust(w) for n, (c, w) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    ]


def table(results: list[bench.Result]) -> str:
    """Lay out the results as lines: the published figure next to ours, the sources below."""
    message = str(results[0].message) if results else ""
    heads = ["cipher", "variant", "steady", "all-in", message, "published", "unit", "tables", "key", "words"]
    if any(r.speed for r in results):
        heads += ["MIPS", "Gb/s here"]
    if any(r.lock_step for r in results):
        heads += ["lock-step/s"]
    rows = [_row(r) for r in results]
    text = _aligned([heads, *rows], left=(0, 1, 6))
    sources = dict.fromkeys(r.literature.source for r in results if r.literature)
    text += ["", "steady, all-in and published are cycles per unit; tables and key are cycles of set-up"]
    text += [f"published: {source}" for source in sources]
    designs: dict[Hardware, dict[str, None]] = {}
    for r in results:
        for design in r.hardware:
            designs.setdefault(design, {})[r.cipher] = None
    text += [f"{', '.join(names)}: {h.bits_per_cycle:.3g} bits per cycle, {h.source}" for h, names in designs.items()]
    return "\n".join(text)


def _row(r: bench.Result) -> list[str]:
    published = f"{r.literature.cycles_per_unit:g}" if r.literature else "-"
    digits = 3 if r.unit == "byte" else 2
    short = "-" if r.message_cycles is None else str(r.message_cycles)
    row = [r.cipher, r.variant, f"{r.steady:.{digits}f}", f"{r.all_in:.{digits}f}", short, published, r.unit]
    row += [str(r.tables), str(r.key_schedule), str(r.code_words)]
    if r.speed:
        row += [f"{r.speed.mips:.1f}", f"{r.speed.gbits:.2f}"]
    if r.lock_step:
        row += [f"{r.lock_step:,.0f}"]
    return row
