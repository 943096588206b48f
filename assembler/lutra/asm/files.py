"""Reading files that may be anything: a device without end, a text nested without end."""

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
# No legal text of these kinds comes near: program memory has 1024 words.
SOURCE_BYTES = 16 * MIB
IMAGE_BYTES = 64 * MIB
DOCUMENT_BYTES = 64 * MIB


# Opens a file by path and flags, as for `open`.
Opener = Callable[[str, int], int]


def read_bounded(path: Path, limit: int, what: str, opener: Opener | None = None) -> bytes:
    """The contents of a file of at most `limit` bytes; of a longer one, no more than a piece beyond it is read.

    what: what the file is, for the error. Raises OSError, with errno EFBIG for a longer file.
    """
    with open(path, "rb", opener=opener) as file:
        return read_stream(file, limit, what, str(path))


def read_stream(file: BinaryIO, limit: int, what: str, name: str) -> bytes:
    """What a file that is open holds up to its end, as `read_bounded`; `name` stands for it in the error."""
    pieces = []
    length = 0
    while length <= limit and (piece := file.read(min(_PIECE, limit + 1 - length))):
        pieces.append(piece)
        length += len(piece)
    if length > limit:
        raise OSError(errno.EFBIG, f"has more than {limit} bytes, the most that {what} may have", name)
    return b"".join(pieces)


def normal(file: str) -> str:
    """`common/block.inc`, without the way that the includes took to a source."""
    return os.path.normpath(file)


def read_json(path: Path, what: str, opener: Opener | None = None) -> Any:
    """The document in a JSON file. Raises OSError and, for anything that is no JSON, ValueError in one line."""
    return _document(json.loads, path, what, opener)


def read_toml(path: Path, what: str) -> dict[str, Any]:
    """The tables in a TOML file. Raises OSError and, for anything that is no TOML, ValueError in one line."""
    found: dict[str, Any] = _document(tomllib.loads, path, what)
    return found


def _document(loads: Callable[[str], Any], path: Path, what: str, opener: Opener | None = None) -> Any:
    text = read_bounded(path, DOCUMENT_BYTES, what, opener).decode("utf-8")
    try:
        return loads(text)
    except RecursionError:
        raise ValueError("nested too deeply") from None
