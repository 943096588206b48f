"""Variables: the registers in their groups, memories row by row, and the parts of each.

What a register belongs to is read from the tables of the instruction set, and from what it holds.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import groupby

from lutra.debug import Value
from lutra.debug.dap.arguments import Arguments, RequestError
from lutra.debug.dap.state import Body, Container, State
from lutra.debug.values import ROW
from lutra.isa import load
from lutra.iss.engine import EngineError
from lutra.iss.registers import Register

# Parts of a vector: its words, then its bytes.
_PARTS = (("w", 4), ("b", 1))


@dataclass(frozen=True)
class Variable:
    """One variable. expression: what evaluates to it and sets it, or "". children: what it consists of, or None;
    rows: how many of them are numbered, and fetched by parts. memory: its reference as memory, or ""."""

    name: str
    value: str
    expression: str = ""
    children: Container | None = None
    rows: int = 0
    memory: str = ""


def scopes(state: State) -> list[Body]:
    """Kinds of containers of variables."""
    shown = [
        ("Vector registers", "registers", _registers("vector"), False),
        ("Address registers", "registers", _registers("address"), False),
        ("Control", "registers", _registers("control"), False),
        ("Stream contexts", "registers", _registers("context"), False),
        ("Loops", "loops", _loops, False),
        ("Memories", "memories", _memories, True),
    ]
    return [
        {
            "name": name,
            "presentationHint": "registers" if hint == "registers" else hint,
            "variablesReference": state.hold(children),
            "expensive": expensive,
        }
        for name, hint, children, expensive in shown
    ]


def described(state: State, variable: Variable) -> Body:
    """A variable for the client."""
    body: Body = {
        "name": variable.name,
        "value": variable.value,
        "variablesReference": state.hold(variable.children) if variable.children else 0,
    }
    if variable.expression:
        body["evaluateName"] = variable.expression
    else:
        body["presentationHint"] = {"attributes": ["readOnly"]}
    if variable.rows:
        body |= {"indexedVariables": variable.rows, "namedVariables": 0}
    if variable.memory:
        body["memoryReference"] = variable.memory
    return body


# ------------------------------------------------------------------ registers


def _group(register: Register) -> str:
    isa = load()
    if register.base in isa.address_registers:
        return "address"
    if register.base in isa.stream_contexts:
        return "context"
    return "vector" if isinstance(register.value, bytes) else "control"


def _registers(group: str) -> Container:
    def children(state: State, first: int, count: int) -> list[Variable]:
        used = [register for register in state.session.inspect.registers().values() if register.used]
        grouped = [(base, list(values)) for base, values in groupby(used, key=lambda register: register.base)]
        return [_register(state, base, values) for base, values in grouped if _group(values[0]) == group]

    return children


def _register(state: State, base: str, values: list[Register]) -> Variable:
    """A register; the values that belong to it are its parts."""
    main = next((r for r in values if r.name == base), None)
    others = [r for r in values if r.name != base]
    if main is not None and isinstance(main.value, bytes) and not others:
        return valued(state, base, Value(base, main.value))
    if not others and main is not None:
        return Variable(base, main.text, base)

    def children(state: State, first: int, count: int) -> list[Variable]:
        parts = parts_of(base, len(main.value)) if main is not None and isinstance(main.value, bytes) else []
        return [*parts, *(valued(state, r.name.removeprefix(f"{base}."), Value(r.name, r.value)) for r in others)]

    return Variable(base, main.text if main is not None else "", base if main is not None else "", children)


def valued(state: State, name: str, value: Value) -> Variable:
    """A variable of a value; a memory is referred to where it lies in one."""
    shown = " ".join(state.session.inspect.show(value).splitlines())
    location = value.location
    memory = f"{location.space}@{location.offset:#x}" if location is not None and location.space else ""
    data = value.value
    if not isinstance(data, bytes):
        return Variable(name, shown, value.text, memory=memory)
    length, text = len(data), value.text

    def children(state: State, first: int, count: int) -> list[Variable]:
        if length > ROW:
            return rows_of(state, text, range(first, min(first + count, length // ROW)))
        return [*_views(state, value), *parts_of(text, length)]

    return Variable(name, shown, text, children, length // ROW if length > ROW else 0, memory)


def _views(state: State, value: Value) -> list[Variable]:
    """The lines of each view that fits."""
    lines = []
    for view in state.session.inspect.views():
        try:
            shown = state.session.inspect.show(value, view).splitlines()
        except EngineError:
            continue
        lines += [Variable(f"{view} {number}", line) for number, line in enumerate(shown)]
    return lines


def parts_of(text: str, length: int) -> list[Variable]:
    """Words, and bytes, of a value: `v0.w[2]`."""

    def children(lane: str, size: int) -> Container:
        def made(state: State, first: int, count: int) -> list[Variable]:
            names = [f"{text}.{lane}[{n}]" for n in range(length // size)][first : first + count]
            return [valued_part(state, name, text) for name in names]

        return made

    return [
        Variable(
            f"{lane}[]", f"{length // size} of {size} byte{'s' * (size > 1)}", "", children(lane, size), length // size
        )
        for lane, size in _PARTS
        if length % size == 0 and length > size
    ]


def valued_part(state: State, name: str, text: str) -> Variable:
    """Return one lane, which has no parts itself."""
    value = state.session.inspect.evaluate(name)
    return Variable(name.removeprefix(f"{text}."), state.session.inspect.show(value), name)


def rows_of(state: State, text: str, rows: range) -> list[Variable]:
    """Some rows of a value that is longer than one."""
    return [valued(state, f"[{n}]", state.session.inspect.evaluate(f"{text}.row[{n}]")) for n in rows]


# ------------------------------------------------------------------ loops and memories


def _loops(state: State, first: int, count: int) -> list[Variable]:
    loops = [frame for frame in state.session.inspect.frames() if frame.kind == "loop"]
    return [Variable(loop.name, _passes(loop.done, loop.left)) for loop in loops]


def _passes(done: int, left: int) -> str:
    return f"{left} left after this one" if done < 0 else f"{done} done, {left} left after this one"


def _memories(state: State, first: int, count: int) -> list[Variable]:
    spaces = [space.name for space in load().spaces if len(space.blocks) + len(space.banks) == 1]
    return [
        Variable(
            space,
            f"{state.session.inspect.size(space)} bytes",
            "",
            _rows(space),
            state.session.inspect.size(space) // ROW,
            f"{space}@0",
        )
        for space in spaces
    ]


def _rows(space: str) -> Container:
    def children(state: State, first: int, count: int) -> list[Variable]:
        last = min(first + count, state.session.inspect.size(space) // ROW)
        return [_row(state, space, n * ROW) for n in range(first, last)]

    return children


def _row(state: State, space: str, offset: int) -> Variable:
    value = state.session.inspect.evaluate(f"{space}[{offset:#x}]")
    return valued(state, f"[{offset:#05x}]", value)


# ------------------------------------------------------------------ requests

# Limit of one answer.
_MOST = 4096


def _variables(state: State, arguments: Arguments) -> Body:
    reference = arguments.number("variablesReference")
    held = state.held(reference)
    if arguments.text("filter", "") == "named" and "start" in arguments.values:
        return {"variables": []}
    count = arguments.number("count", 0) or _MOST
    found = held(state, arguments.number("start", 0), min(count, _MOST))
    state.expressions.setdefault(reference, {}).update({v.name: v.expression for v in found})
    return {"variables": [described(state, variable) for variable in found]}


def _set_variable(state: State, arguments: Arguments) -> Body:
    name = arguments.text("name")
    expression = state.expression(arguments.number("variablesReference"), name)
    return _set(state, expression, arguments.text("value"))


def _set_expression(state: State, arguments: Arguments) -> Body:
    return _set(state, arguments.text("expression"), arguments.text("value"))


def _set(state: State, expression: str, value: str) -> Body:
    if not expression:
        raise RequestError("this cannot be set")
    state.session.set(expression, value)
    shown = described(state, valued(state, expression, state.session.inspect.evaluate(expression)))
    if reference := shown.get("memoryReference"):
        state.channel.event("memory", memoryReference=reference, offset=0, count=ROW)
    return {"value": shown["value"], "variablesReference": shown["variablesReference"]}


REQUESTS = {"variables": _variables, "setVariable": _set_variable, "setExpression": _set_expression}
