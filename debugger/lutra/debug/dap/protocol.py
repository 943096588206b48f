"""Messages of the Debug Adapter Protocol as bytes: a header with `Content-Length`, an empty line, JSON.

Whatever comes, reading goes on: what is not a message is Malformed, and the next header is looked for. Memory is
bounded by the limits below.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NoReturn

from lutra.asm.files import MIB

Message = dict[str, Any]

# A program memory or a data memory as base64 is far below.
BODY_BYTES = 16 * MIB
# Limit of one line of a header.
LINE_BYTES = 4096
_LENGTH = re.compile(rb"content-length[ \t]*:[ \t]*(.*)$", re.IGNORECASE)
_DIGITS = re.compile(rb"[0-9]{1,15}")


@dataclass(frozen=True)
class Malformed:
    """Bytes that are not a message; text: why, in one line."""

    text: str


def encode(message: Message) -> bytes:
    """A message with its header. ASCII, so that no half of a surrogate pair is in the way."""
    body = json.dumps(message).encode()
    return b"Content-Length: %d\r\n\r\n" % len(body) + body


class Parser:
    """Messages out of bytes, in whatever pieces these come."""

    def __init__(self) -> None:
        self._buffer = bytearray()
        # Length of the body, once its header has given it; the body begins after an empty line.
        self._length: int | None = None
        self._in_body = False
        # Bytes left to skip of a body that is too long.
        self._skip = 0
        # An error has been reported; nothing more is reported until the next length.
        self._lost = False

    def feed(self, data: bytes) -> Iterator[Message | Malformed]:
        """Return the messages that are complete now."""
        self._buffer += data
        while True:
            before = len(self._buffer), self._in_body
            if self._skip:
                skipped = min(self._skip, len(self._buffer))
                del self._buffer[:skipped]
                self._skip -= skipped
            elif (found := self._body() if self._in_body else self._line()) is not None:
                yield found
            if before == (len(self._buffer), self._in_body):
                return

    def _line(self) -> Message | Malformed | None:
        """Take a line of a header."""
        end = self._buffer.find(b"\n", 0, LINE_BYTES)
        if end < 0:
            if len(self._buffer) < LINE_BYTES:
                return None
            # Something of the next header may be in its end.
            del self._buffer[: LINE_BYTES // 2]
            return self._lose(f"a header has a line of more than {LINE_BYTES} bytes")
        line = bytes(self._buffer[:end]).strip()
        del self._buffer[: end + 1]
        if not line:
            return self._begin()
        if (field := _LENGTH.search(line)) is None:
            # Other fields are allowed, and say nothing.
            return None if re.match(rb"[\w-]+[ \t]*:", line) else self._lose(f"no header: {_shown(line)}")
        if not _DIGITS.fullmatch(field[1]):
            self._length = None
            return self._lose(f"Content-Length is not a number: {_shown(field[1])}")
        self._length = int(field[1])
        lost, self._lost = self._lost, False
        return Malformed(f"no header: {_shown(line)}") if field.start() and not lost else None

    def _lose(self, text: str) -> Malformed | None:
        """Messages to send, the first time."""
        lost, self._lost = self._lost, True
        return None if lost else Malformed(text)

    def _begin(self) -> Malformed | None:
        """The end of a header, or an empty line before one."""
        if self._length is not None and self._length > BODY_BYTES:
            self._skip, self._length = self._length, None
            return Malformed(f"a message of {self._skip} bytes is left out; {BODY_BYTES} are the most")
        self._in_body = self._length is not None
        return None

    def _body(self) -> Message | Malformed | None:
        """Take a body once it is complete."""
        assert self._length is not None
        if len(self._buffer) < self._length:
            return None
        body = bytes(self._buffer[: self._length])
        del self._buffer[: self._length]
        self._length, self._in_body = None, False
        return _message(body)


def _message(body: bytes) -> Message | Malformed:
    """A body as a message."""
    try:
        message = json.loads(body, parse_constant=_refuse)
    except RecursionError:
        return Malformed("a message is nested too deeply")
    except ValueError as error:
        return Malformed(f"a message is not JSON: {error}")
    return message if isinstance(message, dict) else Malformed(f"a message is not an object: {_shown(body)}")


def _refuse(name: str) -> NoReturn:
    raise ValueError(f"{name} is not a number")


def _shown(data: bytes) -> str:
    """The beginning of some bytes for people, in one line."""
    return ascii(data[:60].decode("utf-8", "replace"))
