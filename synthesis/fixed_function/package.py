"""Writes rtl/lutra_fixed_sbox_pkg.sv: `python -m fixed_function.package`."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Sequence
from pathlib import Path

from fixed_function import boxes, tables
from fixed_function.boxes import FORM_COUNT, IDENTITY, MIDDLE, PRODUCT_COUNT, Affine, Circuit, Map

TARGET = Path(__file__).parent / "rtl" / "lutra_fixed_sbox_pkg.sv"

HEADER = """\
// S-boxes as circuits and the multiplications by constants of SNOW 3G; README.md has the sources.
// Written by `python -m fixed_function.package`; do not edit.

package lutra_fixed_sbox_pkg;
"""
# The forms that the inversion of AES in both directions chooses, and from which the other fourteen follow.
BASIS_CANDIDATES = 60


def text() -> str:
    """The file."""
    parts = [HEADER, _nonlinear()]
    parts += [_sbox(*box) for box in tables.circuits()]
    parts += [
        _both(),
        *_halves(),
        _table("snow_sq", tables.SQ, "TS 35.216 3.3.2, the Dickson polynomial g49: a table"),
        _zuc_s0(),
    ]
    parts += [_matrix(*m) for m in tables.multiplications()]
    return "\n".join(parts) + "\nendpackage\n"


def _statements(steps: Sequence[str]) -> str:
    return textwrap.fill(" ".join(steps), 118, initial_indent="    ", subsequent_indent="    ", break_on_hyphens=False)


def _function(head: str, comment: str, declared: Sequence[str], steps: Sequence[str], result: str) -> str:
    # A statement is not split.
    whole = [s.replace(" ", "\0") for s in steps]
    lines = [f"  // {comment}.", f"  function automatic {head};"]
    lines += [f"    {d};" for d in declared]
    lines += [_statements(whole).replace("\0", " "), f"    return {result};", "  endfunction"]
    return "\n".join(lines) + "\n"


def _indexed(step: str) -> str:
    return re.sub(r"\b([tyz])(\d+)", r"\1[\2]", step).replace("=", " = ").replace("&", " & ").replace("^", " ^ ") + ";"


def _nonlinear() -> str:
    return _function(
        f"logic [{PRODUCT_COUNT - 1}:0] products(logic [{FORM_COUNT - 1}:0] y)",
        "Products whose sums are those of 1 / x, of 22 linear forms of x (Boyar and Peralta, SEA 2010)",
        [f"logic [{PRODUCT_COUNT - 1}:0] z", "logic [45:2] t"],
        [_indexed(s) for s in MIDDLE.split()],
        "z",
    )


def _linear(m: Map, inputs: int, source: str, temporary: str, target: str, flipped: int = 0) -> tuple[int, list[str]]:
    """Statements of a map, and how many temporaries they use."""
    straight = boxes.cheapest(m, inputs)

    def name(v: int) -> str:
        return f"{source}[{v}]" if v < inputs else f"{temporary}[{v - inputs}]"

    steps = [f"{temporary}[{i}] = {name(a)} ^ {name(b)};" for i, (a, b) in enumerate(straight.steps)]
    steps += [f"{target}[{i}] = {'~' * (flipped >> i & 1)}{name(v)};" for i, v in enumerate(straight.outputs)]
    return len(straight.steps), steps


def _sbox(name: str, comment: str, circuit: Circuit) -> str:
    above, top = _linear(circuit.top, 8, "x", "a", "y", circuit.flipped)
    below, bottom = _linear(circuit.bottom, PRODUCT_COUNT, "z", "b", "s", circuit.constant)
    declared = [
        "logic [7:0] s",
        f"logic [{above - 1}:0] a",
        f"logic [{FORM_COUNT - 1}:0] y",
        f"logic [{PRODUCT_COUNT - 1}:0] z",
        f"logic [{below - 1}:0] b",
    ]
    head = f"logic [7:0] {name}(logic [7:0] x)"
    return _function(head, comment, declared, [*top, "z = products(y);", *bottom], "s")


def _both() -> str:
    """One inversion, with a choice of eight forms before it and of eight bits after it."""
    forward, backward, basis = _pair()
    expand = tuple(_in_terms(row, [boxes.TOP[i] for i in basis]) for row in boxes.TOP)
    ends = tuple(c.top[i] for c in (forward, backward) for i in basis)
    flips = sum((backward.flipped >> i & 1) << (8 + n) for n, i in enumerate(basis))
    above, top = _linear(ends, 8, "x", "a", "f", flips)
    middle, forms = _linear(expand, 8, "v", "c", "y")
    below, bottom = _linear((*forward.bottom, *backward.bottom), PRODUCT_COUNT, "z", "b", "s", forward.constant)
    declared = [
        f"logic [{above - 1}:0] a",
        "logic [15:0] f",
        "logic [7:0] v",
        f"logic [{middle - 1}:0] c",
        f"logic [{FORM_COUNT - 1}:0] y",
        f"logic [{PRODUCT_COUNT - 1}:0] z",
        f"logic [{below - 1}:0] b",
        "logic [15:0] s",
    ]
    steps = [*top, "v = inverse ? f[15:8] : f[7:0];", *forms, "z = products(y);", *bottom]
    head = "logic [7:0] aes_either(logic [7:0] x, logic inverse)"
    return _function(
        head, "The S-box of FIPS 197 5.1.1 or its inverse, 5.3.2", declared, steps, "inverse ? s[15:8] : s[7:0]"
    )


def _halves() -> tuple[str, str]:
    """The S-box of AES in two parts, before and after the inversion in GF(2^4)."""
    circuit = next(circuit for name, _, circuit in tables.circuits() if name == "aes")
    above, top = _linear(circuit.top, 8, "x", "a", "y", circuit.flipped)
    below, bottom = _linear(circuit.bottom, PRODUCT_COUNT, "z", "b", "s", circuit.constant)
    steps = [_indexed(s) for s in MIDDLE.split()]
    split = next(i for i, s in enumerate(steps) if s.startswith("t[25]"))
    forms = [f"logic [{above - 1}:0] a", f"logic [{FORM_COUNT - 1}:0] y", "logic [45:2] t"]
    before = _function(
        "logic [3:0] aes_before(logic [7:0] x)",
        "Of the S-box of FIPS 197 5.1.1, what is inverted in GF(2^4)",
        forms,
        [*top, *steps[:split]],
        "t[24:21]",
    )
    after = _function(
        "logic [7:0] aes_after(logic [7:0] x, logic [3:0] middle)",
        "The S-box of FIPS 197 5.1.1, from there on",
        ["logic [7:0] s", *forms, f"logic [{PRODUCT_COUNT - 1}:0] z", f"logic [{below - 1}:0] b"],
        [*top, "t[24:21] = middle;", *steps[split:], *bottom],
        "s",
    )
    return before, after


def _pair() -> tuple[Circuit, Circuit, tuple[int, ...]]:
    """Circuits of either direction and eight independent forms for which all the linear layers together are cheap."""
    aes = Affine(boxes.AES_AFFINE, 0x63)
    forward = boxes.lightest(Affine(IDENTITY), aes)
    backward = boxes.lightest(aes.inverted(), Affine(IDENTITY))
    best: tuple[int, tuple[Circuit, Circuit, tuple[int, ...]]] | None = None
    for basis in boxes.bases(BASIS_CANDIDATES):
        f = min(forward, key=lambda c: boxes.weight([c.top[i] for i in basis], c.bottom))
        b = min(backward, key=lambda c: boxes.weight([c.top[i] for i in basis], c.bottom))
        expand = tuple(_in_terms(row, [boxes.TOP[i] for i in basis]) for row in boxes.TOP)
        layers = (
            (tuple(c.top[i] for c in (f, b) for i in basis), 8),
            (expand, 8),
            ((*f.bottom, *b.bottom), PRODUCT_COUNT),
        )
        cost = sum(len(boxes.cheapest(m, inputs).steps) for m, inputs in layers)
        if best is None or cost < best[0]:
            best = cost, (f, b, basis)
    assert best
    return best[1]


def _in_terms(row: int, basis: Sequence[int]) -> int:
    return next(s for s in range(256) if boxes.total(b for i, b in enumerate(basis) if s >> i & 1) == row)


def _table(name: str, table: Sequence[int], comment: str) -> str:
    rows = [bytes(reversed(table[i : i + 32])).hex() for i in reversed(range(0, 256, 32))]
    lines = [f"  // {comment}.", f"  localparam logic [255:0][7:0] {_camel(name)} = {{"]
    lines += [",\n".join(f"    256'h{row}" for row in rows), "  };", ""]
    lines += [
        f"  function automatic logic [7:0] {name}(logic [7:0] x);",
        f"    return {_camel(name)}[x];",
        "  endfunction",
    ]
    return "\n".join(lines) + "\n"


def _camel(name: str) -> str:
    return "".join(part.capitalize() for part in name.split("_"))


def _zuc_s0() -> str:
    declared = [
        f"localparam logic [15:0][3:0] P{i} = 64'h{''.join(f'{v:x}' for v in reversed(p))}"
        for i, p in enumerate(tables.ZUC_P, 1)
    ]
    declared += ["logic [3:0] y1, y2, y3"]
    steps = ["y1 = x[7:4] ^ P1[x[3:0]];", "y2 = x[3:0] ^ P2[y1];", "y3 = y1 ^ P3[y2];"]
    return _function(
        "logic [7:0] zuc_s0(logic [7:0] x)",
        "S0 of TS 35.222 3.4.2: three tables of 4 bits",
        declared,
        steps,
        "{y2[2:0], y3, y2[3]}",
    )


def _matrix(name: str, comment: str, m: Map) -> str:
    count, steps = _linear(m, 8, "x", "a", "s")
    return _function(
        f"logic [31:0] {name}(logic [7:0] x)", comment, ["logic [31:0] s", f"logic [{count - 1}:0] a"], steps, "s"
    )


if __name__ == "__main__":
    TARGET.write_text(text())
