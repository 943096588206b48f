"""A name becomes another one in all files of all programs, or nothing changes and one line says why.

A name that is put together in a macro (`\\c\\()_key`) can be renamed where it is put together, if it is put together in
the same way wherever it is used. Whether a rename is right is asked of the assembler: every program that a changed file
is part of is assembled again, and must become the same words and data.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from lsprotocol import types

from lutra.asm.errors import Diagnostic
from lutra.asm.passes.define import Unit
from lutra.asm.text.columns import Span
from lutra.asm.text.index import Name, Use
from lutra.asm.text.tokens import tokens
from lutra.editor.analyses import Analysed, analysed
from lutra.editor.spot import Spot, places
from lutra.editor.workspace import Workspace

_NAME = re.compile(r"(?:\.L|[A-Za-z_])[\w$]*")
_PART = re.compile(r"\\(?:\(\)|@|\+|[A-Za-z_]\w*)")
# Words that the language has.
_TAKEN = {
    "register": "a register",
    "address": "an address register",
    "context": "a stream context",
    "space": "a memory or table",
}


class RenameError(Exception):
    """Why a name cannot be changed, in one line."""


def prepare(spot: Spot) -> tuple[types.Range, str]:
    """Return range and text of the name to rename at a place. Raises RenameError."""
    if not spot.uses:
        token = spot.token
        if token is not None and token.kind in _TAKEN:
            raise RenameError(f"'{token.text}' is {_TAKEN[token.kind]} of the instruction set")
        raise RenameError("there is no name here that can be renamed")
    place = spot.uses[0][1].place
    return spot.document.range(place), spot.text[place.column : place.end]


def rename(spot: Spot, programs: Sequence[Analysed], new: str) -> dict[str, list[tuple[Span, str]]]:
    """File -> what changes in it, of all programs that the text is part of. Raises RenameError."""
    prepare(spot)
    found = _closed(programs, spot.names)
    texts = {place: _text(spot.workspace, known, place) for place, (known, _) in found.items()}
    old = spot.text[spot.uses[0][1].place.column : spot.uses[0][1].place.end]
    for place, text in sorted(texts.items()):
        if text != old:
            raise RenameError(
                f"'{old}' is written '{text}' in {spot.workspace.shown(place.file)}:{place.line}; "
                "a name that macros put together cannot be renamed from here"
            )
    _check(new, old, {use.name.kind for _, use in found.values()})
    changes: dict[str, list[tuple[Span, str]]] = {}
    for place in sorted(found):
        changes.setdefault(place.file, []).append((place, new))
    return changes


def _closed(programs: Sequence[Analysed], names: Sequence[Name]) -> dict[Span, tuple[Analysed, Use]]:
    """All places of names, and of those that have a place in common with them."""
    wanted = set(names)
    while True:
        found = places(programs, sorted(wanted))
        more = {
            use.name
            for place in found
            for known in programs
            for use in known.index.lines.get((place.file, place.line), ())
            if use.place == place and use.certain
        }
        if more <= wanted:
            return found
        wanted |= more


def _text(workspace: Workspace, known: Analysed, place: Span) -> str:
    return workspace.text(place.file, known).line(place.line)[place.column : place.end]


def _check(new: str, old: str, kinds: set[str]) -> None:
    """Whether a text is a name, and has the same parts of a macro's parameters as the old one. Raises RenameError."""
    plain = _PART.sub("", new)
    if sorted(_PART.findall(new)) != sorted(_PART.findall(old)):
        raise RenameError(f"'{new}' does not have the same parameters as '{old}'")
    if plain and not _NAME.fullmatch(plain if plain[0].isalpha() or plain[0] in "._" else f"x{plain}"):
        raise RenameError(f"'{new}' is not a name")
    if not new or (new == plain and not _NAME.fullmatch(new)):
        raise RenameError(f"'{new}' is not a name")
    (token,) = list(tokens(new)) if new == plain else [None]
    if token is not None and token.kind in _TAKEN:
        raise RenameError(f"'{new}' is {_TAKEN[token.kind]} of the instruction set")
    if token is not None and token.kind in ("mnemonic", "transfer") and kinds & {"macro", "alias"}:
        raise RenameError(f"'{new}' is an instruction")
    if plain.startswith(".L") and not kinds <= {"label", "symbol"}:
        raise RenameError(f"'{new}' is not a name; only labels begin with .L")


def changed(text: str, changes: Sequence[tuple[Span, str]]) -> str:
    """A text, as the assembler has it, with changes."""
    lines = text.split("\n")
    for place, new in sorted(changes, reverse=True):
        line = lines[place.line - 1]
        lines[place.line - 1] = line[: place.column] + new + line[place.end :]
    return "\n".join(lines)


def prove(
    workspace: Workspace, programs: Sequence[Analysed], changes: Mapping[str, Sequence[tuple[Span, str]]]
) -> None:
    """Assemble the programs with the changes; they must be as before. Raises RenameError."""
    texts = {file: document.text for file, document in workspace.open.items()}
    for known in programs:
        for file in changes.keys() & known.texts.keys():
            texts[file] = changed(known.texts[file], changes[file])
    for known in programs:
        if not changes.keys() & known.files:
            continue
        after = analysed(known.program, workspace.settings, workspace.base, texts, {})
        before, now = known.analysis, after.analysis
        if new := _worse(before.diagnostics, now.diagnostics):
            hint = f"; {new.hint}" if new.hint else ""
            raise RenameError(workspace.shown(f"{new.file}:{new.line}: {new.message}{hint}"))
        same = before.program == now.program and before.owners.keys() == now.owners.keys()
        if same and before.image is not None and now.image is not None:
            same = before.image.memory == now.image.memory and before.image.entry == now.image.entry
        if not same or len(_names(before.units)) != len(_names(now.units)):
            raise RenameError(f"it would change the program {known.program.name}: the name has another meaning there")


def _worse(before: Sequence[Diagnostic], now: Sequence[Diagnostic]) -> Diagnostic | None:
    """An error that was not there before, or a warning where there are more than before."""
    old = {(d.severity, d.file, d.line, d.name) for d in before}
    fresh = [d for d in now if (d.severity, d.file, d.line, d.name) not in old]
    errors = [d for d in fresh if d.severity == "error"]
    return next(iter(errors or (fresh if len(now) > len(before) else [])), None)


def _names(units: Sequence[Unit]) -> list[str]:
    return [
        name
        for unit in units
        for name in (*unit.scope.symbols, *unit.scope.functions, *unit.scope.arrays, *unit.macros)
    ]
