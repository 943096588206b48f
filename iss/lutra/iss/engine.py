"""One interface for every machine with its memories: the simulator, and others that register.

    engine = lutra.make_engine("iss")
    engine.load(lutra.asm.assemble([Path("first.s")]))
    stop = engine.run(engine.image.entry)

Spaces are named as in assembly (`m0`..`m3`, `t0`, `t1`, `t0:t1`, `pm`); offsets count bytes; program words are 8 bytes,
little-endian.
"""

from __future__ import annotations

import importlib
import importlib.util
import struct
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Protocol

from lutra.asm import Image, assemble
from lutra.isa import Isa, load
from lutra.iss import _iss, translation
from lutra.iss.fault import Fault, FaultError
from lutra.iss.registers import Register, Registers
from lutra.iss.retire import Record

UNLIMITED = 2**63
# One of `names()`.
EngineName = str
# Packages that register an engine when they are imported; `make` imports one when its engine is asked for.
PACKAGES = {"rtl": "lutra.rtl", "cosim": "lutra.cosim"}


class EngineError(Exception):
    """An engine cannot do this; the message is one line."""


@dataclass(frozen=True)
class Stop:
    """How a run ended.

    state: `halted`, `waiting`, `trapped`, `faulted`, or `running` where the limit was reached first.
    pc: of the instruction that stopped it. trap: name of the cause or "". cycles: since the start.
    """

    state: str
    pc: int
    trap: str
    cycles: int
    instructions: int
    stalls: dict[str, int]
    notified: int


class Backend(Protocol):
    """Common interface of the bindings of all machines (iss/src/machine_binding.hpp)."""

    def reset(self) -> None: ...
    def clear(self, program: bytes) -> None: ...
    def start(self, pc: int) -> None: ...
    def resume(self) -> None: ...
    def inject(self, cycle: int, context: int, word: int, mask: int, shadow: bool = False) -> None: ...
    def clear_alert(self) -> None: ...
    def wipe(self) -> None: ...
    def escalate(self) -> None: ...
    def write(self, space: int, offset: int, data: bytes) -> None: ...
    def read(self, space: int, offset: int, length: int) -> bytes: ...
    def size(self, space: int) -> int: ...
    def run(self, limit: int) -> int: ...
    def step(self) -> Any: ...
    def add_counts(self, cycles: int, instructions: int, stalls: list[int]) -> None: ...
    def retirements(self, names: Sequence[str], limit: int) -> list[tuple[int, int, int, bytes]]: ...
    def combinations(self, names: Sequence[str], limit: int) -> list[dict[str, Any]]: ...
    def registers(self) -> list[tuple[str, int | bytes, str, bool]]: ...
    def timeline(self) -> Any: ...
    @property
    def alert(self) -> bool: ...
    @property
    def state(self) -> int: ...
    @property
    def trap(self) -> int: ...
    @property
    def pc(self) -> int: ...
    @property
    def notified(self) -> int: ...
    @property
    def cycles(self) -> int: ...
    @property
    def instructions(self) -> int: ...
    @property
    def stalls(self) -> list[int]: ...


@cache
def clearing(rounds: int) -> bytes:
    """The program that zeroes the registers of this configuration with a ROUNDS_PER_INSTR (clear.s)."""
    image = assemble([Path(__file__).with_name("clear.s")], defines={"rounds": rounds})
    return struct.pack(f"<{len(image.program)}Q", *image.program)


