"""`lutra cosim`: one image on simulator and core in lock-step."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import typer
from typer.core import TyperCommand

from lutra.cli import run
from lutra.cli.errors import UsageError
from lutra.cli.jobs import IMAGE_HELP
from lutra.cli.options import JsonOption, RoundsOption, RtlLibraryOption, use_rtl_library
from lutra.cli.request import takes

# Options that have become commands.
_MOVED = {"--random": "lutra campaign run", "--merge": "lutra campaign merge"}


class Command(TyperCommand):
    """Names the command that an option of earlier versions has become."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        if old := next((option for option in _MOVED if option in args), ""):
            raise UsageError(f"cosim {old} is now `{_MOVED[old]}`; give it the other options")
        return super().parse_args(ctx, args)


@dataclass(frozen=True, kw_only=True)
class Request:
    """Options of the command."""

    image: Annotated[Path, typer.Argument(metavar="FILE", help=IMAGE_HELP)]
    rounds: RoundsOption = None
    rtl_library: RtlLibraryOption = None
    json: JsonOption = False


@takes(Request)
def command(request: Request) -> None:
    """Compare simulator and core in lock-step on one image, at every retirement.

    The same as `lutra run FILE --engine cosim`, which has more options. `lutra campaign run` runs random programs.

    \b
    Example:
      lutra cosim program.elf
    """
    use_rtl_library(request.rtl_library)
    run.do(run.Request(image=request.image, engine="cosim", rounds=request.rounds, json=request.json))
