"""Firmware on simulator and core in lock-step against the standards' own examples and NIST's vectors."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from functools import cache, partial
from importlib import resources
from pathlib import Path

import pytest

import lutra
from lutra.firmware import kat
from lutra.firmware.manifest import Cipher, Direction, Implementation
from lutra.firmware.session import Session
from support.firmware import EVERYTHING, WITHDRAWN

# Those of withdrawn ciphers are in their folders: the installed firmware does not serve them.
EXAMPLES = [
    *sorted((Path(__file__).parent.parent / "vectors").glob("*.json")),
    *sorted(WITHDRAWN.glob("*/*.vectors.json")),
]
# Of which no publication at hand prints an example; tests/firmware/test_lili128.py and test_lili2.py have models.
WITHOUT_EXAMPLES = {"lili128", "lili2"}
MODES = ("ECB", "CBC", "CTR")
# Tests of a file in lock-step, at even distances from the first on; the simulator runs all, and so does `make kat`.
IN_LOCK_STEP = 2


@cache
def session() -> Session:
    """One for all tests: what is in place stays."""
    return Session(lutra.make_engine("cosim"))


@cache
def simulator() -> Session:
    """Likewise."""
    return Session(lutra.make_engine("iss"))


def divided(tests: list[kat.Vector]) -> tuple[tuple[Session, list[kat.Vector]], ...]:
    """Some for the lock-step, the others for the simulator."""
    stepped = tests[:: -(-len(tests) // IN_LOCK_STEP) or 1]
    return (session(), stepped), (simulator(), [test for test in tests if test not in stepped])


def families() -> set[str]:
    """Ciphers as folders of vectors are named; 128-eea1 and the like are modes of one.

    What serves several messages at once is tested by those of one message, if its manifest names them.
    """
    return {c.name.split("-")[0] for c in EVERYTHING.ciphers if not c.lte and (c.streams == 1 or c.vectors)}


def test_every_cipher_has_examples_of_its_standard() -> None:
    examples = [path.parent.name if path.is_relative_to(WITHDRAWN) else path.name.split("_")[0] for path in EXAMPLES]
    assert set(examples) == families() - WITHOUT_EXAMPLES


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda p: p.name)
def test_examples_of_the_standards_are_met(path: Path) -> None:
    """By every image that serves them; in lock-step those at even distances, where a file has many."""
    tests = [test for test in kat.read(path, EVERYTHING) if isinstance(test, kat.Vector)]
    for image in dict.fromkeys(i.image.name for test in tests for i in cipher_of(test).implementations):
        served = [test for test in tests if serves(image, test)]
        for engine, run in divided(served):
            report = kat.run(engine, EVERYTHING, run, partial(served_by, image))
            assert not report.failures, image
            assert report.passed + report.rejected == len(run), image


def serves(name: str, test: kat.Vector) -> bool:
    """Whether an image has a direction of the test: a wrong tag is not for one that only encrypts."""
    implementation = of_image(name, cipher_of(test))
    return implementation is not None and not implementation.entries.keys().isdisjoint(test.directions)


def of_image(name: str, cipher: Cipher) -> Implementation | None:
    return next((i for i in cipher.implementations if i.image.name == name), None)


def served_by(name: str, cipher: Cipher, _direction: Direction) -> Implementation:
    return of_image(name, cipher) or cipher.default


def cipher_of(test: kat.Vector) -> Cipher:
    found = EVERYTHING.serving(test.algorithm, test.mode, 8 * len(test.key))
    assert found is not None, test
    return found


def test_no_example_is_skipped() -> None:
    assert all(isinstance(t, kat.Vector) for path in EXAMPLES for t in kat.read(path, EVERYTHING))


# ------------------------------------------------------------------------------- the shared collection


# Next to the checkout, or in the folder that LUTRA_VECTORS names.
COLLECTION = Path(os.environ.get("LUTRA_VECTORS", Path(__file__).parents[3] / "shared/vectors"))
# Modes that no firmware serves, of the ciphers that it serves otherwise.
MODES_WITHOUT_FIRMWARE = {
    # GCM-SIV and XTS: keys of 192 bits, which RFC 8452 and IEEE 1619 do not have. OCB: nonces that do not have the 12
    # bytes that RFC 7253 recommends; a routine of kind aead takes one length.
    "AES": {"GCM-SIV (RFC 8452)", "OCB3 (RFC 7253)", "XTS"},
    "SM4": {"GCM", "CCM"},
    # Wrapping goes through the steps of a block one by one, and SEED's block is a loop.
    "SEED": {"GCM", "CCM", "Key wrap (RFC 3394)"},
    "ChaCha (8, 12, 20 rounds)": {"encrypt, 8 rounds", "encrypt, 12 rounds"},
    "CRC": {"CRC of random messages", "check value"},  # of more than 32 bits, the words of a table
}


# Limits in lock-step: blocks of a chain, bytes of a message.
LONGEST_CHAIN = 99
LONGEST_MESSAGE = 1024
# Longer chains of a file, on the simulator; `make kat` runs all.
LONG_CHAINS = 12
# A chain of a million blocks takes the simulator half a minute.
LONGEST_ON_SIMULATOR = 100_000


def shared() -> list[Path]:
    """Vector files of the ciphers that have firmware."""
    return sorted(path for family in families() for path in (COLLECTION / family).glob("*.json"))


def only_shared() -> list[Path]:
    """Those that are not among the examples."""
    return [path for path in shared() if f"{path.parent.name}_{path.name}" not in {path.name for path in EXAMPLES}]


WITHOUT = pytest.mark.skipif(not shared(), reason="no collection of vectors (LUTRA_VECTORS)")


@WITHOUT
def test_the_collection_serves_something() -> None:
    assert any(isinstance(t, kat.Vector) for path in shared() for t in kat.read(path, EVERYTHING, limit=1))


@WITHOUT
def test_all_of_the_collection_is_run_or_has_no_firmware() -> None:
    """On the simulator; the files of the ciphers with firmware run in lock-step below."""
    tests = []
    for path in kat.files([COLLECTION]):
        read = kat.read(path, EVERYTHING)
        long = [test for test in read if is_long_chain(test)]
        tests.append([test for test in read if test not in long[LONG_CHAINS:] and not is_longest_chain(test)])
    report = kat.total(kat.run(simulator(), EVERYTHING, each) for each in tests)
    assert not failed(report)
    assert report.passed + report.rejected + report.skipped == sum(map(len, tests))
    served = {algorithm for c in EVERYTHING.ciphers for algorithm, _ in c.vectors}
    without: dict[str, set[str]] = {}
    for algorithm, mode, _ in report.unserved:
        if algorithm in served:
            without.setdefault(algorithm, set()).add(mode)
    assert without == MODES_WITHOUT_FIRMWARE


@WITHOUT
@pytest.mark.nightly("a million blocks, one by one; `make kat` has them, too")
def test_the_longest_chains_of_the_collection_are_met() -> None:
    tests = [t for path in kat.files([COLLECTION]) for t in kat.read(path, EVERYTHING) if is_longest_chain(t)]
    report = kat.run(simulator(), EVERYTHING, tests)
    assert not failed(report) and report.passed == len(tests) > 0


def failed(report: kat.Report) -> set[tuple[str, str]]:
    return {(Path(o.file).name, o.id) for o in report.failures}


def is_long_chain(test: kat.Test) -> bool:
    """A chain of blocks, of which a file has many."""
    return isinstance(test, kat.Vector) and any(count > LONGEST_CHAIN for count, _ in test.chains)


def is_longest_chain(test: kat.Test) -> bool:
    return isinstance(test, kat.Vector) and any(count > LONGEST_ON_SIMULATOR for count, _ in test.chains)


def is_long(test: kat.Test) -> bool:
    """Tests that would take seconds in lock-step, a file minutes: the simulator runs them above."""
    return is_long_chain(test) or (isinstance(test, kat.Vector) and len(test.plaintext) > LONGEST_MESSAGE)


@pytest.mark.parametrize("path", only_shared() or [pytest.param(COLLECTION, marks=WITHOUT)], ids=lambda p: p.name)
def test_a_file_of_the_collection_is_met(path: Path) -> None:
    tests = [test for test in kat.read(path, EVERYTHING) if not is_long(test)]
    report = kat.run(session(), EVERYTHING, tests[:: -(-len(tests) // IN_LOCK_STEP) or 1])
    assert not failed(report)


# ------------------------------------------------------------------------------------- NIST's own files


def response_files() -> list[str]:
    """CAVP's files as the package `cryptography_vectors` has them, `mode/name`."""
    root = resources.files("cryptography_vectors") / "ciphers" / "AES"
    return sorted(
        f"{mode}/{f.name}" for mode in MODES for f in (root / mode).iterdir() if f.name[-4:] in (".rsp", ".txt")
    )


