"""Description of a server and its protocol for the fuzzer."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from random import Random

from protocol_fuzz.framing import Message


class Target(ABC):
    """A server. Each case runs in a process of its own, forked from one in which the target has loaded all that the
    server needs."""

    name: str
    # Exit codes of a server whose client has gone, whether it has said so or not.
    ends: frozenset[int] = frozenset({0})
    # Seconds that an answer and the end may take, and bytes that the process may hold, on any input.
    patience: float = 20.0
    memory: int = 1 << 30

    @abstractmethod
    def serve(self) -> int:
        """Run the server on standard input and output, as its command does; returns the exit code."""

    @abstractmethod
    def session(self, rng: Random) -> list[Message]:
        """A valid session, from its first request to the one that ends it."""

    @abstractmethod
    def opening(self, rng: Random) -> list[Message]:
        """The requests with which a valid session begins."""

    @abstractmethod
    def request(self, rng: Random) -> Message:
        """Any one valid request, whatever has come before."""

    @abstractmethod
    def numbered(self, messages: Sequence[Message]) -> list[Message]:
        """Copies of the messages with the numbers of requests that a client gives, all different."""

    @abstractmethod
    def probe(self) -> Message:
        """A request that a server answers in any state, with a number that `numbered` never gives."""

    @abstractmethod
    def asked(self, message: Message) -> object:
        """The number of a request, which is to be answered once; None for any other message."""

    @abstractmethod
    def answered(self, message: Message) -> object:
        """The number of the request that a message of the server answers; None for any other message."""

    @abstractmethod
    def fault(self, message: Message) -> str:
        """Return the server's internal error in one of its messages, "" if there is none."""

    @abstractmethod
    def ending(self, message: Message) -> bool:
        """Whether the server may end without reading what follows this one, so that no later answer is due."""
