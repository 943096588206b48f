"""The three engines behind one interface: simulator, Verilated core, and both in lock-step.

    engine = lutra.engine.make("cosim")
    engine.load(lutra.asm.assemble([Path("first.s")]))
    stop = engine.run(engine.entry)

Spaces are named as in assembly (`m0`..`m3`, `t0`, `t1`, `t0:t1`, `pm`); offsets count bytes; program words are 8 bytes,
little-endian.
"""

from __future__ import annotations

import importlib.util
import os
import struct
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from types import ModuleType
from typing import Any, Literal, Protocol

from lutra import coverage
from lutra.asm import Image
from lutra.isa import Isa, load
from lutra.iss import _iss
from lutra.iss.retire import Record, divergence_report

EngineName = Literal["iss", "rtl", "cosim"]
NAMES: tuple[EngineName, ...] = ("iss", "rtl", "cosim")
UNLIMITED = 2**63
# Environment variable: another build of the module `_rtl`, such as one of a changed core.
RTL_LIBRARY = "LUTRA_RTL_LIBRARY"


class EngineError(Exception):
    """What an engine cannot do, in one line."""


class Divergence(EngineError):  # noqa: N818 - the name says what it is
    """Simulator and core disagree; the text is the whole report."""


@dataclass(frozen=True)
class Stop:
    """How a run ended.

    state: `halted`, `waiting`, `trapped`, or `running` where the limit was reached first.
    pc: of the instruction that stopped it. trap: name of the cause or "". cycles: 0 in a functional run.
    """

    state: str
    pc: int
    trap: str
    cycles: int
    instructions: int
    stalls: dict[str, int]
    notified: int


class _Backend(Protocol):
    """What the three bindings have in common."""

    def reset(self) -> None: ...
    def start(self, pc: int) -> None: ...
    def resume(self) -> None: ...
    def write(self, space: int, offset: int, data: bytes) -> None: ...
    def read(self, space: int, offset: int, length: int) -> bytes: ...
    def size(self, space: int) -> int: ...
    def step(self) -> Any: ...
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


class Engine:
    """One machine with its memories. Made by `make`.

    isa: the tables it works by. backend: the binding's object, for what this class does not offer.
    """

    name: EngineName

    def __init__(self, name: EngineName, rounds: int) -> None:
        if rounds not in (1, 2):
            raise EngineError(f"rounds per instruction must be 1 or 2, not {rounds}")
        self.name = name
        self.rounds = rounds
        self.image: Image | None = None
        self.isa: Isa = load()
        self._spaces = {s.name: s.code for s in self.isa.spaces}
        self.backend: Any = _backend(name, rounds)

    # ------------------------------------------------------------------ memories

    def _code(self, space: str) -> int:
        if space not in self._spaces:
            raise EngineError(f"no memory space {space!r}; there are {', '.join(self._spaces)}")
        return self._spaces[space]

    def size(self, space: str) -> int:
        """Size of a space in bytes."""
        return int(self.backend.size(self._code(space)))

    def write(self, space: str, offset: int, data: bytes) -> None:
        """Write bytes; EngineError where they do not fit the space."""
        self._check(space, offset, len(data))
        self.backend.write(self._code(space), offset, data)

    def read(self, space: str, offset: int, length: int) -> bytes:
        """Read bytes; EngineError beyond the space, Divergence where simulator and core differ."""
        self._check(space, offset, length)
        data = bytes(self.backend.read(self._code(space), offset, length))
        self._raise_divergence()
        return data

    def _check(self, space: str, offset: int, length: int) -> None:
        size = self.size(space)
        if offset < 0 or offset + length > size:
            raise EngineError(f"{space}@{offset:#x}: {length} bytes do not fit; {space} has {size:#x}")
        if not self.isa.space_by_name[space].blocks and self._state() == "running":
            raise EngineError(f"{space} is the host's only while the machine is not running")

    def reset(self) -> None:
        """Clear registers and state; memories keep their contents."""
        self.backend.reset()

    def load(self, image: Image) -> None:
        """Reset the machine and write an image into its memories."""
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
        self.backend.start(entry)

    def run(self, entry: int, max_cycles: int | None = None, exact: bool = True) -> Stop:
        """Start at a program address and run until the program stops.

        `exact=False` on the simulator does not count cycles and is faster; the limit then counts instructions.
        Divergence where simulator and core disagree.
        """
        self.start(entry)
        return self.go(max_cycles, exact)

    def resume(self, max_cycles: int | None = None) -> Stop:
        """Go on behind a wait; EngineError when the machine is not waiting."""
        if self._state() != "waiting":
            raise EngineError("the machine is not waiting")
        self.backend.resume()
        return self.go(max_cycles)

    def go(self, max_cycles: int | None = None, exact: bool = True) -> Stop:
        """Run on from where the machine is."""
        limit = UNLIMITED if max_cycles is None else max_cycles
        if self.name == "iss" and exact:
            self.backend.run_exact(limit)
        else:
            self.backend.run(limit)
        self._raise_divergence()
        return self.stop()

    def step(self) -> Record | None:
        """To the next retirement; None when the machine is not running."""
        raw = self.backend.step()
        self._raise_divergence()
        return None if raw is None else Record(raw)

    def records(self) -> Iterator[Record]:
        """Retirements until the program stops."""
        while (record := self.step()) is not None:
            yield record

    def _state(self) -> str:
        return next(s.name for s in self.isa.states if s.code == self.backend.state)

    def stop(self) -> Stop:
        """Where the machine is now."""
        m = self.backend
        trap = next((t.name for t in self.isa.traps if t.code == m.trap), "")
        stalls = {s.name: int(n) for s, n in zip(self.isa.stalls, m.stalls, strict=True)}
        return Stop(self._state(), m.pc, trap, m.cycles, m.instructions, stalls, m.notified)

    def cover(self) -> None:
        """Count functional coverage from now on; before the first start. Functional runs become exact ones."""
        self.backend.cover()

    def coverage(self) -> coverage.Counts:
        """What was counted so far, nothing without `cover`. Divergence where simulator and core differ."""
        counts = coverage.Counts()
        counts.add_places(self.rounds, self.backend.coverage() or {})
        self._raise_divergence()
        return counts

    # ------------------------------------------------------------------ RTL only

    def trace(self, path: Path) -> None:
        """Write waves (FST) from now on; EngineError on the simulator, which has none."""
        if self.name == "iss":
            raise EngineError("the simulator has no waves; choose --engine rtl or cosim")
        try:
            path.open("wb").close()
        except OSError as error:
            raise EngineError(f"{path}: waves cannot be written: {error.strerror}") from error
        self.backend.trace(str(path))

    def close(self) -> None:
        """Finish the wave file."""
        if self.name != "iss":
            self.backend.trace_close()

    def _raise_divergence(self) -> None:
        if self.name == "cosim" and self.backend.divergence is not None:
            what, iss, rtl, history = self.backend.divergence
            raise Divergence(divergence_report(what, iss, rtl, history, self.image))


