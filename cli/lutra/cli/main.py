"""Entry point of `lutra`: one command line from its words to the exit code."""

from __future__ import annotations

import contextlib
import functools
import os
import sys
from typing import Annotated

import typer

from lutra.cli import ending
from lutra.cli.commands import PLAIN, Group
from lutra.cli.errors import CliError, UsageError, fail, reason
from lutra.cli.text import escape_on_standard_streams

# Words of the library that checks values, and what they are here.
WORDS = {
    "Value error, ": "",
    "Input should be a valid integer, unable to parse string as an integer": "not an integer",
    "Input should be": "must be",
}
app = typer.Typer(
    name="lutra",
    help="Toolchain of Lutra, a programmable processor for symmetric cryptography.",
    cls=Group,
    **PLAIN,
)


def _version(wanted: bool) -> None:
    if wanted:
        from lutra.cli.version import version_and_commit

        print(version_and_commit())
        raise typer.Exit


def _configuration(name: str) -> None:
    """Refuse what the script at the top of a checkout takes before it starts this."""
    if name:
        text = "--configuration belongs to the script `lutra` at the top of a checkout, which has several builds"
        raise UsageError(f"{text}; an installed Lutra has one: leave the option out")


@app.callback()
def _main(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version.")
    ] = False,
    configuration: Annotated[
        str,
        typer.Option(
            "--configuration",
            metavar="NAME",
            callback=_configuration,
            is_eager=True,
            help="In a checkout, before all others: use what `make build CONFIGURATION=NAME` has made.",
        ),
    ] = "",
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
        with _counted():
            return _invoke(arguments)
    except typer.TyperException as error:
        context = getattr(error, "ctx", None)
        text = error.format_message().rstrip(".")
        for library, ours in WORDS.items():
            text = text.replace(library, ours)
        return fail(f"{text}; see {context.command_path if context else 'lutra'} --help", error.exit_code)
    except CliError as error:
        return fail(str(error), error.exit_code)
    except BrokenPipeError:
        # Whoever read the output has seen enough.
        ending.drop(sys.stdout)
        return 0
    except Exception as error:
        from lutra.cli.failures import report

        return report(error)


def _counted() -> contextlib.AbstractContextManager[None]:
    """Count functional coverage where the environment asks for it."""
    if not os.environ.get("LUTRA_COVERAGE"):
        return contextlib.nullcontext()
    from lutra.coverage.environment import from_environment

    return from_environment()


@functools.cache
def tree() -> Group:
    """All commands with their options, each made when it is looked up."""
    command = typer.main.get_command(app)
    assert isinstance(command, Group)
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
        return code or fail(reason(ending.named(error)))
    return code
