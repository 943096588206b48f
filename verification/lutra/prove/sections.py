"""Specifications of messages in several parts: jobs of associated data and text, and routines before and after them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from lutra.prove.bits import Bits, is_zero, join
from lutra.prove.jobs import Closing, Section
from lutra.prove.places import State

Data = bytes


@dataclass(frozen=True)
class Routine:
    """Effect of a routine on the state and of rows of the input.

    rows: of the input. state: after it; None where the message ends. output: its first rows of output. reveals: the
    bits of which its time may depend.
    """

    rows: int
    state: Callable[[State, Bits], State] | None = None
    output: Callable[[State, Bits], Bits] | None = None
    reveals: Callable[[State, Bits], Bits] | None = None


@runtime_checkable
class Message(Protocol):
    """A specification of authenticated encryption in one direction, by the names that routines have in a manifest.

    One with `tag_first` begins with a row of the tag, too, which is zero in encryption. Words of the state of one that
    is `alike` begin with equal constants, and are told apart by what each of its jobs makes of them.
    """

    @property
    def sections(self) -> Mapping[str, Section]:
        """The jobs: of any length, and any number of them in any order."""

    @property
    def routines(self) -> Mapping[str, Routine]:
        """All others but `begin`."""

    def begin(self, row: Bits) -> State:
        """The state at the beginning of a message."""

    def script(self, nonce: Data, aad: Data, text: Data, tag_bytes: int) -> Sequence[tuple[str, Data]]:
        """The data that the host gives to each of these, from `begin` to what precedes the tag in `finish`."""


def checked(tag: Callable[[State, Bits], Bits]) -> Routine:
    """The check of a tag, which follows in row 1, in the bits of row 2: ones if it is right, else zero."""

    def right(state: State, rows: Bits) -> Bits:
        row, given, mask = rows.parts(128)
        return is_zero((tag(state, row) ^ given) & mask)

    return Routine(3, output=lambda state, rows: join([right(state, rows)] * 128), reveals=right)


def tagged(tag: Callable[[State, Bits], Bits]) -> Routine:
    """The tag."""
    return Routine(1, output=tag)


@dataclass(frozen=True)
class Result:
    """The output of a message, and what `finish` writes."""

    output: bytes
    finish: bytes


def evaluated(message: Message, nonce: bytes, aad: bytes, text: bytes, tag: bytes, tag_bytes: int) -> Result:
    """A whole message on known values. tag: of decryption."""
    state: State = {}
    out, last = b"", b""
    for name, data in message.script(nonce, aad, text, tag_bytes):
        if name == "begin":
            data += tag.ljust(16, b"\0") if getattr(message, "tag_first", False) else b""
            state = message.begin(Bits.of(data))
        elif name == "finish":
            rows = data + tag.ljust(16, b"\0") + (b"\xff" * len(tag)).ljust(16, b"\0")
            routine = message.routines[name]
            assert routine.output is not None
            given = Bits.of(rows[: 16 * routine.rows])
            last = routine.output(state, given).to_bytes()
            state = routine.state(state, given) if routine.state is not None else state
        elif name in message.routines:
            after = message.routines[name].state
            assert after is not None
            state = after(state, Bits.of(data))
        else:
            state, part = worked(message.sections[name], state, data)
            out += part
    return Result(out, last)


def worked(section: Section, state: State, data: bytes) -> tuple[State, bytes]:
    """A job on known values: the state after it, and its output."""
    out, size = b"", section.unit_bytes
    for at in range(0, len(data) - len(data) % size, size):
        state, unit = section.step(state, Bits.of(data[at : at + size]))
        out += unit.to_bytes()
    rest = data[len(data) - len(data) % size :]
    last = Bits.of(rest.ljust(size, b"\0"))
    if isinstance(section, Closing):
        state = section.close(state, last, 8 * len(rest), len(data) >= size)
    elif rest:
        state, unit = section.end(state, last, 8 * len(rest))
        out += unit.to_bytes()[: len(rest)]
    return state, out if section.outputs else b""
