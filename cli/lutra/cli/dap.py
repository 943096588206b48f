"""`lutra dap`: the debugger for editors."""

from __future__ import annotations

import contextlib
import io
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from lutra.asm import AsmError
from lutra.cli.debug import answer
from lutra.cli.errors import CliError, reason
from lutra.cli.jobs import MAX_CYCLES, asked, program
from lutra.cli.options import core_rounds
from lutra.firmware.errors import FirmwareError
from lutra.iss import engine as engines

if TYPE_CHECKING:
    from lutra.debug import Session
    from lutra.debug.dap import Arguments


def command() -> None:
    """Serve an editor over the Debug Adapter Protocol, on standard input and output.

    The editor starts this command; its `launch` request says what to debug. The arguments are the options of `lutra
    debug`: program (.s or an image), engine, rounds, load, entry, maxCycles, resume, pastTraps, include and define; or
    kat with test, manifest and against. stopOnEntry and noDebug work as usual. docs/how-to/use-an-editor.md shows how
    to set up an editor.

    \b
    Example:
      lutra dap
    """
    from lutra.debug.dap import serve

    sink = os.dup(1)
    # Stray prints must not end up in the protocol's stream.
    os.dup2(2, 1)
    sys.stdout = sys.stderr
    serve(0, sink, opened)


def opened(arguments: Arguments, tell: Callable[[str], None]) -> Session:
    """Open the session that a `launch` request asks for. Raises EngineError and RequestError with one line."""
    from lutra.debug import DebugError

    try:
        return _answer(arguments) if arguments.text("kat", "") else _file(arguments, tell)
    except AsmError as error:
        tell(f"{error}\n")
        first = next(found for found in error.diagnostics if found.severity == "error")
        raise DebugError(f"{first.file}:{first.line}: {first.message}") from error
    except (CliError, FirmwareError) as error:
        raise DebugError(str(error)) from error
    except OSError as error:
        raise DebugError(reason(error)) from error


def _engine(arguments: Arguments) -> tuple[str, int]:
    """Return the engine's name and the rounds per instruction."""
    from lutra.debug.dap import RequestError

    name, rounds = arguments.text("engine", "iss"), arguments.number("rounds", core_rounds(None), low=1, high=2)
    if name not in engines.names():
        raise RequestError(f"engine is {name[:40]!a}; must be one of {', '.join(engines.names())}")
    return name, rounds


def _file(arguments: Arguments, tell: Callable[[str], None]) -> Session:
    from lutra.debug import Session

    engine, rounds = _engine(arguments)
    file, include = Path(arguments.text("program")), [Path(folder) for folder in arguments.texts("include")]
    load, entry = arguments.texts("load"), arguments.texts("entry")
    cycles, resume = arguments.number("maxCycles", MAX_CYCLES), arguments.flag("resume")
    past_traps = arguments.flag("pastTraps")
    # Send the assembler's warnings to the editor's console, since editors do not show standard error.
    warnings = io.StringIO()
    with contextlib.redirect_stderr(warnings):
        image = program(file, include, arguments.texts("define"))
    if said := warnings.getvalue():
        tell(said)
    wanted = asked(engines.make("iss", rounds), image, load, entry, cycles, resume, past_traps)
    return Session.open(wanted.job, engine, rounds, [file.parent])


def _answer(arguments: Arguments) -> Session:
    """Open a known answer as `lutra debug --kat` does."""
    manifests = [Path(name) for name in arguments.texts("manifest")] or None
    test, against = arguments.text("test", "") or None, arguments.text("against", "") or None
    cycles = arguments.number("maxCycles", MAX_CYCLES) or None
    return answer(Path(arguments.text("kat")), test, manifests, against, *_engine(arguments), cycles)
