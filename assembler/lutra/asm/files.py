"""Read files with limits: they may be an endless device or nested too deeply."""

from __future__ import annotations

import errno
import json
import os
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any, BinaryIO

MIB = 1 << 20
_PIECE = MIB
# Far above any valid file: program memory has 1024 words.
SOURCE_BYTES = 16 * MIB
IMAGE_BYTES = 64 * MIB
DOCUMENT_BYTES = 64 * MIB


# Opens a file by path and flags, as for `open`.
Opener = Callable[[str, int], int]


def read_bounded(path: Path, limit: int, what: str, opener: Opener | None = None) -> bytes:
    """Return the contents of a file of at most `limit` bytes; reading stops soon after the limit.

    what: description of the file for the error. Raises OSError, with errno EFBIG for a longer file.
    """
    with open(path, "rb", opener=opener) as file:
        return read_stream(file, limit, what, str(path))


def read_stream(file: BinaryIO, limit: int, what: str, name: str) -> bytes:
    """Return the rest of an open file as `read_bounded` does; `name` is its name in the error."""
    pieces = []
    length = 0
    while length <= limit and (piece := file.read(min(_PIECE, limit + 1 - length))):
        pieces.append(piece)
        length += len(piece)
    if length > limit:
        raise OSError(errno.EFBIG, f"has more than {limit} bytes, the limit for {what}", name)
    return b"".join(pieces)


def normal(file: str) -> str:
    """Return a short path such as `common/block.inc`, without the `..` of the includes that led to it."""
    return os.path.normpath(file)


def read_json(path: Path, what: str, opener: Opener | None = None) -> Any:
    """The document in a JSON file. Raises OSError and, for anything that is not JSON, ValueError in one line."""
    return _document(json.loads, path, what, opener)


def read_toml(path: Path, what: str) -> dict[str, Any]:
    """The tables in a TOML file. Raises OSError and, for anything that is not TOML, ValueError in one line."""
    found: dict[str, Any] = _document(tomllib.loads, path, what)
    return found


def _document(loads: Callable[[str], Any], path: Path, what: str, opener: Opener | None = None) -> Any:
    text = read_bounded(path, DOCUMENT_BYTES, what, opener).decode("utf-8")
    try:
        return loads(text)
    except RecursionError:
        raise ValueError("nested too deeply") from None
