"""The driver on a RV32 host: it compiles without a warning, works, and takes few instructions for a packet."""

from __future__ import annotations

import itertools
import struct
from pathlib import Path
from subprocess import run

import pytest

from lutra.soc.devices import Maker
from support import toy
from support.documents import ROOT
from support.rv32 import DEVICE, Hart, build
from support.soc import BUFFERS, MEMORY_BYTES, Bench

from .conftest import KEY, SetKey, loaded, operation

DRIVER = ROOT / "soc" / "driver"
SOURCES = sorted((DRIVER / "src").glob("*.c"))
INCLUDES = [DRIVER / "include", ROOT / "patch" / "loader" / "include", ROOT / "build" / "gen" / "soc"]
WARNINGS = (
    "-Wall -Wextra -Wpedantic -Wconversion -Wsign-conversion -Wshadow -Wcast-qual -Wstrict-prototypes -Wundef -Wvla "
    "-Werror"
)
TARGETS = {
    "host": [],
    "ibex": ["--target=riscv32-unknown-elf", "-march=rv32imc", "-mabi=ilp32"],
    "picorv32": ["--target=riscv32-unknown-elf", "-march=rv32im", "-mabi=ilp32"],
}
PROGRAM, STACK, PACKETS, DONE = 0x90000, 0xB0000, 0xB0000, 0xB4000
MOST_INSTRUCTIONS = 60
BATCH = 16


@pytest.mark.parametrize(("target", "order"), list(itertools.product(TARGETS, ("", "-DLUTRA_SOC_SWAP"))))
def test_driver_compiles_without_a_warning(target: str, order: str, tmp_path: Path) -> None:
    flags = [*TARGETS[target], *order.split(), "-std=c11", "-O2", "-ffreestanding", *WARNINGS.split()]
    includes = [f"-I{INCLUDES[0]}", f"-I{INCLUDES[1]}", "-isystem", str(INCLUDES[2])]
    for source in SOURCES:
        run(["clang-19", *flags, *includes, "-c", source, "-o", tmp_path / "x.o"], check=True)


def test_driver_needs_no_library_but_memcpy_and_memset(tmp_path: Path) -> None:
    defined: set[str] = set()
    used: set[str] = set()
    for source in SOURCES:
        flags = [*TARGETS["picorv32"], "-std=c11", "-O2", "-ffreestanding", *(f"-I{path}" for path in INCLUDES)]
        run(["clang-19", *flags, "-c", source, "-o", tmp_path / "x.o"], check=True)
        listed = run(["llvm-nm-19", tmp_path / "x.o"], check=True, capture_output=True, text=True).stdout
        for *_, kind, name in (line.split() for line in listed.splitlines()):
            assert kind not in "BbDdC", f"{name} is state of {source.name}"
            (used if kind == "U" else defined).add(name)
    assert used - defined <= {"memcpy", "memset"}


def test_packet_in_a_batch_takes_few_instructions(maker: Maker, set_key: SetKey, tmp_path: Path) -> None:
    bench = loaded(Bench.make(maker))
    handle = set_key(bench.rings[0])
    bench.rings[0].disable()
    bench.device.run(1000)
    library = ROOT / "tests" / "soc" / "library.c"
    hart = Hart(
        bench.memory,
        bench.device,
        build([*SOURCES, ROOT / "tests/soc/batch.c", library], INCLUDES, tmp_path, PROGRAM),
        STACK,
    )
    assert hart.call("begin", DEVICE, 0x1000, 5, MEMORY_BYTES)[0] == 0
    control = operation("toy_crypt") | handle["context"] << 16 | handle["generation"] << 21
    for turn in range(3):  # the third one wraps around
        expected = []
        for n in range(BATCH):
            text, iv = bytes([turn, n] * 40), bytes([n] * 16)
            source = bench.put(BUFFERS + 0x100 * n, text)
            bench.put(PACKETS + 28 * n, struct.pack("<3I16s", source, BUFFERS + 0x8000 + 0x100 * n, len(text), iv))
            expected.append(toy.crypt(KEY, iv, text))
        result, sending = hart.call("send", PACKETS, BATCH, control)
        assert result == 0
        bench.device.run(50_000)
        count, receiving = hart.call("receive", DONE, BATCH)
        assert count == BATCH
        for n, text in enumerate(expected):
            cookie, status, length, _ = struct.unpack_from("<4I", bench.memory, DONE + 16 * n)
            assert (cookie, status & 15, length) == (n, 0, len(text))
            assert bench.memory[BUFFERS + 0x8000 + 0x100 * n :][: len(text)] == text
        assert sending + receiving <= MOST_INSTRUCTIONS * BATCH, (sending, receiving)
        # Less would mean that the work is not done here: a descriptor and a completion are 20 words.
        assert sending + receiving > 2 * 20 * BATCH
    assert hart.call("receive", DONE, BATCH)[0] == 0
