"""`lutra crc`: a check value by slicing on the processor."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer

from lutra.cli.errors import CliError
from lutra.cli.options import EngineOption, JsonOption, ManifestOption, existing, number, served
from lutra.cli.output import print_json
from lutra.firmware import crc
from lutra.firmware.ciphers import Cipher
from lutra.firmware.polynomial import Polynomial
from lutra.firmware.session import Session
from lutra.iss import engine as engines


def command(
    source: Annotated[Path, typer.Argument(metavar="IN", help="The message; `-` for standard input.")],
    name: Annotated[
        str, typer.Option("--algorithm", metavar="NAME", help=f"One of {', '.join(crc.names())}.")
    ] = "crc-32",
    width: Annotated[int | None, typer.Option("--width", help="Width of another CRC: 8 to 32 bits.")] = None,
    poly: Annotated[str | None, typer.Option("--poly", metavar="HEX", help="Its polynomial.")] = None,
    init: Annotated[str, typer.Option("--init", metavar="HEX", help="Its initial value.")] = "0",
    xorout: Annotated[str, typer.Option("--xorout", metavar="HEX", help="XORed to the result.")] = "0",
    reflected: Annotated[bool, typer.Option("--reflected", help="Least significant bits first.")] = False,
    manifest: ManifestOption = None,
    engine: EngineOption = "iss",
    json: JsonOption = False,
) -> None:
    """Compute a CRC of a file.

    A polynomial of 8 to 32 bits needs only other table contents.

    \b
    Example:
      lutra crc --algorithm crc-32c README.md
    """
    chosen = served(manifest).named(name, "crc") if poly is None else _other(width, poly, init, xorout, reflected)
    assert chosen.polynomial is not None
    session = Session(engines.make(engine))
    value = crc.of_pieces(session, chosen, _pieces(source, chosen.default.image.job_bytes))
    text = f"{value:0{(chosen.polynomial.width + 3) // 4}x}"
    if json:
        usage = session.usage
        found = {"algorithm": chosen.name, "crc": text, "bytes": usage.units}
        print_json(found | {"engine": engine, "cycles": usage.cycles})
    else:
        print(text)


def _pieces(source: Path, size: int) -> Iterator[bytes]:
    if str(source) == "-":
        yield from iter(lambda: sys.stdin.buffer.read(size), b"")
        return
    with existing(source).open("rb") as file:
        yield from iter(lambda: file.read(size), b"")


def _other(width: int | None, poly: str, init: str, xorout: str, reflected: bool) -> Cipher:
    if width is None:
        raise CliError("--poly needs --width, the number of bits of the CRC")
    values = [
        number(f"0x{text.removeprefix('0x')}", what)
        for text, what in ((poly, "--poly"), (init, "--init"), (xorout, "--xorout"))
    ]
    if any(value >> width for value in values):
        raise CliError(f"polynomial, initial value and xorout of a CRC of {width} bits have {width} bits")
    return crc.of(f"--width {width}", Polynomial(width, values[0], values[1], reflected, reflected, values[2]))
