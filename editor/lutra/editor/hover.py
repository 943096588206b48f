"""Hover: describe the word under the mouse."""

from __future__ import annotations

from lutra.asm.passes.events import AliasMade
from lutra.asm.passes.macros import Macro
from lutra.asm.passes.symbols import Array, Definition, Function
from lutra.asm.text.index import Name
from lutra.asm.text.tokens import token_at
from lutra.editor import reference
from lutra.editor.analyses import Analysed
from lutra.editor.spot import Spot
from lutra.isa import load

# A name that is put together in a macro can have many meanings.
MOST = 8
_LONGEST_BODY = 24
_ROW, _ROWS = 16, 4  # bytes of a row, and rows of a memory


def hover(spot: Spot) -> str:
    """The text of a place, in Markdown; empty where there is nothing to say."""
    parts = list(dict.fromkeys(text for known, use in spot.uses if (text := _meaning(spot, known, use.name))))
    if len(parts) > MOST:
        parts = [*parts[:MOST], f"... and {len(parts) - MOST} more"]
    if not parts and spot.token is not None:
        picture = spot.workspace.settings.drawing == "svg"
        parts = [reference.of(spot.token, picture), _word(spot) if spot.token.kind in ("mnemonic", "transfer") else ""]
        if spot.token.kind == "name":
            parts.append(_predefined(spot.token.text))
    return spot.workspace.shown("\n\n---\n\n".join(part for part in parts if part))


def _meaning(spot: Spot, known: Analysed, name: Name) -> str:
    meaning = known.index.meanings.get(name)
    where = f"{name.place.file}:{name.place.line}"
    comment = _comment(spot, known, name)
    match meaning:
        case Macro() if name.kind == "parameter":
            default = dict(meaning.parameters).get(name.text)
            text = f"parameter of macro `{meaning.usage}`" + (f", `{default}` if it is left out" if default else "")
        case Macro():
            body = [line.text for line in meaning.body]
            shown = body if len(body) <= _LONGEST_BODY else [*body[:_LONGEST_BODY], "        ..."]
            text = "\n".join(["```lutra", f".macro {meaning.usage}", *shown, ".endm", "```"])
        case Function() if name.kind == "argument":
            text = f"parameter of function `{meaning.usage}`"
        case Function():
            text = f"```lutra\n{meaning.line.text.strip()}\n```"
        case Array():
            values = [entry.value for entry in meaning.entries[:16]]
            shown_values = ", ".join("?" if value is None else f"{value:#x}" for value in values)
            more = ", ..." if len(meaning.entries) > len(values) else ""
            text = f"array `{name.text}` of {len(meaning.entries)} entries: `{shown_values}{more}`"
        case AliasMade():
            token = token_at(meaning.register, 0)
            of = f"\n\n{reference.of(token, False)}" if token else ""
            text = f"`{name.text}` is `{meaning.register}` here{of}"
        case Definition():
            text = _symbol(name, meaning) + _contents(known, meaning)
        case _:
            return ""
    return f"{text}\n\n{comment}{where}"


def _symbol(name: Name, found: Definition) -> str:
    if found.expr is None:
        space = load().space_by_name.get(found.space)
        if space is None or found.value is None:
            return f"label `{name.text}`"
        unit = "word" if space.is_program else "address"
        return f"label `{name.text}` in {found.space}, {unit} {reference.bases(found.address)}"
    if found.value is None:
        return f"`{found.line.text.strip()}`"
    inside = f", an address in {found.lies_in}" if found.lies_in else ""
    return f"`{name.text}` = {reference.bases(found.value)}{inside}"


def _contents(known: Analysed, found: Definition) -> str:
    """The bytes from a label of a memory to the next label, the first rows of them."""
    image = known.analysis.image
    if image is None or found.expr is not None:
        return ""
    others = [at for at in image.labels(found.space) if at > found.address]
    for at, data in image.memory.get(found.space, ()):
        if at <= found.address < at + len(data):
            whole = data[found.address - at : min(others) - at if others else None]
            shown = [whole[i : i + _ROW].hex(" ") for i in range(0, len(whole), _ROW)][:_ROWS]
            more = ["..."] * (len(whole) > _ROWS * _ROW)
            return "\n\n" + "\n".join(["```text", *shown, *more, "```"])
    return ""


def _predefined(text: str) -> str:
    row = next((row for row in load().stream_rows if row.name == text), None)
    return "" if row is None else f"`{text}` = `{row.code}`: row of a stream context, {row.text}"


def _comment(spot: Spot, known: Analysed, name: Name) -> str:
    """The comment before a definition, or at its end."""
    if name.kind in ("parameter", "argument"):
        return ""
    document = spot.workspace.text(name.place.file, known)
    lines: list[str] = []
    number = name.place.line - 1
    # A directive that exports the name may be between its header and the label.
    while document.line(number).lstrip().startswith(".global"):
        number -= 1
    while (text := document.line(number).strip()).startswith("//") and len(lines) < _LONGEST_BODY:
        lines.insert(0, text[2:].strip())
        number -= 1
    _, mark, rest = document.line(name.place.line).partition("//")
    if not lines and mark:
        lines = [rest.strip()]
    text = "\n".join(lines)
    return f"```text\n{text}\n```\n" if text else ""


def _word(spot: Spot) -> str:
    """The words that a line has become, as far as they come from this line alone."""
    lines = []
    for known in spot.programs[:1]:
        for address, placed in known.words.get((spot.file, spot.line), ())[:MOST]:
            if placed.line.file == spot.file and placed.line.number == spot.line:
                lines.append(f"{address:04x}  {known.analysis.program[address]:016x}  {placed.line.text.strip()}")
    return "```text\n" + "\n".join(lines) + "\n```" if lines else ""
