"""`lutra pack sign`: add signatures to a pack."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from lutra.cli.files import distinct
from lutra.cli.pack import files
from lutra.cli.pack.files import KeysOption, PackArgument
from lutra.cli.pack.inspect import signers
from lutra.firmware import pack


def command(
    file: PackArgument,
    roots: Annotated[
        Path, typer.Option("--roots", metavar="FILE.roots", help="File of roots; the last one says who may sign.")
    ],
    key: KeysOption,
    out: Annotated[
        Path | None, typer.Option("-o", metavar="FILE.pack", help="Pack to write; default: in place.")
    ] = None,
) -> None:
    """Sign a pack with pack keys of the last root, and put these roots into it.

    Existing signatures are kept if their keys are in the last root.

    \b
    Example:
      lutra pack sign otter.pack --roots vendor.roots --key second.pem
    """
    distinct(files.named([file, roots, *key] if out else [roots, *key]), {"-o": out or file})
    before, known, private = files.envelope(file), files.roots(roots), files.private(key)
    with files.about(file):
        pack.contents(before)
    with files.about(roots):
        made = pack.signed(before, known, private)
    files.write(out or file, pack.encode(made))
    print(f"{out or file}: {signers(made)}")
