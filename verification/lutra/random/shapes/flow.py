"""Branches forward, calls of subroutines, and addresses out of a vector lane."""

from __future__ import annotations

from dataclasses import replace

from lutra.isa import Insn
from lutra.random.addresses import Addresses
from lutra.random.control import pack
from lutra.random.shapes.loops import body_size
from lutra.random.weights import BRANCH, BRANCH_BUDGET
from lutra.random.writer import Routine, Writer


def branch(writer: Writer, room: int, budget: int) -> int:
    """Write a branch forward around some instructions."""
    insn, fields = _branch(writer)
    at = writer.emit(pack(insn, **fields))
    if "ad" in fields:
        _count_down(writer.addresses, fields["ad"])
    known = writer.addresses.copy()
    writer.nested += 1
    used = writer.block(body_size(writer, min(room, BRANCH)), budget // BRANCH_BUDGET)
    writer.nested -= 1
    writer.lead(at, len(writer.words))
    writer.join()
    if not insn.facts.conditional:
        writer.addresses.registers = known.registers
        return 1
    writer.addresses.join(known)
    return 1 + used


def _branch(writer: Writer) -> tuple[Insn, dict[str, int]]:
    """Choose a branch or jump and its registers; one that it tests may be set before."""
    insn = writer.made.control.branches(writer.rand())
    free = writer.addresses.free()
    if "ad" in insn.fields and not free:
        insn = writer.made.control.test
    if "as" not in insn.fields:
        return insn, {}
    tested = int(writer.rand() * writer.isa.machine["AddressRegs"])
    counts = "ad" in insn.fields
    if free and (counts or writer.chance("tested_free")):
        tested = writer.rng.choice(free)
        if writer.chance("one_bit"):
            _set_one_bit(writer, tested, counts)
    return insn, {"as": tested, "ad": tested} if counts else {"as": tested}


def _set_one_bit(writer: Writer, n: int, counts: bool) -> None:
    """Set a register to zero or to a number with one bit; one more where the branch counts it down first."""
    bits = writer.isa.machine["AddressBits"]
    bit = writer.rng.randint(0, bits)
    writer.set(n, ((1 << bit if bit < bits else 0) + counts) & writer.addresses.top)
    writer.fill()


def _count_down(addresses: Addresses, n: int) -> None:
    r = addresses.registers[n]
    addresses.assign(n, r.low - 1, r.high - 1, False)


def call(writer: Writer, room: int, budget: int) -> int:
    """Write a call of a subroutine that fits in here."""
    possible = [n for n, r in enumerate(writer.routines) if _fits(writer, r, budget)]
    if not possible:
        return writer.plain()
    number = writer.rng.choice(possible)
    routine = writer.routines[number]
    writer.calls[writer.emit(writer.made.control.call.match)] = number
    for n in writer.scratch:
        old, new = writer.addresses.registers[n], replace(routine.after[n])
        new.role, new.held, new.up, new.down = old.role, old.held, old.up, old.down
        writer.addresses.registers[n] = new
    return 1 + routine.cost


def _fits(writer: Writer, routine: Routine, budget: int) -> bool:
    machine = writer.isa.machine
    return (
        routine.cost + 2 <= budget
        and writer.loops + routine.loops <= machine["LoopDepth"]
        and writer.depth + routine.depth <= machine["CallDepth"]
    )


def derived(writer: Writer, room: int, budget: int) -> int:
    """Write an address out of a vector lane, brought into the range of the memories."""
    free = writer.addresses.free()
    if not free:
        return writer.plain()
    n = writer.rng.choice(free)
    word = writer.vectors.vector(writer.made.control.to_address, {"ad": n})
    assert word is not None
    writer.emit(word)
    used = 1 + writer.fill()
    if writer.addresses.registers[n].high == writer.addresses.top:
        writer.emit(writer.control.bounded(n))
        used += 1
    return used
