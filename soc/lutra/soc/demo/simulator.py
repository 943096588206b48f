"""The system of the demo as a program: a host with lutra_axi, and the trace of the transfers."""

from __future__ import annotations

from pathlib import Path

from lutra.soc.demo.program import BUILD, DEMO
from lutra.soc.system import System


class DemoSystem(System):
    """S5 with the demo's trace. Its clock stops while the device is idle: most of the time the host verifies."""

    @property
    def folder(self) -> Path:
        return BUILD / self.host

    def command(self) -> list[str]:
        parameters = ["-GGATED=1'b1", "-GMULTIPLIES_AT_ONCE=1'b1"]
        return [*super().command(), *parameters, str(DEMO / "lint.vlt"), str(DEMO / "lutra_demo_trace.sv")]


def system(host: str) -> DemoSystem:
    """The system with a host."""
    return DemoSystem(host, frozenset({5}))
