"""Names that stand for registers, `%name`: find and replace them in instructions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from lutra.asm.passes.nodes import Group, Instruction, OperandNode, Reg, Row, Sum

MARK = "%"


def is_virtual(name: str) -> bool:
    """Whether it is a name that needs a register."""
    return name.startswith(MARK)


def registers_of(node: OperandNode | Reg | Row) -> Iterator[Reg]:
    """Yield the registers that an operand names, in the order of the text."""
    match node:
        case Reg():
            yield node
        case Sum():
            for term in node.terms:
                yield from registers_of(term)
        case Group():
            for item in node.items:
                yield from registers_of(item)


def names_of(body: Instruction) -> tuple[str, ...]:
    """Return the names of an instruction that need registers, each once."""
    found = (reg.name for operand in body.operands for reg in registers_of(operand) if is_virtual(reg.name))
    return tuple(dict.fromkeys(found))


def with_registers(body: Instruction, register: Mapping[str, str]) -> Instruction:
    """Return the instruction with registers in place of names."""
    return body._replace(operands=tuple(_replaced(operand, register) for operand in body.operands))


def _replaced(node: OperandNode, register: Mapping[str, str]) -> OperandNode:
    match node:
        case Sum():
            return node._replace(terms=tuple(_term(term, register) for term in node.terms))
        case Group():
            return node._replace(items=tuple(_sum(item, register) for item in node.items))
    return node


def _sum(node: Sum, register: Mapping[str, str]) -> Sum:
    return node._replace(terms=tuple(_term(term, register) for term in node.terms))


def _term(term: Reg | Row, register: Mapping[str, str]) -> Reg | Row:
    return term._replace(name=register.get(term.name, term.name)) if isinstance(term, Reg) else term
