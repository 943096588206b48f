"""Specify the legal words, and the control word of each, from the description's operands and paths.

Each operand kind gives the legal contents of its fields, as the assembler fills them; `docs/decisions/0004` says why
everything else is refused. All are z3 terms over the 64-bit word.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import z3

from formal.specification import Bits
from isagen.description import Field, Insn
from isagen.model import Isa
from isagen.records import Operand

Rule = tuple[str, z3.BoolRef]


@dataclass(frozen=True)
class Slot:
    """A memory slot's bits as terms."""

    bits: Bits
    en: z3.BoolRef
    row_en: z3.BoolRef
    row: Bits
    pattern: Bits
    register: Bits
    zero: Bits


def among(x: Bits, codes: list[int]) -> z3.BoolRef:
    """Whether x is one of the codes."""
    return z3.Or([x == c for c in codes])


def bits_at(x: Bits, place: tuple[int, int]) -> Bits:
    """The bits from `place[0]` down to `place[1]`."""
    return z3.Extract(place[0], place[1], x)


class Word:
    """A word read as one instruction of the set."""

    def __init__(self, isa: Isa, insn: Insn, word: Bits, rounds: int, contexts: int) -> None:
        self.isa, self.insn, self.word = isa, insn, word
        self.rounds, self.contexts = rounds, contexts
        kinds = {"vector": isa.is_vector(insn)}
        self.vector = kinds["vector"]
        self._places = _places(isa, self.vector)
        self._kinds: dict[str, Callable[[Operand], Iterator[Rule]]] = {
            "dst": self._dst,
            "dst_pair": self._dst_pair,
            "register": self._register,
            "store": self._store,
            "sum": self._sources,
            "source": self._sources,
            "key": self._key,
            "row": self._data,
            "move": self._move,
            "number": self._number,
            "choice": self._choice,
            "contexts": self._contexts,
            "context": self._context,
            # Every value of their fields is legal.
            "address": lambda _: iter(()),
            "third": lambda _: iter(()),
            "target": lambda _: iter(()),
            "loop_end": lambda _: iter(()),
        }

    def field(self, name: str) -> Bits:
        """A field's bits, whether the instruction leaves it open or fixes it."""
        f = self.insn.field(name) or self._places[name]
        return z3.Extract(f.msb, f.lsb, self.word)

    def slot(self, name: str) -> Slot:
        """One of the slots ks, ds, ss."""
        layout, bits = self.isa.slot, self.field(name)
        return Slot(
            bits,
            bits != 0,
            z3.Extract(layout.row_flag, layout.row_flag, bits) == 1,
            *(bits_at(bits, p) for p in (layout.row, layout.pattern, layout.register, layout.zero)),
        )

    def vector_code(self, record: str) -> int:
        """The code of a vector name, by its record."""
        return next(v.code for v in self.isa.vectors if v.record == record)

    # ------------------------------------------------------------------------- legality

    def rules(self) -> list[Rule]:
        """Everything that must hold for the word to be this instruction."""
        fixed = self.word & z3.BitVecVal(self.insn.mask, 64) == z3.BitVecVal(self.insn.match, 64)
        rules: list[Rule] = [("fixed bits", fixed)]
        for operand in self.insn.operands:
            rules += self._kinds[operand.kind](operand)
        if self.vector:
            rules.append(("one access per block", self._one_access()))
            rules.append(("one modification per register", self._one_change()))
            rules.append(("data slot and row", self._data_slot_is_read()))
        if self.isa.half(self.insn, 1) and self.isa.half(self.insn, 2):
            rules.append(("two rounds", z3.BoolVal(self.rounds == 2)))
        return rules

    def _slot_rule(self, slot: Slot) -> z3.BoolRef:
        by_register = z3.And(among(slot.pattern, [p.code for p in self.isa.patterns]), slot.zero == 0)
        return z3.Or(z3.Not(slot.en), slot.row_en, by_register)

    def _store_part(self) -> Iterator[Rule]:
        slot, space = self.slot("ss"), self.field("sb")
        yield "store slot", self._slot_rule(slot)
        spaces = [s.code for s in self.isa.spaces if s.blocks or s.banks]
        yield "store's space", z3.If(slot.en, among(space, spaces), space == 0)

    def _dst(self, operand: Operand) -> Iterator[Rule]:
        yield "destination", among(self.field("rd"), [v.code for v in self.isa.vectors if v.destination])
        yield from self._store_part()

    def _register(self, operand: Operand) -> Iterator[Rule]:
        codes = [v.code for v in self.isa.vectors if v.destination and v.name]
        yield "destination", among(self.field("rd"), codes)

    def _dst_pair(self, operand: Operand) -> Iterator[Rule]:
        yield "pair", among(self.field("rd"), list(range(0, self.isa.machine["VectorRegs"], 2)))
        if "ss" in operand.fields:
            yield from self._store_part()

    def _store(self, operand: Operand) -> Iterator[Rule]:
        yield "a store", self.slot("ss").en
        yield from self._store_part()

    def _data(self, operand: Operand) -> Iterator[Rule]:
        slot = self.slot("ds")
        yield "data slot", self._slot_rule(slot)
        yield "data block", z3.Implies(z3.Not(slot.en), self.field("db") == 0)

    def _sources(self, operand: Operand) -> Iterator[Rule]:
        row = self.vector_code("ROW")
        for name, attribute in (("ra", "source"), ("rb", "second_source")):
            if name in operand.fields:
                codes = [v.code for v in self.isa.vectors if getattr(v, attribute)]
                if "ds" not in operand.fields:
                    codes.remove(row)
                yield name, among(self.field(name), codes)
        if "ds" in operand.fields:
            yield from self._data(operand)

    def _data_slot_is_read(self) -> z3.BoolRef:
        """A source that is a row needs the slot, and the slot a source, unless it serves something else."""
        readers = [op for op in self.insn.operands if "ds" in op.fields]
        if any(op.kind in ("row", "move") for op in readers) or not readers:
            return z3.BoolVal(True)
        names = [n for op in readers for n in ("ra", "rb") if n in op.fields]
        return self.slot("ds").en == z3.Or([self.field(n) == self.vector_code("ROW") for n in names])

    def _key(self, operand: Operand) -> Iterator[Rule]:
        slot = self.slot("ks")
        yield "a key", slot.en
        yield "key slot", self._slot_rule(slot)

    def _move(self, operand: Operand) -> Iterator[Rule]:
        """docs/microarchitecture.md: nothing; hold = row; hold = ctr++; row = register, a row added or not."""
        move = {m.record: self.field("mv") == m.code for m in self.isa.moves}
        d, s = self.slot("ds"), self.slot("ss")
        no_register = self.field("rc") == 0
        counts = self.field("ra") == self.vector_code("CTRINC")
        forms = {
            "MoveNone": [z3.Not(d.en), z3.Not(s.en), no_register],
            "MoveHoldRow": [d.en, z3.Not(s.en), no_register],
            "MoveHoldCtr": [z3.Not(d.en), z3.Not(s.en), no_register, z3.Not(counts)],
            "MoveStore": [s.en],
        }
        yield "move", z3.Or([z3.And(move[name], *form) for name, form in forms.items()])
        yield from self._data(operand)
        yield from self._store_part()

    def _number(self, operand: Operand) -> Iterator[Rule]:
        for name in operand.fields:
            if operand.low >= 0:
                wide = z3.ZeroExt(32, self.field(name))
                low, high = operand.base + operand.low, operand.base + operand.high
                yield f"range of {name}", z3.And(wide >= low, wide <= high)

    def _choice(self, operand: Operand) -> Iterator[Rule]:
        for name in operand.fields:
            yield f"choice {name}", among(self.field(name), list(range(len(operand.choices))))

    def _contexts(self, operand: Operand) -> Iterator[Rule]:
        yield "contexts", among(self.field("c"), list(range(1, 1 << self.contexts)))

    def _context(self, operand: Operand) -> Iterator[Rule]:
        yield "context", among(self.field("o"), list(range(self.contexts)))

    def _accesses(self) -> list[list[z3.BoolRef]]:
        """By slot, whether it occupies each memory block."""
        blocks = sorted({b for s in self.isa.spaces for b in s.blocks})
        k, d, s = (self.slot(n) for n in ("ks", "ds", "ss"))
        keys = self.isa.key_blocks(self.insn)
        in_block = {b: [sp.code for sp in self.isa.spaces if b in sp.blocks] for b in blocks}
        return [
            [z3.And(k.en, z3.BoolVal(b in keys)) for b in blocks],
            [z3.And(d.en, self.field("db") == b) for b in blocks],
            [z3.And(s.en, among(self.field("sb"), in_block[b])) for b in blocks],
        ]

    def _one_access(self) -> z3.BoolRef:
        return z3.And([z3.AtMost(*uses, 1) for uses in zip(*self._accesses(), strict=True)])

    def _one_change(self) -> z3.BoolRef:
        changing = [p.code for p in self.isa.patterns if p.delta != "none"]
        slots = [self.slot(n) for n in ("ks", "ds", "ss")]
        changes = [z3.And(s.en, z3.Not(s.row_en), among(s.pattern, changing)) for s in slots]
        pairs = ((0, 1), (0, 2), (1, 2))
        return z3.And(
            [z3.Not(z3.And(changes[i], changes[j], slots[i].register == slots[j].register)) for i, j in pairs]
        )

    # --------------------------------------------------------------------- control word

    def control(self) -> dict[str, Bits | int | tuple[z3.BoolRef, Bits]]:
        """Field of the control word -> its value; (condition, value) if it has a meaning only under a condition."""
        isa, insn = self.isa, self.insn
        steps = {s.block: s for s in insn.path}
        filled = {f for op in insn.operands for f in op.fields}
        code = {n: f.code for n, f in (isa.functions | isa.endpoint_functions | isa.control_functions).items()}
        out: dict[str, Bits | int | tuple[z3.BoolRef, Bits]] = {"vector": int(self.vector)}
        for name in ("P0", "src", "res", "au", "cc", "sq", *isa.blocks):
            step = steps.get(name.upper())
            out[name.lower()] = code[step.function] if step else 0
        for block in isa.blocks.values():
            sides = steps[block.record].sides if block.record in steps else ()
            for port, names in (("y", block.port_y), ("z", block.port_z)):
                side = next((s for s in sides if s in names and s not in block.partner), None)
                out[f"{block.record.lower()}_{port}"] = 0 if side is None else 1 + names.index(side)
        source = "SRC" not in steps or steps["SRC"].function == "FromVector"
        out["use_a"] = int(self.vector and source and "ra" in filled)
        out["use_b"] = int(insn.takes("B") and "rb" in filled)
        out["use_w"] = self.field("w") if insn.takes("W") else 0
        for number, enable in ((0, "k0_en"), (1, "k1_en")):
            out[enable] = int(number in isa.key_blocks(insn))
        out["pair"] = int(isa.writes_pair(insn))
        for half in (1, 2):
            out[f"half{half}"] = int(isa.half(insn, half))
        # Assumed by the wiring proofs (`x2_ready`) and derived by the generator.
        out["x2_ready"], out["early"] = int(isa.facts[insn.record].x2_ready), int(isa.facts[insn.record].early)
        out["ad_en"], out["as_en"] = int(isa.writes_address(insn)), int("as" in filled)
        for name in ("c", "o", "mv", "rc", "h", "g"):
            out[name] = self.field(name) if insn.field(name) else 0
        for name in ("ad", "as", "n", "e"):
            out[name] = self.field(name) if insn.field(name) or not self.vector else 0
        if self.vector and insn.number:
            out["n"] = insn.number
        for name, record in (("ra", "ZERO"), ("rb", "ZERO"), ("rd", "NONE")):
            out[name] = self.field(name) if self.vector else self.vector_code(record)
        for name, place in (("d_block", "db"), ("s_space", "sb")):
            out[name] = self.field(place) if self.vector else 0
        for name in ("k", "d", "s"):
            for part, value in (
                self._slot_parts(f"{name}s") if self.vector else dict.fromkeys(("en", "bad"), 0)
            ).items():
                out[f"{name}.{part}"] = value
        return out

    def _slot_parts(self, name: str) -> dict[str, Bits | int | tuple[z3.BoolRef, Bits]]:
        slot = self.slot(name)
        deltas = {d.name: d.code for d in self.isa.deltas}
        wraps = {w.name: w.code for w in self.isa.wraps}
        by_register = z3.And(slot.en, z3.Not(slot.row_en))
        delta: Bits = z3.BitVecVal(0, 8)
        wrap: Bits = z3.BitVecVal(0, 8)
        for p in self.isa.patterns:
            here = z3.And(by_register, slot.pattern == p.code)
            delta, wrap = z3.If(here, deltas[p.delta], delta), z3.If(here, wraps[p.wrap], wrap)
        return {
            "en": z3.If(slot.en, z3.BitVecVal(1, 1), z3.BitVecVal(0, 1)),
            "row_en": z3.If(slot.row_en, z3.BitVecVal(1, 1), z3.BitVecVal(0, 1)),
            "row": (slot.row_en, slot.row),
            "ar": (by_register, slot.register),
            "delta": delta,
            "wrap": wrap,
            "bad": 0,
        }


def _places(isa: Isa, vector: bool) -> dict[str, Field]:
    """Places of the formats' fields, from the instructions that leave them open."""
    return {f.name: f for insn in isa.insns if isa.is_vector(insn) == vector for f in insn.fields}
