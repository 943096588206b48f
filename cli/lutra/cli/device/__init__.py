"""`lutra device`: simulated devices that packs update."""

import typer

from lutra.cli.commands import PLAIN
from lutra.cli.device import boot, create, run, show

app = typer.Typer(
    help="""Create and run a simulated device, kept in a folder: fuses, flash with two slots, boot record, core.

    \b
    Example:
      lutra device create dev --roots vendor.roots
      lutra patch apply otter.pack --device dev
      lutra device run --device dev --cipher otter-128-ctr --key HEX --iv HEX IN OUT
    """,
    **PLAIN,
)
for module in (create, show, boot, run):
    app.command(module.__name__.rpartition(".")[2])(module.command)
