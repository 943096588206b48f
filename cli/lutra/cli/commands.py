"""The commands by name, each imported only when it is used, so that every command starts fast."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, MutableMapping
from importlib import import_module
from typing import Any

import typer
from typer.core import TyperGroup

# In the order of `lutra --help`, with the line that it shows. Each is a module here that has `command`, or a
# package that has `app`, a group of commands.
COMMANDS: Mapping[str, str] = {
    "asm": "Assemble sources into one image.",
    "optimize": "Reorder loops by constraint solving, with a proof.",
    "fmt": "Lay out assembly in columns.",
    "objdump": "Show headers, symbols and disassembly of an image.",
    "image": "Export an image for hardware or C.",
    "run": "Run an image until it halts.",
    "debug": "Debug a program, forwards and backwards in time.",
    "dap": "Serve an editor over the Debug Adapter Protocol.",
    "lsp": "Serve an editor over the Language Server Protocol.",
    "profile": "Show where the cycles of a program go.",
    "cosim": "Compare simulator and core in lock-step on one image.",
    "campaign": "Run random programs in lock-step, and merge reports.",
    "coverage": "Merge and report functional coverage.",
    "crypt": "Encrypt or decrypt a file on the chosen engine.",
    "packets": "Encrypt or decrypt the packets of a capture.",
    "mac": "Compute or verify the MAC of a file.",
    "crc": "Compute a CRC of a file.",
    "ciphers": "List the supported algorithms.",
    "kat": "Run known-answer vectors through the firmware.",
    "bench": "Measure cycles per block, next to published figures.",
    "ppa": "Synthesize the core: gates, delay and power.",
    "new": "Create a folder with a small working cipher.",
    "test": "Test firmware: vectors, routines, constant time.",
    "prove": "Prove firmware equal to its specification.",
    "isa": "Print the instruction set reference.",
    "demo": "Encrypt files in lock-step and compare with OpenSSL.",
    "pack": "Build, sign and verify firmware packs.",
    "device": "Create and run a simulated device.",
    "patch": "Update the firmware of a simulated device.",
}
# Plain text: the same with and without a terminal.
PLAIN: Mapping[str, Any] = {"add_completion": False, "rich_markup_mode": None, "pretty_exceptions_enable": False}


class _Commands(MutableMapping[str, Any]):
    """Typer's commands by name; looking up names alone imports nothing."""

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
        # A command that refuses options of the past has a class of its own.
        app.command(name, cls=getattr(module, "Command", None))(module.command)
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
