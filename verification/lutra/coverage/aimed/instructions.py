"""Programs aimed at instructions and their operands."""

from __future__ import annotations

from lutra.coverage.aimed.pieces import ABSENT, MIDDLE, SLOT_FIELDS, STEP, Aim, Code, Labels


class Operands(Aim):
    point = "insn.operands"

    def code(self, labels: Labels) -> Code:
        p, insn = self.p, self.p.words.by_name[labels[0]]
        wishes = {n: p.code_of(kind) for n, kind in zip(("ra", "rb"), labels[1:3], strict=True) if kind != ABSENT}
        if "w" in insn.fields:
            wishes["w"] = int(labels[3] != ABSENT)
        if p.words.row in wishes.values():
            wishes["ds"] = p.words.slot()
        return [p.words.word(insn, **wishes)]


class Results(Aim):
    point = "insn.results"

    def code(self, labels: Labels) -> Code:
        name, destination, space = labels
        p, insn = self.p, self.p.words.by_name[name]
        wishes: dict[str, int] = {}
        if destination != ABSENT:
            wishes["rd"] = p.code_of(destination)
        if "ss" in insn.fields:
            stores = space != ABSENT
            wishes |= {"ss": p.words.slot() if stores else 0, "sb": p.spaces[space].code if stores else 0}
            if "mv" in insn.fields and stores:
                wishes["mv"] = p.move("MoveStore")
        return [p.words.word(insn, **wishes)]


class Addressing(Aim):
    point = "insn.addressing"

    def code(self, labels: Labels) -> Code:
        name, slot, how = labels
        p, register = self.p, self.p.register()
        wished = p.words.slot() if how == "row" else p.words.at(register, how.removeprefix("ar"))
        # The register is in the middle, whatever pattern is used on it.
        return [
            p.set(register, MIDDLE),
            p.set_step(register, STEP),
            p.set_window(register, MIDDLE, MIDDLE),
            p.words.word(p.words.by_name[name], **{SLOT_FIELDS[slot]: wished}),
        ]


class Immediate(Aim):
    point = "insn.immediate"

    def code(self, labels: Labels) -> Code:
        name, value = labels
        insn = self.p.words.by_name[name]
        wishes = {"n": int({"between": "3", "last": str(insn.facts.holds("n").high)}.get(value, value))}
        if "e" in insn.fields:
            wishes["e"] = 1  # a loop of one instruction
        return [self.p.words.word(insn, **wishes), self.p.words.nop]


class Move(Aim):
    point = "insn.move"

    def code(self, labels: Labels) -> Code:
        name, what = labels
        move = what.removesuffix("_sum")
        wishes = {"mv": next(m.code for m in self.p.isa.moves if m.name == move)}
        if move == "store":
            wishes["ds"] = self.p.words.slot() if what != move else 0
        return [self.p.words.word(self.p.words.by_name[name], **wishes)]


class Beside(Aim):
    point = "insn.beside"

    def code(self, labels: Labels) -> Code:
        insn = self.p.words.by_name[labels[0]]
        return [self.p.words.word(insn, **{insn.facts.beside: int(labels[1])})]


class LoopEnd(Aim):
    point = "insn.loop_end"

    def code(self, labels: Labels) -> Code:
        return self.p.at_end(self.p.words.by_name[labels[0]], 2 if labels[1] == "goes_back" else 1)
