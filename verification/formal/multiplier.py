"""The multiplier: its adders, what they add, and what an end of a path leaves of it in the hash unit's registers.

A product of 128 by 8 bits is beyond a solver as a whole. So every adder of three numbers is replaced by what is proven
of one, that the sum of its outputs is that of its inputs; what is left is which numbers enter.
"""

from __future__ import annotations

from collections.abc import Iterator

import z3

from formal.hash_unit import GROUP, Hash
from formal.hdl import Sources, Unit, unit
from formal.proof import Proof, Refuted, valid
from formal.specification import Bits, constant, join, parts, zero
from isagen.formula import general
from isagen.model import Isa

METHOD = "z3, adder by adder"
SYMBOLS = ("prime_add", "prime_last", "prime_step")
SUM_BITS = 133  # of gu and gy
INPUT_BITS = 134
# Adders by what they give, the last one last.
PRODUCT = ("u_low", "u_high", "u_left", "u_right", "u_three", "u_two")
SUM = ("u_sum", "u_last")
PLACE = "gen_multiplier.u_multiplier"


def adder(sources: Sources) -> Refuted | None:
    """An adder of three, as wide as the widest."""
    design = unit(sources, "lutra_add3", WIDTH=INPUT_BITS)
    a, b, c = (design.inputs[f"{name}_i"] for name in "abc")
    claim = design.value("bits_o") + design.value("carry_o") == a + b + c
    return valid(claim, "lutra_add3", {"a": a, "b": b, "c": c})


def summands(design: Unit, adders: tuple[str, ...]) -> list[Bits] | Refuted:
    """What enters adders from outside. What one of them gives goes to just one other, but for the last."""
    given = [design.inputs[f"{name}.{port}_o"] for name in adders[:-1] for port in ("bits", "carry")]
    entering = [z3.simplify(design.value(f"{name}.{port}_i")) for name in adders for port in "abc"]
    for output in given:
        if sum(z3.eq(output, term) for term in entering) != 1:
            return Refuted(f"{output} does not go to one adder")
    return [term for term in entering if not any(z3.eq(output, term) for output in given)]


def parts_of(design: Unit, adders: tuple[str, ...], wanted: list[Bits], what: str) -> Refuted | None:
    """Whether numbers with the sum of `wanted` enter, each by itself."""
    found = summands(design, adders)
    if isinstance(found, Refuted):
        return found
    left = list(wanted)
    for term in found:
        same = next((w for w in left if valid(term == w, what, {}) is None), None)
        if same is None:
            return Refuted(f"{what}: one of the numbers that are added is none of the specification's")
        left.remove(same)
    return Refuted(f"{what}: {len(left)} numbers are not added") if left else None


def multiplier(sources: Sources) -> Unit:
    """With what its adders put out cut."""
    cut = [f"{name}.{port}_o" for name in (*PRODUCT, *SUM) for port in ("bits", "carry")]
    return unit(sources, "lutra_multiplier", cut=cut)


def product(sources: Sources) -> Refuted | None:
    """The sum of the factor's multiples by a digit's bits, if there is a step; and it is what X2 adds."""
    design = multiplier(sources)
    digit, step, factor = (design.inputs[n] for n in ("x1_digit_i", "x1_step_i", "factor_i"))
    rows = [
        z3.If(z3.And(z3.Extract(i, i, digit) == 1, step == 1), z3.ZeroExt(5, factor) << i, zero(SUM_BITS))
        for i in range(8)
    ]
    found = parts_of(design, PRODUCT, rows, "product")
    for port in ("bits", "carry"):
        if found is None and not z3.eq(design.next(f"x2_{port}"), design.inputs[f"u_two.{port}_o"]):
            found = Refuted(f"{port} of X2 are not those of the product")
    return found


def stepped(y: Bits) -> list[Bits]:
    """What a step makes of the sum, without the product."""
    up = z3.Concat(z3.Extract(121, 0, y), zero(8))
    return [z3.ZeroExt(SUM_BITS - 130, up), 5 * z3.ZeroExt(122, z3.Extract(SUM_BITS - 1, 122, y))]


def swapped(x: Bits) -> Bits:
    """The bytes, the last one first."""
    return join(list(reversed(parts(x, 8))))


