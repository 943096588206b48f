"""The architectural state: packed struct of SystemVerilog, struct of C++, the way from one to the other, and text."""

from __future__ import annotations

from isagen.emit_struct import bits, cpp_struct, cpp_unpack, sv_struct
from isagen.model import Isa
from isagen.state import State
from isagen.text import banner


def files_sv(isa: Isa) -> dict[str, str]:
    """Name -> text of the generated SystemVerilog."""
    return {"lutra_state_pkg.sv": package(isa)}


def files_cpp(isa: Isa) -> dict[str, str]:
    """Name -> text of the generated C++."""
    return {"lutra_state.hpp": header(isa.state)}


def package(isa: Isa) -> str:
    """Return the state that simulations read from the core; the core itself does not use it."""
    out = banner("//") + "package lutra_state_pkg;\n\n  import lutra_isa_pkg::*;\n\n"
    out += "  // The architectural state (isa/state.td). What stands beyond the entries of a stack is zero.\n"
    out += f"  localparam int unsigned RegistersBits = {bits(isa.state.fields)};\n"
    out += sv_struct("registers_t", isa.state.fields)
    out += "  // Bits of ctr that ctr++ increments; zero for what is not a width.\n"
    out += "  function automatic logic [7:0] counter_bits(width_e width);\n    unique case (width)\n"
    out += "".join(f"      Width{width}: return 8'd{width};\n" for width, _ in isa.widths)
    out += "      default: return 8'd0;\n    endcase\n  endfunction\n\nendpackage\n"
    return out


def header(state: State) -> str:
    """Struct, unpacking, and visits of every value and of every field."""
    out = banner("//") + "// The architectural state: what simulator and RTL are compared by after every stop.\n"
    out += "#pragma once\n\n#include <array>\n#include <cstddef>\n#include <cstdint>\n\n"
    out += '#include "lutra_isa.hpp"\n\nnamespace lutra {\n\n'
    out += "// What stands beyond the entries of a stack is zero.\n" + cpp_struct("Registers", state.fields)
    out += "// Bits of the packed struct registers_t of lutra_state_pkg.\n"
    out += f"inline constexpr std::size_t kRegistersBits = {bits(state.fields)};\n\n"
    out += cpp_unpack("Registers", "unpack_registers", state.fields) + _each_value(state) + _each_written(state)
    return out + "}  // namespace lutra\n"


def _each_value(state: State) -> str:
    out = "// Every value: visit(name, value, whether it is in use, its text). `show` writes the values.\n"
    out += "// State: Registers, const or to be changed by the visit.\n"
    out += "template <class State, class Show, class Visit>\n"
    out += "void each_register(State& r, const Show& show, const Visit& visit) {\n"
    for f, i in state.values:
        value = f"r.{f.name}" + (f"[{i}]" if f.count > 1 else "")
        used = f"r.{f.depth} > {i}" if f.depth else "true"
        out += f'  visit("{f.registers[i]}", {value}, {used}, show.{f.shown}({value}));\n'
    return out + "}\n\n"


def _each_written(state: State) -> str:
    out = "// Every field with the stages at whose end the core writes it: visit<&Registers::field>(kStage..., ...).\n"
    out += "template <class Visit>\nvoid each_written(const Visit& visit) {\n"
    for f in state.fields:
        out += f"  visit.template operator()<&Registers::{f.name}>({', '.join(f'k{stage}' for stage in f.written)});\n"
    return out + "}\n\n"


def rows(isa: Isa) -> list[list[str]]:
    """One row per field: the names of its values, bits, meaning."""
    return [[f"`{_names(f.registers)}`", str(f.width), f.text] for f in isa.state.fields]


def _names(registers: tuple[str, ...]) -> str:
    return registers[0] if len(registers) == 1 else f"{registers[0]}`..`{registers[-1]}"
