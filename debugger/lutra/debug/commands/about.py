"""`info` and its subjects, `set`, `source`, `help` and `quit`."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from lutra.asm import Symbol
from lutra.asm.errors import nearest
from lutra.asm.files import MIB, normal, read_bounded
from lutra.debug.commands import looks, points, shown
from lutra.debug.commands.table import Call, Command, number
from lutra.debug.errors import DebugError
from lutra.isa import load
from lutra.iss.engine import EngineError
from lutra.iss.fault import Fault

_GROUP = "other"
# Depth of scripts that run other scripts.
MOST_NESTED = 8


class _Subject(NamedTuple):
    """Subjects of `info`."""

    text: str
    run: Callable[[Call], str]


def _symbols(call: Call) -> str:
    wanted = call.rest
    lines = [
        f"{s.space or '-':<4}{s.value:#06x}  {s.name}"
        for s in sorted(call.session.image.symbols, key=_order)
        if wanted in s.name
    ]
    return "\n".join(lines) or f"no symbol has {wanted!r} in its name"


def _order(symbol: Symbol) -> tuple[str, int]:
    return symbol.space, symbol.value


def _memories(call: Call) -> str:
    call.nothing()
    return "\n".join(f"{s.name:<6}{call.inspect.size(s.name):#07x} bytes  {s.text}" for s in load().spaces)


def _files(call: Call) -> str:
    call.nothing()
    return "\n".join(map(normal, call.inspect.lines.sources())) or "the image names no source files"


def _program(call: Call) -> str:
    call.nothing()
    session = call.session
    lines = [f"engine {session.engine}, ROUNDS_PER_INSTR {session.rounds}"]
    for n, run in enumerate(session.runs):
        mark = "=>" if n == session.inspect.where().run else ""
        lines.append(f"{mark:<3}run {n}: {session.inspect.names.label(run.entry) or f'{run.entry:#06x}'}")
    where = session.inspect.where()
    return "\n".join([*lines, f"time {where.time} of {session.inspect.latest}, cycle {where.cycle}, {where.state}"])


_SUBJECTS: Mapping[str, _Subject] = {
    "registers": _Subject("registers [NAME ...]: all registers in use; * marks those changed last", looks.registers),
    "breakpoints": _Subject("breakpoints: all breakpoints and watchpoints", points.listed),
    "watchpoints": _Subject("watchpoints: the same", points.listed),
    "symbols": _Subject("symbols [PART]: all symbols with PART in their names", _symbols),
    "memories": _Subject("memories: the memories and their sizes", _memories),
    "files": _Subject("files: the source files", _files),
    "program": _Subject("program: engine, runs, time and cycle", _program),
}


def _info(call: Call) -> str:
    name, _, rest = call.rest.partition(" ")
    found = [subject for subject in _SUBJECTS if name and subject.startswith(name)]
    if len(found) != 1:
        known = "\n".join(shown.indented(subject.text) for subject in _SUBJECTS.values())
        if not name:
            return f"info about\n{known}"
        hint = nearest(name, list(_SUBJECTS))
        raise DebugError(f"info about {name!r} is not known; " + (hint or f"choose from {', '.join(_SUBJECTS)}"))
    return _SUBJECTS[found[0]].run(replace(call, rest=rest.strip()))


def _set(call: Call) -> str:
    # An equals sign that is not a comparison.
    parts = re.split(r"(?<![=!<>])=(?!=)", call.rest.removeprefix("var "), maxsplit=1)
    if len(parts) != 2:
        raise DebugError("write EXPRESSION = VALUE, as in `set v0.w[2] = 0x10` or `set m2[0x10] = hex:0011..`")
    call.session.set(parts[0], parts[1])
    return shown.value(call.session, call.inspect.what_is_at(parts[0]))


def _inject(call: Call) -> str:
    words = call.needed("what to flip, as in `inject c0.s3 0x1 at 120`").split()
    shadow = words[-1] == "shadow"
    found = re.fullmatch(r"(\w+)\.(\w+) (\w+) at (\w+)", " ".join(words[:-1] if shadow else words))
    if found is None:
        raise DebugError("write inject CONTEXT.WORD MASK at CYCLE, as in `inject c0.s3 0x1 at 120`")
    context, word, mask, cycle = found.groups()
    fault = Fault(number(cycle, "a cycle"), context, word, number(mask, "a mask"), shadow)
    call.session.inject(fault)
    return str(fault)


def _quit(call: Call) -> str:
    call.nothing()
    call.state.over = True
    return ""


def _echo(call: Call) -> str:
    return call.rest


def _source(call: Call) -> str:
    file = Path(call.needed("the name of a file of commands"))
    try:
        text = read_bounded(file, MIB, "a file of commands").decode("utf-8", "replace")
    except OSError as error:
        raise DebugError(f"{file}: cannot be read: {error.strerror or error}") from None
    state = call.state
    if state.nested == MOST_NESTED:
        raise DebugError(f"{file}: scripts that read each other are nested {MOST_NESTED} deep")
    state.nested += 1
    said = []
    try:
        for number, line in enumerate(text.splitlines(), 1):
            try:
                said.append(call.commands.call(state, line, call.watcher))
            except EngineError as error:
                raise DebugError(f"{file}:{number}: {error}") from None
            if state.over:
                break
    finally:
        state.nested -= 1
    return "\n".join(part for part in said if part)


def _help(call: Call) -> str:
    if call.rest:
        found = call.commands.find(call.rest.split()[0])
        short = f"\nshort: {', '.join(found.aliases)}" if found.aliases else ""
        subjects = [subject.text for subject in _SUBJECTS.values()] if found.name == "info" else []
        return "\n".join([found.usage + short, found.text, *map(shown.indented, subjects)])
    lines, group = [], ""
    for command in call.commands.all:
        if command.group != group:
            group = command.group
            lines.append(f"{group}:")
        short = f" ({', '.join(command.aliases)})" if command.aliases else ""
        lines.append(f"  {command.name + short:<26}{command.summary}")
    return "\n".join([*lines, "`help COMMAND` says more; a prefix is enough where only one command has it."])


def subjects() -> list[str]:
    """Return the words that `info` accepts."""
    return list(_SUBJECTS)


COMMANDS = (
    Command(
        "set",
        _GROUP,
        (),
        "set EXPRESSION = VALUE",
        "Set a register, row, bytes or lane; what comes after now is new.\n"
        "On rtl and cosim only memories can be set, and only while the program does not run.",
        _set,
        completes="expression",
    ),
    Command(
        "inject",
        _GROUP,
        (),
        "inject CONTEXT.WORD MASK at CYCLE [shadow]",
        "Flip bits of a stream context when a cycle of this run begins, or of its shadow.\n"
        "Words are s0 to s15, r1 to r3, and z0 to z3 of the buffer, z0 the oldest. docs/faults.md",
        _inject,
    ),
    Command(
        "info",
        _GROUP,
        ("i",),
        "info SUBJECT",
        "Show what there is: registers, breakpoints, symbols, memories, files, program.",
        _info,
        completes="topic",
    ),
    Command("source", _GROUP, (), "source FILE", "Do the commands in a file.", _source, completes="file"),
    Command("echo", _GROUP, (), "echo TEXT", "Print a text.", _echo),
    Command("quit", _GROUP, ("q", "exit"), "quit", "Leave the debugger.", _quit),
    Command(
        "help",
        _GROUP,
        ("h", "?"),
        "help [COMMAND]",
        "Show all commands, or what is to be said of one.",
        _help,
        completes="command",
    ),
)
