"""`lutra campaign`: random programs in lock-step, in one process or in many."""

from __future__ import annotations

import typer

from lutra.cli.campaign import merge, run
from lutra.cli.commands import PLAIN

app = typer.Typer(
    help="""Run random programs in lock-step, and merge the reports of several runs.

    \b
    Example: a campaign in two parts:
      lutra campaign run --seeds 0:500 --json > shard-0.json
      lutra campaign run --seeds 500:1000 --json > shard-1.json
      lutra campaign merge shard-0.json shard-1.json --junit cosim.xml
    """,
    **PLAIN,
)
for module in (run, merge):
    app.command(module.__name__.rpartition(".")[2])(module.command)
