"""`lutra ciphers`: what the firmware serves."""

from __future__ import annotations

import typer

from lutra.cli.options import JsonOption, ManifestOption, served
from lutra.cli.output import print_json
from lutra.firmware.ciphers import CALLED


def command(manifest: ManifestOption = None, json: JsonOption = False) -> None:
    """List the names for --cipher, and of MACs and CRCs for --algorithm; with --manifest, those of own firmware.

    \b
    Example:
      lutra ciphers
    """
    ciphers = served(manifest).listed
    if json:
        print_json(
            [
                {
                    "name": c.name,
                    "kind": c.kind,
                    "key_bits": c.key_bits,
                    "iv_bytes": c.iv_bytes,
                    "unit": c.unit,
                    "unit_bytes": c.unit_bytes,
                }
                for c in ciphers
            ]
        )
        return
    width = max(len(c.name) for c in ciphers)
    for c in ciphers:
        what = "authenticated encryption" if c.is_aead else CALLED[c.kind][0]
        key = f", key {c.key_bits} bits" if c.key_bits else ""
        iv = f", iv {c.iv_bytes} bytes" if c.iv_bytes and c.key_bits and not c.lte else ""
        typer.echo(f"{c.name:{width}}  {what}{key}{iv}")
