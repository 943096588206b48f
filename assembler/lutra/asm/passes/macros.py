"""Macros: their parameters, the arguments of a call, and the lines that a call becomes."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from lutra.asm.errors import Given, Line, LineError, Origin, Substitution
from lutra.asm.passes.parse import strip_comment

NAME = re.compile(r"[A-Za-z_]\w*")
_ARGUMENT = re.compile(r'"(?:\\.|[^"\\])*"|\'(?:\\.|[^\'\\])\'|[^"\',()\[\]{}]+|.', re.DOTALL)
PARAMETER = re.compile(r"\\(\(\)|@|\+|[A-Za-z_]\w*)")
_TEXT = re.compile(r'"(?:\\.|[^"\\])*"?|\'(?:\\x..|\\.|[^\'\\])\'')


@dataclass(frozen=True)
class Macro:
    """A macro, defined by `.macro` to `.endm`."""

    name: str
    parameters: tuple[tuple[str, str | None], ...]  # name, default
    body: tuple[Line, ...]
    line: Line
    column: int = 0  # of the name
    columns: tuple[tuple[int, int], ...] = ()  # of each parameter's name and default

    @property
    def usage(self) -> str:
        """Usage of the macro."""
        return f"{self.name} " + ", ".join(n if d is None else f"{n}={d}" for n, d in self.parameters)

    def lines(self, values: Mapping[str, Given], line: Line) -> list[Line]:
        """Return the body with the values of parameters and counters substituted."""

        def put(found: re.Match[str]) -> str:
            value = values.get(found[1])
            return found[0] if value is None else value.text

        names = tuple(f"\\{name}" for name in values)
        definition = (self.line.file, self.line.number)
        origin = Origin(f"in expansion of macro '{self.name}'", line, names, self.name, definition)
        return [
            Line(PARAMETER.sub(put, i.text), i.file, i.number, origin, Substitution(i, PARAMETER, values))
            if "\\" in i.text
            else i._replace(origin=origin)
            for i in self.body
        ]


def define(line: Line, col: int, end: int, body: Sequence[Line]) -> Macro:
    """Return the macro of a `.macro` line; col, end: columns of the directive. Raises LineError."""
    text = strip_comment(line.text)[end:]
    found = re.match(r"\s*([A-Za-z_]\w*)\s*,?", text)
    if found is None:
        raise LineError(".macro takes a name and parameters", col, end)
    parameters: list[tuple[str, str | None]] = []
    columns = []
    for start, part in _placed(text[found.end() :], end + found.end()):
        key, equals, default = part.partition("=")
        columns.append((_begin(start, key), _begin(start + len(key) + 1, default)))
        key = key.strip()
        if not NAME.fullmatch(key) or any(key == p for p, _ in parameters):
            raise LineError(f"'{key}' cannot be a parameter", col, len(line.text.rstrip()))
        parameters.append((key, default.strip() if equals else None))
    return Macro(found[1], tuple(parameters), tuple(body), line, end + found.start(1), tuple(columns))


def arguments(macro: Macro, line: Line, col: int) -> tuple[dict[str, Given], dict[str, int]]:
    """Parse the arguments of a call: return parameter -> text, and parameter -> column where it is given by name.

    Raises LineError.
    """
    end = col + len(macro.name)
    names = [name for name, _ in macro.parameters]
    usage = f"usage: {macro.usage}"
    values: dict[str, Given] = {}
    named: dict[str, int] = {}
    for position, (start, part) in enumerate(_placed(strip_comment(line.text)[end:], end)):
        key, equals, value = part.partition("=")
        if equals and key.strip() in names and not value.startswith("="):
            name = key.strip()
            given = Given(value.strip(), line, _begin(start + len(key) + 1, value))
            named[name] = _begin(start, key)
        elif position < len(names):
            name, given = names[position], Given(part.strip(), line, _begin(start, part))
        else:
            raise LineError(f"too many arguments for macro '{macro.name}'", col, len(line.text.rstrip()), usage)
        if name in values:
            raise LineError(f"parameter '{name}' is given twice", col, len(line.text.rstrip()), usage)
        values[name] = given
    for (name, default), (_, column) in zip(macro.parameters, macro.columns, strict=True):
        if name not in values or values[name].text == "":
            if default is None:
                raise LineError(f"macro '{macro.name}' needs parameter '{name}'", col, end, usage)
            values[name] = Given(default, macro.line, column)
    return values, named


def _placed(text: str, start: int) -> Iterator[tuple[int, str]]:
    """Split a text that begins at a column; yield each part with its column."""
    for part in split(text):
        yield start, part
        start += len(part) + 1


def _begin(start: int, text: str) -> int:
    """Return the column of the first character that is not blank."""
    return start + len(text) - len(text.lstrip())


def split(text: str) -> list[str]:
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


def check_backslashes(line: Line, text: str) -> None:
    """Refuse a backslash outside of strings that was not substituted. Raises LineError."""
    bare = _TEXT.sub(lambda quoted: " " * len(quoted[0]), text)
    at = bare.find("\\")
    if at < 0:
        return
    if not bare[at + 1 :].strip():
        raise LineError("a statement cannot continue on the next line", at, at + 1, "write it in one line")
    found = PARAMETER.match(bare, at)
    word = found[0] if found else bare[at : at + 2].rstrip()
    names: list[str] = []
    origin = line.origin
    while origin is not None:
        names += [n for n in origin.names if n not in names]
        origin = origin.line.origin if not origin.macro else None
    if not names:
        hint = "macros have parameters and \\@, repetitions have \\+"
        raise LineError(f"'{word}' outside of a macro or repetition", at, at + len(word), hint)
    raise LineError(f"'{word}' is not known here", at, at + len(word), "known: " + " ".join(names))
