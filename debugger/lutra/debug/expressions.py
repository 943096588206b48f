"""Evaluate expressions over registers, memories and symbols of a machine."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Protocol

from lutra.asm import Image
from lutra.asm.errors import LineError, nearest
from lutra.asm.passes.operators import apply_binary, apply_unary
from lutra.debug.errors import DebugError
from lutra.debug.syntax import LANES, NUMBERS, Binary, Cell, Literal, Name, Node, Part, Unary, failure, parse
from lutra.debug.values import Location, Value
from lutra.isa import load
from lutra.iss.engine import EngineError
from lutra.iss.places import symbol
from lutra.iss.registers import Registers

# On bytes of one length these give bytes; all other operators take bytes as one big-endian number.
_BITWISE: Mapping[str, Callable[[int, int], int]] = {
    "^": lambda a, b: a ^ b,
    "&": lambda a, b: a & b,
    "|": lambda a, b: a | b,
}
# Operators that may follow an address.
_SUMS = ("+", "-")


class Machine(Protocol):
    """The context of expressions."""

    @property
    def image(self) -> Image: ...
    def registers(self) -> Registers: ...
    def size(self, space: str) -> int: ...
    def read(self, space: str, offset: int, length: int) -> bytes: ...
    def number(self, name: str) -> int:
        """One of syntax.NUMBERS."""


@dataclass(frozen=True)
class Expression:
    """An expression that has been read, and can be evaluated again and again."""

    text: str
    node: Node

    @classmethod
    def of(cls, text: str) -> Expression:
        """Raises DebugError."""
        return cls(text, parse(text))

    def value(self, machine: Machine) -> Value:
        """Raises DebugError with the place in the text."""
        found = _Evaluation(self.text, machine).of(self.node)
        return Value(self.text.strip(), found.value, found.location)

    def location(self, machine: Machine) -> Location | None:
        """Return the place of an expression, including SYMBOL+OFFSET; None if it is computed. Raises DebugError."""
        return _Evaluation(self.text, machine).place(self.node)

    def holds(self, machine: Machine) -> bool:
        """Whether it comes to something other than zero, as a condition."""
        value = self.value(machine).value
        return any(value) if isinstance(value, bytes) else value != 0


@dataclass(frozen=True)
class _Found:
    """A value on the way. open: it is where a symbol stands, and goes on after the row."""

    value: int | bytes
    location: Location | None = None
    open: bool = False


class _Evaluation:
    def __init__(self, text: str, machine: Machine) -> None:
        self._text = text
        self._machine = machine
        self._unit = load().machine["InsnBits"] // 8

    def of(self, node: Node) -> _Found:
        match node:
            case Literal():
                return _Found(node.value)
            case Name():
                return self._name(node)
            case Cell():
                return self._cell(node)
            case Part():
                return self._part(node)
            case Unary():
                return _Found(self._unary(node))
            case Binary():
                return _Found(self._binary(node))

    def place(self, node: Node) -> Location | None:
        """Where a node lives. A sum that begins with a symbol of a memory is the row at that address."""
        space = self._space_of(node) if isinstance(node, Binary) else ""
        if not space:
            return self.of(node).location
        return self.of(Cell(space, node, None, node.column)).location

    def _space_of(self, node: Node) -> str:
        """The memory of the symbol with which a sum begins, or ""."""
        while isinstance(node, Binary) and node.op in _SUMS:
            node = node.left
        if not isinstance(node, Name) or node.name in NUMBERS or node.name in self._machine.registers():
            return ""
        space, _ = self._symbol(node)
        return "" if not space or load().space_by_name[space].is_program else space

    def _fail(self, column: int, what: str) -> DebugError:
        return failure(self._text, column, what)

    # ------------------------------------------------------------------ names

    def _name(self, node: Name) -> _Found:
        if node.address:
            return _Found(self._symbol(node)[1])
        if node.name in NUMBERS:
            return _Found(self._machine.number(node.name))
        register = self._machine.registers().get(node.name)
        if register is not None:
            size = len(register.value) if isinstance(register.value, bytes) else 0
            return _Found(register.value, Location("", node.name, 0, size))
        space, value = self._symbol(node)
        if not space or load().space_by_name[space].is_program:
            return _Found(value)
        row = min(LANES["row"], self._machine.size(space) - value)
        location = Location(space, node.name, value, row)
        return _Found(self._machine.read(space, value, row), location, open=True)

    def _symbol(self, node: Name) -> tuple[str, int]:
        """Space and value of a symbol."""
        try:
            found = symbol(self._machine.image, node.name)
        except EngineError as error:
            symbols = [s.name for s in self._machine.image.symbols]
            if node.name in symbols:  # several of one name
                raise self._fail(node.column, str(error)) from None
            hint = nearest(node.name, [*self._machine.registers(), *NUMBERS, *symbols])
            what = f"no register or symbol {node.name!r}"
            raise self._fail(node.column, f"{what}; {hint}" if hint else what) from None
        return found.space, found.value

    # ------------------------------------------------------------------ memories and parts

    def _cell(self, node: Cell) -> _Found:
        program = load().space_by_name[node.space].is_program
        unit = self._unit if program else 1
        offset = self._number(node.at, "an address", address=True) * (1 if node.by_bytes else unit)
        if offset % unit:
            raise self._fail(node.column, f"an instruction has {unit} bytes; legal: multiples of {unit}")
        length = self._unit if program else LANES["row"]
        if node.length is not None:
            length = self._number(node.length, "a number of bytes") * unit
        location = self._located(node.space, "", offset, length, node.column)
        data = self._machine.read(node.space, offset, length)
        value = int.from_bytes(data, "little") if program and node.length is None else data
        return _Found(value, location, node.open)

    def _located(self, space: str, name: str, offset: int, length: int, column: int) -> Location:
        size = self._machine.size(space)
        if length < 1:
            raise self._fail(column, f"{length} bytes are none; at least one is meant")
        if not 0 <= offset <= size - length:
            raise self._fail(
                column, f"{space} ends at {size:#x}; {offset:#x} and {length} bytes from there lie outside"
            )
        return Location(space, name, offset, length)

    def _part(self, node: Part) -> _Found:
        whole = self.of(node.of)
        if not isinstance(whole.value, bytes):
            raise self._fail(node.column, "a number has no bytes; only vectors and rows have")
        unit = LANES.get(node.lane, 1)
        offset = self._number(node.at, "an index") * unit
        length = unit if node.length is None else self._number(node.length, "a number of bytes")
        if whole.open and whole.location is not None:
            at = whole.location
            location = self._located(at.space, "", at.offset + offset, length, node.column)
            return self._lane(node, self._machine.read(at.space, at.offset + offset, length), location)
        if length < 1 or not 0 <= offset <= len(whole.value) - length:
            last = len(whole.value) // unit - 1
            raise self._fail(node.column, f"legal: {node.lane and '.' + node.lane}[0] to [{last}]")
        inner = whole.location
        if inner is not None:
            inner = Location(inner.space, inner.name, inner.offset + offset, length)
        return self._lane(node, whole.value[offset : offset + length], inner)

    def _lane(self, node: Part, data: bytes, location: Location | None) -> _Found:
        """A byte or a lane is a number; a range and a row are bytes."""
        if node.length is not None or node.lane == "row":
            return _Found(data, location)
        return _Found(int.from_bytes(data, "big"), location)

    def _number(self, node: Node, what: str, address: bool = False) -> int:
        """A number; where an address is meant, a symbol of a memory stands for its own."""
        if address:
            node = self._as_address(node)
        value = self.of(node).value
        if isinstance(value, bytes):
            raise self._fail(node.column, f"{what} is a number, not {len(value)} bytes")
        return value

    def _as_address(self, node: Node) -> Node:
        match node:
            case Name() if node.name not in self._machine.registers() and node.name not in NUMBERS:
                return Name(node.name, node.column, address=True)
            case Binary():
                return Binary(node.op, self._as_address(node.left), self._as_address(node.right), node.column)
        return node

    # ------------------------------------------------------------------ operators

    def _unary(self, node: Unary) -> int | bytes:
        value = self.of(node.of).value
        if isinstance(value, bytes) and node.op == "~":
            return bytes(byte ^ 0xFF for byte in value)
        return apply_unary(node.op, _as_number(value))

    def _binary(self, node: Binary) -> int | bytes:
        left, right = self.of(node.left).value, self.of(node.right).value
        bitwise = _BITWISE.get(node.op)
        if bitwise and isinstance(left, bytes) and isinstance(right, bytes) and len(left) == len(right):
            return bytes(map(bitwise, left, right))
        try:
            return apply_binary(node.op, _as_number(left), _as_number(right), node.column, node.column)
        except LineError as error:
            raise self._fail(node.column, error.message) from None


def _as_number(value: int | bytes) -> int:
    return int.from_bytes(value, "big") if isinstance(value, bytes) else value
