"""Coverpoints of instructions and their operands."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import product

from isagen.coverage.coverpoint import Coverpoint, Cross
from isagen.coverage.dimension import ABSENT, END, SLOT, WHITENING, Bin
from isagen.coverage.view import BETWEEN, EVERY_VALUE, FIRST_VALUE, LAST, View
from isagen.description import Insn

REPEATS = ("SqRepeat", "SqRepeatAr")


class Operands(Coverpoint):
    name = "insn.operands"
    text = "instruction, kind of first and second source, whitening key"

    def cross(self, view: View) -> Cross:
        return view.insn, view.source, view.source.called("second"), WHITENING

    def bins(self, rounds: int) -> Iterator[Bin]:
        for i in self.view.legal_vector(rounds):
            yield from product([i.record], self._sources(i, "ra"), self._sources(i, "rb"), self._whitening(i))

    def _sources(self, insn: Insn, name: str) -> list[str]:
        view = self.view
        source = view.facts(insn).source(name)
        if source is None:
            return [ABSENT]
        rows = [v for v in view.isa.vectors if (v.source if name == "ra" else v.source and v.second_source)]
        return list(dict.fromkeys(view.kind_of(v.code) for v in rows if v.record != "ROW" or source.row))

    def _whitening(self, insn: Insn) -> list[str]:
        return ["wk" if added else ABSENT for added in self.view.facts(insn).whitening]


class Results(Coverpoint):
    name = "insn.results"
    text = "instruction, kind of destination register, space stored to"

    def cross(self, view: View) -> Cross:
        return view.insn, view.destination, view.space

    def bins(self, rounds: int) -> Iterator[Bin]:
        for i in self.view.legal_vector(rounds):
            stores = [s.name if s else ABSENT for s in self.view.stores(i)]
            yield from product([i.record], self._destinations(i), stores)

    def _destinations(self, insn: Insn) -> list[str]:
        view = self.view
        destination = view.facts(insn).destination
        if not destination:
            return [ABSENT]
        if destination == "pair":
            return ["register"]
        legal = view.facts(insn).holds("rd").codes
        return list(dict.fromkeys(view.kind_of(v.code) for v in view.isa.vectors if v.destination and v.code in legal))


class Addressing(Coverpoint):
    name = "insn.addressing"
    text = "instruction, slot, addressing pattern"

    def cross(self, view: View) -> Cross:
        return view.insn, SLOT, view.addressing

    def bins(self, rounds: int) -> Iterator[Bin]:
        for i in self.view.legal(rounds):
            yield from product([i.record], self.view.slots(i), self.view.addressing.labels)


class Immediate(Coverpoint):
    name = "insn.immediate"
    text = "instruction, value of its immediate: each, or of wide ones the ends"

    def cross(self, view: View) -> Cross:
        return view.insn, view.value

    def bins(self, rounds: int) -> Iterator[Bin]:
        for i in self.view.legal(rounds):
            if i.field("n") is not None:
                held = self.view.facts(i).holds("n")
                values = [str(n) for n in held.codes] if held.high < EVERY_VALUE else [FIRST_VALUE, BETWEEN, LAST]
                yield from product([i.record], values)


class Move(Coverpoint):
    name = "insn.move"
    text = "instruction, what moves beside its path"

    def cross(self, view: View) -> Cross:
        return view.insn, view.move

    def bins(self, rounds: int) -> Iterable[Bin]:
        insns = [i.record for i in self.view.legal(rounds) if self.view.facts(i).move]
        return product(insns, self.view.move.labels)


class Beside(Coverpoint):
    name = "insn.beside"
    text = "instruction, what the hash unit does beside its path"

    def cross(self, view: View) -> Cross:
        return view.insn, view.beside

    def bins(self, rounds: int) -> Iterator[Bin]:
        for i in self.view.legal(rounds):
            if field := self.view.facts(i).beside:
                yield from product([i.record], map(str, self.view.facts(i).holds(field).codes))


class LoopEnd(Coverpoint):
    name = "insn.loop_end"
    text = "instruction that is a loop's last, whether the loop goes back"

    def cross(self, view: View) -> Cross:
        return view.insn, END

    def bins(self, rounds: int) -> Iterable[Bin]:
        insns = [i.record for i in self.view.legal(rounds) if self.view.facts(i).sq not in REPEATS]
        return product(insns, END.labels[1:])
