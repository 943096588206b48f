"""The commands by name, each imported when it is used: what a command does not need costs it no time."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, MutableMapping
from importlib import import_module
from typing import Any

import typer
from typer.core import TyperGroup

# In the order of `lutra --help`, with the line that stands there. Each is a module here that has `command`, or a
# package that has `app`, a group of commands.
COMMANDS: Mapping[str, str] = {
    "asm": "Assemble sources into one image.",
    "fmt": "Lay out assembly in columns.",
    "objdump": "Show headers, symbols and disassembly of an image.",
    "image": "Export an image for hardware or C.",
    "run": "Run an image until it halts.",
    "debug": "Debug a program, forward and back in time.",
    "dap": "Serve an editor by the Debug Adapter Protocol.",
    "lsp": "Serve an editor by the Language Server Protocol.",
    "profile": "Show where the cycles of a program go.",
    "cosim": "Run simulator and core in lock-step and compare.",
    "coverage": "Merge counts of functional coverage and report.",
    "crypt": "Encrypt or decrypt a file on the processor.",
    "mac": "Compute or verify the MAC of a file.",
    "crc": "Compute a CRC of a file.",
    "ciphers": "List the algorithms that the firmware serves.",
    "kat": "Run known-answer vectors through the firmware.",
    "bench": "Measure cycles per block, with published figures.",
    "ppa": "Synthesize the core: gates, delay and power.",
    "new": "Make a folder with a small cipher that works.",
    "test": "Test firmware: vectors, routines, constant time.",
    "isa": "Print the reference of instructions.",
    "demo": "Encrypt in lock-step and compare with OpenSSL.",
    "pack": "Build, sign and check packs: signed firmware.",
    "device": "Work with a device in a folder.",
    "patch": "Change the firmware of a device.",
}
# Plain text: the same with and without a terminal.
PLAIN: Mapping[str, Any] = {"add_completion": False, "rich_markup_mode": None, "pretty_exceptions_enable": False}


class _Commands(MutableMapping[str, Any]):
    """Typer's commands by name; what looks at names only imports nothing."""

    def __init__(self) -> None:
        self._made: dict[str, Any] = {}

    def __getitem__(self, name: str) -> Any:
        if name not in self._made:
            if name not in COMMANDS:
                raise KeyError(name)
            self._made[name] = _made(name)
        return self._made[name]

    def __setitem__(self, name: str, command: Any) -> None:
        self._made[name] = command

    def __delitem__(self, name: str) -> None:
        del self._made[name]

    def __iter__(self) -> Iterator[str]:
        return iter(COMMANDS)

    def __len__(self) -> int:
        return len(COMMANDS)

    def __contains__(self, name: object) -> bool:
        return name in COMMANDS


def _made(name: str) -> Any:
    module = import_module(f"lutra.cli.{name}")
    app = getattr(module, "app", None)
    if app is None:
        app = typer.Typer(**PLAIN)
        app.command(name)(module.command)
    command = typer.main.get_command(app)
    command.name = name
    return command


class Group(TyperGroup):
    """`lutra` itself."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(**settings)
        self.commands = _Commands()

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))
