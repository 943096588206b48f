"""The index of a program's names: the meaning of each name in its files, through macros, aliases and included files.

It is built after assembly from the assembler's own tables. Lines that no expansion has reached, such as the body of a
macro that is never called, are read word by word, and a word there means what it means in the rest of the program.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import NamedTuple, TypeAlias, Union

from lutra.asm.errors import Line
from lutra.asm.link import Analysis
from lutra.asm.memory import without_collection
from lutra.asm.passes.aliases import WORD
from lutra.asm.passes.blocks import lines_of
from lutra.asm.passes.define import COMMAND_LINE, Unit
from lutra.asm.passes.events import AliasMade, Asked, Computed, Event, Included, MacroCalled, MacroMade
from lutra.asm.passes.macros import PARAMETER, Macro
from lutra.asm.passes.nodes import Statement
from lutra.asm.passes.parse import strip_comment
from lutra.asm.passes.scope import Scope
from lutra.asm.passes.symbols import Array, Definition, Function
from lutra.asm.reporter import Reporter
from lutra.asm.text.columns import Columns, Span
from lutra.asm.text.names import Named, names, of

# A word in a line that was not assembled; one next to a backslash is part of an unknown name.
_WORD = re.compile(r'"(?:\\.|[^"\\])*"|(?<![\w$.\\)])((?:\.L|[A-Za-z_])[\w$]*)(?![\w$\\])')
_NAME = re.compile(r"[A-Za-z_]\w*")
_ARGUMENTS = re.compile(r"\s*\(([^()]*)\)")
_KINDS: Mapping[type, str] = {Function: "function", Array: "array"}

Meaning: TypeAlias = Union[Definition, Function, Array, Macro, AliasMade]  # noqa: UP007


class Name(NamedTuple):
    """One name: its kind, its text in the program, and where it is defined.

    kind: label, symbol, function, array, macro, alias, parameter (of a macro) or argument (of a function).
    """

    kind: str
    text: str
    place: Span


class Use(NamedTuple):
    """A place that refers to a name. certain: the place was assembled, not only read word by word."""

    name: Name
    place: Span
    defines: bool
    certain: bool


@dataclass
class Index:
    """The names of one program. Files have the names under which the assembler read them."""

    uses: dict[Name, dict[Span, Use]] = field(default_factory=dict)
    meanings: dict[Name, Meaning] = field(default_factory=dict)
    lines: dict[tuple[str, int], list[Use]] = field(default_factory=dict)
    includes: dict[Span, str] = field(default_factory=dict)  # where a file is named -> which file it is
    scopes: dict[str, list[Unit]] = field(default_factory=dict)  # file -> the units that it is part of

    def at(self, file: str, line: int, column: int) -> list[Use]:
        """Return the names at a position; there may be several in the body of a macro with several expansions."""
        return [use for use in self.lines.get((file, line), ()) if use.place.covers(line, column)]


def build(analysis: Analysis, texts: Mapping[str, str]) -> Index:
    """Build the index of a program; `texts` are the files as the assembler read them."""
    builder = _Builder(analysis)
    with without_collection():
        for unit in analysis.units:
            builder.unit(unit)
        for file, text in texts.items():
            builder.unread(file, text)
    return builder.index


def _all(scope: Scope) -> Iterator[Definition | Function | Array]:
    yield from scope.symbols.values()
    yield from scope.functions.values()
    yield from scope.arrays.values()


class _Builder:
    def __init__(self, analysis: Analysis) -> None:
        self.index = Index()
        self._exported = analysis.exported
        self._columns = Columns()
        self._known: dict[int, Name] = {}  # by the identity of what it means
        self._uses: dict[int, dict[Span, Use]] = {}  # by the identity of a name, whose hash takes long
        self._kept: list[Name] = []  # so that no other name has its identity
        self._names: dict[int, tuple[Named, ...]] = {}  # by the identity of a statement
        self._aliases: dict[str, Name] = {}  # of the unit
        self._seen: set[tuple[str, int]] = set()  # lines that were assembled

    def unit(self, unit: Unit) -> None:
        """Enter the names of a unit."""
        scope = unit.scope
        self._aliases = {}
        for file in {unit.name, *(str(e.path) for e in unit.events if isinstance(e, Included))}:
            self.index.scopes.setdefault(file, []).append(unit)
        for found in _all(scope):
            self._defined(found)
        for event in unit.events:
            self._seen.add((event.line.file, event.line.number))
            self._event(unit, event)
        for line, statement in unit.statements:
            self._seen.add((line.file, line.number))
            self._registers(line)
            self._texts(unit, line, self._of(statement))
        for function in scope.functions.values():
            self._seen.add((function.line.file, function.line.number))
            self._function(unit, function)

    def unread(self, file: str, text: str) -> None:
        """Enter the words of the lines that were not assembled."""
        units = self.index.scopes.get(file, ())
        for line in lines_of(file, text, None, Reporter()) if units else ():
            if (file, line.number) in self._seen or not line.text or line.text.isspace():
                continue
            for word in _WORD.finditer(strip_comment(line.text)):
                for unit in units if word[1] else ():
                    if name := self._find(unit, word[1]):
                        self._use(name, Span(file, line.number, *word.span(1)), certain=False)

    # --------------------------------------------------------------------------- statements

    def _of(self, statement: Statement) -> tuple[Named, ...]:
        """Return the names of a statement; lines of equal text share them."""
        known = self._names.get(id(statement))
        if known is None:
            try:
                known = names(statement)
            except RecursionError:
                known = ()
            self._names[id(statement)] = known
        return known

    def _texts(self, unit: Unit, line: Line, found: Iterable[Named]) -> None:
        for named in found:
            if name := self._find(unit, named.name):
                self._use(name, self._columns.span(line, named.col, named.end), defines=named.defines)

    def _registers(self, line: Line) -> None:
        """Enter the aliases that were replaced by registers."""
        if line.made is None or line.made.pattern is not WORD:
            return
        template = line.made.template
        aliases = self._aliases
        for word in WORD.finditer(template.text):
            if (text := word[1]) in aliases:
                self._use(aliases[text], self._columns.span(template, *word.span(1)))

    def _function(self, unit: Unit, function: Function) -> None:
        """Enter the arguments of a function, and the names in its expression."""
        line = function.line
        self._registers(line)
        given = _ARGUMENTS.match(line.text, function.end)
        arguments = {}
        for word in _NAME.finditer(line.text, *given.span(1)) if given else ():
            place = self._columns.span(line, *word.span())
            arguments[word[0]] = self._define("argument", word[0], place, function)
        with suppress(RecursionError):
            for named in of(function.expr):
                name = arguments.get(named.name) or self._find(unit, named.name)
                if name is not None:
                    self._use(name, self._columns.span(line, named.col, named.end))

    # ------------------------------------------------------------------------------- events

    def _event(self, unit: Unit, event: Event) -> None:
        span = self._columns.span
        match event:
            case MacroMade(line, macro):
                self._macro(macro)
            case MacroCalled(line, macro, column, named):
                self._use(self._called(macro), span(line, column, column + len(macro.name)))
                for parameter, at in named.items():
                    self._use(self._parameter(macro, parameter), span(line, at, at + len(parameter)))
            case AliasMade(line, name, column, _):
                self._aliases[name] = self._define("alias", name, span(line, column, column + len(name)), event)
            case Computed(line, expr):
                with suppress(RecursionError):
                    self._texts(unit, line, list(of(expr)))
            case Asked(line, name, column):
                if found := self._find(unit, name):
                    self._use(found, span(line, column, column + len(name)))
            case Included(line, column, end, path):
                self.index.includes[self._columns.cover(line, column, end)] = str(path)

    def _macro(self, macro: Macro) -> None:
        """Enter a macro, its parameters, and their places in its body."""
        self._called(macro)
        parameters = {name: self._parameter(macro, name) for name, _ in macro.parameters}
        for line in macro.body:
            for word in PARAMETER.finditer(line.text):
                if name := parameters.get(word[1]):
                    self._use(name, self._columns.span(line, *word.span(1)))

    def _called(self, macro: Macro) -> Name:
        known = self._known.get(id(macro))
        if known is None:
            place = self._columns.span(macro.line, macro.column, macro.column + len(macro.name))
            known = self._known[id(macro)] = self._define("macro", macro.name, place, macro)
        return known

    def _parameter(self, macro: Macro, text: str) -> Name:
        at = next(c for (n, _), (c, _) in zip(macro.parameters, macro.columns, strict=True) if n == text)
        return self._define("parameter", text, self._columns.span(macro.line, at, at + len(text)), macro)

    # --------------------------------------------------------------------------------- names

    def _find(self, unit: Unit, text: str) -> Name | None:
        """Return the meaning of a name in a unit."""
        if alias := self._aliases.get(text):
            return alias
        scope = unit.scope
        found = scope.symbols.get(text) or scope.functions.get(text) or scope.arrays.get(text)
        if found or (found := self._exported.get(text)):
            return self._defined(found)
        macro = unit.macros.get(text)
        return None if macro is None else self._called(macro)

    def _defined(self, found: Definition | Function | Array) -> Name | None:
        """Return the name of a symbol, function or array; None if no file defines it."""
        known = self._known.get(id(found))
        if known is None and found.line.number and found.line.file != COMMAND_LINE:
            kind = _KINDS.get(type(found)) or (
                "label" if isinstance(found, Definition) and found.expr is None else "symbol"
            )
            place = self._columns.span(found.line, found.col, found.end)
            known = self._known[id(found)] = self._define(kind, found.name, place, found)
        return known

    def _define(self, kind: str, text: str, place: Span, meaning: Meaning) -> Name:
        name = Name(kind, text, place)
        self.index.meanings.setdefault(name, meaning)
        self._use(name, place, defines=True)
        return name

    def _use(self, name: Name, place: Span, *, defines: bool = False, certain: bool = True) -> None:
        uses = self._uses.get(id(name))
        if uses is None:
            uses = self._uses[id(name)] = self.index.uses.setdefault(name, {})
            self._kept.append(name)
        if place not in uses:
            use = uses[place] = Use(name, place, defines, certain)
            self.index.lines.setdefault((place.file, place.line), []).append(use)
