"""The data of the panes: a snapshot of a session, taken by the thread that moves it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TypeVar

from lutra.debug import Breakpoint, Frame, Instruction, Session, Stop, Watchpoint, Where
from lutra.debug.pipeline import Stage
from lutra.isa import load
from lutra.iss.engine import EngineError
from lutra.iss.registers import Registers

Found = TypeVar("Found")


@dataclass(frozen=True)
class View:
    """A session at one time.

    frames, pipeline: or why there are none, in one line. memory: the bytes of each data memory and table bank.
    changed: registers and rows that the last move changed.
    """

    where: Where
    stop: Stop
    registers: Registers
    changed: frozenset[str]
    frames: list[Frame] | str
    pipeline: list[Stage] | str
    memory: Mapping[str, bytes]
    breakpoints: tuple[Breakpoint, ...]
    watchpoints: tuple[Watchpoint, ...]


def spaces() -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The data memories, and the table banks."""
    isa = load()
    memories, tables = (tuple(space.name for space in by.values()) for by in (isa.memory_by_block, isa.bank_by_number))
    return memories, tables


def take(session: Session) -> View:
    """A snapshot of a session."""
    memories, tables = spaces()
    return View(
        session.inspect.where(),
        session.moves.stop,
        session.inspect.registers(),
        session.moves.changed(),
        _or_why(session.inspect.frames),
        _or_why(session.pipeline.stages),
        {space: session.inspect.read(space, 0, session.inspect.size(space)) for space in memories + tables},
        tuple(session.breakpoints),
        tuple(session.watchpoints),
    )


def _or_why(ask: Callable[[], Found]) -> Found | str:
    try:
        return ask()
    except EngineError as error:
        return str(error)


class Program:
    """The program and where its words come from; it does not change while it is debugged.

    instructions: by program address. lines: of every file, the addresses of the words that come from each line, whether
    it was written there or the line uses the macro that it was written in.
    """

    def __init__(self, session: Session) -> None:
        self._session = session
        self.instructions: list[Instruction] = session.inspect.instructions(0, len(session.image.program))
        self.lines: dict[str, dict[int, list[int]]] = defaultdict(lambda: defaultdict(list))
        for instruction in self.instructions:
            for place in instruction.chain:
                self.lines[place.file][place.line].append(instruction.pc)

    def work(self, pc: int, stage: str, rounds: int) -> str:
        """Return the functions of the blocks of an instruction's path in a stage."""
        found = load().decode(self.instructions[pc].word) if pc < len(self.instructions) else None
        steps = [step for step in found.path if step.stages[2 - rounds] == stage] if found is not None else []
        return "; ".join(f"{step.block} {step.formula or step.remark}" for step in steps)

    def source(self, file: str) -> list[str]:
        """The lines of a source file, or one that says why there are none."""
        try:
            return [text.expandtabs(8) for text in self._session.inspect.source(file)]
        except EngineError as error:
            return [f"// {error}"]

    def symbols(self, space: str) -> Mapping[int, str]:
        """The labels of a space by address."""
        return self._session.image.labels(space)
