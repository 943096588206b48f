"""`lutra pack build`: build a pack from folders of firmware."""

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
        list[Path],
        typer.Argument(metavar="FIRMWARE", help="Folder with a firmware.toml, or the name of an installed cipher."),
    ],
    out: Annotated[Path, typer.Option("-o", metavar="FILE.pack", help="Pack to write.")],
    name: Annotated[
        str | None, typer.Option("--name", metavar="TEXT", help="Name of the pack; default: from the ciphers.")
    ] = None,
    version: Annotated[str | None, typer.Option("--version", metavar="A.B.C", help="Version of the pack.")] = None,
    counter: Annotated[
        int | None,
        typer.Option("--counter", metavar="N", min=0, max=255, help="Security counter, 0 to 255; default 0."),
    ] = None,
    algorithm: Annotated[
        list[str] | None, typer.Option("--algorithm", metavar="NAME", help="Default: all; repeatable.")
    ] = None,
    vectors: Annotated[
        list[Path] | None,
        typer.Option(
            "--vectors", metavar="FILE", help="File or folder of vectors; repeatable; default: those of FIRMWARE."
        ),
    ] = None,
    answers: Annotated[
        int | None,
        typer.Option("--answers", metavar="N", min=1, max=64, help="Vectors per known answer, 1 to 64; default 2."),
    ] = None,
    roots: Annotated[
        Path | None, typer.Option("--roots", metavar="FILE.roots", help="File of roots, which say whose keys may sign.")
    ] = None,
    key: Annotated[
        list[Path] | None, typer.Option("--key", metavar="FILE.pem", help="Sign with this private key; repeatable.")
    ] = None,
    json: JsonOption = False,
) -> None:
    """Build a pack: images, known answers from published vectors, and how a host calls them.

    Options that are not given come from the table [pack] of firmware.toml. The build stops if a vector fails. The same
    inputs give the same bytes.

    \b
    Example:
      lutra pack build otter --version 1.0.0 --roots vendor.roots --key release.pem -o otter.pack
      lutra pack build otter aes-128-gcm zuc --vectors vectors --name radio --version 2.0.0 -o radio.pack
    """
    if key and roots is None:
        raise UsageError("--key needs --roots, which say whose keys may sign")
    if roots and not key:
        raise UsageError("--roots needs --key; give both, or neither and sign later with `lutra pack sign`")
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
        print(f"no known answer for {', '.join(missing)}: there are no vectors for it")
