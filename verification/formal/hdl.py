"""The core's SystemVerilog as z3 terms and as SMT-LIB models, through Yosys with the slang front end (pyosys)."""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import cast

import z3

from lutra.isa.generated import generated

ROOT = Path(__file__).parents[2]
# Constants of the configuration, in addition to its tables.
GENERATED = generated("tables.json").parents[3] / "gen" / "sv"
OWN = Path(__file__).parent / "sv"
SOC = tuple(ROOT / "soc" / name for name in ("rtl/lutra_soc.f", "cluster/lutra_cluster.f", "checker/lutra_checker.f"))


class ElaborationError(Exception):
    """Yosys refuses the design; the text is its last lines."""


@dataclass(frozen=True)
class Sources:
    """The files of the core and of the system on chip, some with text that differs from the checkout."""

    changed: tuple[tuple[str, str], ...] = field(default=())

    def files(self) -> list[Path]:
        """The files in the order in which they are read."""
        lists = (GENERATED / "lutra_packages.f", ROOT / "rtl" / "lutra.f", GENERATED / "lutra_modules.f", *SOC)
        return [place.parent / name for place in lists for name in place.read_text().split()]

    def with_change(self, name: str, old: str, new: str) -> Sources:
        """The same with `old`, which must occur exactly once in the file, replaced."""
        path = next(p for p in self.files() if p.name == name)
        text = dict(self.changed).get(name, path.read_text())
        if text.count(old) != 1:
            raise ValueError(f"{name}: {old!r} occurs {text.count(old)} times in it")
        return replace(self, changed=(*self.changed, (name, text.replace(old, new))))

    def with_file(self, name: str, text: str) -> Sources:
        """The same with one more file, read last."""
        return replace(self, changed=(*self.changed, (name, text)))

    def written(self, folder: Path) -> list[Path]:
        """Paths to read, the changed files in `folder`."""
        changed = dict(self.changed)
        for name, text in changed.items():
            (folder / name).write_text(text)
        own = self.files()
        added = [folder / name for name in changed if name not in {p.name for p in own}]
        return [folder / p.name if p.name in changed else p for p in own] + added


PRISTINE = Sources()


def yosys(script: str) -> None:
    """Run a Yosys script in a separate process, since an error ends that process."""
    code = "import sys; from pyosys import libyosys as ys; d = ys.Design()\n"
    code += "for line in sys.stdin.read().splitlines(): ys.run_pass(line, d)"
    run = subprocess.run([sys.executable, "-c", code], input=script, capture_output=True, text=True, check=False)
    if run.returncode != 0:
        raise ElaborationError("\n".join((run.stdout + run.stderr).strip().splitlines()[-5:]))


def read_command(
    sources: Sources,
    folder: Path,
    top: str,
    own: Sequence[str],
    parameters: tuple[tuple[str, int], ...],
    options: Sequence[str] = (),
) -> str:
    """The Yosys command that reads a top module; `own` names files of `sv/` that belong to it."""
    settings = [f"-G {name}={value}" for name, value in parameters]
    files = [*sources.written(folder), *(OWN / name for name in own)]
    return " ".join(["read_slang", "--top", top, *options, *settings, *map(str, files)])


@cache
def _smt2(
    sources: Sources, top: str, own: tuple[str, ...], cut: tuple[str, ...], parameters: tuple[tuple[str, int], ...]
) -> str:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        out = folder / "out.smt2"
        read = read_command(sources, folder, top, own, parameters)
        # In a pattern of Yosys, brackets are a set of characters.
        cuts = "".join(f"cutpoint w:{name.replace('[', '?').replace(']', '?')}\n" for name in cut)
        yosys(f"{read}\nprep -flatten -top {top}\n{cuts}async2sync\ndffunmap\nwrite_smt2 -wires {out}\n")
        return out.read_text()


@dataclass(frozen=True)
class Unit:
    """A module's ports and wires as terms over its inputs and registers, in a cycle and in the next one."""

    inputs: Mapping[str, z3.BitVecRef]
    values: Mapping[str, z3.BitVecRef]
    after: Sequence[tuple[z3.BitVecRef, z3.BitVecRef]]  # the register's next value

    def value(self, name: str, **known: int | z3.BitVecRef) -> z3.BitVecRef:
        """A value with some inputs replaced; numbers take the input's width."""
        return z3.simplify(z3.substitute(self.values[name], *self._known(known)))

    def next(self, name: str, **known: int | z3.BitVecRef) -> z3.BitVecRef:
        """The value after the clock edge, if it depends only on registers and `known`."""
        term = z3.substitute(self.value(name, **known), *self._registers())
        return z3.simplify(z3.substitute(term, *self._known(known)))

    def _registers(self) -> list[tuple[z3.BitVecRef, z3.BitVecRef]]:
        """Every register as a whole, since a simplified term may have other pieces of it, and its next value."""
        pieces: dict[z3.BitVecRef, list[tuple[int, int, z3.BitVecRef]]] = {}
        for now, became in self.after:
            whole = now.decl().kind() != z3.Z3_OP_EXTRACT
            register = now if whole else cast("z3.BitVecRef", now.arg(0))
            high, low = (now.size() - 1, 0) if whole else now.params()
            pieces.setdefault(register, []).append((high, low, became))
        return [(register, _joined(register, rows)) for register, rows in pieces.items()]

    def _known(self, known: Mapping[str, int | z3.BitVecRef]) -> list[tuple[z3.BitVecRef, z3.BitVecRef]]:
        return [
            (self.inputs[port], z3.BitVecVal(v, self.inputs[port].size()) if isinstance(v, int) else v)
            for port, v in known.items()
        ]


