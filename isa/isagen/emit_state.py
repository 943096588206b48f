"""The architectural state: packed struct of SystemVerilog, struct of C++, the way from one to the other, and text."""

from __future__ import annotations

from typing import NamedTuple

from isagen.emit_struct import bits, cpp_rows, places, sv_rows
from isagen.model import Isa
from isagen.state import State, StateField
from isagen.text import render


def files_sv(isa: Isa) -> dict[str, str]:
    """Name -> text of the generated SystemVerilog."""
    return {"lutra_state_pkg.sv": package(isa)}


def files_cpp(isa: Isa) -> dict[str, str]:
    """Name -> text of the generated C++."""
    return {"lutra_state.hpp": header(isa.state)}


def package(isa: Isa) -> str:
    """Return the state that simulations read from the core; the core itself does not use it."""
    fields = isa.state.fields
    return render("lutra_state_pkg.sv", bits=bits(fields), registers=sv_rows(fields), fields=fields, widths=isa.widths)


def header(state: State) -> str:
    """Struct, unpacking, and visits of every value and of every field."""
    return render(
        "lutra_state.hpp",
        bits=bits(state.fields),
        registers=cpp_rows(state.fields),
        places=places(state.fields),
        values=[_value(f, i) for f, i in state.values],
        fields=state.fields,
    )


class Value(NamedTuple):
    """A value of the state in C++: its name, where it is, when it is in use, and its text."""

    name: str
    value: str
    used: str
    shown: str


def _value(f: StateField, i: int) -> Value:
    value = f"r.{f.name}" + (f"[{i}]" if f.count > 1 else "")
    return Value(f.registers[i], value, f"r.{f.depth} > {i}" if f.depth else "true", f"show.{f.shown}({value})")


def rows(isa: Isa) -> list[list[str]]:
    """One row per field: the names of its values, bits, whether a reset clears it, meaning."""
    return [[f"`{_names(f.registers)}`", str(f.width), "x" * f.reset, f.text] for f in isa.state.fields]


def _names(registers: tuple[str, ...]) -> str:
    return registers[0] if len(registers) == 1 else f"{registers[0]}`..`{registers[-1]}"
