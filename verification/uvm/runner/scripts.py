"""Scripts for the bench (sequences/lutra_script.svh): firmware with its known answers, assembled and random programs.

Firmware: the host side of the firmware (`lutra.firmware`) runs a vector file on the simulator, and its accesses to the
machine are recorded. The answers are first checked against those of the file, so that a read in the script has the
standard's answer.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from itertools import takewhile
from pathlib import Path

from lutra.asm import assemble
from lutra.cosim.runner import prepare
from lutra.firmware import kat
from lutra.firmware.manifest import catalogue
from lutra.firmware.session import Session
from lutra.isa import load
from lutra.iss.engine import Simulator, Stop, clearing
from lutra.random import Generator, structured

ROUNDS = 2  # ROUNDS_PER_INSTR of tb_top.sv
ROW, WORD = 16, 8
# Cycles of tests taken from a vector file (lock-step runs all of them): the bench runs some 3,000 cycles per second.
ENOUGH_CYCLES = 200_000


class ScriptError(Exception):
    """A script that cannot be made."""


class Recorder(Simulator):
    """The simulator, which records its accesses as a script."""

    def __init__(self) -> None:
        super().__init__(ROUNDS)
        self.lines: list[str] = []
        self.cycles = 0

    def write(self, space: str, offset: int, data: bytes) -> None:
        super().write(space, offset, data)
        # Whole rows, as at the host port; with two banks at once, each has its own other bytes.
        for one in ("t0", "t1") if space == "t0:t1" else (space,):
            for row, _ in self._rows(one, offset, len(data)):
                self.lines.append(f"write {self.space_code(one):x} {row:x} {self._row(one, row)}")

    def read(self, space: str, offset: int, length: int) -> bytes:
        for row, lanes in self._rows(space, offset, length):
            self.lines.append(f"read {self.space_code(space):x} {row:x} {self._row(space, row)} {lanes:04x}")
        return super().read(space, offset, length)

    def run(self, entry: int, max_cycles: int | None = None) -> Stop:
        self.lines += [f"start {entry:x}", "stopped 0"]
        stop = super().run(entry, max_cycles)
        self.cycles += stop.cycles
        return stop

    def _rows(self, space: str, offset: int, length: int) -> Iterator[tuple[int, int]]:
        """Rows that an access touches, and which bytes of each: bit 15 is byte 0."""
        width = WORD if space == "pm" else ROW
        for row in range(offset // width, -(-(offset + length) // width)):
            touched = range(max(offset - row * width, 0), min(offset + length - row * width, width))
            yield row, sum(0x8000 >> byte for byte in touched)

    def _row(self, space: str, row: int) -> str:
        """A row as the host port's data."""
        if space == "pm":
            return f"{struct.unpack('<Q', super().read(space, WORD * row, WORD))[0]:x}"
        return super().read(space, ROW * row, ROW).hex()


def firmware(vectors: Path) -> str:
    """The tests of a vector file, or the first ones of a long file; ScriptError if an answer is wrong."""
    recorder = Recorder()
    session, ciphers = Session(recorder), catalogue()
    tests = takewhile(lambda _: recorder.cycles < ENOUGH_CYCLES, kat.read(vectors, ciphers))
    report = kat.total(kat.run(session, ciphers, [test]) for test in tests)
    if not report.good:
        raise ScriptError(f"{vectors}: {report}")
    return "\n".join(recorder.lines) + "\n"


def assembled(source: Path) -> str:
    """An image with the addresses of its global labels."""
    recorder = Recorder()
    image = assemble([source])
    recorder.load(image)
    labels = [f"label {s.name} {s.value:x}" for s in image.symbols if s.is_global and s.space == "pm"]
    return "\n".join(labels + recorder.lines) + "\n"


def random_program(seed: int) -> str:
    """A random program with its memories, its begin and end, and the expected end of its first start.

    It was built for registers that are zero, which a reset does not make them: another program does.
    """
    program = Generator(structured(load()), rounds=ROUNDS).program(seed)
    recorder = Recorder()
    prepare(recorder, program)
    end = program.base + len(program.words)
    clear = 0 if 2 * program.base > load().machine["ProgramWords"] else end
    recorder.write("pm", WORD * clear, clearing(ROUNDS))
    labels = [f"label main {program.base:x}", f"label end {end:x}", f"label clear {clear:x}"]
    trap = next((t.code for t in load().traps if t.name == program.ends), 0)
    return "\n".join([*labels, *recorder.lines, f"stopped {trap:x}"]) + "\n"
