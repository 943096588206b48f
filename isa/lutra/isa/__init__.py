"""The instruction set as data: what `isa/*.td` says, for every reader of programs."""

from lutra.isa.records import (
    Bits,
    Contents,
    Insn,
    InsnFacts,
    Isa,
    Named,
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
    "Contents",
    "Insn",
    "InsnFacts",
    "Isa",
    "IsaTablesError",
    "Named",
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
