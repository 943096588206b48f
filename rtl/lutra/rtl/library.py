"""The binding `_rtl`: that of this installation, or another build of it, such as one of a changed core."""

from __future__ import annotations

import importlib
import importlib.util
import os
from functools import lru_cache
from pathlib import Path
from types import ModuleType
from typing import Any

from lutra.iss import _iss
from lutra.iss.engine import EngineError

# Environment variable: the file of another build.
RTL_LIBRARY = "LUTRA_RTL_LIBRARY"
MISSING = (
    "this installation has no Verilated core: run `make build` in a checkout, or install a wheel that was built with "
    "Verilator; --engine iss needs none"
)


def module() -> Any:
    """The binding of the Verilated core; EngineError where there is none."""
    return _module(os.environ.get(RTL_LIBRARY, ""))


@lru_cache(maxsize=1)
def _module(library: str) -> Any:
    """One a process: both would bring the same classes."""
    if library:
        return _loaded(Path(library))
    if importlib.util.find_spec("lutra.rtl._rtl") is None:
        raise EngineError(MISSING)
    try:
        return importlib.import_module("lutra.rtl._rtl")
    except ImportError as error:
        # A wheel's module may meet a machine without zlib or lz4, which its waves need.
        raise EngineError(f"the Verilated core cannot be loaded: {error}; install what is missing") from error


def _loaded(path: Path) -> ModuleType:
    if not path.is_file():
        raise EngineError(f"{path}: no such file; {RTL_LIBRARY} and --rtl-library name a build of the module _rtl")
    spec = importlib.util.spec_from_file_location("lutra.rtl._rtl", path)
    try:
        if spec is None or spec.loader is None:
            raise ImportError("not a shared library of Python")
        found = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(found)
    except ImportError as error:
        raise EngineError(f"{path}: cannot be loaded as the module _rtl: {error}") from error
    if getattr(found, "RECORD_BYTES", None) != _iss.RECORD_BYTES:
        raise EngineError(f"{path}: its retirement record is not this installation's; build it from this version")
    return found


def write_counts(stem: Path) -> None:
    """Write the counts of the core's code coverage in this process to files STEM-N.dat, if it counts."""
    if _module.cache_info().currsize and module().counting():
        module().write_counts(str(stem))
