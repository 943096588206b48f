"""The instruction set as data: what `isa/*.td` says, for every reader of programs."""

from pkgutil import extend_path

# In a checkout the generated tables are outside the source tree.
__path__ = extend_path(__path__, __name__)

from lutra.isa.generated import generated
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
    "generated",
    "load",
    "parse",
    "reference",
]