def _joined(register: z3.BitVecRef, rows: list[tuple[int, int, z3.BitVecRef]]) -> z3.BitVecRef:
    """The pieces (high and low bit, value), with the register's own bits where there is none."""
    out, above = [], register.size()
    for high, low, value in sorted(rows, key=lambda row: -row[0]):
        if high + 1 < above:
            out.append(z3.Extract(above - 1, high + 1, register))
        out.append(value)
        above = low
    if above:
        out.append(z3.Extract(above - 1, 0, register))
    return z3.Concat(*out) if len(out) > 1 else out[0]


def unit(sources: Sources, top: str, own: Sequence[str] = (), cut: Sequence[str] = (), **parameters: int) -> Unit:
    """Elaborate a module and read it. A wire that is cut becomes an input, whatever drives it."""
    text = _smt2(sources, top, tuple(own), tuple(cut), tuple(sorted(parameters.items())))
    rows = re.findall(r"^; yosys-smt2-(input|output|register|wire) (\S+) (\d+)$", text, re.M)
    free = {n: int(w) for kind, n, w in rows if kind in ("input", "register") or n in cut}
    wires = {n: int(w) for kind, n, w in rows if kind in ("output", "wire") and n not in free}
    inputs = {n: z3.BitVec(n, w) for n, w in free.items()}
    # A value is read back as the other side of an equation with a variable named after it.
    marks = {n: z3.BitVec(f"value:{n}", w) for n, w in (free | wires).items()}
    query = [text, f"(declare-fun S () |{top}_s|)", f"(declare-fun T () |{top}_s|)"]
    for n, mark in marks.items():
        got = f"(|{top}_n {n}| S)"
        if mark.size() == 1:  # a Boolean in Yosys' encoding
            got = f"(ite {got} #b1 #b0)"
        query.append(f"(assert (= |{mark}| {got}))")
    query.append(f"(assert (|{top}_t| S T))")
    *equations, transition = z3.parse_smt2_string("\n".join(query), decls={str(m): m for m in marks.values()})
    defined = {str(e.arg(0)): e.arg(1) for e in equations}
    # Inputs and registers are functions of the state, wide ones in pieces.
    places = _places((defined[f"value:{n}"], inputs[n]) for n in free)
    values = {n: _as_bits(z3.substitute(defined[f"value:{n}"], *places)) for n in wires}
    by_function = {app.decl().name(): _as_bits(v) for app, v in places}
    after = []
    for e in _conjuncts(transition):
        became, now = (e.arg(i) for i in _sides(e))
        after.append((by_function[now.decl().name()], _as_bits(z3.substitute(became, *places))))
    return Unit(inputs, values, after)


def _as_bits(term: z3.ExprRef) -> z3.BitVecRef:
    """A Boolean, Yosys' form of one bit, as a vector of one bit."""
    if isinstance(term, z3.BoolRef):
        return z3.simplify(z3.If(term, z3.BitVecVal(1, 1), z3.BitVecVal(0, 1)))
    assert z3.is_bv(term)
    return term


def _leaf_bits(term: z3.ExprRef) -> list[tuple[z3.ExprRef, int]]:
    """The bits of a term that is only wiring, most significant first: a function of the state, and the bit of it."""
    kind = term.decl().kind()
    if kind == z3.Z3_OP_CONCAT:
        return [b for c in term.children() for b in _leaf_bits(c)]
    if kind == z3.Z3_OP_EXTRACT:
        high, low = term.params()
        bits = _leaf_bits(term.arg(0))
        return bits[len(bits) - 1 - high : len(bits) - low]
    if kind in (z3.Z3_OP_ITE, z3.Z3_OP_EQ):  # of one bit: ite(f(S) = 1, 1, 0)
        return _leaf_bits(term.arg(0))
    width = term.size() if z3.is_bv(term) else 1
    return [(term, i) for i in range(width - 1, -1, -1)]


def _places(terms: Iterable[tuple[z3.ExprRef, z3.BitVecRef]]) -> list[tuple[z3.ExprRef, z3.ExprRef]]:
    """For every function of the state in the terms, the part of their variables that it is."""
    parts: dict[z3.ExprRef, dict[int, z3.BitVecRef]] = {}
    for term, variable in terms:
        for i, (leaf, bit) in zip(range(variable.size() - 1, -1, -1), _leaf_bits(term), strict=True):
            parts.setdefault(leaf, {})[bit] = z3.Extract(i, i, variable)
    pairs: list[tuple[z3.ExprRef, z3.ExprRef]] = []
    for leaf, bits in parts.items():
        if z3.is_bv(leaf):
            whole = [bits.get(i) for i in range(leaf.size() - 1, -1, -1)]
            filled = [b if b is not None else z3.FreshConst(z3.BitVecSort(1)) for b in whole]
            pairs.append((leaf, z3.simplify(z3.Concat(*filled) if len(filled) > 1 else filled[0])))
        else:
            pairs.append((leaf, bits[0] == 1))
    return pairs


def _conjuncts(term: z3.ExprRef) -> list[z3.ExprRef]:
    if z3.is_true(term):
        return []
    return [c for a in term.children() for c in _conjuncts(a)] if z3.is_and(term) else [term]


def _sides(equation: z3.ExprRef) -> tuple[int, int]:
    """Tell which side is the new value and which the register of the next state."""
    second = equation.arg(1)
    return (0, 1) if second.num_args() == 1 and str(second.arg(0)) == "T" else (1, 0)
