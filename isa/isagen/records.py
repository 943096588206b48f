"""The records of the generated tables: those of `lutra.isa.records`, the same files.

They are loaded by their place: the package around them needs what this generator writes, and another one may be
installed.
"""

from __future__ import annotations

import sys
from importlib import import_module
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from lutra.isa.records.addressing import *  # noqa: F403
    from lutra.isa.records.hazards import *  # noqa: F403
    from lutra.isa.records.instruction import *  # noqa: F403
    from lutra.isa.records.instruction_set import *  # noqa: F403
    from lutra.isa.records.machine import *  # noqa: F403
else:
    _FILE = Path(__file__).parents[1] / "lutra" / "isa" / "records" / "__init__.py"
    _spec = spec_from_file_location("isagen._records", _FILE)
    _package = module_from_spec(_spec)
    sys.modules[_spec.name] = _package
    _spec.loader.exec_module(_package)
    for _file in sorted(_FILE.parent.glob("[!_]*.py")):
        _module = import_module(f"{_spec.name}.{_file.stem}")
        globals().update(
            {name: value for name, value in vars(_module).items() if isinstance(value, type) or name.isupper()}
        )
