"""The installed command `lutra`, which is under test: found by its name, as a shell finds it, never imported."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from importlib import import_module
from importlib.metadata import entry_points


@cache
def _command() -> Callable[[list[str]], int]:
    (found,) = entry_points(group="console_scripts", name="lutra")
    main: Callable[[list[str]], int] = found.load()
    return main


def warm(module: str) -> None:
    """Load the command and the module that it serves from, so that processes forked from this one start at once."""
    _command()
    import_module(module)


def run(*arguments: str) -> int:
    """Run the command in this process. Returns its exit code."""
    return _command()(list(arguments))
