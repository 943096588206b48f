"""Ends of programs that trap: several ways into each trap of the ISA."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from lutra.isa import Insn, Pattern
from lutra.random.control import pack
from lutra.random.forms import Picker

if TYPE_CHECKING:
    from lutra.random.programs import Writer

WORD_BITS = 64


def ending(writer: Writer, traps: bool) -> str:
    """Write the end of what a start runs, at times within loops and calls; returns how it ends."""
    if traps:
        ends = trap(writer)
    else:
        ends = "halted"
        _halt(writer)
    if not writer.at_end:
        writer.emit(writer.made.control.halt)
    return ends


def _halt(writer: Writer) -> None:
    """Leave loops and calls open that the next start must not see; the halt comes after."""
    if writer.rand() < 0.5:
        return
    around = _loops(writer, writer.rng.randrange(writer.isa.machine["LoopDepth"] + 1))
    for _ in range(writer.rng.randrange(writer.isa.machine["CallDepth"] + 1)):
        writer.lead(writer.emit(writer.made.control.call.match), len(writer.words))
    writer.emit(writer.made.control.halt)
    for at in reversed(around):
        writer.plain()
        writer.lead(at, len(writer.words), -1)


def trap(writer: Writer) -> str:
    """Write instructions that end in a trap, at times within loops; returns the trap's name."""
    isa, rng = writer.isa, writer.rng
    chosen = Picker((t, writer.made.weights[f"trap:{t.name}"]) for t in isa.traps)(writer.rand())
    around = [] if chosen.record == "TrapLoopOverflow" else _loops(writer, rng.randrange(isa.machine["LoopDepth"] - 1))
    writer.between()
    _TRAPS[chosen.record](writer)
    for at in reversed(around):
        writer.plain()
        writer.lead(at, len(writer.words), -1)
    return chosen.name


def _loops(writer: Writer, count: int) -> list[int]:
    """Opens loops, one within the other; returns where their ends are to be put."""
    opened = []
    for _ in range(count):
        writer.enter(1)
        opened.append(writer.emit(writer.made.control.repeat(writer.rng.randint(1, 9))))
        writer.between()
    return opened


def _illegal(writer: Writer) -> None:
    writer.emit(writer.rng.choice(_ILLEGAL)(writer))


def _any_word(writer: Writer, fits: Callable[[Insn], bool] = lambda _: True) -> tuple[Insn, int]:
    """A legal word of a vector instruction that fits; the first tries by weight, then any."""
    isa = writer.isa
    for _ in range(50):
        insn = writer.made.plain(writer.rand())
        if insn.vector and fits(insn):
            break
    else:
        insn = writer.rng.choice([i for i in isa.instructions if i.vector and fits(i)])
    word = None
    while word is None:
        word = writer.vectors.vector(writer.made.forms[insn.name], {"ad": 0} if "ad" in insn.fields else {})
    return insn, word


def _fixed_bit(writer: Writer) -> int:
    """A bit that is not of a field, nor of the opcode, is set or cleared."""
    insn, word = _any_word(writer)
    opcode = insn.opcode << WORD_BITS - 8
    free = [n for n in range(WORD_BITS - 8) if insn.mask >> n & 1]
    assert word & 0xFF << WORD_BITS - 8 == opcode
    return word ^ 1 << writer.rng.choice(free) if free else 0


def _no_opcode(writer: Writer) -> int:
    free = [n for n in range(256) if n not in writer.isa.by_opcode]
    return writer.rng.choice(free) << WORD_BITS - 8 | writer.rng.getrandbits(WORD_BITS - 8)


def _no_source(writer: Writer) -> int:
    """A source field with a code of no source."""
    insn, word = _any_word(writer, lambda i: "ra" in i.fields or "rb" in i.fields)
    name = writer.rng.choice([n for n in ("ra", "rb") if n in insn.fields])
    legal = insn.facts.holds(name).codes
    code = writer.rng.choice([n for n in range(insn.fields[name].top + 1) if n not in legal])
    return insn.insert(word, **{name: code})


def _no_pattern(writer: Writer) -> int:
    """A slot without a pattern, though it names a register."""
    insn, word = _any_word(writer, lambda i: "ks" in i.fields or "ss" in i.fields)
    bad = writer.isa.slot.register.insert(0, writer.rng.randint(1, writer.isa.machine["AddressRegs"] - 1))
    return insn.insert(word, **{"ks" if "ks" in insn.fields else "ss": bad})


def _one_block_twice(writer: Writer) -> int:
    """The data slot reads the block that the key slot reads."""
    insn, word = _any_word(writer, lambda i: bool(i.facts.key_blocks) and i.facts.data == "path")
    return insn.insert(word, db=writer.rng.choice(insn.facts.key_blocks), ds=1 << writer.isa.slot.row_flag)


def _two_rounds(writer: Writer) -> int:
    """Both halves, where there is one; a free opcode where there are two."""
    two = [i for i in writer.isa.instructions if i.facts.two_rounds]
    if writer.made.rounds > 1 or not two:
        return _no_opcode(writer)
    insn = writer.rng.choice(two)
    word = writer.vectors.vector(writer.made.forms[insn.name])
    assert word is not None
    return word


_ILLEGAL = (_fixed_bit, _fixed_bit, _no_opcode, _no_source, _no_pattern, _one_block_twice, _two_rounds)


