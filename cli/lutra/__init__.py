"""Lutra: assembler, simulator and core of a programmable processor for symmetric cryptography.

    import lutra
    image = lutra.assemble_text("halt")
    engine = lutra.make_engine("iss")
    engine.load(image)
    print(engine.run(0))

What the commands of `lutra` do is reachable from here: `lutra.asm`, `lutra.engine`, `lutra.isa`, `lutra.firmware`.
Every name is imported when it is first used, so that a command loads only what it works with.
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from pkgutil import extend_path
from typing import TYPE_CHECKING, Any

# In a checkout every folder holds its part of this package. In place, so that the module's specification says so too.
__path__[:] = extend_path(__path__, __name__)
# The parts built for the named configuration, if any (docs/how-to/choose-a-configuration.md).
from lutra._configuration import chosen

__path__[:] = chosen(__path__)

if TYPE_CHECKING:
    from lutra import asm, cosim, coverage, firmware, isa, iss, rtl
    from lutra.asm import Image, assemble, assemble_text, disassemble, read_elf, write_elf
    from lutra.cosim import Divergence
    from lutra.iss import engine
    from lutra.iss.engine import Engine, EngineError, Stop
    from lutra.iss.engine import make as make_engine
    from lutra.iss.timeline import Timeline

    __version__: str

__all__ = [
    "Divergence",
    "Engine",
    "EngineError",
    "Image",
    "Stop",
    "Timeline",
    "__version__",
    "asm",
    "assemble",
    "assemble_text",
    "cosim",
    "coverage",
    "disassemble",
    "engine",
    "firmware",
    "isa",
    "iss",
    "make_engine",
    "read_elf",
    "rtl",
    "write_elf",
]

# Where a name comes from, and what it is called there; a module of its own has no entry.
_ORIGINS: Mapping[str, tuple[str, str]] = {
    "Divergence": ("lutra.cosim", "Divergence"),
    "Timeline": ("lutra.iss.timeline", "Timeline"),
    "make_engine": ("lutra.iss.engine", "make"),
    **{name: ("lutra.iss.engine", name) for name in ("Engine", "EngineError", "Stop")},
    **{
        name: ("lutra.asm", name)
        for name in ("Image", "assemble", "assemble_text", "disassemble", "read_elf", "write_elf")
    },
}
_MODULES: Mapping[str, str] = {
    "engine": "lutra.iss.engine",
    **{name: f"lutra.{name}" for name in ("asm", "cosim", "coverage", "firmware", "isa", "iss", "rtl")},
}


if not TYPE_CHECKING:  # Type checkers know the names from above, and find wrong ones.

    def __getattr__(name: str) -> Any:
        if name == "__version__":
            value: Any = import_module("importlib.metadata").version("lutra-asip")
        elif name in _MODULES:
            value = import_module(_MODULES[name])
        elif name in _ORIGINS:
            module, own = _ORIGINS[name]
            value = getattr(import_module(module), own)
        else:
            raise AttributeError(f"module 'lutra' has no attribute {name!r}")
        globals()[name] = value
        return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__, *_MODULES})
