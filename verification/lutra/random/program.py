"""A random program: its words, its starts and the memories that it finds."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from lutra.iss.fault import Fault


@dataclass(frozen=True)
class Target:
    """A word's field that takes the address `of` + `offset`, counted in words of the program."""

    lsb: int
    of: int
    offset: int = 0


@dataclass(frozen=True)
class Start:
    """A start of a program without a reset before it.

    at: the word where it begins. ends: `halted`, the name of the trap, or "" where it may end in anything or go on, so
    that it is given up after `cycles`; 0 where it has to end. faults: injected while it runs; it may end by one then.
    """

    at: int
    ends: str
    cycles: int = 0
    faults: tuple[Fault, ...] = ()


@dataclass(frozen=True)
class Program:
    """A program, its place, the state that it begins with, and its starts, one after the other.

    words: without their targets, which are in `targets` by the word's index. base: program address of the first word,
    the entry of the first start. memory: contents of spaces from address 0 on.
    """

    seed: int
    mode: str
    rounds: int
    base: int
    words: tuple[int, ...]
    targets: Mapping[int, Target]
    starts: tuple[Start, ...]
    memory: Mapping[str, bytes]

    @property
    def ends(self) -> str:
        """Return the end of the first start."""
        return self.starts[0].ends

    def code(self) -> list[int]:
        """Return the words with their targets."""
        words = list(self.words)
        for at, target in self.targets.items():
            words[at] |= (self.base + target.of + target.offset) << target.lsb
        return words
