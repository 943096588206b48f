"""The grammar of expressions: text to nodes.

    expression  as in assembly, with its operators and their precedence (lutra.asm.passes.operators)
    operand     256, 0x100, hex:00ff, a name, &SYMBOL, SPACE[ADDRESS], SPACE[ADDRESS:BYTES], SPACE@OFFSET, (expression)
    part        v0[3], v0[4:8], v0.w[2], rk.row[1], t0.row[5]: bytes and lanes of vectors, symbols, memories

A name is a register (`v0`, `ar3.step`, `loop0.remaining`), a symbol, or one of NUMBERS.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

from lutra.asm.passes.operators import PRECEDENCE, UNARY
from lutra.debug.errors import DebugError
from lutra.isa import load

# The big-endian lanes that a dot names, and their bytes; a row is all of a vector.
LANES: Mapping[str, int] = {"b": 1, "h": 2, "w": 4, "q": 8, "row": load().machine["VectorBytes"]}
# Values of the run itself.
NUMBERS = ("pc", "cycle", "time")

_TOKEN = re.compile(
    r"""\s*(?:(?P<hex>hex:\w*)
        |(?P<number>[0-9]\w*)
        |(?P<name>\$?(?:\.L)?[A-Za-z_][\w$]*)
        |(?P<sign>&&|\|\||<<|>>|<=|>=|==|!=|[-+*/%<>&|^~!()\[\]:.@])
        |(?P<end>$)|(?P<stray>.))""",
    re.VERBOSE,
)
# Limit of nesting, so that the parser does not recurse without end.
MAX_DEPTH = 64
# Words and signs of an expression: a row of operators makes a tree as deep as it is long.
MAX_LENGTH = 200


@dataclass(frozen=True)
class Literal:
    """A number, or bytes."""

    value: int | bytes
    column: int


@dataclass(frozen=True)
class Name:
    """A register, a symbol, or one of NUMBERS. address: the symbol's address is meant, not what is there."""

    name: str
    column: int
    address: bool = False


@dataclass(frozen=True)
class Cell:
    """Bytes of a space; length None: a row, or of program memory a word. open: parts may lie beyond it. by_bytes: the
    address counts bytes in program memory too."""

    space: str
    at: Node
    length: Node | None
    column: int
    open: bool = False
    by_bytes: bool = False


@dataclass(frozen=True)
class Part:
    """Bytes or a lane of the value before. lane: one of LANES, "" for bytes."""

    of: Node
    lane: str
    at: Node
    length: Node | None
    column: int


@dataclass(frozen=True)
class Unary:
    """An operator before its operand."""

    op: str
    of: Node
    column: int


@dataclass(frozen=True)
class Binary:
    """An operator between its operands."""

    op: str
    left: Node
    right: Node
    column: int


Node: TypeAlias = Literal | Name | Cell | Part | Unary | Binary


class _Token(NamedTuple):
    kind: str
    text: str
    column: int


def failure(text: str, column: int, what: str) -> DebugError:
    """An error with its place in an expression; columns count from 0 here, and from 1 for the user."""
    return DebugError(f"{text.strip()}: column {column + 1}: {what}")


def parse(text: str) -> Node:
    """The nodes of an expression. Raises DebugError."""
    return _Parser(text).whole()


