"""The instruction set as data: what `isa/*.td` says, for every reader of programs."""

from lutra.isa.records import (
    Bits,
    Insn,
    InsnFacts,
    Isa,
    Named,
    Number,
    Operand,
    Pattern,
    SlotLayout,
    Source,
    Space,
    Stage,
    Stall,
    Step,
    VectorName,
)
from lutra.isa.reference import reference
from lutra.isa.tables import IsaTablesError, load, parse

__all__ = [
    "Bits",
    "Insn",
    "InsnFacts",
    "Isa",
    "IsaTablesError",
    "Named",
    "Number",
    "Operand",
    "Pattern",
    "SlotLayout",
    "Source",
    "Space",
    "Stage",
    "Stall",
    "Step",
    "VectorName",
    "load",
    "parse",
    "reference",
]
