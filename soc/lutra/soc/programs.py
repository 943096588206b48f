"""Programs of the study: a cipher on the host or on the core, and what its results have to be.

A program encrypts the first bytes of one text under one key and IV, in messages of several lengths. What has to come
out is computed by the simulator's firmware session, which shares neither C nor RTL with the systems.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from threading import Lock
from typing import Literal

from lutra.asm.formats.export import c_header
from lutra.firmware import aead, crypt
from lutra.firmware.ciphers import ROW, Cipher
from lutra.firmware.manifest import assembled, catalogue
from lutra.isa import load
from lutra.soc.system import BUILD, SYSTEMS, compile_program, run

# Where the text is: with the core, which adds it; with the host, which adds it to keystream; nowhere, where keystream
# is what is wanted.
Form = Literal["in place", "keystream", "raw"]
TEXT_AT, TEXT_BYTES = 0x40000, 65536
STATELESS_BYTES = 64
# As bytes of some counter: nothing in them is special.
KEY = bytes(range(0x10, 0x30))
IV = bytes(range(0xA0, 0xB0))


@dataclass(frozen=True)
class Subject:
    """A cipher of the study: its name in the manifests, and the bytes of its tag."""

    name: str
    soft: str  # source of S0
    title: str
    tag_bytes: int = 0
    stateless: bool = False

    @property
    def cipher(self) -> Cipher:
        return catalogue().cipher(self.name)

    @property
    def key(self) -> bytes:
        return KEY[: self.cipher.key_bits // 8]

    @property
    def iv(self) -> bytes:
        c = self.cipher
        return IV[: 12 if self.name.endswith("gcm") else c.nonce_bytes[1] if c.is_aead else c.iv_bytes]


SUBJECTS = {
    s.name: s
    for s in (
        Subject("trivium", "trivium", "Trivium"),
        Subject("salsa20-256", "salsa20", "Salsa20", stateless=True),
        Subject("phelix-256", "phelix", "Phelix", 16, stateless=True),
        Subject("aes-128-ctr", "aes_ctr", "AES-128-CTR"),
        Subject("aes-128-gcm", "aes_gcm", "AES-128-GCM", 16),
        Subject("snow3g", "snow3g", "SNOW 3G"),
        Subject("zuc-128", "zuc", "ZUC"),
        Subject("chacha20", "chacha20", "ChaCha20"),
    )
}


@cache
def text() -> bytes:
    """The bytes that messages begin with."""
    return hashlib.shake_128(b"text").digest(TEXT_BYTES)


@cache
def expected(name: str, size: int, raw: bool = False) -> bytes:
    """Ciphertext and tag of the first `size` bytes, or the keystream."""
    subject = SUBJECTS[name]
    return encrypted(name, subject.key, subject.iv, bytes(size) if raw else text()[:size])


def encrypted(name: str, key: bytes, iv: bytes, data: bytes) -> bytes:
    """Ciphertext and tag by the firmware's cipher of this name."""
    if catalogue().cipher(name).is_aead:
        return aead.encrypt(name, key, iv, data)
    return crypt.encrypt(name, key, data, iv)


@dataclass(frozen=True)
class Program:
    """A cipher by one way: `soft` on the host, a key of RESULTS, or one of LINKS to the core."""

    subject: str
    way: str
    form: Form = "in place"
    stateless: bool = False
    sizes: tuple[int, ...] = (16, 64)
    cold_sizes: tuple[int, ...] = (64,)

    def sources(self) -> list[Path]:
        folder = SYSTEMS / "host"
        if self.way == "soft":
            soft = SUBJECTS[self.subject].soft
            shared = [folder / "soft_aes.c"] if soft.startswith("aes") else []
            return [folder / "study.c", folder / f"soft_{soft}.c", *shared]
        if self.way in RESULTS:
            return [folder / "study.c", folder / "insn_trivium.c"]
        return [folder / "study.c", folder / "core_message.c", folder / f"link_{LINKS[self.way].source}.c"]

    def compile(self) -> Path:
        """Return the contents of RAM: program and text."""
        subject = SUBJECTS[self.subject]
        defines: dict[str, object] = {
            "SIZES": _numbers(self.sizes),
            "COLD_SIZES": _numbers(self.cold_sizes),
            "KEY": _numbers(subject.key),
            "IV": _numbers(subject.iv),
            "TAG_BYTES": subject.tag_bytes,
            "KEYSTREAM": int(self.form == "keystream"),
        }
        images = BUILD / "images" / subject.name
        defines |= _on_core(subject, images)
        if self.way in RESULTS:
            defines["RESULTS"] = RESULTS[self.way][self.form]
        if self.way in LINKS:
            defines |= LINKS[self.way].defines
            defines |= {"STATELESS": int(self.stateless), "STATELESS_BYTES": STATELESS_BYTES}
        return compile_program(self.sources(), defines, [images], text_words())


@cache
def text_words() -> str:
    """The text at its place in RAM, for $readmemh."""
    words = (text()[at : at + 4][::-1].hex() for at in range(0, TEXT_BYTES, 4))
    return f"@{TEXT_AT // 4:x}\n" + "\n".join(words) + "\n"


