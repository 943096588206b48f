"""Output of commands: the place of the machine, values, writes, code."""

from __future__ import annotations

from lutra.debug.commands.state import CommandState
from lutra.debug.history import Write
from lutra.debug.inspection import Instruction
from lutra.debug.lines import named
from lutra.debug.lines import shown as place
from lutra.debug.session import Session
from lutra.debug.stops import Stop
from lutra.debug.values import Value
from lutra.debug.values import shown as plain
from lutra.iss.engine import EngineError

# More changes than one instruction makes are not listed.
MOST_CHANGES = 6
_MARGIN = 8


def stop(state: CommandState, found: Stop) -> str:
    """Why a move ended, where, what it has changed, and what is displayed."""
    # The next line shows the place that the text of a breakpoint names.
    text = found.text.partition(", ")[0] if found.kind == "breakpoint" else found.text
    lines = [line for line in (found.detail, text) if line] if found.kind != "step" else []
    if found.kind == "divergence":
        lines = [found.text, found.detail]
    session = state.session
    lines += here(session)
    changes = sorted(session.moves.changed()) if found.kind in ("step", "breakpoint") else []
    if changes and len(changes) <= MOST_CHANGES:
        lines.append(f"changed: {', '.join(_changed(session, name) for name in changes)}")
    lines += [display(session, text, form) for text, form in state.displays.values()]
    return "\n".join(lines)


def display(session: Session, text: str, form: str) -> str:
    """A value, or why it has none here."""
    try:
        return value(session, session.inspect.evaluate(text), form)
    except EngineError as error:
        return str(error)


def _changed(session: Session, name: str) -> str:
    register = session.inspect.registers().get(name)
    return f"{name} {register.text if register else session.inspect.show(session.inspect.evaluate(name))}"


def here(session: Session) -> list[str]:
    """The present place: cycle, line, source, and the instruction that comes."""
    where = session.inspect.where()
    chain = where.chain[-session.moves.level :]
    spot = place(chain) or where.label
    lines = [f"cycle {where.cycle}, {spot}" if spot else f"cycle {where.cycle}"]
    text = session.inspect.lines.line(chain[0]) if chain else ""
    if text:
        lines.append(source_line(chain[0].line, text))
    if where.state != "running":
        lines.append(f"   {where.state} at {where.pc:#06x}")
    elif not text or len(where.chain) > 1:
        label = f"  {where.label}" if where.label else ""
        lines.append(f"=> {where.pc:#06x}  {where.instruction}{label}")
    return lines


def source_line(number: int, text: str, mark: str = "") -> str:
    """A numbered line of source."""
    return f"{mark:<3}{number:<5}{text.expandtabs()}".rstrip()


def value(session: Session, found: Value, form: str = "") -> str:
    """`TEXT = VALUE`, with more lines below it."""
    text = session.inspect.show(found, form)
    return f"{found.text} = {text}" if "\n" not in text else f"{found.text} =\n" + indented(text)


def indented(text: str) -> str:
    """Lines of a text, two columns to the right."""
    return "\n".join(f"  {line}" for line in text.splitlines())


def write(session: Session, found: Write) -> str:
    """Describe the writer of something, and what it wrote."""
    spot = place(found.chain) or found.label or f"pc {found.pc:#06x}"
    return f"time {found.time}, cycle {found.cycle}, {spot}: {found.instruction}\n  {found.before} -> {found.after}"


def last(session: Session, found: Write) -> str:
    """The last writer of something, and where the value is no longer its own, since the host has set another."""
    now = plain(session.inspect.at(session.inspect.locate(found.target)))
    return write(session, found) + ("" if now == found.after else f"\n  the host has set {now} since")


def instruction(session: Session, found: Instruction, pc: int) -> str:
    """A line of a disassembly; the one that comes next is marked, and those with breakpoints."""
    mark = "=>" if found.pc == pc else ""
    point = "*" if session.breakpoints.at(found.pc) else ""
    spot = named(found.chain[0]) if found.chain else ""
    return f"{mark:<3}{point:<2}{found.pc:#06x}  {found.text:<40}  {found.label:<24}  {spot}".rstrip()
