"""Options that several commands share, under the same words everywhere."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Annotated, Literal

import typer

from lutra.cli.errors import CliError
from lutra.firmware.lte import initial_vector
from lutra.firmware.manifest import Cipher

EngineOption = Annotated[
    Literal["iss", "rtl", "cosim"],
    typer.Option("--engine", help="The simulator, the Verilated core, or both in lock-step."),
]
JsonOption = Annotated[bool, typer.Option("--json", help="Print one JSON document instead of text.")]
RoundsOption = Annotated[
    int, typer.Option("--rounds", min=1, max=2, help="ROUNDS_PER_INSTR of the core: 1 or 2.", show_default=True)
]
CountOption = Annotated[str, typer.Option("--count", metavar="HEX", help="COUNT of an LTE algorithm, 8 hex digits.")]
BearerOption = Annotated[
    int | None, typer.Option("--bearer", metavar="N", min=0, max=31, help="BEARER of an LTE algorithm.")
]
DirectionOption = Annotated[
    int | None, typer.Option("--direction", metavar="0|1", min=0, max=1, help="DIRECTION of an LTE algorithm.")
]
BitsOption = Annotated[
    int | None, typer.Option("--bits", metavar="N", min=0, help="Bits of IN that count, from its front; default all.")
]


def lte_bytes(cipher: Cipher, count: str, bearer: int | None, direction: int | None) -> bytes:
    """What the LTE algorithm of a name makes of the three options; CliError where they do not belong or are missing."""
    given = {"--count": count or None, "--bearer": bearer, "--direction": direction}
    if not cipher.lte:
        for option, value in given.items():
            if value is not None:
                raise CliError(f"{cipher.name} takes no {option}; leave it out")
        return b""
    if count and len(hexadecimal(count, "--count")) != 4:
        raise CliError(f"--count has {len(count)} hexadecimal digits; it takes 8")
    if not count or bearer is None or direction is None:
        missing = next(option for option, value in given.items() if value is None)
        raise CliError(f"{cipher.name} needs --count, --bearer and --direction; give {missing}")
    return initial_vector(cipher.lte, int(count, 16), bearer, direction)


def number(text: str, what: str) -> int:
    """A number as in assembly: decimal, or with 0x, 0b, 0o."""
    if not re.fullmatch(r"[0-9][0-9a-zA-Z_]*", text):
        raise CliError(f"{what}: {text!r} is not a number such as 256 or 0x100")
    try:
        return int(text, 0)
    except ValueError as error:
        raise CliError(f"{what}: {text!r} is not a number such as 256 or 0x100") from error


def hexadecimal(text: str, option: str) -> bytes:
    """Bytes of an option; the error does not show them, they may be a key."""
    stray = next((n for n, c in enumerate(text) if c not in "0123456789abcdefABCDEF"), None)
    if stray is not None:
        raise CliError(f"{option} is not hexadecimal: character {stray + 1} is {text[stray]!r}")
    if len(text) % 2:
        raise CliError(f"{option} has {len(text)} hexadecimal digits; bytes have two each")
    return bytes.fromhex(text)


def existing(path: Path) -> Path:
    """A file that is to be read."""
    if path.is_dir():
        raise CliError(f"{path}: is a folder; name a file")
    if not path.exists():
        raise CliError(f"{path}: no such file")
    return path
