"""Known answers through the stream: all of the vector files that an operation serves, on the core and in a device."""

from __future__ import annotations

import functools
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

import pytest

import lutra
from lutra.firmware import kat
from lutra.firmware.kat import Test
from lutra.firmware.manifest import catalogue
from lutra.soc import devices, operations
from lutra.soc.driven import DrivenStream
from lutra.soc.engine import USED, RingEngine
from lutra.soc.known import SERVED, Known, known
from lutra.soc.stream import Stream, StreamError
from support.fixed_function import OWN, SHARED
from support.stream import CONTEXTS, FILL

from .conftest import DEVICES

# Tests of one algorithm that have an answer, at least: from the files that come with the source.
LEAST = {
    **{"aes-128-ctr": 4, "aes-256-ctr": 4, "aes-128-cbc": 1, "aes-256-cbc": 1, "aes-128-cmac": 4, "aes-256-cmac": 4},
    **{"aes-128-gcm": 5, "aes-256-gcm": 0, "128-eea1": 4, "128-eea2": 3, "128-eea3": 4, "chacha20": 4},
    **{"chacha20-poly1305": 1, "aes-256-nea5": 1, "zuc-256-nea6": 1, "128-eia1": 2, "uia2": 2, "128-eia3": 0},
    **{"zuc-256-nia6": 3, "snow5g-256-nea4": 3, "snow5g-256-nia4": 3, "128-eia2": 2, "aes-256-nia5": 3},
    **{"aes-256-nca5": 1, "zuc-256-nca6": 1, "snow5g-256-nca4": 1},
}
NAMES = ("aes", "snow3g", "snow5g", "zuc", "chacha20")
FOLDERS = [folder for folder in (SHARED / name for name in NAMES) if folder.is_dir()]


@functools.cache
def read_tests(folders: tuple[Path, ...]) -> tuple[Test, ...]:
    """All tests of folders."""
    return tuple(test for path in kat.files(folders) for test in kat.read(path, catalogue()))


def check(stream: Stream | DrivenStream, tests: Iterable[Known]) -> Counter[str]:
    """Run tests; return how many each algorithm has."""
    served = list(tests)
    for at in range(0, len(served), CONTEXTS):
        group = list(enumerate(served[at : at + CONTEXTS]))
        stream.run([one.key(context) for context, one in group])
        asked = [expected for context, one in group for expected in one.messages(context)]
        results = stream.run([expected.message for expected in asked])
        for expected, result in zip(asked, results, strict=True):
            assert expected.met(result), (expected.test.file, expected.test.id, expected.message.operation)
    return Counter(one.name for one in served)


@pytest.mark.parametrize("image", SERVED)
def test_known_answers_are_met_in_the_stream(image: str) -> None:
    stream = Stream(lutra.make_engine("iss"), operations.load(image), fill=FILL)
    counts = check(stream, known(image, read_tests((OWN, *FOLDERS)), catalogue()))
    assert all(counts[name] >= LEAST[name] for name in SERVED[image])


@pytest.mark.parametrize("device", [device for device in DEVICES if device != "model"])
@pytest.mark.parametrize("image", SERVED)
def test_examples_of_the_standards_are_met_in_the_stream_of_a_device(image: str, device: str) -> None:
    memory = bytearray(1 << 20)
    stream = DrivenStream(RingEngine(devices.DEVICES[device](memory), memory, turn=100), memory, operations.load(image))
    counts = check(stream, known(image, read_tests((OWN,)), catalogue()))
    assert all(counts[name] >= LEAST[name] for name in SERVED[image])


class Changed:
    """A device that changes a byte of the memory after each turn."""

    def __init__(self, memory: bytearray, address: int) -> None:
        self.device, self.memory, self.address = devices.DEVICES["model-fast"](memory), memory, address
        self.read, self.write = self.device.read, self.device.write

    def run(self, cycles: int) -> int:
        done = self.device.run(cycles)
        self.memory[self.address] = (self.memory[self.address] + 1) % 256
        return done

    @property
    def cycles(self) -> int:
        return self.device.cycles


def test_a_byte_that_changes_elsewhere_is_found() -> None:
    memory = bytearray(1 << 20)
    stream = DrivenStream(RingEngine(Changed(memory, USED), memory), memory, operations.load("chacha20"))
    with pytest.raises(StreamError, match="nothing was to be written"):
        check(stream, known("chacha20", read_tests((OWN,)), catalogue()))