class Engine:
    """One machine with its memories. Made by `make`.

    isa: the tables it works by. backend: the binding's object, for what this class does not offer. on_load: functions
    that are told of every image before it is loaded.
    """

    def __init__(self, name: EngineName, rounds: int, backend: Any) -> None:
        self.name = name
        self.rounds = rounds
        self.image: Image | None = None
        self.on_load: list[Callable[[Image], None]] = []
        self.isa: Isa = load()
        self._spaces = {s.name: s.code for s in self.isa.spaces}
        # A job of one block is short: looking a name up must not take longer than its firmware.
        self._memories = {s.name for s in self.isa.spaces if s.blocks}
        self._states = {s.code: s.name for s in self.isa.states}
        self._traps = {t.code: t.name for t in self.isa.traps}
        self._stalls = [s.name for s in self.isa.stalls]
        self.backend = backend

    @property
    def machines(self) -> tuple[Any, ...]:
        """Whose retirements can be observed: the backend, or the sides of a lock-step."""
        return (self.backend,)

    # ------------------------------------------------------------------ memories

    def space_code(self, space: str) -> int:
        """The code of a space. EngineError where there is none of this name."""
        if space not in self._spaces:
            raise EngineError(f"no memory space {space!r}; choose from {', '.join(self._spaces)}")
        return self._spaces[space]

    def size(self, space: str) -> int:
        """Size of a space in bytes."""
        return int(self.backend.size(self.space_code(space)))

    def write(self, space: str, offset: int, data: bytes) -> None:
        """Write bytes; EngineError where they do not fit the space."""
        self.check_open(space)
        try:
            self.backend.write(self._spaces[space], offset, data)
        except _iss.HostError as error:
            raise self.misfit(space, offset, len(data)) from error

    def read(self, space: str, offset: int, length: int) -> bytes:
        """Read bytes; EngineError beyond the space."""
        self.check_open(space)
        try:
            data: bytes = self.backend.read(self._spaces[space], offset, length)
        except _iss.HostError as error:
            raise self.misfit(space, offset, length) from error
        self.check()
        return data

    def check_open(self, space: str) -> None:
        """EngineError where a space is not the host's now."""
        if space in self._memories:
            return
        self.space_code(space)
        if self._state() == "running":
            raise EngineError(f"{space} is the host's only while the machine is not running")

    def misfit(self, space: str, offset: int, length: int) -> EngineError:
        """Return the error for an access outside its space."""
        return EngineError(f"{space}@{offset:#x}: {length} bytes do not fit; {space} has {self.size(space):#x}")

    def reset(self) -> None:
        """Clear the state; memories and registers of data keep their contents, unless the core wipes itself."""
        self.backend.reset()

    def clear(self) -> None:
        """Zero the registers, also those of data, which a reset keeps. Programs, and row 0 of m2, are not kept.

        Memories keep the rest, unless the core wipes itself.
        """
        if self.isa.configuration.wipe:
            self.reset()
        else:
            self.backend.clear(clearing(self.rounds))
        self.check()

    def load(self, image: Image) -> None:
        """Reset the machine and write an image into its memories."""
        for told in self.on_load:
            told(image)
        self.reset()
        self.image = image
        self.write("pm", 0, struct.pack(f"<{len(image.program)}Q", *image.program))
        for space, segments in image.memory.items():
            for offset, data in segments:
                self.write(space, offset, data)

    # ------------------------------------------------------------------ execution

    def start(self, entry: int) -> None:
        """Begin at a program address; `step` or `go` moves on. EngineError when the machine is running."""
        if self._state() == "running":
            raise EngineError("the machine is running; reset it, or let it come to its end")
        if self._state() == "faulted":
            raise EngineError("the machine has met a fault; clear its alert, or reset it")
        if self._state() == "locked":
            raise EngineError("the machine is locked; reset it")
        try:
            self.backend.start(entry)
        except _iss.HostError as error:
            raise EngineError(str(error)) from error

    def run(self, entry: int, max_cycles: int | None = None) -> Stop:
        """Start at a program address and run until the program stops."""
        self.start(entry)
        return self.go(max_cycles)

    def resume(self, max_cycles: int | None = None) -> Stop:
        """Go on after a wait; EngineError when the machine is not waiting."""
        if self._state() != "waiting":
            raise EngineError("the machine is not waiting")
        self.backend.resume()
        return self.go(max_cycles)

    def go(self, max_cycles: int | None = None) -> Stop:
        """Run on from where the machine is."""
        self.backend.run(UNLIMITED if max_cycles is None else max_cycles)
        self.check()
        return self.stop()

    def inject(self, fault: Fault) -> None:
        """Flip bits of a stream context at the beginning of a cycle of the program that runs, or is started next.

        EngineError where the core has no such word, or the cycle has passed.
        """
        try:
            self.backend.inject(*fault.codes(self.isa))
        except FaultError as error:
            raise EngineError(str(error)) from None
        except _iss.HostError as error:
            raise EngineError(f"engine {self.name}: {fault}: {error}") from error

    def clear_alert(self) -> None:
        """Make a faulted machine idle again; it does not start before. EngineError for another."""
        if self._state() != "faulted":
            raise EngineError("the machine is not faulted")
        self.backend.clear_alert()

    @property
    def closed(self) -> bool:
        """Whether a program has closed the memories to the host. The core alone does not tell: False of `rtl`."""
        return bool(getattr(self.backend, "closed", False))

    def wipe(self) -> None:
        """Zero all but the programs. EngineError while one runs, and where the core cannot."""
        self._act(self.backend.wipe)

    def escalate(self) -> None:
        """Stop any program, zero all but the programs, and lock the machine until it is reset. EngineError as above."""
        self._act(self.backend.escalate)

    def _act(self, action: Callable[[], None]) -> None:
        try:
            action()
        except _iss.HostError as error:
            raise EngineError(f"engine {self.name}: {error}") from error
        self.check()

    def check(self) -> None:
        """Raise the error that the machine has found; only a machine that compares (`lutra.cosim`) finds any."""

    def step(self) -> Record | None:
        """To the next retirement; None when the machine is not running."""
        raw = self.backend.step()
        self.check()
        return None if raw is None else Record(*raw)

    def records(self) -> Iterator[Record]:
        """Retirements until the program stops."""
        while (record := self.step()) is not None:
            yield record

    def retirements(self, fields: Sequence[str], limit: int) -> list[tuple[int, int, int, bytes]]:
        """Run on until the program stops or more than `limit` cycles are used; cycle, program address and word of each
        retirement, and bytes that are equal where the named fields of its record are. Much faster than `records`."""
        found: list[tuple[int, int, int, bytes]] = self.backend.retirements(fields, limit)
        self.check()
        return found

    def combinations(self, fields: Sequence[str], limit: int) -> list[dict[str, Any]]:
        """Run on in the same way; the named fields of the records, each combination of their values once.

        Fields under a mask are left out; the mask itself is a field.
        """
        found: list[dict[str, Any]] = self.backend.combinations(fields, limit)
        self.check()
        return found

    def _state(self) -> str:
        return self._states[self.backend.state]

    def stop(self) -> Stop:
        """Where the machine is now."""
        m = self.backend
        stalls = dict(zip(self._stalls, m.stalls, strict=True))
        return Stop(self._state(), m.pc, self._traps.get(m.trap, ""), m.cycles, m.instructions, stalls, m.notified)

    def registers(self) -> Registers:
        """The architectural registers, by their names in assembly, as the last instruction left them.

        Of a core that is running some are ahead: instructions in flight have modified address registers already.
        """
        return Registers(Register(*value) for value in self.backend.registers())

    # ------------------------------------------------------------------ waves

    def trace(self, path: Path) -> None:
        """Write waves (FST) from now on; EngineError where there are none."""
        others = " or ".join(name for name in names() if name != self.name)
        raise EngineError(f"engine {self.name} has no waves; choose --engine {others}")

    def close(self) -> None:
        """Finish the wave file."""


