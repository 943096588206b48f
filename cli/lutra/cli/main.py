"""Entry point of `lutra`: the list of commands, and how errors end."""

from __future__ import annotations

import functools
import os
import sys
import traceback
from typing import Annotated

import typer

from lutra.asm import AsmError
from lutra.cli import (
    asm,
    bench,
    ciphers,
    cosim,
    coverage,
    crc,
    crypt,
    dap,
    debug,
    demo,
    device,
    ending,
    fmt,
    isa,
    kat,
    lsp,
    mac,
    new,
    objdump,
    pack,
    patch,
    ppa,
    profile,
    run,
    test,
)
from lutra.cli.errors import CliError, reason
from lutra.cli.text import escape_on_standard_streams, printable
from lutra.cli.version import version_and_commit
from lutra.cosim import Divergence
from lutra.coverage import CoverageError
from lutra.coverage.environment import from_environment
from lutra.firmware.errors import FirmwareError
from lutra.isa import IsaTablesError
from lutra.iss.engine import EngineError

app = typer.Typer(
    name="lutra",
    help="Toolchain of Lutra, a programmable processor for symmetric cryptography.",
    add_completion=False,
    # Plain text: the same with and without a terminal.
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)
for module in (
    *(asm, fmt, objdump, run, debug, dap, lsp, profile, cosim, coverage),
    *(crypt, mac, crc, ciphers, kat, bench, ppa, new, test, isa, demo),
):
    app.command(module.__name__.rpartition(".")[2])(module.command)
for group in (pack, device, patch):
    app.add_typer(group.app, name=group.__name__.rpartition(".")[2])


def _version(wanted: bool) -> None:
    if wanted:
        print(version_and_commit())
        raise typer.Exit


@app.callback()
def _main(
    _: Annotated[bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version.")] = False,
) -> None:
    pass


def main(arguments: list[str] | None = None) -> int:
    """Run a command line; returns the exit code.

    0; 1 for an error; 2 for wrong usage; 130 when interrupted, 143 (129) when ended by SIGTERM (SIGHUP).
    """
    escape_on_standard_streams()
    try:
        with ending.terminable():
            return _finished(_code(arguments or sys.argv[1:] or ["--help"]))
    except KeyboardInterrupt:
        return ending.INTERRUPTED
    except ending.Terminated as error:
        return error.exit_code


def _code(arguments: list[str]) -> int:
    """The exit code of a command, its error reported."""
    try:
        with from_environment():
            return _invoke(arguments)
    except typer.TyperException as error:
        context = getattr(error, "ctx", None)
        text = error.format_message().rstrip(".").replace("Value error, ", "")
        return _fail(f"{text}; see {context.command_path if context else 'lutra'} --help", code=error.exit_code)
    except AsmError as error:
        return _assembly(error)
    except CliError as error:
        return _fail(str(error), error.exit_code)
    except Divergence as error:
        _tell(printable(f"lutra: error: {error}", keep="\n"))
        return 1
    except (CoverageError, FirmwareError, EngineError, IsaTablesError) as error:
        return _fail(str(error))
    except BrokenPipeError:
        # Whoever read the output has seen enough.
        ending.drop(sys.stdout)
        return 0
    except OSError as error:
        return _fail(reason(ending.named(error)))
    except MemoryError:
        return _fail("not enough memory for this work")
    except Exception as error:
        if os.environ.get("LUTRA_DEBUG") == "1":
            traceback.print_exc()
        return _fail(f"internal error: {type(error).__name__}: {error}; LUTRA_DEBUG=1 shows the traceback")


@functools.cache
def tree() -> typer.core.TyperGroup:
    """All commands with their options, made once: it takes longer than many a command."""
    command = typer.main.get_command(app)
    assert isinstance(command, typer.core.TyperGroup)
    return command


def _invoke(arguments: list[str]) -> int:
    """Without Typer's own way to end, which takes a closed pipe for an error."""
    try:
        with tree().make_context("lutra", list(arguments)) as context:
            tree().invoke(context)
    except typer.Exit as end:
        return end.exit_code
    return 0


def _finished(code: int) -> int:
    """The exit code once standard output is written."""
    try:
        ending.flush()
    except BrokenPipeError:
        ending.drop(sys.stdout)
    except OSError as error:
        ending.drop(sys.stdout)
        return code or _fail(reason(ending.named(error)))
    return code


def _fail(text: str, code: int = 1) -> int:
    _tell(f"lutra: error: {printable(text)}")
    return code


def _tell(text: str) -> None:
    """On standard error; where that is full or closed, the exit code has to say it."""
    try:
        print(text, file=sys.stderr)
    except OSError:
        ending.drop(sys.stderr)


def _assembly(error: AsmError) -> int:
    """Diagnostics in the form of compilers, with file and line first, so that editors find them."""
    errors = [d for d in error.diagnostics if d.severity == "error"]
    if len(error.diagnostics) == 1 and not errors[0].line:
        return _fail(f"{errors[0].file}: {errors[0].message}")
    _tell(printable(str(error), keep="\n\t"))
    count = f"{len(errors)} error{'s' if len(errors) > 1 else ''}"
    if error.stopped:
        return _fail(f"too many errors, stopped after {len(errors)}; --max-errors 0 shows all; nothing written")
    return _fail(f"{count}, nothing written")
