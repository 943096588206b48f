"""Options of the commands that work on a device."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import typer

DeviceOption = Annotated[Path, typer.Option("--device", metavar="DIR", help="The folder of the device.")]
OtherEngineOption = Annotated[
    Literal["iss", "rtl", "cosim"] | None,
    typer.Option("--engine", help="The core for this command; by default the one that the device was made with."),
]
