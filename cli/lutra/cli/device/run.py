"""`lutra device run`: process a file with the firmware of a device."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from lutra.cli.checks import usage_checks
from lutra.cli.device.options import DeviceOption, OtherEngineOption
from lutra.cli.files import distinct, opened, read_message
from lutra.cli.options import hexadecimal
from lutra.cli.output import output
from lutra.firmware import message
from lutra.firmware.ciphers import Direction
from lutra.firmware.device import opened as opened_device
from lutra.firmware.device.folder import files
from lutra.firmware.device.session import DeviceSession, process
from lutra.firmware.request import Request


def command(
    source: Annotated[Path, typer.Argument(metavar="IN", help="File to read, or - for standard input.")],
    target: Annotated[Path, typer.Argument(metavar="OUT", help="File to write, or - for standard output.")],
    device: DeviceOption,
    cipher: Annotated[str, typer.Option("--cipher", metavar="NAME", help="Algorithm of the device's firmware.")],
    key: Annotated[str, typer.Option("--key", metavar="HEX", help="Key in hexadecimal.")] = "",
    iv: Annotated[
        str, typer.Option("--iv", metavar="HEX", help="IV, nonce or first counter block, in hexadecimal.")
    ] = "",
    decrypt: Annotated[bool, typer.Option("--decrypt", help="Decrypt instead of encrypt.")] = False,
    aad: Annotated[str, typer.Option("--aad", metavar="HEX", help="Associated data in hexadecimal (GCM, CCM).")] = "",
    pad: Annotated[bool, typer.Option("--pad", help="Use PKCS#7 padding (ECB, CBC).")] = False,
    engine: OtherEngineOption = None,
) -> None:
    """Encrypt or decrypt a file with the firmware of a device, or compute its MAC or CRC.

    A device that is off is booted first; firmware on trial stays on trial.

    \b
    Example:
      lutra device run --device dev --cipher otter-128-ctr --key 000102030405060708090a0b0c0d0e0f \\
          --iv 00000000000000000000000000000001 plain secret
    """
    key_bytes, iv_bytes, associated = (
        hexadecimal(text, option) for text, option in ((key, "--key"), (iv, "--iv"), (aad, "--aad"))
    )
    distinct({str(file): file for file in files(device)}, {"OUT": target})
    direction: Direction = "decrypt" if decrypt else "encrypt"
    with opened_device(device, engine) as booted:
        session = DeviceSession(booted)
        with usage_checks():
            request = Request(session.catalogue.cipher(cipher), direction, key_bytes, iv_bytes, associated, pad)
            message.check(request)
        with opened(source) as file:
            data = read_message(file, source)
        result = process(session, request, data)
        with output(target) as out:
            out.write(result)
