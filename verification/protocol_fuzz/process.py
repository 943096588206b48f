"""One case: a server in a process of its own, what is sent to it, and what is wrong with what it does then."""

from __future__ import annotations

import contextlib
import io
import os
import resource
import select
import signal
import sys
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TextIO

from protocol_fuzz.cases import Case
from protocol_fuzz.framing import Frames, OutputError, encode
from protocol_fuzz.target import Target

# Pieces in which a case is sent, in bytes; a server must not take a piece for a message.
PIECE = 1 << 12


class FindingError(Exception):
    """Forbidden behaviour of a server; one line."""


@dataclass(frozen=True)
class Result:
    """Result of a case: answers of the server, its exit code, and its peak memory in bytes."""

    answers: int
    code: int
    memory: int


def run(target: Target, case: Case) -> Result:
    """Send a case and wait for the end. Raises FindingError."""
    with _started(target) as server:
        server.exchange(case)
        code, memory = server.end()
        said = server.errors()
    if "Traceback (most recent call last)" in said:
        raise FindingError(f"traceback: {said.strip().splitlines()[-1]}")
    if code not in target.ends:
        raise FindingError(
            f"ended with {code}, not {' or '.join(map(str, sorted(target.ends)))}: {said.strip()[-200:]}"
        )
    if memory > target.memory:
        raise FindingError(f"held {memory >> 20} MiB of memory, more than {target.memory >> 20}")
    return Result(sum(server.answers.values()), code, memory)


class _Server:
    """A process and its three pipes."""

    def __init__(self, target: Target, process: int, pipes: tuple[int, int, int], resident: int) -> None:
        """resident: bytes that the process had when it began, those of this one."""
        self.answers: Counter[object] = Counter()
        self._resident = resident
        self._target, self.process = target, process
        self._to, self._from, self._error = pipes
        self._frames = Frames()
        self._said = b""
        self._deadline = 0.0

    def exchange(self, case: Case) -> None:
        """Send the case, with a probe after it where there can be one; wait for what is due; close the input."""
        probe = self._target.probe()
        due = set(case.due) | ({self._target.asked(probe)} if case.whole else set())
        rest = memoryview(case.data + (encode(probe) if case.whole else b""))
        self._deadline = time.monotonic() + self._target.patience
        alive = True
        while alive and (rest or not due <= self.answers.keys()):
            written, alive = self._turn(rest)
            rest = rest[written:]
        os.close(self._to)
        self._to = -1
        while alive:
            _, alive = self._turn(memoryview(b""))
        try:
            self._frames.finish()
        except OutputError as error:
            raise FindingError(str(error)) from error
        for number in case.due:
            if self.answers[number] != 1:
                raise FindingError(f"request {number} was answered {self.answers[number]} times")

    def _turn(self, rest: memoryview) -> tuple[int, bool]:
        """Write a piece, read what there is. Returns the number of bytes written, and whether the output is open."""
        left = self._deadline - time.monotonic()
        ready, writable, _ = select.select([self._from, self._error], [self._to] if rest else [], [], max(left, 0))
        if not ready and not writable:
            raise FindingError(f"no answer, or no end, within {self._target.patience:g} s")
        written = 0
        if writable:
            try:
                written = os.write(self._to, rest[:PIECE])
            except BrokenPipeError:
                # It reads no more, and what it has still to say is read below.
                written = len(rest)
        if self._error in ready:
            self._said = (self._said + os.read(self._error, 1 << 16))[-(1 << 16) :]
        return written, self._from not in ready or self._read()

    def _read(self) -> bool:
        data = os.read(self._from, 1 << 16)
        try:
            for message in self._frames.feed(data):
                if said := self._target.fault(message):
                    raise FindingError(said)
                # A server gives back whatever number a mutated request has.
                if isinstance(number := self._target.answered(message), int | str):
                    self.answers[number] += 1
        except OutputError as error:
            raise FindingError(str(error)) from error
        return bool(data)

    def end(self) -> tuple[int, int]:
        """Exit code (negative for a signal), and peak memory beyond the initial use, in bytes."""
        while True:
            process, status, usage = os.wait4(self.process, os.WNOHANG)
            if process:
                self.process = 0
                return os.waitstatus_to_exitcode(status), max(0, usage.ru_maxrss * 1024 - self._resident)
            if time.monotonic() > self._deadline:
                raise FindingError(f"no end within {self._target.patience:g} s")
            time.sleep(0.001)

    def errors(self) -> str:
        """Standard error so far."""
        while select.select([self._error], [], [], 0)[0] and (data := os.read(self._error, 1 << 16)):
            self._said = (self._said + data)[-(1 << 16) :]
        return self._said.decode(errors="replace")

    def close(self) -> None:
        """End the process if it still runs."""
        if self.process:
            os.kill(self.process, signal.SIGKILL)
            os.waitpid(self.process, 0)
        for pipe in (self._to, self._from, self._error):
            with contextlib.suppress(OSError):
                os.close(pipe)


@contextlib.contextmanager
def _started(target: Target) -> Iterator[_Server]:
    (their_in, to), (from_, their_out), (error, their_error) = os.pipe(), os.pipe(), os.pipe()
    sys.stdout.flush()
    sys.stderr.flush()
    # The child begins with all that this process has, which may be a worker of long tests.
    size, resident = _memory()
    process = os.fork()
    if not process:
        _become(target, (their_in, their_out, their_error), size)
    for pipe in (their_in, their_out, their_error):
        os.close(pipe)
    os.set_blocking(to, False)
    server = _Server(target, process, (to, from_, error), resident)
    try:
        yield server
    finally:
        server.close()


def _memory() -> tuple[int, int]:
    """Return virtual and resident memory of this process, in bytes (proc(5), statm).

    Pages of files are left out of the second: a child maps them again only where it uses them.
    """
    size, resident, shared, *_ = map(int, Path("/proc/self/statm").read_text().split())
    return size * resource.getpagesize(), (resident - shared) * resource.getpagesize()


def _become(target: Target, pipes: tuple[int, int, int], size: int) -> None:
    """The child: the server, with the pipes as its standard streams; size: virtual memory that it begins with."""
    code = 70
    try:
        for number, pipe in enumerate(pipes):
            os.dup2(pipe, number)
        os.closerange(3, 256)
        # Cases still reached by mistake, such as a list of a length that the client gives.
        most = size + 4 * target.memory
        resource.setrlimit(resource.RLIMIT_AS, (most, most))
        os.setsid()
        sys.stdin, sys.stdout, sys.stderr = _text(0, "r"), _text(1, "w"), _text(2, "w")
        code = target.serve()
        sys.stdout.flush()
        sys.stderr.flush()
    except BaseException as error:
        os.write(2, f"the server raised {type(error).__name__}: {error}\n".encode(errors="replace"))
    finally:
        os._exit(code)


def _text(number: int, mode: str) -> TextIO:
    return io.TextIOWrapper(os.fdopen(number, mode + "b"), encoding="utf-8")
