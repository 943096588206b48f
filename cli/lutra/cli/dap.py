"""`lutra dap`: the debugger for editors."""

from __future__ import annotations

import contextlib
import io
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lutra.asm import AsmError
from lutra.cli.debug import Target
from lutra.cli.errors import CliError, reason
from lutra.cli.jobs import MAX_CYCLES
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

    # Send the assembler's warnings to the editor's console, since editors do not show standard error.
    warnings = io.StringIO()
    try:
        with contextlib.redirect_stderr(warnings):
            return _target(arguments).open()
    except AsmError as error:
        tell(f"{error}\n")
        first = next(found for found in error.diagnostics if found.severity == "error")
        raise DebugError(f"{first.file}:{first.line}: {first.message}") from error
    except (CliError, FirmwareError) as error:
        raise DebugError(str(error)) from error
    except OSError as error:
        raise DebugError(reason(error)) from error
    finally:
        if said := warnings.getvalue():
            tell(said)


def _engine(arguments: Arguments) -> tuple[Any, int]:
    """Return the engine's name, also of one that was registered, and the rounds per instruction."""
    from lutra.debug.dap import RequestError

    name, rounds = arguments.text("engine", "iss"), arguments.number("rounds", core_rounds(None), low=1, high=2)
    if name not in engines.names():
        raise RequestError(f"engine is {name[:40]!a}; must be one of {', '.join(engines.names())}")
    return name, rounds


def _target(arguments: Arguments) -> Target:
    """Return the options of `lutra debug` that the request's arguments are. Raises RequestError."""
    (engine, rounds), cycles = _engine(arguments), arguments.number("maxCycles", MAX_CYCLES)
    if kat := arguments.text("kat", ""):
        return Target(
            kat=Path(kat),
            test=arguments.text("test", "") or None,
            manifest=[Path(name) for name in arguments.texts("manifest")] or None,
            against=arguments.text("against", "") or None,
            engine=engine,
            rounds=rounds,
            max_cycles=cycles,
        )
    return Target(
        image=Path(arguments.text("program")),
        engine=engine,
        rounds=rounds,
        max_cycles=cycles,
        load=arguments.texts("load"),
        entry=arguments.texts("entry"),
        resume=arguments.flag("resume"),
        past_traps=arguments.flag("pastTraps"),
        include=[Path(folder) for folder in arguments.texts("include")],
        define=arguments.texts("define"),
    )
