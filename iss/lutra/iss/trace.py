"""Retired instructions as text: the lines of a trace, and the report of a divergence."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from lutra.asm import Image, disassemble
from lutra.isa import load
from lutra.iss.engine import Engine
from lutra.iss.operands import Values
from lutra.iss.retire import Raw, Record, source_chain, source_line, source_text


class Names:
    """The labels of an image: of program addresses and of rows, each with the distance from the label before it."""

    def __init__(self, image: Image | None = None) -> None:
        self.image = image
        isa = load()
        step = isa.machine["VectorBytes"]
        # By space: address -> name.
        self._names = {
            space.name: self._named(space.name, range(0, isa.size(space), 1 if space.is_program else step))
            for space in isa.spaces
        }
        self._program = isa.program.name

    def _named(self, space: str, addresses: range) -> dict[int, str]:
        labels = {} if self.image is None else self.image.labels(space)
        if not labels:
            return {}
        label, at = "", 0
        found = {}
        for address in range(addresses.start, addresses.stop):
            if address in labels:
                label, at = labels[address], address
            if label and address in addresses:
                found[address] = label if address == at else f"{label}+{_distance(address - at)}"
        return found

    def label(self, pc: int) -> str:
        """`main+2`, or an empty text."""
        return self._names[self._program].get(pc, "")

    def source(self, pc: int) -> str:
        """`first.s:8`, or an empty text."""
        return source_line(self.image, pc)

    def chain(self, pc: int) -> list[str]:
        """`round.inc:3` and `first.s:8`: the line of a macro, and the calls that led to it."""
        return source_chain(self.image, pc)

    def place(self, pc: int) -> str:
        """`first.s:8 > round.inc:3 main+2`: the outermost call and the line, and the label."""
        return f"{source_text(self.image, pc)} {self.label(pc)}".strip()

    def instruction(self, word: int, pc: int) -> str:
        """A word as a line of assembly, with the names of targets and rows."""
        return disassemble(word, pc, self._names[self._program], self._names)


def _distance(units: int) -> str:
    return str(units) if units < 10 else hex(units)


@dataclass(frozen=True)
class Line:
    """One retired instruction with its known values; its text is a line of a trace.

    instruction: as assembly. source: `file:line`, for a macro's the outermost call. label: with the distance from it.
    chain: `file:line` of the line itself and of each call that led to it. place: all of these in short. inputs: what
    was read, by name.
    """

    record: Record
    instruction: str
    source: str
    label: str
    chain: Sequence[str]
    place: str
    inputs: Mapping[str, str]

    def __str__(self) -> str:
        """cycle, pc, instruction, source line and label, what was read -> effects."""
        record, place = self.record, self.place
        read = "".join(f"{name}={value} " for name, value in self.inputs.items())
        did = " ".join(["->", *record.texts]) if record.texts else ""
        return f"{record.cycle:>8}  {record.pc:04x}  {self.instruction:<40}  {place:<24}  {read}{did}".rstrip()

    def document(self) -> dict[str, Any]:
        """The same as what JSON can hold; vectors are their digits."""
        return {
            "cycle": self.record.cycle,
            "pc": self.record.pc,
            "instruction": self.instruction,
            "source": self.source,
            "chain": list(self.chain),
            "label": self.label,
            "inputs": dict(self.inputs),
            "effects": self.record.effects(),
            "fields": {name: _plain(value) for name, value in self.record.fields.items()},
        }


def _plain(value: Any) -> Any:
    """A field's value as JSON knows it."""
    if isinstance(value, dict):
        return {str(key): _plain(one) for key, one in value.items()}
    return value.hex() if isinstance(value, bytes) else value


class Trace:
    """Makes lines of records, which are given in their order, each once.

    values: values known before the first of them; the records give the rest.
    """

    def __init__(self, image: Image | None = None, values: Values | None = None) -> None:
        self.names = Names(image)
        self._values = values or Values()
        self._known: dict[tuple[int, int], tuple[str, str, str, Sequence[str], str]] = {}

    @classmethod
    def of(cls, engine: Engine) -> Trace:
        """Return the trace of everything that an engine runs from now on."""
        return cls(engine.image, Values.of(engine))

    def line(self, record: Record) -> Line:
        """The next record with its texts and inputs."""
        place = record.pc, record.insn
        if place not in self._known:
            (pc, insn), names = place, self.names
            self._known[place] = (
                names.instruction(insn, pc),
                names.source(pc),
                names.label(pc),
                names.chain(pc),
                names.place(pc),
            )
        inputs = self._values.inputs(record)
        self._values.follow(record)
        return Line(record, *self._known[place], inputs)


def divergence_report(
    what: str, at: Raw | None, differences: Sequence[str], history: Sequence[Raw], image: Image | None
) -> str:
    """The first divergence: where, the effects that differ, and the instructions before it."""
    trace = Trace(image)
    before = [str(trace.line(Record(*raw))) for raw in history]
    lines = [f"simulator and RTL diverge: {what}"]
    if at is not None:
        lines.append(f"  at {str(trace.line(Record(*at))).strip()}")
    lines += [f"  {line}" for line in differences]
    if before:
        lines.append("  the instructions before it, on which both agree:")
        lines += [f"    {line}" for line in before]
    return "\n".join(lines)
