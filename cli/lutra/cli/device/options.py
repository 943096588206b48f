"""Options of the commands that work on a device."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import typer

DeviceOption = Annotated[Path, typer.Option("--device", metavar="DIR", help="Folder of the device.")]
OtherEngineOption = Annotated[
    Literal["iss", "rtl", "cosim"] | None,
    typer.Option("--engine", help="Core for this command; default: the one chosen at `lutra device create`."),
]
