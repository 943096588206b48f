"""The driver on a RV32 host: it compiles without a warning, works, and takes few instructions for a packet."""

from __future__ import annotations

import itertools
import struct
from pathlib import Path
from subprocess import run

import pytest

from lutra.soc._driver import RESULTS
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
MOST_PREPARED = 31
MOST_WITH_KEY = 60
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


class Batches:
    """The driver on a hart, with packets in memory."""

    def __init__(self, maker: Maker, set_key: SetKey, program: Path) -> None:
        self.bench = loaded(Bench.make(maker))
        self.handle = set_key(self.bench.rings[0])
        self.bench.rings[0].disable()
        self.bench.device.run(1000)
        self.hart = Hart(self.bench.memory, self.bench.device, program, STACK)
        assert self.call("begin", DEVICE, 0x1000, 5, MEMORY_BYTES) == 0
        self.instructions = 0

    @property
    def word(self) -> int:
        """The handle as it is in a control word."""
        return self.handle["context"] << 16 | self.handle["generation"] << 21

    def call(self, name: str, *arguments: int) -> int:
        """Call a function of batch.c, and count its instructions."""
        result, self.instructions = self.hart.call(name, *arguments)
        return result

    def packets(self, turn: int, keys: list[bytes]) -> list[bytes]:
        """Write a batch of packets; returns what they become."""
        expected = []
        for n, key in enumerate(keys):
            text, iv = bytes([turn, n] * 40), bytes([n] * 16)
            source = self.bench.put(BUFFERS + 0x100 * n, text)
            self.bench.put(PACKETS + 28 * n, struct.pack("<3I16s", source, self.place(n), len(text), iv))
            expected.append(toy.crypt(key, iv, text))
        return expected

    def place(self, n: int) -> int:
        return BUFFERS + 0x8000 + 0x100 * n

    def result(self, n: int, length: int) -> bytes:
        return bytes(self.bench.memory[self.place(n) :][:length])


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    sources = [*SOURCES, ROOT / "tests/soc/batch.c", ROOT / "tests/soc/library.c"]
    return build(sources, INCLUDES, tmp_path_factory.mktemp("batch"), PROGRAM)


@pytest.fixture
def batches(maker: Maker, set_key: SetKey, program: Path) -> Batches:
    return Batches(maker, set_key, program)


def test_packet_in_a_batch_takes_few_instructions(batches: Batches) -> None:
    control = operation("toy_crypt") | batches.word
    for turn in range(3):  # the third one wraps around
        expected = batches.packets(turn, [KEY] * BATCH)
        assert batches.call("send", PACKETS, BATCH, control) == 0
        sending = batches.instructions
        batches.bench.device.run(50_000)
        assert batches.call("receive", DONE, BATCH) == BATCH
        receiving = batches.instructions
        for n, text in enumerate(expected):
            cookie, status, length, _ = struct.unpack_from("<4I", batches.bench.memory, DONE + 16 * n)
            assert (cookie, status & 15, length) == (n, 0, len(text))
            assert batches.result(n, length) == text
        assert sending + receiving <= MOST_INSTRUCTIONS * BATCH, (sending, receiving)
        # Less would mean that the work is not done here: a descriptor and a completion are 20 words.
        assert sending + receiving > 2 * 20 * BATCH
    assert batches.call("receive", DONE, BATCH) == 0


def test_packet_in_an_entry_that_was_prepared_takes_fewer(batches: Batches) -> None:
    control = operation("toy_crypt") | batches.word
    assert batches.call("prepare", control, 1) == 0
    for turn in range(3):
        expected = batches.packets(turn, [KEY] * BATCH)
        assert batches.call("send_again", PACKETS, BATCH, control) == 0
        sending = batches.instructions
        assert batches.call("prepare", control, 1) == RESULTS["BUSY"]
        batches.bench.device.run(50_000)
        assert batches.call("take", BATCH) == BATCH
        assert [batches.result(n, len(text)) for n, text in enumerate(expected)] == expected
        assert sending + batches.instructions <= MOST_PREPARED * BATCH, (sending, batches.instructions)
        # Eight words are read, and written, and one is read of the completion.
        assert sending + batches.instructions > (2 * 8 + 1) * BATCH
    assert batches.call("take", BATCH) == 0


def test_entries_are_prepared_with_a_power_of_two_of_jobs(batches: Batches) -> None:
    for n in (0, 3, 64):
        assert batches.call("prepare", 0, n) == RESULTS["ARGUMENT"]


def test_each_packet_may_bring_a_key(batches: Batches) -> None:
    """The handle that is renewed works after its key, and the one before it no longer."""
    keys = [bytes([n + 1] * 16) for n in range(BATCH)]
    handle, written = 0xB8000, 0xB8100
    batches.bench.put(handle, struct.pack("<I", batches.word))
    batches.bench.put(written, b"".join(keys))
    arguments = PACKETS, BATCH, operation("toy_key"), operation("toy_crypt"), handle, written
    for turn in range(2):
        old = struct.unpack_from("<I", batches.bench.memory, handle)[0]
        expected = batches.packets(turn, keys)
        assert batches.call("prepare", 0, 1) == 0
        assert batches.call("send_with_keys", *arguments) == 0
        sending = batches.instructions
        batches.bench.device.run(50_000)
        assert batches.call("take", 2 * BATCH) == 2 * BATCH
        assert [batches.result(n, len(text)) for n, text in enumerate(expected)] == expected
        assert sending + batches.instructions <= MOST_WITH_KEY * BATCH, (sending, batches.instructions)
        assert batches.call("send", PACKETS, 1, operation("toy_crypt") | old) == 0
        batches.bench.device.run(5_000)
        assert batches.call("take", 1) == RESULTS["BAD_KEY"] << 16
        assert batches.call("receive", DONE, 1) == 1


def test_last_handle_of_a_context_is_not_renewed(batches: Batches) -> None:
    handle, last = 0xB8000, batches.word | 2047 << 21
    batches.bench.put(handle, struct.pack("<I", last))
    arguments = PACKETS, 1, operation("toy_key"), operation("toy_crypt"), handle, 0xB8100
    assert batches.call("prepare", 0, 1) == 0
    assert batches.call("send_with_keys", *arguments) == RESULTS["NO_HANDLE"]
    assert struct.unpack_from("<I", batches.bench.memory, handle)[0] == last
