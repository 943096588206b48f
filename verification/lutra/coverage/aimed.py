"""Random programs aimed at bins of the plan: what a bin is about stands as it must, all else is random.

One method a coverpoint, which takes the bin's labels. Each program ends at once; what it does not end in is a halt.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from contextlib import suppress
from itertools import product

from lutra.coverage.words import NoSuchWordError, WordPicker
from lutra.isa import Access, Insn, Pattern, Window, load

Labels = Sequence[str]
Code = list[int]

REGISTER = "register"
ABSENT = "-"
# An address away from both ends of a memory, its step, and what carries out of 16 bits.
MIDDLE, STEP, HUGE = 0x200, 0x10, 0xFF00
FAR = 0xFFFF
# Rows of a memory that hold what a program needs to be known: all ones; only the last byte all ones; zero.
CONSTANTS = {"wraps": b"\xff" * 16, "carry": bytes(15) + b"\xff", "none": bytes(16)}
CONSTANT_SPACE = "m2"
# Programs drawn for a bin before it is given up.
ATTEMPTS = 20
SLOT_FIELDS = {"key": "ks", "data": "ds", "store": "ss"}


def constants() -> bytes:
    """First rows of the memory of constants."""
    return b"".join(CONSTANTS.values())


class AimedPrograms:
    """Makes programs for a core with ROUNDS_PER_INSTR = rounds."""

    def __init__(self, rng: random.Random, rounds: int) -> None:
        self.isa = load()
        self.rng = rng
        self.rounds = rounds
        self.words = WordPicker(self.isa, rng, rounds)
        w = self.words
        self._halt = w.word(w.does("SqHalt"))
        self._spaces = {s.name: s for s in self.isa.spaces}
        self._least = {s.name: s.distance[rounds - 1] for s in self.isa.stalls}
        self._methods = {
            "insn.operands": self._operands,
            "insn.results": self._results,
            "insn.addressing": self._addressing,
            "insn.immediate": self._immediate,
            "insn.move": self._move,
            "insn.beside": self._beside,
            "insn.hazard": lambda labels: self._hazard(labels[0], labels[1], labels[2], "", labels[3]),
            "insn.bypass": lambda labels: self._bypass(labels[0], labels[1], "", "result", labels[2]),
            "insn.loop_end": self._loop_end,
            "hazard.distance": lambda labels: self._hazard("", labels[2], labels[0], labels[1], labels[3]),
            "hazard.bypass": lambda labels: self._bypass("", *labels),
            "memory.alignment": self._alignment,
            "memory.ports": self._ports,
            "memory.lane": self._lane,
            "address.window": self._window,
            "address.carry": self._carry,
            "address.shared": self._shared,
            "address.register": self._address_register,
            "vector.register": self._vector_register,
            "counter.increment": self._counter,
            "flag.compare": self._compare,
            "stream.clock": self._clock,
            "stream.row": self._row,
            "stream.switch": self._switch,
            "loop.depth": self._depth,
            "loop.repeat": self._repeat,
            "branch.taken": self._branch,
            "trap.cause": self._trap,
            "trap.slot": self._trap_slot,
            "trap.nesting": self._nesting,
            "trap.meeting": self._trap_meeting,
            "host.effect": self._effect,
            "host.control": self._control,
        }

    def program(self, point: str, label: str) -> Code | None:
        """A program for a bin of a coverpoint; None where no legal program was found."""
        for _ in range(ATTEMPTS):
            try:
                return [*self._methods[point](label.split("/")), *[self._halt] * 4]
            except NoSuchWordError:
                continue  # what was drawn does not fit together
        return None

    # -------------------------------------------------------------------- pieces

    def _set(self, register: int, value: int) -> int:
        return self.words.word(self.words.does("AuSet"), ad=register, n=value)

    def _set_step(self, register: int, value: int) -> int:
        return self.words.word(self.words.does("AuSetStep"), ad=register, n=value)

    def _set_window(self, register: int, start: int, end: int) -> int:
        return self.words.word(self.words.does("AuSetWindow"), ad=register, n=start, e=end)

    def _safe(self, register: int) -> Code:
        """An address register in the middle, whatever pattern is used on it."""
        return [self._set(register, MIDDLE), self._set_step(register, STEP), self._set_window(register, MIDDLE, MIDDLE)]

    def _repeats(self, end: int, count: int = 1) -> int:
        return self.words.word(self.words.does("SqRepeat"), n=count, e=end)

    def _jump(self, to: int) -> int:
        return self.words.word(self.words.does("SqJump"), e=to)

    def _call(self, to: int) -> int:
        return self.words.word(self.words.does("SqCall"), e=to)

    def _constant(self, name: str, register: int) -> int:
        """A word that loads a constant unchanged into a register."""
        w, layout = self.words, self.isa.slot
        row = list(CONSTANTS).index(name)
        plain = min(w.matching(lambda i: [o.kind for o in i.operands] == ["dst", "sum"]), key=lambda i: len(i.path))
        slot = 1 << layout.row_flag | row << layout.row[1]
        block = self._spaces[CONSTANT_SPACE].code
        return w.word(plain, rd=register, ra=w.row, rb=w.zero, w=0, db=block, ds=slot, sb=0, ss=0)

    def _code_of(self, kind: str, first: bool = True) -> int:
        """A vector code of a kind of operand, as the plan calls them."""
        registers = self.isa.machine["VectorRegs"]
        if kind == REGISTER:
            return self.rng.randrange(registers)
        rows = [v for v in self.isa.vectors if v.code >= registers and (v.name or v.record.lower()) == kind]
        return rows[0].code

    def _any(self, **wishes: int) -> int:
        """A word of any vector instruction."""
        return self.words.any_of(self.words.matching(lambda i: i.vector), **wishes)

    # -------------------------------------------------------------- instructions

    def _operands(self, labels: Labels) -> Code:
        insn = self.words.by_name[labels[0]]
        wishes = {n: self._code_of(kind) for n, kind in zip(("ra", "rb"), labels[1:3], strict=True) if kind != ABSENT}
        if "w" in insn.fields:
            wishes["w"] = int(labels[3] != ABSENT)
        if self.words.row in wishes.values():
            wishes["ds"] = self.words.slot()
        return [self.words.word(insn, **wishes)]

    def _results(self, labels: Labels) -> Code:
        insn = self.words.by_name[labels[0]]
        wishes: dict[str, int] = {}
        if labels[1] != ABSENT:
            wishes["rd"] = self._code_of(labels[1])
        if "ss" in insn.fields:
            stores = labels[2] != ABSENT
            wishes |= {"ss": self.words.slot() if stores else 0, "sb": self._spaces[labels[2]].code if stores else 0}
            if "mv" in insn.fields and stores:
                wishes["mv"] = next(m.code for m in self.isa.moves if m.record == "MoveStore")
        return [self.words.word(insn, **wishes)]

    def _addressing(self, labels: Labels) -> Code:
        insn, field = self.words.by_name[labels[0]], SLOT_FIELDS[labels[1]]
        register = self.rng.randrange(len(self.isa.address_registers))
        slot = self.words.slot() if labels[2] == "row" else self.words.at(register, labels[2].removeprefix("ar"))
        return [*self._safe(register), self.words.word(insn, **{field: slot})]

    def _immediate(self, labels: Labels) -> Code:
        insn = self.words.by_name[labels[0]]
        last = insn.facts.holds("n").high
        value = {"between": 3, "last": last}.get(labels[1]) or int(labels[1] if labels[1].isdigit() else last)
        wishes = {"n": value}
        if "e" in insn.fields:
            wishes["e"] = 1  # a loop of one instruction
        return [self.words.word(insn, **wishes), self.words.nop]

    def _move(self, labels: Labels) -> Code:
        insn, move = self.words.by_name[labels[0]], labels[1].removesuffix("_sum")
        wishes = {"mv": next(m.code for m in self.isa.moves if m.name == move)}
        if move == "store":
            wishes["ds"] = self.words.slot() if labels[1] != move else 0
        return [self.words.word(insn, **wishes)]

    def _beside(self, labels: Labels) -> Code:
        insn = self.words.by_name[labels[0]]
        return [self.words.word(insn, **{insn.facts.beside: int(labels[1])})]

    def _loop_end(self, labels: Labels) -> Code:
        insn = self.words.by_name[labels[0]]
        count = 2 if labels[1] == "goes_back" else 1
        return self._at_end(insn, count, {})

    def _at_end(self, insn: Insn, count: int, wishes: dict[str, int]) -> Code:
        """The instruction as the last and only one of a loop; a return gets its call. Transfers go after it."""
        if insn.facts.sq == "SqReturn":
            # The call returns to the halt after it.
            return [self._call(2), self._halt, self._repeats(3, count), self.words.word(insn)]
        target = {"e": 2} if insn.facts.transfer and "e" in insn.fields else {}
        return [self._repeats(1, count), self.words.word(insn, **(target | wishes))]

    # ------------------------------------------------------------------- hazards

    def _hazard(self, name: str, consumer: str, hazard: str, producer: str, distance: str) -> Code:
        write, read, cell = self._meeting(name, consumer, hazard, producer)
        producing = self._accessing(self.words.insns, write, cell, producer)
        insns = [self.words.by_name[name]] if name else self.words.insns
        consuming = self._accessing(insns, read, cell)
        # A transfer goes to what is after it.
        insn = next(i for i in insns if consuming & i.mask == i.match)
        if insn.facts.transfer and "e" in insn.fields:
            consuming = insn.insert(consuming, e=int(distance) + 1)
        return [producing, *[self.words.nop] * (int(distance) - 1), consuming]

    def _meeting(self, name: str, consumer: str, hazard: str, producer: str) -> tuple[Access, Access, int]:
        """A write, a read, and a cell to which both are; of a certain instruction, consumer or producer where named."""
        isa, readers = self.isa, [self.words.by_name[name]] if name else self.words.insns
        stall = isa.stall_by_name[hazard]
        writes, reads = ([isa.access_by_name[a] for a in names] for names in (stall.writes, stall.reads))
        found = [
            (write, read, cell)
            for write, read in product(writes, reads)
            if write.resource == read.resource and consumer in ("", read.label)
            for cell in range(len(read.ways))
            if any(producer in ("", way.label) for way in write.ways[cell])
            and any(cell in i.accesses.get(write.name, ()) for i in self.words.insns)
            and any(cell in i.accesses.get(read.name, ()) for i in readers)
        ]
        if not found:
            raise NoSuchWordError
        return self.rng.choice(found)

    def _accessing(self, insns: Sequence[Insn], access: Access, cell: int, label: str = "") -> int:
        """A word that accesses a cell, in a way that coverage calls so."""
        way = self.rng.choice([w for w in access.ways[cell] if label in ("", w.label)])
        insn = self.rng.choice([i for i in insns if cell in i.accesses.get(access.name, ())])
        wishes = {**way.fields, **{slot: self.words.slot() for slot in way.slots}}
        # What the encoding fixes is as it must be. An address register gets an address that is legal everywhere.
        wishes = {field: value for field, value in wishes.items() if field in insn.fields}
        if "ad" in wishes and "ra" in insn.fields:
            wishes["ra"] = self.words.zero
        return self.words.word(insn, **wishes)

    def _reads(self, consumer: str) -> Callable[[Insn], bool]:
        return lambda i: i.vector and (consumer != "a" or i.facts.src == "FromVector")

    def _bypass(self, name: str, operand: str, ready: str, result: str, source: str) -> Code:
        ways = [
            (stall.name, self._least[stall.name] + beyond)
            for stall in self.isa.stalls
            if ready in ("", stall.ready)
            for beyond, way in enumerate(stall.sources[self.rounds - 1])
            if way == source
        ]
        self.rng.shuffle(ways)
        for hazard, distance in ways:
            with suppress(NoSuchWordError):
                return self._hazard(name, operand, hazard, result, str(distance))
        raise NoSuchWordError

    # --------------------------------------------------------- memory, addresses

    def _with_slot(self, slot: str, space: str, value: int) -> int:
        """A word whose slot reads or writes a space, or any for an empty name."""
        wishes = {SLOT_FIELDS[slot]: value}
        if space and slot != "key":
            wishes["db" if slot == "data" else "sb"] = self._spaces[space].code
        blocks = self._spaces[space].blocks if space and slot == "key" else ()
        return self.words.any_of(
            self.words.matching(lambda i: i.vector and set(blocks) <= set(i.facts.key_blocks)), **wishes
        )

    def _alignment(self, labels: Labels) -> Code:
        slot, space, byte = labels
        register = self.rng.randrange(len(self.isa.address_registers))
        return [self._set(register, MIDDLE + int(byte)), self._with_slot(slot, space, self.words.at(register))]

    def _ports(self, labels: Labels) -> Code:
        key, data, store = labels
        blocks = () if key == ABSENT else tuple(b for n in key.split(":") for b in self._spaces[n].blocks)
        insns = self.words.matching(lambda i: i.vector and i.facts.key_blocks == blocks)
        wishes: dict[str, int] = {}
        for slot, space, name in (("ds", "db", data), ("ss", "sb", store)):
            if name != ABSENT:
                wishes |= {slot: self.words.slot(), space: self._spaces[name].code}
        return [self.words.any_of(insns, **wishes)]

    def _lane(self, labels: Labels) -> Code:
        insn = self.words.does("WriteLane", alone=False)
        return [self.words.word(insn, n=int(labels[0]), sb=self._spaces[labels[1]].code, ss=self.words.slot())]

    def _window(self, labels: Labels) -> Code:
        suffix, slot, where = labels[0].removeprefix("ar"), labels[1], labels[2]
        pattern, register = self.isa.pattern_by_suffix[suffix], self.rng.randrange(len(self.isa.address_registers))
        wrap, top = self.isa.wrap(pattern), (1 << self.isa.machine["AddressBits"]) - 1
        after = MIDDLE + self._change(pattern, STEP)
        for bound in (after, after - STEP, after + STEP):
            window = Window(STEP, STEP)._replace(**{wrap.bound: bound})
            reloads = after in wrap.reloads(window, top)
            if where == ("at_end" if bound == after else "beyond" if reloads else "inside"):
                return [
                    self._set(register, MIDDLE),
                    self._set_step(register, STEP),
                    self._set_window(register, *window),
                    self._with_slot(slot, "", self.words.at(register, suffix)),
                ]
        raise NoSuchWordError

    def _change(self, pattern: Pattern, step: int) -> int:
        return self.isa.delta(pattern).change(self.isa.machine["VectorBytes"], step)

    def _carry(self, labels: Labels) -> Code:
        suffix, slot, carry = labels[0].removeprefix("ar"), labels[1], labels[2] == "carry"
        pattern, register = self.isa.pattern_by_suffix[suffix], self.rng.randrange(len(self.isa.address_registers))
        for at, step in product((MIDDLE, 0), (STEP, HUGE)):
            beyond = (at + self._change(pattern, step)) >> self.isa.machine["AddressBits"] != 0
            if beyond == carry:
                return [
                    self._set(register, at),
                    self._set_step(register, step),
                    self._with_slot(slot, "", self.words.at(register, suffix)),
                ]
        raise NoSuchWordError

    def _shared(self, labels: Labels) -> Code:
        register = self.rng.randrange(len(self.isa.address_registers))
        first, second = (SLOT_FIELDS[name] for name in labels[0].split("_"))
        suffix = {"neither": ("", ""), "first": ("++", ""), "second": ("", "++")}[labels[1]]
        wishes = {first: self.words.at(register, suffix[0]), second: self.words.at(register, suffix[1])}
        return [self._set(register, MIDDLE), self._any(**wishes)]

    def _address_register(self, labels: Labels) -> Code:
        role, register = labels[0], self.isa.address_register_index[labels[1]]
        if role in SLOT_FIELDS:
            return [self._set(register, MIDDLE), self._with_slot(role, "", self.words.at(register))]
        if role == "destination":
            return [self._set(register, MIDDLE)]
        return [self.words.any_of(self.words.matching(lambda i: not i.facts.transfer), **{"as": register})]

    def _vector_register(self, labels: Labels) -> Code:
        role, code = labels[0], int(labels[1].removeprefix("v"))
        if role == "partner":
            pairs = self.words.matching(lambda i: i.facts.destination == "pair")
            return [self.words.any_of(pairs, rd=code - 1)]
        if role == "third":
            return [self.words.any_of(self.words.matching(lambda i: i.facts.third), rc=code)]
        if role == "moved":
            store = next(m.code for m in self.isa.moves if m.record == "MoveStore")
            return [self._any(mv=store, rc=code)]
        insns = self.words.matching(self._reads(role))
        return [self.words.any_of(insns, **{{"a": "ra", "b": "rb", "destination": "rd"}[role]: code})]

    # ------------------------------------------------- counter, flag, stream unit

    def _counter(self, labels: Labels) -> Code:
        width, by, carry = labels
        code = next(code for bits, code in self.isa.widths if str(bits) == width)
        setting = [
            self.words.word(self.words.does("AuSetWidth"), n=code),
            self._constant(carry, self._code_of("ctr")),
        ]
        if by == "move":
            return [*setting, self._any(mv=next(m.code for m in self.isa.moves if m.record == "MoveHoldCtr"))]
        insns = self.words.matching(self._reads("a"))
        return [*setting, self.words.any_of(insns, ra=self._code_of("ctr++"))]

    def _compare(self, labels: Labels) -> Code:
        insn = self.words.does("SetFlag", alone=False)
        other = self.words.zero if labels[0] == "set" else 0
        return [self._constant("wraps", 0), self.words.word(insn, ra=self.words.zero, rb=other)]

    def _contexts(self, label: str) -> int:
        return sum(1 << self.isa.stream_contexts.index(name) for name in label.split(":"))

    def _clock(self, labels: Labels) -> Code:
        wishes = {"c": self._contexts(labels[1])}
        if labels[2] != ABSENT:
            wishes["o"] = self.isa.stream_contexts.index(labels[2])
        return [self.words.word(self.words.by_name[labels[0]], **wishes)]

    def _row(self, labels: Labels) -> Code:
        context = self.isa.stream_contexts.index(labels[1])
        return [self.words.word(self.words.by_name[labels[0]], o=context, n=int(labels[2]))]

    def _switch(self, labels: Labels) -> Code:
        clocks = self.words.matching(lambda i: i.facts.clocks)
        now, before = (self.words.any_of(clocks, c=self._contexts(label)) for label in labels[:2])
        return [before, *([] if labels[2] == "next" else [self.words.nop]), now]

    # -------------------------------------------------------------- program flow

    def _depth(self, labels: Labels) -> Code:
        return self._nested(int(labels[0]), int(labels[1]), [self.words.nop])

    def _nested(self, loops: int, calls: int, body: Code) -> Code:
        """The body within loops and calls. Ends of the loops lie one after the other."""
        after = loops + calls + len(body)
        code = [self._repeats(after + loops - n) for n in range(loops)]
        code += [self._call(loops + n + 1) for n in range(calls)]
        return [*code, *body, *[self.words.nop] * (loops + 1)]

    def _repeat(self, labels: Labels) -> Code:
        insn = self.words.by_name[labels[0]]
        count = ["zero", "one", "two", "many"].index(labels[1])
        body = 1 + ["one", "two", "more"].index(labels[2])
        filling = [self.words.nop] * body
        if "as" not in insn.fields:
            return [self.words.word(insn, n=count, e=body), *filling]
        register = self.rng.randrange(len(self.isa.address_registers))
        return [self._set(register, count), self.words.word(insn, **{"as": register, "e": body + 1}), *filling]

    def _branch(self, labels: Labels) -> Code:
        insn, taken, end = self.words.by_name[labels[0]], labels[1] == "taken", labels[2]
        facts = insn.facts
        if facts.sq in ("SqRepeat", "SqRepeatAr"):
            return self._repeat([insn.name, "zero" if taken else "one", "one"])
        if facts.sq == "SqReturn":
            if end == "elsewhere":
                return [self._call(2), self._halt, self.words.word(insn)]
            return self._at_end(insn, 2 if end == "goes_back" else 1, {})
        setting: Code = []
        wishes: dict[str, int] = {}
        if facts.reads_flag:
            flag = taken == (facts.cc == "CcFlag")
            setting = self._compare(["set" if flag else "clear"])
        if facts.reads_address:
            register = self.rng.randrange(len(self.isa.address_registers))
            zero = taken == (facts.cc == "CcZero")
            counts = facts.au == "AuAdd"
            setting = [self._set(register, (0 if zero else 2) + counts)]
            wishes = {"as": register} | ({"ad": register} if counts else {})
        at = len(setting)
        if end == "elsewhere":
            return [*setting, self.words.word(insn, e=at + 1, **wishes)]
        count = 2 if end == "goes_back" else 1
        return [*setting, self._repeats(at + 1, count), self.words.word(insn, e=at + 2, **wishes)]

    # ------------------------------------------------------------- traps, the host

    def _trap(self, labels: Labels) -> Code:
        cause, at_end = labels[0], labels[1] == "loop_end"
        m = self.isa.machine
        words = m["ProgramWords"]
        register = self.rng.randrange(len(self.isa.address_registers))
        if cause == "fetch-out-of-range":
            return [*([self._repeats(words)] if at_end else []), self._jump(words)]
        if cause in ("loop-stack-overflow", "loop-nesting"):
            nested = m["LoopDepth"] if cause == "loop-stack-overflow" else int(at_end)
            code = [self._repeats(nested + 9 - n) for n in range(nested)]
            if at_end:
                code[-1] = self._repeats(nested)
            return [*code, self._repeats(nested + 1 if cause == "loop-stack-overflow" else 0)]
        if cause == "call-stack-overflow":
            code = [self._call(n + 1) for n in range(m["CallDepth"])]
            last = [self._call(0)]
        elif cause == "call-stack-underflow":
            code, last = [], [self.words.word(self.words.does("SqReturn"))]
        elif cause == "illegal-instruction":
            code, last = [], [0]
        elif cause == "table-misaligned":
            table = self.rng.choice([s.name for s in self.isa.spaces if s.banks])
            code, last = [self._set(register, MIDDLE + 1)], [self._with_slot("store", table, self.words.at(register))]
        else:
            slot = self.rng.choice(list(SLOT_FIELDS))
            code, last = [self._set(register, FAR)], [self._with_slot(slot, "", self.words.at(register))]
        return [*code, *([self._repeats(len(code) + 1)] if at_end else []), *last]

    def _trap_slot(self, labels: Labels) -> Code:
        register = self.rng.randrange(len(self.isa.address_registers))
        return [self._set(register, FAR), self._with_slot(labels[0], labels[1], self.words.at(register))]

    def _nesting(self, labels: Labels) -> Code:
        """A REPEAT within one loop, or as one more than the stack holds."""
        rule, reported = labels
        around = self.isa.machine["LoopDepth"] if reported == "overflow" else 1
        far = around + 9
        last = around if rule == "at_end" else far
        loops = [self._repeats(far + around - n) for n in range(1, around)]
        end = {"before_body": 0, "at_end": far + around, "same_end": far}[rule]
        return [*loops, self._repeats(last), self._repeats(end)]

    def _trap_meeting(self, labels: Labels) -> Code:
        if labels[0].startswith("loop"):
            return self._nesting(("same_end", "overflow"))
        table = self.rng.choice([s.name for s in self.isa.spaces if s.banks])
        register = self.rng.randrange(len(self.isa.address_registers))
        return [self._set(register, FAR), self._with_slot("store", table, self.words.at(register))]

    def _effect(self, labels: Labels) -> Code:
        effect, inside = labels
        w = self.words
        functions = {"notify": "SqNotify", "wait": "SqWait", "resume": "SqWait", "halt": "SqHalt"}
        last = w.word(w.does(functions[effect])) if effect in functions else 0
        return self._nested("loop" in inside, "call" in inside, [last])

    def _control(self, labels: Labels) -> Code:
        """Program that leaves the core in a state; the runner then starts or resets it."""
        w = self.words
        return {
            "idle": [],
            "running": [self._jump(0)],
            "waiting": [w.word(w.does("SqWait"))],
            "halted": [self._halt],
            "trapped": [0],
        }[labels[1]]
