"""Runs known answers through firmware and judges what comes."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from lutra.firmware import crc, mac, message, monte_carlo, wrap
from lutra.firmware.ciphers import DIRECTIONS, Catalogue, Cipher, Direction, Implementation
from lutra.firmware.errors import FirmwareError, InputError
from lutra.firmware.kat.report import Outcome, Report, Verdict
from lutra.firmware.kat.vectors import Malformed, Test, Unserved, Vector
from lutra.firmware.request import Request
from lutra.firmware.session import Session
from lutra.iss.engine import EngineError


def runs(tests: Iterable[Test]) -> int:
    """Runs that tests take at most: one for each direction."""
    return sum(len(t.directions) for t in tests if isinstance(t, Vector))


def run(
    session: Session,
    catalogue: Catalogue,
    tests: Sequence[Test],
    implementation: Callable[[Cipher, Direction], Implementation] = Cipher.taken,
    progress: Callable[[int], None] = lambda _: None,
) -> Report:
    """Run tests on a session, one direction after the other so that tables stay. No test ends the run.

    progress: called with the number of runs done, `runs(tests)` at most.
    """
    outcomes: list[Outcome] = []
    vectors: list[tuple[Vector, Cipher]] = []
    for test in tests:
        if isinstance(test, Vector):
            cipher = catalogue.serving(test.algorithm, test.mode, 8 * len(test.key))
            if cipher is None:
                outcomes.append(_without_key_size(test, catalogue))
            elif directions := tuple(d for d in test.directions if d in implementation(cipher, d).entries):
                vectors.append((replace(test, directions=directions), cipher))
            else:
                outcomes.append(_without_direction(test))
        else:
            outcomes.append(_not_run(test))
    done = 0
    for direction in DIRECTIONS:
        for vector, cipher in vectors:
            if direction in vector.directions:
                outcomes.append(_judged(session, cipher, vector, direction, implementation(cipher, direction)))
                done += 1
                progress(done)
    return Report(tuple(outcomes))


def _not_run(test: Unserved | Malformed) -> Outcome:
    verdict: Verdict = "skipped" if isinstance(test, Unserved) else "failed"
    return Outcome(test.file, test.id, test.algorithm, test.mode, verdict, message=test.reason)


def _without_key_size(vector: Vector, catalogue: Catalogue) -> Outcome:
    """No firmware takes the key: a test of bad input has its refusal, unless another mode knows the length."""
    bits = 8 * len(vector.key)
    sizes = sorted({c.message_key_bits for c in catalogue.answering(vector.algorithm, vector.mode)})
    legal = {c.message_key_bits for c in catalogue.offered if any(a == vector.algorithm for a, _ in c.vectors)}
    have = " and ".join(", ".join(map(str, sizes)).rsplit(", ", 1))
    reason = f"no firmware for {vector.algorithm} {vector.mode} with a key of {bits} bits, only of {have}"
    verdict: Verdict = "rejected" if vector.result != "valid" and bits not in legal else "skipped"
    return Outcome(vector.file, vector.id, vector.algorithm, vector.mode, verdict, message=reason)


def _without_direction(vector: Vector) -> Outcome:
    reason = f"no firmware that decrypts {vector.algorithm} {vector.mode}, only such that encrypts"
    return Outcome(vector.file, vector.id, vector.algorithm, vector.mode, "skipped", message=reason)


def _judged(
    session: Session, cipher: Cipher, vector: Vector, direction: Direction, implementation: Implementation
) -> Outcome:
    """A right answer, a refusal, or a failure: only a refusal of the input counts as one."""
    outcome = Outcome(vector.file, vector.id, vector.algorithm, vector.mode, "passed", direction)
    begin = time.perf_counter()
    try:
        got = _answer(session, cipher, vector, direction, implementation)
        expected = vector.expected(direction, got)
        if vector.result == "invalid":
            outcome = replace(outcome, verdict="failed", message="is invalid, and yet was taken")
        elif got != expected:
            outcome = replace(outcome, verdict="failed", message="wrong answer", expected=expected, got=got)
    except InputError as error:
        refused: Verdict = "failed" if vector.result == "valid" else "rejected"
        outcome = replace(outcome, verdict=refused, message=str(error))
    except (FirmwareError, EngineError) as error:
        session.forget()
        outcome = replace(outcome, verdict="failed", message=str(error))
    return replace(outcome, seconds=time.perf_counter() - begin)


def _answer(
    session: Session, cipher: Cipher, vector: Vector, direction: Direction, implementation: Implementation
) -> bytes:
    """Run the test on the firmware. Raises InputError if it refuses the input."""
    data = vector.plaintext if direction == "encrypt" else vector.ciphertext
    if vector.refusal:
        raise InputError(vector.refusal)
    if vector.polynomial is not None:
        return _checksum(session, cipher, vector)
    if cipher.kind.module == "mac":
        return _tag(session, cipher, vector, implementation)
    if vector.chains:
        return _chained(session, cipher, vector, direction, implementation)
    request = Request(
        cipher,
        direction,
        vector.key,
        b"" if wrap.finds_iv(cipher, direction) else vector.iv,
        vector.aad,
        vector.padded,
        vector.tag_bits,
        vector.bits,
        implementation,
    )
    return message.answer(session, request, data)


def _checksum(session: Session, cipher: Cipher, vector: Vector) -> bytes:
    assert vector.polynomial is not None
    value = crc.of_pieces(session, crc.of(vector.id, vector.polynomial, cipher), [vector.plaintext])
    got = value.to_bytes(len(vector.ciphertext), "big")
    if vector.result != "valid" and got != vector.ciphertext:
        raise InputError("CRC mismatch")
    return got


def _tag(session: Session, cipher: Cipher, vector: Vector, implementation: Implementation) -> bytes:
    """Return the tag of each stream, as long as the test's; one that may be wrong is compared as a receiver does."""
    given, text, before = vector.ciphertext, vector.plaintext, vector.iv
    size = len(given) // cipher.streams
    mac.check_tag(cipher, vector.tag_bits)
    if 8 * size != vector.tag_bits:
        raise InputError(f"the tag has {8 * size} bits, not {vector.tag_bits}")
    if vector.result == "valid":
        tags = mac.tag(session, cipher, vector.key, text, vector.bits, before, implementation)
        return b"".join(tags[at : at + size] for at in range(0, len(tags), cipher.tag_bits // 8))
    if not mac.verify(session, cipher, vector.key, text, given, vector.bits, before, implementation):
        raise InputError(f"{cipher.name}: tag mismatch")
    return given


def _chained(
    session: Session, cipher: Cipher, vector: Vector, direction: Direction, implementation: Implementation
) -> bytes:
    begin = monte_carlo.firmware(session, cipher, direction, implementation)
    results = b""
    for count, ciphertext in vector.chains:
        start = vector.plaintext if direction == "encrypt" else ciphertext
        results += monte_carlo.message(begin(vector.key, vector.iv), vector.iv, start, count)[1]
    return results
