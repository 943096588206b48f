"""Firmware of an algorithm that another image decrypts, and a simulator on which plaintext leaves with its tag only.

`make test` runs on a core without extension `close`. Here `close` is an instruction that does nothing, and an engine
that sees it at the begin of a routine hides the memories from the host, until the verdict of the routine is good, or
the core is wiped or reset. tests/faults/test_pack_release.py has the core that does so itself.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from lutra.asm import assemble_text
from lutra.firmware import pack
from lutra.isa import load
from lutra.iss.engine import Simulator
from support.documents import ROOT

CLOSE = "arset ar7, 0x5a5"
CIPHER = "shut-128-gcm"
SOURCE = """
        .macro  close
        {close}
        .endm
        .macro  open
        nop
        .endm
        .include "aes/block.inc"
        .include "common/gcm_open.inc"
        gcm_open_routines aes
"""
PLAIN = """
        .include "aes/block.inc"
        .include "common/gcm.inc"
        gcm_routines aes
"""
MANIFEST = """
cipher = "aes"
[image.shut-plain]
[image.shut-open]
job_bytes = 4048
routines = { open = "{cipher}{size}_gcm_open", hash = "{cipher}_gcm_absorb" }
[[algorithm]]
name = "shut-{bits}-gcm"
kind = "gcm"
unit = "block"
key_bits = [128]
vectors = { algorithm = "AES", modes = ["GCM"] }
[[algorithm.implementations]]
image = "shut-plain"
[[algorithm.implementations]]
image = "shut-open"
directions = ["decrypt"]
bench = {}
"""
WORD = assemble_text(CLOSE).program[0].to_bytes(8, "little")
CODES = {space.name: space.code for space in load().spaces}
MEMORIES = {space.code for space in load().spaces if space.blocks}


class Backend:
    """The simulator's own, with memories that close. wipes: how often the host has wiped it."""

    def __init__(self, machine: Any) -> None:
        self.machine = machine
        self.entry = 0
        self.closed = False
        self.wipes = 0

    def __getattr__(self, name: str) -> Any:
        return getattr(self.machine, name)

    def start(self, entry: int) -> None:
        self.entry = entry
        self.machine.start(entry)

    def run(self, limit: int) -> int:
        done: int = self.machine.run(limit)
        first = self.machine.read(CODES["pm"], 8 * self.entry, 8)
        verdict = self.machine.read(CODES["m3"], self.machine.size(CODES["m3"]) - 16, 16)
        self.closed = first == WORD and verdict != b"\xff" * 16
        return done

    def read(self, space: int, offset: int, length: int) -> bytes:
        data: bytes = self.machine.read(space, offset, length)
        return bytes(length) if self.closed and space in MEMORIES else data

    def write(self, space: int, offset: int, data: bytes) -> None:
        if not (self.closed and space in MEMORIES):
            self.machine.write(space, offset, data)

    def wipe(self) -> None:
        self.wipes += 1
        self.closed = False
        self.machine.wipe()

    def reset(self) -> None:
        self.closed = False
        self.machine.reset()


class Closing(Simulator):
    """A simulator that closes its memories to the host."""

    def __init__(self, rounds: int = 2) -> None:
        super().__init__(rounds, wipe=True)
        self.backend: Any = Backend(self.backend)


def write(folder: Path) -> Path:
    """Write the firmware to a new folder."""
    folder.mkdir()
    (folder / "shut_open.s").write_text(SOURCE.format(close=CLOSE))
    (folder / "shut_plain.s").write_text(PLAIN)
    (folder / "firmware.toml").write_text(MANIFEST)
    return folder


def settings(folder: Path) -> pack.Settings:
    """Return what a pack of it is made of."""
    return pack.read_settings(folder, version="1.0.0", vectors=[ROOT / "tests/vectors/aes_gcm_spec.json"])
