"""Illegal words, and legal ones to make them of."""

from __future__ import annotations

from collections.abc import Callable

from lutra.isa import Insn
from lutra.random.weights import TRIES
from lutra.random.writer import Writer

WORD_BITS, OPCODE_BITS = 64, 8
OPCODE_AT = WORD_BITS - OPCODE_BITS


def any_word(writer: Writer, fits: Callable[[Insn], bool] = lambda _: True) -> tuple[Insn, int]:
    """Draw a legal word of a vector instruction that fits: the first tries by weight, then of any."""
    for _ in range(TRIES):
        insn = writer.made.plain(writer.rand())
        if insn.vector and fits(insn):
            break
    else:
        insn = writer.rng.choice([i for i in writer.isa.instructions if i.vector and fits(i)])
    word = None
    while word is None:
        word = writer.vectors.vector(writer.made.forms[insn.name], {"ad": 0} if "ad" in insn.fields else {})
    return insn, word


def illegal_word(writer: Writer) -> int:
    """Draw an illegal word."""
    return writer.rng.choice(_WAYS)(writer)


def _fixed_bit(writer: Writer) -> int:
    """Change a bit that is neither a field's nor the opcode's."""
    insn, word = any_word(writer)
    assert word >> OPCODE_AT == insn.opcode
    free = [n for n in range(OPCODE_AT) if insn.mask >> n & 1]
    return word ^ 1 << writer.rng.choice(free) if free else 0


def _no_opcode(writer: Writer) -> int:
    free = [n for n in range(1 << OPCODE_BITS) if n not in writer.isa.by_opcode]
    return writer.rng.choice(free) << OPCODE_AT | writer.rng.getrandbits(OPCODE_AT)


def _no_source(writer: Writer) -> int:
    """Give a source field a code of no source."""
    insn, word = any_word(writer, lambda i: "ra" in i.fields or "rb" in i.fields)
    name = writer.rng.choice([n for n in ("ra", "rb") if n in insn.fields])
    legal = insn.facts.holds(name).codes
    code = writer.rng.choice([n for n in range(insn.fields[name].top + 1) if n not in legal])
    return insn.insert(word, **{name: code})


def _no_pattern(writer: Writer) -> int:
    """Give a slot that names a register no pattern."""
    insn, word = any_word(writer, lambda i: "ks" in i.fields or "ss" in i.fields)
    bad = writer.isa.slot.register.insert(0, writer.rng.randint(1, writer.isa.machine["AddressRegs"] - 1))
    return insn.insert(word, **{"ks" if "ks" in insn.fields else "ss": bad})


def _one_block_twice(writer: Writer) -> int:
    """Make the data slot read the block that the key slot reads."""
    insn, word = any_word(writer, lambda i: bool(i.facts.key_blocks) and i.facts.data == "path")
    return insn.insert(word, db=writer.rng.choice(insn.facts.key_blocks), ds=1 << writer.isa.slot.row_flag)


def _two_rounds(writer: Writer) -> int:
    """Use both halves, where there is one; a free opcode where there are two."""
    two = [i for i in writer.isa.instructions if i.facts.two_rounds]
    if writer.made.rounds > 1 or not two:
        return _no_opcode(writer)
    insn = writer.rng.choice(two)
    word = writer.vectors.vector(writer.made.forms[insn.name])
    assert word is not None
    return word


# Each is as frequent as it is here.
_WAYS = (_fixed_bit, _fixed_bit, _no_opcode, _no_source, _no_pattern, _one_block_twice, _two_rounds)
