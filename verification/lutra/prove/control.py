"""Instructions of the sequencer and of the address unit on the symbolic machine.

The twin of iss/src/execute_control.hpp. Where the next word depends on a length, `Split` says on which symbol, before
anything has changed, so that whoever executes can go on with each of its values.
"""

from __future__ import annotations

from math import gcd

from lutra.isa import load
from lutra.prove.affine import Affine
from lutra.prove.atoms import KNOWN, ONE, Bit
from lutra.prove.errors import Refuted, Unprovable
from lutra.prove.machine import ADDRESSES, Loop, Machine
from lutra.prove.splits import Split, few
from lutra.prove.words import Word


class Induction(Exception):  # noqa: N818
    """A loop of as many passes as a length says begins at the next word."""

    def __init__(self, turns: Affine, end: int) -> None:
        super().__init__(f"{turns} passes")
        self.turns, self.end = turns, end


class Revealed(Exception):  # noqa: N818
    """The next word depends on a bit that may be known."""

    def __init__(self, bit: Bit) -> None:
        super().__init__("depends on a bit that may be known")
        self.bit = bit


def after(m: Machine) -> int:
    """The address of the word that follows, which the last word of a loop's body decides."""
    if m.loops and m.loops[-1].end == m.pc:
        top = m.loops[-1]
        if top.remaining > 1:
            top.remaining -= 1
            return top.start
        m.loops.pop()
    return m.pc + 1


def execute(m: Machine, word: Word) -> bool:
    """A control or address instruction; whether the program goes on. Refuted where it traps."""
    facts, state = word.insn.facts, word.insn.facts.sq
    if state in ("SqRepeat", "SqRepeatAr"):
        _repeat(m, word, Affine(word["n"]) if state == "SqRepeat" else m.register(word["as"]))
        return True
    if state == "SqCall" and len(m.calls) == load().machine["CallDepth"]:
        raise Refuted("more calls are nested than the call stack holds")
    if state == "SqReturn" and not m.calls:
        raise Refuted("a return without a call")
    if state == "SqWait":
        raise Unprovable("the program waits for its host")
    value = _address_unit(m, word, write=False)
    taken = _holds(m, facts.cc, value)
    _address_unit(m, word, write=True)
    following = after(m)
    if state == "SqCall":
        m.calls.append(following)
    if state in ("SqJump", "SqCall") and taken:
        following = word["e"]
    elif state == "SqReturn":
        following = m.calls.pop()
    m.pc = following
    return state != "SqHalt"


def _repeat(m: Machine, word: Word, count: Affine) -> None:
    end = word["e"]
    if len(m.loops) == load().machine["LoopDepth"]:
        raise Refuted("more repeats are nested than the loop stack holds")
    if end <= m.pc or (m.loops and m.loops[-1].end in (m.pc, end)):
        raise Refuted("a repeat ends where it must not")
    if not count.known:
        name = count.terms[0][0]
        low, _ = count.range(m.ranges)
        if low <= 0 or few(name, m.ranges):
            raise Split(name)
        raise Induction(count, end)
    if m.inductive and count.constant >= m.inductive:
        raise Induction(count, end)
    following = after(m)
    if count.constant:
        m.loops.append(Loop(m.pc + 1, end, count.constant))
    m.pc = following if count.constant else end + 1


def _address_unit(m: Machine, word: Word, write: bool) -> Affine:
    facts = word.insn.facts
    n = word["n"]
    if facts.au == "AuKeep":
        return m.register(word["as"]) if facts.reads_address else Affine(0)
    if facts.au == "AuSetStep":
        m.step[word["ad"]] = n
    elif facts.au == "AuSetWindow":
        m.window[word["ad"]] = n, word["e"]
    elif facts.au == "AuSetWidth":
        m.counter_bytes = next(bits for bits, code in load().widths if code == n) // 8
    value = Affine(0)
    if facts.au == "AuSet":
        value = Affine(n)
    elif facts.au == "AuAdd":
        value = m.wrapped(m.register(word["as"]) + (n - ADDRESSES if n >= ADDRESSES // 2 else n))
    elif facts.au == "AuAnd":
        value = _and(m, m.register(word["as"]), n)
    elif facts.au == "AuShr":
        value = shifted(m, m.register(word["as"]), n)
    if facts.writes_address and write:
        m.address[word["ad"]] = value
    return value


def _and(m: Machine, value: Affine, mask: int) -> Affine:
    """The last bits, of which symbols change none, or others than these, all others, or all bits of a number that has
    no others."""
    if value.known:
        return Affine(value.constant & mask)
    low, high = (end // (mask + 1) for end in value.range(m.ranges))
    if not mask & mask + 1 and low == high:
        return value - low * (mask + 1)
    if not (others := ADDRESSES - 1 - mask) & others + 1:
        return value - _and(m, value, others)  # all but the last bits
    if mask & mask + 1:
        raise Unprovable(f"a mask of {value}")
    for name, n in value.terms:
        if n % (mask + 1):
            raise Split(name, mask + 1)
    return Affine(value.constant & mask)


# Quotients of a division are cases of their own where the divisor is so many times their number.
FEW_QUOTIENTS = 8


def shifted(m: Machine, value: Affine, n: int) -> Affine:
    """A number to the right. Split where the result depends on a length in more than one way."""
    low, high = (end >> n for end in value.range(m.ranges))
    if low == high:
        return Affine(low)
    if m.divides:
        return _divided(m, value, 1 << n)
    if len(value.terms) == 1 and value.terms[0][1] == 1 and FEW_QUOTIENTS * (high - low) < 1 << n:
        raise Split(value.terms[0][0], 1 << n, value.constant)
    for name, times in value.terms:
        if times % (1 << n):
            raise Split(name, 1 << n)
    return Affine(value.constant >> n, tuple((name, times >> n) for name, times in value.terms))


def _divided(m: Machine, value: Affine, by: int) -> Affine:
    """A quotient. Split into quotient and remainder where it depends on a length that is not a multiple."""
    whole = tuple((name, times) for name, times in value.terms if times % by == 0)
    rest = value - Affine(0, whole)
    low, high = (end // by for end in rest.range(m.ranges))
    if low != high:
        name, times = rest.terms[0]
        raise Split(name, by // gcd(times, by), rest.constant, remainder=True)
    return Affine(low, tuple((name, times // by) for name, times in whole))


def _flag(m: Machine) -> bool:
    if m.flag is not None:
        (bit,) = m.flag
        bit = m.revealed.get(bit, bit)
        if bit in KNOWN:
            return bit == ONE
        if bit in m.reveals:
            raise Revealed(bit)
    raise Refuted("a branch depends on data, so the time may depend on it")


def _holds(m: Machine, condition: str, value: Affine) -> bool:
    """Whether a transfer is taken."""
    if condition == "CcAlways":
        return True
    if condition in ("CcFlag", "CcNotFlag"):
        return _flag(m) == (condition == "CcFlag")
    if not value.known:
        low, _ = value.range(m.ranges)
        if low <= 0:
            raise Split(value.terms[0][0])
        return condition == "CcNonZero"
    return (value.constant == 0) == (condition == "CcZero")
