"""Scenes in the pictures of the debugger: sessions, and what a user does in them."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import lutra
from lutra.cosim import CosimEngine
from lutra.debug import Session, known_answers
from lutra.firmware.manifest import catalogue
from lutra.iss import engine as engines
from lutra.iss.job import Job
from lutra.iss.places import Place

ROOT = Path(__file__).resolve().parents[2]

SUMS = """\
// Sixteen million sums through memory: each waits for the store before it.
// view: v0 sums word:4*4
        .section m0
seed:   .row    "00112233445566778899aabbccddeeff"
step:   .row    "00000001000000030000000500000007"

        .section text
        .entry  main
        .global main
main:   mov     v1, m0[step]
        mov     m3[0], v1
        arset   ar2, 250
        repeat  ar2, all
        repeat  65535, summed
        add32   v0, m3[0], v1
        mov     m3[0], v0
summed: nop
all:    mov     v0, m0[seed]
        halt
"""
SUM = """\
        .section text
        .entry  main
        .global main
main:   arset   ar0, 0x20
        mov     v1, m2[ar0++]
        xor     v2, v1, m2[ar0]
        mov     m3[0], v2
        halt
"""


@dataclass(frozen=True)
class Scene:
    """A picture. opened: makes the session, in an empty folder. steps: commands, or names of keys in angle brackets."""

    name: str
    title: str
    opened: Callable[[], Session]
    steps: tuple[str, ...]
    size: tuple[int, int] = (110, 36)


def _program(text: str, name: str, engine: str = "iss") -> Session:
    Path(name).write_text(text)
    image = lutra.assemble([Path(name)])
    return Session.open(Job(image, (image.entry,)), engine)


def _sums() -> Session:
    return _program(SUMS, "sums.s")


def _copied(name: str) -> Path:
    """A copy of installed firmware, as a user has it who changes it."""
    for folder in (name, "common"):
        shutil.copytree(ROOT / "firmware" / folder, folder)
    return Path(name)


def _encryption() -> Session:
    """SM4 over 16 blocks: the key schedule, then the blocks."""
    image = lutra.assemble([_copied("sm4") / "sm4.s"])
    at = {symbol.name: symbol.value for symbol in image.symbols}
    data = (
        (Place("m0", at["sm4_key"]), bytes.fromhex("0123456789abcdeffedcba9876543210")),
        (Place("m1", at["sm4_length"]), (16).to_bytes(16, "big")),
        (Place("m2", 0), bytes(range(256))),
    )
    return Session.open(Job(image, (at["sm4128_key_encrypt"], at["sm4128_ecb"]), data))


def _divergence() -> Session:
    """A lock-step whose core has another bit in m2."""

    def flawed(rounds: int) -> CosimEngine:
        engine = CosimEngine(rounds)
        engine.backend.rtl.write(engine.isa.space_by_name["m2"].code, 0x3F, b"\x01")
        return engine

    engines.register("flawed", flawed)
    return _program(SUM, "sum.s", "flawed")


def _known_answer() -> Session:
    """A copy of SM4 with a rotation by 24 bits instead of 23, against the installed one."""
    folder = _copied("sm4")
    file = folder / "schedule.inc"
    text = file.read_text()
    right, wrong = r"rotx    \turned, \t, \turned, 23", r"rotx    \turned, \t, \turned, 24"
    assert text.count(right) == 1
    file.write_text(text.replace(right, wrong))
    vectors = Path(shutil.copy(ROOT / "tests" / "vectors" / "sm4_gbt32907.json", "sm4.json"))
    answer = known_answers.chosen(vectors, None, known_answers.only([folder]), 2, None)
    reference = known_answers.same(vectors, answer, catalogue(), 2, None)
    return known_answers.opened_against(answer, reference, "iss", 2)


SCENES = (
    Scene(
        "step-back",
        "Steps back after a hundred million cycles, into the last pass of a loop; v0 as a view of four words",
        _sums,
        ("continue", "reverse-step", "reverse-step", "reverse-step", "reverse-step", "<escape>", "<3>", "<V>"),
    ),
    Scene(
        "last-writer",
        "Who wrote this row? All forms of a value, and its last writers",
        _encryption,
        ("continue", "<escape>", "<3>", "<down>", "<down>", "<enter>", *["<down>"] * 8),
    ),
    Scene(
        "divergence",
        "Simulator and core differ: the instruction, the row that it reads, and both results",
        _divergence,
        ("continue", "<escape>", "<4>", "<full_stop>", "<full_stop>"),
        (148, 42),
    ),
    Scene(
        "known-answer",
        "A known answer that fails, at the first instruction that does something else than the installed firmware",
        _known_answer,
        ("<escape>", "<8>"),
    ),
    Scene(
        "wide",
        "On a wide terminal disassembly, pipeline and stack have places of their own",
        _encryption,
        (
            "break sm4/block.inc:20",
            "continue",
            "goto 601",
            "watch v2",
            "last v2",
            "<escape>",
            "<4>",
            *["<full_stop>"] * 3,
        ),
        (180, 50),
    ),
)
