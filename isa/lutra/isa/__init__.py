"""The instruction set as data: what `isa/*.td` says, for every reader of programs."""

from lutra.isa.reference import reference
from lutra.isa.tables import (
    Insn,
    Isa,
    IsaTablesError,
    Named,
    Operand,
    Pattern,
    SlotLayout,
    Space,
    Stage,
    Stall,
    Step,
    VectorName,
    load,
    parse,
)

__all__ = [
    "Insn",
    "Isa",
    "IsaTablesError",
    "Named",
    "Operand",
    "Pattern",
    "SlotLayout",
    "Space",
    "Stage",
    "Stall",
    "Step",
    "VectorName",
    "load",
    "parse",
    "reference",
]
