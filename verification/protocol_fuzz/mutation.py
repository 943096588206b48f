"""Changes of headers, bodies, values and orders, as broken clients make them and as no client does."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator, Sequence
from random import Random
from typing import Any

from protocol_fuzz.framing import Message

# ------------------------------------------------------------------ frames

_HEADERS = (
    b"",
    b"Content-Length: %d\n\n",
    b"Content-Length: %d\r\n",
    b"Content-Length:%d\r\n\r\n",
    b"content-length: %d\r\n\r\n",
    b"Content-Length: %d\r\nContent-Length: 5\r\n\r\n",
    b"Content-Length: %d\r\nContent-Type: application/vscode-jsonrpc; charset=utf-7\r\n\r\n",
    b"Content-Length: -%d\r\n\r\n",
    b"Content-Length: 0x%x\r\n\r\n",
    b"Content-Length: %d0\r\n\r\n",
    b"Content-Length: %d99999999999999999999\r\n\r\n",
    b"Content-Length: \r\n\r\n",
    b"Content-Length: ten\r\n\r\n",
    b"Content-Type: utf-8\r\n\r\n",
    b"%d\r\n\r\n",
    b": %d\r\n\r\n",
    b"\r\n\r\n\r\n",
    b"\x00" * 100,
    b"X" * 100_000,
    b"X-Long: " + b"y" * 100_000 + b"\r\nContent-Length: %d\r\n\r\n",
    b"X: y\r\n" * 20_000 + b"Content-Length: %d\r\n\r\n",
)


def header(part: bytes, rng: Random) -> bytes:
    """A framed message with another header, cut off, or with bytes changed anywhere."""
    if not part:
        return part
    body = part.partition(b"\r\n\r\n")[2]
    how = rng.randrange(4)
    if how == 0:
        return part[: rng.randrange(len(part))]
    if how == 1:
        return _scribbled(part, rng)
    if how == 2:
        return b"Content-Length: %d\r\n\r\n" % max(0, len(body) + rng.choice([-40, -2, -1, 1, 2, 40])) + body
    form = rng.choice(_HEADERS)
    return (form % len(body) if b"%" in form else form) + body


def _scribbled(data: bytes, rng: Random) -> bytes:
    changed = bytearray(data)
    for _ in range(rng.randrange(1, 6)):
        if changed:
            changed[rng.randrange(len(changed))] = rng.randrange(256)
    return bytes(changed)


# ------------------------------------------------------------------ bodies

_BODIES = (
    b"",
    b" ",
    b"null",
    b"[]",
    b"{}",
    b"0",
    b'"text"',
    b"NaN",
    b"\xff\xfe",
    b"\xef\xbb\xbf{}",
    b"[" * 100_000,
    b'{"a":' * 50_000 + b"1" + b"}" * 50_000,
    b'{"seq":' + b"9" * 10_000 + b"}",
    b'{"seq":1e999,"id":1e999}',
    b'{"seq":1,"seq":2}{}',
    b'{"command":"\\ud800","method":"\\ud800"}',
    b"\x00" * 1000,
)


def body(data: bytes, rng: Random) -> bytes:
    """A body that is not a message, or one with bytes changed."""
    how = rng.randrange(3)
    if how == 0:
        return rng.choice(_BODIES)
    return _scribbled(data, rng) if how == 1 else data[: rng.randrange(len(data))]


# ------------------------------------------------------------------ values

_VALUES: tuple[Any, ...] = (
    None,
    True,
    False,
    0,
    -1,
    1,
    0.5,
    1e300,
    1 << 31,
    1 << 63,
    -(1 << 63),
    10**40,
    "",
    "0",
    "0x0",
    "-1",
    "\x00",
    "\n",
    "é\u202e",
    "\U0001f600",
    "\ud800",
    "../" * 20,
    "/dev/zero",
    "/proc/self/mem",
    "%s%n",
    "{0.__class__}",
    "(" * 2000,
    "1+" * 2000 + "1",
    "-" * 5000,
    "9" * 5000,
    "1 << 99999999",
    "1 / 0",
    "x" * 100_000,
    [],
    {},
    [[]],
    [None],
    {"": None},
    [0] * 10_000,
    json.loads("[" * 200 + "]" * 200),
)


def value(message: Message, others: Sequence[Message], rng: Random) -> Message:
    """A message with one part changed, left out, added or taken from another message."""
    changed = copy.deepcopy(message)
    places, elsewhere = list(_places(changed)), list(_places(rng.choice(others)))
    if not places or not elsewhere:
        return changed
    holder, key = rng.choice(places)
    how = rng.randrange(6)
    if how == 0 and isinstance(holder, dict):
        del holder[key]
    elif how == 1:
        other, name = rng.choice(elsewhere)
        holder[key] = copy.deepcopy(other[name])
    elif how == 2 and isinstance(holder[key], str):
        text = holder[key]
        at = rng.randrange(len(text) + 1)
        holder[key] = text[:at] + rng.choice(["", "\x00", "'", "[", "-", "9", " ", "x" * 300]) + text[at + 1 :]
    elif how == 3 and isinstance(holder[key], int):
        holder[key] += rng.choice([-1, 1, -(1 << 16), 1 << 16, 1 << 32])
    elif how == 4 and isinstance(holder[key], list):
        holder[key] *= rng.choice([0, 2, 50])
    else:
        holder[key] = copy.deepcopy(rng.choice(_VALUES))
    return changed


def _places(holder: Any) -> Iterator[tuple[Any, Any]]:
    """Every part of a message: what holds it, and its key or number there."""
    for key in list(holder) if isinstance(holder, dict) else range(len(holder)):
        yield holder, key
        if isinstance(holder[key], dict | list):
            yield from _places(holder[key])


# ------------------------------------------------------------------ orders


def order(messages: list[Message], rng: Random) -> None:
    """Leave out, double or move a message, or do nothing."""
    at, to = rng.randrange(len(messages)), rng.randrange(len(messages))
    how = rng.randrange(6)
    if how == 0 and len(messages) > 1:
        del messages[at]
    elif how == 1:
        messages.insert(to, copy.deepcopy(messages[at]))
    elif how == 2:
        messages.insert(to, messages.pop(at))
