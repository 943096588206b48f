"""Definitions and uses of names, symbols of a text and of all programs, and folding."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from lsprotocol import types

from lutra.asm.passes.blocks import BLOCKS, HEAD
from lutra.asm.text.columns import Span
from lutra.asm.text.index import Name
from lutra.asm.text.tokens import tokens
from lutra.editor.analyses import Analysed
from lutra.editor.documents import Document
from lutra.editor.spot import Spot, places
from lutra.editor.workspace import Workspace

_KINDS = {
    "label": types.SymbolKind.Function,
    "symbol": types.SymbolKind.Constant,
    "function": types.SymbolKind.Operator,
    "array": types.SymbolKind.Array,
    "macro": types.SymbolKind.Method,
    "alias": types.SymbolKind.Variable,
}
_ENDS = frozenset(BLOCKS.values())
_BRANCHES = frozenset({".else", ".elseif"})
MOST_SYMBOLS = 500


def definition(spot: Spot) -> list[types.Location]:
    """Return where a name is defined; for the file name of an inclusion, the file."""
    for known in spot.programs:
        for place, file in known.index.includes.items():
            if place.file == spot.file and place.covers(spot.line, spot.column):
                return [
                    types.Location(spot.workspace.uri(file), types.Range(types.Position(0, 0), types.Position(0, 0)))
                ]
    found = {use.name.place: known for known, use in spot.uses}
    return [spot.workspace.location(place, known) for place, known in found.items()]


def references(spot: Spot, programs: Iterable[Analysed], declaration: bool) -> list[types.Location]:
    """Return where a name is used, in all programs."""
    found = places(programs, spot.names)
    return [
        spot.workspace.location(place, known)
        for place, (known, use) in sorted(found.items())
        if declaration or not use.defines
    ]


def highlights(spot: Spot) -> list[types.DocumentHighlight]:
    """The places of a name in its text; of a word that the language has, the same word."""
    if spot.names:
        return [
            types.DocumentHighlight(
                spot.document.range(place),
                types.DocumentHighlightKind.Write if use.defines else types.DocumentHighlightKind.Read,
            )
            for place, (_, use) in sorted(places(spot.programs, spot.names).items())
            if place.file == spot.file
        ]
    if spot.token is None or spot.token.kind not in ("register", "address", "context"):
        return []
    wanted = spot.token.text
    return [
        types.DocumentHighlight(spot.document.range(Span(spot.file, number, token.start, token.end)))
        for number, line in enumerate(spot.document.lines, 1)
        for token in (tokens(line) if wanted in line else ())
        if token.text == wanted
    ]


def links(
    workspace: Workspace, file: str, document: Document, programs: Sequence[Analysed]
) -> list[types.DocumentLink]:
    """The files that a text includes."""
    found = {place: path for known in programs for place, path in known.index.includes.items() if place.file == file}
    return [types.DocumentLink(document.range(place), target=workspace.uri(path)) for place, path in found.items()]


def symbols(file: str, document: Document, programs: Iterable[Analysed]) -> list[types.DocumentSymbol]:
    """Return the names that a text defines; local labels and parameters are children of the name before them."""
    names = {name for known in programs for name in known.index.meanings if name.place.file == file}
    found: list[types.DocumentSymbol] = []
    for place, name in sorted({name.place: name for name in sorted(names)}.items()):
        if name.kind not in _KINDS:
            continue
        text = document.line(place.line)[place.column : place.end] or name.text
        where = document.range(place)
        symbol = types.DocumentSymbol(text, _KINDS[name.kind], where, where, detail=name.kind, children=[])
        last = found[-1] if found else None
        if text.startswith(".L") and last is not None and last.children is not None:
            last.children = [*last.children, symbol]
            last.range = types.Range(last.range.start, where.end)
        else:
            found.append(symbol)
    return found


def all_symbols(workspace: Workspace, programs: Iterable[Analysed], query: str) -> list[types.WorkspaceSymbol]:
    """The names of all programs whose letters hold those of a query in their order; the nearest first."""
    pattern = re.compile(".*?".join(map(re.escape, query[:100])), re.IGNORECASE)
    found: dict[Name, Analysed] = {}
    for known in programs:
        for name in known.index.meanings:
            if name.kind in _KINDS and not name.text.startswith(".L") and pattern.search(name.text):
                found.setdefault(name, known)
    nearest = sorted(found, key=lambda n: (n.text != query, not n.text.startswith(query), len(n.text), n))
    return [
        types.WorkspaceSymbol(
            workspace.location(name.place, found[name]), name.text, _KINDS[name.kind], container_name=name.kind
        )
        for name in nearest[:MOST_SYMBOLS]
    ]


def folds(document: Document) -> list[types.FoldingRange]:
    """Blocks from `.macro`, `.rept` and `.if` on, and comments of several lines."""
    found: list[types.FoldingRange] = []
    opened: list[int] = []
    comment = None

    def fold(first: int, last: int, kind: types.FoldingRangeKind | None = None) -> None:
        start, end = document.position(first, 0).line, document.position(last, 0).line
        if end > start:
            found.append(types.FoldingRange(start, end, kind=kind))

    for number, line in enumerate([*document.lines, ""], 1):
        if line.lstrip().startswith(("//", ";")):
            comment = comment or number
        elif comment is not None:
            fold(comment, number - 1, types.FoldingRangeKind.Comment)
            comment = None
        head = HEAD.match(line)
        word = head[2] if head else None
        if word in BLOCKS:
            opened.append(number)
        elif word in _BRANCHES and opened:
            fold(opened[-1], number - 1)
            opened[-1] = number
        elif word in _ENDS and opened:
            fold(opened.pop(), number)
    return found
