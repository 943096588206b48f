"""Coverpoints of hazards and of where a source comes from."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from isagen.coverage.coverpoint import Coverpoint, Cross
from isagen.coverage.dimension import OPERAND, RESULT, Bin
from isagen.coverage.view import View
from isagen.description import Hazard


def distances(hazard: Hazard, rounds: int) -> list[str]:
    """Return the distances up to the least one without a stall, and one more, which stands for everything farther."""
    return [str(n) for n in range(1, hazard.distance(rounds) + 2)]


class InsnHazard(Coverpoint):
    name = "insn.hazard"
    text = "instruction, operand that may have to wait, hazard, distance"

    def cross(self, view: View) -> Cross:
        return view.insn, view.consumer, view.hazard, view.distance

    def bins(self, rounds: int) -> Iterator[Bin]:
        for insn in self.view.legal(rounds):
            for consumer, hazard, _ in self.view.waits(insn, rounds):
                yield from product([insn.record], [consumer], [hazard.name], distances(hazard, rounds))


class InsnBypass(Coverpoint):
    name = "insn.bypass"
    text = "instruction, operand, where its register comes from"

    def cross(self, view: View) -> Cross:
        return view.insn, OPERAND, view.stage

    def bins(self, rounds: int) -> Iterator[Bin]:
        for insn in self.view.legal(rounds):
            for consumer, hazard, _ in self.view.waits(insn, rounds):
                if hazard.bypass:
                    yield from product([insn.record], [consumer], self.view.hazards.sources(hazard, rounds))


class Distance(Coverpoint):
    name = "hazard.distance"
    text = "hazard, producer, operand that may have to wait, distance"

    def cross(self, view: View) -> Cross:
        return view.hazard, view.producer, view.consumer, view.distance

    def bins(self, rounds: int) -> Iterator[Bin]:
        for insn in self.view.legal(rounds):
            for consumer, hazard, producers in self.view.waits(insn, rounds):
                yield from product([hazard.name], producers, [consumer], distances(hazard, rounds))


class Bypass(Coverpoint):
    name = "hazard.bypass"
    text = "operand, when the producer is ready, its result, where the register comes from"

    def cross(self, view: View) -> Cross:
        return OPERAND, view.ready, RESULT, view.stage

    def bins(self, rounds: int) -> Iterator[Bin]:
        for insn in self.view.legal(rounds):
            for consumer, hazard, producers in self.view.waits(insn, rounds):
                if hazard.bypass:
                    stages = self.view.hazards.sources(hazard, rounds)
                    yield from product([consumer], [hazard.write.name], producers, stages)
