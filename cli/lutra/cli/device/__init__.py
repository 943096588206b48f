"""`lutra device`: devices that take packs."""

import typer

from lutra.cli.device import boot, create, run, show

app = typer.Typer(
    help="A device in a folder: fuses, flash with two slots, a boot record, and a core.",
    rich_markup_mode=None,
)
for module in (create, show, boot, run):
    app.command(module.__name__.rpartition(".")[2])(module.command)
