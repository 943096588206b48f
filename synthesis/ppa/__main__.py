"""`python -m ppa`: area and timing of the core, or of one module alone (docs/ppa.md)."""

from __future__ import annotations

import argparse
import json
import os
import re
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from ppa import (
    configurations,
    design,
    extensions,
    figures,
    fixed,
    fpga,
    page,
    peers,
    provenance,
    report,
    show,
    sram,
    tools,
)
from ppa.measure import measure
from ppa.progress import teller
from ppa.synthesis import Recipe
from ppa.tools import ROOT, PpaError

OUT = ROOT / "build" / "ppa"
RESULTS = OUT / "results.json"
EXAMPLES = """examples:
  python -m ppa                                        a full report on the core: 8 minutes on two cores
  python -m ppa --check                                the same, and fail where it is 3 % worse than figures.json
  python -m ppa --module lutra_stream -g STREAM_CONTEXTS=1     a module alone, in seconds
  python -m ppa --root ../other --script mix           one point of another checkout's core
"""


def arguments(given: Sequence[str] | None = None) -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(
        prog="python -m ppa",
        description="Area and timing of the core, or of one module alone.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--root", type=Path, default=ROOT, metavar="DIR", help="another checkout, built")
    parser.add_argument("--out", type=Path, metavar="DIR", help="where files go (build/ppa)")
    parser.add_argument("--jobs", type=int, default=2, metavar="N", help="runs of Yosys at a time (2)")
    parser.add_argument("--json", action="store_true", help="print JSON")
    whole = parser.add_argument_group("the whole")
    names = ", ".join(configurations.CONFIGURATIONS)
    whole.add_argument("--configuration", action="append", metavar="NAME", help=f"{names}; {configurations.DEFAULT}")
    whole.add_argument("--recipes", metavar="A,B", help="only these points of the portfolio")
    whole.add_argument("--check", action="store_true", help="fail where it is 3 %% worse than figures.json")
    whole.add_argument("--record", action="store_true", help="write what was measured to figures.json, and the page")
    whole.add_argument("--fpga", action="store_true", help="on an ECP5 instead: LUTs, block RAM, clock")
    whole.add_argument("--peers", action="store_true", help="other cores instead, fetched, through the same flow")
    whole.add_argument("--fixed", action="store_true", help="the fixed-function cores and AES pipelines instead")
    whole.add_argument("--extensions", action="store_true", help="the gates of each extension instead")
    whole.add_argument("--page", action="store_true", help="only write docs/ppa.md's tables from figures.json")
    point = parser.add_argument_group("one point, quickly")
    point.add_argument("--module", metavar="NAME", help="this module alone")
    point.add_argument("-g", "--parameter", action="append", default=[], metavar="NAME=VALUE", help="of the module")
    point.add_argument(
        "--script", metavar="NAME", help=f"of ABC: {', '.join(r.name for r in configurations.PORTFOLIO)}"
    )
    point.add_argument("--keep", action="store_true", help="hierarchy stays: gates of each module")
    point.add_argument("--files", nargs="+", type=Path, default=[], metavar="FILE", help="more files, read last")
    point.add_argument("--no-timing", action="store_true", help="gates alone")
    options = parser.parse_args(given)
    wrong = [n for n in options.configuration or () if n not in configurations.CONFIGURATIONS]
    if wrong:
        parser.error(f"no configuration {wrong[0]!r}; choose from {names}")
    if options.page and len(given if given is not None else sys.argv[1:]) > 1:
        parser.error("--page stands alone")
    if not all(re.fullmatch(r"\w+=[0-9]{1,9}", p) for p in options.parameter):
        parser.error("-g: write NAME=VALUE, as in ROUNDS_PER_INSTR=1")
    return options


def recipe_of(options: argparse.Namespace) -> Recipe:
    """The one of a single point."""
    script = "mix" if options.script is None else options.script
    known = {r.name: r for r in configurations.PORTFOLIO}
    if script not in known:
        raise PpaError(f"no script {script!r}; choose from {', '.join(known)}")
    return replace(known[script], keep=options.keep)


