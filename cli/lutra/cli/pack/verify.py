"""`lutra pack verify`: check a pack as a device does."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from lutra.cli.errors import UsageError
from lutra.cli.options import JsonOption, hexadecimal
from lutra.cli.output import print_json
from lutra.cli.pack import files
from lutra.cli.pack.files import PackArgument
from lutra.cli.pack.inspect import document, signers
from lutra.firmware import pack
from lutra.firmware.pack.records import DIGEST_BYTES


def command(
    file: PackArgument,
    roots: Annotated[
        Path | None, typer.Option("--roots", metavar="FILE.roots", help="File of roots; the last one is trusted.")
    ] = None,
    root_digest: Annotated[
        str, typer.Option("--root-digest", metavar="HEX", help="Digest of the trusted root, as stored in a device.")
    ] = "",
    json: JsonOption = False,
) -> None:
    """Check a pack as a device does: encoding, roots, signatures, digests, core, and each part.

    The check stops at the first error. It does not run known answers; see `lutra pack test`.

    \b
    Example:
      lutra pack verify otter.pack --roots vendor.roots
    """
    if (roots is None) is not bool(root_digest):
        raise UsageError("give either --roots or --root-digest")
    if roots is None:
        trusted = hexadecimal(root_digest, "--root-digest")
        if len(trusted) != DIGEST_BYTES:
            raise UsageError(f"--root-digest has {2 * len(trusted)} hexadecimal digits; it takes {2 * DIGEST_BYTES}")
    else:
        known = files.roots(roots)
        with files.about(roots):
            trusted = pack.roots.trusted(known)
    data = files.read_pack(file)
    with files.about(file):
        manifest = pack.verify(data, trusted).manifest
    made = pack.decode(data)
    if json:
        print_json(document(made))
    else:
        print(f"{file}: {manifest.name} {manifest.version}, counter {manifest.counter}, {signers(made)}: good")
