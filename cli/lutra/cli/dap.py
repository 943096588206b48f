"""`lutra dap`: the debugger for editors."""

from __future__ import annotations

import contextlib
import io
import os
import sys
from collections.abc import Callable
from pathlib import Path

from lutra.asm import AsmError, Image, read_elf
from lutra.cli.errors import CliError
from lutra.cli.options import existing
from lutra.cli.places import loads
from lutra.cli.run import MAX_CYCLES
from lutra.cli.sources import assembled
from lutra.debug import DebugError, Session
from lutra.debug.dap import Arguments, RequestError, serve
from lutra.firmware.errors import FirmwareError
from lutra.iss import engine as engines
from lutra.iss.job import Job
from lutra.iss.places import address


def command() -> None:
    """Serve an editor by the Debug Adapter Protocol on standard input and output.

    The editor starts it; `docs/how-to/use-an-editor.md` has the settings of VS Code, Neovim and others. What it debugs
    comes with the request `launch`: program (.s or an image), engine, rounds, load, entry, include, define, maxCycles,
    resume, stopOnEntry.

    \b
    Example, as an editor starts it:
      lutra dap
    """
    sink = os.dup(1)
    # What is printed by mistake must not look like a message.
    os.dup2(2, 1)
    sys.stdout = sys.stderr
    serve(0, sink, opened)


def opened(arguments: Arguments, tell: Callable[[str], None]) -> Session:
    """The session that a request `launch` asks for. Raises DebugError and RequestError with one line."""
    engine, rounds = arguments.text("engine", "iss"), arguments.number("rounds", 2, low=1, high=2)
    if engine not in engines.names():
        raise RequestError(f"engine is {engine[:40]!a}; there are {', '.join(engines.names())}")
    cycles = arguments.number("maxCycles", MAX_CYCLES)
    try:
        program = _program(arguments, tell)
        machine = engines.make(engine, rounds)
        try:
            data = tuple((part.place, part.data) for part in loads(machine, program, arguments.texts("load")))
        finally:
            machine.close()
        entries = tuple(address(program, name) for name in arguments.texts("entry")) or (program.entry,)
        return Session.open(Job(program, entries, data, arguments.flag("resume"), cycles or None), engine, rounds)
    except AsmError as error:
        tell(f"{error}\n")
        raise DebugError(f"{arguments.text('program')}: {error.diagnostics[0].message}") from error
    except (CliError, FirmwareError) as error:
        raise DebugError(str(error)) from error
    except OSError as error:
        raise DebugError(f"{error.filename}: {error.strerror}") from error


def _program(arguments: Arguments, tell: Callable[[str], None]) -> Image:
    file = existing(Path(arguments.text("program")))
    if file.suffix != ".s":
        return read_elf(file)
    warnings = io.StringIO()
    with contextlib.redirect_stderr(warnings):
        image = assembled([file], [Path(folder) for folder in arguments.texts("include")], arguments.texts("define"))
    if said := warnings.getvalue():
        tell(said)
    return image
