"""The stream unit: every clock, load and save of both contexts, its look-ups, and its outputs."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache

import z3

from formal.hdl import Sources, Unit, unit
from formal.proof import Proof, Refuted, UndecidedError, same_polynomials, unspecified, valid
from formal.specification import POLYNOMIAL, Bits, join, parts, rotate, total, zero
from formal.stream_specification import CLOCKS, PRIME, ROWS, Context, crc, crc_addresses, load, save
from isagen.model import Isa

GROUP = "Stream unit"
CONTEXTS = (0, 1)
State = "u_stream.context_q"
Clear = "u_stream.clear_q"
READ = (State, "x1_result_o", "lookup_o", "lookup_en_o")
# The sums of a context, each before those that begin with it.
SUMS = tuple(f"u_stream.gen_context[{i}].gen_context.u_context.u_{s}" for i in CONTEXTS for s in ("f", "next", "w1"))

# An instruction of the unit in X1, after the clock in which a reset clears the contexts.
STAY = {"rst_ni": 1, Clear: 0}
RUN = {**STAY, "x1_valid_i": 1}


def contexts(term: Bits) -> list[Context]:
    """The unit's state, c0 first."""
    out = []
    for half in reversed(parts(term, term.size() // 2)):
        s, r, buffer = (
            z3.Extract(735, 224, half),
            z3.Extract(223, 128, half),
            z3.Extract(127, 0, half),
        )
        r1, r2, r3 = parts(r, 32)
        out.append(Context(tuple(reversed(parts(s, 32))), (r1, r2, r3), buffer))
    return out


def packed(c: Context) -> Bits:
    """The inverse of `contexts` for one context: its bits as in the unit's register."""
    return join([*reversed(c.s), *c.r, c.buffer])


def banks(design: Unit, port: str) -> list[Bits]:
    """The two rows of a port, bank 0 first."""
    term = design.inputs[port] if port in design.inputs else design.values[port]
    return list(reversed(parts(term, 128)))


@cache
def elaborate(sources: Sources) -> Unit:
    """The stream unit in its wrapper. The outputs of its adders are cut and replaced by what `sum_cases` proves."""
    cut = (Clear, *(f"{name}.sum_o" for name in SUMS))
    design = unit(sources, "formal_stream", ("formal_stream.sv",), cut=cut)
    known: list[tuple[Bits, Bits]] = []
    for name in SUMS:
        a, b, around = (z3.substitute(design.values[f"{name}.{port}_i"], *known) for port in ("a", "b", "around"))
        total_31 = z3.ZeroExt(1, end_around(z3.Extract(30, 0, a), z3.Extract(30, 0, b)))
        known.append((design.inputs[f"{name}.sum_o"], z3.If(around == 1, total_31, a + b)))
    values = {n: z3.substitute(design.values[n], *known) for n in READ}
    return Unit(design.inputs, values, [(q, z3.substitute(d, *known)) for q, d in design.after])


def compare(found: Context, wanted: Context, what: str, skip_newest: bool = False) -> Refuted | None:
    """All fields of a context; without the newest LFSR word if that is proven elsewhere."""
    if skip_newest:
        found, wanted = (replace(c, s=(*c.s[:15], zero(32))) for c in (found, wanted))
    return same_polynomials(packed(found), packed(wanted), what, {})


def first(outcomes: Iterator[Refuted | None]) -> Refuted | None:
    """The first refutation, if any."""
    return next((o for o in outcomes if o), None)


def clock_cases(sources: Sources, symbol: str, code: int) -> Iterator[Refuted | None]:
    """For every set of clocked contexts and either context as output: both contexts, the look-ups, the value."""
    design = elaborate(sources)
    spec = CLOCKS[symbol]
    before = contexts(design.value(State, **STAY))
    rows = banks(design, "table_i")
    for clocked in range(1, 4):
        known = {**RUN, "x1_fn_i": code, "x1_c_i": clocked, "x1_o_i": 0}
        after = contexts(design.next(State, **known))
        for i in CONTEXTS:
            what = f"{symbol}, clocked {clocked:02b}: c{i}"
            wanted = spec.clock(before[i], rows[i]) if clocked >> i & 1 else before[i]
            newest_apart = spec.sum is not None and bool(clocked >> i & 1)
            yield compare(after[i], wanted, what, newest_apart)
            shown = design.value("x1_result_o", **{**known, "x1_o_i": i})
            yield same_polynomials(shown, wanted.buffer, f"{what} shown", {})
    if spec.addresses:
        yield from lookups(sources, symbol, code, lambda c, _: spec.addresses(c) if spec.addresses else zero(128))


def lookups(
    sources: Sources, symbol: str, code: int, wanted: Callable[[Context, int], Bits]
) -> Iterator[Refuted | None]:
    """Look-ups use the state that the instruction in X1 leaves, for every pair that the interlock allows."""
    design = elaborate(sources)
    used = 64 if symbol in ZUC else 128
    for i in CONTEXTS:
        for name, known, left in predecessors(sources, i):
            if symbol in ZUC and name in MIXED:
                continue
            found = parts(design.value("lookup_o", perm_fn_i=code, **known), 128)[1 - i]
            what = f"{symbol}: look-up of c{i} after {name}"
            looked, asked = (z3.Extract(127, 128 - used, term) for term in (found, wanted(left, i)))
            yield same_polynomials(looked, asked, what, {})
    enable = design.value("lookup_en_o", perm_valid_i=1)
    yield same_polynomials(enable, design.inputs["perm_c_i"], f"{symbol}: look-ups of the clocked contexts", {})


# The hazard `stream_cipher` keeps other look-ups away from these.
MIXED = ("snow_init", "snow_work", "crc")
ZUC = ("zuc_init", "zuc_work", "zuc_f")


def predecessors(sources: Sources, i: int) -> Iterator[tuple[str, dict[str, int], Context]]:
    """Instructions possible in X1, and the context i that each leaves; no look-up uses the LFSR's newest word."""
    design = elaborate(sources)
    before, rows = contexts(design.value(State, **STAY))[i], banks(design, "table_i")
    yield "nothing", {**STAY, "x1_valid_i": 0}, before
    for n in range(ROWS):
        known = {**RUN, "x1_fn_i": CODES["context_load"], "x1_c_i": 0, "x1_o_i": i, "x1_n_i": n}
        yield "context_load", known, load(before, design.inputs["x1_value_i"], n)
    for symbol, spec in CLOCKS.items():
        yield symbol, {**RUN, "x1_fn_i": CODES[symbol], "x1_c_i": 1 << i}, spec.clock(before, rows[i])
    for clocked in range(1, 4):
        taken = total([zero(128), *(rows[j] for j in CONTEXTS if clocked >> j & 1)])
        left = crc(before, taken) if i == 0 and clocked & 1 else before
        yield "crc", {**RUN, "x1_fn_i": CODES["crc"], "x1_c_i": clocked}, left


def crc_cases(sources: Sources, code: int) -> Iterator[Refuted | None]:
    """For every set of clocked contexts: both contexts and the look-ups. Only c0 holds a CRC."""
    design = elaborate(sources)
    before = contexts(design.value(State, **STAY))
    rows = banks(design, "table_i")
    for clocked in range(1, 4):
        known = {**RUN, "x1_fn_i": code, "x1_c_i": clocked, "x1_o_i": 0}
        after = contexts(design.next(State, **known))
        taken = total([zero(128), *(rows[i] for i in CONTEXTS if clocked >> i & 1)])
        wanted = crc(before[0], taken) if clocked & 1 else before[0]
        yield compare(after[0], wanted, f"crc, clocked {clocked:02b}: c0")
        yield compare(after[1], before[1], f"crc, clocked {clocked:02b}: c1")
    words = parts(design.inputs["perm_value_i"], 32)
    yield from lookups(sources, "crc", code, lambda c, i: crc_addresses(words[i] ^ c.r[0] if i == 0 else words[i]))


def load_cases(sources: Sources, code: int) -> Iterator[Refuted | None]:
    """Every row of both contexts: what is loaded and what stays."""
    design = elaborate(sources)
    before = contexts(design.value(State, **STAY))
    x = design.inputs["x1_value_i"]
    for i in CONTEXTS:
        for n in range(ROWS):
            known = {**RUN, "x1_fn_i": code, "x1_c_i": 0, "x1_o_i": i, "x1_n_i": n}
            after = contexts(design.next(State, **known))
            for j in CONTEXTS:
                wanted = load(before[j], x, n) if i == j else before[j]
                yield compare(after[j], wanted, f"context_load: row {n} of c{i}, c{j} after it")
            yield same_polynomials(design.value("x1_result_o", **known), zero(128), "context_load: shows nothing", {})


def save_cases(sources: Sources, code: int) -> Iterator[Refuted | None]:
    """Every row of both contexts: the value on the path; nothing changes."""
    design = elaborate(sources)
    before = contexts(design.value(State, **STAY))
    for i in CONTEXTS:
        for n in range(ROWS):
            known = {**RUN, "x1_fn_i": code, "x1_c_i": 0, "x1_o_i": i, "x1_n_i": n}
            row = design.value("x1_result_o", **known)
            yield same_polynomials(row, save(before[i], n), f"context_save: row {n} of c{i}", {})
            after = design.next(State, **known)
            yield same_polynomials(after, design.value(State, **STAY), "context_save: changes nothing", {})


def idle_cases(sources: Sources) -> Iterator[Refuted | None]:
    """Without an instruction of the unit nothing changes and nothing is output."""
    design = elaborate(sources)
    before = design.value(State, **STAY)
    yield same_polynomials(design.next(State, **STAY, x1_valid_i=0), before, "no instruction", {})
    none = {**RUN, "x1_fn_i": 0, "x1_c_i": 0}
    yield same_polynomials(design.next(State, **none), before, "another instruction", {})
    yield same_polynomials(design.value("x1_result_o", **none), zero(128), "value", {})


def clear_cases(sources: Sources) -> Iterator[Refuted | None]:
    """All bits of both contexts are zero after the clock in which they are cleared."""
    design = elaborate(sources)
    cleared = design.next(State, **{"rst_ni": 1, Clear: 1, "x1_valid_i": 0})
    yield same_polynomials(cleared, zero(cleared.size()), "cleared", {})


def sum_cases(sources: Sources) -> Iterator[Refuted | None]:
    """An adder by itself: all bits of a 32-bit sum, 31 bits of an end-around one."""
    design = unit(sources, "lutra_stream_sum")
    a, b = (design.inputs[port] for port in ("a_i", "b_i"))
    shown = {"a": a, "b": b}
    yield valid(design.value("sum_o", around_i=0) == a + b, "sum", shown)
    low_a, low_b, around = (z3.Extract(30, 0, t) for t in (a, b, design.value("sum_o", around_i=1)))
    yield valid(around == end_around(low_a, low_b), "end-around sum", shown)


# ------------------------------------------------------------- the sum modulo 2^31 - 1


def save_carries(a: Bits, b: Bits, c: Bits) -> tuple[Bits, Bits]:
    """Two numbers of 31 bits with the same sum as the three, modulo 2^31 - 1."""
    return a ^ b ^ c, rotate((a & b) | (a & c) | (b & c), 1)


def end_around(a: Bits, b: Bits) -> Bits:
    """The sum of two modulo 2^31 - 1."""
    wide = z3.ZeroExt(1, a) + z3.ZeroExt(1, b)
    return z3.Extract(30, 0, wide) + z3.ZeroExt(30, z3.Extract(31, 31, wide))


def zuc_sum_cases(sources: Sources, symbol: str, code: int) -> Iterator[Refuted | None]:
    """The new LFSR word is 0 if all addends are 0, else the number in 1..2^31-1 congruent to their sum.

    1. The design is end-around additions of carry-save additions of the addends (SMT).
    2. Each of these keeps the sum modulo 2^31-1, and an end-around addition is 0 only for zeros (SMT, 31 bits).
    3. So the result is what is claimed (linear arithmetic over the integers).
    """
    design = elaborate(sources)
    addends = CLOCKS[symbol].sum
    assert addends is not None
    for i, before in enumerate(contexts(design.value(State, **STAY))):
        known = {**RUN, "x1_fn_i": code, "x1_c_i": 1 << i, "x1_o_i": 0}
        found = contexts(design.next(State, **known))[i].s[15]
        # Multiplying by 2^n modulo 2^31-1 is a rotation: bits shifted out have the weight 2^31 = 1.
        terms = addends(before, banks(design, "table_i")[i])
        a = [rotate(x, n) for x, n in terms]
        p, q = save_carries(*a[0:3]), save_carries(*a[3:6])
        r = save_carries(*p, q[0])
        s = save_carries(*save_carries(*r, q[1]), a[6] if len(a) == 7 else zero(31))
        wanted = z3.ZeroExt(1, end_around(*s))
        sides = {"design": found, "specification": wanted}
        # Polynomials of carries of carries would have too many terms.
        yield valid(found == wanted, f"{symbol}: structure of c{i}'s new word", sides)

    x, y, z = (z3.BitVec(n, 31) for n in "xyz")
    wide = [z3.ZeroExt(3, v) for v in (x, y, z)]
    prime = z3.BitVecVal(PRIME, 34)
    total_2, carries = (z3.ZeroExt(3, v) for v in save_carries(x, y, z))
    lost = z3.ZeroExt(33, z3.Extract(0, 0, carries))
    shown = {"x": x, "y": y, "z": z}
    yield valid(total_2 + carries + lost * prime == wide[0] + wide[1] + wide[2], "carry-save addition", shown)
    none = z3.And(x == 0, y == 0, z == 0)
    yield valid(z3.And(total_2 == 0, carries == 0) == none, "carry-save addition is zero", shown)
    e = z3.ZeroExt(3, end_around(x, y))
    both = wide[0] + wide[1]
    yield valid(z3.Or(e == both, e + prime == both), "end-around addition", shown)
    yield valid((e == 0) == z3.And(x == 0, y == 0), "end-around addition is zero", shown)
    for n in {n for _, n in terms}:
        # 2^n x = rotation + (2^31 - 1) times the bits shifted out.
        w = z3.ZeroExt(31, x)
        leaving = z3.LShR(w, 31 - n)
        claim = w << n == z3.ZeroExt(31, rotate(x, n)) + (leaving << 31) - leaving
        yield valid(claim, f"2^{n} x is a rotation", shown)
    yield modular_sum(len(terms))


def modular_sum(count: int) -> Refuted | None:
    """Step 3: from what the additions keep to the result, over the integers."""
    solver = z3.SolverFor("QF_LIA")
    limit = PRIME
    a = [z3.Int(f"a{i}") for i in range(count)]
    keep = [z3.And(v >= 0, v <= limit) for v in a]
    names = iter(range(100))

    def fresh() -> z3.ArithRef:
        v = z3.Int(f"v{next(names)}")
        keep.append(z3.And(v >= 0, v <= limit))
        return v

    def saved(x: z3.ArithRef, y: z3.ArithRef, z: z3.ArithRef) -> tuple[z3.ArithRef, z3.ArithRef]:
        total_, carries, lost = fresh(), fresh(), z3.Int(f"lost{next(names)}")
        keep.append(z3.And(total_ + carries + lost * limit == x + y + z, lost >= 0, lost <= 1))
        keep.append(z3.And(total_ == 0, carries == 0) == z3.And(x == 0, y == 0, z == 0))
        return total_, carries

    def around(x: z3.ArithRef, y: z3.ArithRef) -> z3.ArithRef:
        out = fresh()
        keep.append(z3.Or(out == x + y, out + limit == x + y))
        keep.append((out == 0) == z3.And(x == 0, y == 0))
        return out

    p, q = saved(*a[0:3]), saved(*a[3:6])
    r = saved(*p, q[0])
    s = saved(*saved(*r, q[1]), a[6] if count == 7 else z3.IntVal(0))
    result = around(*s)
    everything = z3.Sum(a)
    congruent = z3.Or([everything == result + k * limit for k in range(count)])
    solver.add(*keep, z3.Not(z3.And(congruent, result <= limit, (result == 0) == (everything == 0))))
    outcome = solver.check()
    if outcome == z3.unknown:
        raise UndecidedError(solver.reason_unknown())
    return None if outcome == z3.unsat else Refuted("modular sum", {str(v): str(solver.model()[v]) for v in a})


# Function -> its code.
CODES: dict[str, int] = {}


def proofs(isa: Isa) -> Iterator[Proof]:
    """One proof per function of the stream unit, and the proofs that all of them rely on."""
    CODES.update({f.symbol: f.code for f in isa.functions.values() if f.kind == "Stream"})
    special: dict[str, Callable[[Sources, int], Iterator[Refuted | None]]] = {
        "crc": crc_cases,
        "context_load": load_cases,
        "context_save": save_cases,
    }
    for function in isa.functions.values():
        if function.kind != "Stream":
            continue
        symbol, code = function.symbol, function.code
        if symbol not in CLOCKS and symbol not in special:
            yield unspecified(symbol, GROUP, "stream_specification.py")
            continue

        def run(sources: Sources, symbol: str = symbol, code: int = code) -> Refuted | None:
            cases = special[symbol](sources, code) if symbol in special else clock_cases(sources, symbol, code)
            return first(cases)

        text = function.remark or function.formula
        yield Proof(symbol, GROUP, text, f"{POLYNOMIAL}, each choice of contexts and rows", run)
        if symbol in CLOCKS and CLOCKS[symbol].sum:

            def run_sum(sources: Sources, symbol: str = symbol, code: int = code) -> Refuted | None:
                return first(zuc_sum_cases(sources, symbol, code))

            statement = "the new LFSR word is the sum modulo 2^31-1, in 1..2^31-1 but for the sum of zeros"
            yield Proof(f"{symbol}: sum", GROUP, statement, "SMT, in lemmas", run_sum)
    rest: tuple[tuple[str, str, str, Callable[[Sources], Iterator[Refuted | None]]], ...] = (
        ("stream_sum", "a + b modulo 2^32, or of 31 bits with the carry added at their end", "SMT", sum_cases),
        ("idle", "nothing changes without an instruction of the unit", POLYNOMIAL, idle_cases),
        ("clear", "the first clock after a reset clears both contexts", POLYNOMIAL, clear_cases),
    )
    for name, statement, method, cases in rest:

        def run_cases(sources: Sources, cases: Callable[[Sources], Iterator[Refuted | None]] = cases) -> Refuted | None:
            return first(cases(sources))

        yield Proof(name, GROUP, statement, method, run_cases)
