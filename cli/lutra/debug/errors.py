"""What a debugging session refuses."""

from __future__ import annotations

from lutra.iss.engine import EngineError


class DebugError(EngineError):
    """What the debugger cannot do, in one line with the place in the text where there is one."""
