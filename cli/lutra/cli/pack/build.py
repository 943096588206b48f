"""`lutra pack build`: a pack from folders of firmware."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from lutra.asm.errors import plural
from lutra.cli.errors import UsageError
from lutra.cli.files import distinct
from lutra.cli.options import JsonOption, own_files
from lutra.cli.output import print_json, progress
from lutra.cli.pack import files
from lutra.cli.pack.inspect import document, signers
from lutra.firmware import kat, pack


def command(
    firmware: Annotated[
        list[Path], typer.Argument(metavar="FIRMWARE", help="Folder with firmware.toml, or an installed cipher's name.")
    ],
    out: Annotated[Path, typer.Option("-o", metavar="FILE.pack", help="Pack to write.")],
    name: Annotated[str | None, typer.Option("--name", metavar="TEXT", help="Default: the ciphers'.")] = None,
    version: Annotated[str | None, typer.Option("--version", metavar="A.B.C", help="Version of the pack.")] = None,
    counter: Annotated[
        int | None, typer.Option("--counter", metavar="N", min=0, max=255, help="Security counter; default 0.")
    ] = None,
    algorithm: Annotated[
        list[str] | None, typer.Option("--algorithm", metavar="NAME", help="Default: all; repeatable.")
    ] = None,
    vectors: Annotated[
        list[Path] | None,
        typer.Option("--vectors", metavar="FILE", help="Vectors, or a folder; default: those beside; repeatable."),
    ] = None,
    answers: Annotated[
        int | None, typer.Option("--answers", metavar="N", min=1, max=64, help="Vectors for each answer; default 2.")
    ] = None,
    roots: Annotated[
        Path | None, typer.Option("--roots", metavar="FILE.roots", help="Roots, to sign the pack.")
    ] = None,
    key: Annotated[
        list[Path] | None, typer.Option("--key", metavar="FILE.pem", help="Private key to sign with; repeatable.")
    ] = None,
    json: JsonOption = False,
) -> None:
    """Build a pack: images, known answers from published vectors, and how a host calls them.

    The table [pack] of firmware.toml says what is not given here. A vector that fails ends it. The same inputs make the
    same bytes.

    \b
    Example:
      lutra pack build otter --version 1.0.0 --roots vendor.roots --key release.pem -o otter.pack
      lutra pack build otter aes-128-gcm zuc --vectors vectors --name radio --version 2.0.0 -o radio.pack
    """
    if key and roots is None:
        raise UsageError("--key needs --roots, which say whose keys sign packs")
    if roots and not key:
        raise UsageError("--roots are for signing: give --key too, or sign later with `lutra pack sign`")
    settings = pack.read_settings(firmware, name, version, counter, algorithm or (), vectors or (), answers)
    inputs = own_files(settings.known) | files.named([*kat.files(settings.vectors), *(key or ())]) | {"--roots": roots}
    distinct(inputs, {"-o": out})
    private, known = files.private(key or ()), files.roots(roots) if roots else None
    with progress(f"building {settings.name}", None) as done:
        made = pack.build(settings, done)
    if known is not None and roots is not None:
        with files.about(roots):
            made = pack.signed(made, known, private)
    data = pack.encode(made)
    files.write(out, data)
    contents = pack.contents(made)
    if json:
        print_json(document(made))
        return
    manifest = contents.manifest
    print(
        f"{manifest.name} {manifest.version}: {plural(len(manifest.algorithms), 'algorithm')} in "
        f"{plural(len(manifest.images), 'image')}, {plural(len(contents.answers), 'known answer')}, {len(data)} bytes; "
        f"{signers(made)}"
    )
    if missing := pack.unanswered(contents):
        print(f"no known answer of {', '.join(missing)}: none of the vectors is theirs")
