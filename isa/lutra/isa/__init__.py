"""The instruction set as data: what `isa/*.td` says, for every reader of programs."""

from pkgutil import extend_path

# In a checkout the generated tables are outside the source tree.
__path__ = extend_path(__path__, __name__)

from lutra.isa.configured import least_rounds, missing, missing_context, missing_register, needs, predefined
from lutra.isa.generated import generated
from lutra.isa.records.addressing import Delta, Pattern, SlotLayout, Window, Wrap
from lutra.isa.records.hazards import Access, Resource, Stall, Way
from lutra.isa.records.instruction import Contents, Insn, InsnFacts, Operand, Source, Step
from lutra.isa.records.instruction_set import Isa
from lutra.isa.records.machine import Bits, Configuration, Named, Space, Stage, Trap, VectorName, Version
from lutra.isa.reference import reference
from lutra.isa.tables import IsaTablesError, load, parse

__all__ = [
    "Access",
    "Bits",
    "Configuration",
    "Contents",
    "Delta",
    "Insn",
    "InsnFacts",
    "Isa",
    "IsaTablesError",
    "Named",
    "Operand",
    "Pattern",
    "Resource",
    "SlotLayout",
    "Source",
    "Space",
    "Stage",
    "Stall",
    "Step",
    "Trap",
    "VectorName",
    "Version",
    "Way",
    "Window",
    "Wrap",
    "generated",
    "least_rounds",
    "load",
    "missing",
    "missing_context",
    "missing_register",
    "needs",
    "parse",
    "predefined",
    "reference",
]