class _Parser:
    def __init__(self, text: str) -> None:
        self._text = text
        self._spaces = {s.name for s in load().spaces if s.is_single or s.is_program}
        self._tokens = list(self._split())
        self._next = 0
        self._depth = 0

    def _split(self) -> list[_Token]:
        tokens: list[_Token] = []
        at = 0
        while True:
            found = _TOKEN.match(self._text, at)
            assert found is not None and found.lastgroup is not None
            token = _Token(found.lastgroup, found[found.lastgroup], found.start(found.lastgroup))
            if token.kind == "stray":
                raise failure(self._text, token.column, f"{token.text!r} means nothing here")
            if len(tokens) == MAX_LENGTH:
                raise failure(self._text, token.column, f"more than {MAX_LENGTH} words and signs")
            tokens.append(token)
            if token.kind == "end":
                return tokens
            at = found.end()

    def whole(self) -> Node:
        node = self._operation(0)
        if self._peek.kind != "end":
            raise self._unexpected("an operator or the end")
        return node

    # ------------------------------------------------------------------ tokens

    @property
    def _peek(self) -> _Token:
        return self._tokens[self._next]

    def _take(self) -> _Token:
        token = self._peek
        self._next += token.kind != "end"
        return token

    def _is(self, sign: str) -> bool:
        return self._peek.kind == "sign" and self._peek.text == sign

    def _accept(self, sign: str) -> bool:
        found = self._is(sign)
        self._next += found
        return found

    def _expect(self, sign: str) -> None:
        if not self._accept(sign):
            raise self._unexpected(repr(sign))

    def _unexpected(self, wanted: str) -> DebugError:
        found = repr(self._peek.text) if self._peek.text else "the end"
        return failure(self._text, self._peek.column, f"expected {wanted}, found {found}")

    # ------------------------------------------------------------------ rules

    def _operation(self, lowest: int) -> Node:
        """Precedence climbing."""
        self._depth += 1
        if self._depth > MAX_DEPTH:
            raise failure(self._text, self._peek.column, f"nested more than {MAX_DEPTH} deep")
        left = self._factor()
        while self._peek.kind == "sign" and PRECEDENCE.get(self._peek.text, -1) >= lowest:
            op = self._take()
            left = Binary(op.text, left, self._operation(PRECEDENCE[op.text] + 1), op.column)
        self._depth -= 1
        return left

    def _factor(self) -> Node:
        ops = []
        while self._peek.kind == "sign" and self._peek.text in UNARY:
            ops.append(self._take())
        node = self._operand()
        while self._is("[") or self._lane():
            node = self._part(node)
        for op in reversed(ops):
            node = Unary(op.text, node, op.column)
        return node

    def _operand(self) -> Node:
        token = self._peek
        if self._accept("("):
            node = self._operation(0)
            self._expect(")")
            return node
        if self._accept("&"):
            if self._peek.kind != "name":
                raise self._unexpected("the name of a symbol")
            return Name(self._take().text, token.column, address=True)
        if token.kind == "name":
            return self._name()
        if token.kind in ("number", "hex"):
            return Literal(self._number() if token.kind == "number" else self._bytes(), token.column)
        raise self._unexpected("a register, a symbol, a memory or a number")

    def _name(self) -> Node:
        token = self._take()
        name = token.text.removeprefix("$")
        if name in self._spaces:
            if self._lane():
                return Cell(name, Literal(0, token.column), None, token.column, open=True)
            if self._accept("@"):  # as places are written on the command line
                return Cell(name, self._operand(), None, token.column, open=True, by_bytes=True)
            if not self._accept("["):
                what = f"{name} is a memory; write {name}[ADDRESS] or {name}@OFFSET"
                raise failure(self._text, token.column, what)
            at, length = self._inside()
            return Cell(name, at, length, token.column)
        if self._is("@"):
            known = ", ".join(sorted(self._spaces))
            raise failure(self._text, token.column, f"no memory {name!r}; choose from {known}")
        # A register's part after a dot makes a separate name.
        if self._is(".") and not self._lane() and self._tokens[self._next + 1].kind == "name":
            self._take()
            name += f".{self._take().text}"
        return Name(name, token.column)

    def _lane(self) -> bool:
        """Whether a lane follows, such as `.w[`."""
        tokens = self._tokens[self._next : self._next + 3]
        return len(tokens) == 3 and tokens[0].text == "." and tokens[1].text in LANES and tokens[2].text == "["

    def _part(self, of: Node) -> Node:
        column = self._peek.column
        lane = ""
        if self._accept("."):
            lane = self._take().text
        self._expect("[")
        at, length = self._inside()
        if lane and length is not None:
            raise failure(self._text, column, f"a lane is one; write .{lane}[INDEX], or [BYTE:BYTES]")
        return Part(of, lane, at, length, column)

    def _inside(self) -> tuple[Node, Node | None]:
        """`AT]` or `AT:LENGTH]`."""
        at = self._operation(0)
        length = self._operation(0) if self._accept(":") else None
        self._expect("]")
        return at, length

    def _number(self) -> int:
        token = self._take()
        try:
            if len(token.text) <= 100:
                return int(token.text, 0)
        except ValueError:
            pass
        raise failure(self._text, token.column, f"{token.text!r} is not a number such as 256 or 0x100")

    def _bytes(self) -> bytes:
        token = self._take()
        try:
            return bytes.fromhex(token.text.removeprefix("hex:").replace("_", ""))
        except ValueError:
            what = "hex: takes pairs of hexadecimal digits, as in hex:00ff"
            raise failure(self._text, token.column, what) from None
