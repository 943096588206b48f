"""`lutra patch`: update the firmware of a device."""

import typer

from lutra.cli.commands import PLAIN
from lutra.cli.patch import apply, confirm, revert, status

app = typer.Typer(
    help="""Update the firmware of a device: apply a pack, confirm it, or revert.

    \b
    Example: try the new firmware before you confirm it:
      lutra patch apply otter.pack --device dev --no-confirm
      lutra device run --device dev --cipher otter-128-ctr --key HEX --iv HEX IN OUT
      lutra patch confirm --device dev
    """,
    **PLAIN,
)
for module in (apply, confirm, revert, status):
    app.command(module.__name__.rpartition(".")[2])(module.command)
