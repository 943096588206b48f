"""Hash unit: the registers after every end of a path and every step parallel to a path."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

import z3

from formal.hdl import Sources, unit
from formal.proof import Proof, Refuted, same_polynomials, unspecified
from formal.specification import POLYNOMIAL, Bits, bit, constant, join, zero
from isagen.formula import general
from isagen.model import Isa

GROUP = "Hash unit"
# In GF(2^64) words 0 and 1 of both factors are zero, as in firmware.
FIELD64 = ("field_step", "field_fold", "field_add")


class Hash(NamedTuple):
    """Factor, input and sum, and the multiplier's upper bits of these (multiplier.py)."""

    gh: Bits
    gx: Bits
    gy: Bits
    gt: Bits
    gu: Bits


class Port(NamedTuple):
    """Inputs from an instruction: the path's value, the value that a move stores, the row of the data slot."""

    x: Bits
    moved: Bits
    row: Bits


def reverse(x: Bits) -> Bits:
    """The bits, the last one first."""
    return join([z3.Extract(i, i, x) for i in range(x.size())])


def down(x: Bits) -> Bits:
    """One word down."""
    return join([zero(32), z3.Extract(127, 32, x)])


def times_u(v: Bits) -> Bits:
    """SP 800-38D 6.3: times u, where R is added if a one falls out."""
    return z3.LShR(v, 1) ^ z3.If(bit(v, 0), constant(0xE1 << 120, 128), zero(128))


def mul_x(v: Bits) -> Bits:
    """TS 35.215 4.3.1: MULx with c = 0x1b."""
    return (v << 1) ^ z3.If(bit(v, 63), constant(0x1B, 64), zero(64))


def multiple(digit: list[z3.BoolRef], v: Bits, step: Callable[[Bits], Bits]) -> Bits:
    """The sum of v, v times u and so on where the digit has a one, its lowest power first."""
    out = zero(v.size())
    for one in digit:
        out = out ^ z3.If(one, v, zero(v.size()))
        v = step(v)
    return out


def powered(v: Bits, step: Callable[[Bits], Bits]) -> Bits:
    """v times u^32."""
    for _ in range(32):
        v = step(v)
    return v


def digit_of(u: Hash) -> list[z3.BoolRef]:
    """Word 3 of the input, lowest power first: that is its most significant bit."""
    return [bit(u.gx, i) for i in reversed(range(32))]


def horner128(u: Hash) -> Bits:
    """gy u^32 + digit gh in GF(2^128)."""
    return powered(u.gy, times_u) ^ multiple(digit_of(u), u.gh, times_u)


def horner64(u: Hash) -> Bits:
    """gy x^32 + digit gh in GF(2^64), whose values have their bits in reverse in words 2 and 3."""
    gy, gh = (z3.Extract(127, 64, reverse(v)) for v in (u.gy, u.gh))
    return reverse(join([powered(gy, mul_x) ^ multiple(digit_of(u), gh, mul_x), zero(64)]))


def window(u: Hash) -> Bits:
    """gy + digit gh."""
    return u.gy ^ multiple(digit_of(u), u.gh, times_u)


def stepped(u: Hash, gy: Bits) -> Hash:
    return u._replace(gx=down(u.gx), gy=gy)


def taken(u: Hash, x: Bits) -> Hash:
    return u._replace(gx=x ^ u.gy, gy=zero(128))


def fold(u: Hash) -> Hash:
    after = stepped(u, horner64(u))
    return taken(after, after.gx)


End = Callable[[Hash, Port], Hash]

