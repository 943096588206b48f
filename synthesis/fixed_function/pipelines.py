"""The pipelines SP_u_s of AES-128: u rounds unrolled, s registers inside each (fixed_function.toml)."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from itertools import product
from pathlib import Path

from fixed_function.cores import HERE, found

ROUNDS = 10
BLOCK_BITS = 128


@dataclass(frozen=True)
class Pipeline:
    """A point of the family. counter: it encrypts the counters of AES-ICM, which it makes."""

    top: str
    files: tuple[Path, ...]
    unrolled: int
    inner: int
    counter: bool

    @property
    def name(self) -> str:
        """As the paper calls it."""
        return f"SP_{self.unrolled}_{self.inner}" + (" ICM" if self.counter else "")

    @property
    def stages(self) -> int:
        """Blocks in flight."""
        return self.unrolled * (self.inner + 1)

    @property
    def passes(self) -> int:
        """How often a block goes through."""
        return ROUNDS // self.unrolled

    @property
    def cycles(self) -> float:
        """Cycles per block of a busy pipeline: a fill waits one more for the one before it."""
        return self.passes + 1 / self.stages

    @property
    def parameters(self) -> dict[str, int]:
        """Values of the module's parameters."""
        return {"Unrolled": self.unrolled, "Inner": self.inner, "Counter": int(self.counter)}


@cache
def pipelines() -> dict[str, Pipeline]:
    """By name: without the counter, then with it."""
    with (HERE / "fixed_function.toml").open("rb") as file:
        data = tomllib.load(file)
    given = data["pipelines"]
    files = tuple(found(name) for name in (*data["packages"], *given["files"]))
    points = product((False, True), given["unrolled"], given["inner"])
    made = [Pipeline(given["top"], files, unrolled, inner, counter) for counter, unrolled, inner in points]
    return {pipeline.name: pipeline for pipeline in made}
