"""The records of the generated tables: those of `lutra.isa.records`, the same file.

It is loaded by its place: the package around it needs what this generator writes, and another one may be installed.
"""

from __future__ import annotations

import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from lutra.isa.records import *  # noqa: F403
else:
    _FILE = Path(__file__).parents[1] / "lutra" / "isa" / "records.py"
    _spec = spec_from_file_location("isagen._records", _FILE)
    _module = module_from_spec(_spec)
    sys.modules[_spec.name] = _module
    _spec.loader.exec_module(_module)
    globals().update(
        {name: value for name, value in vars(_module).items() if isinstance(value, type) or name.isupper()}
    )
