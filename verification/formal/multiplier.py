"""Multiplier: its adders, their operands, and the hash unit's registers after an end of a path.

A product of 128 by 8 bits is too large for a solver as a whole. So each adder of three numbers is proved separately:
the sum of its outputs equals that of its inputs. Every output goes to one other adder, so the last two outputs have the
sum of the inputs from outside.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

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
PLACE = "gen_multiplier.u_multiplier"

# An adder's three numbers: an output of another one, or a number from outside by its place in a list.
Adders = Mapping[str, tuple[str | int, str | int, str | int]]
PRODUCT: Adders = {
    "u_low": (0, 1, 2),
    "u_high": (3, 4, 5),
    "u_left": ("u_low.bits_o", "u_low.carry_o", "u_high.bits_o"),
    "u_right": ("u_high.carry_o", 6, 7),
    "u_three": ("u_left.bits_o", "u_left.carry_o", "u_right.bits_o"),
    "u_two": ("u_three.bits_o", "u_three.carry_o", "u_right.carry_o"),
}
SUM: Adders = {"u_sum": (0, 1, 2), "u_last": ("u_sum.bits_o", "u_sum.carry_o", 3)}


def add3(a: Bits, b: Bits, c: Bits) -> tuple[Bits, Bits]:
    """The number of a column's ones: a bit, and the carry into the next column."""
    return a ^ b ^ c, ((a & b) | (a & c) | (b & c)) << 1


def same(found: Bits, wanted: Bits, what: str) -> Refuted | None:
    """Compare a value of the design with the specification."""
    return valid(found == wanted, what, {"design": found, "specification": wanted})


def adder() -> Refuted | None:
    """Check an adder as wide as the widest."""
    a, b, c = (z3.BitVec(name, INPUT_BITS) for name in "abc")
    bits, carry = add3(a, b, c)
    return valid(bits + carry == a + b + c, "add3", {"a": a, "b": b, "c": c})


def sums(design: Unit, adders: Adders, outside: list[Bits], what: str) -> Refuted | None:
    """Check that the outputs of the last adder have the sum of the numbers from outside."""
    entering = [n for numbers in adders.values() for n in numbers]
    outputs = [f"{name}.{port}_o" for name in list(adders)[:-1] for port in ("bits", "carry")]
    assert sorted(map(str, entering)) == sorted([*outputs, *map(str, range(len(outside)))])
    for name, numbers in adders.items():
        inputs = [design.values[f"{name}.{port}_i"] for port in "abc"]
        given = (design.values[f"{name}.{port}_o"] for port in ("bits", "carry"))
        wanted = (design.values[n] if isinstance(n, str) else outside[n] for n in numbers)
        for claim in (*zip(inputs, wanted, strict=True), *zip(given, add3(*inputs), strict=True)):
            found = same(*claim, f"{what}: {name}")
            if found:
                return found
    return None


def product(sources: Sources) -> Refuted | None:
    """Check the sum of the factor's multiples by a digit's bits, if there is a step, and that X2 adds it."""
    design = unit(sources, "lutra_multiplier")
    digit, step, factor = (design.inputs[n] for n in ("x1_digit_i", "x1_step_i", "factor_i"))
    rows = [
        z3.If(z3.And(z3.Extract(i, i, digit) == 1, step == 1), z3.ZeroExt(5, factor) << i, zero(SUM_BITS))
        for i in range(8)
    ]
    found = adder() or sums(design, PRODUCT, rows, "product")
    for port in ("bits", "carry"):
        made = design.values[f"u_two.{port}_o"]
        found = found or same(design.next(f"x2_{port}"), made, f"{port} in X2")
        found = found or same(z3.substitute(made, (step, zero(1))), zero(SUM_BITS), f"{port} without a step")
    return found


def stepped(y: Bits) -> list[Bits]:
    """The effect of a step on the sum, without the product."""
    up = z3.Concat(z3.Extract(121, 0, y), zero(8))
    top = z3.ZeroExt(122, z3.Extract(SUM_BITS - 1, 122, y))
    return [z3.ZeroExt(SUM_BITS - 130, up), (top << 2) + top]