@dataclass(frozen=True)
class Link:
    """An attachment of the core as programs see it: its source, and the number of the attachment."""

    source: str
    attachment: int
    defines: dict[str, object] = field(default_factory=dict)


LINKS = {
    "bus": Link("bus", 1, {"LINK_BASE": "0x40000000"}),
    "local": Link("bus", 2, {"LINK_BASE": "0x50000000"}),
    "wide": Link("wide", 2),
    "fifo": Link("fifo", 3),
}

# Instructions whose results are in registers or in RAM, and RESULTS of insn_trivium.c.
RESULTS: dict[str, dict[Form, int]] = {"registers": {"keystream": 0, "raw": 1}, "memory": {"raw": 2, "in place": 3}}


# Programs of one cipher are made at the same time.
_WRITING = Lock()


def write_header(images: Path, content: str) -> Path:
    """Write the header of a program's image, unless it is there."""
    header = images / "image.h"
    with _WRITING:
        if not header.exists() or header.read_text() != content:
            images.mkdir(parents=True, exist_ok=True)
            header.write_text(content)
    return header


def _on_core(subject: Subject, images: Path) -> dict[str, object]:
    """The definitions of core_message.c for a cipher's firmware."""
    cipher = subject.cipher
    implementation = cipher.default
    entries, source = implementation.entries["encrypt"], implementation.image
    image = assembled(source)
    header = write_header(images, c_header(image, "core"))
    spaces = {space.name: space.code for space in load().spaces}
    symbols = {s.name: s for s in image.symbols if s.is_global}
    if entries.key_tables != entries.tables and entries.key_tables:
        raise ValueError(f"{subject.name}: the study does not change tables")
    found: dict[str, object] = {
        "IMAGE_HEADER": f'"{header.name}"',
        "UNIT_BYTES": cipher.unit_bytes,
        "JOB_BYTES": source.job_bytes - source.job_bytes % cipher.whole_bytes,
        "KEY_ROWS": -(-cipher.key_bits // (8 * ROW)),
        "IV_ROWS": -(-cipher.iv_bytes // ROW),
        f"CIPHER_{subject.soft.upper()}": 1,
    }
    for row, name in (
        ("KEY", source.parameters.key),
        ("IV", source.parameters.iv),
        ("LENGTH", source.parameters.length),
    ):
        found |= {f"{row}_SPACE": spaces[symbols[name].space], f"{row}_AT": symbols[name].value}
    named = {"TABLES": entries.tables, "KEY": entries.key, "START": entries.start, "RUN": entries.run}
    if cipher.is_aead:
        found |= {"AEAD": 1, "NONCE_BYTES": len(subject.iv)}
        named |= {"BEGIN": entries.others["begin"], "FINISH": entries.others["finish"]}
    return found | {f"ENTRY_{name}": symbols[label].value if label else -1 for name, label in named.items()}


def _numbers(values: Iterable[int]) -> str:
    return ",".join(map(str, values))


@dataclass(frozen=True)
class Message:
    """The costs of a message: cycles, and words of 32 bits that crossed the attachment."""

    size: int
    cold: bool
    cycles: int
    first: int
    words: int
    busy: int
    running: int


class WrongResultError(Exception):
    """A system has computed something else than the simulator."""


def measure(simulator: Path, program: Program, **arguments: int) -> list[Message]:
    """Run a program on a system, and check every result."""
    output = run(simulator, program.compile(), **arguments)
    sizes = [*((size, False) for size in program.sizes), *((size, True) for size in program.cold_sizes)]
    dumps = iter(output.dumps)
    tag = SUBJECTS[program.subject].tag_bytes
    found = []
    for number, (size, cold) in enumerate(sizes):
        begin, end = output.marks[2 * number : 2 * number + 2]
        result = next(dumps) + (next(dumps) if tag else b"")
        if result != expected(program.subject, size, program.form == "raw"):
            raise WrongResultError(f"{program}: a message of {size} bytes is wrong")
        costs = (end.cycle - begin.cycle, output.first[number] - begin.cycle, end.words - begin.words)
        found.append(Message(size, cold, *costs, end.busy - begin.busy, end.running - begin.running))
    return found


@dataclass(frozen=True)
class Moves:
    """Cycles that a host takes for a row without a cipher: to the core, from it, and from it with the text added."""

    write: float
    read: float
    read_xor: float


PIO_ROWS = 64


def moving(way: str) -> Path:
    """Contents of RAM for programmed I/O by a link of LINKS."""
    folder = SYSTEMS / "host"
    link = LINKS[way]
    sources = [folder / "pio.c", folder / f"link_{link.source}.c"]
    return compile_program(sources, link.defines, data=text_words())


def moves(simulator: Path, way: str, **arguments: int) -> Moves:
    """Measure programmed I/O by a link of LINKS."""
    output = run(simulator, moving(way), **arguments)
    data = text()[: ROW * PIO_ROWS]
    if output.dumps != [data, bytes(len(data))]:
        raise WrongResultError(f"programmed I/O by {way} reads something else than it wrote")
    at = [mark.cycle for mark in output.marks]
    return Moves(*((at[end] - at[end - 1]) / PIO_ROWS for end in (1, 2, 4)))
