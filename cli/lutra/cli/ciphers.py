"""`lutra ciphers`: the algorithms of the firmware."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Annotated

import typer

from lutra.cli.errors import UsageError
from lutra.cli.options import JsonOption, ManifestOption, served
from lutra.cli.output import print_json, progress
from lutra.firmware import openssl
from lutra.firmware.ciphers import Catalogue, Cipher
from lutra.firmware.manifest import assembled
from lutra.firmware.needs import of_image


def command(
    manifest: ManifestOption = None,
    needs: Annotated[bool, typer.Option("--needs", help="Print what each image requires of a core.")] = False,
    openssl_list: Annotated[
        bool, typer.Option("--openssl", help="Print OpenSSL's ciphers, which of them run, and cycles per byte.")
    ] = False,
    json: JsonOption = False,
) -> None:
    """List the names for --cipher and, for MACs and CRCs, for --algorithm; with --manifest, those of your firmware.

    \b
    Example:
      lutra ciphers
      lutra ciphers --needs
      lutra ciphers --openssl
    """
    known = served(manifest)
    if openssl_list:
        if needs:
            raise UsageError("--needs and --openssl print different lists; leave one of them out")
        _openssl(known, json)
        return
    ciphers = known.listed
    if needs:
        _needs(ciphers, json)
        return
    if json:
        print_json(
            [
                {
                    "name": c.name,
                    "kind": c.kind.name,
                    "key_bits": c.key_bits,
                    "iv_bytes": c.iv_bytes,
                    "unit": c.unit,
                    "unit_bytes": c.unit_bytes,
                    "directions": list(c.directions),
                }
                for c in ciphers
            ]
        )
        return
    width = max(len(c.name) for c in ciphers)
    for c in ciphers:
        key = f", key {c.key_bits} bits" if c.key_bits else ""
        made = c.lte or c.offset_bytes or c.wraps_keys  # of other inputs
        iv = f", iv {c.iv_bytes} bytes" if c.iv_bytes and c.key_bits and not made else ""
        one_way = ", encryption only" if c.kind.encrypts and len(c.directions) == 1 else ""
        typer.echo(f"{c.name:{width}}  {c.kind.described}{key}{iv}{one_way}")


def _openssl(known: Catalogue, json: bool) -> None:
    """Print one line per cipher of the installed OpenSSL."""
    listed = openssl.listed()
    found: list[openssl.Served] = []
    with progress("measuring", len(listed)) as done:
        for each in openssl.served(known, listed):
            found.append(each)
            done(len(found))
    if json:
        print_json([each.as_json() for each in found])
        return
    rows = [("OpenSSL", "Lutra", "encrypt", "decrypt")]
    rows += [
        (each.listed.name, each.cipher.name if each.cipher else "-", _figure(each.encrypt), _figure(each.decrypt))
        for each in found
    ]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for name, ours, encrypt, decrypt in rows:
        typer.echo(f"{name:{widths[0]}}  {ours:{widths[1]}}  {encrypt:>{widths[2]}}  {decrypt:>{widths[3]}}")
    runs = sum(each.cipher is not None for each in found)
    typer.echo(f"\n{runs} of {len(found)} run; cycles per byte are for a long message")


def _figure(cycles: float | None) -> str:
    return "-" if cycles is None else f"{cycles:.3f}"


def _needs(ciphers: Sequence[Cipher], json: bool) -> None:
    """Print one line per image: its extensions, rounds, stream contexts and memory."""
    images = {i.image.name: i.image for c in ciphers for i in c.implementations}
    found = {name: of_image(assembled(image)) for name, image in images.items()}
    if json:
        print_json({name: asdict(needed) for name, needed in found.items()})
        return
    width = max(map(len, found))
    for name, needed in found.items():
        contexts = f", contexts {needed.contexts}" if needed.contexts else ""
        rows = "".join(f", {space} {count}" for space, count in needed.rows.items())
        memory = f"{needed.program_words} words, rows{rows[1:]}" if rows else f"{needed.program_words} words"
        typer.echo(f"{name:{width}}  rounds {needed.rounds}{contexts}, {memory}: {' '.join(needed.extensions)}")
