"""Source files to statements: inclusion, macros, repetition, conditions. Works on lines of text.

A source file with all that it includes is one `Unit`, the scope of its symbols.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from lutra.asm.aliases import Aliases
from lutra.asm.errors import AsmError, Line, LineError, Origin, Reporter, nearest
from lutra.asm.files import SOURCE_BYTES, read_bounded
from lutra.asm.parse import TEXT_OR_COMMENT, parse_expression, parse_line, strip_comment
from lutra.asm.scope import Definition, Scope
from lutra.asm.syntax import Assign, Directive, Instruction, Statement, Str, Sym
from lutra.isa import Isa

MAX_DEPTH = 64  # nested macros, inclusions and repetitions
MAX_LINES = 300_000  # of one unit after expansion; program memory cannot hold a quarter of it

# Labels and the first word of a line.
_HEAD = re.compile(r"\s*((?:(?:[A-Za-z_]|\.L)[\w$]*\s*:\s*)*)(\.?[A-Za-z_][\w$]*)?")
_NAME = re.compile(r"[A-Za-z_]\w*")
_ARGUMENT = re.compile(r'"(?:\\.|[^"\\])*"|\'(?:\\.|[^\'\\])\'|[^"\',()\[\]{}]+|.', re.DOTALL)
_PARAMETER = re.compile(r"\\(\(\)|@|\+|[A-Za-z_]\w*)")

DIRECTIVES = frozenset(
    {".include", ".macro", ".endm", ".rept", ".endr", ".if", ".elseif", ".else", ".endif", ".ifdef", ".ifndef"}
    | {".error", ".warning", ".alias"}
)
# Directives that layout carries out; known here for suggestions.
DATA_DIRECTIVES = frozenset(
    {".section", ".text", ".org", ".align", ".byte", ".half", ".word", ".quad", ".row", ".ascii", ".asciz"}
    | {".zero", ".fill", ".incbin", ".equ", ".global", ".entry", ".insn"}
)
_BLOCKS = {
    ".macro": ".endm",
    ".rept": ".endr",
    ".if": ".endif",
    ".ifdef": ".endif",
    ".ifndef": ".endif",
}


@dataclass
class Unit:
    """One source file after expansion."""

    name: str
    statements: list[tuple[Line, Statement]] = field(default_factory=list)
    scope: Scope = field(default_factory=Scope)
    globals: dict[str, tuple[Line, Sym]] = field(default_factory=dict)
    entry: tuple[Line, Sym] | None = None


@dataclass(frozen=True)
class _Macro:
    name: str
    parameters: tuple[tuple[str, str | None], ...]  # name, default
    body: tuple[Line, ...]
    line: Line


class _TooLongError(Exception):
    """Expansion is given up; the reason has been reported."""


class Expander:
    """Makes one Unit."""

    def __init__(
        self, isa: Isa, reporter: Reporter, include_dirs: Sequence[Path], defines: Mapping[str, int | str]
    ) -> None:
        self._isa = isa
        self._reporter = reporter
        self._include_dirs = include_dirs
        self._defines = defines
        self._macros: dict[str, _Macro] = {}
        self._aliases = Aliases(isa)
        self._unit = Unit("")
        # Macros and files that were nested too deeply are left out from then on: two calls of
        # itself in a macro would otherwise be tried 2 ** MAX_DEPTH times.
        self._endless: set[str] = set()
        self._calls = 0
        self._count = 0
        place = Line("", "<instruction set>", 0)
        self._predefined = {r.name: Definition(r.name, place, 0, 0, value=r.code) for r in isa.stream_rows}
        self._reserved = isa.vector_by_name.keys() | isa.address_register_index.keys() | isa.space_by_name.keys()

    def unit(self, name: str, text: str) -> Unit:
        """Expand one source text; what is wrong goes to the reporter."""
        self._unit = Unit(name, scope=Scope(predefined=self._predefined))
        for key, value in self._defines.items():
            self._define(key, value)
        with suppress(_TooLongError):
            self._run(self._lines(name, text, None), 0)
        return self._unit

    def _define(self, key: str, value: int | str) -> None:
        line = Line(f"{key}={value}", "<command line>", 1)
        try:
            if not _NAME.fullmatch(key):
                raise LineError(f"'{key}' is not a name", 0, len(key))
            expr = parse_expression(str(value))
            self._unit.scope.symbols[key] = Definition(key, line, 0, len(key), expr)
        except LineError as problem:
            self._reporter.report("error", line, problem.message, 0, len(line.text), problem.hint)

    # ------------------------------------------------------------------------------ lines

    def _lines(self, name: str, text: str, origin: Origin | None) -> list[Line]:
        """Lines of a file, block comments blanked out."""
        if "/*" in text:
            text = TEXT_OR_COMMENT.sub(lambda m: self._blank(name, text, m, origin), text)
        return [Line(line, name, number, origin) for number, line in enumerate(text.split("\n"), 1)]

    def _blank(self, name: str, text: str, found: re.Match[str], origin: Origin | None) -> str:
        if not found[0].startswith("/*"):
            return found[0]
        if len(found[0]) < 4 or not found[0].endswith("*/"):
            start = text.rfind("\n", 0, found.start()) + 1
            line = Line(text[start:].split("\n")[0], name, text.count("\n", 0, found.start()) + 1, origin)
            col = found.start() - start
            self._reporter.report("error", line, "unterminated comment", col, col + 2)
        return re.sub(r"[^\n]", " ", found[0])

    def _run(self, lines: Sequence[Line], depth: int) -> None:
        """Carry out lines one by one; a block's lines are taken along with its first."""
        at = 0
        total = len(lines)
        macros = self._macros
        while at < total:
            line = lines[at]
            at += 1
            self._count += 1
            if self._count > MAX_LINES:
                self._reporter.report("error", line, f"more than {MAX_LINES} lines after expansion")
                raise _TooLongError
            head = _HEAD.match(line.text)
            word = head[2] if head else None
            if head is None or word is None:
                if line.text and not line.text.isspace():
                    self._statement(line)
                continue
            try:
                if word in DIRECTIVES:
                    self._labels(line, head)
                    at = self._directive(word, lines, at, head, depth)
                elif word in macros and not line.text[head.end() :].lstrip().startswith("="):
                    self._labels(line, head)
                    self._call(macros[word], line, head.start(2), depth)
                else:
                    self._statement(line)
            except LineError as problem:
                self._reporter.problem(line, problem)

    def _labels(self, line: Line, head: re.Match[str]) -> None:
        if head[1]:
            self._statement(line._replace(text=line.text[: head.start(2)]))

    def _statement(self, line: Line) -> None:
        try:
            # Without the comment, so that lines of equal code share one tree.
            text = strip_comment(line.text).rstrip()
            if (put := self._aliases.put(text)) != text:
                line, text = line._replace(text=put), put
            statement = parse_line(text)
            if statement.labels or statement.body:
                self._note(line, statement)
                self._unit.statements.append((line, statement))
        except LineError as problem:
            self._reporter.problem(line, problem)

    # ---------------------------------------------------------------------------- symbols

    def _note(self, line: Line, statement: Statement) -> None:
        """Enter what a statement defines, and check what can be checked by name alone."""
        for label in statement.labels:
            self._enter(Definition(label.name, line, label.col, label.end))
        body = statement.body
        match body:
            case Instruction():
                if body.mnemonic not in self._isa.by_mnemonic:
                    known = [*self._isa.by_mnemonic, *self._macros]
                    hint = nearest(body.mnemonic, known)
                    raise LineError(f"unknown instruction '{body.mnemonic}'", body.col, body.end, hint)
            case Assign():
                self._enter(Definition(body.name, line, body.col, body.end, body.expr))
            case Directive(name=".equ"):
                if len(body.args) != 2 or not isinstance(body.args[0], Sym) or isinstance(body.args[1], Str):
                    raise LineError(".equ takes a name and an expression", body.col, body.end)
                name = body.args[0]
                self._enter(Definition(name.name, line, name.col, name.end, body.args[1]))
            case Directive(name=".global" | ".entry"):
                if not body.args or not all(isinstance(a, Sym) for a in body.args):
                    raise LineError(f"{body.name} takes names", body.col, body.end)
                for arg in body.args:
                    if isinstance(arg, Sym):
                        self._export(line, body.name, arg)
            case Directive():
                if body.name not in DATA_DIRECTIVES:
                    hint = nearest(body.name, DIRECTIVES | DATA_DIRECTIVES)
                    raise LineError(f"unknown directive '{body.name}'", body.col, body.end, hint)

    def _export(self, line: Line, directive: str, name: Sym) -> None:
        if directive == ".global":
            self._unit.globals.setdefault(name.name, (line, name))
        elif self._unit.entry is not None:
            first = self._unit.entry[0]
            raise LineError(".entry is given twice", name.col, name.end, f"the first is in {first.file}:{first.number}")
        else:
            self._unit.entry = (line, name)

    def _enter(self, new: Definition) -> None:
        if new.name in self._reserved:
            raise LineError(f"'{new.name}' names a register or memory", new.col, new.end)
        old = self._unit.scope.symbols.get(new.name)
        if old is not None:
            raise LineError(f"'{new.name}' is defined twice", new.col, new.end, f"first defined in {old.place}")
        self._unit.scope.symbols[new.name] = new

    # ------------------------------------------------------------------------- directives

    def _directive(self, word: str, lines: Sequence[Line], at: int, head: re.Match[str], depth: int) -> int:
        """Carry out the directive of line at-1; the index of the line to go on with."""
        line = lines[at - 1]
        col = head.start(2)
        if word in _BLOCKS:
            end = _block_end(lines, at, word)
            if end is None:
                self._reporter.report("error", line, f"{word} without {_BLOCKS[word]}", col, head.end())
                return len(lines)
            body = lines[at:end]
            try:
                if word == ".macro":
                    self._define_macro(line, head, body)
                elif word == ".rept":
                    self._repeat(line, head, body, depth)
                else:
                    self._condition(word, line, head, body, depth)
            except LineError as problem:
                self._reporter.problem(line, problem)
            return end + 1
        if word == ".include":
            self._include(line, head, depth)
        elif word == ".alias":
            taken = self._unit.scope.symbols.keys() | self._macros.keys()
            self._aliases.define(strip_comment(line.text)[head.end(2) :], col, head.end(2), taken)
        elif word in (".error", ".warning"):
            text = self._one_string(line, head)
            self._reporter.report(word[1:], line, text.decode(errors="replace"), col, head.end(2))
        else:
            opening = {".endm": ".macro", ".endr": ".rept"}.get(word, ".if")
            raise LineError(f"{word} without {opening}", col, head.end(2))
        return at

    def _one_string(self, line: Line, head: re.Match[str]) -> bytes:
        body = parse_line(line.text).body
        if isinstance(body, Directive) and len(body.args) == 1 and isinstance(body.args[0], Str):
            return body.args[0].value
        raise LineError(f"{head[2]} takes one string", head.start(2), head.end(2))

    def _number(self, line: Line, head: re.Match[str]) -> int:
        """The value of the expression after a directive, with its columns in the line."""
        text = strip_comment(line.text)
        if not text[head.end(2) :].strip():
            raise LineError(f"{head[2]} takes an expression", head.start(2), head.end(2))
        # Blanks keep the expression's columns.
        return self._unit.scope.value(parse_expression(" " * head.end(2) + text[head.end(2) :]))

    def _repeat(self, line: Line, head: re.Match[str], body: Sequence[Line], depth: int) -> None:
        count = self._number(line, head)
        if not 0 <= count <= MAX_LINES:
            raise LineError(
                f".rept count {count} is out of range", head.start(2), head.end(2), f"legal: 0 to {MAX_LINES}"
            )
        # A counter of an inner .rept is the inner one's.
        own = list(_own_lines(body))
        if depth >= MAX_DEPTH:
            raise LineError(f"nested more than {MAX_DEPTH} deep", head.start(2), head.end(2))
        for i in range(count if own else 0):
            origin = Origin(f"in repetition {i} of .rept", line)
            lines = [
                copy._replace(text=copy.text.replace("\\+", str(i)) if in_body else copy.text, origin=origin)
                for copy, in_body in own
            ]
            self._run(lines, depth + 1)

    def _condition(self, word: str, line: Line, head: re.Match[str], body: Sequence[Line], depth: int) -> None:
        """Carry out the first branch whose condition holds."""
        branches: list[tuple[Line, re.Match[str], list[Line]]] = [(line, head, [])]
        for inner, level, match in _levels(body):
            if level == 0 and match is not None and match[2] in (".elseif", ".else"):
                if branches[-1][1][2] == ".else":
                    self._reporter.report("error", inner, f"{match[2]} after .else", match.start(2), match.end(2))
                branches.append((inner, match, []))
            else:
                branches[-1][2].append(inner)
        for start, match, lines in branches:
            try:
                holds = self._holds(start, match)
            except LineError as problem:
                self._reporter.problem(start, problem)
                return
            if holds:
                self._run(lines, depth)
                return

    def _holds(self, line: Line, head: re.Match[str]) -> bool:
        word = head[2]
        if word in (".if", ".elseif"):
            return self._number(line, head) != 0
        if word == ".else":
            return True
        name = strip_comment(line.text)[head.end(2) :].strip()
        if not _NAME.fullmatch(name) and not name.startswith(".L"):
            raise LineError(f"{word} takes a name", head.start(2), head.end(2))
        known = name in self._unit.scope.symbols or name in self._macros
        return known == (word == ".ifdef")

    def _include(self, line: Line, head: re.Match[str], depth: int) -> None:
        name = self._one_string(line, head).decode(errors="replace")
        path = find_file(name, line.file, self._include_dirs)
        if path is None:
            places = ", ".join(str(d) for d in [Path(line.file).parent, *self._include_dirs])
            raise LineError(f"cannot find '{name}'", head.start(2), len(line.text.rstrip()), f"looked in {places}")
        if name in self._endless:
            return
        if depth >= MAX_DEPTH:
            text = f"nested more than {MAX_DEPTH} deep: does '{name}' include itself?"
            self._endless.add(name)
            raise LineError(text, head.start(2), head.end(2))
        try:
            text = read_source(path)
        except AsmError as error:
            raise LineError(error.diagnostics[0].message, head.start(2), len(line.text.rstrip())) from None
        self._run(self._lines(str(path), text, Origin("included from here", line)), depth + 1)

    # ----------------------------------------------------------------------------- macros

    def _define_macro(self, line: Line, head: re.Match[str], body: Sequence[Line]) -> None:
        text = strip_comment(line.text)[head.end(2) :]
        found = re.match(r"\s*([A-Za-z_]\w*)\s*,?", text)
        if found is None:
            raise LineError(".macro takes a name and parameters", head.start(2), head.end(2))
        name = found[1]
        col = head.end(2) + found.start(1)
        if name in self._isa.by_mnemonic:
            raise LineError(f"'{name}' is an instruction", col, col + len(name))
        if name in self._macros:
            old = self._macros[name].line
            hint = f"first defined in {old.file}:{old.number}"
            raise LineError(f"macro '{name}' is defined twice", col, col + len(name), hint)
        parameters: list[tuple[str, str | None]] = []
        for part in _split(text[found.end() :]):
            key, equals, default = part.partition("=")
            key = key.strip()
            if not _NAME.fullmatch(key) or any(key == p for p, _ in parameters):
                raise LineError(f"'{key}' cannot be a parameter", head.start(2), len(line.text.rstrip()))
            parameters.append((key, default.strip() if equals else None))
        self._macros[name] = _Macro(name, tuple(parameters), tuple(body), line)

    def _call(self, macro: _Macro, line: Line, col: int, depth: int) -> None:
        end = col + len(macro.name)
        if macro.name in self._endless:
            return
        values = self._arguments(macro, line, col, end)
        self._calls += 1
        values["@"] = str(self._calls)
        values["()"] = ""

        def put(found: re.Match[str]) -> str:
            return values.get(found[1], found[0])

        origin = Origin(f"in expansion of macro '{macro.name}'", line, True)
        if depth >= MAX_DEPTH:
            self._endless.add(macro.name)
            raise LineError(f"nested more than {MAX_DEPTH} deep: does macro '{macro.name}' call itself?", col, end)
        body = [inner._replace(text=_PARAMETER.sub(put, inner.text), origin=origin) for inner in macro.body]
        self._run(body, depth + 1)

    def _arguments(self, macro: _Macro, line: Line, col: int, end: int) -> dict[str, str]:
        names = [name for name, _ in macro.parameters]
        usage = f"{macro.name} " + ", ".join(n if d is None else f"{n}={d}" for n, d in macro.parameters)
        values: dict[str, str] = {}
        for position, part in enumerate(_split(strip_comment(line.text)[end:])):
            key, equals, value = part.partition("=")
            if equals and key.strip() in names and not value.startswith("="):
                name, text = key.strip(), value.strip()
            elif position < len(names):
                name, text = names[position], part.strip()
            else:
                hint = f"usage: {usage}"
                raise LineError(f"too many arguments for macro '{macro.name}'", col, len(line.text.rstrip()), hint)
            if name in values:
                raise LineError(f"parameter '{name}' is given twice", col, len(line.text.rstrip()), f"usage: {usage}")
            values[name] = text
        for name, default in macro.parameters:
            if values.get(name, "") == "":
                if default is None:
                    raise LineError(f"macro '{macro.name}' needs parameter '{name}'", col, end, f"usage: {usage}")
                values[name] = default
        return values


