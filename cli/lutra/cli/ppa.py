"""`lutra ppa`: area and timing of the core, measured by synthesis/ppa of a checkout."""

from __future__ import annotations

import importlib
import importlib.util
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from lutra.cli.errors import CliError, UsageError
from lutra.cli.options import JsonOption
from lutra.cli.request import takes

PACKAGE = "ppa"


@dataclass(frozen=True, kw_only=True)
class Request:
    """Options of the command, which are those of the package."""

    configuration: Annotated[
        list[str] | None,
        typer.Option(
            "--configuration", metavar="NAME", help="Core configuration: full, one-round, lte, ...; repeatable."
        ),
    ] = None
    module: Annotated[
        str | None, typer.Option("--module", metavar="NAME", help="Synthesize only this module, which takes seconds.")
    ] = None
    parameter: Annotated[
        list[str] | None,
        typer.Option("-g", "--parameter", metavar="NAME=VALUE", help="Set a parameter of the module; repeatable."),
    ] = None
    root: Annotated[
        Path | None, typer.Option("--root", metavar="DIR", help="Measure another built checkout; default: this one.")
    ] = None
    jobs: Annotated[
        int, typer.Option("--jobs", metavar="N", min=1, max=64, help="Run N Yosys processes in parallel; default 2.")
    ] = 2
    fpga: Annotated[bool, typer.Option("--fpga", help="Measure LUTs, block RAM and clock on an ECP5 FPGA instead.")] = (
        False
    )
    peers: Annotated[
        bool, typer.Option("--peers", help="Download other AES cores and run them through the same flow.")
    ] = False
    fixed: Annotated[bool, typer.Option("--fixed", help="Measure the fixed-function cores and AES pipelines.")] = False
    extensions: Annotated[
        bool, typer.Option("--extensions", help="Measure the cost of each extension: the core without it.")
    ] = False
    check: Annotated[bool, typer.Option("--check", help="Fail if a figure is 3 % worse than recorded.")] = False
    record: Annotated[bool, typer.Option("--record", help="Write synthesis/ppa/figures.json and docs/ppa.md.")] = False
    page: Annotated[
        bool, typer.Option("--page", help="Write docs/ppa.md from the recorded figures; measure nothing.")
    ] = False
    json: JsonOption = False


# Options for measuring something other than the core, and for the use of the figures.
_INSTEAD = ("fpga", "peers", "fixed", "extensions")
_FLAGS = (*_INSTEAD, "check", "record", "json")


@takes(Request)
def command(request: Request) -> None:
    """Synthesize the core for Nangate45 and time it: gates, ns, longest paths, throughput per gate.

    Works in a checkout after `make build`. Yosys, ABC and OpenSTA are downloaded if missing. A whole report takes 8
    minutes on two CPUs and 4 GB of memory. docs/ppa.md has the recorded figures and their limits.

    \b
    Example:
      lutra ppa
      lutra ppa --check
      lutra ppa --module lutra_stream -g STREAM_CONTEXTS=1
      lutra ppa --fpga --json
    """
    _check(request)
    done = subprocess.run([sys.executable, "-m", PACKAGE, *_line(request)], check=False)
    if done.returncode:
        raise typer.Exit(done.returncode)


def _check(request: Request) -> None:
    """Refuse options that the package would refuse less clearly. Raises UsageError and CliError."""
    if sum(getattr(request, name) for name in _INSTEAD) > 1:
        raise UsageError("--fpga, --peers, --fixed and --extensions exclude each other; give one of them")
    if importlib.util.find_spec(PACKAGE) is None:
        raise CliError("lutra ppa needs a checkout of the sources; run ./lutra ppa there after make build")
    known = importlib.import_module(f"{PACKAGE}.configurations").CONFIGURATIONS
    if wrong := [name for name in request.configuration or () if name not in known]:
        raise UsageError(f"no configuration {wrong[0]!r}; choose from {', '.join(known)}")
    if not all(re.fullmatch(r"\w+=[0-9]{1,9}", setting) for setting in request.parameter or ()):
        raise UsageError("-g: write NAME=VALUE, e.g. ROUNDS_PER_INSTR=1")


def _line(request: Request) -> list[str]:
    """Return the arguments of the package."""
    line = [f"--configuration={name}" for name in request.configuration or ()]
    line += [f"--parameter={setting}" for setting in request.parameter or ()]
    line += [f"--module={request.module}"] if request.module is not None else []
    line += [f"--root={request.root}"] if request.root is not None else []
    line += [f"--{name}" for name in _FLAGS if getattr(request, name)]
    if request.page and line:
        raise UsageError("--page measures nothing; leave out the other options")
    return [*line, "--page"] if request.page else [*line, f"--jobs={request.jobs}"]
