"""The jobs that faults are tried in: a key schedule, a short message and its result, on the real driver of the core."""

from __future__ import annotations

import hashlib
import tempfile
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypeVar

from faults import record as record_file
from faults.errors import FaultsError
from faults.netlist import Netlist
from faults.record import Roles, Row, Waves
from lutra.asm import Symbol
from lutra.firmware import aead, crypt, mac
from lutra.firmware.aead import WrongTagError
from lutra.firmware.ciphers import Cipher, Direction
from lutra.firmware.manifest import catalogue
from lutra.firmware.request import Request
from lutra.firmware.session import Session
from lutra.firmware.twice import Checked
from lutra.isa import load
from lutra.iss import engine as engines
from lutra.rtl import RtlEngine

T = TypeVar("T")
# What the ports of the core mean to its host. A core without an alert has the other ports alone.
CORE_ROLES: Mapping[str, tuple[str, ...]] = {
    "request": ("host_req_i",),
    "write": ("host_we_i",),
    "grant": ("host_gnt_o",),
    "valid": ("host_rvalid_o",),
    "data": ("host_rdata_o",),
    "state": ("state_o",),
    "pulse": ("start_i", "resume_i", "irq_clear_i"),
}


@dataclass(frozen=True)
class Job:
    """A message. kind: how its result is computed; refused: its tag is wrong; image: if not the first."""

    kind: str
    cipher: str
    direction: Direction = "encrypt"
    size: int = 32
    refused: bool = False
    image: str = ""


# Firmware that computes twice, in a core that has what it needs.
TWICE: Mapping[str, Job] = {
    "ecb-twice": Job("crypt", "aes-128-ecb", image="aes-twice"),
    "cbc-twice": Job("crypt", "aes-128-cbc", image="aes-twice"),
    "ecb-decrypt-twice": Job("crypt", "aes-128-ecb", "decrypt", image="aes-twice"),
    "cbc-decrypt-twice": Job("crypt", "aes-128-cbc", "decrypt", image="aes-twice"),
    "ctr-twice": Job("crypt", "aes-128-ctr", image="aes-ctr-twice"),
    "cmac-twice": Job("mac", "aes-128-cmac", image="aes-mac-twice"),
    "gcm-twice": Job("aead", "aes-128-gcm", image="aes-gcm-twice"),
    "gcm-open-twice": Job("aead", "aes-128-gcm", "decrypt", image="aes-gcm-open-twice"),
    "ccm-twice": Job("aead", "aes-128-ccm", image="aes-ccm-twice"),
    "ccm-open-twice": Job("aead", "aes-128-ccm", "decrypt", image="aes-ccm-open-twice"),
    "snow3g-twice": Job("crypt", "snow3g", size=64, image="snow3g-twice"),
    "zuc-twice": Job("crypt", "zuc-128", size=64, image="zuc-twice"),
    "chacha20-twice": Job("crypt", "chacha20", size=64, image="chacha20-twice"),
    "camellia-twice": Job("crypt", "camellia-128-ecb", image="camellia-twice"),
    "camellia-ctr-twice": Job("crypt", "camellia-128-ctr", image="camellia-ctr-twice"),
    "aria-twice": Job("crypt", "aria-128-ecb", image="aria-twice"),
    "aria-ctr-twice": Job("crypt", "aria-128-ctr", image="aria-ctr-twice"),
    "sm4-twice": Job("crypt", "sm4-ecb", image="sm4-twice"),
}
JOBS: Mapping[str, Job] = {
    "aes": Job("crypt", "aes-128-ecb"),
    "gcm": Job("aead", "aes-128-gcm"),
    "cmac": Job("mac", "aes-128-cmac"),
    "aria": Job("crypt", "aria-128-ecb"),
    "camellia": Job("crypt", "camellia-128-ecb"),
    "snow3g": Job("crypt", "snow3g", size=64),
    "zuc": Job("crypt", "zuc-128", size=64),
    "chacha20": Job("crypt", "chacha20", size=64),
    "sm4": Job("crypt", "sm4-ecb"),
    "tag": Job("aead", "aes-128-gcm", "decrypt", refused=True, image="aes-gcm"),
    **(TWICE if "close" in load().configuration.extensions else {}),
}


def value(name: str, size: int) -> bytes:
    """Return fixed bytes that look random: the key, the iv and the text of a job."""
    return hashlib.shake_128(name.encode()).digest(size)


def cipher(job: Job) -> Cipher:
    """Return the algorithm of a job, by its image alone if it names one."""
    found = catalogue().mac(job.cipher) if job.kind == "mac" else catalogue().cipher(job.cipher)
    if not job.image:
        return found
    return replace(found, implementations=tuple(i for i in found.implementations if i.image.name == job.image))


