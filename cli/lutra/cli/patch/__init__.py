"""`lutra patch`: the firmware of a device, from one version to the next."""

import typer

from lutra.cli.commands import PLAIN
from lutra.cli.patch import apply, confirm, revert, status

app = typer.Typer(
    help="""Change the firmware of a device: apply a pack, confirm it, go back.

    \b
    Example, with a trial of your own before it stays:
      lutra patch apply otter.pack --device dev --no-confirm
      lutra device run --device dev --cipher otter-128-ctr --key HEX --iv HEX IN OUT
      lutra patch confirm --device dev
    """,
    **PLAIN,
)
for module in (apply, confirm, revert, status):
    app.command(module.__name__.rpartition(".")[2])(module.command)
