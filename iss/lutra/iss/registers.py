"""The architectural registers of a machine, by their names in assembly."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import groupby

# Columns of a line with several values.
WIDTH = 100


@dataclass(frozen=True)
class Register:
    """One value of the architectural state (isa/state.td).

    name: `v0`, `ar3`; of what belongs to a register with a dot, `ar3.step`, and of an entry of a stack `loop0.end`,
    where 0 is the innermost. value: 16 bytes of a vector, else the number. text: as reports and traces write it.
    used: False beyond the entries of a stack.
    """

    name: str
    value: int | bytes
    text: str
    used: bool

    @property
    def base(self) -> str:
        """The register that the value belongs to."""
        return self.name.partition(".")[0]

    def __str__(self) -> str:
        return self.text


class Registers(Mapping[str, Register]):
    """All registers of a machine at one time, by name, in the order of the ISA; the text has a line a register."""

    def __init__(self, values: Iterable[Register]) -> None:
        self._values = {register.name: register for register in values}

    def __getitem__(self, name: str) -> Register:
        return self._values[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)

    def __repr__(self) -> str:
        return f"Registers({list(self._values.values())!r})"

    def __str__(self) -> str:
        return "\n".join(self.lines())

    def lines(self) -> Iterator[str]:
        """Return one line per register in use, with its values; long ones continue on the next line."""
        used = [register for register in self.values() if register.used]
        margin = max(len(register.base) for register in used) + 2
        for base, group in groupby(used, key=lambda register: register.base):
            line = f"{base:<{margin}}"
            for register in group:
                part = f"{register.name.partition('.')[2]} {register.text}".strip()
                if line.strip() and len(line) + len(part) > WIDTH:
                    yield line.rstrip()
                    line = " " * margin
                line += part + "  "
            yield line.rstrip()