def _fetch_range(writer: Writer) -> None:
    """A jump or call out of the program memory, or going on after its last word."""
    words, top = writer.isa.machine["ProgramWords"], writer.addresses.top
    if writer.alone and not writer.nested and writer.rand() < 0.5:
        writer.at_end = True
        return
    away = [i for (_, cc, sq), i in writer.made.control.by.items() if cc == "CcAlways" and sq in ("SqJump", "SqCall")]
    writer.emit(pack(writer.rng.choice(away), e=writer.rng.choice((words, top, writer.rng.randint(words, top)))))


def _slot_on(writer: Writer, n: int, pattern: Pattern) -> int:
    """A word one of whose slots is at an address register, with this pattern; no other slot modifies the register."""
    layout, slots = writer.isa.slot, ("ks", "ds", "ss")
    writer.addresses.registers[n].role = "fixed"
    while True:
        insn, word = _any_word(writer, lambda i: any(name in i.fields for name in slots))
        used = [name for name in slots if name in insn.fields and insn.get(word, name)]
        if used:
            slot = layout.register.insert(layout.pattern.insert(0, pattern.code), n)
            return insn.insert(word, **{writer.rng.choice(used): slot})


def _stores_to_table(writer: Writer, word: int) -> bool:
    insn = writer.isa.decode(word)
    if insn is None or "sb" not in insn.fields or not insn.get(word, "ss"):
        return False
    return any(s.banks and s.code == insn.get(word, "sb") for s in writer.isa.spaces)


def _address_range(writer: Writer) -> None:
    """An access beyond the memory: at once, and the trap must not modify the register, or when a loop has moved it."""
    rng, row = writer.rng, writer.addresses.row
    n = rng.choice(writer.addresses.free() or [0])
    beyond, top = writer.limit + 1, writer.addresses.top
    if writer.rand() < 0.6:
        # Most often the row's first byte still lies within the memory.
        within, wraps = rng.randrange(beyond, beyond + row - 1), rng.randint(top - 2 * row, top)
        word = _slot_on(writer, n, rng.choice(writer.isa.patterns))
        writer.set(n, rng.choice((within, within, within, wraps, rng.randint(beyond, top))))
        writer.emit(word)
        return
    turns = rng.randint(1, 20)
    word = _slot_on(writer, n, next(p for p in writer.isa.patterns if not p.modifies))
    # The last access that is legal ends some bytes before the end of the memory; a table has whole rows only.
    before = 0 if _stores_to_table(writer, word) else rng.choice((0, rng.randrange(row)))
    writer.set(n, writer.limit - before - (turns - 1) * row)
    at = writer.emit(writer.made.control.repeat(turns + rng.randint(1, 5)))
    writer.emit(word)
    writer.emit(writer.made.control.add(n, n, writer.addresses.row))
    writer.lead(at, len(writer.words), -1)


def _table_alignment(writer: Writer) -> None:
    n = writer.rng.choice(writer.addresses.free() or [0])
    value = writer.rng.randrange(writer.limit)
    writer.set(n, value + (value % writer.addresses.row == 0))
    writer.emit(writer.vectors.store(writer.rng.choice([s for s in writer.isa.spaces if s.banks]), n))


def _loop_overflow(writer: Writer) -> None:
    """One loop more than the stack holds, each with an end of its own."""
    opened = _loops(writer, writer.isa.machine["LoopDepth"] + 1)
    for at in reversed(opened):
        writer.plain()
        writer.lead(at, len(writer.words), -1)


def _loop_nesting(writer: Writer) -> None:
    """A loop that begins at the end of the one around it, that ends there, or that ends before its body."""
    count = writer.rng.randint(0, 3)
    repeat = writer.made.control.repeat
    way = writer.rng.randrange(3)
    if way == 2:
        at = writer.emit(repeat(count))
        writer.lead(at, writer.rng.randint(0, at))
        return
    outer = writer.emit(repeat(writer.rng.randint(1, 3)))
    writer.enter(1)
    writer.between()
    inner = writer.emit(repeat(count))
    if way == 0:
        writer.lead(outer, len(writer.words), -1)
    writer.plain()
    if way == 1:
        writer.lead(outer, len(writer.words), -1)
    writer.lead(inner, len(writer.words), -1)


def _call_overflow(writer: Writer) -> None:
    """A subroutine that calls itself, or a chain of calls, whose return addresses differ."""
    if writer.rand() < 0.75:
        for _ in range(writer.isa.machine["CallDepth"] + 1):
            at = writer.emit(writer.made.control.call.match)
            writer.lead(at, len(writer.words))
            writer.between()
        return
    start = len(writer.words)
    writer.enter(1)
    writer.between()
    writer.lead(writer.emit(writer.made.control.call.match), start)


def _call_underflow(writer: Writer) -> None:
    writer.emit(writer.made.control.ret)


_TRAPS = {
    "TrapIllegal": _illegal,
    "TrapFetchRange": _fetch_range,
    "TrapAddressRange": _address_range,
    "TrapTableAlignment": _table_alignment,
    "TrapLoopOverflow": _loop_overflow,
    "TrapLoopNesting": _loop_nesting,
    "TrapCallOverflow": _call_overflow,
    "TrapCallUnderflow": _call_underflow,
}