def _levels(lines: Iterable[Line]) -> Iterator[tuple[Line, int, re.Match[str] | None]]:
    """Lines with the number of blocks open at them; an opening or closing line counts as inside."""
    level = 0
    for line in lines:
        head = _HEAD.match(line.text) if "." in line.text else None
        word = head[2] if head else None
        if word in _BLOCKS:
            level += 1
        yield line, level, head
        if word in _ENDS:
            level -= 1


_ENDS = frozenset(_BLOCKS.values())


def _block_end(lines: Sequence[Line], at: int, opening: str) -> int | None:
    """Index of the line that closes the block whose body begins at `at`."""
    closing = _BLOCKS[opening]
    for i, (_, level, head) in enumerate(_levels(lines[at:])):
        if level == 0 and head is not None and head[2] in _ENDS:
            return at + i if head[2] == closing else None
    return None


def _own_lines(body: Sequence[Line]) -> Iterator[tuple[Line, bool]]:
    """The lines of a .rept's body, and whether its counter is put in: not in an inner .rept's body."""
    inner = 0
    for line in body:
        head = _HEAD.match(line.text)
        word = head[2] if head else None
        if word == ".endr":
            inner -= 1
        yield line, inner == 0
        if word == ".rept":
            inner += 1


def _split(text: str) -> list[str]:
    """Split at commas outside brackets and quotes."""
    if not text.strip():
        return []
    parts = [""]
    depth = 0
    for token in _ARGUMENT.findall(text):
        if token == "," and depth <= 0:
            parts.append("")
            continue
        depth += (token in ("(", "[", "{")) - (token in (")", "]", "}"))
        parts[-1] += token
    return parts


def find_file(name: str, from_file: str, include_dirs: Sequence[Path]) -> Path | None:
    """A file named in a source: beside that source, then in the include folders."""
    if "\0" in name:
        return None
    for folder in [Path(from_file).parent, *include_dirs]:
        path = folder / name
        if path.is_file():
            return path
    return None


def read_source(path: Path) -> str:
    """Text of a source file. Raises AsmError of one line."""
    try:
        data = read_bounded(path, SOURCE_BYTES, "a source")
    except OSError as error:
        raise AsmError.of_file(path, f"cannot be read: {error.strerror or error}") from None
    try:
        return data.decode("utf-8").replace("\r\n", "\n").removeprefix("\ufeff")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise AsmError.of_file(path, f"not a text in UTF-8 (line {line})") from None
