"""Gates by instance, of a netlist whose hierarchy was kept."""

from __future__ import annotations

from dataclasses import dataclass

from ppa.area import Module


@dataclass(frozen=True)
class Part:
    """An instance without what is below it; `instance` is empty for the top module."""

    instance: str
    module: str
    gates: float
    sequential: float
    flops: int

    def as_json(self) -> dict[str, object]:
        """For JSON."""
        found = {"instance": self.instance, "module": self.module, "flops": self.flops}
        return found | {"gates": round(self.gates), "sequential": round(self.sequential)}


def parts(modules: dict[str, Module]) -> list[Part]:
    """All of them, the largest first. The front end names a module MODULE$TOP.INSTANCE."""
    out = []
    for name, module in modules.items():
        if module.gates:
            kind, _, path = name.partition("$")
            out.append(Part(path.partition(".")[2], kind, module.gates, module.sequential, module.flops))
    return sorted(out, key=lambda p: -p.gates)
