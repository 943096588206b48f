"""`lutra crc`: a check value by slicing on the processor."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer

from lutra.cli.errors import CliError
from lutra.cli.options import EngineOption, JsonOption, existing, number
from lutra.cli.output import print_json
from lutra.firmware.crc import ALGORITHMS, JOB_BYTES, Algorithm, Session, algorithm
from lutra.iss import engine as engines


def command(
    source: Annotated[Path, typer.Argument(metavar="IN", help="The message; `-` for standard input.")],
    name: Annotated[
        str, typer.Option("--algorithm", metavar="NAME", help=f"One of {', '.join(ALGORITHMS)}.")
    ] = "crc-32",
    width: Annotated[int | None, typer.Option("--width", help="Of another CRC: 8 to 32 bits.")] = None,
    poly: Annotated[str | None, typer.Option("--poly", metavar="HEX", help="Its polynomial.")] = None,
    init: Annotated[str, typer.Option("--init", metavar="HEX", help="Its initial value.")] = "0",
    xorout: Annotated[str, typer.Option("--xorout", metavar="HEX", help="XORed to the result.")] = "0",
    reflected: Annotated[bool, typer.Option("--reflected", help="Least significant bits first.")] = False,
    engine: EngineOption = "iss",
    json: JsonOption = False,
) -> None:
    """Compute a CRC of a file.

    Any polynomial of 8 to 32 bits is only other table contents.

    \b
    Example:
      lutra crc --algorithm crc-32c README.md
    """
    chosen = algorithm(name) if poly is None else _other(width, poly, init, xorout, reflected)
    session = Session(engines.make(engine), chosen)
    length = 0
    for piece in _pieces(source):
        session.update(piece)
        length += len(piece)
    text = f"{session.value():0{(chosen.width + 3) // 4}x}"
    if json:
        print_json({"algorithm": chosen.name, "crc": text, "bytes": length, "engine": engine, "cycles": session.cycles})
    else:
        print(text)


def _pieces(source: Path) -> Iterator[bytes]:
    if str(source) == "-":
        yield from iter(lambda: sys.stdin.buffer.read(JOB_BYTES), b"")
        return
    with existing(source).open("rb") as file:
        yield from iter(lambda: file.read(JOB_BYTES), b"")


def _other(width: int | None, poly: str, init: str, xorout: str, reflected: bool) -> Algorithm:
    if width is None:
        raise CliError("--poly needs --width, the number of bits of the CRC")
    values = [
        number(f"0x{text.removeprefix('0x')}", what)
        for text, what in ((poly, "--poly"), (init, "--init"), (xorout, "--xorout"))
    ]
    if any(value >> width for value in values):
        raise CliError(f"polynomial, initial value and xorout of a CRC of {width} bits have {width} bits")
    return Algorithm(f"--width {width}", width, values[0], values[1], reflected, reflected, values[2])
