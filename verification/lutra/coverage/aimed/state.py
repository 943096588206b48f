"""Programs aimed at vector registers, counter, flag and stream unit."""

from __future__ import annotations

from lutra.coverage.aimed.pieces import ABSENT, Aim, Code, Labels, Pieces


class VectorRegister(Aim):
    point = "vector.register"

    def code(self, labels: Labels) -> Code:
        p, role, code = self.p, labels[0], int(labels[1].removeprefix("v"))
        if role == "partner":
            return [p.words.any_of(p.words.matching(lambda i: i.facts.destination == "pair"), rd=code - 1)]
        if role == "third":
            return [p.words.any_of(p.words.matching(lambda i: i.facts.third), rc=code)]
        if role == "moved":
            return [p.any(mv=p.move("MoveStore"), rc=code)]
        return [p.reading(role, **{{"a": "ra", "b": "rb", "destination": "rd"}[role]: code})]


class Counter(Aim):
    point = "counter.increment"

    def code(self, labels: Labels) -> Code:
        width, by, carry = labels
        p = self.p
        code = next(code for bits, code in p.isa.widths if str(bits) == width)
        setting = [p.does("AuSetWidth", n=code), p.constant(carry, p.code_of("ctr"))]
        if by == "move":
            return [*setting, p.any(mv=p.move("MoveHoldCtr"))]
        return [*setting, p.reading("a", ra=p.code_of("ctr++"))]


class Compare(Aim):
    point = "flag.compare"

    def code(self, labels: Labels) -> Code:
        return compare(self.p, labels[0] == "set")


def compare(p: Pieces, equal: bool) -> Code:
    """Write a compare that sets the flag or clears it."""
    insn = p.words.does("SetFlag", alone=False)
    other = p.words.zero if equal else 0
    return [p.constant("wraps", 0), p.words.word(insn, ra=p.words.zero, rb=other)]


def contexts(p: Pieces, label: str) -> int:
    """Return the mask of the contexts that a label names."""
    return sum(1 << p.isa.stream_contexts.index(name) for name in label.split(":"))


class Clock(Aim):
    point = "stream.clock"

    def code(self, labels: Labels) -> Code:
        name, clocked, shown = labels
        wishes = {"c": contexts(self.p, clocked)}
        if shown != ABSENT:
            wishes["o"] = self.p.isa.stream_contexts.index(shown)
        return [self.p.words.word(self.p.words.by_name[name], **wishes)]


class Row(Aim):
    point = "stream.row"

    def code(self, labels: Labels) -> Code:
        name, context, row = labels
        shown = self.p.isa.stream_contexts.index(context)
        return [self.p.words.word(self.p.words.by_name[name], o=shown, n=int(row))]


class Switch(Aim):
    point = "stream.switch"

    def code(self, labels: Labels) -> Code:
        words = self.p.words
        clocks = words.matching(lambda i: i.facts.clocks)
        now, before = (words.any_of(clocks, c=contexts(self.p, label)) for label in labels[:2])
        return [before, *([] if labels[2] == "next" else [words.nop]), now]