def one_point(options: argparse.Namespace) -> int:
    """A module or the core by one recipe."""
    top = design.CORE if options.module is None else options.module
    parameters = {name: int(value) for name, _, value in (p.partition("=") for p in options.parameter)}
    folder = (options.out or OUT / top).resolve()
    recipe = recipe_of(options)
    folder.mkdir(parents=True, exist_ok=True)
    files = [path.resolve() for path in options.files]
    boxes, _ = sram.write(folder, protect=bool(parameters.get("PROTECT")))
    wanted = design.of_checkout(boxes, top, options.root.resolve(), *files, parameters=parameters)
    point = measure(wanted, tools.find(), recipe, folder, teller(top), timed=not options.no_timing)
    print(json.dumps(point.summary(), indent=1) if options.json else show.point(top, point))
    return 0


def sections(options: argparse.Namespace) -> dict[str, Any]:
    """Measurements that the command line asks for, and the commit that they belong to."""
    commit = provenance.commit(options.root.resolve())  # before hours in which files may change
    found = measured(options)
    return {"commits": dict.fromkeys(found.get("configurations", found), commit), **found}


def measured(options: argparse.Namespace) -> dict[str, Any]:
    """The sections alone."""
    root, out = options.root.resolve(), (options.out or OUT).resolve()
    found = tools.find()
    wanted = [configurations.CONFIGURATIONS[n] for n in options.configuration or [configurations.DEFAULT]]
    names = options.recipes.split(",") if options.recipes else [r.name for r in configurations.PORTFOLIO]
    recipes = [r for r in configurations.PORTFOLIO if r.name in names]
    if len(recipes) != len(names):
        raise PpaError(f"--recipes: there are {', '.join(r.name for r in configurations.PORTFOLIO)}")
    if options.peers:
        return {"peers": peers.measure(found, out / "peers", teller, recipes)}
    if options.fixed:
        by = [fixed.DIRECT, *recipes]
        return {
            "fixed": fixed.measure(found, out / "fixed", teller, by),
            "pipelines": fixed.measure_pipelines(found, out / "pipelines", teller, by),
        }
    if options.extensions:
        return {"extensions": extensions.measure_all(root, found, out / "extensions", options.jobs, teller)}
    if options.fpga:
        cores = {c.name: fpga.measure(c, root, out / "fpga" / c.name, teller(f"{c.name}, FPGA")) for c in wanted}
        return {"fpga": cores}
    cores = {c.name: report.configuration(c, root, found, out / c.name, options.jobs, teller, recipes) for c in wanted}
    return {"configurations": cores}


def whole(options: argparse.Namespace) -> int:
    """The report, and what is done with it."""
    if options.record:
        provenance.check_recordable(options.root.resolve())
    found = sections(options)
    results = (options.out or OUT).resolve() / RESULTS.name
    known = figures.read(results) if results.exists() else {}
    figures.write(figures.merged(known, found), results)
    if options.record:
        recorded = figures.read() if figures.FIGURES.exists() else {}
        figures.write(figures.merged(recorded, found), figures.FIGURES)
        page.write()
    print(json.dumps(found, indent=1) if options.json else show.sections(found))
    if not options.json:
        print(f"all of it: {results}")
    if not options.check:
        return 0
    recorded = figures.read()
    for line in figures.better(recorded, found):
        print(f"better, worth recording: {line}")
    faults = figures.worse(recorded, found)
    for line in faults:
        print(f"ppa: {line}", file=sys.stderr)
    return 1 if faults else 0


def main() -> int:
    """0; 1 where something is missing, or worse than recorded."""
    options = arguments()
    named = options.module is not None or options.script is not None
    single = named or options.keep or options.parameter or options.files
    try:
        if options.page:
            page.write()
            return 0
        code = one_point(options) if single else whole(options)
        sys.stdout.flush()
        return code
    except BrokenPipeError:  # The reader has seen enough.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except (PpaError, OSError) as error:
        print(f"ppa: {error}", file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main())
