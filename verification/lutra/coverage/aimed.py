"""Random programs aimed at bins of the plan: what a bin is about stands as it must, all else is random.

One method a coverpoint, which takes the bin's labels. Each program ends at once; what it does not end in is a halt.
"""

from __future__ import annotations

import random
from collections.abc import Sequence

from lutra.coverage.plan import plan
from lutra.coverage.words import NoSuchWordError, Words
from lutra.isa import Insn, load

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


class Aim:
    """Makes programs for a core with ROUNDS_PER_INSTR = rounds."""

    def __init__(self, rng: random.Random, rounds: int) -> None:
        self.isa = load()
        self.rng = rng
        self.rounds = rounds
        self.words = Words(self.isa, rng, rounds)
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
        plain = min(w.those(lambda i: [o.kind for o in i.operands] == ["dst", "sum"]), key=lambda i: len(i.path))
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
        return self.words.any_of(self.words.those(lambda i: i.vector), **wishes)

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
        msb, lsb = insn.fields["n"]
        high = (1 << (msb - lsb + 1)) - 1
        operand = next(o for o in insn.operands if "n" in o.fields)
        last = min(operand.high, high)
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

    def _loop_end(self, labels: Labels) -> Code:
        insn = self.words.by_name[labels[0]]
        count = 2 if labels[1] == "goes_back" else 1
        return self._at_end(insn, count, {})

    def _at_end(self, insn: Insn, count: int, wishes: dict[str, int]) -> Code:
        """The instruction as the last and only one of a loop; a return gets its call. Transfers go behind it."""
        if any(s.function == "SqReturn" for s in insn.path):
            # The call returns to the halt behind it.
            return [self._call(2), self._halt, self._repeats(3, count), self.words.word(insn)]
        target = {"e": 2} if insn.transfer and "e" in insn.fields else {}
        return [self._repeats(1, count), self.words.word(insn, **(target | wishes))]

    # ------------------------------------------------------------------- hazards

    def _hazard(self, name: str, consumer: str, hazard: str, producer: str, distance: str) -> Code:
        insns = [self.words.by_name[name]] if name else self.words.insns
        fillers = [self.words.nop] * (int(distance) - 1)
        producing, wishes, wanted = self._pair(consumer, hazard, producer)
        consuming = self.words.any_of([i for i in insns if wanted(i)], **wishes)
        # A transfer goes to what is behind it.
        at = len(producing) + len(fillers)
        insn = next(i for i in insns if consuming & i.mask == i.match)
        if insn.transfer and "e" in insn.fields:
            lsb = insn.fields["e"][1]
            consuming &= ~(0xFFFF << lsb)
            consuming |= (at + 1) << lsb
        return [*producing, *fillers, consuming]

    def _pair(self, consumer: str, hazard: str, producer: str):  # type: ignore[no-untyped-def]
        """Words of a producer, wishes for its consumer, and which instructions can be that."""
        w, rng = self.words, self.rng
        register = rng.randrange(len(self.isa.address_registers))

        def path(*blocks: str):  # type: ignore[no-untyped-def]
            return lambda i: any(s.block in blocks for s in i.path)

        def anything(_: Insn) -> bool:
            return True

        vector_field = {"a": "ra", "b": "rb", "move": "rc"}.get(consumer, "")
        if hazard in ("vector_half1", "vector_half2", "stored"):
            half2 = hazard == "vector_half2" or (hazard == "stored" and rng.random() < 0.5)
            code, word = self._writer(half2, producer or "result")
            wishes = {vector_field: code}
            if consumer == "move":
                wishes["mv"] = next(m.code for m in self.isa.moves if m.record == "MoveStore")
            return [word], wishes, self._reads(consumer)
        if hazard == "special":
            special = producer or ("wk" if consumer == "wk" else rng.choice(["ctr", "wk"]))
            if consumer == "move":
                special = "ctr"
            code = self._code_of(special)
            word = self._any(rd=code, ss=0, sb=0)
            if consumer == "wk":
                return [word], {"w": 1} if rng.random() < 0.9 else {}, self._takes_w
            if consumer == "move":
                return [word], {"mv": next(m.code for m in self.isa.moves if m.record == "MoveHoldCtr")}, anything
            return [word], {vector_field: code}, self._reads(consumer)
        if hazard == "memory":
            blocks = [s for s in self.isa.spaces if s.blocks and (not producer or s.name == producer)]
            space = rng.choice(blocks)
            store = self._any(sb=space.code, ss=w.slot())
            if consumer == "data":
                return [store], {"db": space.blocks[0], "ds": w.slot()}, anything
            return [store], {}, lambda i: space.blocks[0] in i.key_blocks and "ks" in i.fields
        if hazard in ("table0", "table1", "table1_parallel"):
            bank = 0 if hazard == "table0" else 1
            space = rng.choice([s for s in self.isa.spaces if bank in s.banks and (not producer or s.name == producer)])
            store = self._any(sb=space.code, ss=w.slot())
            if consumer == "path":
                return [store], {}, path(f"T{bank}")
            return [store], {"c": rng.choice([1 << bank, 3])}, anything
        if hazard == "table1_port":
            return [w.any_of(w.those(path("T1")))], {"c": rng.choice([2, 3])}, anything
        if hazard == "address":
            lane = w.word(w.does("ToAddress", alone=False), ad=register, ra=w.zero)
            field = SLOT_FIELDS.get(consumer, consumer)
            suffix = rng.choice(["", "++"])
            wishes = {field: w.at(register, suffix) if consumer in SLOT_FIELDS else register}
            return [lane], wishes, lambda i: field != "ad" or i.vector or self._writes_address(i)
        if hazard == "flag":
            compare = w.any_of(w.those(lambda i: any(s.function == "SetFlag" for s in i.path)))
            return [compare], {}, lambda i: any(s.function in ("CcFlag", "CcNotFlag") for s in i.path)
        raise NoSuchWordError

    def _writer(self, half2: bool, result: str) -> tuple[int, int]:
        """A register and a word that writes it, as first result or as partner."""
        w, pair = self.words, result == "partner"
        insns = w.those(
            lambda i: (
                i.vector
                and "rd" in i.fields
                and (i.latency == 2) == half2
                and any(o.kind == "dst_pair" for o in i.operands) == pair
            )
        )
        code = self.rng.randrange(self.isa.machine["VectorRegs"])
        code = code & ~1 if pair else code
        return code + pair, w.any_of(insns, rd=code)

    def _reads(self, consumer: str):  # type: ignore[no-untyped-def]
        return lambda i: i.vector and (consumer != "a" or i.path[0].block != "SRC")

    @staticmethod
    def _takes_w(insn: Insn) -> bool:
        return any("W" in s.sides.split(", ") for s in insn.path)

    @staticmethod
    def _writes_address(insn: Insn) -> bool:
        return any(s.function in ("AuSet", "AuAdd", "AuAnd", "AuShr") for s in insn.path)

    def _bypass(self, name: str, operand: str, half: str, result: str, stage: str) -> Code:
        stages = plan_stages(self.rounds)
        half2 = half == "half2" or (not half and self.rng.random() < 0.5 and stage != stages[0])
        code, word = self._writer(half2, result)
        insns = [self.words.by_name[name]] if name else self.words.those(self._reads(operand))
        fillers = [self.words.nop] * stages.index(stage)
        return [word, *fillers, self.words.any_of(insns, **{{"a": "ra", "b": "rb"}[operand]: code})]

    # --------------------------------------------------------- memory, addresses

    def _with_slot(self, slot: str, space: str, value: int) -> int:
        """A word whose slot reads or writes a space, or any for an empty name."""
        wishes = {SLOT_FIELDS[slot]: value}
        if space and slot != "key":
            wishes["db" if slot == "data" else "sb"] = self._spaces[space].code
        blocks = self._spaces[space].blocks if space and slot == "key" else ()
        return self.words.any_of(self.words.those(lambda i: i.vector and set(blocks) <= set(i.key_blocks)), **wishes)

    def _alignment(self, labels: Labels) -> Code:
        slot, space, byte = labels
        register = self.rng.randrange(len(self.isa.address_registers))
        return [self._set(register, MIDDLE + int(byte)), self._with_slot(slot, space, self.words.at(register))]

    def _ports(self, labels: Labels) -> Code:
        key, data, store = labels
        blocks = () if key == ABSENT else tuple(b for n in key.split(":") for b in self._spaces[n].blocks)
        insns = self.words.those(lambda i: i.vector and tuple(i.key_blocks) == blocks)
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
        up = self.isa.pattern_by_suffix[suffix].delta == "plus_step"
        after = MIDDLE + (STEP if up else -STEP)
        beyond = -STEP if up else STEP
        end = after + {"inside": -beyond, "at_end": 0, "beyond": beyond}[where]
        register = self.rng.randrange(len(self.isa.address_registers))
        setting = [self._set(register, MIDDLE), self._set_step(register, STEP)]
        return [
            *setting,
            self._set_window(register, STEP, end),
            self._with_slot(slot, "", self.words.at(register, suffix)),
        ]

    def _carry(self, labels: Labels) -> Code:
        suffix, slot, carry = labels[0].removeprefix("ar"), labels[1], labels[2] == "carry"
        delta = self.isa.pattern_by_suffix[suffix].delta
        register = self.rng.randrange(len(self.isa.address_registers))
        at = 0 if carry and delta == "minus_row" else MIDDLE
        step = HUGE if carry else STEP
        return [
            self._set(register, at),
            self._set_step(register, step),
            self._with_slot(slot, "", self.words.at(register, suffix)),
        ]

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
        return [self.words.any_of(self.words.those(lambda i: not i.transfer), **{"as": register})]

    def _vector_register(self, labels: Labels) -> Code:
        role, code = labels[0], int(labels[1].removeprefix("v"))
        if role == "partner":
            pairs = self.words.those(lambda i: any(o.kind == "dst_pair" for o in i.operands))
            return [self.words.any_of(pairs, rd=code - 1)]
        if role == "moved":
            store = next(m.code for m in self.isa.moves if m.record == "MoveStore")
            return [self._any(mv=store, rc=code)]
        insns = self.words.those(self._reads(role))
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
        insns = self.words.those(self._reads("a"))
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
        clocks = self.words.those(lambda i: "c" in i.fields)
        now, before = (self.words.any_of(clocks, c=self._contexts(label)) for label in labels[:2])
        return [before, *([] if labels[2] == "next" else [self.words.nop]), now]

    # -------------------------------------------------------------- program flow

    def _depth(self, labels: Labels) -> Code:
        return self._nested(int(labels[0]), int(labels[1]), [self.words.nop])

    def _nested(self, loops: int, calls: int, body: Code) -> Code:
        """The body within loops and calls. Ends of the loops lie one behind the other."""
        behind = loops + calls + len(body)
        code = [self._repeats(behind + loops - n) for n in range(loops)]
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
        functions = {s.function for s in insn.path}
        if functions & {"SqRepeat", "SqRepeatAr"}:
            return self._repeat([insn.name, "zero" if taken else "one", "one"])
        if "SqReturn" in functions:
            if end == "elsewhere":
                return [self._call(2), self._halt, self.words.word(insn)]
            return self._at_end(insn, 2 if end == "goes_back" else 1, {})
        setting: Code = []
        wishes: dict[str, int] = {}
        if functions & {"CcFlag", "CcNotFlag"}:
            flag = taken == ("CcFlag" in functions)
            setting = self._compare(["set" if flag else "clear"])
        if "as" in insn.fields:
            register = self.rng.randrange(len(self.isa.address_registers))
            zero = taken == ("CcZero" in functions)
            counts = "AuAdd" in functions
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
        return {
            "before_body": [self._repeats(0)],
            "at_end": [self._repeats(1), self._repeats(5)],
            "same_end": [self._repeats(3), self._repeats(3), self.words.nop, self.words.nop],
        }[labels[0]]

    def _effect(self, labels: Labels) -> Code:
        effect, inside = labels
        w = self.words
        functions = {"notify": "SqNotify", "wait": "SqWait", "resume": "SqWait", "halt": "SqHalt"}
        last = w.word(w.does(functions[effect])) if effect in functions else 0
        return self._nested("loop" in inside, "call" in inside, [last])

    def _control(self, labels: Labels) -> Code:
        """What leaves the core in a state; the runner then starts or resets it."""
        w = self.words
        return {
            "idle": [],
            "running": [self._jump(0)],
            "waiting": [w.word(w.does("SqWait"))],
            "halted": [self._halt],
            "trapped": [0],
        }[labels[1]]


def plan_stages(rounds: int) -> list[str]:
    """Stages that a register can come from, by the distance to its producer from 1 on."""
    point = plan().by_name["insn.bypass"]
    found = {label.split("/")[2] for label in plan().bins(rounds)["insn.bypass"]}
    return [label for label in point.dimensions[2][1] if label in found]
