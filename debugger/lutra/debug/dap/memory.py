"""Memories as bytes, and program memory as instructions.

A reference to memory is `SPACE@OFFSET`, as in `m1@0x40`; one to an instruction is its address, as in `0x0012`.
"""

from __future__ import annotations

import base64
import binascii
import re

from lutra.debug import Instruction
from lutra.debug.dap import sources
from lutra.debug.dap.arguments import Arguments, RequestError
from lutra.debug.dap.breakpoints import address
from lutra.debug.dap.state import Body, State

_REFERENCE = re.compile(r"([a-z][\w:]{0,20})@(0x[0-9a-f]{1,8}|[0-9]{1,9})", re.IGNORECASE)
# Instructions in one answer; a view shows some hundred.
_MOST = 10_000
_FAR = 1 << 31


def _place(arguments: Arguments) -> tuple[str, int]:
    """Space and offset that a request is about."""
    text = arguments.text("memoryReference")
    if (found := _REFERENCE.fullmatch(text)) is None:
        raise RequestError(f"{text[:40]!a} is not a reference to memory such as m1@0x40")
    return found[1], int(found[2], 0) + arguments.number("offset", 0, low=-_FAR)


def _read(state: State, arguments: Arguments) -> Body:
    space, offset = _place(arguments)
    count, size = arguments.number("count"), state.session.inspect.size(space)
    first, last = min(max(offset, 0), size), min(max(offset + count, 0), size)
    # A range that begins before the memory is unreadable as a whole: there is no address to state for that part.
    data = state.session.inspect.read(space, first, last - first) if offset >= 0 and last > first else b""
    body: Body = {"address": f"{space}@{max(offset, 0):#x}", "unreadableBytes": count - len(data)}
    return body | ({"data": base64.b64encode(data).decode()} if data else {})


def _write(state: State, arguments: Arguments) -> Body:
    space, offset = _place(arguments)
    try:
        data = base64.b64decode(arguments.text("data"), validate=True)
    except (binascii.Error, ValueError) as error:
        raise RequestError(f"data is not base64: {error}") from error
    size = state.session.inspect.size(space)
    fits = data[: max(0, size - offset)] if offset >= 0 else b""
    if len(fits) < len(data) and not arguments.flag("allowPartial"):
        raise RequestError(f"{len(data)} bytes do not fit at {space}@{offset:#x}; {space} has {size:#x}")
    if fits:
        state.session.set(f"{space}[{offset:#x}:{len(fits)}]", f"hex:{fits.hex()}")
        state.moved()
    return {"offset": 0, "bytesWritten": len(fits)}


def _disassemble(state: State, arguments: Arguments) -> Body:
    begin = address(arguments.text("memoryReference")) + arguments.number("offset", 0, low=-_FAR)
    begin += arguments.number("instructionOffset", 0, low=-_FAR)
    count = arguments.number("instructionCount", high=_MOST)
    first = max(0, begin)
    known = {i.pc: i for i in state.session.inspect.instructions(first, max(0, begin + count - first))} if count else {}
    return {"instructions": [_instruction(state, pc, known) for pc in range(begin, begin + count)]}


def _instruction(state: State, pc: int, known: dict[int, Instruction]) -> Body:
    """A word; outside of program memory one that is invalid, since a client is owed as many as it asks for."""
    if (found := known.get(pc)) is None:
        return {"address": hex(pc), "instruction": "(no program memory)", "presentationHint": "invalid"}
    body: Body = {"address": f"{pc:#06x}", "instructionBytes": f"{found.word:016x}", "instruction": found.text}
    if found.label:
        body["symbol"] = found.label
    if found.chain:
        place = found.chain[0]
        body |= {"location": sources.of(state, place.file), "line": state.line_out(place.line)}
    return body


REQUESTS = {"readMemory": _read, "writeMemory": _write, "disassemble": _disassemble}