def response_tests(name: str) -> Iterator[kat.Vector]:
    """Tests of a CAVP response file: `NAME = value` lines after a COUNT, in sections [ENCRYPT] and [DECRYPT]."""
    text = (resources.files("cryptography_vectors") / "ciphers" / "AES" / name).read_text()
    for section in re.split(r"^(?=\[(?:EN|DE)CRYPT\])", text, flags=re.MULTILINE)[1:]:
        for part in re.split(r"^COUNT\s*=\s*", section, flags=re.MULTILINE)[1:]:
            number = part.split()[0]
            fields = {
                k: bytes.fromhex(v) for k, v in re.findall(r"^([A-Z]+)\s*=\s*([0-9a-fA-F]*)\s*$", part, re.MULTILINE)
            }
            yield kat.Vector(
                file=name,
                id=f"{section[1]}{number}",
                algorithm="AES",
                mode=name.partition("/")[0],
                directions=("encrypt",) if section.startswith("[ENCRYPT]") else ("decrypt",),
                key=fields["KEY"],
                iv=fields.get("IV", b""),
                plaintext=fields["PLAINTEXT"],
                ciphertext=fields["CIPHERTEXT"],
            )


def test_the_response_files_are_complete() -> None:
    """AESAVS (2002), Appendix B to E: tests of the three key sizes, per direction and mode; RFC 3686 has nine."""
    gf_sbox, key_sbox, var_key, var_txt = 7 + 6 + 5, 21 + 24 + 16, 128 + 192 + 256, 3 * 128
    multi_block = 3 * 10
    each = gf_sbox + key_sbox + var_key + var_txt + multi_block
    assert sum(1 for name in response_files() for _ in response_tests(name)) == 2 * 2 * each + 9


@pytest.mark.parametrize("name", [name for name in response_files() if name.endswith(".rsp")])
def test_kat_reads_a_response_file_as_it_is_parsed_here(name: str) -> None:
    with resources.as_file(resources.files("cryptography_vectors") / "ciphers" / "AES" / name) as path:
        tests = [test for test in kat.read(path, EVERYTHING) if isinstance(test, kat.Vector)]
    fields = ("mode", "directions", "key", "iv", "plaintext", "ciphertext")
    assert [[getattr(t, f) for f in fields] for t in tests] == [
        [getattr(t, f) for f in fields] for t in response_tests(name)
    ]


@pytest.mark.parametrize("name", response_files())
def test_a_response_file_is_met(name: str) -> None:
    tests = list(response_tests(name))
    reports = [kat.run(engine, EVERYTHING, run) for engine, run in divided(tests)]
    assert not [failure for report in reports for failure in report.failures]
    assert sum(report.passed for report in reports) == len(tests) > 0
