"""Expand source files to statements: inclusion, macros, repetition, conditions. Works on lines of text.

A source file and everything that it includes form one `Unit`, the scope of its symbols.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from contextlib import suppress

from lutra.asm.checks import ALL, CHECKS
from lutra.asm.errors import AsmError, Given, Line, LineError, Origin, Substitution, nearest
from lutra.asm.passes import macros, parentheses, semicolons
from lutra.asm.passes.aliases import Aliases
from lutra.asm.passes.blocks import BLOCKS, HEAD, block_end, levels, lines_of, own_lines
from lutra.asm.passes.define import COMMAND_LINE, Definer, Unit
from lutra.asm.passes.events import AliasMade, Asked, Computed, Included, MacroCalled, MacroMade
from lutra.asm.passes.nodes import Directive, Instruction, Statement, Str
from lutra.asm.passes.operators import shown
from lutra.asm.passes.parse import parse_expression, parse_line, strip_comment
from lutra.asm.passes.sources import Sources
from lutra.asm.passes.suggest import EXPANDER_DIRECTIVES
from lutra.asm.passes.virtual import MARK, names_of
from lutra.asm.reporter import Reporter
from lutra.isa import Isa

# Characters of lines in which there may be something to report.
_CHECKED = frozenset(";\\<>=")
MAX_DEPTH = 64  # nested macros, inclusions and repetitions
MAX_LINES = 300_000  # of one unit after expansion, far more than any program memory holds


class _TooLongError(Exception):
    """Expansion stops; the reason is already reported."""


class Expander:
    """Builds one Unit."""

    def __init__(self, isa: Isa, reporter: Reporter, files: Sources, defines: Sequence[tuple[str, int | str]]) -> None:
        self._isa = isa
        self._reporter = reporter
        self._sources = files
        self._defines = defines
        self._macros: dict[str, macros.Macro] = {}
        self._aliases = Aliases(isa)
        self._unit = Unit("")
        self._definer = Definer(isa, self._unit, self._macros)
        # Conditions and counts with unknown names: their hint needs the rest of the file.
        self._early: list[tuple[Line, LineError, str]] = []
        # Macros and files that were nested too deeply are not expanded again: a macro that calls
        # itself twice would otherwise be expanded 2 ** MAX_DEPTH times.
        self._endless: set[str] = set()
        # Lines that are neither directives nor calls of the macros so far, and that no check looks at, by their text:
        # without comment, with registers for the aliases so far, and the tree.
        self._simple: dict[str, tuple[str, str, Statement]] = {}
        self._calls = 0
        self._count = 0
        self._blocks = 0  # of .interleave
        self._in_streams = False

    def unit(self, name: str, text: str) -> Unit:
        """Expand one source text; report errors to the reporter."""
        self._unit = Unit(name, macros=self._macros)
        self._definer = Definer(self._isa, self._unit, self._macros)
        for key, value in self._defines:
            line = Line(f"{key}={value}", COMMAND_LINE, 1)
            try:
                self._definer.command_line(line, key, value)
            except LineError as problem:
                self._reporter.problem(line, problem)
        with suppress(_TooLongError):
            self._run(lines_of(name, text, None, self._reporter), 0)
        for line, early, word in self._early:
            if place := self._unit.scope.place(early.undefined):
                early.hint = f"defined below, in {place}; {word} needs it above"
            self._reporter.problem(line, early)
        return self._unit

    # ------------------------------------------------------------------------------ lines

    def _run(self, lines: Sequence[Line], depth: int) -> None:
        """Process lines one by one, a block together with its first line."""
        at = 0
        total = len(lines)
        known = self._macros
        while at < total:
            line = lines[at]
            at += 1
            self._count += 1
            if self._count > MAX_LINES:
                self._reporter.report(line, f"more than {MAX_LINES} lines after expansion")
                raise _TooLongError
            if line.text in self._simple:
                self._statement(line)
                continue
            head = HEAD.match(line.text)
            word = head[2] if head else None
            if head is None or word is None:
                if line.text and not line.text.isspace():
                    self._statement(line)
                    at += _goes_on(line)
                continue
            try:
                if word in EXPANDER_DIRECTIVES:
                    self._labels(line, head)
                    at = self._directive(word, lines, at, head, depth)
                elif word in known and not line.text[head.end() :].lstrip().startswith("="):
                    self._labels(line, head)
                    self._call(known[word], line, head.start(2), depth)
                else:
                    self._statement(line)
                    at += _goes_on(line)
            except LineError as problem:
                self._reporter.problem(line, problem)

    def _labels(self, line: Line, head: re.Match[str]) -> None:
        if head[1]:
            self._statement(line._replace(text=line.text[: head.start(2)]))

    def _statement(self, line: Line) -> None:
        source = line.text
        known = self._simple.get(source)
        try:
            if known is None:
                # Drop the comment, so that lines with equal code share one tree.
                code = strip_comment(source)
                if ";" in source:
                    semicolons.check(line, code, self._reporter)
                text = code.rstrip()
                replaced = self._aliases.replaced(text)
            else:
                text, replaced, statement = known
            if replaced != text:
                line = self._aliases.made(line if text == source else Line(text, *line[1:]), replaced)
            if known is None:
                statement = self._tree(line, replaced)
                if not _CHECKED & set(source):
                    self._simple[source] = text, replaced, statement
            if self._in_streams and statement.labels:
                label, hint = statement.labels[0], "put it before .interleave or after .endi"
                raise LineError("a label cannot be interleaved", label.col, label.end, hint)
            if statement.labels or statement.body:
                self._unit.statements.append((line, self._definer.statement(line, statement)))
        except LineError as problem:
            self._reporter.problem(line, problem)

    def _tree(self, line: Line, text: str) -> Statement:
        """Return the tree of a line; text: the line without its comment. Raises LineError."""
        if "\\" in text:
            macros.check_backslashes(line, text)
        statement = parse_line(text)
        parentheses.check(line, text, self._reporter)
        if MARK in text and isinstance(statement.body, Instruction) and names_of(statement.body):
            self._unit.names = True
        return statement

    # ------------------------------------------------------------------------- directives

    def _directive(self, word: str, lines: Sequence[Line], at: int, head: re.Match[str], depth: int) -> int:
        """Process the directive of line at-1; return the index of the next line to process."""
        line = lines[at - 1]
        col = head.start(2)
        if word in BLOCKS:
            end = block_end(lines, at, word)
            if end is None:
                self._reporter.report(line, f"{word} without {BLOCKS[word]}", col, head.end())
                return len(lines)
            body = lines[at:end]
            try:
                if word == ".macro":
                    self._define_macro(line, head, body)
                elif word in (".rept", ".interleave"):
                    self._repeat(word, line, head, body, depth)
                else:
                    self._condition(word, line, head, body, depth)
            except LineError as problem:
                self._early_problem(line, problem, word)
            return end + 1
        if word == ".include":
            self._include(line, head, depth)
        elif word == ".alias":
            taken = self._unit.scope.symbols.keys() | self._macros.keys()
            found = self._aliases.define(strip_comment(line.text)[head.end(2) :], col, head.end(2), taken)
            self._unit.events.append(AliasMade(line, found[1], head.end(2) + found.start(1), found[2]))
            self._simple.clear()
        elif word == ".function":
            put = self._aliases.put(line)
            self._definer.function(put, col, head.end(2))
            parentheses.check(put, strip_comment(put.text), self._reporter)
        elif word == ".error":
            self._reporter.report(line, self._one_string(line, head), col, head.end(2))
        elif word == ".warning":
            self._reporter.check("user", line, self._one_string(line, head), col, head.end(2))
        elif word == ".allow":
            name = self._one_string(line, head)
            if name not in (*CHECKS, ALL):
                raise LineError(
                    f"no check is named '{name}'",
                    col,
                    len(line.text.rstrip()),
                    nearest(name, CHECKS, "choose from " + ", ".join(CHECKS)),
                )
            self._reporter.allow(self._unit.name, name)
        else:
            opening = {".endm": ".macro", ".endr": ".rept"}.get(word, ".if")
            raise LineError(f"{word} without {opening}", col, head.end(2))
        return at

    def _one_string(self, line: Line, head: re.Match[str]) -> str:
        body = parse_line(line.text).body
        if isinstance(body, Directive) and len(body.args) == 1 and isinstance(body.args[0], Str):
            return body.args[0].value.decode(errors="replace")
        raise LineError(f"{head[2]} takes one string", head.start(2), head.end(2))

    def _number(self, line: Line, head: re.Match[str]) -> int:
        """Return the value of the expression after a directive; errors have its columns in the line."""
        text = strip_comment(line.text)
        if not text[head.end(2) :].strip():
            raise LineError(f"{head[2]} takes an expression", head.start(2), head.end(2))
        if "\\" in text:
            macros.check_backslashes(line, text)
        # Blanks keep the expression's columns.
        expr = parse_expression(" " * head.end(2) + text[head.end(2) :])
        parentheses.check(line, text, self._reporter)
        self._unit.events.append(Computed(line, expr))
        return self._unit.scope.value(expr)

    def _repeat(self, word: str, line: Line, head: re.Match[str], body: Sequence[Line], depth: int) -> None:
        count = self._number(line, head)
        if not 0 <= count <= MAX_LINES:
            raise LineError(
                f"{word} count {shown(count)} is out of range", head.start(2), head.end(2), f"legal: 0 to {MAX_LINES}"
            )
        # The counter in an inner .rept belongs to the inner one.
        own = list(own_lines(body))
        if depth >= MAX_DEPTH:
            raise LineError(f"nested more than {MAX_DEPTH} deep", head.start(2), head.end(2))
        if word == ".interleave" and self._in_streams:
            raise LineError(".interleave within another", head.start(2), head.end(2), "give the outer one more streams")
        for i in range(count if own else 0):
            what = "repetition" if word == ".rept" else "stream"
            origin = Origin(f"in {what} {i} of {word}", line, names=("\\+",))
            first = len(self._unit.statements)
            values = {"+": Given(str(i))}
            lines = [
                Line(
                    copy.text.replace("\\+", str(i)),
                    copy.file,
                    copy.number,
                    origin,
                    Substitution(copy, macros.PARAMETER, values),
                )
                if in_body and "\\+" in copy.text
                else copy._replace(origin=origin)
                for copy, in_body in own
            ]
            self._in_streams |= word == ".interleave"
            self._run(lines, depth + 1)
            if word == ".interleave":
                self._in_streams = False
                self._stream(first, (self._blocks, i))
        self._blocks += word == ".interleave"

    def _stream(self, first: int, place: tuple[int, int]) -> None:
        """Enter the statements from a number on as those of a stream."""
        for line, _ in self._unit.statements[first:]:
            self._unit.streams[id(line)] = line, place

    def _condition(self, word: str, line: Line, head: re.Match[str], body: Sequence[Line], depth: int) -> None:
        """Process the first branch whose condition is true."""
        branches: list[tuple[Line, re.Match[str], list[Line]]] = [(line, head, [])]
        for inner, level, match in levels(body):
            if level == 0 and match is not None and match[2] in (".elseif", ".else"):
                if branches[-1][1][2] == ".else":
                    self._reporter.report(inner, f"{match[2]} after .else", match.start(2), match.end(2))
                branches.append((inner, match, []))
            else:
                branches[-1][2].append(inner)
        for start, match, lines in branches:
            try:
                holds = self._holds(start, match)
            except LineError as problem:
                self._early_problem(start, problem, match[2])
                return
            if holds:
                self._run(lines, depth)
                return

    def _early_problem(self, line: Line, problem: LineError, word: str) -> None:
        if problem.undefined:
            self._early.append((line, problem, word))
        else:
            self._reporter.problem(line, problem)

    def _holds(self, line: Line, head: re.Match[str]) -> bool:
        word = head[2]
        if word in (".if", ".elseif"):
            return self._number(line, head) != 0
        if word == ".else":
            return True
        name = strip_comment(line.text)[head.end(2) :].strip()
        if not macros.NAME.fullmatch(name) and not name.startswith(".L"):
            raise LineError(f"{word} takes a name", head.start(2), head.end(2))
        self._unit.events.append(Asked(line, name, line.text.index(name, head.end(2))))
        symbol = self._unit.scope.symbols.get(name)
        if symbol is not None:
            symbol.used = True
        known = name in self._macros or bool(self._unit.scope.place(name))
        return known == (word == ".ifdef")

    def _include(self, line: Line, head: re.Match[str], depth: int) -> None:
        name, end = self._one_string(line, head), len(line.text.rstrip())
        path = self._sources.find(name, line.file, head.start(2), end)
        self._unit.events.append(Included(line, line.text.index('"', head.end(2)), end, path))
        if name in self._endless:
            return
        if depth >= MAX_DEPTH:
            text = f"nested more than {MAX_DEPTH} deep: does '{name}' include itself?"
            self._endless.add(name)
            raise LineError(text, head.start(2), head.end(2))
        origin = Origin("included from here", line)
        try:
            text = self._sources.source(path)
        except AsmError as error:
            (found,) = error.diagnostics
            if not found.line:
                raise LineError(found.message, head.start(2), end) from None
            place = Line(found.source, found.file, found.line, origin)
            self._reporter.report(place, found.message, found.column - 1, found.column, found.hint)
            return
        self._run(lines_of(str(path), text, origin, self._reporter), depth + 1)

    # ----------------------------------------------------------------------------- macros

    def _define_macro(self, line: Line, head: re.Match[str], body: Sequence[Line]) -> None:
        macro = macros.define(line, head.start(2), head.end(2), body)
        col, end = macro.column, macro.column + len(macro.name)
        if macro.name in self._isa.by_mnemonic:
            raise LineError(f"'{macro.name}' is an instruction", col, end)
        if macro.name in self._macros:
            old = self._macros[macro.name].line
            hint = f"first defined in {old.file}:{old.number}"
            raise LineError(f"macro '{macro.name}' is defined twice", col, end, hint)
        self._macros[macro.name] = macro
        self._simple.clear()
        self._unit.events.append(MacroMade(line, macro))

    def _call(self, macro: macros.Macro, line: Line, col: int, depth: int) -> None:
        if macro.name in self._endless:
            return
        values, named = macros.arguments(macro, line, col)
        self._unit.events.append(MacroCalled(line, macro, col, named))
        self._calls += 1
        if depth >= MAX_DEPTH:
            self._endless.add(macro.name)
            text = f"nested more than {MAX_DEPTH} deep: does macro '{macro.name}' call itself?"
            raise LineError(text, col, col + len(macro.name))
        self._run(macro.lines(values | {"@": Given(str(self._calls)), "()": Given("")}, line), depth + 1)


def _goes_on(line: Line) -> bool:
    """Whether the line tries to continue on the next one, which is already an error."""
    return "\\" in line.text and strip_comment(line.text).rstrip().endswith("\\")
