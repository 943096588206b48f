"""The kinds of input: each is made from random numbers and a target alone, so that its number brings it back."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random

from protocol_fuzz import mutation
from protocol_fuzz.framing import Message, encode, framed
from protocol_fuzz.target import Target


@dataclass(frozen=True)
class Case:
    """One input.

    data: what the client sends. whole: the framing is right to the end, so that a probe after it is answered. due: the
    numbers of the requests that must be answered, each exactly once; only where all messages are valid.
    """

    kind: str
    data: bytes
    whole: bool
    due: frozenset[object] = field(default_factory=frozenset)


def random_bytes(target: Target, rng: Random) -> Case:
    """Bytes of any value, or only of those that headers and JSON are made of."""
    alphabet = rng.choice([bytes(range(256)), b'Content-Length: 0123456789\r\n{}[]"', b"\r\n", b'{["\\'])
    return Case("", bytes(rng.choices(alphabet, k=rng.randrange(1, 4000))), whole=False)


def broken_framing(target: Target, rng: Random) -> Case:
    """A valid session in which some headers or lengths are wrong."""
    parts = [encode(message) for message in target.numbered(target.session(rng))]
    for _ in range(rng.randrange(1, 4)):
        at = rng.randrange(len(parts))
        parts[at] = mutation.header(parts[at], rng)
    return Case("", b"".join(parts), whole=False)


def broken_bodies(target: Target, rng: Random) -> Case:
    """A valid session with some bodies that are not JSON, or JSON that is not a message, in valid frames."""
    parts = [encode(message) for message in target.numbered(target.opening(rng))]
    for _ in range(rng.randrange(1, 6)):
        parts.insert(
            rng.randrange(len(parts) + 1), framed(mutation.body(json.dumps(target.request(rng)).encode(), rng))
        )
    return Case("", b"".join(parts), whole=True)


def mutated_session(target: Target, rng: Random) -> Case:
    """A valid session in which messages have fields of other types and values, or are left out, doubled or moved."""
    messages = target.numbered(target.session(rng))
    for _ in range(rng.randrange(1, 8)):
        mutation.order(messages, rng)
        at = rng.randrange(len(messages))
        messages[at] = mutation.value(messages[at], messages, rng)
    return Case("", b"".join(map(encode, messages)), whole=True)


def mutated_requests(target: Target, rng: Random) -> Case:
    """A session that has begun, then requests with fields of other types and values."""
    messages: list[Message] = target.opening(rng)
    begun = len(messages)
    messages += [target.request(rng) for _ in range(rng.randrange(5, 40))]
    messages = target.numbered(messages)
    for at in range(begun, len(messages)):
        if rng.random() < 0.7:
            messages[at] = mutation.value(messages[at], messages, rng)
    return Case("", b"".join(map(encode, messages)), whole=True)


def random_order(target: Target, rng: Random) -> Case:
    """Valid requests in any order, before and after a session has begun; each is answered once."""
    messages = target.opening(rng) if rng.random() < 0.8 else []
    messages += [target.request(rng) for _ in range(rng.randrange(5, 60))]
    messages = target.numbered(messages)
    asked = []
    for message in messages:
        asked.append(target.asked(message))
        if target.ending(message):
            break
    return Case("", b"".join(map(encode, messages)), whole=True, due=frozenset(asked) - {None})


KINDS: dict[str, Callable[[Target, Random], Case]] = {
    function.__name__.replace("_", "-"): function
    for function in (random_bytes, broken_framing, broken_bodies, mutated_session, mutated_requests, random_order)
}
# Bytes at random seldom get beyond the header.
_WEIGHTS = (1, 2, 2, 5, 5, 5)


def case(target: Target, seed: int, number: int, kinds: tuple[str, ...] = tuple(KINDS)) -> Case:
    """The case of a number: the same from the same seed."""
    rng = Random(f"{target.name} {seed} {number}")
    weights = [weight for name, weight in zip(KINDS, _WEIGHTS, strict=True) if name in kinds]
    kind = rng.choices([name for name in KINDS if name in kinds], weights)[0]
    made = KINDS[kind](target, rng)
    return Case(kind, made.data, made.whole, made.due)
