"""The inversion in GF(2^8) as a circuit, the affine maps around it that make an S-box, and searches for the cheapest.

The circuit is that of Boyar and Peralta ("A new combinational logic minimization technique", SEA 2010): 22 linear forms
go in, 18 products come out. A linear map is a tuple of rows; row i is the mask of the inputs whose sum is output i.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations

Map = tuple[int, ...]
RIJNDAEL = 0x11B
IDENTITY: Map = tuple(1 << i for i in range(8))

# The forms of the input, x0 the most significant bit, the nonlinear part, and the S-box of FIPS 197 less its constant.
FORMS = """y14=x3+x5 y13=x0+x6 y9=x0+x3 y8=x0+x5 t0=x1+x2 y1=t0+x7 y4=y1+x3 y12=y13+y14 y2=y1+x0 y5=y1+x6 y3=y5+y8
t1=x4+y12 y15=t1+x5 y20=t1+x1 y6=y15+x7 y10=y15+t0 y11=y20+y9 y7=x7+y11 y17=y10+y11 y19=y10+y8 y16=t0+y11 y21=y13+y16
y18=x0+y16 y0=x7"""
MIDDLE = """t2=y12&y15 t3=y3&y6 t4=t3^t2 t5=y4&y0 t6=t5^t2 t7=y13&y16 t8=y5&y1 t9=t8^t7 t10=y2&y7 t11=t10^t7 t12=y9&y11
t13=y14&y17 t14=t13^t12 t15=y8&y10 t16=t15^t12 t17=t4^t14 t18=t6^t16 t19=t9^t14 t20=t11^t16 t21=t17^y20 t22=t18^y19
t23=t19^y21 t24=t20^y18 t25=t21^t22 t26=t21&t23 t27=t24^t26 t28=t25&t27 t29=t28^t22 t30=t23^t24 t31=t22^t26 t32=t31&t30
t33=t32^t24 t34=t23^t33 t35=t27^t33 t36=t24&t35 t37=t36^t34 t38=t27^t36 t39=t29&t38 t40=t25^t39 t41=t40^t37 t42=t29^t33
t43=t29^t40 t44=t33^t37 t45=t42^t41 z0=t44&y15 z1=t37&y6 z2=t33&y0 z3=t43&y16 z4=t40&y1 z5=t29&y7 z6=t42&y11 z7=t45&y17
z8=t41&y10 z9=t44&y12 z10=t37&y3 z11=t33&y4 z12=t43&y13 z13=t40&y5 z14=t29&y2 z15=t42&y9 z16=t45&y14 z17=t41&y8"""
RESULT = """t46=z15+z16 t47=z10+z11 t48=z5+z13 t49=z9+z10 t50=z2+z12 t51=z2+z5 t52=z7+z8 t53=z0+z3 t54=z6+z7 t55=z16+z17
t56=z12+t48 t57=t50+t53 t58=z4+t46 t59=z3+t54 t60=t46+t57 t61=z14+t57 t62=t52+t58 t63=t49+t58 t64=z4+t59 t65=t61+t62
t66=z1+t63 s0=t59+t63 s6=t56+t62 s7=t48+t60 t67=t64+t65 s3=t53+t66 s4=t51+t66 s5=t47+t65 s1=t64+s3 s2=t55+t67"""
FORM_COUNT, PRODUCT_COUNT = 22, 18


def _sums(text: str, leaves: dict[str, int], names: Iterable[str]) -> Map:
    value = dict(leaves)
    for step in text.split():
        name, _, terms = step.partition("=")
        value[name] = total(value[t] for t in terms.split("+"))
    return tuple(value[name] for name in names)


def total(masks: Iterable[int]) -> int:
    """Their sum in GF(2)."""
    out = 0
    for mask in masks:
        out ^= mask
    return out


TOP = _sums(FORMS, {f"x{i}": 1 << (7 - i) for i in range(8)}, (f"y{i}" for i in range(FORM_COUNT)))
BOTTOM = _sums(RESULT, {f"z{i}": 1 << i for i in range(PRODUCT_COUNT)}, (f"s{7 - i}" for i in range(8)))


def times(a: int, b: int, polynomial: int = RIJNDAEL) -> int:
    """The product in GF(2^8)."""
    out = 0
    while b:
        out ^= a if b & 1 else 0
        a, b = a << 1 ^ (polynomial if a & 0x80 else 0), b >> 1
    return out


def image(m: Map, x: int) -> int:
    """m(x)."""
    return sum(((row & x).bit_count() & 1) << i for i, row in enumerate(m))


def after(outer: Map, inner: Map) -> Map:
    """outer(inner(x))."""
    return tuple(total(inner[j] for j in range(len(inner)) if row >> j & 1) for row in outer)


def of_function(f: Callable[[int], int]) -> Map:
    """The matrix of a linear function of bytes."""
    columns = [f(1 << j) for j in range(8)]
    return tuple(sum((columns[j] >> i & 1) << j for j in range(8)) for i in range(8))


def inverse(m: Map) -> Map:
    table = {image(m, x): x for x in range(256)}
    return of_function(lambda y: table[y])


@dataclass(frozen=True)
class Affine:
    """x -> linear(x) + constant."""

    linear: Map
    constant: int = 0

    def __call__(self, x: int) -> int:
        return image(self.linear, x) ^ self.constant

    def inverted(self) -> Affine:
        back = inverse(self.linear)
        return Affine(back, image(back, self.constant))


def automorphisms() -> Iterator[tuple[Map, Map]]:
    """Pairs (m, n) of linear maps so that n(1 / m(x)) = 1 / x: m(x) = a x^(2^k)."""
    for k in range(8):
        for a in range(1, 256):
            m = of_function(lambda x, a=a, k=k: times(a, power(x, 1 << k)))  # type: ignore[misc]
            # 1 / m(x) = (1 / a) (1 / x)^(2^k)
            n = inverse(of_function(lambda x, a=a, k=k: times(power(a, 254), power(x, 1 << k))))  # type: ignore[misc]
            yield m, n


def power(x: int, n: int, polynomial: int = RIJNDAEL) -> int:
    """x^n in GF(2^8)."""
    out = 1
    while n:
        out = times(out, x, polynomial) if n & 1 else out
        x, n = times(x, x, polynomial), n >> 1
    return out


@dataclass(frozen=True)
class Straight:
    """Sums in order: `steps` has pairs of earlier values, the inputs first; `outputs` has the value of each output."""

    steps: tuple[tuple[int, int], ...]
    outputs: tuple[int, ...]


@cache
def cheapest(m: Map, inputs: int) -> Straight:
    """Common sums found greedily (Paar, "Optimized arithmetic for Reed-Solomon encoders", 1997)."""
    if m in PUBLISHED:
        return _published(*PUBLISHED[m])
    rows = [{j for j in range(inputs) if row >> j & 1} for row in m]
    steps: list[tuple[int, int]] = []
    while any(len(row) > 1 for row in rows):
        pairs = Counter(pair for row in rows for pair in combinations(sorted(row), 2))
        best = max(pairs, key=lambda p: (pairs[p], -max(p)))
        for row in rows:
            if row.issuperset(best):
                row.difference_update(best)
                row.add(inputs + len(steps))
        steps.append(best)
    return Straight(tuple(steps), tuple(next(iter(row)) for row in rows))


# The sums of the circuit itself are fewer than those that are found.
PUBLISHED = {
    TOP: (FORMS, [f"x{7 - i}" for i in range(8)], [f"y{i}" for i in range(FORM_COUNT)]),
    BOTTOM: (RESULT, [f"z{i}" for i in range(PRODUCT_COUNT)], [f"s{7 - i}" for i in range(8)]),
}


def _published(text: str, leaves: Sequence[str], names: Sequence[str]) -> Straight:
    number = {name: i for i, name in enumerate(leaves)}
    steps: list[tuple[int, int]] = []
    for step in text.split():
        name, _, terms = step.partition("=")
        a, *b = (number[t] for t in terms.split("+"))
        if b:
            number[name] = len(leaves) + len(steps)
            steps.append((a, b[0]))
        else:
            number[name] = a
    return Straight(tuple(steps), tuple(number[name] for name in names))


# TOP, the nonlinear part and BOTTOM give this map of 1 / x (FIPS 197 5.1.1).
AES_AFFINE = of_function(lambda y: total((y << n | y >> 8 - n) & 0xFF for n in range(5)))


@dataclass(frozen=True)
class Circuit:
    """The linear layers around the nonlinear part. Both constants are outside: 8 bits before `top`, 8 after
    `bottom`."""

    top: Map  # forms of x
    flipped: int  # forms to invert
    bottom: Map
    constant: int

    @property
    def cost(self) -> int:
        return len(cheapest(self.top, 8).steps) + len(cheapest(self.bottom, PRODUCT_COUNT).steps)


def circuits(entry: Affine, leave: Affine) -> Iterator[Circuit]:
    """All circuits of leave(1 / entry(x)) that differ by an automorphism."""
    to_inverse = inverse(AES_AFFINE)
    for m, n in automorphisms():
        top = after(TOP, after(m, entry.linear))
        bottom = after(leave.linear, after(n, after(to_inverse, BOTTOM)))
        yield Circuit(top, image(after(TOP, m), entry.constant), bottom, leave.constant)


def weight(*maps: Sequence[int]) -> int:
    return sum(row.bit_count() for m in maps for row in m)


def lightest(entry: Affine, leave: Affine, count: int = 40) -> list[Circuit]:
    """The circuits of least weight, and those with a published layer."""
    found = sorted(circuits(entry, leave), key=lambda c: weight(c.top, c.bottom))
    return found[:count] + [c for c in found[count:] if c.top in PUBLISHED or c.bottom in PUBLISHED]


@cache
def best_circuit(entry: Affine, leave: Affine) -> Circuit:
    """The one of fewest sums among the lightest."""
    return min(lightest(entry, leave), key=lambda c: c.cost)


def bases(count: int) -> Iterator[tuple[int, ...]]:
    """Sets of eight of the forms that are independent, evenly picked from all."""
    found = [b for b in combinations(range(FORM_COUNT), 8) if rank([TOP[i] for i in b]) == 8]
    yield from found[:: len(found) // count]


def rank(rows: Sequence[int]) -> int:
    left, out = list(rows), 0
    while left:
        pivot = left.pop()
        if pivot:
            out += 1
            low = pivot & -pivot
            left = [row ^ pivot if row & low else row for row in left]
    return out


def products(y: int) -> int:
    """The nonlinear part, for checks."""
    value = {f"y{i}": y >> i & 1 for i in range(FORM_COUNT)}
    for step in MIDDLE.split():
        name, _, terms = step.partition("=")
        a, b = terms.replace("&", "^").split("^")
        value[name] = value[a] & value[b] if "&" in terms else value[a] ^ value[b]
    return sum(value[f"z{i}"] << i for i in range(PRODUCT_COUNT))


def evaluated(circuit: Circuit, x: int) -> int:
    """The S-box of the circuit at x."""
    forms = image(circuit.top, x) ^ circuit.flipped
    return image(circuit.bottom, products(forms)) ^ circuit.constant


def field(polynomial: int) -> Map:
    """A map of GF(2^8) with this polynomial onto the field of FIPS 197."""
    root = next(r for r in range(2, 256) if not total(power(r, i) for i in range(9) if polynomial >> i & 1))
    powers = [power(root, i) for i in range(8)]
    return of_function(lambda x: total(powers[i] for i in range(8) if x >> i & 1))


def around(table: Sequence[int], entry: Affine) -> Affine:
    """`leave`, so that the table is leave(1 / entry(x)). ValueError where there is none."""
    at = {entry(x): x for x in range(256)}
    found = [table[at[power(w, 254)]] for w in range(256)]
    leave = Affine(of_function(lambda w: found[w] ^ found[0]), found[0])
    if any(leave(w) != found[w] for w in range(256)):
        raise ValueError("not an affine map of an inversion")
    return leave
