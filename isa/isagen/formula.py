"""Formulas of functions: templates with places, filled with what enters in an instruction.

`{y}` is replaced by the operand at place y, or by 0 where none enters; `{ ^ y}` with its operator, or left out.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from isagen.description import Function, Insn, Step
from isagen.model import Isa
from isagen.records import Step as Line

PLACE = re.compile(r"\{(?P<operator> [^{}\w]+ )?(?P<place>[a-z])\}")


def places(template: str) -> set[str]:
    """The places of a template. Raises ValueError where its braces are none of places."""
    if re.search("[{}]", PLACE.sub("", template)):
        raise ValueError(f"braces of `{template}`")
    return {match["place"] for match in PLACE.finditer(template)}


def fill(template: str, operands: Mapping[str, str]) -> str:
    """The template with operands at its places."""

    def replaced(match: re.Match[str]) -> str:
        operand, operator = operands.get(match["place"]), match["operator"]
        return "" if operator and operand is None else (operator or "") + (operand or "0")

    return PLACE.sub(replaced, template)


def general(function: Function) -> str:
    """The formula with every place under its own name."""
    return PLACE.sub(lambda match: (match["operator"] or "") + match["place"], function.formula)


def line(isa: Isa, insn: Insn, step: Step) -> Line:
    """One step of an instruction's path as the manual prints it; an immediate of its own as a number."""
    function = (isa.functions | isa.endpoint_functions | isa.control_functions)[step.function]
    operands = {}
    if block := isa.blocks.get(step.block):
        for place, port in (("y", block.port_y), ("z", block.port_z), ("p", block.partner)):
            if side := next((side for side in step.sides if side in port), None):
                operands[place] = isa.sides[side].symbol
        if block.kind == "Lookup":
            operands["t"] = next(s.name for s in isa.spaces if s.banks == (isa.banks().index(step.block),))
    text = fill(function.formula, operands)
    if insn.number:
        text = re.sub(r"\bn\b", str(insn.number), text)
    return Line(step.block, step.function, text, function.remark, ", ".join(step.sides), _stages(isa, step))


# Stages of the datapath's blocks by their half (docs/microarchitecture.md), and that of control.
_HALVES = ("StagePERM", "StageX1", "StageX2")
_CONTROL = "StageAG"


def _stages(isa: Isa, step: Step) -> tuple[str, str]:
    """The stages in which a step is done, with two rounds and with one, where halves share a stage."""
    if block := isa.blocks.get(step.block):
        record = _HALVES[block.half]
    elif end := isa.endpoint_functions.get(step.function):
        record = end.stage
    else:
        record = _CONTROL
    found = next(s for s in isa.stages if s.record == record)
    one = next(s for s in isa.stages if s.one_round == found.one_round)
    return found.name, one.name
