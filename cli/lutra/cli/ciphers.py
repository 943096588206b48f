"""`lutra ciphers`: what the firmware serves."""

from __future__ import annotations

import typer

from lutra.cli.options import JsonOption
from lutra.cli.output import print_json
from lutra.firmware.manifest import catalogue

KINDS = {"cipher": "cipher", "mac": "MAC", "gcm": "authenticated encryption", "ccm": "authenticated encryption"}


def command(json: JsonOption = False) -> None:
    """List the names for --cipher, and of MACs for --algorithm.

    \b
    Example:
      lutra ciphers
    """
    ciphers = catalogue().ciphers
    if json:
        print_json(
            [
                {"name": c.name, "kind": c.kind, "key_bits": c.key_bits, "iv_bytes": c.iv_bytes, "unit": c.unit}
                for c in ciphers
            ]
        )
        return
    width = max(len(c.name) for c in ciphers)
    for c in ciphers:
        iv = f", iv {c.iv_bytes} bytes" if c.iv_bytes and not c.lte else ""
        typer.echo(f"{c.name:{width}}  {KINDS[c.kind]}, key {c.key_bits} bits{iv}")