# By symbol.
ENDS: dict[str, End] = {
    "to_factor": lambda u, p: u._replace(gh=p.x),
    "to_input": lambda u, p: u._replace(gx=p.x, gy=zero(128)),
    "to_reversed": lambda u, p: u._replace(gx=reverse(p.x), gy=zero(128)),
    "add_input": lambda u, p: taken(u, p.x),
    "hash_step": lambda u, p: stepped(u, horner128(u)),
    "field_step": lambda u, p: stepped(u, horner64(u)),
    "field_fold": lambda u, p: fold(u),
    "field_add": lambda u, p: taken(stepped(u, horner64(u)), reverse(p.x)),
    "window_step": lambda u, p: stepped(u, window(u))._replace(gh=p.x),
    "window_next": lambda u, p: u._replace(gh=p.x, gx=reverse(p.row), gy=window(u)),
}
# By record of the parallel operation; a step precedes what enters the input.
BESIDE: dict[str, End] = {
    "BesideStep": lambda u, p: stepped(u, horner128(u)),
    "BesideSum": lambda u, p: taken(u, p.moved),
    "BesideRow": lambda u, p: taken(u, p.row),
}


def check(sources: Sources, known: dict[str, int], ends: list[End], what: str, field64: bool = False) -> Refuted | None:
    """Compare the registers after an instruction with its functions applied in sequence."""
    design = unit(sources, "lutra_hash")
    known = {"rst_ni": 1, "valid_i": 1, "prime_i": 0, **known}
    registers = [design.value(f"{name}_q", rst_ni=1) for name in Hash._fields]
    assumed: list[tuple[Bits, Bits]] = []
    if field64:
        assumed = [(v, join([zero(64), z3.Extract(63, 0, v)])) for v in (registers[0], registers[2])]
    before = [z3.substitute(v, *assumed) for v in registers]
    port = Port(*(design.inputs[f"{name}_i"] for name in Port._fields))
    after = Hash(*before)
    for end in ends:
        after = end(after, port)
    shown = dict(zip(Hash._fields, before, strict=True)) | port._asdict()
    for name, wanted in after._asdict().items():
        became = z3.substitute(design.next(f"{name}_q", **known), *assumed)
        found = same_polynomials(became, wanted, f"{what}: {name}", shown)
        if found:
            return found
    return None


def besides(isa: Isa) -> list[tuple[int, list[str]]]:
    """Operations in parallel with a path: the field's contents, and the records whose bits are in it."""
    codes = {n for i in isa.insns if i.field("h") for n in isa.facts[i.record].holds("h").codes}
    return [(n, [b.record for b in isa.besides("h") if n & b.code]) for n in sorted(codes)]


def proofs(isa: Isa) -> Iterator[Proof]:
    """One proof per end of a path, and one for all operations in parallel with one."""
    code = {f.symbol: f.code for f in isa.endpoint_functions.values()}
    for function in (f for f in isa.endpoint_functions.values() if f.hashes and not f.symbol.startswith("prime_")):
        if function.symbol not in ENDS:
            yield unspecified(function.symbol, GROUP, "hash_unit.py")
            continue
        # Operations allowed in parallel with a path that has this end.
        insns = [i for i in isa.insns if isa.facts[i.record].res == function.record]
        steps = {n for i in insns if i.field("h") for n in isa.facts[i.record].holds("h").codes} or {0}

        def run(sources: Sources, symbol: str = function.symbol, steps: set[int] = steps) -> Refuted | None:
            for n, records in besides(isa):
                if n in steps:
                    ends = [*(BESIDE[r] for r in records), ENDS[symbol]]
                    known = {"res_i": code[symbol], "h_i": n}
                    found = check(sources, known, ends, f"{symbol}, beside {n}", symbol in FIELD64)
                    if found:
                        return found
            return None

        statement = general(function) + (f"; {function.remark}" if function.remark else "")
        yield Proof(function.symbol, GROUP, statement, POLYNOMIAL, run)

    def run_beside(sources: Sources) -> Refuted | None:
        for n, records in besides(isa):
            found = check(sources, {"res_i": 0, "h_i": n}, [BESIDE[r] for r in records], f"beside {n}")
            if found:
                return found
        return check(sources, {"valid_i": 0}, [], "no instruction")

    texts = "; ".join(f"{b.name}: {b.text}" for b in isa.besides("h"))
    yield Proof("beside", GROUP, f"{texts}; nothing without an instruction", POLYNOMIAL, run_beside)
