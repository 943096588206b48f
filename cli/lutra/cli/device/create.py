"""`lutra device create`: create a device without firmware."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from lutra.cli.errors import UsageError
from lutra.cli.options import EngineOption, RoundsOption, core_rounds, number
from lutra.cli.pack import files
from lutra.firmware import device, pack
from lutra.firmware.device.folder import MOST_SLOT_BYTES


def command(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="Folder to create.")],
    roots: Annotated[
        Path, typer.Option("--roots", metavar="FILE.roots", help="File of roots; the device trusts the last one.")
    ],
    rounds: RoundsOption = None,
    slot_bytes: Annotated[
        str, typer.Option("--slot-bytes", metavar="N", help="Size of each of the two slots, in bytes.")
    ] = str(device.Layout.slot_bytes),
    engine: EngineOption = "iss",
) -> None:
    """Create a device that trusts a root, with empty slots.

    --engine sets the core that later commands use by default.

    \b
    Example:
      lutra device create dev --roots vendor.roots
      lutra patch apply otter.pack --device dev
    """
    rounds = core_rounds(rounds)
    layout = device.Layout(slot_bytes=number(slot_bytes, "--slot-bytes"))
    sector = layout.sector_bytes
    if layout.slot_bytes not in range(sector, MOST_SLOT_BYTES + 1, sector):
        raise UsageError(f"--slot-bytes: must be {sector} to {MOST_SLOT_BYTES} bytes, a multiple of {sector}")
    known = files.roots(roots)
    with files.about(roots):
        trusted = pack.roots.trusted(known)
    device.create(folder, trusted, device.Description(engine, rounds, layout))
    print(f"{folder}: trusts the root {trusted.hex()}")