class Simulator(Engine):
    """The simulator alone, which translates what is executed often.

    shadow_words, protect, wipe, key_rows: SHADOW_WORDS, PROTECT, WIPE and KEY_ROWS, of the configuration if not given.
    """

    def __init__(
        self,
        rounds: int,
        shadow_words: int | None = None,
        protect: bool | None = None,
        wipe: bool | None = None,
        key_rows: int | None = None,
    ) -> None:
        asked = {"shadow_words": shadow_words, "protect": protect, "wipe": wipe, "key_rows": key_rows}
        sizes: dict[str, Any] = {name: value for name, value in asked.items() if value is not None}
        super().__init__("iss", rounds, _iss.Machine(rounds, **sizes))
        try:
            translation.apply(self.backend)
        except translation.TranslationError as error:
            raise EngineError(str(error)) from None


# By name: what makes an engine with a ROUNDS_PER_INSTR.
_factories: dict[EngineName, Callable[[int], Engine]] = {}
_told: list[Callable[[Engine], None]] = []


def register(name: EngineName, factory: Callable[[int], Engine]) -> None:
    """Have `make` know an engine; the factory gets ROUNDS_PER_INSTR, 1 or 2."""
    _factories[name] = factory


def on_made(told: Callable[[Engine], None]) -> None:
    """Tell a function of every engine that `make` makes from now on, before anyone has used it."""
    _told.append(told)


def names() -> tuple[EngineName, ...]:
    """The engines that are registered or installed."""
    installed = (name for name, package in PACKAGES.items() if name not in _factories and _is_installed(package))
    return (*_factories, *installed)


def _is_installed(package: str) -> bool:
    return importlib.util.find_spec(package) is not None


def make(name: EngineName, rounds: int = 0) -> Engine:
    """An engine after reset; rounds is ROUNDS_PER_INSTR, 0 the greatest that the configuration has.

    Raises EngineError if it is not installed or does not support these rounds per instruction.
    """
    if name not in _factories and name in PACKAGES and _is_installed(PACKAGES[name]):
        importlib.import_module(PACKAGES[name])
    if name not in _factories:
        raise EngineError(f"no engine {name!r}; choose from {', '.join(names())}")
    if rounds not in (0, 1, 2):
        raise EngineError(f"rounds per instruction must be 1 or 2, not {rounds}")
    built = load().configuration
    if rounds and rounds not in built.rounds:
        raise EngineError(f"configuration {built.name} has {built.rounds[-1]} rounds per instruction, not {rounds}")
    engine = _factories[name](rounds or built.rounds[-1])
    for told in _told:
        told(engine)
    return engine


register("iss", Simulator)
