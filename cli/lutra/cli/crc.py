"""`lutra crc`: compute a CRC by slicing, on the processor."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer

from lutra.cli.checks import usage_checks
from lutra.cli.errors import UsageError
from lutra.cli.files import opened
from lutra.cli.options import EngineOption, JsonOption, ManifestOption, number, served
from lutra.cli.output import print_json
from lutra.firmware import crc
from lutra.firmware.ciphers import Cipher
from lutra.firmware.polynomial import WIDTHS, Polynomial
from lutra.firmware.session import Session
from lutra.iss import engine as engines

DEFAULT = "crc-32"


def command(
    source: Annotated[Path, typer.Argument(metavar="IN", help="File to read, or - for standard input.")],
    name: Annotated[
        str | None,
        typer.Option("--algorithm", metavar="NAME", help=f"CRC algorithm, see `lutra ciphers`; default {DEFAULT}."),
    ] = None,
    width: Annotated[
        int | None,
        typer.Option("--width", metavar="BITS", min=WIDTHS[0], max=WIDTHS[-1], help="Width in bits of a custom CRC."),
    ] = None,
    poly: Annotated[str | None, typer.Option("--poly", metavar="HEX", help="Polynomial of a custom CRC.")] = None,
    init: Annotated[
        str | None, typer.Option("--init", metavar="HEX", help="Initial value of a custom CRC; default 0.")
    ] = None,
    xorout: Annotated[
        str | None, typer.Option("--xorout", metavar="HEX", help="Value XORed with the result; default 0.")
    ] = None,
    reflected: Annotated[bool, typer.Option("--reflected", help="Process the least significant bit first.")] = False,
    manifest: ManifestOption = None,
    engine: EngineOption = "iss",
    json: JsonOption = False,
) -> None:
    """Compute a CRC of a file.

    Any polynomial of 1 to 32 bits runs on the same firmware, with different tables.

    \b
    Example:
      lutra crc --algorithm crc-32c README.md
    """
    parameters = {
        "--width": width,
        "--poly": poly,
        "--init": init,
        "--xorout": xorout,
        "--reflected": reflected or None,
    }
    _check(name, [option for option, value in parameters.items() if value is not None])
    known = served(manifest)
    with usage_checks():
        if width is None or poly is None:
            chosen = known.named(name or DEFAULT, "crc")
        else:
            chosen = _other(width, poly, init or "0", xorout or "0", reflected)
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
    with opened(source) as file:
        yield from iter(lambda: file.read(size), b"")


def _check(name: str | None, given: list[str]) -> None:
    """Refuse a CRC that is given neither by its name alone nor by all of its parameters."""
    if name is not None and given:
        raise UsageError(f"--algorithm {name} already sets all parameters; leave out {', '.join(given)}")
    missing = [option for option in ("--width", "--poly") if given and option not in given]
    if missing:
        raise UsageError(f"{given[0]} is for a custom CRC; give {' and '.join(missing)} as well")


def _other(width: int, poly: str, init: str, xorout: str, reflected: bool) -> Cipher:
    values = [
        number(f"0x{text.removeprefix('0x')}", what)
        for text, what in ((poly, "--poly"), (init, "--init"), (xorout, "--xorout"))
    ]
    if any(value >> width for value in values):
        raise UsageError(f"--poly, --init and --xorout must fit in the {width} bits of --width")
    return crc.of(f"--width {width}", Polynomial(width, values[0], values[1], reflected, reflected, values[2]))
