"""Lutra: assembler, simulator and core of a programmable processor for symmetric cryptography.

    import lutra
    image = lutra.assemble_text("halt")
    engine = lutra.make_engine("iss")
    engine.load(image)
    print(engine.run(0))

What the commands of `lutra` do is reachable from here: `lutra.asm`, `lutra.engine`, `lutra.isa`, `lutra.firmware`.
"""

from pkgutil import extend_path

# In a checkout every room holds its part of this package. In place, so that the module's specification says so too.
__path__[:] = extend_path(__path__, __name__)

from lutra import coverage, firmware
from lutra.asm import Image, assemble, assemble_text, disassemble, read_elf, write_elf
from lutra.iss import engine
from lutra.iss.engine import Divergence, Engine, EngineError, Stop
from lutra.iss.engine import make as make_engine

__all__ = [
    "Divergence",
    "Engine",
    "EngineError",
    "Image",
    "Stop",
    "assemble",
    "assemble_text",
    "coverage",
    "disassemble",
    "engine",
    "firmware",
    "make_engine",
    "read_elf",
    "write_elf",
]
