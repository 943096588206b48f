"""S5 in the study: messages through the ring of descriptors of lutra_axi, by the driver in soc/driver."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from lutra.asm.formats.export import c_header
from lutra.iss.engine import make
from lutra.soc import operations
from lutra.soc.programs import SUBJECTS, Message, Subject, WrongResultError, encrypted, text, text_words, write_header
from lutra.soc.stream import LONG_ROWS, Stream
from lutra.soc.stream import Message as StreamMessage
from lutra.soc.system import BUILD, HOSTS, ROOT, SYSTEMS, Mark, compile_program, run

DRIVER = ROOT / "soc" / "driver"
INCLUDES = (DRIVER / "include", ROOT / "patch" / "loader" / "include", ROOT / "build" / "gen" / "soc")
ROW, WORD = 16, 8
# The most messages at once, and where their results are: system.h has the place.
MESSAGES, RESULT_BYTES, AHEAD = 16, 0x18000, 2
KEYS = ("kept", "cached", "new")
SHORT, JOB = 256, 4096
CHUNK = LONG_ROWS * ROW
RING_SIZES = (16, 64, 256, 576, 896, 1500, JOB, 16384, 65536)
# Sizes for ciphers that work at two messages at once: five of 736 bytes fit into the memory where they wait, or four of
# 896.
PAIR_SIZES = (736, 896)


@dataclass(frozen=True)
class Queued:
    """A cipher as operations of the stream's firmware. cipher: its name there; inline: the operation whose messages
    bring their keys; pairs: whether the core works at two messages at a time."""

    firmware: str
    set_key: str
    crypt: str
    cipher: str
    inline: str = ""
    pairs: bool = False

    @property
    def sizes(self) -> tuple[int, ...]:
        """The lengths that are measured."""
        return tuple(sorted({*RING_SIZES, *PAIR_SIZES})) if self.pairs else RING_SIZES


QUEUED = {
    "aes-128-ctr": Queued("aes", "aes128-set-key", "aes128-ctr", "aes-128-ctr", "aes128-ctr-inline"),
    "aes-128-gcm": Queued("aes", "aes128-set-key", "aes128-gcm-encrypt", "aes-128-gcm"),
    "snow3g": Queued("snow3g", "snow3g-set-key", "snow3g-eea1", "128-eea1", pairs=True),
    "zuc-128": Queued("zuc", "zuc-set-key", "zuc-eea3", "128-eea3", pairs=True),
    "chacha20": Queued("chacha20", "chacha20-set-key", "chacha20-stream", "chacha20"),
}


@dataclass(frozen=True)
class Batch:
    """Messages of one length at once, by what happens to their keys.

    From the first word of a descriptor to the doorbell, from there to the last completion in memory, and what it takes
    to collect the completions: cycles, and instructions of the host. steady: cycles from one batch to the next, where
    the host builds one while the device has others. words: of 32 bits that crossed the bus of the DMA. core: cycles of
    the core alone, if all jobs are in its memory in time.
    """

    size: int
    count: int
    keys: str
    building: int
    device: int
    collecting: int
    instructions: int
    steady: float
    words: int
    core: float

    @property
    def cycles(self) -> int:
        """One batch from its beginning to its end."""
        return self.building + self.device + self.collecting

    @property
    def host(self) -> int:
        """Cycles that the host works for it."""
        return self.building + self.collecting


@dataclass(frozen=True)
class Plan:
    """Messages of a length: how many at once, how many batches in turn (AHEAD of them have no mark), and which keys."""

    size: int
    count: int
    batches: int
    keys: tuple[str, ...]


def plans(sizes: Sequence[int], tag: int) -> list[Plan]:
    """For each length as many messages as RAM has room for, and what its keys may change."""
    found = []
    for size in sizes:
        stride = -(-(size + tag) // ROW) * ROW
        keys = KEYS if size <= SHORT else ("kept", "new") if size <= JOB else ("kept",)
        batches = 8 if size < JOB else 5 if size == JOB else 4
        found.append(Plan(size, min(MESSAGES, RESULT_BYTES // stride), batches, keys))
    return found


def initial(subject: Subject) -> bytes:
    """The IV row of a descriptor: of GCM the block J0."""
    return subject.iv.ljust(ROW - 1, b"\0") + b"\1" if subject.cipher.is_aead else subject.iv


def changed(value: bytes, at: int, n: int) -> bytes:
    """An IV or a key of message n, as ring.c makes it of the first."""
    return value[:at] + bytes([value[at] ^ n]) + value[at + 1 :]


@cache
def answer(name: str, size: int, key: int, iv: int) -> bytes:
    """Ciphertext and tag of message `iv` under key `key`."""
    subject = SUBJECTS[name]
    return encrypted(QUEUED[name].cipher, changed(subject.key, 0, key), changed(subject.iv, 8, iv), text()[:size])


def program(host: str, name: str, sizes: Sequence[int]) -> Path:
    """Contents of RAM for the messages of a cipher on a host."""
    subject, queued = SUBJECTS[name], QUEUED[name]
    firmware = operations.load(queued.firmware)
    images = BUILD / "images" / f"ring-{queued.firmware}"
    header = write_header(images, c_header(firmware.image, "core") + _rows(firmware.image.program))
    entry_mask = (1 << operations.entry_bits()) - 1
    registers = firmware.registers()
    table = [registers.get(number, 0) for number in range(max(registers) + 1)]
    defines = {
        "IMAGE_HEADER": f'"{header.name}"',
        "OPERATIONS": ",".join(f"{{{value & entry_mask},{value & ~entry_mask}u}}" for value in table),
        "STREAM_RESET": firmware.stream_reset,
        "SET_KEY": firmware.operations[queued.set_key].number,
        "CRYPT": firmware.operations[queued.crypt].number,
        "INLINE": firmware.operations[queued.inline].number if queued.inline else -1,
        "KEY_BYTES": len(subject.key),
        "TAG_BYTES": subject.tag_bytes,
        "PLAN": ",".join(
            f"{{{p.size},{p.count},{p.batches},{_bits(p.keys)}}}" for p in plans(sizes, subject.tag_bytes)
        ),
        "MESSAGES": MESSAGES,
        "AHEAD": AHEAD,
        "KEY": _words(subject.key),
        "IV": _words(initial(subject)),
        "INSTRUCTIONS": HOSTS[host].instructions,
    }
    sources = [SYSTEMS / "host" / "ring.c", *sorted((DRIVER / "src").glob("*.c"))]
    return compile_program(sources, defines, (images, *INCLUDES), text_words())


def _bits(keys: tuple[str, ...]) -> int:
    return sum(1 << KEYS.index(name) for name in keys)


def _words(data: bytes) -> str:
    return ",".join(str(int.from_bytes(data[at : at + 4], "little")) for at in range(0, len(data), 4))


def _rows(words: Sequence[int]) -> str:
    """The program as rows, for one raw operation."""
    values = ",".join(_words(word.to_bytes(WORD, "little").ljust(ROW, b"\0")) for word in words)
    return f"static const uint32_t core_program_rows[] = {{{values}}};\n"


def measure_ring(
    simulator: Path, host: str, name: str, sizes: Sequence[int], **arguments: int
) -> tuple[list[Message], list[Batch]]:
    """Run a cipher's messages on a system with S5, and check every result."""
    output = run(simulator, program(host, name, sizes), **arguments)
    dumps, firsts, marks = iter(output.dumps), iter(output.first), iter(output.marks)
    tag = SUBJECTS[name].tag_bytes

    def check(size: int, count: int, own_keys: bool) -> None:
        for n in range(count):
            if next(dumps) + (next(dumps) if tag else b"") != answer(name, size, n if own_keys else 0, n):
                raise WrongResultError(f"{name} through the ring: message {n} of {size} bytes is wrong")

    messages, batches = [], []
    for plan in plans(sizes, tag):
        for cold in (False, True):
            begin, end = next(marks), next(marks)
            costs = (end.cycle - begin.cycle, next(firsts) - begin.cycle, end.words - begin.words)
            messages.append(Message(plan.size, cold, *costs, end.busy - begin.busy, 0))
            check(plan.size, 1, False)
        for keys in plan.keys:
            batches.append(_batch(plan, keys, marks, plan.count * core_cycles(name, plan.size, keys)))
            for _ in range(2):
                check(plan.size, plan.count, keys != "kept")
    return messages, batches


