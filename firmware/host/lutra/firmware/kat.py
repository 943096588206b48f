"""Known answers: reads vector files (shared schema) and runs them through firmware.

A test whose algorithm and mode no firmware serves is skipped, with that reason; a file that does not follow the schema
is an error, so that nothing is left out silently.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from lutra.asm.files import read_json
from lutra.firmware import aead, crc, mac
from lutra.firmware.ciphers import DIRECTIONS, Catalogue, Cipher, Direction, Implementation, Kind
from lutra.firmware.errors import FirmwareError
from lutra.firmware.lte import FORMS, initial_vector
from lutra.firmware.polynomial import WIDTHS, Polynomial
from lutra.firmware.session import Session

# In place of an answer: verification has failed.
REFUSED = b"(refused)"


@dataclass(frozen=True)
class Vector:
    """One test of a vector file.

    directions: those in which the source states it. bits: of the text, where not all of its bits count.
    A keystream is the ciphertext of zeros; where the source states pieces of it only, those are in `pieces`.
    A MAC or CRC is the ciphertext of its message, `iv` the MAC's initial vector or what stands before the message; of
    an AEAD mode `iv` is the nonce, and the tag, of `tag_bits`, follows the ciphertext. invalid: verification must fail.
    polynomial: a CRC's, which is the test's own.
    """

    file: str
    id: str
    algorithm: str
    mode: str
    directions: tuple[Direction, ...]
    key: bytes
    iv: bytes
    plaintext: bytes
    ciphertext: bytes
    bits: int | None = None
    pieces: tuple[tuple[int, bytes], ...] = ()
    aad: bytes = b""
    tag_bits: int = 0
    invalid: bool = False
    polynomial: Polynomial | None = None

    def expected(self, direction: Direction, got: bytes) -> bytes:
        """What should have come; what came stands where the source says nothing."""
        if self.invalid:
            return REFUSED
        if not self.pieces:
            return self.ciphertext if direction == "encrypt" else self.plaintext
        stated = bytearray(got)
        for offset, data in self.pieces:
            stated[offset : offset + len(data)] = data
        return bytes(stated)


@dataclass(frozen=True)
class Unserved:
    """A test that no firmware can run yet."""

    algorithm: str
    mode: str


Test = Vector | Unserved


@dataclass(frozen=True)
class Failure:
    """One wrong answer."""

    file: str
    id: str
    direction: Direction
    expected: bytes
    got: bytes


@dataclass(frozen=True)
class Report:
    """Outcome of a run. unserved: number of skipped tests by algorithm and mode."""

    passed: int
    failures: tuple[Failure, ...]
    unserved: dict[tuple[str, str], int]

    @property
    def failed(self) -> int:
        """Failed tests; one that fails in both directions counts once."""
        return len({(f.file, f.id) for f in self.failures})

    @property
    def skipped(self) -> int:
        return sum(self.unserved.values())

    @property
    def good(self) -> bool:
        """Something ran and nothing failed."""
        return self.passed > 0 and not self.failures

    def __str__(self) -> str:
        return f"{self.passed} passed, {self.failed} failed, {self.skipped} skipped"


def files(paths: Iterable[Path]) -> list[Path]:
    """Vector files: those named, and all `*.json` below the folders named. FirmwareError where there are none."""
    found: dict[Path, None] = {}
    for path in paths:
        inside = sorted(path.rglob("*.json")) if path.is_dir() else [path]
        if not inside:
            raise FirmwareError(f"{path}: no vector file (*.json) in this folder")
        found |= dict.fromkeys(inside)
    return list(found)


def read(path: Path, catalogue: Catalogue, limit: int | None = None) -> list[Test]:
    """Tests of a file, the first `limit` of them. FirmwareError naming file and test where the schema is not met."""
    try:
        data = read_json(path, "a vector file")
    except OSError as error:
        raise FirmwareError(f"{path}: {error.strerror}") from error
    except ValueError as error:
        raise FirmwareError(f"{path}: not a vector file: {error}") from error
    if not isinstance(data, dict) or not isinstance(data.get("tests"), list) or "algorithm" not in data:
        raise FirmwareError(f"{path}: not a vector file: no `algorithm` and list of `tests`")
    tests = data["tests"][:limit]
    return [_test(path, n, data, test, catalogue) for n, test in enumerate(tests)]


def _test(path: Path, number: int, data: dict[str, Any], test: Any, catalogue: Catalogue) -> Test:
    where = f"{path}: test {number + 1}"
    if not isinstance(test, dict) or not isinstance(test.get("id"), str):
        raise FirmwareError(f"{where} has no `id`")
    where = f"{path}: test {test['id']}"
    pair = str(data["algorithm"]), str(test.get("mode", data.get("mode", "")))
    served = catalogue.answering(*pair)
    if not served:
        return Unserved(*pair)
    operation = test.get("operation", "both")
    if operation not in (*DIRECTIONS, "both"):
        raise FirmwareError(f"{where}: operation is {operation!r}; there are encrypt, decrypt and both")
    # Ciphers that compute the same differ in their key sizes only.
    lte, read_fields = served[0].lte, READERS[served[0].kind]
    iv = _lte_vector(where, lte, test) if lte and "iv" not in test else _hex(where, test, "iv") if "iv" in test else b""
    fields = read_fields(where, test)
    if isinstance(fields, Unserved):
        return fields
    common = {
        "file": str(path),
        "id": test["id"],
        "algorithm": pair[0],
        "mode": pair[1],
        "directions": tuple(d for d in DIRECTIONS if operation in (d, "both")),
        "iv": iv,
    }
    return Vector(**(common | fields))


def _cipher(where: str, test: dict[str, Any]) -> dict[str, Any]:
    if "keystream" in test or "keystream_chunks" in test:
        return _keystream(where, test)
    key, plaintext, bits = _hex(where, test, "key"), _hex(where, test, "plaintext"), test.get("length_bits")
    if bits is not None and (not isinstance(bits, int) or not 8 * len(plaintext) - 8 < bits <= 8 * len(plaintext)):
        raise FirmwareError(f"{where}: length_bits is {bits!r}; the text has {len(plaintext)} bytes")
    return {"key": key, "plaintext": plaintext, "ciphertext": _hex(where, test, "ciphertext"), "bits": bits}


def _keystream(where: str, test: dict[str, Any]) -> dict[str, Any]:
    chunks = test.get("keystream_chunks", [{"offset": 0, "data": test.get("keystream")}])
    try:
        pieces = tuple((int(c["offset"]), _hex(where, c, "data")) for c in chunks)
    except (KeyError, TypeError, ValueError) as error:
        raise FirmwareError(f"{where}: keystream_chunks is not a list of offset and data") from error
    size = max(offset + len(data) for offset, data in pieces)
    return {
        "directions": ("encrypt",),
        "key": _hex(where, test, "key"),
        "plaintext": bytes(size),
        "ciphertext": b"",
        "pieces": pieces,
    }


def _mac(where: str, test: dict[str, Any]) -> dict[str, Any]:
    return {
        "directions": ("encrypt",),
        "key": _hex(where, test, "key"),
        "plaintext": _hex(where, test, "message"),
        "ciphertext": _hex(where, test, "mac"),
        "bits": test.get("length_bits"),
    }


def _aead(where: str, test: dict[str, Any]) -> dict[str, Any]:
    invalid = test.get("result") == "invalid"
    tag = _hex(where, test, "tag")
    fields = {
        "key": _hex(where, test, "key"),
        "iv": _hex(where, test, "nonce"),
        "plaintext": b"" if invalid else _hex(where, test, "plaintext"),
        "ciphertext": _hex(where, test, "ciphertext") + tag,
        "aad": _hex(where, test, "aad"),
        "tag_bits": 8 * len(tag),
        "invalid": invalid,
    }
    return fields | ({"directions": ("decrypt",)} if invalid else {})


def _checksum(where: str, test: dict[str, Any]) -> dict[str, Any] | Unserved:
    try:
        width, refin, refout = test["width"], test["refin"], test["refout"]
        poly, init, xorout, value = (int(test[field], 16) for field in ("poly", "init", "xorout", "crc"))
        if not isinstance(width, int) or any(number >> width for number in (poly, init, xorout, value)):
            raise ValueError
    except (KeyError, TypeError, ValueError) as error:
        raise FirmwareError(f"{where}: no legal width, poly, init, refin, refout, xorout and crc") from error
    message = _hex(where, test, "message")
    if width not in WIDTHS:
        return Unserved("CRC", f"of {width} bits")
    return {
        "directions": ("encrypt",),
        "key": b"",
        "plaintext": message,
        "ciphertext": value.to_bytes((width + 7) // 8, "big"),
        "polynomial": Polynomial(width, poly, init, bool(refin), bool(refout), xorout),
    }


READERS: Mapping[Kind, Callable[[str, dict[str, Any]], dict[str, Any] | Unserved]] = {
    "cipher": _cipher,
    "mac": _mac,
    "gcm": _aead,
    "ccm": _aead,
    "crc": _checksum,
}


def _lte_vector(where: str, form: str, test: dict[str, Any]) -> bytes:
    names = FORMS[form].inputs
    try:
        given = {name: test[name] for name in names}
        inputs = {name: int(value, 16) if isinstance(value, str) else value for name, value in given.items()}
        return initial_vector(form, **inputs)
    except (KeyError, TypeError, ValueError) as error:
        raise FirmwareError(f"{where}: no legal {', '.join(names[:-1])} and {names[-1]}") from error


def _hex(where: str, test: dict[str, Any], field: str) -> bytes:
    try:
        return bytes.fromhex(test[field])
    except KeyError as error:
        raise FirmwareError(f"{where} has no `{field}`") from error
    except (TypeError, ValueError) as error:
        raise FirmwareError(f"{where}: `{field}` is not a hexadecimal string") from error


def runs(tests: Iterable[Test]) -> int:
    """Runs that tests take at most: one for each direction."""
    return sum(len(t.directions) for t in tests if isinstance(t, Vector))


def run(
    session: Session,
    catalogue: Catalogue,
    tests: Sequence[Test],
    implementation: Callable[[Cipher], Implementation] = lambda cipher: cipher.default,
    progress: Callable[[int], None] = lambda _: None,
) -> Report:
    """Run tests on a session, one direction after the other so that tables stay.

    progress: called with the number of runs done, `runs(tests)` at most.
    """
    unserved: Counter[tuple[str, str]] = Counter()
    vectors: list[tuple[Vector, Cipher]] = []
    for test in tests:
        cipher = None
        if isinstance(test, Vector):
            cipher = catalogue.serving(test.algorithm, test.mode, 8 * len(test.key))
            if cipher is not None:
                vectors.append((test, cipher))
        if cipher is None:
            unserved[test.algorithm, test.mode] += 1
    failures: list[Failure] = []
    done = 0
    for direction in DIRECTIONS:
        for vector, cipher in vectors:
            if direction not in vector.directions:
                continue
            got = _answer(session, cipher, vector, direction, implementation(cipher))
            expected = vector.expected(direction, got)
            if got != expected:
                failures.append(Failure(vector.file, vector.id, direction, expected, got))
            done += 1
            progress(done)
    failed = len({(f.file, f.id) for f in failures})
    return Report(len(vectors) - failed, tuple(failures), dict(unserved))


def _answer(
    session: Session, cipher: Cipher, vector: Vector, direction: Direction, implementation: Implementation
) -> bytes:
    data = vector.plaintext if direction == "encrypt" else vector.ciphertext
    if vector.polynomial is not None:
        value = crc.of_pieces(session, crc.of(vector.id, vector.polynomial, cipher), [data])
        return value.to_bytes(len(vector.ciphertext), "big")
    if cipher.kind == "mac":
        tag = mac.tag(session, cipher, vector.key, data, vector.bits, vector.iv, implementation)
        return tag[: len(vector.ciphertext)]
    if cipher.is_aead:
        session.set_up(cipher, direction, vector.key, implementation=implementation)
        try:
            return aead.process(session, cipher, direction, vector.iv, data, vector.aad, vector.tag_bits)
        except aead.WrongTagError:
            return REFUSED
    session.set_up(cipher, direction, vector.key, vector.iv, implementation)
    size = session.job_bytes
    bits = 8 * len(data) if vector.bits is None else vector.bits
    return b"".join(session.job(data[at : at + size], min(bits - 8 * at, 8 * size)) for at in range(0, len(data), size))


def total(reports: Iterable[Report]) -> Report:
    """Several reports as one."""
    parts = list(reports)
    unserved = Counter[tuple[str, str]]()
    for report in parts:
        unserved.update(report.unserved)
    return Report(sum(r.passed for r in parts), tuple(f for r in parts for f in r.failures), dict(unserved))
