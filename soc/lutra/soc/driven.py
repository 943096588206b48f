"""The stream of jobs in a device, under the driver: the messages of `lutra.soc.stream` as descriptors of a ring."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from lutra.soc import _driver
from lutra.soc.engine import USED, RingEngine
from lutra.soc.maps import load
from lutra.soc.operations import Firmware, Operation, entry_bits
from lutra.soc.stream import MISMATCH, OK, ROW, Message, Result, StreamError

# The byte around strings, and in destinations before a result; how far strings are apart, for every alignment.
GUARD, SKEW = b"\xa5", 3


@dataclass(frozen=True)
class _Job:
    """A descriptor, the result that it fills in, and where its text and tag come."""

    descriptor: bytes
    result: Result
    destination: int = 0
    text: int = 0
    tag: int = 0


class DrivenStream:
    """Firmware of the stream, loaded by raw operations; `run` has as many messages in flight as the ring holds."""

    def __init__(self, engine: RingEngine, memory: bytearray, firmware: Firmware) -> None:
        self.firmware = firmware
        self._memory = memory
        self._host, self._ring = engine.driven.host, engine.driven.ring
        self._handles: dict[int, tuple[Operation, int]] = {}
        self._codes = {load().status[name]: code for name, code in (("ok", OK), ("tag_mismatch", MISMATCH))}
        self._status = load().completion.fields["result.status"]
        self._batch: list[_Job] = []
        self._next = USED
        engine.load(firmware.image)
        mask, registers = (1 << entry_bits()) - 1, firmware.registers()
        words = [registers.get(number, 0) for number in range(max(registers) + 1)]
        _check(self._host.set_operations([(word & mask, word & ~mask) for word in words], firmware.stream_reset))
        _check(self._host.start())

    def close(self) -> None:
        """Drop all keys: the contexts are free for the next firmware."""
        for context in list(self._handles):
            self._drop(context)

    def run(self, messages: Sequence[Message]) -> list[Result]:
        """The results of messages. StreamError where one ends otherwise than well or with a wrong tag, or where
        anything but its result was written."""
        results = [Result() for _ in messages]
        for message, result in zip(messages, results, strict=True):
            operation = self.firmware.operations[message.operation]
            if operation.has("sets_key"):
                if message.context in self._handles:
                    self._do()
                    self._drop(message.context)
                error, handle, job = self._ring.key_job(operation.number, message.key)
                _check(error)
                self._handles[message.context] = operation, handle
                self._batch.append(_Job(job, result))
            else:
                if self._next + self._room(message) > len(self._memory):
                    self._do()
                self._batch.append(self._job(operation, message, result))
            if len(self._batch) == self._ring.free:
                self._do()
        self._do()
        return results

    def _room(self, message: Message) -> int:
        """Bytes that the strings of a message take at most, with what is around them."""
        return 2 * len(message.text) + len(message.aad) + len(message.tag) + message.tag_bytes + 3 * 4 * ROW

    def _job(self, operation: Operation, message: Message, result: Result) -> _Job:
        checked = message.tag if operation.has("checks_tag") else b""
        text = 0 if operation.has("mac") else len(message.text)
        tag = message.tag_bytes if operation.has("makes_tag") else 0
        source, aad, destination = map(self._put, (message.text + checked, message.aad, GUARD * (text + tag)))
        descriptor = _driver.job(
            _driver.control(operation.number, self._handles[message.context][1] if operation.has("uses_key") else 0),
            len(message.text),
            source=source,
            destination=destination,
            iv=message.iv,
            aad=aad,
            aad_bytes=len(message.aad),
            tag=len(checked) or tag,
            inline_key=message.key,
        )
        return _Job(descriptor, result, destination, text, tag)

    def _put(self, data: bytes) -> int:
        """The address of data in memory, with guards around it."""
        begin, at = self._next, self._next + ROW + SKEW
        self._next = at + len(data) + ROW
        self._memory[begin : self._next] = GUARD * (at - begin) + data + GUARD * ROW
        return at

    # ------------------------------------------------------------------ a batch

    def _do(self) -> None:
        """Hand the batch to the device, wait for it, and look at what was written."""
        jobs, end = self._batch, self._next
        self._batch, self._next = [], USED
        wanted = self._memory[USED:end]
        _check(self._ring.submit([job.descriptor for job in jobs]))
        waiting = iter(jobs)
        done = 0
        while done < len(jobs):
            _check(self._ring.wait())
            error, found = self._ring.poll(len(jobs))
            _check(error)
            done += len(found)
            for (_, word, size, _), job in zip(found, waiting, strict=False):
                self._ended(job, self._status.of(word), size)
                at = job.destination - USED
                wanted[at : at + size] = self._memory[job.destination : job.destination + size]
        if self._memory[USED:end] != wanted:
            raise StreamError("the device has written to where nothing was to be written")

    def _ended(self, job: _Job, status: int, size: int) -> None:
        if status not in self._codes:
            raise StreamError(f"a message ended with {_driver.text(status)}")
        code = self._codes[status]
        if code == OK and size != job.text + job.tag:
            raise StreamError(f"a message of {job.text + job.tag} bytes has {size}")
        written = bytes(self._memory[job.destination : job.destination + size])
        job.result.code, job.result.text, job.result.tag = code, written[: job.text], written[job.text :]

    def _drop(self, context: int) -> None:
        operation, handle = self._handles.pop(context)
        _check(self._ring.key_drop(operation.number, handle))


def _check(result: int) -> None:
    if result:
        raise StreamError(_driver.text(result))
