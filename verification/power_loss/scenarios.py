"""Scenarios: the lives of a device, its power cuts and its recovery, as plans for the program in C++."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from power_loss.packs import LARGE, SMALL, Firmware, build, provisioned


@dataclass(frozen=True)
class Geometry:
    """Geometry of a flash: bytes of a sector, of a write, and of a slot."""

    sector: int = 512
    granule: int = 8
    slot: int = 4096

    def __str__(self) -> str:
        return f"{self.sector},{self.granule},{self.slot}"


@dataclass(frozen=True)
class Scenario:
    """A scenario.

    cycles: lives that are cut, each with the firmware that boots after it. prepare: lives before them. recoveries:
    lives that are cut after a cut. goal: the firmware that a retry installs.
    """

    text: str
    cycles: tuple[tuple[str, str], ...]
    prepare: tuple[str, ...] = ("update=older", "update=old")
    recoveries: tuple[str, ...] = ("boot", "update=new")
    goal: str = "new"
    geometry: Geometry = field(default_factory=Geometry)
    firmware: Mapping[str, Firmware] = field(default_factory=lambda: SMALL)


SCENARIOS = {
    "update": Scenario(
        "an update of a large pack: boot, apply, boot, confirm, and the boot after it",
        (("new", "boot apply=new boot confirm"), ("new", "boot")),
        geometry=Geometry(slot=20480),
        firmware=LARGE,
    ),
    "restarts": Scenario(
        "an update with a restart between its steps; the flash writes single bytes",
        (("new", "boot apply=new"), ("new", "boot confirm"), ("new", "boot")),
        geometry=Geometry(256, 1, 4096),
    ),
    "trial": Scenario(
        "a trial that nobody confirms",
        (("old", "boot apply=new boot"), ("old", "boot")),
        geometry=Geometry(512, 32, 4096),
    ),
    "drop": Scenario(
        "a pack that is dropped while it is on trial",
        (("old", "boot apply=new boot revert"), ("old", "boot")),
        recoveries=("boot", "boot revert", "update=new"),
    ),
    "revert": Scenario(
        "back to the firmware before, and forward again",
        (("older", "boot revert"), ("older", "boot"), ("new", "boot apply=new boot confirm")),
        recoveries=("boot", "boot revert", "update=new"),
        geometry=Geometry(1024, 16, 4096),
    ),
    "first": Scenario(
        "the first firmware of a device",
        (("new", "apply=new boot confirm"), ("new", "boot")),
        prepare=(),
        geometry=Geometry(512, 64, 4096),
    ),
    "rotation": Scenario(
        "a pack with a new root, whose digest goes to the fuses",
        (("rotated", "boot apply=rotated boot confirm"), ("rotated", "boot")),
        recoveries=("boot", "update=rotated"),
        goal="rotated",
    ),
    "refused": Scenario(
        "a pack whose known answer does not come out",
        (("old", "boot apply=broken"), ("old", "boot")),
    ),
    "record": Scenario(
        "so many trials that the boot record changes its sector",
        tuple(("old", "boot apply=new boot revert") for _ in range(8)),
        geometry=Geometry(256, 8, 2048),
    ),
}


@cache
def _pack(name: str, firmware: Firmware) -> bytes:
    return build(name, firmware)


def write_plan(name: str, device: Path, folder: Path) -> Path:
    """The plan of a scenario in a folder, with its packs; device: the program of the device."""
    scenario = SCENARIOS[name]
    lines = [f"name {name}", f"device {device}", f"geometry {scenario.geometry}", f"goal {scenario.goal}"]
    (folder / "provisioned").write_bytes(provisioned())
    lines.append(f"fuses {folder / 'provisioned'}")
    for pack, firmware in scenario.firmware.items():
        path = folder / f"{pack}.pack"
        path.write_bytes(_pack(pack, firmware))
        lines.append(f"pack {pack} {path}")
    lines += [f"prepare {steps}" for steps in scenario.prepare]
    lines += [f"cycle {after} {steps}" for after, steps in scenario.cycles]
    lines += [f"recovery {steps}" for steps in scenario.recoveries]
    plan = folder / "plan"
    plan.write_text("\n".join(lines) + "\n")
    return plan