def added(sources: Sources) -> Refuted | None:
    """What X2 adds: with a step 133 bits, and without one, where the product is zero, all."""
    design = multiplier(sources)
    y, x, one = (design.inputs[n] for n in ("sum_i", "x_i", "one_i"))
    bits, carry = (design.value(f"x2_{n}") for n in ("bits", "carry"))
    outputs = [design.inputs[f"u_last.{port}_o"] for port in ("bits", "carry")]
    found = valid(design.value("sum_o") == outputs[0] + outputs[1], "sum_o", {})
    wide = [z3.ZeroExt(1, n) for n in (*stepped(y), bits, carry)]
    last = z3.Concat(zero(5), one, zero(128))
    for step, what, wanted in (
        (1, "a step", wide),
        (0, "a block", [z3.ZeroExt(6, swapped(x)), z3.ZeroExt(1, y), zero(INPUT_BITS), last]),
    ):
        nothing = [(design.inputs["step_i"], constant(step, 1))]
        if step:
            nothing.append((one, zero(1)))
        else:
            nothing += [(z3.simplify(n), zero(SUM_BITS)) for n in (bits, carry)]
        fixed = Unit(
            design.inputs, {n: z3.simplify(z3.substitute(v, *nothing)) for n, v in design.values.items()}, design.after
        )
        found = found or parts_of(fixed, SUM, wanted, what)
    return found


def ends(sources: Sources, code: dict[str, int], symbol: str, prime: int) -> Refuted | None:
    """The hash unit's registers after an instruction, its multiplier having given what is proven of it."""
    design = unit(sources, "lutra_hash", cut=(f"{PLACE}.sum_o",))
    known = {"rst_ni": 1, "valid_i": 1, "h_i": 0, "prime_i": prime, "res_i": code[symbol] if symbol in code else 0}
    u = Hash(*(design.value(f"{name}_q", rst_ni=1) for name in Hash._fields))
    y, x = z3.Concat(u.gu, u.gy), design.inputs["x_i"]
    if prime:
        number = stepped(y)[0] + stepped(y)[1] + z3.BitVec("product", SUM_BITS)
        gives = z3.Concat(z3.BitVec("beyond", 1), number)
        gy, gu = z3.Extract(127, 0, number), z3.Extract(132, 128, number)
        after = Hash(u.gh, z3.LShR(u.gx, 8), gy, z3.Extract(7, 0, u.gx), gu)
    else:
        one = constant((symbol == "prime_add") << 128, INPUT_BITS)
        gives = z3.ZeroExt(6, swapped(x)) + z3.ZeroExt(1, y) + one
        gt = z3.ZeroExt(2, z3.Extract(133, 128, gives))
        after = Hash(u.gh, swapped(z3.Extract(127, 0, gives)), zero(128), gt, zero(5))
    takes = {"step_i": constant(prime, 1), "sum_i": y, "x_i": x, "factor_i": u.gh}
    if not prime:
        takes["one_i"] = constant(symbol == "prime_add", 1)
    for name, wanted in takes.items():
        found = valid(design.value(f"{PLACE}.{name}", **known) == wanted, f"{symbol}: the multiplier's {name}", {})
        if found:
            return found
    for name, wanted in after._asdict().items():
        became = z3.substitute(design.next(f"{name}_o", **known), (design.inputs[f"{PLACE}.sum_o"], gives))
        found = valid(became == wanted, f"{symbol}: {name}", dict(zip(Hash._fields, u, strict=True)))
        if found:
            return found
    return None


def digit(sources: Sources) -> Refuted | None:
    """In X1 the digit is the one that the instruction in X2 leaves, and the factor too, as the interlock has it."""
    design = unit(sources, "lutra_hash", cut=(f"{PLACE}.sum_o",))
    for valid_i, prime in ((0, 0), (0, 1), (1, 0), (1, 1)):
        known = {"rst_ni": 1, "valid_i": valid_i, "h_i": 0, "res_i": 0, "prime_i": prime}
        for name, next_one in (("x1_digit_i", "gt_o"), ("factor_i", "gh_o")):
            taken = design.value(f"{PLACE}.{name}", **known)
            found = valid(taken == design.next(next_one, **known), f"{name}, valid {valid_i}, step {prime}", {})
            if found:
                return found
    return None


def proofs(isa: Isa) -> Iterator[Proof]:
    """The adders, what enters them, and one proof an end of a path."""
    functions = {f.symbol: f for f in isa.endpoint_functions.values() if f.symbol in SYMBOLS}
    code = {f.symbol: f.code for f in functions.values()}
    yield Proof("add3", GROUP, "bits + carry = a + b + c", "z3", adder)
    yield Proof("product", GROUP, "bits + carry in X2 = factor digit of the instruction that was in X1", METHOD, product)
    yield Proof("prime_sum", GROUP, "256 (y mod 2^122) + 5 (y div 2^122) + product; or y + a row (+ 2^128)", METHOD, added)
    yield Proof("digit", GROUP, "the digit and the factor in X1 are those that X2 leaves", "z3", digit)
    for symbol, function in functions.items():

        def run(sources: Sources, symbol: str = symbol) -> Refuted | None:
            if symbol != "prime_step":
                return ends(sources, code, symbol, 0)
            return ends(sources, code, symbol, 1) or ends(sources, code, "beside", 1)

        statement = general(function) + (f"; {function.remark}" if function.remark else "")
        yield Proof(symbol, GROUP, statement, METHOD, run)
