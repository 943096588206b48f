"""Control and address instructions: their words, and what they make of the address registers.

Instructions are found by the functions on their path, so that no mnemonic is written here.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from lutra.isa import Insn, Isa
from lutra.random.forms import Form, Picker, form, weight_of

if TYPE_CHECKING:
    from lutra.random.programs import Writer

# Of the sequencer's functions those that go on at the next instruction.
GOING_ON = ("SqNext", "SqNotify", "SqWait")


def pack(insn: Insn, **fields: int) -> int:
    """The word with some fields; the others are zero."""
    return insn.insert(insn.match, **fields)


class Control:
    """Control and address instructions, by what they do."""

    def __init__(self, isa: Isa, weights: Mapping[str, float]) -> None:
        self._isa = isa
        self._row = isa.machine["VectorBytes"]
        self._limit = (isa.machine["MemoryRows"] - 1) * self._row
        control = [i for i in isa.instructions if not i.vector]
        by: dict[tuple[str, str, str], Insn] = {}
        for insn in control:
            by.setdefault((insn.facts.au, insn.facts.cc, insn.facts.sq), insn)
        self.by = by
        self._set = by["AuSet", "CcAlways", "SqNext"]
        self._set_step = by["AuSetStep", "CcAlways", "SqNext"]
        self._add = by["AuAdd", "CcAlways", "SqNext"]
        self._repeat = by["AuKeep", "CcAlways", "SqRepeat"]
        self._repeat_ar = by["AuKeep", "CcAlways", "SqRepeatAr"]
        self.call = by["AuKeep", "CcAlways", "SqCall"]
        # Where every transfer has its target.
        self.target = self.call.fields["e"].lsb
        self._branches = Picker((i, weight_of(i, weights)) for (_, _, sq), i in by.items() if sq == "SqJump")
        self.nop = by["AuKeep", "CcAlways", "SqNext"].match
        self.halt = by["AuKeep", "CcAlways", "SqHalt"].match
        self.ret = by["AuKeep", "CcAlways", "SqReturn"].match
        self.to_address: Form = form(isa, next(i for i in isa.instructions if i.facts.res == "ToAddress"))
        self._words: Mapping[str, Callable[[Insn, Writer], int | None]] = {
            "AuKeep": self._other,
            "AuSet": self._any_set,
            "AuAdd": self._any_add,
            "AuAnd": self._any_and,
            "AuShr": self._any_shr,
            "AuSetStep": self._step,
            "AuSetWindow": self._window,
            "AuSetWidth": self._width,
        }

    def is_plain(self, insn: Insn) -> bool:
        """Whether the program goes on at the next instruction."""
        return insn.vector or (not insn.facts.conditional and insn.facts.sq in GOING_ON)

    def word(self, insn: Insn, writer: Writer) -> int | None:
        """A word of a plain instruction; None where it is not possible here."""
        return self._words[insn.facts.au](insn, writer)

    # ------------------------------------------------------------------ what structures need

    def set(self, n: int, value: int) -> int:
        """Sets an address register."""
        return pack(self._set, ad=n, n=value)

    def add(self, ad: int, source: int, value: int) -> int:
        """Adds to an address register."""
        return pack(self._add, ad=ad, as_=source, n=value)

    def repeat(self, count: int) -> int:
        """A loop without its end."""
        return pack(self._repeat, n=count)

    def repeat_ar(self, n: int) -> int:
        """The same with an address register's count."""
        return pack(self._repeat_ar, as_=n)

    def closers(self, n: int) -> list[list[int]]:
        """Ways to count a register down and branch, without the target, while it is not zero."""
        down, test = self.by["AuAdd", "CcNonZero", "SqJump"], self.by["AuKeep", "CcNonZero", "SqJump"]
        return [[pack(down, ad=n, as_=n)], [self.add(n, n, -1), pack(test, as_=n)]]

    def branch(self, writer: Writer) -> tuple[int, bool, int]:
        """A branch or jump without its target, whether it is always taken, the register counted down or -1."""
        insn = self._branches(writer.rand())
        fields, written = {}, -1
        free = writer.addresses.free()
        if "ad" in insn.fields and not free:
            insn = self.by["AuKeep", "CcNonZero", "SqJump"]
        if "as" in insn.fields:
            tested = int(writer.rand() * self._isa.machine["AddressRegs"])
            counted = "ad" in insn.fields
            if free and (counted or writer.rand() < 0.5):
                tested = writer.rng.choice(free)
                self._one_bit(writer, tested, counted)
            fields = {"as": tested}
            if counted:
                written = tested
                fields["ad"] = tested
        return pack(insn, **fields), not insn.facts.conditional, written

    def _one_bit(self, writer: Writer, n: int, counted: bool) -> None:
        """Most often sets a register that a branch tests to zero, or to a number with one bit; counted: one more."""
        bits = self._isa.machine["AddressBits"]
        if writer.rand() < 0.7:
            bit = writer.rng.randint(0, bits)
            writer.set(n, ((1 << bit if bit < bits else 0) + counted) & writer.addresses.top)
            writer.between()

    def accessing(self, insn: Insn, writer: Writer, wish: Mapping[str, int]) -> int | None:
        """A word that accesses the address registers wished for, of a transfer without its target; None where it cannot
        be here."""
        fields = {name: value for name, value in wish.items() if name in ("ad", "as")}
        registers = range(self._isa.machine["AddressRegs"])
        if "as" in insn.fields:
            fields.setdefault("as", writer.rng.choice(registers))
        if "n" in insn.fields:
            fields["n"] = writer.rng.choice(insn.facts.holds("n").codes)
        if "ad" in insn.fields:
            free = writer.addresses.free()
            if not free or fields.get("ad", free[0]) not in free:
                return None
            ad = fields.setdefault("ad", writer.rng.choice(free))
            writer.addresses.assign(ad, 0, writer.addresses.top, False)
        return pack(insn, **fields)

    def bounded(self, n: int, writer: Writer) -> int:
        """Brings a register into the range of the memories, by a mask or a shift."""
        bits = self._limit.bit_length() - 1
        if writer.rand() < 0.7:
            mask = (1 << bits) - 1
            mask &= -self._row if writer.rand() < 0.5 else -1
            return self._and(self.by["AuAnd", "CcAlways", "SqNext"], writer, n, n, mask)
        amount = self._isa.machine["AddressBits"] - bits
        return self._shr(self.by["AuShr", "CcAlways", "SqNext"], writer, n, n, amount)

    # ------------------------------------------------------------------ plain instructions

    def _other(self, insn: Insn, writer: Writer) -> int | None:
        if insn.facts.sq == "SqWait":
            if writer.nested or not writer.waits:
                return None
            writer.waits -= 1
        numbers = {o.fields[0]: writer.rng.randint(o.low, o.high) for o in insn.operands}
        return pack(insn, **numbers)

    def _value(self, writer: Writer) -> int:
        """An address: most often a row of the memories, at times any of their bytes, or near an end."""
        choice = writer.rand()
        if choice < 0.7:
            return int(writer.rand() * (self._limit // self._row + 1)) * self._row
        if choice < 0.94:
            return int(writer.rand() * self._limit)
        # The last row that is legal, a few bytes before it, and where an address wraps.
        if choice < 0.98:
            return self._limit - int(writer.rand() * self._row)
        return writer.addresses.top - int(writer.rand() * 2 * self._row)

    def _any_set(self, insn: Insn, writer: Writer) -> int | None:
        free = writer.addresses.free()
        if not free:
            return None
        n, value = writer.rng.choice(free), self._value(writer)
        writer.addresses.assign(n, value, value, value % self._row == 0)
        return pack(insn, ad=n, n=value)

    def _two(self, writer: Writer) -> tuple[int, int] | None:
        free = writer.addresses.free()
        if not free:
            return None
        return writer.rng.choice(free), int(writer.rand() * self._isa.machine["AddressRegs"])

    def _any_add(self, insn: Insn, writer: Writer) -> int | None:
        if (two := self._two(writer)) is None:
            return None
        value = writer.rng.choice((1, self._row, self._row)) * writer.rng.randint(-8, 8)
        s = writer.addresses.registers[two[1]]
        writer.addresses.assign(two[0], s.low + value, s.high + value, s.aligned and value % self._row == 0)
        return pack(insn, ad=two[0], as_=two[1], n=value)

    def _any_and(self, insn: Insn, writer: Writer) -> int | None:
        if (two := self._two(writer)) is None:
            return None
        mask = (1 << writer.rng.randint(0, 16)) - 1 & writer.rng.choice((-1, -self._row))
        return self._and(insn, writer, *two, mask)

    def _and(self, insn: Insn, writer: Writer, ad: int, source: int, mask: int) -> int:
        s = writer.addresses.registers[source]
        if s.low == s.high:
            writer.addresses.assign(ad, s.low & mask, s.low & mask, (s.low & mask) % self._row == 0)
        else:
            writer.addresses.assign(ad, 0, min(s.high, mask), s.aligned or mask % self._row == 0)
        return pack(insn, ad=ad, as_=source, n=mask)

    def _any_shr(self, insn: Insn, writer: Writer) -> int | None:
        if (two := self._two(writer)) is None:
            return None
        amount = insn.facts.holds("n")
        return self._shr(insn, writer, *two, writer.rng.randint(amount.low, amount.high))

    def _shr(self, insn: Insn, writer: Writer, ad: int, source: int, amount: int) -> int:
        s = writer.addresses.registers[source]
        writer.addresses.assign(ad, s.low >> amount, s.high >> amount, s.aligned and amount == 0)
        return pack(insn, ad=ad, as_=source, n=amount)

    def _configurable(self, writer: Writer) -> int | None:
        free = [n for n in writer.addresses.free() if not writer.addresses.registers[n].held]
        return writer.rng.choice(free) if free else None

    def _step(self, insn: Insn, writer: Writer) -> int | None:
        if (n := self._configurable(writer)) is None:
            return None
        step = writer.rng.choice((1, self._row, self._row, self._row)) * writer.rng.randint(0, 6)
        step = -step & writer.addresses.top if writer.rand() < 0.15 else step
        r = writer.addresses.registers[n]
        r.step, r.stepped = step, True
        return pack(insn, ad=n, n=step)

    def _window(self, insn: Insn, writer: Writer) -> int | None:
        """Most often a circular buffer of a few rows around the register's address, or one that its steps meet."""
        if (n := self._configurable(writer)) is None:
            return None
        if writer.rand() < 0.5:
            return self._ring(insn, writer, n)
        r = writer.addresses.registers[n]
        unit = 1 if writer.rand() < 0.2 else self._row
        start = r.low // unit * unit if r.high <= self._limit and writer.rand() < 0.7 else self._value(writer)
        end = start + unit * writer.rng.randint(1, 12) * writer.rng.choice((1, 1, -1))
        end = min(max(end, 0), self._limit)
        r.start, r.end, r.windowed = start, end, True
        return pack(insn, ad=n, n=start, e=end)

    def _ring(self, insn: Insn, writer: Writer, n: int) -> int:
        """The register at the start of a window whose end is a few of its steps away, at times a byte off."""
        rng, r = writer.rng, writer.addresses.registers[n]
        step = self._row * rng.randint(1, 4)
        length = step * rng.randint(1, 6)
        start = rng.randint(0, self._limit // self._row) * self._row
        up = start + length <= self._limit and (start < length or rng.random() < 0.5)
        end = start + length if up else start - length
        if rng.random() < 0.2:
            end += rng.choice((1, -1))
        writer.emit(self.set(n, start))
        writer.emit(pack(self._set_step, ad=n, n=step))
        writer.addresses.assign(n, start, start, aligned=True)
        r.step, r.stepped = step, True
        r.start, r.end, r.windowed = start, max(end, 0), True
        return pack(insn, ad=n, n=start, e=r.end)

    def _width(self, insn: Insn, writer: Writer) -> int | None:
        codes = insn.facts.holds("n").codes
        return pack(insn, n=codes[int(writer.rand() * len(codes))])
