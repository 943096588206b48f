"""Known answers through the stream: all of the vector files that an operation serves."""

from __future__ import annotations

import functools
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

import lutra
from lutra.firmware import kat
from lutra.firmware.kat import Vector
from lutra.firmware.manifest import catalogue
from lutra.soc import operations
from lutra.soc.stream import MISMATCH, OK, Message, Result, Stream
from support.fixed_function import OWN, SHARED
from support.stream import CONTEXTS, FILL, J0

# By image, the firmware's name of the algorithm: operation, and what sets its keys.
MODES = (("ctr", "ctr"), ("cbc", "cbc-encrypt"), ("cmac", "cmac"), ("gcm", "gcm-encrypt"))
SERVED = {
    "aes": {
        "128-eea2": ("aes128-ctr", "aes128-set-key"),
        **{f"aes-{b}-{mode}": (f"aes{b}-{name}", f"aes{b}-set-key") for b in (128, 256) for mode, name in MODES},
    },
    "aes-inverse": {f"aes-{b}-cbc": (f"aes{b}-cbc-decrypt", f"aes{b}-inverse-set-key") for b in (128, 256)},
    "snow3g": {"128-eea1": ("snow3g-eea1", "snow3g-set-key")},
    "zuc": {"128-eea3": ("zuc-eea3", "zuc-set-key")},
    "chacha20": {"chacha20": ("chacha20-stream", "chacha20-set-key")},
}
NAMES = {name for served in SERVED.values() for name in served}
# Tests of one algorithm that have an answer, at least: from the files that come with the source.
LEAST = {
    **{"aes-128-ctr": 4, "aes-256-ctr": 4, "aes-128-cbc": 1, "aes-256-cbc": 1, "aes-128-cmac": 4, "aes-256-cmac": 4},
    **{"aes-128-gcm": 5, "aes-256-gcm": 0, "128-eea1": 4, "128-eea2": 3, "128-eea3": 4, "chacha20": 4},
}
NONCE_BYTES = 12
FOLDERS = [
    folder for folder in (OWN, *(SHARED / name for name in ("aes", "snow3g", "zuc", "chacha20"))) if folder.is_dir()
]


@functools.cache
def vectors() -> tuple[tuple[str, Vector], ...]:
    """Tests that an operation serves, with the firmware's name of their algorithm."""
    return tuple(served(kat.files(FOLDERS)))


def served(paths: Iterable[Path]) -> Iterator[tuple[str, Vector]]:
    for path in paths:
        for test in kat.read(path, catalogue()):
            if not isinstance(test, Vector) or test.chains or test.padded or test.result == "acceptable":
                continue
            cipher = catalogue().serving(test.algorithm, test.mode, 8 * len(test.key))
            if cipher and cipher.name in NAMES and serves(cipher.name, test):
                yield cipher.name, test


def serves(name: str, test: Vector) -> bool:
    """Whether the operation takes what the test has: nonces of GCM have 12 bytes."""
    if name.endswith("-gcm"):
        return len(test.iv) == NONCE_BYTES
    return test.result == "valid"


def messages(operation: str, name: str, test: Vector, context: int) -> Iterator[tuple[Message, bytes, bytes, int]]:
    """The messages of a test, each with text, tag and code that must come back."""
    if name.endswith("-gcm"):
        size = test.tag_bits // 8
        text, tag = test.ciphertext[:-size], test.ciphertext[-size:]
        assert isinstance(test.aad, bytes)
        if test.result == "valid":
            yield Message(operation, context, test.iv + J0, test.plaintext, test.aad), text, tag, OK
        back = Message(operation.replace("en", "de"), context, test.iv + J0, text, test.aad, tag)
        yield back, test.plaintext, b"", OK if test.result == "valid" else MISMATCH
    elif name.endswith("-cmac"):
        yield Message(operation, context, text=test.plaintext), b"", test.ciphertext, OK
    elif operation.endswith("-decrypt"):
        yield Message(operation, context, test.iv, test.ciphertext), test.plaintext, b"", OK
    else:
        yield Message(operation, context, test.iv, test.plaintext), test.ciphertext, b"", OK


def is_right(test: Vector, result: Result, text: bytes, tag: bytes, code: int) -> bool:
    """Whether a result is the answer: of a tag as many bytes as it has, of a text as many bits."""
    if code == MISMATCH:
        return result.code == code
    found = result.text
    if test.bits is not None and test.bits % 8:
        unused = -test.bits % 8
        found = found[:-1] + bytes([found[-1] >> unused << unused])
    if not test.chains and test.stated:
        text = test.expected("encrypt", found)
    return (found, result.tag[: len(tag)], result.code) == (text, tag, code)


@pytest.mark.parametrize("image", SERVED)
def test_known_answers_are_met_in_the_stream(image: str) -> None:
    served = SERVED[image]
    way = "decrypt" if image == "aes-inverse" else "encrypt"
    tests = [(name, t) for name, t in vectors() if name in served and (way in t.directions or name.endswith("-gcm"))]
    stream = Stream(lutra.make_engine("iss"), operations.load(image), fill=FILL)
    for at in range(0, len(tests), CONTEXTS):
        group = list(enumerate(tests[at : at + CONTEXTS]))
        stream.run([Message(served[name][1], context, key=test.key) for context, (name, test) in group])
        asked = [(t, one) for context, (name, t) in group for one in messages(served[name][0], name, t, context)]
        results = stream.run([message for _, (message, *_) in asked])
        for (test, (message, text, tag, code)), result in zip(asked, results, strict=True):
            assert is_right(test, result, text, tag, code), (test.file, test.id, message.operation)
    counts = Counter(name for name, _ in tests)
    assert all(counts[name] >= LEAST[name] for name in served)
