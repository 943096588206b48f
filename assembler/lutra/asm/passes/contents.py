"""Fill the memories: encode every instruction and place the bytes of every directive."""

from __future__ import annotations

from collections.abc import Sequence

from lutra.asm.errors import Line, LineError, Origin
from lutra.asm.passes.layout import WIDTHS, Placed
from lutra.asm.passes.nodes import Directive, Instruction, Str
from lutra.asm.passes.packing import check_range
from lutra.asm.passes.parts import PartsEncoder
from lutra.asm.reporter import Reporter
from lutra.isa import Isa

_NO_CALL = ("", 0)  # a place that no line has


class Contents:
    """Contents of the memories; an overlap is an error."""

    def __init__(self, isa: Isa, reporter: Reporter) -> None:
        self.program: list[int] = []
        self.lines: dict[int, tuple[str, int]] = {}
        self._isa = isa
        self._reporter = reporter
        self._encoder = PartsEncoder(isa)
        self._row = isa.machine["VectorBytes"]
        self.owners: dict[int, Placed] = {}  # of program words
        self._calls: dict[int, tuple[str, int]] = {}  # by the identity of an origin
        self._bytes: dict[str, bytearray] = {}
        self._owners: dict[str, list[Line | None]] = {}

    def fill(self, placed: Sequence[Placed]) -> None:
        """Encode everything and place it."""
        for item in placed:
            try:
                if isinstance(item.body, Instruction):
                    word = self._encoder.encode(item.body, item.unit.scope, item.address)
                    self._put_word(item, item.address, word)
                elif item.section.space.is_program:
                    for i, word in enumerate(self._numbers(item, item.body, self._isa.machine["InsnBits"])):
                        self._put_word(item, item.address + i, word & (1 << self._isa.machine["InsnBits"]) - 1)
                else:
                    self._put_bytes(item, item.body)
            except LineError as problem:
                self._reporter.problem(item.line, problem)

    def segments(self) -> dict[str, list[tuple[int, bytes]]]:
        """Return (offset, contents) of every data memory and table bank."""
        found: dict[str, list[tuple[int, bytes]]] = {}
        for space in self._isa.spaces:
            if len(space.blocks) + len(space.banks) != 1:
                continue
            runs: list[tuple[int, bytes]] = []
            data, owners = self._bytes.get(space.name, b""), self._owners.get(space.name, [])
            start = None
            for i, owner in enumerate([*owners, None]):
                if owner is not None and start is None:
                    start = i
                elif owner is None and start is not None:
                    runs.append((start, bytes(data[start:i])))
                    start = None
            found[space.name] = runs
        return found

    def _numbers(self, item: Placed, body: Directive, bits: int) -> list[int]:
        values = []
        for arg in body.args:
            if not isinstance(arg, Str):
                value = item.unit.scope.value(arg, item.address)
                check_range(value, -(1 << bits - 1), (1 << bits) - 1, arg)
                values.append(value)
        return values

    def _put_word(self, item: Placed, address: int, word: int) -> None:
        old = self.owners.setdefault(address, item)
        if old is not item:
            self._overlap(item, old.line)
        program = self.program
        if address == len(program):
            program.append(word)
        else:
            if address > len(program):
                program.extend([0] * (address + 1 - len(program)))
            program[address] = word
        line = item.line
        self.lines[address] = (line.file, line.number) if line.origin is None else self._flow(line, line.origin)

    def _flow(self, line: Line, origin: Origin) -> tuple[str, int]:
        """Return `flow` of a line, which is the same for all lines of one origin if it is that of a macro call."""
        call = self._calls.get(id(origin))
        if call is None:
            # The lines that are placed keep their origins alive.
            call = self._calls[id(origin)] = Line("", *_NO_CALL, origin).flow
        return (line.file, line.number) if call == _NO_CALL else call

    def _put_bytes(self, item: Placed, body: Directive) -> None:
        data = item.data
        if data is None:
            width = WIDTHS[body.name]
            mask = (1 << 8 * width) - 1
            data = b"".join((v & mask).to_bytes(width, "big") for v in self._numbers(item, body, 8 * width))
        section = item.section
        for space in section.spaces:
            size = self._isa.size(space)
            memory = self._bytes.setdefault(space.name, bytearray(size))
            owners = self._owners.setdefault(space.name, [None] * size)
            for i, byte in enumerate(data):
                entry = item.address + i
                places = [entry * self._row + lane for lane in section.lanes] if section.lanes else [entry]
                for place in places:
                    old = owners[place]
                    if old is not None:
                        self._overlap(item, old)
                    owners[place] = item.line
                    memory[place] = byte

    def _overlap(self, item: Placed, old: Line) -> None:
        body = item.body
        raise LineError(
            f"overlap: address {item.address} of section {item.section.name} is taken",
            body.col,
            body.end,
            f"by {old.file}:{old.number}",
        )