@cache
def core_cycles(name: str, size: int, keys: str) -> float:
    """Cycles of the core per message where jobs are always there; beyond JOB, in chunks like the last one."""
    if size > JOB:
        before, last = (core_cycles(name, at, keys) for at in (JOB - CHUNK, JOB))
        return last + (size - JOB) / CHUNK * (last - before)
    few, more = (_stream_cycles(name, size, keys, count) for count in (2, 8))
    return (more - few) / 6


def _stream_cycles(name: str, size: int, keys: str, count: int) -> int:
    subject, queued = SUBJECTS[name], QUEUED[name]
    stream = Stream(make("iss"), operations.load(queued.firmware))
    set_key = StreamMessage(queued.set_key, key=subject.key)
    iv, data = initial(subject), text()[:size]
    if keys != "new":
        stream.run([set_key])
        messages = [StreamMessage(queued.crypt, iv=iv, text=data)] * count
    elif queued.inline:
        messages = [StreamMessage(queued.inline, iv=iv, text=data, key=subject.key)] * count
    else:
        messages = [set_key, StreamMessage(queued.crypt, iv=iv, text=data)] * count
    before = stream.cycles
    stream.run(messages)
    return stream.cycles - before


def _batch(plan: Plan, keys: str, marks: Iterator[Mark], core: float) -> Batch:
    begin, sent, done, quiet, collected = (next(marks) for _ in range(5))
    turns = [next(marks) for _ in range(plan.batches - AHEAD)]
    return Batch(
        plan.size,
        plan.count,
        keys,
        sent.cycle - begin.cycle,
        done.cycle - sent.cycle,
        collected.cycle - quiet.cycle,
        sent.number - begin.number + collected.number - quiet.number,
        (turns[-1].cycle - turns[0].cycle) / (len(turns) - 1),
        done.words - begin.words,
        core,
    )
