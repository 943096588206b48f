"""The architectural state: packed struct of SystemVerilog, struct of C++, the way from one to the other, and text."""

from __future__ import annotations

from isagen.emit_struct import bits, cpp_struct, cpp_unpack, sv_struct
from isagen.model import Isa
from isagen.state import State
from isagen.text import banner


def files(isa: Isa) -> dict[str, str]:
    """Name -> text of the generated C++."""
    return {"lutra_state.hpp": header(isa.state)}


def packed_struct(isa: Isa) -> str:
    """The struct that is read from the core, and its size as everybody else counts it."""
    out = "  // The architectural state (isa/state.td). What stands beyond the entries of a stack is zero.\n"
    out += f"  localparam int unsigned RegistersBits = {bits(isa.state.fields)};\n"
    return out + sv_struct("registers_t", isa.state.fields)


def header(state: State) -> str:
    """Struct, unpacking, and a visit of every value."""
    out = banner("//") + "// The architectural state: what simulator and RTL are compared by after every stop.\n"
    out += "#pragma once\n\n#include <array>\n#include <cstddef>\n#include <cstdint>\n\n"
    out += '#include "lutra_isa.hpp"\n\nnamespace lutra {\n\n'
    out += "// What stands beyond the entries of a stack is zero.\n" + cpp_struct("Registers", state.fields)
    out += "// Bits of the packed struct registers_t of lutra_isa_pkg.\n"
    out += f"inline constexpr std::size_t kRegistersBits = {bits(state.fields)};\n\n"
    out += cpp_unpack("Registers", "unpack_registers", state.fields) + _each_value(state)
    return out + "}  // namespace lutra\n"


def _each_value(state: State) -> str:
    out = "// Every value: visit(name, value, whether it is in use, its text). `show` writes the values.\n"
    out += "template <class Show, class Visit>\n"
    out += "void each_register(const Registers& r, const Show& show, const Visit& visit) {\n"
    for f, i in state.values:
        value = f"r.{f.name}" + (f"[{i}]" if f.count > 1 else "")
        used = f"r.{f.depth} > {i}" if f.depth else "true"
        out += f'  visit("{f.registers[i]}", {value}, {used}, show.{f.shown}({value}));\n'
    return out + "}\n\n"


def rows(isa: Isa) -> list[list[str]]:
    """A row a field: the names of its values, bits, meaning."""
    return [[f"`{_names(f.registers)}`", str(f.width), f.text] for f in isa.state.fields]


def _names(registers: tuple[str, ...]) -> str:
    return registers[0] if len(registers) == 1 else f"{registers[0]}`..`{registers[-1]}"
