"""Commands that show code and what it has done: source, disassembly, levels, writers, traces, the pipeline."""

from __future__ import annotations

from lutra.asm.analysis.uses import reads
from lutra.asm.files import normal
from lutra.debug.commands import shown
from lutra.debug.commands.table import Call, Command, number
from lutra.debug.errors import DebugError
from lutra.iss.engine import EngineError
from lutra.iss.places import address

_GROUP = "looking"
_LINES = 10


def _list(call: Call) -> str:
    session = call.session
    where = session.inspect.where()
    file = where.place.file if where.place else ""
    line = where.place.line if where.place else 0
    begin = line - _LINES // 2
    if call.rest:
        file, begin = _line_of(call, file)
    if not file:
        raise DebugError("no source line here; `disassemble` shows the program")
    text = session.inspect.source(file)
    begin = max(1, begin)
    if begin > len(text):
        raise DebugError(f"{normal(file)} ends at line {len(text)}")
    here = {p.line for p in where.chain if p.file == file}
    points = {b.place.line for b in session.breakpoints if b.place and b.place.file == file}
    shown_lines = [
        shown.source_line(n, text[n - 1], ("=>" if n in here else "") + ("*" if n in points else ""))
        for n in range(begin, min(begin + _LINES, len(text)) + 1)
    ]
    return "\n".join([f"{normal(file)}:", *shown_lines])


def _line_of(call: Call, file: str) -> tuple[str, int]:
    """File and first line that `list` is asked for."""
    name, colon, line = call.rest.rpartition(":")
    if colon:
        return call.inspect.lines.file(name), number(line, "a line")
    if call.rest.isdigit():
        return file, number(call.rest, "a line")
    chain = call.inspect.lines.chain(_address(call))
    if not chain:
        raise DebugError(f"{call.rest} has no source line")
    return chain[-1].file, chain[-1].line - _LINES // 2


def _address(call: Call) -> int:
    text = call.rest.split()[0]
    try:
        return number(text[1:], "an address") if text[0] == "*" else address(call.session.image, text)
    except EngineError as error:
        raise DebugError(str(error)) from None


def _disassemble(call: Call) -> str:
    session = call.session
    pc = session.inspect.where().pc
    words = call.rest.split()
    count = number(words[1], "a number of instructions") if len(words) > 1 else _LINES
    first = _address(call) if words else max(0, pc - count // 2)
    found = session.inspect.instructions(first, count)
    return "\n".join(shown.instruction(session, instruction, pc) for instruction in found) or "no instruction there"


def _backtrace(call: Call) -> str:
    call.nothing()
    return "\n".join(f"#{n} {frame}" for n, frame in enumerate(call.inspect.frames()))


def _where(call: Call) -> str:
    call.nothing()
    return "\n".join(shown.here(call.session))


def _last(call: Call) -> str:
    text = call.needed("whose writer, as in `last v3` or `last m1[0x40:4]`")
    session = call.session
    call.state.shown_write = session.history.last_writer(text)
    if call.state.shown_write is None:
        return f"no instruction has written {text} so far"
    return shown.last(session, call.state.shown_write)


def _history(call: Call) -> str:
    words = call.needed("whose writers, as in `history v3 5`").rsplit(None, 1)
    count = number(words.pop(), "how many") if len(words) > 1 and words[1].isdigit() else 10
    session = call.session
    found = session.history.writers(" ".join(words), count)
    call.state.shown_write = found[0] if found else None
    text = "\n".join(shown.write(session, write) for write in found)
    return text or f"no instruction has written {' '.join(words)} so far"


def _inputs(call: Call) -> str:
    """Show what the next instruction reads, and the writers of these values."""
    call.nothing()
    session = call.session
    call.state.shown_write = None
    read = reads(session.inspect.instructions(session.inspect.where().pc, 1)[0].word)
    values = {name: int(r.value) for name, r in session.inspect.registers().items() if isinstance(r.value, int)}
    texts = [*read.registers, *(f"{s}[{row.at(values):#05x}]" for row in read.rows for s in row.space.split(":"))]
    lines = []
    for text in texts:
        lines.append(shown.value(session, session.inspect.evaluate(text)))
        writer = session.history.last_writer(text)
        if writer is not None and (call.state.shown_write is None or writer.time > call.state.shown_write.time):
            call.state.shown_write = writer
        lines.append(shown.indented(shown.last(session, writer) if writer else "written by no instruction so far"))
    return "\n".join(lines) or "it reads neither registers nor rows"


def _trace(call: Call) -> str:
    count = call.number(8, "a number of instructions")
    return "\n".join(str(line) for line in call.inspect.records(count)) or "no instruction so far"


def _pipeline(call: Call) -> str:
    call.nothing()
    lines = [f"cycle {call.inspect.where().cycle}", *map(str, call.session.pipeline.stages())]
    return "\n".join(lines)


COMMANDS = (
    Command(
        "list",
        _GROUP,
        ("l",),
        "list [LINE | FILE:LINE | LABEL | *ADDRESS]",
        "Show source lines, from a line on or around here.\n`=>` marks the present lines, `*` breakpoints.",
        _list,
        completes="place",
    ),
    Command(
        "disassemble",
        _GROUP,
        ("disas",),
        "disassemble [LABEL | *ADDRESS [COUNT]]",
        "Show instructions around here, or from an address on.",
        _disassemble,
        completes="place",
    ),
    Command(
        "backtrace",
        _GROUP,
        ("bt",),
        "backtrace",
        "Show macros, loops and calls that are open, innermost first, with the passes of loops.",
        _backtrace,
    ),
    Command("where", _GROUP, (), "where", "Show the present place again.", _where),
    Command(
        "last",
        _GROUP,
        (),
        "last EXPRESSION",
        "Show the last instruction that wrote a register, row, bytes or a lane, with the value before and after.\n"
        "`goto last` goes there.",
        _last,
        completes="expression",
    ),
    Command(
        "history",
        _GROUP,
        (),
        "history EXPRESSION [COUNT]",
        "Show its last writers, newest first, 10 of them if COUNT is not given.",
        _history,
        completes="expression",
    ),
    Command(
        "inputs",
        _GROUP,
        (),
        "inputs",
        "Show what the next instruction reads, with the values, and the last writer of each.\n"
        "`goto last` goes to the newest of these.",
        _inputs,
    ),
    Command(
        "trace",
        _GROUP,
        (),
        "trace [N]",
        "Show the last N instructions, with what they have read and what they have done; 8 if N is not given.",
        _trace,
    ),
    Command(
        "pipeline",
        _GROUP,
        (),
        "pipeline",
        "Show which instruction is in which stage of the core in this cycle, and what waits for what.",
        _pipeline,
    ),
)
