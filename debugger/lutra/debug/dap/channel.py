"""The two pipes to the client: requests are waited for, or looked for while a program runs."""

from __future__ import annotations

import os
import select
from collections import deque
from collections.abc import Mapping
from typing import Any

from lutra.debug.dap.protocol import Malformed, Message, Parser, encode

_PIECE = 1 << 16
# Requests that wait while a program runs; a client that sends more of them waits itself.
_WAITING = 1000


class GoneError(Exception):
    """The client reads no more."""


class Channel:
    """Requests from one file descriptor, answers and events to another."""

    def __init__(self, source: int, sink: int) -> None:
        self._source, self._sink = source, sink
        self._parser = Parser()
        self._waiting: deque[Message] = deque()
        self._number = 0
        # The client has closed its end.
        self.closed = False

    def receive(self) -> Message | None:
        """The next request, waited for; None when the client has gone."""
        while not self._waiting and not self.closed:
            self._read()
        return self._waiting.popleft() if self._waiting else None

    def poll(self) -> list[Message]:
        """All requests that are there, without waiting; give those that are not served now back by `defer`."""
        while not self.closed and len(self._waiting) < _WAITING and select.select([self._source], [], [], 0)[0]:
            self._read()
        found = list(self._waiting)
        self._waiting.clear()
        return found

    def defer(self, messages: list[Message]) -> None:
        """Requests for `receive`, in this order."""
        self._waiting.extend(messages)

    def _read(self) -> None:
        data = os.read(self._source, _PIECE)
        self.closed = not data
        for found in self._parser.feed(data):
            if isinstance(found, Malformed):
                self.output(f"lutra dap: {found.text}\n", "stderr")
            else:
                self._waiting.append(found)

    # ------------------------------------------------------------------ to the client

    def respond(self, request: Message, body: Mapping[str, Any] | None) -> None:
        """Answer a request."""
        answer = {"request_seq": request["seq"], "success": True, "command": request["command"]}
        self._send("response", answer | ({"body": body} if body is not None else {}))

    def refuse(self, request: Message, text: str, short: str = "") -> None:
        """Answer a request with an error of one line. short: a word of the protocol for it."""
        self._send(
            "response",
            {
                "request_seq": request["seq"],
                "success": False,
                "command": request["command"],
                "message": short or text,
                "body": {"error": {"id": 1, "format": text.replace("{", "(").replace("}", ")"), "showUser": not short}},
            },
        )

    def event(self, name: str, **body: Any) -> None:
        """Tell the client of something."""
        self._send("event", {"event": name, "body": body})

    def output(self, text: str, category: str = "console") -> None:
        """Text for the client's console."""
        self.event("output", category=category, output=text)

    def _send(self, kind: str, fields: Mapping[str, Any]) -> None:
        self._number += 1
        rest = memoryview(encode({"seq": self._number, "type": kind, **fields}))
        try:
            while rest:
                rest = rest[os.write(self._sink, rest) :]
        except BrokenPipeError as error:
            self.closed = True
            raise GoneError from error
