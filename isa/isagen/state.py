"""The architectural state of isa/state.td: its fields, and what must hold of them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain

from isagen.retire import Json, RegisterFile, code_width, place, register_files

FILE = "state.td"


@dataclass(frozen=True)
class StateField:
    """A field of the state. width: bits of one value. register: the name of a value, {} the name within `over`.

    written: the records of the stages that write the field. reset: a reset clears it in every core. over: the registers
    that the field has a value for. depth: the field that says how many of these are in use.
    """

    name: str
    shown: str
    width: int
    register: str
    written: tuple[str, ...]
    text: str
    reset: bool
    over: RegisterFile | None
    depth: str
    loc: str

    @property
    def count(self) -> int:
        return self.over.count if self.over else 1

    @property
    def registers(self) -> tuple[str, ...]:
        """The name of every value."""
        return tuple(self.register.replace("{}", name) for name in (self.over.names if self.over else ("",)))


@dataclass(frozen=True)
class State:
    """The whole state; fields in the order of the description."""

    fields: tuple[StateField, ...]

    @property
    def values(self) -> tuple[tuple[StateField, int], ...]:
        """Every value, as field and number: of fields over one file all that belongs to a register together."""
        order: dict[str, list[tuple[StateField, int]]] = {}
        for f in self.fields:
            for i, register in enumerate(f.registers):
                order.setdefault(register.partition(".")[0], []).append((f, i))
        return tuple(chain.from_iterable(order.values()))


def read(data: Json) -> State:
    """The state from llvm-tblgen's JSON."""
    files = register_files(data)
    rows = [data[n] for n in data["!instanceof"].get("StateField", [])]
    rows.sort(key=lambda row: place(row, FILE))
    return State(
        tuple(
            StateField(
                name=r["Name"],
                shown=kind["Shown"],
                width=kind["Width"] or code_width(data, kind["Shown"]),
                register=r["Register"],
                written=tuple(stage["def"] for stage in r["Written"]),
                text=r["Text"],
                reset=bool(r["Reset"]),
                over=files[r["Over"]["def"]] if "Over" in r else None,
                depth=r["Depth"],
                loc=str(r["!locs"][-1]),
            )
            for r in rows
            for kind in [data[r["Holds"]["def"]]]
        )
    )


def check(state: State) -> Iterator[str]:
    """Yield errors in the state, one per line."""
    names = [f.name for f in state.fields]
    registers = [register for f in state.fields for register in f.registers]
    for f in state.fields:
        said = f"{f.loc}: {f.name}: "
        if names.count(f.name) > 1:
            yield said + "two fields have this name"
        for register in f.registers:
            if registers.count(register) > 1:
                yield said + f"two values are called {register}"
        if bool(f.over) != ("{}" in f.register):
            yield said + "the name of a file's registers, and of nothing else, has {} in it"
        if not f.written or len(set(f.written)) < len(f.written):
            yield said + "it names the stages that write it, at least one, each once"
        if f.depth and (f.depth not in names or not f.over):
            yield said + f"{f.depth} is not a field, or is not the depth of any file"
