"""Ends of what a start runs: a halt, or one of the ways into each trap of the ISA, at times within loops and calls."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from lutra.random import traps
from lutra.random.pickers import picker_of
from lutra.random.writer import Writer

# By the trap's record in the ISA.
_TRAPS: Mapping[str, Callable[[Writer], None]] = {
    "TrapIllegal": traps.illegal,
    "TrapFetchRange": traps.fetch_range,
    "TrapAddressRange": traps.address_range,
    "TrapTableAlignment": traps.table_alignment,
    "TrapLoopOverflow": traps.loop_overflow,
    "TrapLoopNesting": traps.loop_nesting,
    "TrapCallOverflow": traps.call_overflow,
    "TrapCallUnderflow": traps.call_underflow,
}


def ending(writer: Writer, trap: bool) -> str:
    """Write the end of what a start runs; returns how it ends."""
    if trap:
        ends = _trap(writer)
    else:
        ends = "halted"
        _halt(writer)
    if not writer.at_end:
        writer.emit(writer.made.control.halt)
    return ends


def _halt(writer: Writer) -> None:
    """Leave loops and calls open that the next start must not see; the halt comes after."""
    if writer.chance("halt_outside"):
        return
    opened = traps.open_loops(writer, writer.rng.randrange(writer.isa.machine["LoopDepth"] + 1))
    for _ in range(writer.rng.randrange(writer.isa.machine["CallDepth"] + 1)):
        writer.lead(writer.emit(writer.made.control.call.match), len(writer.words))
    writer.emit(writer.made.control.halt)
    traps.close_loops(writer, opened)


def _trap(writer: Writer) -> str:
    """Write instructions that end in a trap, within loops that leave room for those of the trap."""
    isa = writer.isa
    chosen = picker_of(((t, f"trap:{t.name}") for t in isa.traps if not t.by_fault), writer.made.weights)(writer.rand())
    around = 0 if chosen.record == "TrapLoopOverflow" else writer.rng.randrange(isa.machine["LoopDepth"] - 1)
    opened = traps.open_loops(writer, around)
    writer.fill()
    _TRAPS[chosen.record](writer)
    traps.close_loops(writer, opened)
    return chosen.name
