"""The stream unit: every clock, load and save of both contexts, what it looks up, and what comes out."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

import z3

from formal.hdl import Sources, Unit, unit
from formal.proof import Proof, Refuted, UndecidedError, same_polynomials, unspecified, valid
from formal.specification import POLYNOMIAL, Bits, join, parts, rotate, total, zero
from formal.stream_specification import CLOCKS, PRIME, ROWS, Context, crc, crc_addresses, load, save
from isagen.model import Isa

GROUP = "Stream unit"
CONTEXTS = (0, 1)
State = "u_stream.context_q"
Next = "u_stream.context_d"

# An instruction of the unit in X1 outside of reset.
RUN = {"rst_ni": 1, "x1_valid_i": 1}


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
    return join([*reversed(c.s), *c.r, c.buffer])


def banks(design: Unit, port: str) -> list[Bits]:
    """The two rows of a port, bank 0 first."""
    term = design.inputs[port] if port in design.inputs else design.values[port]
    return list(reversed(parts(term, 128)))


def elaborate(sources: Sources) -> Unit:
    return unit(sources, "formal_stream", ("formal_stream.sv",))


def compare(found: Context, wanted: Context, what: str, skip_newest: bool = False) -> Refuted | None:
    """All fields of a context; without the newest LFSR word where that is proven elsewhere."""
    if skip_newest:
        found, wanted = (replace(c, s=(*c.s[:15], zero(32))) for c in (found, wanted))
    return same_polynomials(packed(found), packed(wanted), what, {})


def first(outcomes: Iterator[Refuted | None]) -> Refuted | None:
    return next((o for o in outcomes if o), None)


def clock_cases(sources: Sources, symbol: str, code: int) -> Iterator[Refuted | None]:
    """For every set of clocked contexts and both shown ones: both contexts, the look-ups, the value."""
    design = elaborate(sources)
    spec = CLOCKS[symbol]
    before = contexts(design.value(State, rst_ni=1))
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
        behind = contexts(behind_x1(sources).inputs[Next])
        yield from lookups(sources, code, [spec.addresses(c) for c in behind], symbol)


def behind_x1(sources: Sources) -> Unit:
    """The unit with the contexts that the instruction in X1 leaves cut, so that they can be anything."""
    return unit(sources, "formal_stream", ("formal_stream.sv",), cut=(Next,))


def lookups(sources: Sources, code: int, wanted: list[Bits], symbol: str) -> Iterator[Refuted | None]:
    """What is looked up is a function of the state that the instruction in X1 leaves, whatever that is."""
    design = behind_x1(sources)
    term = design.value("lookup_o", perm_fn_i=code)
    for i in CONTEXTS:
        yield same_polynomials(parts(term, 128)[1 - i], wanted[i], f"{symbol}: look-up of c{i}", {})
    enable = design.value("lookup_en_o", perm_valid_i=1)
    yield same_polynomials(enable, design.inputs["perm_c_i"], f"{symbol}: look-ups of the clocked contexts", {})


def crc_cases(sources: Sources, code: int) -> Iterator[Refuted | None]:
    design = elaborate(sources)
    before = contexts(design.value(State, rst_ni=1))
    rows = banks(design, "table_i")
    for clocked in range(1, 4):
        known = {**RUN, "x1_fn_i": code, "x1_c_i": clocked, "x1_o_i": 0}
        after = contexts(design.next(State, **known))
        taken = total([zero(128), *(rows[i] for i in CONTEXTS if clocked >> i & 1)])
        wanted = crc(before[0], taken) if clocked & 1 else before[0]
        yield compare(after[0], wanted, f"crc, clocked {clocked:02b}: c0")
        yield compare(after[1], before[1], f"crc, clocked {clocked:02b}: c1")
    words = parts(design.inputs["perm_value_i"], 32)
    register = contexts(behind_x1(sources).inputs[Next])[0].r[0]
    yield from lookups(sources, code, [crc_addresses(words[0] ^ register), crc_addresses(words[1])], "crc")


def load_cases(sources: Sources, code: int) -> Iterator[Refuted | None]:
    design = elaborate(sources)
    before = contexts(design.value(State, rst_ni=1))
    x = design.inputs["x1_value_i"]
    for i in CONTEXTS:
        for n in range(ROWS):
            known = {**RUN, "x1_fn_i": code, "x1_c_i": 0, "x1_o_i": i, "x1_n_i": n}
            after = contexts(design.next(State, **known))
            for j in CONTEXTS:
                wanted = load(before[j], x, n) if i == j else before[j]
                yield compare(after[j], wanted, f"context_load: row {n} of c{i}, c{j} behind it")
            yield same_polynomials(design.value("x1_result_o", **known), x, "context_load: value", {})


def save_cases(sources: Sources, code: int) -> Iterator[Refuted | None]:
    design = elaborate(sources)
    before = contexts(design.value(State, rst_ni=1))
    for i in CONTEXTS:
        for n in range(ROWS):
            known = {**RUN, "x1_fn_i": code, "x1_c_i": 0, "x1_o_i": i, "x1_n_i": n}
            row = design.value("x1_result_o", **known)
            yield same_polynomials(row, save(before[i], n), f"context_save: row {n} of c{i}", {})
            after = design.next(State, **known)
            yield same_polynomials(after, design.value(State, rst_ni=1), "context_save: changes nothing", {})


def idle_cases(sources: Sources) -> Iterator[Refuted | None]:
    """Nothing changes without an instruction of the unit, and the value on the path passes."""
    design = elaborate(sources)
    before = design.value(State, rst_ni=1)
    yield same_polynomials(design.next(State, rst_ni=1, x1_valid_i=0), before, "no instruction", {})
    none = {**RUN, "x1_fn_i": 0, "x1_c_i": 0}
    yield same_polynomials(design.next(State, **none), before, "another instruction", {})
    yield same_polynomials(design.value("x1_result_o", **none), design.inputs["x1_value_i"], "value", {})


# ------------------------------------------------------------- the sum modulo 2^31 - 1


def save_carries(a: Bits, b: Bits, c: Bits) -> tuple[Bits, Bits]:
    """Two numbers of 31 bits with the sum of three, modulo 2^31 - 1."""
    return a ^ b ^ c, rotate((a & b) | (a & c) | (b & c), 1)


def end_around(a: Bits, b: Bits) -> Bits:
    """The sum of two modulo 2^31 - 1."""
    wide = z3.ZeroExt(1, a) + z3.ZeroExt(1, b)
    return z3.Extract(30, 0, wide) + z3.ZeroExt(30, z3.Extract(31, 31, wide))


def zuc_sum_cases(sources: Sources, symbol: str, code: int) -> Iterator[Refuted | None]:
    """The new LFSR word is 0 where all addends are 0, else the number in 1..2^31-1 congruent to their sum.

    1. The design is end-around additions of carry-save additions of the addends (normal form).
    2. Each of these keeps the sum modulo 2^31-1, and an end-around addition is 0 only for zeros (SMT, 31 bits).
    3. So the result is what is claimed (linear arithmetic over the integers).
    """
    design = elaborate(sources)
    addends = CLOCKS[symbol].sum
    assert addends is not None
    for i, before in enumerate(contexts(design.value(State, rst_ni=1))):
        known = {**RUN, "x1_fn_i": code, "x1_c_i": 1 << i, "x1_o_i": 0}
        found = contexts(design.next(State, **known))[i].s[15]
        # Times 2^n modulo 2^31-1 is a rotation: the bits that leave have the weight 2^31 = 1.
        terms = addends(before, banks(design, "table_i")[i])
        a = [rotate(x, n) for x, n in terms]
        p, q = save_carries(*a[0:3]), save_carries(*a[3:6])
        r = save_carries(*p, q[0])
        s = save_carries(*r, q[1])
        wanted = end_around(a[6] if len(a) == 7 else zero(31), end_around(*s))
        yield same_polynomials(found, z3.ZeroExt(1, wanted), f"{symbol}: structure of c{i}'s new word", {})

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
        # 2^n x = rotation + (2^31 - 1) times the bits that leave.
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
    s = saved(*r, q[1])
    result = around(a[6] if count == 7 else z3.IntVal(0), around(*s))
    everything = z3.Sum(a)
    congruent = z3.Or([everything == result + k * limit for k in range(count)])
    solver.add(*keep, z3.Not(z3.And(congruent, result <= limit, (result == 0) == (everything == 0))))
    outcome = solver.check()
    if outcome == z3.unknown:
        raise UndecidedError(solver.reason_unknown())
    return None if outcome == z3.unsat else Refuted("modular sum", {str(v): str(solver.model()[v]) for v in a})


def proofs(isa: Isa) -> Iterator[Proof]:
    """One proof a function of the stream unit."""
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
            yield Proof(f"{symbol}: sum", GROUP, statement, f"{POLYNOMIAL}; lemmas by SMT", run_sum)
    yield Proof(
        "idle", GROUP, "nothing changes without an instruction of the unit", POLYNOMIAL, lambda s: first(idle_cases(s))
    )
