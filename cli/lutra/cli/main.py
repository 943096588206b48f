"""Entry point of `lutra`: run one command line and return its exit code."""

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

# Messages of the library that checks values -> our wording.
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


def _version(context: typer.Context, wanted: bool) -> None:
    if wanted:
        from lutra.cli.version import simulator, version_and_commit

        print(version_and_commit())
        if context.params.get("verbose"):
            print(f"simulator: {simulator()}")
        raise typer.Exit


def _configuration(name: str) -> None:
    """Refuse --configuration, which only the script `lutra` at the top of a checkout understands."""
    if name:
        text = "--configuration works only with the script `lutra` of a checkout, and before all other options"
        raise UsageError(f"{text}; an installed Lutra has one configuration: leave the option out")


@app.callback()
def _main(
    version: Annotated[bool, typer.Option("--version", callback=_version, help="Print the version.")] = False,
    verbose: Annotated[
        bool, typer.Option("--verbose", is_eager=True, help="With --version: also how the simulator executes here.")
    ] = False,
    configuration: Annotated[
        str,
        typer.Option(
            "--configuration",
            metavar="NAME",
            callback=_configuration,
            is_eager=True,
            help="Use the build of `make build CONFIGURATION=NAME`; only in a checkout, before all other options.",
        ),
    ] = "",
) -> None:
    pass


def main(arguments: list[str] | None = None) -> int:
    """Run a command line and return the exit code.

    0 for success, 1 for an error, 2 for wrong usage, 130 when interrupted, 143 (129) when ended by SIGTERM (SIGHUP).
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
    """Run a command, report its error, and return the exit code."""
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
        # The reader of the output has closed the pipe.
        ending.drop(sys.stdout)
        return 0
    except Exception as error:
        from lutra.cli.failures import report

        return report(error)


def _counted() -> contextlib.AbstractContextManager[None]:
    """Count functional coverage if the environment asks for it."""
    if not os.environ.get("LUTRA_COVERAGE"):
        return contextlib.nullcontext()
    from lutra.coverage.environment import from_environment

    return from_environment()


@functools.cache
def tree() -> Group:
    """All commands with their options; each is imported when it is looked up."""
    command = typer.main.get_command(app)
    assert isinstance(command, Group)
    return command


def _invoke(arguments: list[str]) -> int:
    """Run without Typer's own exit handling, which treats a closed pipe as an error."""
    try:
        with tree().make_context("lutra", list(arguments)) as context:
            tree().invoke(context)
    except typer.Exit as end:
        return end.exit_code
    return 0


def _finished(code: int) -> int:
    """Flush standard output and return the exit code."""
    try:
        ending.flush()
    except BrokenPipeError:
        ending.drop(sys.stdout)
    except OSError as error:
        ending.drop(sys.stdout)
        return code or fail(reason(ending.named(error)))
    return code
