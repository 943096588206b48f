"""Vector files: the shared schema, and the files of Project Wycheproof and NIST as they are published."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from lutra.asm.files import DOCUMENT_BYTES, read_bounded, read_json
from lutra.firmware.ciphers import Catalogue
from lutra.firmware.errors import FirmwareError
from lutra.firmware.kat import fields, responses, wycheproof
from lutra.firmware.kat.vectors import Malformed, Test

SUFFIXES = (".json", responses.SUFFIX)
WHAT = "a vector file"


def files(paths: Iterable[Path]) -> list[Path]:
    """Vector files: those named, and all `*.json` and `*.rsp` below the folders named. FirmwareError where none is."""
    found: dict[Path, None] = {}
    for path in paths:
        if not path.exists():
            raise FirmwareError(f"{path}: no such file")
        inside = sorted(p for p in path.rglob("*") if p.suffix in SUFFIXES) if path.is_dir() else [path]
        if not inside:
            raise FirmwareError(f"{path}: the folder has no vector files (*.json, *.rsp)")
        found |= dict.fromkeys(inside)
    return list(found)


def read(path: Path, catalogue: Catalogue, limit: int | None = None) -> list[Test]:
    """Read the first `limit` tests of a file. Raises FirmwareError naming the file if it is not a vector file.

    A test that does not follow the schema is among them, as a test that fails.
    """
    data = _document(path, catalogue)
    tests: list[Test] = []
    seen: set[str] = set()
    for number, given in enumerate(data["tests"][:limit], 1):
        place = f"number {number}"
        test = fields.vector(str(path), place, data, given, catalogue)
        if test.id in seen:
            reason = f"has the `id` of an earlier test, {test.id}"
            test = Malformed(test.file, place, test.algorithm, test.mode, reason)
        seen.add(test.id)
        tests.append(test)
    return tests


def _document(path: Path, catalogue: Catalogue) -> dict[str, Any]:
    """A file in the shared schema."""
    try:
        if path.suffix == responses.SUFFIX:
            return responses.converted(read_bounded(path, DOCUMENT_BYTES, WHAT).decode("utf-8"))
        data = read_json(path, WHAT)
        if isinstance(data, dict) and "testGroups" in data:
            return wycheproof.converted(data, catalogue)
    except FirmwareError as error:
        raise FirmwareError(f"{path}: {error}") from error
    except OSError as error:
        raise FirmwareError(f"{path}: {error.strerror}") from error
    except ValueError as error:
        raise FirmwareError(f"{path}: not a vector file: {error}") from error
    if not isinstance(data, dict) or not isinstance(data.get("tests"), list) or "algorithm" not in data:
        raise FirmwareError(f"{path}: not a vector file: no `algorithm` and list of `tests`")
    return data
