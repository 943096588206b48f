"""Address arithmetic in SystemVerilog and C++; Python reads the records themselves (`lutra.isa.records`)."""

from __future__ import annotations

from isagen.addresses import terms
from isagen.model import Isa
from isagen.records import Delta
from isagen.text import render


def files_sv(isa: Isa) -> dict[str, str]:
    """Name -> text."""
    return {"lutra_address_pkg.sv": render("lutra_address_pkg.sv"), "lutra_address.sv": module(isa)}


def files_cpp(isa: Isa) -> dict[str, str]:
    """Name -> text."""
    return {"lutra_address.hpp": header(isa)}


def module(isa: Isa) -> str:
    """The register after an access; a module and not a function, in which Verilator counts no expression."""
    deltas = [(d.record, _added(d)) for d in isa.deltas if d.code]
    return render("lutra_address.sv", deltas=deltas, wraps=[w for w in isa.wraps if w.comparison])


def _added(delta: Delta) -> str:
    """The addend of the register; empty for the step's complement and a carry."""
    if (delta.rows, delta.steps) == (0, -1):
        return ""
    return "'0" + terms(delta, "addr_t'(VectorBytes)", "of_i.step", "addr_t'({})")


def header(isa: Isa) -> str:
    """The same, and its parts for those that count what happens."""
    deltas = [(d.record, terms(d, "kVectorBytes", "of.step")) for d in isa.deltas]
    return render("lutra_address.hpp", deltas=deltas, wraps=isa.wraps)
