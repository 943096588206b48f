"""Messages as bytes, and the bytes that a server has written as messages: as strict as a client may be."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

Message = dict[str, Any]


class OutputError(Exception):
    """The server's output is not a sequence of messages."""


def encode(message: object) -> bytes:
    """A message with its header."""
    return framed(json.dumps(message, ensure_ascii=False).encode("utf-8", "surrogatepass"))


def framed(body: bytes) -> bytes:
    """Any body with the header that belongs to it."""
    return b"Content-Length: %d\r\n\r\n" % len(body) + body


class Frames:
    """The messages of a stream, as its bytes come."""

    def __init__(self) -> None:
        self._rest = b""

    def feed(self, data: bytes) -> Iterator[Message]:
        """Return the messages that are complete. Raises OutputError."""
        self._rest += data
        while (end := self._rest.find(b"\r\n\r\n")) >= 0:
            begin = end + 4
            length = _length(self._rest[:end])
            if len(self._rest) - begin < length:
                return
            body, self._rest = self._rest[begin : begin + length], self._rest[begin + length :]
            yield _message(body)
        if len(self._rest) > 4096:
            raise OutputError(f"no header in {self._rest[:80]!r}")

    def finish(self) -> None:
        """OutputError where the stream ends within a message."""
        if self._rest:
            raise OutputError(f"the output ends within a message: {self._rest[:80]!r}")


def _length(header: bytes) -> int:
    """Length of the body; a header may have other fields."""
    fields = dict(line.partition(b":")[::2] for line in header.split(b"\r\n"))
    try:
        return int(fields[b"Content-Length"])
    except (KeyError, ValueError):
        raise OutputError(f"header {header[:80]!r}") from None


def _message(body: bytes) -> Message:
    try:
        message = json.loads(body)
    except ValueError as error:
        raise OutputError(f"body {body[:80]!r}: {error}") from None
    if not isinstance(message, dict):
        raise OutputError(f"body {body[:80]!r} is not an object")
    return message
