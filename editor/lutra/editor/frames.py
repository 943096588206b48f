"""Messages of a client on a stream: headers, an empty line, a body. What is broken ends the connection in one line."""

from __future__ import annotations

import asyncio
import re
import threading
from typing import BinaryIO

# Longer than any message of an editor: a source may have 16 MiB, which JSON may write in six bytes each.
MAX_BODY = 128 << 20
MAX_HEADER = 1 << 13
MAX_HEADERS = 32
_LENGTH = re.compile(rb"content-length[ \t]*:[ \t]*(\d{1,12})[ \t]*", re.IGNORECASE)


class FrameError(Exception):
    """The stream is not a sequence of messages; the text says why."""


def read(stream: BinaryIO) -> bytes | None:
    """The body of the next message; None at the end of the stream. Raises FrameError."""
    length = None
    for _ in range(MAX_HEADERS):
        header = stream.readline(MAX_HEADER)
        if not header:
            if length is None:
                return None
            raise FrameError("the stream ends within a header")
        line = header.rstrip(b"\r\n")
        if not header.endswith(b"\n"):
            raise FrameError("a header without an end")
        if line and b":" not in line:
            raise FrameError(f"no header: {line[:40]!r}")
        if found := _LENGTH.fullmatch(line):
            length = int(found[1])
        if not line and length is not None:
            return _body(stream, length)
        if not line:
            raise FrameError("a message without Content-Length")
    raise FrameError(f"more than {MAX_HEADERS} headers")


def _body(stream: BinaryIO, length: int) -> bytes:
    if length > MAX_BODY:
        raise FrameError(f"a message of {length} bytes; at most {MAX_BODY} are read")
    body = stream.read(length)
    if len(body) < length:
        raise FrameError(f"the stream ends within a message of {length} bytes")
    return body


class Reader:
    """Reads a stream in a thread of its own, which ends with the process: an end of the server waits for no client."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        self._messages: asyncio.Queue[bytes | FrameError | None] = asyncio.Queue()
        self._loop = asyncio.get_running_loop()
        threading.Thread(target=self._run, daemon=True, name="reader").start()

    def _run(self) -> None:
        while True:
            message: bytes | FrameError | None
            try:
                message = read(self._stream)
            except FrameError as error:
                message = error
            except (OSError, ValueError):  # closed under the reader
                message = None
            try:
                self._loop.call_soon_threadsafe(self._messages.put_nowait, message)
            except RuntimeError:  # the loop has ended
                return
            if not isinstance(message, bytes):
                return

    async def next(self) -> bytes | None:
        """The next body; None at the end of the stream. Raises FrameError."""
        message = await self._messages.get()
        if isinstance(message, FrameError):
            raise message
        return message
