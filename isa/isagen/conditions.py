"""Words of isa/hazards.td that say when an instruction makes an access.

Each knows what it means in the same places as a selector (`isagen.selectors`).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass

from isagen.description import Function
from isagen.model import Isa
from isagen.records import InsnFacts, Way
from isagen.text import any_of, camel, inside
from isagen.ways import way


@dataclass(frozen=True)
class Condition(ABC):
    """Condition of an access."""

    isa: Isa
    args: tuple[str | int, ...]

    @abstractmethod
    def fits(self, facts: InsnFacts) -> bool:
        """Whether it can hold for an instruction."""

    def ways(self) -> list[Way]:
        """How it is made to hold for one that it fits."""
        return [way()]

    @abstractmethod
    def sv(self) -> str:
        """The condition on the control word, in SystemVerilog."""

    @abstractmethod
    def cpp(self) -> str:
        """The condition on encoding and word, in C++."""


class Ready(Condition):
    """The result is ready at the end of a stage."""

    def _second(self) -> bool:
        return self.args == ("StageX2",)

    def fits(self, facts: InsnFacts) -> bool:
        return facts.vector and facts.x2_ready == self._second()

    def sv(self) -> str:
        return "ctl.x2_ready" if self._second() else "!ctl.x2_ready"

    def cpp(self) -> str:
        return "e.x2_ready" if self._second() else "!e.x2_ready"


class Sources(Condition):
    """The sources are needed early or late."""

    def _early(self) -> bool:
        return self.args == ("early",)

    def fits(self, facts: InsnFacts) -> bool:
        return facts.vector and facts.early == self._early()

    def sv(self) -> str:
        return "ctl.early" if self._early() else "!ctl.early"

    def cpp(self) -> str:
        return "e.early" if self._early() else "!e.early"


class Uses(Condition):
    """The path looks up in a table bank."""

    def _bank(self) -> int:
        return self.isa.banks().index(str(self.args[0]))

    def fits(self, facts: InsnFacts) -> bool:
        return self._bank() in facts.lookups

    def sv(self) -> str:
        return f"ctl.{str(self.args[0]).lower()} != LookupPass"

    def cpp(self) -> str:
        return f"e.lookup{self._bank()}"


class Does(Condition):
    """The path has one of these functions, all of one end or control block and none its default."""

    def _functions(self) -> list[Function]:
        table = self.isa.endpoint_functions | self.isa.control_functions
        return [table[str(name)] for name in self.args]

    def fits(self, facts: InsnFacts) -> bool:
        return any(end in self.args for end in (facts.src, facts.res, facts.au, facts.cc, facts.sq))

    def sv(self) -> str:
        rows = [f"{camel(f.kind.lower())}{camel(f.symbol)}" for f in self._functions()]
        return inside(f"ctl.{self._functions()[0].kind.lower()}", rows)

    def cpp(self) -> str:
        rows = [f"e.{f.kind.lower()} == {camel(f.kind.lower())}::{camel(f.symbol)}" for f in self._functions()]
        return any_of(rows)


class Enters(Condition):
    """wk, or the hash unit's sum, enters the path."""

    def _sum(self) -> bool:
        return self.args == ("GY",)

    def fits(self, facts: InsnFacts) -> bool:
        return facts.reads_sum if self._sum() else True in facts.whitening

    def ways(self) -> list[Way]:
        return [way() if self._sum() else way({"w": 1})]

    def sv(self) -> str:
        return "ctl.l1_z == L1ZGY" if self._sum() else "ctl.use_w"

    def cpp(self) -> str:
        return "e.reads_sum" if self._sum() else "e.w_field && d.w"


class Beside(Condition):
    """The hash unit does something beside the path."""

    def fits(self, facts: InsnFacts) -> bool:
        return facts.beside == self.args[0]

    def ways(self) -> list[Way]:
        field = str(self.args[0])
        contents = (c for insn in self.isa.described for c in self.isa.facts[insn.record].contents)
        codes = {code for c in contents if c.field == field for code in c.codes} - {0}
        return [way({field: code}) for code in sorted(codes)]

    def sv(self) -> str:
        return f"ctl.{self.args[0]} != '0"

    def cpp(self) -> str:
        return f"d.{self.args[0]} != 0"


class Moves(Condition):
    """A move beside the path."""

    def fits(self, facts: InsnFacts) -> bool:
        return facts.move

    def ways(self) -> list[Way]:
        return [way({"mv": next(m.code for m in self.isa.moves if m.record == self.args[0])})]

    def sv(self) -> str:
        return f"ctl.mv == {self.args[0]}"

    def cpp(self) -> str:
        return f"e.move && d.mv == SideMove::{str(self.args[0]).removeprefix('Move')}"


class Clocks(Condition):
    """A stream context is clocked."""

    def fits(self, facts: InsnFacts) -> bool:
        return facts.clocks

    def ways(self) -> list[Way]:
        sets = range(1 << self.isa.machine["StreamContexts"])
        return [way({"c": mask}) for mask in sets if mask >> int(self.args[0]) & 1]

    def sv(self) -> str:
        return f"ctl.c[{self.args[0]}]"

    def cpp(self) -> str:
        return f"e.clocks && ((d.c >> {self.args[0]}) & 1)"


class Streams(Condition):
    """The path goes through the stream unit with one of these functions."""

    def fits(self, facts: InsnFacts) -> bool:
        return facts.stream in self.args

    def sv(self) -> str:
        return inside("ctl.st", [f"Stream{camel(self.isa.functions[str(name)].symbol)}" for name in self.args])

    def cpp(self) -> str:
        return any_of([f"e.op == Op::{i.record}" for i in self.isa.insns if self.fits(self.isa.facts[i.record])])


class Pairs(Condition):
    """The second half pairs two values by one of these functions."""

    def fits(self, facts: InsnFacts) -> bool:
        return facts.pairing in self.args

    def sv(self) -> str:
        joint = self.isa.joint
        return inside(f"ctl.{joint.record.lower()}", [f"Pairing{n}" for n in self.args]) if joint else "1'b0"

    def cpp(self) -> str:
        return any_of([f"e.op == Op::{i.record}" for i in self.isa.insns if self.fits(self.isa.facts[i.record])])
