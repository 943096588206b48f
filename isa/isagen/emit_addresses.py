"""Address arithmetic in SystemVerilog and C++; Python reads the records themselves (`lutra.isa.records`)."""

from __future__ import annotations

from isagen.addresses import terms
from isagen.model import Isa
from isagen.records import Delta
from isagen.text import banner

SUBJECT = "What an access adds to its address register, and when the register is loaded anew."


def files_sv(isa: Isa) -> dict[str, str]:
    """Name -> text."""
    return {"lutra_address_pkg.sv": package(), "lutra_address.sv": module(isa)}


def files_cpp(isa: Isa) -> dict[str, str]:
    """Name -> text."""
    return {"lutra_address.hpp": header(isa)}


def package() -> str:
    """The type of a step and window."""
    return f"""{banner("//")}// What an address register has beside its address.

package lutra_address_pkg;

  import lutra_isa_pkg::*;

  typedef struct packed {{
    addr_t step;
    addr_t window_start;
    addr_t window_end;
  }} ar_config_t;

endpackage
"""


def module(isa: Isa) -> str:
    """The register after an access; a module and not a function, in which Verilator counts no expression."""
    out = banner("//") + f"// {SUBJECT}\n\nmodule lutra_address\n"
    out += "  import lutra_isa_pkg::*;\n  import lutra_address_pkg::*;\n(\n"
    out += "  input  delta_e delta_i,\n  input  wrap_e wrap_i,\n  input  addr_t ar_i,\n  input  ar_config_t of_i,\n"
    out += "  output addr_t next_o\n);\n\n"
    out += "  // One adder: less a step is its complement and a carry.\n  addr_t added;\n  logic carry;\n"
    out += "  always_comb begin\n    added = '0;\n    carry = 1'b0;\n    case (delta_i)\n"
    out += "".join(f"      {d.record}: {_added_sv(d)}\n" for d in isa.deltas if d.code)
    out += "      default: ;\n    endcase\n    next_o = ar_i + added + addr_t'(carry);\n    case (wrap_i)\n"
    for w in isa.wraps:
        if w.comparison:
            out += f"      {w.record}: if (next_o {w.comparison} of_i.{w.bound}) next_o = of_i.{w.reload};\n"
    return out + "      default: ;\n    endcase\n  end\n\nendmodule\n"


def _added_sv(delta: Delta) -> str:
    """Addend of a delta, added to the register."""
    if (delta.rows, delta.steps) == (0, -1):
        return "{added, carry} = {~of_i.step, 1'b1};"
    what = terms(delta, "addr_t'(VectorBytes)", "of_i.step", "addr_t'({})")
    return f"added = '0{what};"


def header(isa: Isa) -> str:
    """The same, and its parts for those that count what happens."""
    out = banner("//") + f'// {SUBJECT}\n#pragma once\n\n#include "lutra_isa.hpp"\n\nnamespace lutra {{\n\n'
    out += "// An address register with its step and window.\nstruct AddressRegister {\n"
    out += "  std::uint16_t ar = 0, step = 0, window_start = 0, window_end = 0;\n};\n\n"
    out += "// The sum of register and delta, not yet modulo 2^16.\n"
    out += "constexpr std::int32_t moved(Delta delta, const AddressRegister& of) {\n  switch (delta) {\n"
    for d in isa.deltas:
        label = d.record.removeprefix("Delta")
        out += f"    case Delta::{label}:\n      return of.ar{terms(d, 'kVectorBytes', 'of.step')};\n"
    out += "  }\n  return of.ar;\n}\n\n"
    out += _cpp_wrap(isa, "bool", "wraps", "Whether the register is loaded anew instead of `next`.", "false")
    out += _cpp_wrap(isa, "std::uint16_t", "bound", "What `next` is compared with.", "next")
    out += _cpp_wrap(isa, "std::uint16_t", "reload", "What the register is loaded with then.", "next")
    out += "// The register after an access.\n"
    out += "constexpr std::uint16_t modified(Delta delta, Wrap wrap, const AddressRegister& of) {\n"
    out += "  const auto next = static_cast<std::uint16_t>(moved(delta, of));\n"
    out += "  return wraps(wrap, next, of) ? reload(wrap, next, of) : next;\n}\n\n"
    return out + "}  // namespace lutra\n"


def _cpp_wrap(isa: Isa, kind: str, name: str, text: str, otherwise: str) -> str:
    out = f"// {text}\nconstexpr {kind} {name}(Wrap wrap, std::uint16_t next, const AddressRegister& of) {{\n"
    out += "  switch (wrap) {\n"
    for w in isa.wraps:
        value = {"wraps": f"next {w.comparison} of.{w.bound}", "bound": f"of.{w.bound}", "reload": f"of.{w.reload}"}
        label = w.record.removeprefix("Wrap")
        out += f"    case Wrap::{label}:\n      return {value[name] if w.comparison else otherwise};\n"
    return out + f"  }}\n  return {otherwise};\n}}\n\n"
