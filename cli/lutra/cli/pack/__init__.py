"""`lutra pack`: signed firmware in one file."""

from __future__ import annotations

import typer

from lutra.cli.commands import PLAIN
from lutra.cli.pack import build, diff, inspect, key, root, sign, test, verify

app = typer.Typer(
    help="""Build, sign and verify packs: signed firmware in one file.

    \b
    Example: a pack for devices that trust vendor.roots:
      lutra pack key offline release
      lutra pack root create --root-key offline.pub --pack-key release.pub -o vendor.roots
      lutra pack root sign vendor.roots --key offline.pem
      lutra pack build otter --version 1.0.0 --roots vendor.roots --key release.pem -o otter.pack
      lutra pack verify otter.pack --roots vendor.roots
    """,
    **PLAIN,
)
for module in (key, build, sign, verify, inspect, test, diff):
    app.command(module.__name__.rpartition(".")[2])(module.command)
app.add_typer(root.app, name="root")
