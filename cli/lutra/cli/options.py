"""Options that several commands share, with the same help everywhere."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from lutra.cli.errors import CliError, UsageError
from lutra.isa import load

# The firmware is imported where it is used, since most commands with options do not need it.
if TYPE_CHECKING:
    from lutra.firmware.manifest import Catalogue, Cipher

EngineOption = Annotated[
    Literal["iss", "rtl", "cosim"],
    typer.Option("--engine", help="Run on the simulator, the Verilated core, or both in lock-step."),
]
ManifestOption = Annotated[
    list[Path] | None,
    typer.Option(
        "--manifest",
        metavar="FILE",
        help="Use your firmware: firmware.toml or its folder; repeatable; default: from lutra.toml.",
    ),
]
JsonOption = Annotated[bool, typer.Option("--json", help="Print one JSON document instead of text.")]
RoundsOption = Annotated[
    int | None,
    typer.Option(
        "--rounds", min=1, max=2, help="Rounds per instruction of the core: 1 or 2; default: the greatest available."
    ),
]
CountOption = Annotated[str, typer.Option("--count", metavar="HEX", help="COUNT of a 3GPP algorithm: 8 hex digits.")]
CoverageOption = Annotated[
    Path | None,
    typer.Option("--coverage", metavar="FILE", help="Write functional coverage to FILE, for `lutra coverage`."),
]
LcovOption = Annotated[
    Path | None, typer.Option("--lcov", metavar="FILE", help="Write line and branch coverage of the firmware to FILE.")
]
RtlLibraryOption = Annotated[
    Path | None, typer.Option("--rtl-library", metavar="FILE", help="Use another build of the module _rtl.")
]
BearerOption = Annotated[
    int | None, typer.Option("--bearer", metavar="N", min=0, max=31, help="BEARER of a 3GPP algorithm: 0 to 31.")
]
FreshOption = Annotated[str, typer.Option("--fresh", metavar="HEX", help="FRESH of uia2: 8 hex digits.")]
DirectionOption = Annotated[
    int | None, typer.Option("--direction", metavar="0|1", min=0, max=1, help="DIRECTION of a 3GPP algorithm.")
]
BitsOption = Annotated[
    int | None, typer.Option("--bits", metavar="N", min=0, help="Process only the first N bits of IN; default: all.")
]
SegmentOption = Annotated[
    str, typer.Option("--segment", metavar="N", help="Segment index of integer counter mode (aes-128-icm).")
]
BlockOption = Annotated[
    str, typer.Option("--block", metavar="N", help="Index of the first block in its segment; default 0.")
]
SegmentBytesOption = Annotated[
    int | None,
    typer.Option("--segment-bytes", metavar="N", min=0, help="Bytes of the segment index; default 4."),
]
BlockBytesOption = Annotated[
    int | None,
    typer.Option("--block-bytes", metavar="N", min=0, help="Bytes of the block index; default 4; 8 with those before."),
]


@dataclass(frozen=True, kw_only=True)
class SegmentOptions:
    """Where a message of integer counter mode begins."""

    segment: SegmentOption = ""
    segment_bytes: SegmentBytesOption = None
    block: BlockOption = ""
    block_bytes: BlockBytesOption = None


@dataclass(frozen=True, kw_only=True)
class LteOptions:
    """Inputs of a 3GPP algorithm, and the length of its message."""

    count: CountOption = ""
    bearer: BearerOption = None
    direction: DirectionOption = None
    bits: BitsOption = None


def core_rounds(given: int | None) -> int:
    """Return the value of --rounds, or by default the greatest of the configuration."""
    return given or load().configuration.rounds[-1]


def use_rtl_library(path: Path | None) -> None:
    """Load the core from the file of --rtl-library, if it is given."""
    if path is not None:
        from lutra.rtl import RTL_LIBRARY

        os.environ[RTL_LIBRARY] = str(existing(path).resolve())


def served(manifests: list[Path] | None) -> Catalogue:
    """Return the ciphers that a command can use: those of --manifest or of the project, and the installed ones."""
    from lutra.firmware.manifest import catalogue, catalogue_with

    own = own_manifests(manifests)
    return catalogue_with(own) if own else catalogue()


def own_manifests(manifests: list[Path] | None) -> list[Path]:
    """Return the manifests of --manifest, or by default those that lutra.toml names."""
    from lutra.firmware import project

    return manifests or project.manifests()


def own_files(known: Catalogue) -> dict[str, Path | None]:
    """Return the files that the user's firmware is read from, by name: none of them may be an output."""
    files = (f for c in known.own for i in c.implementations for f in (c.manifest, *i.image.sources))
    return {str(file): file for file in files}


