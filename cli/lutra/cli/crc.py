"""`lutra crc`: compute a CRC by slicing, on the processor."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from lutra.cli.checks import usage_checks
from lutra.cli.errors import UsageError
from lutra.cli.files import opened
from lutra.cli.options import EngineOption, JsonOption, ManifestOption, number, served
from lutra.cli.output import print_json
from lutra.cli.request import takes
from lutra.firmware import crc
from lutra.firmware.ciphers import Cipher
from lutra.firmware.polynomial import WIDTHS, Polynomial
from lutra.firmware.session import Session
from lutra.iss import engine as engines

DEFAULT = "crc-32"


@dataclass(frozen=True, kw_only=True)
class Request:
    """Options of the command."""

    source: Annotated[Path, typer.Argument(metavar="IN", help="File to read, or - for standard input.")]
    name: Annotated[
        str | None,
        typer.Option("--algorithm", metavar="NAME", help=f"CRC algorithm, see `lutra ciphers`; default {DEFAULT}."),
    ] = None
    width: Annotated[
        int | None,
        typer.Option("--width", metavar="BITS", min=WIDTHS[0], max=WIDTHS[-1], help="Width in bits of a custom CRC."),
    ] = None
    poly: Annotated[str | None, typer.Option("--poly", metavar="HEX", help="Polynomial of a custom CRC.")] = None
    init: Annotated[
        str | None, typer.Option("--init", metavar="HEX", help="Initial value of a custom CRC; default 0.")
    ] = None
    xorout: Annotated[
        str | None, typer.Option("--xorout", metavar="HEX", help="Value XORed with the result; default 0.")
    ] = None
    reflected: Annotated[bool, typer.Option("--reflected", help="Process the least significant bit first.")] = False
    manifest: ManifestOption = None
    engine: EngineOption = "iss"
    json: JsonOption = False


@takes(Request)
def command(request: Request) -> None:
    """Compute a CRC of a file.

    Any polynomial of 1 to 32 bits runs on the same firmware, with different tables.

    \b
    Example:
      lutra crc --algorithm crc-32c README.md
    """
    _check(request)
    chosen, polynomial = _chosen(request)
    session = Session(engines.make(request.engine))
    value = crc.of_pieces(session, chosen, _pieces(request.source, chosen.default.image.job_bytes))
    text = f"{value:0{(polynomial.width + 3) // 4}x}"
    if request.json:
        usage = session.usage
        found = {"algorithm": chosen.name, "crc": text, "bytes": usage.units}
        print_json(found | {"engine": request.engine, "cycles": usage.cycles})
    else:
        print(text)


def _check(request: Request) -> None:
    """Refuse a CRC that is given neither by its name alone nor by all of its parameters. Raises UsageError."""
    parameters = {
        "--width": request.width,
        "--poly": request.poly,
        "--init": request.init,
        "--xorout": request.xorout,
        "--reflected": request.reflected or None,
    }
    given = [option for option, value in parameters.items() if value is not None]
    if request.name is not None and given:
        raise UsageError(f"--algorithm {request.name} already sets all parameters; leave out {', '.join(given)}")
    missing = [option for option in ("--width", "--poly") if given and option not in given]
    if missing:
        raise UsageError(f"{given[0]} is for a custom CRC; give {' and '.join(missing)} as well")


def _chosen(request: Request) -> tuple[Cipher, Polynomial]:
    """Return the CRC, named or custom, and its polynomial. Raises UsageError."""
    known = served(request.manifest)
    with usage_checks():
        if request.width is None or request.poly is None:
            chosen = known.named(request.name or DEFAULT, "crc")
        else:
            chosen = _custom(request.width, request.poly, request)
    assert chosen.polynomial is not None
    return chosen, chosen.polynomial


def _custom(width: int, poly: str, request: Request) -> Cipher:
    values = {"--poly": poly, "--init": request.init or "0", "--xorout": request.xorout or "0"}
    numbers = [number(f"0x{text.removeprefix('0x')}", option) for option, text in values.items()]
    if any(value >> width for value in numbers):
        raise UsageError(f"--poly, --init and --xorout must fit in the {width} bits of --width")
    taps, init, xorout = numbers
    reflected = request.reflected
    return crc.of(f"--width {width}", Polynomial(width, taps, init, reflected, reflected, xorout))


def _pieces(source: Path, size: int) -> Iterator[bytes]:
    with opened(source) as file:
        yield from iter(lambda: file.read(size), b"")
