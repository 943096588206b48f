"""Give every name a register, and `.interleave` its order: the pass between layout and contents."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from lutra.asm.analysis.graph import Graph
from lutra.asm.errors import Line, LineError
from lutra.asm.passes.define import Unit
from lutra.asm.passes.layout import Placed
from lutra.asm.passes.nodes import Directive, Instruction, Str
from lutra.asm.passes.virtual import is_virtual, registers_of, with_registers
from lutra.asm.registers.assign import Problem, solve
from lutra.asm.registers.interleave import Member, merged
from lutra.asm.registers.local import Local, Localiser
from lutra.asm.registers.values import Steps, Value, all_values
from lutra.asm.reporter import Reporter
from lutra.isa import Isa

_NUMBER = "#"  # between a name and the number of a value


def plain(name: str) -> str:
    """The name of a value as it is written."""
    return name.partition(_NUMBER)[0]


def wanted(units: Iterable[Unit]) -> bool:
    """Whether a program has names or streams: all others are left as they are."""
    return any(unit.names or unit.streams for unit in units)


class Allocation:
    """The values of a program's names, and their registers.

    locals: the instructions by program address. chosen: the register of each value.
    """

    def __init__(self, isa: Isa, placed: Sequence[Placed], entries: Iterable[int], reporter: Reporter) -> None:
        self._isa, self._reporter, self._entries = isa, reporter, set(entries)
        self._numbered = [v.name for v in isa.vectors if v.code < isa.machine["VectorRegs"]]
        self._known = frozenset(self._numbered)
        self.placed = list(placed)
        self.chosen: dict[Value, str] = {}
        self._read()

    def _read(self) -> None:
        """Decode all instructions, and find their values."""
        localiser, bits = Localiser(self._isa), self._isa.machine["InsnBits"]
        self.locals: dict[int, Local] = {}
        self.program: dict[int, int] = {}
        self.failed = False
        for item in self.placed:
            if isinstance(item.body, Instruction):
                try:
                    local = localiser.local(item)
                except LineError as problem:
                    self._reporter.problem(item.line, problem)
                    self.failed = True
                    continue
                self.locals[item.address], self.program[item.address] = local, local.word
            elif item.section.space.is_program:
                for i, arg in enumerate(arg for arg in item.body.args if not isinstance(arg, Str)):
                    word = item.unit.scope.value(arg, item.address) & (1 << bits) - 1
                    self.program[item.address + i] = word
        self.graph = Graph(self.program, self._entries)
        self.named = {pc: self._names(local) for pc, local in self.locals.items() if pc in self.graph.words}
        self.steps = Steps(self.graph, self._entries)
        self.values = all_values(self.named, self.steps)
        self.set_at = {(pc, value.name): value for value in self.values for pc in value.sets}
        self.used_at = {(pc, value.name): value for value in self.values for pc in value.uses}

    def _names(self, local: Local) -> tuple[frozenset[str], frozenset[str]]:
        def registers(cells: frozenset[str]) -> frozenset[str]:
            return frozenset(cell for cell in cells if cell in self._known or is_virtual(cell))

        return registers(local.cells.reads), registers(local.cells.writes)

    def run(self, units: Iterable[Unit]) -> list[Placed]:
        """Return what is placed, with registers instead of names and in the order of `.interleave`; report errors."""
        if not self.failed:
            self.interleave(units)
        if not self.failed:
            self.choose()
        return self.assigned()

    # ------------------------------------------------------------------ streams

    def interleave(self, units: Iterable[Unit]) -> None:
        """Give the words of every `.interleave` their order."""
        regions: dict[int, list[tuple[Placed, int]]] = {}
        streams = {id(line): place for unit in units for line, place in unit.streams.values()}
        for item in self.placed:
            place = streams.get(id(item.line))
            if place is not None:
                regions.setdefault(place[0], []).append((item, place[1]))
        orders = [self._order(members) for members in regions.values()]
        if any(orders):
            self._apart()
            for members, order in zip(regions.values(), orders, strict=True):
                self._move([item.line for item, _ in members], order)
            self.placed.sort(key=lambda item: (item.section.name, item.address))
            self._read()

    def _order(self, region: Sequence[tuple[Placed, int]]) -> list[int]:
        """Return the new order of a block's instructions; none if there is an error."""
        items = [item for item, _ in region]
        last = items[-1].line.root
        for item in items:
            if isinstance(item.body, Directive) or item.address not in self.locals:
                text = f"{item.body.name} cannot be interleaved" if isinstance(item.body, Directive) else ""
                if text:
                    self._reporter.report(item.line, text, item.body.col, item.body.end, "only instructions can")
                return []
            if self.locals[item.address].cells.fixed:
                hint = "put the transfer around .interleave"
                text = f"{self.locals[item.address].body.mnemonic} cannot be interleaved"
                self._reporter.report(item.line, text, item.body.col, item.body.end, hint)
                return []
        number = {value: n for n, value in enumerate(self.values)}
        members = [self._member(self.locals[item.address], stream, number) for item, stream in region]
        ignore = frozenset(name for member in members for name in self._registers(member))
        order = merged(members, ignore)
        if order == sorted(order) and len({stream for _, stream in region}) > 1:
            self._reporter.report(
                last,
                "the streams of .interleave run one after the other",
                len(last.text) - len(last.text.lstrip()),
                len(last.text),
                "each waits for the one before: use names for what a stream sets, and address registers of "
                "their own for what it reads and for what it writes",
            )
            return []
        return order

    def _apart(self) -> None:
        """Give each value a name of its own, since names alone no longer tell values apart in another order."""
        number = {value: n for n, value in enumerate(self.values)}

        def name(value: Value) -> str:
            return f"{value.name}{_NUMBER}{number[value]}" if is_virtual(value.name) else value.name

        own = {value: name(value) for value in self.values}
        for i, item in enumerate(self.placed):
            local = self.locals.get(item.address) if isinstance(item.body, Instruction) else None
            if local is not None and local.register and item.address in self.named:
                self.placed[i] = item._replace(body=self._named_by(local, own))

    def _move(self, lines: Sequence[Line], order: Sequence[int]) -> None:
        """Put the instructions of a block, which have these lines, in their new order."""
        at = {id(line): i for i, line in enumerate(lines)}
        items = [item for item in self.placed if id(item.line) in at]
        where = {id(items[n]): items[0].address + i for i, n in enumerate(order)}
        self.placed = [item._replace(address=where.get(id(item), item.address)) for item in self.placed]

    def _member(self, local: Local, stream: int, number: Mapping[Value, int]) -> Member:
        pc, cells = local.item.address, local.cells
        reads, writes = self.named.get(pc, (frozenset(), frozenset()))
        uses = frozenset(number[self.used_at[pc, name]] for name in reads)
        return Member(stream, cells, frozenset(number[self.set_at[pc, name]] for name in writes), uses)

    def _registers(self, member: Member) -> Iterable[str]:
        cells = member.cells.reads | member.cells.writes
        return (cell for cell in cells if cell in self._known or is_virtual(cell))

    # ------------------------------------------------------------------ registers

    def choose(self) -> None:
        """Choose a register for each value; report names that are not set, and values that do not fit."""
        for value in self.values:
            if is_virtual(value.name):
                for pc in sorted(value.unset)[:1]:
                    self._unset(self.locals[pc], value.name)
        if self.failed:
            return
        problem, number = self._problem()
        registers = solve(problem)
        if registers is None:
            self._does_not_fit()
            return
        self.chosen = {value: self._numbered[registers[n]] for value, n in number.items()}

    def _problem(self) -> tuple[Problem, dict[Value, int]]:
        problem = Problem()
        any_, codes = (1 << len(self._numbered)) - 1, {name: 1 << n for n, name in enumerate(self._numbered)}
        number = {v: problem.add(codes.get(v.name, any_), v.first) for v in self.values}
        alive = self._alive()
        for (pc, _), value in self.set_at.items():
            for other in alive[pc]:
                problem.differ(number[value], number[other])
        for pc, local in self.locals.items():
            if pc in self.named:
                for a, b in local.pairs:
                    problem.pairs.append((number[self.set_at[pc, a]], number[self.set_at[pc, b]]))
        return problem, number

    def _alive(self) -> dict[int, set[Value]]:
        """Return, by word, the values that have a register after it."""
        alive: dict[int, set[Value]] = {pc: set() for pc in self.graph.words}
        for value in self.values:
            for pc in value.after | value.sets:
                alive[pc].add(value)
        return alive

    def _unset(self, local: Local, name: str) -> None:
        self.failed = True
        at = next((r for r in _places(local) if r[0] == name), (name, local.body.col, local.body.end))
        hint = "set it on every path to here, also before a loop that changes it"
        self._reporter.report(local.item.line, f"'{plain(name)}' is used before it is set", at[1], at[2], hint)

    def _does_not_fit(self) -> None:
        """Report the place where most values are alive."""
        alive = self._alive()
        pc = max((pc for pc in alive if pc in self.locals), key=lambda pc: (len(alive[pc]), -pc))
        local, count, there = self.locals[pc], len(alive[pc]), len(self._numbered)
        if count > there:
            text = f"{count} values are alive here, there are {there} registers"
            also = "use one of them earlier, set it later, or keep it in memory"
        else:
            text = f"no registers are found for the {count} values that are alive here"
            also = "write out the registers of a pair, or keep a value in memory"
        shown = ", ".join(self._shown(value) for value in sorted(alive[pc], key=lambda v: (v.first, v.name)))
        self._reporter.report(local.item.line, text, local.body.col, local.body.end, f"{shown}; {also}")

    def _shown(self, value: Value) -> str:
        if not is_virtual(value.name) or not value.sets:
            return plain(value.name)
        line = self.locals[min(value.sets)].item.line
        return f"{plain(value.name)} (line {line.number})"

    def register(self, pc: int, name: str) -> str:
        """Return the register of a name in an instruction."""
        value = self.set_at.get((pc, name)) or self.used_at.get((pc, name))
        return self.chosen.get(value, name) if value is not None else name

    def assigned(self) -> list[Placed]:
        """Return everything that is placed, with registers instead of names."""
        out = []
        for item in self.placed:
            local = self.locals.get(item.address) if isinstance(item.body, Instruction) else None
            if local is None and isinstance(item.body, Instruction):
                continue  # has an error
            if local is None or not local.register:
                out.append(item)
            elif item.address not in self.named or not self.chosen:
                out.append(item._replace(body=with_registers(local.body, local.register)))
            else:
                out.append(item._replace(body=self._named_by(local, self.chosen)))
        return out

    def _named_by(self, local: Local, name: Mapping[Value, str]) -> Instruction:
        """Replace names by those of their values. An instruction may use one value of a name and set the next one."""
        pc = local.item.address
        to = {name_: name[self.set_at[pc, name_]] for name_ in self.named[pc][1] if is_virtual(name_)}
        of = {name_: name[self.used_at[pc, name_]] for name_ in self.named[pc][0] if is_virtual(name_)}
        # A source that does not enter the path has any register.
        maps = ({**local.register, **of, **to}, {**local.register, **to, **of})
        operands = (
            with_registers(local.body._replace(operands=(node,)), maps[0 if sets else 1]).operands[0]
            for node, sets in zip(local.body.operands, local.sets, strict=True)
        )
        return local.body._replace(operands=tuple(operands))


def _places(local: Local) -> Iterable[tuple[str, int, int]]:
    return ((reg.name, reg.col, reg.end) for operand in local.body.operands for reg in registers_of(operand))
