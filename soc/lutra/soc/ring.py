"""S5 in the study: messages through the ring of descriptors of lutra_axi, by the driver in soc/driver."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from lutra.asm.formats.export import c_header
from lutra.soc import operations
from lutra.soc.programs import SUBJECTS, Message, WrongResultError, expected, text_words
from lutra.soc.system import BUILD, ROOT, SYSTEMS, Mark, compile_program, run

DRIVER = ROOT / "soc" / "driver"
INCLUDES = (DRIVER / "include", ROOT / "patch" / "loader" / "include", ROOT / "build" / "gen" / "soc")
BATCH, COLD_BATCH, COLD_SIZE = 16, 8, 64
RESULT_BYTES, ROW = 0x10000, 16


@dataclass(frozen=True)
class Queued:
    """A cipher as operations of the stream's firmware."""

    firmware: str
    set_key: str
    crypt: str


QUEUED = {
    "aes-128-ctr": Queued("aes", "aes128-set-key", "aes128-ctr"),
}


@dataclass(frozen=True)
class Batch:
    """Messages of one length at once. cold: each with a key of its own. building: the host's cycles for descriptors and
    doorbell; words: of 32 bits that crossed the bus of the DMA."""

    size: int
    count: int
    cold: bool
    cycles: int
    building: int
    words: int


def program(name: str, sizes: tuple[int, ...]) -> Path:
    """Contents of RAM for the messages of a cipher."""
    subject, queued = SUBJECTS[name], QUEUED[name]
    firmware = operations.load(queued.firmware)
    images = BUILD / "images" / f"ring-{queued.firmware}"
    images.mkdir(parents=True, exist_ok=True)
    (images / "image.h").write_text(c_header(firmware.image, "core"))
    iv = subject.iv if subject.cipher.is_aead else subject.iv.ljust(ROW, b"\0")
    entry_mask = (1 << operations.entry_bits()) - 1
    registers = firmware.registers()
    table = [registers.get(number, 0) for number in range(max(registers) + 1)]
    defines = {
        "IMAGE_HEADER": '"image.h"',
        "OPERATIONS": ",".join(f"{{{value & entry_mask},{value & ~entry_mask}u}}" for value in table),
        "STREAM_RESET": firmware.stream_reset,
        "SET_KEY": firmware.operations[queued.set_key].number,
        "CRYPT": firmware.operations[queued.crypt].number,
        "KEY_BYTES": len(subject.key),
        "TAG_BYTES": subject.tag_bytes,
        "SIZES": ",".join(map(str, sizes)),
        "COLD_SIZE": COLD_SIZE,
        "KEY": ",".join(map(str, subject.key)),
        "IV": ",".join(str(int.from_bytes(iv[at : at + 4], "little")) for at in range(0, len(iv), 4)),
    }
    sources = [SYSTEMS / "host" / "ring.c", *sorted((DRIVER / "src").glob("*.c"))]
    return compile_program(sources, defines, (images, *INCLUDES), text_words())


def measure_ring(
    simulator: Path, name: str, sizes: tuple[int, ...], **arguments: int
) -> tuple[list[Message], list[Batch]]:
    """Run a cipher's messages on a system with S5, and check every result."""
    output = run(simulator, program(name, sizes), **arguments)
    dumps, firsts, marks = iter(output.dumps), iter(output.first), iter(output.marks)
    tag = SUBJECTS[name].tag_bytes

    def check(size: int, count: int) -> None:
        for _ in range(count):
            if next(dumps) + (next(dumps) if tag else b"") != expected(name, size):
                raise WrongResultError(f"{name} through the ring: a message of {size} bytes is wrong")

    messages, batches = [], []
    for size, kind in _order(sizes, tag):
        begin = next(marks)
        if kind in ("kept", "cold"):
            end = next(marks)
            check(size, 1)
            costs = (end.cycle - begin.cycle, next(firsts) - begin.cycle, end.words - begin.words)
            messages.append(Message(size, kind == "cold", *costs, end.busy - begin.busy, 0))
        else:
            submitted, end = next(marks), next(marks)
            count = COLD_BATCH if kind == "cold batch" else BATCH
            check(size, count)
            batches.append(_batch(size, count, kind == "cold batch", begin, submitted, end))
    return messages, batches


def _batch(size: int, count: int, cold: bool, begin: Mark, submitted: Mark, end: Mark) -> Batch:
    cycles = end.cycle - begin.cycle
    return Batch(size, count, cold, cycles, submitted.cycle - begin.cycle, end.words - begin.words)


def _order(sizes: tuple[int, ...], tag: int) -> Iterator[tuple[int, str]]:
    """The measurements of ring.c in its order."""
    for size in sizes:
        yield size, "kept"
        if size == COLD_SIZE:
            yield size, "cold"
        stride = -(-(size + tag) // ROW) * ROW
        if stride * BATCH <= RESULT_BYTES:
            yield size, "batch"
            yield size, "cold batch"
