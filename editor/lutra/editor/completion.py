"""Completion, and the signature of the construct at the cursor."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from pathlib import Path

from lsprotocol import types

from lutra.asm.checks import ALL, CHECKS
from lutra.asm.passes.define import Unit
from lutra.asm.passes.events import AliasMade
from lutra.asm.passes.macros import Macro
from lutra.asm.passes.scope import Scope
from lutra.asm.text import complete
from lutra.asm.text.columns import Span
from lutra.asm.text.complete import Completer, Place
from lutra.asm.text.directives import DESCRIPTIONS
from lutra.editor import reference
from lutra.editor.spot import Spot
from lutra.isa import load

_KINDS = {
    "register": types.CompletionItemKind.Variable,
    "pattern": types.CompletionItemKind.Variable,
    "alias": types.CompletionItemKind.Variable,
    "context": types.CompletionItemKind.Variable,
    "row": types.CompletionItemKind.Field,
    "group": types.CompletionItemKind.Snippet,
    "symbol": types.CompletionItemKind.Constant,
    "label": types.CompletionItemKind.Function,
    "function": types.CompletionItemKind.Function,
    "array": types.CompletionItemKind.Value,
    "instruction": types.CompletionItemKind.Keyword,
    "macro": types.CompletionItemKind.Method,
    "directive": types.CompletionItemKind.Keyword,
    "section": types.CompletionItemKind.Module,
    "file": types.CompletionItemKind.File,
    "folder": types.CompletionItemKind.Folder,
    "check": types.CompletionItemKind.EnumMember,
    "parameter": types.CompletionItemKind.TypeParameter,
}
TRIGGERS = (" ", ",", "[", "{", "^", "\\", ".", '"', "/", ":")
_FILES = (".include", ".incbin")
MOST = 2000
# (kind, text, detail, what is put in, documentation's key)
Item = tuple[str, str, str]


@lru_cache(maxsize=1)
def completer() -> Completer:
    """That of the instruction set."""
    return Completer(load())


def completion(spot: Spot) -> types.CompletionList:
    """The offers at a place, of what is known of the text."""
    before = spot.text[: spot.column]
    at = complete.place(before)
    if at is None:
        return types.CompletionList(False, [])
    unit = next((unit for known in spot.programs for unit in known.units(spot.file)), Unit(spot.file))
    word = _word(at, before)
    rest = spot.text[spot.column :]
    where = spot.document.range(Span(spot.file, spot.line, spot.column - len(word), spot.column + _inside(word, rest)))
    items = []
    for kind, text, detail in _items(spot, at, unit, before):
        if text.startswith(word) or kind == "file":
            items.append(_item(kind, text, detail, where))
    return types.CompletionList(len(items) > MOST, items[:MOST])


def _item(kind: str, text: str, detail: str, where: types.Range) -> types.CompletionItem:
    return types.CompletionItem(
        text,
        kind=_KINDS[kind],
        detail=detail or None,
        text_edit=types.TextEdit(where, text),
        filter_text=text,
        sort_text=f"{list(_KINDS).index(kind):02}{text}",
        data={"kind": kind},
        commit_characters=None,
    )


def documentation(item: types.CompletionItem) -> str:
    """That of an offer, in Markdown; empty where there is none."""
    kind = item.data.get("kind") if isinstance(item.data, Mapping) else None
    text = ""
    if kind == "instruction":
        text = "\n\n---\n\n".join(reference.instruction(load(), insn, False) for insn in load().lookup(item.label))
    elif kind == "directive" and item.label in DESCRIPTIONS:
        usage, text = DESCRIPTIONS[item.label]
        text = f"`{usage}`: {text}"
    elif kind == "check" and item.label in CHECKS:
        text = CHECKS[item.label].text
    return text


def _word(at: Place, before: str) -> str:
    """The end of what is written that an offer takes the place of."""
    if at.head in (*_FILES, ".allow"):
        quoted = at.operand.rpartition('"')[2]
        return quoted.rpartition("/")[2] if at.head != ".allow" else quoted
    if at.head == ".section":
        return before[before.rindex(".section") + len(".section") :].strip()
    return at.word


def _inside(word: str, rest: str) -> int:
    """Return the number of following characters that belong to the word at the cursor."""
    count = 0
    while word and count < len(rest) and (rest[count].isalnum() or rest[count] in "_$"):
        count += 1
    return count


def _items(spot: Spot, at: Place, unit: Unit, before: str) -> Iterator[Item]:
    isa = load()
    if at.word.startswith("\\"):
        yield from _parameters(spot)
    elif not at.head:
        for mnemonic, insns in isa.by_mnemonic.items():
            yield "instruction", mnemonic, f"{insns[0].syntax}: {insns[0].summary}"
        for macro in unit.macros.values():
            yield "macro", macro.name, macro.usage
        for name, description in DESCRIPTIONS.items():
            yield "directive", name, description.usage
    elif at.head in isa.by_mnemonic:
        yield from _operands(spot, at, unit)
    elif at.head in unit.macros:
        yield from _arguments(unit.macros[at.head], at)
        yield from _names(unit.scope)
        for name in (*isa.vector_by_name, *isa.address_registers):
            yield "register", name, ""
    elif at.head in DESCRIPTIONS:
        yield from _directive(spot, at, unit)
    elif before.rstrip().endswith("=") or "=" in at.operand:
        yield from _names(unit.scope)


def _operands(spot: Spot, at: Place, unit: Unit) -> Iterator[Item]:
    aliases = {event.name: event.register for event in unit.events if isinstance(event, AliasMade)}
    for offer in completer().operands(at, unit.scope, _address(spot), aliases):
        kind = offer.kind
        found = unit.scope.symbols.get(offer.text)
        if kind == "symbol" and found is not None and found.expr is None:
            kind = "label"
        yield kind, offer.text, offer.detail
    if any(
        o.written in ("number", "label") for i in load().lookup(at.head) for o in i.operands[at.number : at.number + 1]
    ):
        yield from (item for item in _names(unit.scope) if item[0] in ("function", "array"))


def _address(spot: Spot) -> int:
    """Where an instruction of a line would be, after what is assembled before it."""
    for known in spot.programs[:1]:
        for number in range(spot.line, 0, -1):
            if words := known.words.get((spot.file, number)):
                return words[0][0] + (number < spot.line)
    return 0


def _names(scope: Scope) -> Iterator[Item]:
    for name, found in {**scope.globals, **scope.symbols}.items():
        value = "" if found.value is None else f"{found.value:#x}"
        yield ("label" if found.expr is None else "symbol"), name, f"{found.space or found.lies_in} {value}".strip()
    for function in scope.functions.values():
        yield "function", function.name, function.usage
    for array in scope.arrays.values():
        yield "array", array.name, f"array of {len(array.entries)} entries"


def _arguments(macro: Macro, at: Place) -> Iterator[Item]:
    """Parameters that are not given yet, by name."""
    given = {operand.partition("=")[0].strip() for operand in at.operands if "=" in operand}
    for name, default in macro.parameters[at.number :]:
        if name not in given:
            yield "parameter", f"{name}=", f"default {default}" if default else ""


def _parameters(spot: Spot) -> Iterator[Item]:
    """Return the names that can follow a backslash in the macro or repetition around the line."""
    number, depth = spot.line - 1, 0
    while number > 0:
        at = complete.place(spot.document.line(number) + " ")
        word = at.head if at else ""
        if word in (".endm", ".endr"):
            depth += 1
        elif word in (".macro", ".rept") and depth:
            depth -= 1
        elif word == ".rept":
            yield "parameter", "\\+", "number of the repetition"
        elif word == ".macro" and at is not None:
            text = spot.document.line(number).split(".macro", 1)[1].replace(",", " ").split()
            for parameter in text[1:]:
                yield "parameter", "\\" + parameter.partition("=")[0], f"parameter of {text[0]}"
            yield "parameter", "\\@", "number of the expansion"
            yield "parameter", "\\()", "nothing: ends a parameter's name"
            return
        number -= 1


def _directive(spot: Spot, at: Place, unit: Unit) -> Iterator[Item]:
    isa = load()
    if at.head == ".allow":
        for name, check in CHECKS.items():
            yield "check", name, check.text
        yield "check", ALL, "every check"
    elif at.head == ".section":
        yield "section", "text", isa.program.text
        for space in isa.spaces:
            if not space.is_program:
                yield "section", space.name, space.text
            if space.banks:
                yield "section", f"{space.name}.*", "all lanes of it get the same byte"
    elif at.head in _FILES:
        yield from _files(spot, at)
    elif at.head == ".alias" and at.number == 1:
        for name in (*isa.vector_by_name, *isa.address_registers, *isa.stream_contexts):
            yield "register", name, ""
    elif at.head in (".ifdef", ".ifndef"):
        yield from (("macro", macro.name, macro.usage) for macro in unit.macros.values())
        yield from _names(unit.scope)
    elif at.head not in (".macro", ".function", ".row", ".ascii", ".asciz", ".error", ".warning"):
        yield from _names(unit.scope)


def _files(spot: Spot, at: Place) -> Iterator[Item]:
    """Return files that can be included, next to the text and in the include folders."""
    begun = at.operand.lstrip('"').rpartition("/")[0]
    programs = spot.workspace.of(spot.file)
    folders = [os.path.dirname(spot.file), *(programs[0].include if programs else ())]  # noqa: PTH120
    seen: set[str] = set()
    for folder in folders:
        try:
            entries = sorted(Path(folder, begun).iterdir())[:MOST]
        except (OSError, ValueError):
            continue
        for entry in entries:
            if entry.name.startswith(".") or entry.name in seen:
                continue
            seen.add(entry.name)
            if entry.is_dir():
                yield "folder", f"{entry.name}/", ""
            elif at.head == ".incbin" or entry.suffix in (".inc", ".s"):
                yield "file", entry.name, ""


def signature(spot: Spot) -> types.SignatureHelp | None:
    """Return the signature of the instruction, macro or function at the cursor."""
    before = spot.text[: spot.column]
    at = complete.place(before)
    if at is None or not at.head:
        return None
    unit = next((unit for known in spot.programs for unit in known.units(spot.file)), Unit(spot.file))
    if called := _called(at.operand):
        name, index = called
        if function := unit.scope.functions.get(name):
            return _help([(function.usage, "", [(p, "") for p in function.parameters])], index)
    if insns := load().lookup(at.head):
        fitting = [insn for insn in insns if at.number < len(insn.operands)] or list(insns)
        return _help(
            [
                (i.syntax, i.summary, [(o.name, reference.operand_text(i, n)) for n, o in enumerate(i.operands)])
                for i in fitting
            ],
            at.number,
        )
    if macro := unit.macros.get(at.head):
        key = at.operand.partition("=")[0].strip()
        names = [name for name, _ in macro.parameters]
        index = names.index(key) if "=" in at.operand and key in names else at.number
        texts = [(n if d is None else f"{n}={d}", "") for n, d in macro.parameters]
        return _help([(macro.usage, "", texts)], index)
    if at.head in DESCRIPTIONS:
        description = DESCRIPTIONS[at.head]
        return _help([(description.usage, description.text, [])], 0)
    return None


def _called(text: str) -> tuple[str, int] | None:
    """The function whose arguments are being written at the end of a text, and the number of the argument."""
    depth, commas = 0, 0
    for at in range(len(text) - 1, -1, -1):
        char = text[at]
        if char in ")]":
            depth += 1
        elif char in "([" and depth:
            depth -= 1
        elif char == "(":
            name = complete.place("x " + text[:at])
            return (name.word, commas) if name and name.word else None
        elif char == "," and not depth:
            commas += 1
    return None


def _help(signatures: Iterable[tuple[str, str, list[tuple[str, str]]]], index: int) -> types.SignatureHelp:
    return types.SignatureHelp(
        [
            types.SignatureInformation(
                usage, text or None, [types.ParameterInformation(name, about or None) for name, about in parameters]
            )
            for usage, text, parameters in signatures
        ],
        active_signature=0,
        active_parameter=index,
    )