def swapped(x: Bits) -> Bits:
    """The bytes, the last one first."""
    return join(list(reversed(parts(x, 8))))


def added(sources: Sources) -> Refuted | None:
    """Check the addend in X2: with a step, and without one, when the product is zero."""
    design = unit(sources, "lutra_multiplier")
    y, x, one = (design.inputs[n] for n in ("sum_i", "x_i", "one_i"))
    bits, carry = (z3.ZeroExt(1, design.value(f"x2_{n}")) for n in ("bits", "carry"))
    last = z3.Concat(zero(5), one, zero(128))
    up, five = (z3.ZeroExt(1, n) for n in stepped(y))
    last_two = design.values["u_last.bits_o"] + design.values["u_last.carry_o"]
    found = adder() or same(design.values["sum_o"], last_two, "sum_o")
    for step, kept, entering in ((1, up, five), (0, z3.ZeroExt(1, y), z3.ZeroExt(6, swapped(x)))):
        known = [(design.inputs["step_i"], constant(step, 1))]
        fixed = Unit(design.inputs, {n: z3.substitute(v, *known) for n, v in design.values.items()}, design.after)
        # The carry of a block's product is zero in bit 128.
        found = found or sums(fixed, SUM, [kept, bits, carry | last, entering], "a step" if step else "a block")
    return found


def ends(sources: Sources, code: dict[str, int], symbol: str, prime: int) -> Refuted | None:
    """Check the hash unit's registers after an instruction, given what is proven of its multiplier."""
    design = unit(sources, "lutra_hash", cut=(f"{PLACE}.sum_o",))
    known = {"rst_ni": 1, "valid_i": 1, "h_i": 0, "prime_i": prime, "res_i": code.get(symbol, 0)}
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
        found = same(design.value(f"{PLACE}.{name}", **known), wanted, f"{symbol}: the multiplier's {name}")
        if found:
            return found
    for name, wanted in after._asdict().items():
        became = z3.substitute(design.next(f"{name}_q", **known), (design.inputs[f"{PLACE}.sum_o"], gives))
        found = same(became, wanted, f"{symbol}: {name}")
        if found:
            return found
    return None


def digit(sources: Sources) -> Refuted | None:
    """Check that digit and factor in X1 are those that the instruction in X2 leaves, given the interlock."""
    design = unit(sources, "lutra_hash", cut=(f"{PLACE}.sum_o",))
    for valid_i, prime in ((0, 0), (0, 1), (1, 0), (1, 1)):
        known = {"rst_ni": 1, "valid_i": valid_i, "h_i": 0, "res_i": 0, "prime_i": prime}
        for name, next_one in (("x1_digit_i", "gt_q"), ("factor_i", "gh_q")):
            taken = design.value(f"{PLACE}.{name}", **known)
            found = same(taken, design.next(next_one, **known), f"{name}, valid {valid_i}, step {prime}")
            if found:
                return found
    return None


def proofs(isa: Isa) -> Iterator[Proof]:
    """The adders, their inputs, and one proof per end of a path."""
    functions = {f.symbol: f for f in isa.endpoint_functions.values() if f.symbol in SYMBOLS}
    code = {f.symbol: f.code for f in functions.values()}
    yield Proof(
        "product", GROUP, "bits + carry in X2 = factor digit of the instruction that was in X1", METHOD, product
    )
    yield Proof(
        "prime_sum", GROUP, "256 (y mod 2^122) + 5 (y div 2^122) + product; or y + a row (+ 2^128)", METHOD, added
    )
    yield Proof("digit", GROUP, "the digit and the factor in X1 are those that X2 leaves", "z3", digit)
    for symbol, function in functions.items():

        def run(sources: Sources, symbol: str = symbol) -> Refuted | None:
            if symbol != "prime_step":
                return ends(sources, code, symbol, 0)
            return ends(sources, code, symbol, 1) or ends(sources, code, "beside", 1)

        statement = general(function) + (f"; {function.remark}" if function.remark else "")
        yield Proof(symbol, GROUP, statement, METHOD, run)
