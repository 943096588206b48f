"""Programs aimed at program flow, traps and the host."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from lutra.coverage.aimed.pieces import FAR, MIDDLE, SLOT_FIELDS, Aim, Code, Labels, Pieces
from lutra.coverage.aimed.state import compare, contexts
from lutra.coverage.plan import plan
from lutra.isa import Insn
from lutra.iss.fault import Fault

# Words before one that a fault meets in cycle 1: it is not fetched yet.
FETCHED = 8
CONTEXT = "context-fault"


class Depth(Aim):
    point = "loop.depth"

    def code(self, labels: Labels) -> Code:
        return self.p.nested(int(labels[0]), int(labels[1]), [self.p.words.nop])


class Repeat(Aim):
    point = "loop.repeat"

    def code(self, labels: Labels) -> Code:
        name, count, body = labels
        turns = ["zero", "one", "two", "many"].index(count)
        return _repeat(self.p, self.p.words.by_name[name], turns, 1 + ["one", "two", "more"].index(body))


def _repeat(p: Pieces, insn: Insn, turns: int, body: int) -> Code:
    filling = [p.words.nop] * body
    if "as" not in insn.fields:
        return [p.words.word(insn, n=turns, e=body), *filling]
    register = p.register()
    return [p.set(register, turns), p.words.word(insn, **{"as": register, "e": body + 1}), *filling]


class Branch(Aim):
    point = "branch.taken"

    def code(self, labels: Labels) -> Code:
        p, insn = self.p, self.p.words.by_name[labels[0]]
        taken, end = labels[1] == "taken", labels[2]
        count = 2 if end == "goes_back" else 1
        if insn.facts.sq in ("SqRepeat", "SqRepeatAr"):
            return _repeat(p, insn, 0 if taken else 1, 1)
        if insn.facts.sq == "SqReturn":
            return [p.call(2), p.halt, p.words.word(insn)] if end == "elsewhere" else p.at_end(insn, count)
        setting, wishes = self._condition(insn, taken)
        at = len(setting)
        if end == "elsewhere":
            return [*setting, p.words.word(insn, e=at + 1, **wishes)]
        return [*setting, p.repeats(at + 1, count), p.words.word(insn, e=at + 2, **wishes)]

    def _condition(self, insn: Insn, taken: bool) -> tuple[Code, dict[str, int]]:
        """Write what makes the transfer taken or not; returns also the register that it tests."""
        p, facts = self.p, insn.facts
        if facts.reads_flag:
            return compare(p, taken == (facts.cc == "CcFlag")), {}
        if not facts.reads_address:
            return [], {}
        register = p.register()
        zero = taken == (facts.cc == "CcZero")
        counts = facts.au == "AuAdd"
        value = (0 if zero else 2) + counts
        return [p.set(register, value)], {"as": register} | ({"ad": register} if counts else {})


# ------------------------------------------------------------------ traps


class TrapCause(Aim):
    point = "trap.cause"

    def code(self, labels: Labels) -> Code:
        return _CAUSES[labels[0]](self.p, labels[1] == "loop_end")


def _fetch(p: Pieces, at_end: bool) -> Code:
    words = p.isa.machine["ProgramWords"]
    return [*([p.repeats(words)] if at_end else []), p.jump(words)]


def _loops(p: Pieces, at_end: bool, around: int, end: int) -> Code:
    """Write a loop that ends at `end` within others, at the end of the last of which it is or not."""
    code = [p.repeats(around + 9 - n) for n in range(around)]
    if at_end:
        code[-1] = p.repeats(around)
    return [*code, p.repeats(end)]


def _loop_overflow(p: Pieces, at_end: bool) -> Code:
    depth = p.isa.machine["LoopDepth"]
    return _loops(p, at_end, depth, depth + 1)


def _loop_nesting(p: Pieces, at_end: bool) -> Code:
    return _loops(p, at_end, int(at_end), 0)


def _last(p: Pieces, at_end: bool, before: Code, last: int) -> Code:
    """Write a word that traps, the last of a loop or not."""
    return [*before, *([p.repeats(len(before) + 1)] if at_end else []), last]


def _call_overflow(p: Pieces, at_end: bool) -> Code:
    return _last(p, at_end, [p.call(n + 1) for n in range(p.isa.machine["CallDepth"])], p.call(0))


def _call_underflow(p: Pieces, at_end: bool) -> Code:
    return _last(p, at_end, [], p.does("SqReturn"))


def _illegal(p: Pieces, at_end: bool) -> Code:
    return _last(p, at_end, [], 0)


def _misaligned(p: Pieces, at_end: bool) -> Code:
    register, table = p.register(), p.table()
    return _last(p, at_end, [p.set(register, MIDDLE + 1)], p.with_slot("store", table, p.words.at(register)))


def _out_of_range(p: Pieces, at_end: bool) -> Code:
    register, slot = p.register(), p.rng.choice(list(SLOT_FIELDS))
    return _last(p, at_end, [p.set(register, FAR)], p.with_slot(slot, "", p.words.at(register)))


_CAUSES: dict[str, Callable[[Pieces, bool], Code]] = {
    "illegal-instruction": _illegal,
    "fetch-out-of-range": _fetch,
    "address-out-of-range": _out_of_range,
    "table-misaligned": _misaligned,
    "loop-stack-overflow": _loop_overflow,
    "loop-nesting": _loop_nesting,
    "call-stack-overflow": _call_overflow,
    "call-stack-underflow": _call_underflow,
}


class TrapFault(Aim):
    point = "trap.fault"

    def code(self, labels: Labels) -> Code:
        return _struck(self.p, labels[0], labels[1] == "loop_end")

    def faults(self, labels: Labels, code: Code) -> Sequence[Fault]:
        return _fault(labels[0], code)


def _struck(p: Pieces, cause: str, at_end: bool) -> Code:
    """Write a program whose last word uses c0, or is itself wrong, after words that take some cycles."""
    clocks = p.words.matching(lambda i: i.facts.clocks)
    word = p.words.any_of(clocks, c=contexts(p, "c0")) if cause == CONTEXT else p.words.nop
    return _last(p, at_end, [p.words.nop] * FETCHED, word)


def _fault(cause: str, code: Code) -> Sequence[Fault]:
    """Return what the last word of such a program meets."""
    return (Fault(1, "c0", "s3", 1) if cause == CONTEXT else Fault(1, "pm", str(len(code) - 1), 1),)


def _found(p: Pieces) -> str:
    """Return a cause that this core finds."""
    return min(plan().bins(p.rounds)[TrapFault.point]).partition("/")[0]


class TrapSlot(Aim):
    point = "trap.slot"

    def code(self, labels: Labels) -> Code:
        slot, space = labels
        register = self.p.register()
        return [self.p.set(register, FAR), self.p.with_slot(slot, space, self.p.words.at(register))]


class TrapNesting(Aim):
    point = "trap.nesting"

    def code(self, labels: Labels) -> Code:
        return _nested_wrongly(self.p, labels[0], labels[1] == "overflow")


def _nested_wrongly(p: Pieces, rule: str, overflow: bool) -> Code:
    """Write a REPEAT that breaks a rule within one loop, or as one more than the stack holds."""
    around = p.isa.machine["LoopDepth"] if overflow else 1
    far = around + 9
    last = around if rule == "at_end" else far
    loops = [p.repeats(far + around - n) for n in range(1, around)]
    end = {"before_body": 0, "at_end": far + around, "same_end": far}[rule]
    return [*loops, p.repeats(last), p.repeats(end)]


class TrapMeeting(Aim):
    point = "trap.meeting"

    def code(self, labels: Labels) -> Code:
        p = self.p
        if labels[0].startswith("loop"):
            return _nested_wrongly(p, "same_end", overflow=True)
        table, register = p.table(), p.register()
        return [p.set(register, FAR), p.with_slot("store", table, p.words.at(register))]


# ------------------------------------------------------------------ the host


class HostEffect(Aim):
    point = "host.effect"

    def code(self, labels: Labels) -> Code:
        effect, inside = labels
        functions = {"notify": "SqNotify", "wait": "SqWait", "resume": "SqWait", "halt": "SqHalt"}
        last = self.p.does(functions[effect]) if effect in functions else 0
        return self.p.nested("loop" in inside, "call" in inside, [last])


class HostControl(Aim):
    point = "host.control"

    def code(self, labels: Labels) -> Code:
        """Write what leaves the core in a state; the runner then does what the host does."""
        p = self.p
        states: dict[str, Callable[[], Code]] = {
            "idle": list,
            "running": lambda: [p.jump(0)],
            "waiting": lambda: [p.does("SqWait")],
            "halted": lambda: [p.halt],
            "trapped": lambda: [0],
            "faulted": lambda: _struck(p, _found(p), at_end=False),
            "locked": list,
        }
        return states[labels[1]]()

    def faults(self, labels: Labels, code: Code) -> Sequence[Fault]:
        return _fault(_found(self.p), code) if labels[1] == "faulted" else ()
