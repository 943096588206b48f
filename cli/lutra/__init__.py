"""Lutra: assembler, simulator and core of a programmable processor for symmetric cryptography.

    import lutra
    image = lutra.assemble_text("halt")
    engine = lutra.make_engine("iss")
    engine.load(image)
    print(engine.run(0))

What the commands of `lutra` do is reachable from here: `lutra.asm`, `lutra.engine`, `lutra.isa`, `lutra.firmware`.
"""

from importlib.util import find_spec
from pkgutil import extend_path

# In a checkout every room holds its part of this package. In place, so that the module's specification says so too.
__path__[:] = extend_path(__path__, __name__)
# Of a configuration that was named, what is built for it (docs/how-to/choose-a-configuration.md).
from lutra._configuration import chosen

__path__[:] = chosen(__path__)
if find_spec("lutra.iss._iss") is None:
    raise ImportError("the toolchain is not built yet; run `make build`")

from lutra import cosim, coverage, firmware, rtl
from lutra.asm import Image, assemble, assemble_text, disassemble, read_elf, write_elf
from lutra.cosim import Divergence
from lutra.iss import engine
from lutra.iss.engine import Engine, EngineError, Stop
from lutra.iss.engine import make as make_engine
from lutra.iss.timeline import Timeline

__all__ = [
    "Divergence",
    "Engine",
    "EngineError",
    "Image",
    "Stop",
    "Timeline",
    "assemble",
    "assemble_text",
    "cosim",
    "coverage",
    "disassemble",
    "engine",
    "firmware",
    "make_engine",
    "read_elf",
    "rtl",
    "write_elf",
]