def _backend(name: EngineName, rounds: int) -> _Backend:
    if name == "iss":
        return _iss.Machine(rounds)
    if name not in NAMES:
        raise EngineError(f"no engine {name!r}; there are {', '.join(NAMES)}")
    rtl = _rtl_module(os.environ.get(RTL_LIBRARY, ""))
    made: _Backend = rtl.Core(rounds) if name == "rtl" else rtl.Cosim(rounds)
    return made


@lru_cache(maxsize=1)
def _rtl_module(library: str) -> Any:
    """The binding of the Verilated core, from this installation or from another file. One a process: both would bring
    the same classes."""
    if library:
        return _loaded(Path(library))
    try:
        from lutra.rtl import _rtl
    except ImportError as error:
        raise EngineError("this installation has no Verilated core; build it with `make build`") from error
    return _rtl


def _loaded(path: Path) -> ModuleType:
    if not path.is_file():
        raise EngineError(f"{path}: no such file; {RTL_LIBRARY} and --rtl-library name a build of the module _rtl")
    spec = importlib.util.spec_from_file_location("lutra.rtl._rtl", path)
    try:
        if spec is None or spec.loader is None:
            raise ImportError("not a shared library of Python")
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
    except ImportError as error:
        raise EngineError(f"{path}: cannot be loaded as the module _rtl: {error}") from error
    return module


def write_rtl_counts(stem: Path) -> None:
    """What the code coverage of the core has counted in this process, to files STEM-N.dat, if it counts."""
    if _rtl_module.cache_info().currsize:
        rtl = _rtl_module(os.environ.get(RTL_LIBRARY, ""))
        if rtl.counting():
            rtl.write_counts(str(stem))


def make(name: EngineName, rounds: int = 2) -> Engine:
    """An engine after reset; rounds is ROUNDS_PER_INSTR, 1 or 2. EngineError where it is not installed.

    Within `lutra.coverage.recording` it is counted.
    """
    engine = Engine(name, rounds)
    if (recorder := coverage.active()) is not None:
        recorder.attach(engine)
    return engine
