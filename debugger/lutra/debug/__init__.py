"""The debugger: a session over a machine whose past is kept, and its front ends.

session = Session.open(Job(image, (image.entry,)))
session.breakpoints.add("round")
session.moves.go()
print(session.inspect.registers()["v3"])
print(session.history.last_writer("v3"))
"""

from lutra.debug.breakpoints import Breakpoint, Breakpoints
from lutra.debug.errors import DebugError
from lutra.debug.frames import Frame
from lutra.debug.history import Write
from lutra.debug.inspection import Instruction
from lutra.debug.plan import Plan, Run
from lutra.debug.session import Session
from lutra.debug.stops import Kind, Stop, Watcher, Where
from lutra.debug.values import FORMS, Location, Value
from lutra.debug.watchpoints import Watchpoint, Watchpoints

__all__ = [
    "FORMS",
    "Breakpoint",
    "Breakpoints",
    "DebugError",
    "Frame",
    "Instruction",
    "Kind",
    "Location",
    "Plan",
    "Run",
    "Session",
    "Stop",
    "Value",
    "Watcher",
    "Watchpoint",
    "Watchpoints",
    "Where",
    "Write",
]
