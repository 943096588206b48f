"""Every function of every block of the datapath is what `specification.py` says."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from formal.hdl import Sources, unit
from formal.proof import Proof, Refuted, same_polynomials, unspecified, valid
from formal.specification import FUNCTIONS, POLYNOMIAL, Specification
from isagen.description import Block, Function, Insn, Way
from isagen.emit_blocks import functions_of, module_name, modules, passes, stateless
from isagen.formula import general
from isagen.model import Isa

GROUP = "Block functions"
SIDES = ("y", "z")


def immediates(insns: Iterable[Insn]) -> list[int]:
    """The immediates that any of the instructions can have."""
    operands = [op for insn in insns for op in insn.operands if op.fields == ("n",)]
    return sorted({op.base + n for op in operands for n in range(op.low, op.high + 1)})


def numbers(isa: Isa, function: Function) -> list[int]:
    """The immediates of the instructions with this function."""
    return immediates(i for i in isa.insns if any(s.function == function.record for s in i.path))


def check(sources: Sources, isa: Isa, block: Block, function: Function, spec: Specification) -> Refuted | None:
    """One function at one block's port, for every immediate."""
    design = unit(sources, module_name(block, isa.way(block.record, function.record)))
    outputs = ("x_o", "p_o") if block.partner else ("x_o",)
    names = ["x_i", *(["p_i"] if block.partner else []), *(f"{s}_i" for s in SIDES[: function.sides])]
    inputs = {name: design.inputs[name] for name in names}
    for n in numbers(isa, function) if function.immediate else [None]:
        known = {} if n is None else {"n_i": n}
        wanted = spec.function(*inputs.values(), *known.values())
        results = wanted if isinstance(wanted, tuple) else (wanted,)
        what = f"{block.record}: {function.symbol}" + ("" if n is None else f", immediate {n}")
        for output, result in zip(outputs, results, strict=True):
            term = design.value(output, fn_i=function.code, **known)
            if spec.method == POLYNOMIAL:
                found = same_polynomials(term, result, what, inputs)
            else:
                shown = {**inputs, "design": term, "specification": result}
                found = valid(term == result, what, shown)
            if found:
                return found
    return None


def passing(sources: Sources, isa: Isa, block: Block, way: Way | None) -> Refuted | None:
    """Check that a module of a block passes its input for a function code that it does not have."""
    design = unit(sources, module_name(block, way))
    codes = {f.code for f in functions_of(isa, block, way)}
    for code in range(1 << design.inputs["fn_i"].size()):
        if code in codes:
            continue
        for output, port in (("x_o", "x_i"), ("p_o", "p_i"))[: 2 if block.partner else 1]:
            # L blocks have no pass code; the XOR of nothing takes its place.
            idle = {p: 0 for p in ("y_i", "z_i") if p in design.inputs and 0 in codes}
            found = same_polynomials(
                design.value(output, fn_i=code, **idle),
                design.inputs[port],
                f"{module_name(block, way)}: code {code}",
                {},
            )
            if found:
                return found
    return None


def proofs(isa: Isa) -> Iterator[Proof]:
    """One proof per function, at all blocks that have it; a function without a specification is an error."""
    kinds = [k.record for k in isa.kinds]
    for function in sorted(isa.functions.values(), key=lambda f: (kinds.index(f.kind), f.code)):
        blocks = [b for b in stateless(isa) if function.record in b.functions]
        if not blocks:
            continue
        if function.symbol not in FUNCTIONS:
            yield unspecified(function.symbol, GROUP, "specification.py")
            continue
        spec = FUNCTIONS[function.symbol]
        cases = f", each of {len(numbers(isa, function))} immediates" if function.immediate else ""

        def run(
            sources: Sources, function: Function = function, blocks: list[Block] = blocks, spec: Specification = spec
        ) -> Refuted | None:
            found = (check(sources, isa, b, function, spec) for b in blocks)
            return next((f for f in found if f), None)

        names = ", ".join(b.record for b in blocks)
        statement = f"{names}: {general(function)}" + (f"; {function.remark}" if function.remark else "")
        yield Proof(function.symbol, GROUP, statement, spec.method + cases, run)

    def run_passes(sources: Sources) -> Refuted | None:
        found = (passing(sources, isa, b, way) for b, way in modules(isa) if passes(isa, b, way))
        return next((f for f in found if f), None)

    yield Proof("pass", GROUP, "a code that a block does not have passes the value on the path", POLYNOMIAL, run_passes)
