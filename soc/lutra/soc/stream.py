"""The stream of jobs as `lutra_axi` writes it to a core: jobs in m2, results in m3, and the core started and watched.

For tests of the stream's firmware, and as the reference of what the rows of a job are.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from struct import Struct

from lutra.isa import load as load_isa
from lutra.iss.engine import Engine
from lutra.soc import maps
from lutra.soc.operations import Firmware, Operation

ROW = 16
ROWS = load_isa().machine["MemoryRows"]
CONTEXT_BYTES = 8 * ROW
CONTEXTS = maps.load().axi.fields["capabilities.contexts"].reset
# Rows of a chunk that ends its message, at most, and of one that does not.
CHUNK_ROWS = maps.load().axi.fields["capabilities.chunk_rows"].reset
LONG_ROWS = maps.load().axi.fields["chunks.long_rows"].reset
# Lanes of a header from 0: tag, first, mask, rows of associated data, more, key, bytes and blocks of text.
HEADER = Struct(">8H")
LENGTHS = Struct(">QQ")
JOBS, RESULTS = "m2", "m3"
# Codes of notifies; TAKEN: the key after this job is restored, and ends when this job does.
OK, MISMATCH, TAKEN = 1, 2, 3
SAVED_KEY_BYTES = 2 * CONTEXT_BYTES
# Lane `more` of a job after one of the same operation. A packet is a whole message with at least two rows of text and
# up to one of associated data, and a tag of all bytes where one is checked. Without associated data, although its
# operation takes some, it is of the second kind. The third is a saved key after a job that does not set one; the job
# after it is of its kind with respect to the job before it. The fourth is any other job.
MORE_PACKET, MORE_NO_AAD, MORE_KEY, MORE_JOB = 1, 2, 3, 4


class StreamError(Exception):
    """The core did not do what a routine of the stream has to do."""


@dataclass(frozen=True)
class Message:
    """The request of a descriptor. key: of an operation that sets one, also one that was saved, or has it inline."""

    operation: str
    context: int = 0
    iv: bytes = bytes(ROW)
    text: bytes = b""
    aad: bytes = b""
    tag: bytes = b""
    tag_bytes: int = ROW
    key: bytes = b""


@dataclass(frozen=True)
class Job:
    """One chunk of a message: its rows, with `more` as after a job of its operation, and how many it answers with."""

    operation: Operation
    lanes: tuple[int, ...]
    rows: tuple[bytes, ...]
    results: int
    text: int
    last: bool


@dataclass
class Result:
    """The outcome of a message. notified: cycles of its jobs, each from the notify before it, if the core ran on."""

    text: bytes = b""
    tag: bytes = b""
    code: int = 0
    notified: list[int] = field(default_factory=list)


def rows(data: bytes) -> list[bytes]:
    """Data in rows, the last one padded with zeros."""
    return [data[at : at + ROW].ljust(ROW, b"\0") for at in range(0, len(data), ROW)]


def _turns(text: bytes) -> int:
    """Lane `first` of a first chunk."""
    return max(len(rows(text)) - 1, 1)


def _mask(text: bytes) -> int:
    """The address of the row that masks the last one of a text, in the constants after all contexts."""
    return CONTEXTS * CONTEXT_BYTES + len(text) % ROW * ROW


def jobs(firmware: Firmware, message: Message, chunk_rows: int = CHUNK_ROWS) -> Iterator[Job]:
    """The jobs of a message."""
    operation = firmware.operations[message.operation]
    if operation.has("sets_key"):
        saved = operation.has("key_rows")
        key = (message.context * CONTEXT_BYTES, len(message.key) % ROW, len(message.key) // ROW)
        lanes = (1, _turns(message.key), _mask(message.key), 0, MORE_KEY if saved else MORE_JOB, *key)
        payload = rows(message.key if saved else message.key.ljust(2 * ROW, b"\0"))
        yield Job(operation, lanes, (message.iv, bytes(ROW), *payload), 0, 0, True)
        return
    lengths = LENGTHS.pack(8 * len(message.aad), 8 * len(message.text))
    aad, text = message.aad, message.text
    first = True
    while True:
        most = chunk_rows if len(rows(aad)) + len(rows(text)) <= chunk_rows else min(chunk_rows, LONG_ROWS)
        a, aad = aad[: most * ROW], aad[most * ROW :]
        room = most - len(rows(a))
        t, text = text[: room * ROW], text[room * ROW :]
        last = not aad and not text
        makes_tag = last and operation.has("makes_tag")
        checks_tag = last and operation.has("checks_tag")
        tag_bytes = len(message.tag) if operation.has("checks_tag") else message.tag_bytes
        packet = first and last and len(rows(t)) > 1 and len(a) <= ROW and (not checks_tag or tag_bytes == ROW)
        lanes = (
            last * (1 + tag_bytes),
            first * _turns(t),
            _mask(t),
            len(rows(a)),
            (MORE_NO_AAD if operation.has("takes_aad") and not a else MORE_PACKET) if packet else MORE_JOB,
            message.context * CONTEXT_BYTES,
            len(t) % ROW,
            len(t) // ROW,
        )
        yield Job(
            operation,
            lanes,
            (
                message.iv,
                lengths,
                *(rows(message.key) if operation.has("inline_key") else ()),
                *rows(a),
                *rows(t),
                *(rows(message.tag.ljust(ROW, b"\0")) if checks_tag else ()),
            ),
            (0 if operation.has("mac") else len(rows(t))) + makes_tag,
            0 if operation.has("mac") else len(t),
            last,
        )
        first = False
        if last:
            return


class Stream:
    """The engine's side of a stream on a core with an image.

    max_jobs: how many jobs may be in m2 at a time. Rows that a job gave free are filled with `fill`, so that a routine
    that relied on zeros would be found.
    """

    def __init__(self, engine: Engine, firmware: Firmware, chunk_rows: int = CHUNK_ROWS, fill: bytes = b"") -> None:
        self.engine = engine
        self.firmware = firmware
        self.chunk_rows = chunk_rows
        # An access through the port of the Verilated core takes cycles, and retirements in them would be missed.
        self._concurrent = engine.name == "iss"
        engine.load(firmware.image)
        for space in (JOBS, RESULTS):
            engine.write(space, 0, (fill or bytes(ROW)) * ROWS)
        self.in_row = self.out_row = self.out_end = 0
        self.used = 0
        self.issued: deque[tuple[Job, Result, int]] = deque()
        self.last_operation = ""
        self.last_sets_key = True
        self._taken = False
        self._previous = -1
        self.cycles = 0  # for which the core ran on jobs
        self._call(firmware.stream_reset)

    # ------------------------------------------------------------------ jobs

    def run(self, messages: Sequence[Message], late: Iterator[bool] | None = None) -> list[Result]:
        """All messages, each job as soon as there are rows for it. late: for each instruction while the core runs,
        whether the next job may come; without it, all may. The Verilated core gets jobs while it is stopped."""
        results = [Result() for _ in messages]
        waiting = deque(
            (job, result)
            for message, result in zip(messages, results, strict=True)
            for job in jobs(self.firmware, message, self.chunk_rows)
        )
        while waiting or self.issued:
            while waiting and (late is None or not self.issued or next(late)) and self._fits(waiting[0][0]):
                self._issue(*waiting.popleft())
            self._start()
            notifies = []
            while (record := self.engine.step()) is not None:
                notified = record.fields.get("notify_en", False)
                if notified:
                    notifies.append((int(record.fields["notify"]), record.cycle))
                if not self._concurrent:
                    continue
                while notifies:
                    self._notified(*notifies.pop())
                comes = notified if late is None else next(late)
                while waiting and comes and self._fits(waiting[0][0]):
                    self._issue(*waiting.popleft())
                    comes = late is None
            for notify in notifies:
                self._notified(*notify)
            self._stopped()
        return results

    def _fits(self, job: Job) -> bool:
        return self.used + 2 + len(job.rows) <= ROWS and self.out_end - self.out_row + job.results <= ROWS

    def _issue(self, job: Job, result: Result) -> None:
        """The rows of a job, a zero row after them, its header last."""
        at = self.in_row
        for n, row in enumerate(job.rows, 1):
            self._write(at + n, row)
        self._write(at + 1 + len(job.rows), bytes(ROW))
        lanes = list(job.lanes)
        if lanes[4] == MORE_KEY:
            lanes[4] *= not self.last_sets_key
        else:
            lanes[4] *= job.operation.name == self.last_operation
        self._write(at, HEADER.pack(*lanes))
        self.last_sets_key = job.operation.has("sets_key")
        if lanes[4] != MORE_KEY:
            self.last_operation = job.operation.name
        self.in_row += 1 + len(job.rows)
        self.used += 1 + len(job.rows)
        self.out_end += job.results
        self.issued.append((job, result, self.in_row))

    def _write(self, row: int, data: bytes) -> None:
        self.engine.write(JOBS, row % ROWS * ROW, data)

    # ------------------------------------------------------------------ the core

    def _start(self) -> None:
        job = self.issued[0][0]
        self._previous = -1
        self.engine.start(self.firmware.entry(job.operation.label))

    def _notified(self, code: int, cycle: int) -> None:
        if not self.issued:
            raise StreamError(f"notify {code} without a job")
        if code == TAKEN:
            self._taken = True
            return
        self._ended(code, cycle)
        if self._taken:
            self._taken = False
            self._ended(OK, cycle)

    def _ended(self, code: int, cycle: int) -> None:
        job, result, _ = self.issued.popleft()
        self.used -= 1 + len(job.rows)
        result.code = max(result.code, code)
        if self._previous >= 0:
            result.notified.append(cycle - self._previous)
        self._previous = cycle
        found = b"".join(self._read(self.out_row + n) for n in range(job.results))
        self.out_row += job.results
        text_rows = -(-job.text // ROW) * ROW
        result.text += found[: job.text]
        result.tag = found[text_rows:]

    def _read(self, row: int) -> bytes:
        return self.engine.read(RESULTS, row % ROWS * ROW, ROW)

    def _stopped(self) -> None:
        stop = self.engine.stop()
        self.cycles += stop.cycles
        if self._previous < 0:
            raise StreamError(f"the core stopped at {stop.pc:#06x} without a notify")
        if stop.state != "halted":
            raise StreamError(f"the core is {stop.state} at {stop.pc:#06x} {stop.trap}")
        registers = self.engine.registers()
        places = (self.in_row - self.used, self.out_row)
        for name, row in zip(("ar0", "ar1"), places, strict=True):
            if registers[name].value != row % ROWS * ROW:
                raise StreamError(f"{name} is {registers[name]}, not that of row {row % ROWS}")

    def _call(self, entry: int) -> None:
        stop = self.engine.run(entry)
        if stop.state != "halted":
            raise StreamError(f"the core is {stop.state} at {stop.pc:#06x} {stop.trap}")