def lte_bytes(cipher: Cipher, options: LteOptions, fresh: str = "") -> bytes:
    """Return the IV that a 3GPP algorithm builds from the options. Raises UsageError if one is missing or extra."""
    from lutra.firmware.lte import FORMS, initial_vector

    given = {"count": options.count or None, "bearer": options.bearer}
    given |= {"fresh": fresh or None, "direction": options.direction}
    needed = FORMS[cipher.lte].inputs if cipher.lte else ()
    for name, value in given.items():
        if value is not None and name not in needed:
            raise UsageError(f"{cipher.name} does not take --{name}; leave it out")
    inputs = {
        name: _word(value, f"--{name}") if isinstance(value, str) else value
        for name in needed
        if (value := given[name]) is not None
    }
    if missing := next((name for name in needed if name not in inputs), None):
        names = [f"--{name}" for name in needed]
        raise UsageError(f"{cipher.name} needs {', '.join(names[:-1])} and {names[-1]}; give --{missing}")
    return initial_vector(cipher.lte, **inputs) if needed else b""


def first_block(cipher: Cipher, options: SegmentOptions) -> bytes:
    """Return the IV that integer counter mode builds from the options. Raises UsageError if one is missing or extra."""
    from lutra.cli.checks import usage_checks
    from lutra.firmware.segments import FirstBlock

    sizes = {"segment_bytes": options.segment_bytes, "block_bytes": options.block_bytes}
    if not cipher.offset_bytes:
        given = {"segment": options.segment or None, "block": options.block or None} | sizes
        if extra := next((name for name, value in given.items() if value is not None), None):
            raise UsageError(f"{cipher.name} does not take --{extra.replace('_', '-')}; leave it out")
        return b""
    if not options.segment:
        raise UsageError(f"{cipher.name} needs a segment; give --segment")
    indices = number(options.segment, "--segment"), number(options.block or "0", "--block")
    with usage_checks():
        return FirstBlock(*indices, **{name: value for name, value in sizes.items() if value is not None})


def _word(text: str, option: str) -> int:
    """Return the value of a 32-bit option."""
    if len(hexadecimal(text, option)) != 4:
        raise UsageError(f"{option} has {len(text)} hexadecimal digits; it takes 8")
    return int(text, 16)


def number(text: str, what: str) -> int:
    """Parse a number as in assembly: decimal, or with 0x, 0b, 0o."""
    if not re.fullmatch(r"[0-9][0-9a-zA-Z_]*", text):
        raise UsageError(f"{what}: {text!r} is not a number such as 256 or 0x100")
    try:
        return int(text, 0)
    except ValueError as error:
        raise UsageError(f"{what}: {text!r} is not a number such as 256 or 0x100") from error


def hexadecimal(text: str, option: str) -> bytes:
    """Parse the hexadecimal bytes of an option; errors do not show them, since they may be a key."""
    stray = next((n for n, c in enumerate(text) if c not in "0123456789abcdefABCDEF"), None)
    if stray is not None:
        raise UsageError(f"{option} is not hexadecimal: character {stray + 1} is {text[stray]!r}")
    if len(text) % 2:
        raise UsageError(f"{option} has {len(text)} hexadecimal digits; must be an even number")
    return bytes.fromhex(text)


def existing(path: Path) -> Path:
    """Return the path of an existing file."""
    if path.is_dir():
        raise CliError(f"{path}: is a folder; give a file")
    if not path.exists():
        raise CliError(f"{path}: no such file")
    return path
