"""Programs aimed at memory ports and address arithmetic."""

from __future__ import annotations

from itertools import product

from lutra.coverage.aimed.pieces import ABSENT, MIDDLE, SLOT_FIELDS, STEP, Aim, Code, Labels
from lutra.coverage.words import NoSuchWordError
from lutra.isa import Window as Bounds

# A step that carries out of 16 bits.
HUGE = 0xFF00


class Alignment(Aim):
    point = "memory.alignment"

    def code(self, labels: Labels) -> Code:
        slot, space, byte = labels
        p, register = self.p, self.p.register()
        return [p.set(register, MIDDLE + int(byte)), p.with_slot(slot, space, p.words.at(register))]


class Ports(Aim):
    point = "memory.ports"

    def code(self, labels: Labels) -> Code:
        key, data, store = labels
        p = self.p
        blocks = () if key == ABSENT else tuple(b for n in key.split(":") for b in p.spaces[n].blocks)
        wishes: dict[str, int] = {}
        for slot, space, name in (("ds", "db", data), ("ss", "sb", store)):
            if name != ABSENT:
                wishes |= {slot: p.words.slot(), space: p.spaces[name].code}
        insns = p.words.matching(lambda i: i.vector and i.facts.key_blocks == blocks)
        return [p.words.any_of(insns, **wishes)]


class Lane(Aim):
    point = "memory.lane"

    def code(self, labels: Labels) -> Code:
        byte, space = labels
        words = self.p.words
        insn = words.does("WriteLane", alone=False)
        return [words.word(insn, n=int(byte), sb=self.p.spaces[space].code, ss=words.slot())]


class Window(Aim):
    point = "address.window"

    def code(self, labels: Labels) -> Code:
        suffix, slot, where = labels[0].removeprefix("ar"), labels[1], labels[2]
        p, isa, register = self.p, self.p.isa, self.p.register()
        pattern = isa.pattern_by_suffix[suffix]
        wrap, top = isa.wrap(pattern), (1 << isa.machine["AddressBits"]) - 1
        after = MIDDLE + p.change(pattern, STEP)
        for bound in (after, after - STEP, after + STEP):
            window = Bounds(STEP, STEP)._replace(**{wrap.bound: bound})
            reloads = after in wrap.reloads(window, top)
            if where == ("at_end" if bound == after else "beyond" if reloads else "inside"):
                return [
                    p.set(register, MIDDLE),
                    p.set_step(register, STEP),
                    p.set_window(register, *window),
                    p.with_slot(slot, "", p.words.at(register, suffix)),
                ]
        raise NoSuchWordError


class Carry(Aim):
    point = "address.carry"

    def code(self, labels: Labels) -> Code:
        suffix, slot, carry = labels[0].removeprefix("ar"), labels[1], labels[2] == "carry"
        p, register = self.p, self.p.register()
        pattern = p.isa.pattern_by_suffix[suffix]
        for at, step in product((MIDDLE, 0), (STEP, HUGE)):
            beyond = (at + p.change(pattern, step)) >> p.isa.machine["AddressBits"] != 0
            if beyond == carry:
                return [
                    p.set(register, at),
                    p.set_step(register, step),
                    p.with_slot(slot, "", p.words.at(register, suffix)),
                ]
        raise NoSuchWordError


class Shared(Aim):
    point = "address.shared"

    def code(self, labels: Labels) -> Code:
        p, register = self.p, self.p.register()
        first, second = (SLOT_FIELDS[name] for name in labels[0].split("_"))
        suffix = {"neither": ("", ""), "first": ("++", ""), "second": ("", "++")}[labels[1]]
        wishes = {first: p.words.at(register, suffix[0]), second: p.words.at(register, suffix[1])}
        return [p.set(register, MIDDLE), p.any(**wishes)]


class AddressRegister(Aim):
    point = "address.register"

    def code(self, labels: Labels) -> Code:
        p, role, register = self.p, labels[0], self.p.isa.address_register_index[labels[1]]
        if role in SLOT_FIELDS:
            return [p.set(register, MIDDLE), p.with_slot(role, "", p.words.at(register))]
        if role == "destination":
            return [p.set(register, MIDDLE)]
        return [p.words.any_of(p.words.matching(lambda i: not i.facts.transfer), **{"as": register})]
