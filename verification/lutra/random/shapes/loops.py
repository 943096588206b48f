"""Loops with bounded counts, and what may happen to address registers within them."""

from __future__ import annotations

from dataclasses import replace

from lutra.random.addresses import Register
from lutra.random.weights import FEW_TURNS
from lutra.random.writer import Writer

# ------------------------------------------------------------------ size


def body_size(writer: Writer, room: int) -> int:
    """Draw the words of a body."""
    return 1 + int(writer.rand() * min(room, writer.made.body))


def _turns(writer: Writer, size: int, budget: int) -> int:
    """Draw how often a body of `size` words is to run."""
    most = max(1, int(budget * writer.rand() / size))
    return int(writer.rand() * min(most, FEW_TURNS)) + 1 if writer.chance("few_turns") else most


# ------------------------------------------------------------------ address registers


def enter(writer: Writer, turns: int) -> list[Register]:
    """Begin a body that runs `turns` times: decide what may happen to each address register; returns what was."""
    before = [replace(r) for r in writer.addresses.registers]
    for n, r in enumerate(writer.addresses.registers):
        if n in writer.scratch:
            _forget(writer, r)
            r.stepped = r.windowed = False
            continue
        outer = before[n]
        _give_role(writer, n, r, turns)
        if outer.role == r.role == "drift":
            outer.up -= turns * r.up
            outer.down -= turns * r.down
    writer.nested += 1
    return before


def leave(writer: Writer, before: list[Register]) -> None:
    """End a body: the registers may do again what they might before."""
    for r, b in zip(writer.addresses.registers, before, strict=True):
        r.role, r.held, r.up, r.down = b.role, b.held, b.up, b.down
    writer.nested -= 1


def _forget(writer: Writer, r: Register) -> None:
    r.low, r.high, r.aligned = 0, writer.addresses.top, False


def _give_role(writer: Writer, n: int, r: Register, turns: int) -> None:
    """Decide for one register. A role of the loop around stays, or becomes `fixed`."""
    r.held |= writer.chance("held")
    if not r.held:
        r.stepped = r.windowed = False
    choice = writer.rand()
    ring = writer.addresses.ring(n, writer.limit) if r.held else None
    weights = writer.made.weights
    if r.role == "window" or (ring and choice < weights["chance:ring"]):
        goes_round = ring and (r.role != "window" or choice < weights["chance:ring_inside"])
        r.role = "window" if goes_round else "fixed"
        if ring:
            _go_round(writer, r, ring)
        return
    role = writer.made.roles(choice) if r.role == "free" else r.role
    if role == "drift" and (r.role == "drift" or r.high <= writer.limit):
        _drift(writer, r, turns)
    elif role == "free":
        _forget(writer, r)
    else:
        r.role = "fixed"


def _go_round(writer: Writer, r: Register, ring: tuple[int, int]) -> None:
    r.low, r.high = ring
    r.aligned &= r.start % writer.addresses.row == 0 and r.step % writer.addresses.row == 0


def _drift(writer: Writer, r: Register, turns: int) -> None:
    """Give each turn its part of what is left up to an end of the memories, or in the loop around."""
    inside = r.role == "drift"
    up = r.up if inside else writer.limit - r.high
    down = r.down if inside else r.low
    r.up, r.down = (up // turns, 0) if writer.chance("rising") else (0, down // turns)
    r.low, r.high = r.low - (turns - 1) * r.down, r.high + (turns - 1) * r.up
    r.aligned &= inside or writer.chance("aligned")
    r.role = "drift" if max(r.up, r.down) >= writer.addresses.row else "fixed"


# ------------------------------------------------------------------ shapes


def _body(writer: Writer, size: int, budget: int) -> int:
    """Write a body of the loop stack: nothing within leads to its last instruction."""
    writer.loops += 1
    writer.most_loops = max(writer.most_loops, writer.loops)
    used = writer.block(size, budget)
    if writer.joined == len(writer.words):
        used += writer.plain()
    writer.loops -= 1
    return used


def _full(writer: Writer) -> bool:
    return writer.loops == writer.isa.machine["LoopDepth"]


def repeat(writer: Writer, room: int, budget: int) -> int:
    """Write a loop with a number as its count, in a few cases zero."""
    if _full(writer):
        return writer.plain()
    size = body_size(writer, room)
    turns = _turns(writer, size, budget)
    some = writer.chance("turns")
    at = writer.emit(writer.made.control.repeat(turns if some else 0))
    known = writer.addresses.copy()
    before = enter(writer, turns)
    used = _body(writer, size, budget // turns)
    leave(writer, before)
    writer.end(at)
    if some:
        return 1 + turns * used
    writer.addresses.registers = known.registers
    return 1


def repeat_ar(writer: Writer, room: int, budget: int) -> int:
    """Write a loop with an address register as its count; where it may be zero, both ways are joined."""
    if _full(writer):
        return writer.plain()
    size = body_size(writer, room)
    n, used = _counter(writer, _turns(writer, size, budget))
    if n < 0:
        return writer.plain()
    low, turns = writer.addresses.registers[n].low, writer.addresses.registers[n].high
    if turns > budget:
        return used  # something in between has changed it
    at = writer.emit(writer.made.control.repeat_ar(n))
    known = writer.addresses.copy()
    before = enter(writer, max(turns, 1))
    inside = _body(writer, size, budget // max(turns, 1))
    leave(writer, before)
    writer.end(at)
    if turns == 0:
        writer.addresses.registers = known.registers
    elif low == 0:
        for r, b in zip(known.registers, before, strict=True):
            r.up, r.down = b.up, b.down
        writer.addresses.join(known)
    return used + 1 + turns * inside


def _counter(writer: Writer, turns: int) -> tuple[int, int]:
    """Choose a register that holds up to `turns`, or set one; returns it, -1 where none is free, and what is used."""
    ready = [n for n, r in enumerate(writer.addresses.registers) if 0 < r.high <= turns]
    if ready:
        return writer.rng.choice(ready), 0
    free = writer.addresses.free()
    if not free:
        return -1, 0
    n = writer.rng.choice(free)
    return n, writer.set(n, turns if writer.chance("turns_ar") else 0) + writer.fill()


def counted(writer: Writer, room: int, budget: int) -> int:
    """Write a loop closed by a branch on a counter that counts down."""
    free = [n for n in writer.addresses.free() if n not in writer.scratch]
    if not free:
        return writer.plain()
    n = writer.rng.choice(free)
    size = body_size(writer, room)
    turns = _turns(writer, size + 2, budget)  # with the words that close it
    used = writer.set(n, turns)
    counter = writer.addresses.registers[n]
    before = enter(writer, turns)
    counter.role, counter.held = "fixed", True
    counter.low, counter.high, counter.aligned = 1, turns, False
    start = len(writer.words)
    inside = writer.block(size, budget // turns)
    closer = writer.rng.choice(writer.made.control.closers(n))
    writer.words += closer
    writer.lead(len(writer.words) - 1, start)
    inside += len(closer)
    leave(writer, before)
    writer.addresses.assign(n, 0, 0, True)
    return used + turns * inside
