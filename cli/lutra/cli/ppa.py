"""`lutra ppa`: area and timing of the core; the work is synthesis/ppa's, in a checkout."""

from __future__ import annotations

import importlib
import importlib.util
import re
import subprocess
import sys
from pathlib import Path
from typing import Annotated

import typer

from lutra.cli.errors import CliError, UsageError
from lutra.cli.options import JsonOption

PACKAGE = "ppa"


def command(
    configuration: Annotated[
        list[str] | None,
        typer.Option("--configuration", metavar="NAME", help="Of the core: full, one-round, lte, ...; repeatable."),
    ] = None,
    module: Annotated[
        str | None, typer.Option("--module", metavar="NAME", help="This module alone, in seconds.")
    ] = None,
    parameter: Annotated[
        list[str] | None,
        typer.Option("-g", "--parameter", metavar="NAME=VALUE", help="A parameter of the module; repeatable."),
    ] = None,
    root: Annotated[
        Path | None, typer.Option("--root", metavar="DIR", help="Another checkout, built; default this one.")
    ] = None,
    jobs: Annotated[int, typer.Option("--jobs", metavar="N", min=1, max=64, help="Runs of Yosys at a time.")] = 2,
    fpga: Annotated[bool, typer.Option("--fpga", help="On an ECP5 instead: LUTs, block RAM, clock.")] = False,
    peers: Annotated[
        bool, typer.Option("--peers", help="Other AES cores instead, fetched, through the same flow.")
    ] = False,
    fixed: Annotated[
        bool, typer.Option("--fixed", help="The fixed-function cores instead: what flexibility costs.")
    ] = False,
    extensions: Annotated[
        bool, typer.Option("--extensions", help="What each extension costs instead: the core without it.")
    ] = False,
    check: Annotated[
        bool, typer.Option("--check", help="Fail where it is 3 % worse than the recorded figures.")
    ] = False,
    record: Annotated[bool, typer.Option("--record", help="Write synthesis/ppa/figures.json and docs/ppa.md.")] = False,
    page: Annotated[bool, typer.Option("--page", help="Only write docs/ppa.md from the recorded figures.")] = False,
    json: JsonOption = False,
) -> None:
    """Synthesize the core to Nangate45 and time it: gates, ns, longest paths, throughput by gate.

    In a checkout after `make build`. Yosys, ABC and OpenSTA work; what is missing of them is fetched. A whole report
    takes 8 minutes on two cores and 4 GB. docs/ppa.md has the recorded figures and says what they are not.

    \b
    Example:
      lutra ppa
      lutra ppa --check
      lutra ppa --module lutra_stream -g STREAM_CONTEXTS=1
      lutra ppa --fpga --json
    """
    if fpga + peers + fixed + extensions > 1:
        raise UsageError("--fpga, --peers, --fixed and --extensions are different measurements; give one of them")
    if importlib.util.find_spec(PACKAGE) is None:
        raise CliError("gates and ns are measured in a checkout of the sources, by ./lutra ppa after make build")
    known = importlib.import_module(f"{PACKAGE}.configurations").CONFIGURATIONS
    if wrong := [name for name in configuration or () if name not in known]:
        raise UsageError(f"no configuration {wrong[0]!r}; there are {', '.join(known)}")
    if not all(re.fullmatch(r"\w+=[0-9]{1,9}", setting) for setting in parameter or ()):
        raise UsageError("-g: write NAME=VALUE, as in ROUNDS_PER_INSTR=1")
    line = [f"--configuration={name}" for name in configuration or ()]
    line += [f"--parameter={setting}" for setting in parameter or ()]
    line += [f"--module={module}"] if module is not None else []
    line += [f"--root={root}"] if root is not None else []
    flags = {"fpga": fpga, "peers": peers, "fixed": fixed, "extensions": extensions}
    flags |= {"check": check, "record": record, "json": json}
    line += [f"--{name}" for name, wanted in flags.items() if wanted]
    if page and line:
        raise UsageError("--page measures nothing; leave out the other options")
    line += ["--page"] if page else [f"--jobs={jobs}"]
    done = subprocess.run([sys.executable, "-m", PACKAGE, *line], check=False)
    if done.returncode:
        raise typer.Exit(done.returncode)
