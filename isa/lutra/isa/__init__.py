"""The instruction set as data: what `isa/*.td` says, for every reader of programs."""

from lutra.isa.records import (
    Access,
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
    Way,
)
from lutra.isa.reference import reference
from lutra.isa.tables import IsaTablesError, load, parse

__all__ = [
    "Access",
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
    "Way",
    "load",
    "parse",
    "reference",
]
