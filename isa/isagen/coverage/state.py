"""Coverpoints of vector registers, counter, flag and stream unit."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import product

from isagen.coverage.coverpoint import Coverpoint, Cross
from isagen.coverage.dimension import ABSENT, BY, FLAG, GAP, VECTOR_ROLE, WRAPS, Bin
from isagen.coverage.view import View


class VectorRegister(Coverpoint):
    name = "vector.register"
    text = "role, vector register"

    def cross(self, view: View) -> Cross:
        return VECTOR_ROLE, view.vector

    def bins(self, rounds: int) -> Iterator[Bin]:
        labels = self.view.vector.labels
        facts = [self.view.facts(i) for i in self.view.legal(rounds)]
        for role in ("a", "b", "destination"):
            yield from product([role], labels)
        if any(f.destination == "pair" for f in facts):
            yield from product(["partner"], labels[1::2])
        if any(f.move for f in facts):
            yield from product(["moved"], labels)
        if any(f.third for f in facts):
            yield from product(["third"], labels)


class Counter(Coverpoint):
    name = "counter.increment"
    text = "width, by an operand or a move, how far the carry goes"

    def cross(self, view: View) -> Cross:
        return view.width, BY, WRAPS

    def bins(self, rounds: int) -> Iterable[Bin]:
        moves = any(self.view.facts(i).move for i in self.view.legal(rounds))
        return product(self.view.width.labels, BY.labels if moves else BY.labels[:1], WRAPS.labels)


class Compare(Coverpoint):
    name = "flag.compare"
    text = "what a compare finds"

    def cross(self, view: View) -> Cross:
        return (FLAG,)


class Clock(Coverpoint):
    name = "stream.clock"
    text = "instruction, contexts clocked, context shown"

    def cross(self, view: View) -> Cross:
        return view.insn, view.contexts, view.shown

    def bins(self, rounds: int) -> Iterator[Bin]:
        for i in self.view.legal(rounds):
            if self.view.facts(i).clocks:
                shown = self.view.context.labels if self.view.facts(i).context else (ABSENT,)
                yield from product([i.record], self.view.contexts.labels, shown)


class Row(Coverpoint):
    name = "stream.row"
    text = "instruction, context, row"

    def cross(self, view: View) -> Cross:
        return view.insn, view.context, view.row

    def bins(self, rounds: int) -> Iterable[Bin]:
        insns = [i.record for i in self.view.legal(rounds) if any(o.record == "ContextRow" for o in i.operands)]
        return product(insns, self.view.context.labels, self.view.row.labels)


class Switch(Coverpoint):
    name = "stream.switch"
    text = "contexts of a stream instruction, of the one before it, whether that is next to it"

    def cross(self, view: View) -> Cross:
        return view.contexts, view.contexts.called("before"), GAP
