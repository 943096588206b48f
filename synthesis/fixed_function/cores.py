"""fixed_function.toml: the cores, and the files that they are made of."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

HERE = Path(__file__).resolve().parent
RTL = HERE / "rtl"
ROOT = HERE.parents[1]


@dataclass(frozen=True)
class Core:
    """A core. Widths are in bits; `cycles` are those of a busy beat, by what determines them."""

    name: str
    top: str
    standard: str
    files: tuple[Path, ...]
    data_bits: int
    cycles: Mapping[str, float]
    count: int
    look_ups: int
    index: int


@cache
def cores() -> dict[str, Core]:
    """By name, in the order of the file."""
    with (HERE / "fixed_function.toml").open("rb") as file:
        data = tomllib.load(file)
    packages = tuple(data["packages"])
    return {c["name"]: _core(c, packages, i) for i, c in enumerate(data["core"])}


def _core(given: dict[str, object], packages: tuple[str, ...], index: int) -> Core:
    fields = dict(given)
    names = (*packages, *fields.pop("files"))  # type: ignore[misc]
    return Core(files=tuple(found(name) for name in names), index=index, **fields)  # type: ignore[arg-type]


def found(name: str) -> Path:
    """A file of rtl/ here, or a path from the top of the tree."""
    return ROOT / name if "/" in name else RTL / name


def all_files() -> list[Path]:
    """Those of all cores, each once, packages first."""
    return list(dict.fromkeys(path for core in cores().values() for path in core.files))
