"""Instructions that end in a trap: several ways into each."""

from __future__ import annotations

from lutra.isa import Pattern
from lutra.random.control import pack
from lutra.random.illegal import any_word, illegal_word
from lutra.random.shapes.loops import enter
from lutra.random.weights import (
    NESTED_INNER,
    NESTED_OUTER,
    OPEN_TURNS,
    STRADDLES,
    TURNS_AFTER_TRAP,
    TURNS_BEFORE_TRAP,
)
from lutra.random.writer import Writer


def open_loops(writer: Writer, count: int) -> list[int]:
    """Open loops, one within the other; returns where their ends are to be put."""
    opened = []
    for _ in range(count):
        enter(writer, 1)
        opened.append(writer.emit(writer.made.control.repeat(writer.rng.randint(*OPEN_TURNS))))
        writer.fill()
    return opened


def close_loops(writer: Writer, opened: list[int]) -> None:
    """Put the ends of loops, each on an instruction of its own."""
    for at in reversed(opened):
        writer.plain()
        writer.lead(at, len(writer.words), -1)


def illegal(writer: Writer) -> None:
    """Write an illegal word."""
    writer.emit(illegal_word(writer))


def fetch_range(writer: Writer) -> None:
    """Write a jump or call out of the program memory, or go on after its last word."""
    words, top = writer.isa.machine["ProgramWords"], writer.addresses.top
    if writer.alone and not writer.nested and writer.chance("last_word"):
        writer.at_end = True
        return
    away = [i for (_, cc, sq), i in writer.made.control.by.items() if cc == "CcAlways" and sq in ("SqJump", "SqCall")]
    writer.emit(pack(writer.rng.choice(away), e=writer.rng.choice((words, top, writer.rng.randint(words, top)))))


def _slot_on(writer: Writer, n: int, pattern: Pattern) -> int:
    """Draw a word one of whose slots is at an address register, with this pattern; no other slot modifies it."""
    layout, slots = writer.isa.slot, ("ks", "ds", "ss")
    writer.addresses.registers[n].role = "fixed"
    while True:
        insn, word = any_word(writer, lambda i: any(name in i.fields for name in slots))
        used = [name for name in slots if name in insn.fields and insn.get(word, name)]
        if used:
            slot = layout.register.insert(layout.pattern.insert(0, pattern.code), n)
            return insn.insert(word, **{writer.rng.choice(used): slot})


def _stores_to_table(writer: Writer, word: int) -> bool:
    insn = writer.isa.decode(word)
    if insn is None or "sb" not in insn.fields or not insn.get(word, "ss"):
        return False
    return any(s.banks and s.code == insn.get(word, "sb") for s in writer.isa.spaces)


def address_range(writer: Writer) -> None:
    """Write an access beyond the memory."""
    n = writer.rng.choice(writer.addresses.free() or [0])
    (_beyond_at_once if writer.chance("at_once") else _beyond_in_loop)(writer, n)


def _beyond_at_once(writer: Writer, n: int) -> None:
    """Trap at the first access, which must not modify the register; most often the first byte is within the memory."""
    rng, row = writer.rng, writer.addresses.row
    beyond, top = writer.limit + 1, writer.addresses.top
    within, wraps = rng.randrange(beyond, beyond + row - 1), rng.randint(top - 2 * row, top)
    word = _slot_on(writer, n, rng.choice(writer.isa.patterns))
    writer.set(n, rng.choice((*[within] * STRADDLES, wraps, rng.randint(beyond, top))))
    writer.emit(word)


def _beyond_in_loop(writer: Writer, n: int) -> None:
    """Trap when a loop has moved the register; the last legal access ends up to a row before the end of the memory."""
    rng, row = writer.rng, writer.addresses.row
    turns = rng.randint(*TURNS_BEFORE_TRAP)
    word = _slot_on(writer, n, next(p for p in writer.isa.patterns if not p.modifies))
    # A table has whole rows only.
    before = 0 if _stores_to_table(writer, word) else rng.choice((0, rng.randrange(row)))
    writer.set(n, writer.limit - before - (turns - 1) * row)
    at = writer.emit(writer.made.control.repeat(turns + rng.randint(*TURNS_AFTER_TRAP)))
    writer.emit(word)
    writer.emit(writer.made.control.add(n, n, row))
    writer.lead(at, len(writer.words), -1)


def table_alignment(writer: Writer) -> None:
    """Write a store to a table that is not at a row."""
    n = writer.rng.choice(writer.addresses.free() or [0])
    value = writer.rng.randrange(writer.limit)
    writer.set(n, value + (value % writer.addresses.row == 0))
    writer.emit(writer.vectors.store(writer.rng.choice([s for s in writer.isa.spaces if s.banks]), n))


def loop_overflow(writer: Writer) -> None:
    """Write one loop more than the stack holds, each with an end of its own."""
    close_loops(writer, open_loops(writer, writer.isa.machine["LoopDepth"] + 1))


def loop_nesting(writer: Writer) -> None:
    """Write a loop that begins at the end of the one around it, that ends there, or that ends before its body."""
    count = writer.rng.randint(*NESTED_INNER)
    (_begins_at_end, _ends_with_outer, _ends_before_body)[writer.rng.randrange(3)](writer, count)


def _ends_before_body(writer: Writer, count: int) -> None:
    at = writer.emit(writer.made.control.repeat(count))
    writer.lead(at, writer.rng.randint(0, at))


def _begins_at_end(writer: Writer, count: int) -> None:
    outer, inner = _two_loops(writer, count)
    writer.lead(outer, len(writer.words), -1)
    writer.plain()
    writer.lead(inner, len(writer.words), -1)


def _ends_with_outer(writer: Writer, count: int) -> None:
    outer, inner = _two_loops(writer, count)
    writer.plain()
    writer.lead(outer, len(writer.words), -1)
    writer.lead(inner, len(writer.words), -1)


def _two_loops(writer: Writer, count: int) -> tuple[int, int]:
    outer = writer.emit(writer.made.control.repeat(writer.rng.randint(*NESTED_OUTER)))
    enter(writer, 1)
    writer.fill()
    return outer, writer.emit(writer.made.control.repeat(count))


def call_overflow(writer: Writer) -> None:
    """Write a chain of calls, whose return addresses differ, or a subroutine that calls itself."""
    if writer.chance("call_chain"):
        for _ in range(writer.isa.machine["CallDepth"] + 1):
            at = writer.emit(writer.made.control.call.match)
            writer.lead(at, len(writer.words))
            writer.fill()
        return
    start = len(writer.words)
    enter(writer, 1)
    writer.fill()
    writer.lead(writer.emit(writer.made.control.call.match), start)


def call_underflow(writer: Writer) -> None:
    """Write a return without a call."""
    writer.emit(writer.made.control.ret)
