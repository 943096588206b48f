"""Seed corpus: packs from the pack writer."""

from __future__ import annotations

from pathlib import Path

from power_loss.packs import READ, SMALL, build, provisioned


def write(folder: Path) -> Path:
    """Write the packs of the power-loss campaign and the fuses of a new device to a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "provisioned").write_bytes(provisioned())
    for name, firmware in (SMALL | READ).items():
        (folder / f"{name}.pack").write_bytes(build(name, firmware))
    return folder
