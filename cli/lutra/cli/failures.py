"""Report the errors that Lutra's packages raise, in one line each.

Imported only when a command has failed, since it imports all of these packages.
"""

from __future__ import annotations

import os
import traceback

from lutra.asm import AsmError
from lutra.cli import ending
from lutra.cli.errors import fail, reason, tell
from lutra.cli.text import printable
from lutra.cosim import Divergence
from lutra.coverage import CoverageError
from lutra.firmware.errors import FirmwareError
from lutra.isa import IsaTablesError
from lutra.iss.engine import EngineError


def report(error: Exception) -> int:
    """Report the error of a command and return the exit code."""
    match error:
        case AsmError():
            return _assembly(error)
        case Divergence():
            tell(printable(f"lutra: error: {error}", keep="\n"))
            return 1
        case CoverageError() | FirmwareError() | EngineError() | IsaTablesError():
            return fail(str(error))
        case OSError():
            return fail(reason(ending.named(error)))
        case MemoryError():
            return fail("out of memory")
    if os.environ.get("LUTRA_DEBUG") == "1":
        traceback.print_exception(error)
    return fail(f"internal error: {type(error).__name__}: {error}; set LUTRA_DEBUG=1 to see the traceback")


def _assembly(error: AsmError) -> int:
    """Report diagnostics as compilers do, with file and line first, so that editors can jump to them."""
    errors = [d for d in error.diagnostics if d.severity == "error"]
    if len(error.diagnostics) == 1 and not errors[0].line:
        return fail(f"{errors[0].file}: {errors[0].message}")
    tell(printable(str(error), keep="\n\t"))
    count = f"{len(errors)} error{'s' if len(errors) > 1 else ''}"
    if error.stopped:
        return fail(f"stopped after {len(errors)} errors (--max-errors 0 shows all), nothing written")
    return fail(f"{count}, nothing written")
