"""A design to measure: a top module of a checkout, its files and parameters."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType

from ppa.tools import ROOT, PpaError

CORE = "lutra_core"
SYSTEM = "lutra_axi"
CLUSTER = "lutra_cluster"
GENERATED = Path("build/gen/sv")  # of the configuration that `make build` builds, in a checkout
# The port for lock-step is not part of a product.
CORE_PARAMETERS: Mapping[str, int] = {"RETIREMENT_PORT": 0}


@dataclass(frozen=True)
class Design:
    """A module of some files, all read in this order. `clock` and `reset` are ports, where it has them."""

    top: str
    files: tuple[Path, ...]
    parameters: Mapping[str, int | str] = field(default_factory=dict)
    defines: tuple[str, ...] = ("SYNTHESIS",)
    clock: str = "clk_i"
    reset: str = "rst_ni"
    options: tuple[str, ...] = ()  # more of the front end
    blocks: tuple[str, ...] = ()  # modules that are mapped on their own, not with what is around them

    @property
    def has_memories(self) -> bool:
        """Whether SRAMs are below it."""
        return self.top in (CORE, SYSTEM)


def core_files(root: Path, sram: Path, generated: Path | None = None) -> tuple[Path, ...]:
    """Those of the core in a checkout, with the black boxes for its SRAM.

    generated: of another configuration than that which `make build` has built there.
    """
    made = generated or root / GENERATED
    lists = (made / "lutra_packages.f", root / "rtl" / "lutra.f", made / "lutra_modules.f")
    missing = [place for place in lists if not place.is_file()]
    if missing:
        raise PpaError(f"{missing[0]} is missing; run there: make build RTL=0")
    paths = [place.parent / file for place in lists for file in place.read_text().split()]
    boxes = {path.name: path for path in (sram, sram.with_name("lutra_buffer.sv")) if path.exists()}
    return tuple(boxes.get(path.name) or path.resolve() for path in paths)


def _check(top: str, files: tuple[Path, ...]) -> None:
    if not top.isidentifier() or not any(
        re.search(rf"^ *module {re.escape(top)}\b", path.read_text(), re.M) for path in files
    ):
        raise PpaError(f"no module {top!r} in the files of the core")


def of_checkout(
    sram: Path,
    top: str = CORE,
    root: Path = ROOT,
    *more: Path,
    parameters: Mapping[str, int] = MappingProxyType({}),
    generated: Path | None = None,
) -> Design:
    """The core, or one of its modules alone."""
    own = CORE_PARAMETERS if top == CORE else {}
    files = (*core_files(root, sram, generated), *more)
    _check(top, files)
    return Design(top, files, {**own, **parameters})