def _request(job: Job) -> Request:
    algorithm = cipher(job)
    nonce = 12 if job.kind == "aead" else algorithm.iv_bytes
    return Request(
        algorithm, job.direction, value(f"{job.cipher} key", algorithm.key_bits // 8), value(f"{job.cipher} iv", nonce)
    )


ANSWERS: Mapping[str, Callable[[Session, Request, bytes], bytes]] = {
    "crypt": crypt.answer,
    "aead": aead.answer,
    "mac": mac.answer,
}


def run(job: Job, session: Session) -> None:
    """Run the whole job: key, message, result."""
    text = value(f"{job.cipher} text", job.size)
    if job.kind == "aead" and job.direction == "decrypt" and not job.refused:
        request = _request(job)
        sealing = Request(catalogue().cipher(job.cipher), "encrypt", request.key, request.iv)
        text = aead.answer(Session(engines.make("iss")), sealing, text)
    with suppress(WrongTagError):
        ANSWERS[job.kind](session, _request(job), text)
        if job.refused:
            raise FaultsError(f"{job.cipher} takes a message whose tag is wrong")


def clear(engine: RtlEngine) -> None:
    """Write all memories, which have check bits from then on."""
    for space in engine.isa.spaces:
        if space.is_program or space.is_single:
            engine.write(space.name, 0, bytes(engine.size(space.name)))


def prepare(job: Job, session: Session) -> None:
    """Load image and tables, with another key, so that the job itself begins with its key."""
    algorithm = cipher(job)
    iv = bytes(algorithm.iv_bytes)
    session.set_up(algorithm, job.direction, bytes(algorithm.key_bits // 8), iv)


def roles() -> Roles:
    """Return the roles of the core's ports."""
    running = next(state.code for state in load().states if state.name == "running")
    return Roles({**CORE_ROLES, "alert": ("alert_o",)}, running)


class Noted(Checked):
    """Checked accesses of a host, and what it does with the data of each read: clocks, what, and whether what it has
    read is used then."""

    def __init__(self, engine: RtlEngine, forget: Callable[[], None]) -> None:
        super().__init__(engine, forget)
        self.core = engine.core
        self.looks: list[tuple[range, str, bool]] = []

    def _noted(self, what: str, read: Callable[[], T]) -> T:
        begun = self.core.clocks
        found = read()
        self.looks.append((range(begun, self.core.clocks), what, False))
        return found

    def holds(self, space: str, offset: int, data: bytes) -> bool:
        return self._noted("know", lambda: super(Noted, self).holds(space, offset, data))

    def first(self, space: str, offset: int, size: int) -> bytes:
        return self._noted("first", lambda: super(Noted, self).first(space, offset, size))

    def again(self, space: str, offset: int, data: bytes) -> None:
        self._noted("again", lambda: super(Noted, self).again(space, offset, data))

    def result(self, done: Symbol, space: str, offset: int, size: int) -> bytes:
        found = super().result(done, space, offset, size)
        clocks, what, _ = self.looks[-1]
        self.looks[-1] = clocks, what, True
        return found


@dataclass(frozen=True)
class Recorded:
    """A job on the Verilated core: its waves, the row in which it begins, the words of the program memory, and what the
    host does with what it reads."""

    waves: Waves
    begin: int
    program: tuple[int, ...]
    looks: tuple[tuple[range, str, bool], ...] = ()

    def rows(self, netlist: Netlist) -> list[Row]:
        """Return the rows of the record."""
        rows = record_file.of_core(self.waves, netlist)
        slots = {"first": 0, "again": 0}
        for clocks, what, used in self.looks:
            reads = [row for row in clocks if _is_read(rows[row])]
            for row in reads:
                number = ""
                if what in slots:
                    number, slots[what] = f" {slots[what]}", slots[what] + 1
                uses = " releases" if used and row == reads[-1] else ""
                rows[row] = replace(rows[row], look=what + number + uses)
        return rows


def _is_read(row: Row) -> bool:
    assert row.outputs is not None
    return bool(row.inputs["host_req_i"] and not row.inputs["host_we_i"] and row.outputs["host_gnt_o"])


def record(job: Job) -> Recorded:
    """Run a job on the Verilated core."""
    engine = engines.make("rtl")
    assert isinstance(engine, RtlEngine)
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder) / "waves.fst"
        begun = engine.core.clocks
        engine.trace(place)
        engine.clear()  # what a reset keeps is chance until then
        if engine.isa.configuration.protect:
            clear(engine)
        session = Session(engine, checked=Noted)
        assert isinstance(session.checked, Noted)
        prepare(job, session)
        begin = engine.core.clocks - begun
        run(job, session)
        looks = tuple(
            (range(clocks.start - begun, clocks.stop - begun), what, used)
            for clocks, what, used in session.checked.looks
        )
        engine.close()
        waves = Waves(place, begun, engine.core.clocks)
    assert engine.image is not None
    return Recorded(waves, begin, tuple(engine.image.program), looks)


def write(recorded: Recorded, netlist: Netlist, path: Path) -> None:
    """Write what the pins of the core did, for the engine."""
    record_file.write(path, netlist, roles(), recorded.rows(netlist), recorded.begin)
