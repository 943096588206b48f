"""Known answers through the ring of a device, the RTL or the model: `make soc-answers`.

Each test goes to a session of the firmware behind raw operations, as `make kat` runs it on the core alone. Those that
an operation of the stream serves go through the stream, too, as descriptors under the driver.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import astuple, dataclass
from functools import partial
from pathlib import Path

from lutra.firmware import kat
from lutra.firmware.errors import FirmwareError
from lutra.firmware.kat import Test, Vector
from lutra.firmware.manifest import catalogue
from lutra.firmware.session import Session
from lutra.soc import operations
from lutra.soc.devices import DEVICES
from lutra.soc.driven import DrivenStream
from lutra.soc.engine import RingEngine
from lutra.soc.known import SERVED, known
from lutra.soc.maps import load

MEMORY_BYTES = 1 << 20
# Cycles of the device between two looks of the driver: the RTL takes a microsecond for ten.
TURN = 64
# A chain of blocks is a run of the core for each of them, all by the host: so many blocks of each file are run.
CHAINED_BLOCKS = 1000


@dataclass(frozen=True)
class Count:
    """Tests of a way through the ring. unserved: without firmware; chained: left out, see CHAINED_BLOCKS."""

    passed: int = 0
    failed: int = 0
    unserved: int = 0
    chained: int = 0

    def __add__(self, other: Count) -> Count:
        return Count(*(a + b for a, b in zip(astuple(self), astuple(other), strict=True)))

    def __str__(self) -> str:
        counts = ((self.unserved, "without firmware"), (self.chained, "chains of blocks left out"))
        return ", ".join(
            (f"{self.passed} passed", f"{self.failed} failed", *(f"{n} {what}" for n, what in counts if n))
        )


class Answers:
    """One device that vector files go through."""

    def __init__(self, device: str) -> None:
        self.memory = bytearray(MEMORY_BYTES)
        self.device = DEVICES[device](self.memory)
        self.engine = RingEngine(self.device, self.memory, TURN)
        self.session = Session(self.engine)
        self.catalogue = catalogue()
        self.contexts = load().axi.fields["capabilities.contexts"].reset

    def raw(self, tests: Sequence[Test]) -> Count:
        """Tests in a session of the firmware."""
        chosen = list(affordable(tests))
        self.session.forget()
        report = kat.run(self.session, self.catalogue, chosen)
        for f in report.failures:
            print(f"FAILED {f.file}: {f.id} ({f.direction or 'not run'}): {f.reason}")
        return Count(report.passed + report.rejected, report.failed, report.skipped, len(tests) - len(chosen))

    def stream(self, image: str, tests: Sequence[Test]) -> Count:
        """Those tests that operations of an image serve, through the stream; they count once for each message."""
        served = list(known(image, tests, self.catalogue))
        if not served:
            return Count()
        stream = DrivenStream(self.engine, self.memory, operations.load(image))
        count = Counter[bool]()
        for at in range(0, len(served), self.contexts):
            group = list(enumerate(served[at : at + self.contexts]))
            keys = [one.key(context) for context, one in group]
            asked = [expected for context, one in group for expected in one.messages(context)]
            results = stream.run([*keys, *(expected.message for expected in asked)])[len(keys) :]
            for expected, result in zip(asked, results, strict=True):
                met = expected.met(result)
                count[met] += 1
                if not met:
                    print(f"FAILED {expected.test.file}: {expected.test.id}: {expected.message.operation}")
        stream.close()
        return Count(count[True], count[False])


def affordable(tests: Sequence[Test]) -> Iterator[Test]:
    """All tests without chains of blocks; of those with chains as many as have CHAINED_BLOCKS."""
    blocks = 0
    for test in tests:
        if isinstance(test, Vector) and test.chains:
            blocks += max(count for count, _ in test.chains) * len(test.directions)
            if blocks > CHAINED_BLOCKS:
                continue
        yield test


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m lutra.soc.answers", description=__doc__)
    parser.add_argument("paths", nargs="+", type=Path, help="vector files or folders of them")
    parser.add_argument("--device", choices=DEVICES, default="rtl")
    parser.add_argument("--limit", type=int, help="tests of each file")
    parser.add_argument("--only", choices=("raw", "stream"), help="one of both ways")
    chosen = parser.parse_args(arguments)
    try:
        return _run(chosen.device, kat.files(chosen.paths), chosen.limit, chosen.only)
    except FirmwareError as error:
        print(f"lutra.soc.answers: {error}", file=sys.stderr)
        return 1


def _run(device: str, files: Sequence[Path], limit: int | None, only: str | None) -> int:
    answers = Answers(device)
    raw, stream = Count(), Count()
    begin = time.perf_counter()
    tests = {file: kat.read(file, answers.catalogue, limit) for file in files}
    if only != "stream":
        for file, inside in tests.items():
            raw += _timed(file, partial(answers.raw, inside))
    if only != "raw":
        every = [test for inside in tests.values() for test in inside]
        for image in SERVED:
            stream += _timed(f"image {image}", partial(answers.stream, image, every))
    seconds = time.perf_counter() - begin
    print(f"{device}: by raw operations: {raw}")
    print(f"{device}: in the stream: {stream}")
    print(f"{seconds:.0f} s, {answers.device.cycles} cycles")
    return 1 if raw.failed or stream.failed or not raw.passed + stream.passed else 0


def _timed(what: object, run: Callable[[], Count]) -> Count:
    begin = time.perf_counter()
    count = run()
    if count.passed + count.failed:
        print(f"{what}: {count}, {time.perf_counter() - begin:.1f} s", flush=True)
    return count


if __name__ == "__main__":
    sys.exit(main())
